"""Collect the static files into STATIC_ROOT, so that an interrupt leaves no half-written file under a served name.

They are collected in a folder beside the others and renamed. Files of other releases, which may be running, stay. The
stamp, written last, names the sources and the size of each file: one that is damaged later is noticed.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.management.commands import collectstatic
from django.core.files.storage import storages
from django.core.management import call_command

STAMP_NAME = ".stamp"
COLLECTING_NAME = ".collecting"  # in STATIC_ROOT, which may be the only folder that may be written to


def collect() -> None:
    """Collect all static files, unless those of this release are there and whole. Call with the folder locked."""
    root, checksum = settings.STATIC_ROOT, _checksum_sources()
    if _is_whole(root, checksum):
        return
    collected = root / COLLECTING_NAME
    shutil.rmtree(collected, ignore_errors=True)
    command = collectstatic.Command()
    backend = settings.STORAGES["staticfiles"] | {"OPTIONS": {"location": str(collected)}}
    command.storage = storages.create_storage(backend)
    call_command(command, verbosity=0, interactive=False)
    sizes = dict(_move(collected, root))
    shutil.rmtree(collected)
    lines = [checksum, *(f"{size} {path}" for path, size in sorted(sizes.items()))]
    stamp = root / f"{STAMP_NAME}.new"
    stamp.write_text("\n".join(lines))
    os.replace(stamp, root / STAMP_NAME)


def _move(collected: Path, root: Path) -> Iterator[tuple[str, int]]:
    """Move files to the same paths in the root; yield these paths and their sizes."""
    for folder, _folders, names in os.walk(collected):
        for file in (Path(folder, name) for name in names):
            path = file.relative_to(collected)
            size = file.stat().st_size
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            os.replace(file, root / path)
            yield str(path), size


def _is_whole(root: Path, checksum: str) -> bool:
    """Return whether the stamp is of these sources, and each file has the size that it had when it was collected."""
    try:
        first, *lines = (root / STAMP_NAME).read_text().splitlines()
        pairs = [line.split(" ", 1) for line in lines]
        return first == checksum and all((root / path).stat().st_size == int(size) for size, path in pairs)
    except (OSError, ValueError):
        return False


def _checksum_sources() -> str:
    """Return a checksum of the paths, sizes and modification times of all static files."""
    digest = hashlib.sha256(b"2\n")  # another number where they are collected otherwise
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda item: item[0]):
            status = Path(storage.path(path)).stat()
            digest.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
