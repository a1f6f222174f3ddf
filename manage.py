#!/usr/bin/env python
import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dominoes_site.settings")
    from django.core.management import execute_from_command_line
    from django.db import DatabaseError

    from dominoes_site.environment import InvalidVariable
    from dominoes_site.parent import end_with_parent

    end_with_parent()
    try:
        execute_from_command_line(sys.argv)
    except InvalidVariable as error:
        sys.exit(str(error))
    except DatabaseError:
        from dominoes_site.setup_check import explain_database_error

        if explanation := explain_database_error():
            sys.exit(explanation)
        raise


if __name__ == "__main__":
    main()
