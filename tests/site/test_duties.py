"""Commands that the referee starts."""

import os

from django.utils import timezone

from dominoes_site.duties import Subprocess


def test_background_command_has_lowest_priority():
    duty = Subprocess(lambda now: True, "analyse", "--waiting", low_priority=True)
    duty(timezone.now())
    assert duty._process is not None
    try:
        assert os.getpriority(os.PRIO_PROCESS, duty._process.pid) == 19
    finally:
        duty._process.kill()
        duty._process.wait()
