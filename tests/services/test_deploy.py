"""The files of deploy/: each is run, or checked by the program that reads it where that is installed."""

import configparser
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from prometheus_client import generate_latest

from dominoes_site import metrics
from dominoes_site.version import VERSION
from live import metrics as live_metrics
from tests.http_client import HttpClient
from tests.server import ROOT, Site
from tests.services.nginx import CONFIGURATION, PROGRAM
from tests.waiting import attempts

DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
TIMERS = sorted((DEPLOY / "systemd").glob("*.timer"))
METRIC = re.compile(r"\b(?:boneyard|process)_\w+")


@pytest.fixture
def site(tmp_path: Path) -> Site:
    """Return a site on SQLite that has been set up."""
    site = Site(tmp_path / "site")
    site.prepare()
    return site


class Unit(configparser.ConfigParser):
    """A systemd unit. A name that is given several times has its last value."""

    def optionxform(self, optionstr: str) -> str:
        return optionstr


def read_unit(file: Path) -> Unit:
    unit = Unit(strict=False, interpolation=None)
    unit.read(file)
    return unit


def run(command: str, site: Site, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of a unit in this checkout, with `folder` in the place of the machine's folders."""
    words = shlex.split(command)
    for there, here in {
        "/srv/boneyard/current/.venv/bin/python": sys.executable,
        "/srv/boneyard/current": str(ROOT),
        "/srv/boneyard": str(ROOT),
        "/var/backups/boneyard": str(folder),
        "/var/lib/boneyard": str(folder),
        "/run/boneyard/1.sock": str(folder / "1.sock"),
    }.items():
        words = [word.replace(there, here) for word in words]
    env = site.env | {"PYTHON": sys.executable}
    return subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True)


def test_nginx_accepts_the_file_with_tls(tmp_path: Path):
    certificate, key = tmp_path / "site.pem", tmp_path / "site.key"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "1",
            "-subj",
            "/CN=dominoes.example",
        ]
        + ["-out", certificate, "-keyout", key],
        check=True,
        capture_output=True,
    )
    text = CONFIGURATION.read_text().replace("/etc/ssl/private/dominoes.example.key", str(key))
    text = text.replace("/etc/ssl/dominoes.example.pem", str(certificate))
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\naccess_log off;\n{text}\n}}\n")
    done = subprocess.run(
        [PROGRAM, "-t", "-c", whole, "-e", tmp_path / "log"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_units_are_accepted_by_systemd(tmp_path: Path):
    files = []
    for file in (*UNITS, *TIMERS):
        text = file.read_text().replace("/srv/boneyard/current/.venv/bin/python", sys.executable)
        text = text.replace("/srv/boneyard/current", str(ROOT))
        files.append(tmp_path / file.name.replace("@", "@1"))
        files[-1].write_text(text.replace("/srv/boneyard", str(ROOT)))
    if not shutil.which("systemd-analyze"):
        for file in files:
            unit = read_unit(file)
            assert "Timer" in unit or unit["Service"]["ExecStart"].split()[0].startswith("/"), file.name
        return
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, files)], capture_output=True, text=True
    )
    assert done.returncode == 0 and not done.stderr, done.stderr


@pytest.mark.parametrize("file", UNITS, ids=lambda file: file.stem)
def test_units_are_confined(file: Path):
    service = read_unit(file)["Service"]
    assert service["NoNewPrivileges"] == "yes" and service["ProtectSystem"] == "strict"
    assert service["CapabilityBoundingSet"] == "" and service["User"] == "boneyard"


def test_each_timer_has_its_service():
    assert {file.stem for file in TIMERS} == {file.stem for file in UNITS if "@" not in file.name}


def test_backup_unit_makes_a_backup(site: Site, tmp_path: Path):
    done = run(read_unit(DEPLOY / "systemd/boneyard-backup.service")["Service"]["ExecStart"], site, tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.glob("boneyard-*.tar"))) == 1


def test_purge_unit_purges(site: Site, tmp_path: Path):
    done = run(read_unit(DEPLOY / "systemd/boneyard-purge.service")["Service"]["ExecStart"], site, tmp_path)
    assert done.returncode == 0 and "0 guests" in done.stdout, done.stderr


