"""Questions that the sources leave open, with the decisions: *Doubts, decided* of the rules pages."""

from collections.abc import Iterator
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_RUSSIAN_PAGE = ("muggins-200", "muggins-200-pairs", "muggins-exact-61", "muggins-exact-61-pairs")
_EXACT = ("muggins-exact-61", "muggins-exact-61-pairs")
_SCORING_LEAD = ("muggins-scoring-lead", "muggins-scoring-lead-pairs")
_PHONE = ("all-fives", "draw", "block")
_LEAFLET = (
    *(
        "block-doublet",
        "block-doublet-pairs",
        "draw-free",
        "draw-free-pairs",
        "muggins-61",
        "muggins-61-pairs",
    ),
    *("fives-and-threes", "fives-and-threes-pairs", "sebastopol"),
)
_LEAFLET_PAIRS = ("block-doublet-pairs", "draw-free-pairs", "muggins-61-pairs", "sebastopol")


class Doubt(NamedTuple):
    """A point that the sources of some presets leave open, in question and answer."""

    id: str
    presets: tuple[str, ...]
    question: Promise
    answer: Promise


DOUBTS = (
    Doubt(
        "several-tiles",
        ("gomuggins",),
        _("How many ends may be laid at in one turn?"),
        _(
            "As many as one likes of those open when the turn began, one tile each, with one count. “As many as"
            " possible” is what one may do, not what one must."
        ),
    ),
    Doubt(
        "zero-is-none",
        ("gomuggins",),
        _("Is a count of 0 a multiple of five?"),
        _(
            "No, 0 is none: it scores nothing, and several tiles that leave it may not be laid in one turn."
        ),
    ),
    Doubt(
        "right-angle",
        ("block-doublet", "block-doublet-pairs", "sebastopol"),
        _("What does “at a right angle” mean?"),
        _(
            "It says how a tile lies: the line may turn as it likes. In Sebastopol those are the four sides of"
            " the first double; elsewhere no third end opens."
        ),
    ),
    Doubt(
        "block-ties",
        (*_PHONE, *(preset for preset in _LEAFLET if preset.startswith(("block", "draw", "muggins")))),
        _("What if hands with equal pips are tied in their lightest tiles, too?"),
        _(
            "Then nobody wins the block. Where a source has no sentence for a tie, it is broken as in its"
            " neighbour games."
        ),
    ),
    Doubt(
        "sebastopol-tie",
        ("sebastopol",),
        _("What if the hands of both pairs are equal in a block?"),
        _(
            "Nobody wins, and nothing is scored. The leaflet has no sentence for it; another description of Sebastopol"
            " says so."
        ),
    ),
    Doubt(
        "draw-match",
        ("draw",),
        _("When does a match of Draw end?"),
        _("As one of Block on the same sheet: when a score exceeds the target. The text of Draw does not say."),
    ),
    Doubt(
        "four-edges",
        ("all-fives", *_SCORING_LEAD),
        _("When do the spinner's other sides open?"),
        _(
            "When a tile lies on both its line sides. All four at once is a choice that stays rated: the sentence"
            " can be read so."
        ),
    ),
    Doubt(
        "more-players",
        _SCORING_LEAD,
        _("Can more than four play with a larger set?"),
        _(
            "Not here: a table has four seats at the most. The larger sets, which the page has “to support more"
            " players”, are a choice that stays rated."
        ),
    ),
    Doubt(
        "next-lead",
        _RUSSIAN_PAGE,
        _("Are lots drawn for every round, or for the first?"),
        _("For the first; later the winner leads. Lots for every round are a choice that stays rated."),
    ),
    Doubt(
        "bonus-divided",
        _SCORING_LEAD,
        _("Why is the bonus divided by five, and a play is not?"),
        _("The page's own sample does so: 40 divided by 5 makes 8 points."),
    ),
    Doubt(
        "fifths",
        _EXACT,
        _("Is a bonus for a block put into fifths, too?"),
        _(
            "Yes, and so are the partner's pips: in this variant a point is five pips. It names 61 for four"
            " players; two and three play to the same."
        ),
    ),
    Doubt(
        "chain-tie",
        _RUSSIAN_PAGE,
        _("What if the lightest hands of a block are equal?"),
        _("Nobody wins, and nothing is paid to anybody: it is the page's only sentence on ties."),
    ),
    Doubt(
        "winning-couple",
        _LEAFLET_PAIRS,
        _("Can the winners' own tiles make a bonus negative?"),
        _("No, it is 0 at the least: the sentence speaks of what the losers hold, not of the winners' score."),
    ),
    Doubt(
        "block-pays-nobody",
        ("gomuggins",),
        _("What is a block worth?"),
        _("Nothing: the page knows a bonus only for going out. The lighter hand leads the next round."),
    ),
    Doubt(
        "named-lead",
        ("gomuggins",),
        _("Must the 3-2 be led?"),
        _("No. The sentence says who leads, not what."),
    ),
    Doubt(
        "called-points",
        (*_RUSSIAN_PAGE, *_SCORING_LEAD),
        _("How long may points be called?"),
        _(
            "Until the next play, draw or pass; after the last tile of a round for a moment. A wrong claim costs"
            " nothing more."
        ),
    ),
    Doubt(
        "block-at-once",
        ("block-doublet", "block-doublet-pairs", "draw-free", "draw-free-pairs", "sebastopol"),
        _("Is everybody asked to pass before a round is blocked?"),
        _("No, it ends at once: the passes would all be forced."),
    ),
    Doubt(
        "chuchazo-at-blanks",
        ("dominican", "puerto-rico-500"),
        _("Is it a chuchazo if both ends are blank?"),
        _(
            "Yes: 0-0 is paid whatever the ends show. One sheet does not pay it there. It is no capicúa: a double"
            " never is."
        ),
    ),
    Doubt(
        "refused-points",
        _EXACT,
        _("Do points that were not claimed cost the rest of the round?"),
        _(
            "No: only points that were asked for, and refused, do. The partner's pips are taken even where the"
            " bonus was refused."
        ),
    ),
)  # fmt: skip


def doubts_of(preset: str) -> Iterator[Doubt]:
    """Yield the doubts about this preset's sources."""
    return (doubt for doubt in DOUBTS if preset in doubt.presets)
