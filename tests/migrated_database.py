"""A cached SQLite file with all migrations applied, for tests to copy: migrating takes seconds.

It is in pytest's cache, named by a digest of what decides its content: the migrations, the modules of the site that
they import, and the settings. Models do not: Django creates tables, content types and permissions from the state that
the migrations describe. Whatever else of the site's code runs while the database is made is an error, not a stale file.

`python -m tests.migrated_database` migrates the database that the environment names.
"""

import ast
import cProfile
import fcntl
import hashlib
import inspect
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType

from tests.packages import PACKAGES

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".pytest_cache" / "migrated"
SETTINGS = "dominoes_site/settings.py"


def copy_to(file: Path) -> None:
    """Write a newly migrated database to `file`."""
    CACHE.mkdir(parents=True, exist_ok=True)
    handle = os.open(CACHE, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)  # parallel test processes wait for the first one's migration
        digest = compute_digest()
        migrated = CACHE / f"{digest}.sqlite3"
        if not migrated.exists():
            for outdated in CACHE.glob("*.sqlite3"):
                outdated.unlink()
            _make(migrated, digest)
        shutil.copyfile(migrated, file)
    finally:
        os.close(handle)


def compute_digest(root: Path = ROOT) -> str:
    """Return a digest of what decides the content of a migrated database, and of the installed versions."""
    digest = hashlib.sha256(f"{sys.version} {sqlite3.sqlite_version}".encode())
    own = {root / "requirements.txt", root / "tests" / "migrated_database.py"}
    for file in sorted(own | find_sources(root)):
        digest.update(f"{file.relative_to(root)}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def find_sources(root: Path = ROOT) -> set[Path]:
    """Return the files that decide: migrations, settings, what these import, and the data files beside all of them."""
    found: set[Path] = set()
    pending = [*find_migrations(root), root / SETTINGS]
    for file in pending:  # grows in the loop
        if file not in found:
            found.add(file)
            pending += find_imported_files(file, root)
    folders = {file.parent for file in found}
    data = {file for folder in folders for file in folder.iterdir() if file.suffix in (".json", ".sql")}
    return found | data


def find_migrations(root: Path = ROOT) -> list[Path]:
    return [file for package in PACKAGES for file in (root / package).glob("**/migrations/**/*.py")]


def find_imported_files(file: Path, root: Path = ROOT) -> Iterator[Path]:
    """Yield the site's files that `file` imports, also within functions, and the packages around them."""
    package = file.relative_to(root).parent.parts
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*above, *filter(None, [node.module])))
            names = [module, *(f"{module}.{alias.name}" for alias in node.names)]  # a name may be a module
        else:
            continue
        for name in names:
            yield from _find_modules(name, root)


def _find_modules(name: str, root: Path) -> Iterator[Path]:
    """Yield the files of a module and of its packages, if the site has them."""
    parts = name.split(".")
    if parts[0] not in PACKAGES:
        return
    for length in range(1, len(parts) + 1):
        path = root.joinpath(*parts[:length])
        yield from (file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file())


def _make(file: Path, digest: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "fresh.sqlite3"
        env = os.environ | {"VAR_DIR": folder, "DATABASE_URL": f"sqlite:///{fresh}"}
        command = [sys.executable, "-m", "tests.migrated_database"]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        assert compute_digest() == digest, "migrations, or what they import, changed meanwhile: start again"
        # The last connection to close has merged the write-ahead log.
        assert not fresh.with_name(f"{fresh.name}-wal").exists()
        partial = file.with_suffix(".partial")
        shutil.move(fresh, partial)
        partial.rename(file)


def migrate() -> None:
    """Migrate the database that the environment names. Refuse if the site's code ran that the digest leaves out."""
    import django
    from django.core.management import call_command

    os.environ["DJANGO_SETTINGS_MODULE"] = "dominoes_site.settings"
    django.setup()
    profile = cProfile.Profile(builtins=False)
    profile.enable()
    call_command("migrate", verbosity=0, interactive=False)
    profile.disable()
    codes = (each.code for each in profile.getstats())
    if unknown := find_unknown_files(code for code in codes if isinstance(code, CodeType)):
        sys.exit(f"migrations run code that the digest of {__file__} does not include: {unknown}")


def find_unknown_files(codes: Iterable[CodeType]) -> set[str]:
    """Return the site's files outside the digest to which these functions belong.

    Bodies of modules and classes do not count: importing a module changes no database.
    """
    functions = [code for code in codes if code.co_flags & inspect.CO_OPTIMIZED]
    run = {Path(code.co_filename) for code in functions}
    own = {file for file in run if file.is_relative_to(ROOT) and file.relative_to(ROOT).parts[0] in PACKAGES}
    return {str(file.relative_to(ROOT)) for file in own - find_sources()}


if __name__ == "__main__":
    migrate()
