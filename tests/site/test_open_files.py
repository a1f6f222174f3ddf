"""The limit of open files."""

import subprocess
import sys

LOWERED = """
import resource
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (256, most))
from dominoes_site.serving import raise_open_files_limit
raise_open_files_limit()
assert resource.getrlimit(resource.RLIMIT_NOFILE) == (most, most)
"""


def test_limit_is_raised_to_hard_limit():
    subprocess.run([sys.executable, "-c", LOWERED], check=True)
