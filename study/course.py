"""The lessons: a prepared deal each, with scripted steps.

The reader has the first seat. The moves of the others are scripted and must be legal; tests/study/test_lessons.py
plays every lesson.
"""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Step(NamedTuple):
    """A step of a lesson.

    prompt   what happened, and what to do
    right    the expected move: `6-4@L`, or `6-4@L=10` with a claim of 10
    replies  the moves of the others that follow, separated by spaces
    choices  the moves to choose from, separated by spaces; by default the legal ones
    """

    prompt: Promise
    right: str
    replies: str = ""
    choices: str = ""


class Lesson(NamedTuple):
    """A lesson.

    hands    the reader's hand first
    opening  moves before the first step; the other seat leads if there are any
    target   low enough to end the match with the round, for a lesson about the end of a round
    """

    slug: str
    title: Promise
    about: Promise
    preset: str
    hands: tuple[str, str]
    steps: tuple[Step, ...]
    done: Promise
    opening: str = ""
    target: int = 200
    asks_for_count: bool = False  # the feedback to a wrong move names the count that it makes


LINE = Lesson(
    "line",
    _("The line"),
    _("What fits where, passing, going out"),
    "block",
    ("6-6 6-4 4-3 3-1 1-0", "6-5 5-3 5-2 6-2 2-2"),
    (
        Step(
            _("Each of you holds five tiles, and you lead: any tile may be the first. Lay 6-6."),
            "6-6",
            "6-5@R",
        ),
        Step(
            _("6-5 was laid against it: like numbers touch. The ends are 6 and 5 now. Lay 6-4 at the 6."),
            "6-4@L",
            "5-3@R",
        ),
        Step(
            _("The ends are 4 and 3, and your 4-3 fits both. Lay it at the 4, and both ends are 3."),
            "4-3@L",
            "pass",
        ),
        Step(
            _(
                "Your opponent holds no 3 and has to pass: in Block nothing is drawn. Lay 3-1 at the right end,"
                " and 3 and 1 are wanted."
            ),
            "3-1@R",
            "pass",
        ),
        Step(
            _("Another pass. Lay your last tile: whoever has none left goes out, and wins the round."),
            "1-0@R",
        ),
    ),
    _("You are out. What your opponent still holds is yours in points: 5-2, 6-2 and 2-2 make 19."),
    target=10,
)

SPINNER = Lesson(
    "spinner",
    _("The spinner"),
    _("The first double, its four sides"),
    "all-fives",
    ("5-5 5-1 5-4 5-3 6-2 6-4", "5-0 1-1 4-2 3-0 6-1 6-6"),
    (
        Step(
            _("The first double of a round is the spinner: in the end it has four arms. Lead 5-5."),
            "5-5",
            "5-0@L",
        ),
        Step(
            _(
                "5-0 lies at its left. A double lies across the line, and its ends stay closed until both long"
                " sides are covered. Cover the right one with 5-1."
            ),
            "5-1@R",
            "1-1@R",
        ),
        Step(
            _(
                "Now the spinner is open upwards and downwards, too, and there only a 5 fits. Of the later doubles"
                " none is a spinner: 1-1 is an end like any other. Lay 5-4 upwards."
            ),
            "5-4@U",
            "4-2@U",
        ),
        Step(
            _("The new arm goes on like the others. Lay 5-3 downwards: four arms, and four open ends."),
            "5-3@D",
            "3-0@D",
        ),
        Step(_("All four ends can be played on: 0, 1, 2 and 0. Lay 6-2 where it fits."), "6-2@U"),
    ),
    _(
        "That is the spinner. An arm that nothing lies on counts nothing; every other end counts what it shows."
    ),
)

COUNTING = Lesson(
    "counting",
    _("Counting"),
    _("Ends, doubles, multiples of five"),
    "all-fives",
    ("6-4 4-4 4-3 2-1 5-0", "6-2 4-0 6-0 5-5 3-3"),
    (
        Step(
            _(
                "After each play the open ends are added up. A sum that five goes into is yours in points. A tile"
                " that lies alone counts in full: lead the one that makes 10."
            ),
            "6-4",
            "6-2@L",
        ),
        Step(
            _(
                "10 points for you. The ends are 2 and 4 now, 6 in all: nothing for your opponent. A double at an"
                " end counts both halves. Make 10 with one."
            ),
            "4-4@R",
            "4-0@R",
        ),
        Step(
            _(
                "2 and 8, 10 points again. 4-4 is covered now and counts no more, but as the spinner it has two"
                " free sides, which count nothing until a tile lies there. The ends are 2 and 0: make 5 upwards."
            ),
            "4-3@U",
            "6-0@R",
        ),
        Step(_("5 points. The ends are 2, 6 and 3: 11. Make it 10."), "2-1@L"),
    ),
    _(
        "10 and 10 and 5 and 10: 35 points in one round. Take the old end away, add the new one, and you have the sum."
    ),
    asks_for_count=True,
)

BLOCKING = Lesson(
    "blocking",
    _("Blocking"),
    _("When nobody can play, and who gains"),
    "block",
    ("4-2 2-2 3-2 1-0 0-0", "6-4 6-5 5-3 5-5 6-6"),
    (
        Step(
            _(
                "Your opponent led 6-4. You hold three of the 2s, and light tiles beside them: try to shut the line"
                " with 2s. Lay 4-2."
            ),
            "4-2@R",
            "6-5@L",
        ),
        Step(
            _(
                "Your opponent played at the other end: perhaps they hold no 2. Lay 2-2, and the end stays a 2."
            ),
            "2-2@R",
            "5-3@L",
        ),
        Step(_("Again not at the 2. The ends are 3 and 2: lay 3-2 so that both are 2."), "3-2@L"),
    ),
    _(
        "Nobody can play: the round is blocked, and whoever holds the fewest pips wins it. You hold 1, your"
        " opponent 22, and the 22 are your points. Count your pips before you shut the line."
    ),
    opening="6-4",
    target=10,
)

CALLING = Lesson(
    "calling",
    _("Calling"),
    _("Claim your points, or lose them"),
    "muggins-200",
    ("5-5 5-3 4-1 6-2", "5-0 0-0 3-2 6-4"),
    (
        Step(
            _(
                "At a called table nobody counts for you. Your opponent led 5-0 and said five. You lay 5-5 against"
                " it: how many points do you claim?"
            ),
            "5-5@L=10",
            "0-0@R",
            choices="5-5@L=5 5-5@L=10 5-5@L=15 5-5@L",
        ),
        Step(
            _(
                "10 and 0: right. Now your opponent lays 0-0 and says nothing. What do the ends make? Points that"
                " were not claimed are for whoever calls them first, until somebody plays on."
            ),
            "muggins",
            choices="muggins 5-3@L",
        ),
        Step(
            _(
                "Muggins! The 10 points are yours, and it is still your turn. Lay 5-3 at the 5 and claim what it is"
                " worth."
            ),
            "5-3@L",
            choices="5-3@L=5 5-3@L=10 5-3@L",
        ),
    ),
    _(
        "3 and 0 is nothing. A wrong number costs nothing by itself, but the right one must be said with the play."
    ),
    opening="5-0=5",
)

LESSONS = (LINE, SPINNER, COUNTING, BLOCKING, CALLING)
