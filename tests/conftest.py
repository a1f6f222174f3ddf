"""Fixtures for every test: three people, a database and a channel layer of its own."""

import gc
import math
import os
import random
import subprocess
import time
from collections.abc import Generator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from channels.layers import channel_layers
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.test import Client, TransactionTestCase

from accounts import moderators
from core import broken_rows
from events.services import networks
from games import repository
from games.services import addresses
from games.table import snapshot_cache
from games.time import outages
from live import seated
from lobbies import site_games
from notifications import turns
from operators import shared_networks, site_settings
from operators.models import SiteSettings
from tests import examples, migrated_database, migrated_postgresql, migrated_rows, rendered, seeds, siblings
from tests.times import later

# Parallel workers share one Redis: each gets a database for the cache and a prefix for the layer.
if settings.REDIS_URL and (worker := os.environ.get("PYTEST_XDIST_WORKER")):
    settings.CACHES["default"]["LOCATION"] = f"{settings.REDIS_URL}/{int(worker.removeprefix('gw'))}"
    layer: dict[str, Any] = settings.CHANNEL_LAYERS["default"]
    layer["CONFIG"]["prefix"] = worker


@pytest.hookimpl(tryfirst=True)  # before the plugin of Hypothesis reads the seed
def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # before other processes of pytest start
        subprocess.run(["make", "--silent", "catalogues"], cwd=migrated_database.ROOT, check=True)
    examples.use_profile(config)
    rendered.install()
    config.addinivalue_line(
        "markers", "services: what the database or Redis has a part in (`make test-services`)"
    )


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests whose results may depend on which database and which channel layer there is."""
    uses_database = item.get_closest_marker("django_db") or "db" in getattr(item, "fixturenames", ())
    if uses_database or item.path.parent.name in ("live", "services"):
        item.add_marker("services")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run tests that mostly wait first: at the end they would leave the other workers idle."""
    items.sort(
        key=lambda item: item.path.parent.name != "services" or bool(item.get_closest_marker("django_db"))
    )


def pytest_collection_finish():
    """Freeze the garbage collector: what is collected by now lives to the end, and scanning it took 8 % of the time."""
    gc.collect()
    gc.freeze()


MIDNIGHT_MARGIN = timedelta(seconds=60)  # a test takes less, also on a busy machine
ON_SQLITE = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"


@pytest.fixture
def processes() -> Iterator[list[siblings.Process]]:
    yield from siblings.open_two()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> Iterator[None]:
    """Copy a migrated database. SQLite's is a file, so that threads share it, in a folder of this process."""
    if not ON_SQLITE:
        settings.DATABASES["default"]["TEST"]["TEMPLATE"] = migrated_postgresql.make_template()
        yield
        return
    with TemporaryDirectory() as folder:
        file = Path(folder) / "test.sqlite3"
        migrated_database.copy_to(file)
        settings.DATABASES["default"]["TEST"]["NAME"] = str(file)
        yield


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool) -> bool:
    """Keep the copied database: it is migrated already and is deleted with its folder."""
    return django_db_keepdb or ON_SQLITE


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: Any) -> None:
    """Let each transactional test leave the rows of the migrations."""
    with django_db_blocker.unblock():
        migrated_rows.remember()
    TransactionTestCase._fixture_teardown = migrated_rows.reset_database  # type: ignore[attr-defined]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Begin no test shortly before midnight: sets of deals close then, and dates change."""
    now = datetime.now(UTC)
    left = timedelta(days=1) - (now - now.replace(hour=0, minute=0, second=0, microsecond=0))
    if left < MIDNIGHT_MARGIN:
        time.sleep(left.total_seconds())


@pytest.fixture(autouse=True)
def clean_state():
    """Clear caches, rate limits and channel layers between tests."""
    cache.clear()
    repository.clear_caches()
    snapshot_cache.clear()
    outages.clear_cache()
    addresses.clear_cache()
    seated.clear()
    networks.clear_cache()
    broken_rows.clear_cache()
    turns.clear_cache()
    site_settings.cache(SiteSettings(), ttl_seconds=math.inf)  # until a test saves others
    shared_networks.cache((), ttl_seconds=math.inf)  # until a test lists others
    site_games.cache({}, ttl_seconds=math.inf)
    channel_layers.backends = {}
    yield
    channel_layers.backends = {}


@pytest.fixture(autouse=True)
def repeatable_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw deals, codes, made-up names and computers' moves of this process by SEED and the test's name."""
    key = seeds.derive_key(seeds.current_test())
    random.seed(key)
    secrets = seeds.SeededSecrets(seeds.count_blocks(key))
    for module in seeds.drawing_modules():
        monkeypatch.setattr(module, "secrets", secrets)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Print the seed with a failure."""
    report = yield
    if report.failed:
        report.sections.append(("seed", f"SEED={seeds.SEED} gives this test the same deals"))
    return report


@pytest.fixture
def frozen_clock():
    """Stand the clock still, so that `later` goes exactly as far as it says, however busy the machine is."""
    with later():
        yield


@pytest.fixture
def alice(db):
    return get_user_model().objects.create_user("alice", password="alice's bones")


@pytest.fixture
def bob(db):
    return get_user_model().objects.create_user("bob", password="bob's bones")


@pytest.fixture
def charlie(db):
    return get_user_model().objects.create_user("charlie", password="charlie's bones")


@pytest.fixture
def boss(db):
    return get_user_model().objects.create_superuser("the-boss", email="boss@example.org")


@pytest.fixture
def moderator(charlie):
    charlie.is_staff = True
    charlie.save()
    charlie.groups.add(Group.objects.get(name=moderators.NAME))
    return charlie


@pytest.fixture
def browser_of():
    """Return a function that creates a test client for a user, or an anonymous one."""

    def client_of(user=None) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return client_of