def test_start_serves_and_chain_unit_checks(site: Site, tmp_path: Path):
    command = read_unit(DEPLOY / "systemd/boneyard-chain.service")["Service"]["ExecStart"]
    site.start()
    HttpClient(site.url).become_guest().post("/play/all-fives/", seats=2, clock="300+5", computer="club")
    site.stop()
    server = subprocess.Popen(
        [DEPLOY / "start", "1"],
        cwd="/",
        env=site.env | {"SOCKETS": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert "is at unix:" in server.stdout.readline()
        assert run(command, site, tmp_path / "elsewhere").returncode != 0
        for _ in attempts("the first checkpoint, made soon after the start"):
            done = run(command, site, tmp_path)
            if done.stdout != "No checkpoint yet.\n":
                break
        assert done.returncode == 0 and "1 checkpoints: sound." in done.stdout, done.stderr
        (kept,) = tmp_path.glob("checkpoint-*")
        kept.rename(tmp_path / "checkpoint-2026-01-01")
        assert "2 checkpoints: sound." in run(command, site, tmp_path).stdout
        origin, _size, rest = kept.read_text().split("\n", 2)
        (tmp_path / "checkpoint-2026-01-01").write_text(f"{origin}\n999\n{rest}")
        assert run(command, site, tmp_path).returncode == 1
    finally:
        server.terminate()
        assert server.wait(30) == 0


def test_environment_sample_is_read_by_the_settings(tmp_path: Path):
    given = dict(
        line.split("=", 1)
        for line in (DEPLOY / "boneyard.env").read_text().splitlines()
        if re.match("[A-Z]", line)
    )
    settings = (ROOT / "dominoes_site" / "settings.py").read_text()
    assert [name for name in given if f'"{name}"' not in settings] == []
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=os.environ | {"VAR_DIR": str(tmp_path), "SECRET_KEY": "x" * 40} | given,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a clone")
def test_release_has_a_folder_of_its_own(tmp_path: Path):
    git = ["git", "-c", "safe.directory=*"]
    source = tmp_path / "source"
    subprocess.run([*git, "clone", "--quiet", "--no-local", "--depth", "1", ROOT, source], check=True)
    env = os.environ | {"MAKEFLAGS": "-n"}  # says what it would install

    def prepare(name: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([source / "bin" / "release", name], env=env, capture_output=True, text=True)

    assert "var is missing" in prepare("HEAD").stderr
    for shared in ("var", "static-built", "releases"):
        (tmp_path / shared).mkdir()
    assert "nowhere is not known here" in prepare("nowhere").stderr
    for _interrupted in range(2):
        done = prepare("HEAD")
        folder = Path(done.stdout.strip())
        assert folder.parent == tmp_path / "releases" and folder.name.startswith(f"{VERSION}-"), done.stderr
        assert (folder / "var").resolve() == tmp_path / "var" and (folder / "manage.py").exists()
        assert "bin/venv requirements.txt" in done.stderr


@pytest.mark.django_db
def test_rules_and_dashboard_name_metrics_that_exist():
    assert metrics and live_metrics
    names = set(re.findall(r"^# TYPE (\w+) ", generate_latest().decode(), re.M))
    # A histogram's series, and what the library adds on Linux alone.
    names |= {f"{name}_bucket" for name in names}
    used = {
        name
        for file in ("prometheus/boneyard-rules.yml", "grafana/boneyard.json")
        for name in METRIC.findall((DEPLOY / file).read_text())
    }
    assert len(used) > 8
    assert used - names == set()


def test_prometheus_accepts_the_rules():
    rules = DEPLOY / "prometheus" / "boneyard-rules.yml"
    groups = yaml.safe_load(rules.read_text())["groups"]
    for rule in groups[0]["rules"]:
        assert rule["expr"] and rule["labels"]["severity"] in ("warning", "page"), rule["alert"]
        assert rule["annotations"]["summary"].endswith("."), rule["alert"]
    if shutil.which("promtool"):
        subprocess.run(["promtool", "check", "rules", rules], check=True, capture_output=True)


def test_prometheus_asks_the_servers_of_nginx():
    job = yaml.safe_load((DEPLOY / "prometheus" / "boneyard.yml").read_text())["scrape_configs"][0]
    for target in job["static_configs"]:
        assert f"listen {target['targets'][0]};" in CONFIGURATION.read_text()
        assert f"location = {target['labels']['__metrics_path__']} " in CONFIGURATION.read_text()


def test_dashboard_has_panels_in_a_grid():
    board = json.loads((DEPLOY / "grafana" / "boneyard.json").read_text())
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]]
    assert len(set(places)) == len(places) >= 8
    assert len({panel["id"] for panel in board["panels"]}) == len(places)


def test_containers_serve_at_the_sockets_of_nginx():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = compose["services"]
    processes = [service for name, service in services.items() if name.startswith("process-")]
    sockets = re.findall(r"server unix:/run/boneyard/(\w+)\.sock", CONFIGURATION.read_text())
    assert [process["command"][0] for process in processes] == sockets
    mounted = {mount.split(":")[0] for service in services.values() for mount in service.get("volumes", [])}
    assert set(compose["volumes"]) <= mounted
    settings = (ROOT / "dominoes_site" / "settings.py").read_text()
    assert all(f'"{name}"' in settings for process in processes for name in process["environment"])


def test_container_copies_what_exists():
    text = (DEPLOY / "Containerfile").read_text()
    copied = [word for line in re.findall(r"^COPY (.+) \S+$", text, re.M) for word in line.split()]
    assert copied and all((ROOT / name).exists() for name in copied)
    assert (ROOT / re.search(r'ENTRYPOINT \["(.+)"\]', text)[1]).stat().st_mode & 0o111
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".venv", "var", ".git", "static-built"} <= set(ignored)
