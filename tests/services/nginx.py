"""An nginx with deploy/nginx.conf in front of local processes."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.server import ROOT, Site, free_port

PROGRAM = shutil.which("nginx") or "/usr/sbin/nginx"  # usually not in PATH
FILES = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    {temporary}
{servers}
}}
"""
CONFIGURATION = ROOT / "deploy" / "nginx.conf"
TEMP_PATHS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


class Nginx:
    def __init__(self, folder: Path, sites: Sequence[Site]) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.metrics_url = f"http://127.0.0.1:{(metrics_port := free_port())}"
        self.log = folder / "error.log"
        configuration = folder / "nginx.conf"
        temporary = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in TEMP_PATHS)
        servers = build_configuration(self.port, metrics_port, sites)
        configuration.write_text(FILES.format(folder=folder, temporary=temporary, servers=servers))
        self._process = subprocess.Popen(
            [PROGRAM, "-c", str(configuration), "-p", str(folder), "-e", self.log]
        )

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(10)


def build_configuration(port: int, metrics_port: int, sites: Sequence[Site]) -> str:
    """Return deploy/nginx.conf for these ports, without TLS and the limit per address."""
    text = CONFIGURATION.read_text()
    text = re.sub(r"server \{\n    listen 80;.*?\n\}\n", "", text, flags=re.DOTALL)
    text = re.sub(r"listen \[::\].*", "", text)  # a machine of tests may have no IPv6
    text = re.sub(r"ssl_\w+ .*", "", text).replace("listen 443 ssl http2", f"listen 127.0.0.1:{port}")
    text = text.replace("listen 80 default_server;", "").replace("dominoes.example", "127.0.0.1")
    text = text.replace("127.0.0.1:9180", f"127.0.0.1:{metrics_port}")
    text = text.replace("rate=20r/s", "rate=2000r/s").replace(
        "/srv/boneyard/static-built/", f"{ROOT}/static/"
    )
    for number, site in enumerate(sites, 1):
        text = text.replace(f"unix:/run/boneyard/{number}.sock:", f"127.0.0.1:{site.port}")
        text = text.replace(f"unix:/run/boneyard/{number}.sock", f"127.0.0.1:{site.port}")
    return text
