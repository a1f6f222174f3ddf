#!/usr/bin/env python
import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes_site.settings")
    from django.core.management import execute_from_command_line

    from dominoes_site.environment import Unusable

    try:
        execute_from_command_line(sys.argv)
    except Unusable as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
