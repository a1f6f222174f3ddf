#!/usr/bin/env python
import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes_site.settings")
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError

    from dominoes_site.environment import InvalidVariable

    try:
        execute_from_command_line(sys.argv)
    except InvalidVariable as error:
        sys.exit(str(error))
    except DatabaseError:
        from dominoes_site.prepared import why_not

        if said := why_not():
            sys.exit(said)
        raise


if __name__ == "__main__":
    main()
