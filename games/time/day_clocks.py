"""Clocks of days, for matches at one's own pace: so many days for each move, and a bank for the whole match.

A clock of at least `DAY_SECONDS` is one. Each seat starts with the time of a move and the bank. After each turn it gets
back what the turn took, at most the time of a move.
"""

DAY_SECONDS = 86_400
BANK_DAYS = 3
OFFERED_DAYS = (1, 3, 7)


def get_days(clock_seconds: int | None) -> int | None:
    """Return the days for each move, or None for a clock of minutes and without a clock.

    >>> get_days(3 * DAY_SECONDS), get_days(300), get_days(None)
    (3, None, None)
    """
    return None if clock_seconds is None or clock_seconds < DAY_SECONDS else clock_seconds // DAY_SECONDS


def get_initial_ms(clock_seconds: int) -> int:
    """Return the milliseconds on a seat's clock at the start.

    >>> get_initial_ms(300), get_initial_ms(DAY_SECONDS) // 86_400_000
    (300000, 4)
    """
    bank = BANK_DAYS * DAY_SECONDS if get_days(clock_seconds) else 0
    return (clock_seconds + bank) * 1000


def format_clock_field(clock: tuple[int, int] | None) -> str:
    """Format a clock (seconds for the match, for each move) as forms write it.

    >>> format_clock_field((300, 5)), format_clock_field((DAY_SECONDS, 0)), format_clock_field(None)
    ('300+5', '1d', 'none')
    """
    if clock is None:
        return "none"
    days = get_days(clock[0])
    return f"{days}d" if days else f"{clock[0]}+{clock[1]}"
