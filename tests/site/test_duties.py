"""Work that the server begins beside the play."""

import os

from django.utils import timezone

from dominoes_site.duties import Subprocess


def test_what_stands_behind_the_moves_has_the_lowest_priority_from_its_start():
    duty = Subprocess(lambda now: True, "analyse", "--waiting", low_priority=True)
    duty(timezone.now())
    assert duty._process is not None
    try:
        assert os.getpriority(os.PRIO_PROCESS, duty._process.pid) == 19
    finally:
        duty._process.kill()
        duty._process.wait()
