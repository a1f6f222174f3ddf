"""Each open page is an open file of the process that serves it."""

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


def test_a_process_takes_as_many_as_it_may_have():
    subprocess.run([sys.executable, "-c", LOWERED], check=True)
