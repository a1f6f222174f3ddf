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
        "lá-e-lô",
        ("brazilian-pairs",),
        _("Is a plain tile at two equal ends a capicúa?"),
        _("No: each of its halves must fit one of the ends. A double at two equal ends is the dearest end of all."),
    ),
    Doubt(
        "brazilian-block",
        ("brazilian-pairs",),
        _("What is a block worth?"),
        _(
            "One, to the pair with fewer pips. If they are equal, the next win is worth one more: the championship"
            " plays every block so; elsewhere whoever closed loses a tie."
        ),
    ),
    Doubt(
        "brazilian-lead",
        ("brazilian-pairs",),
        _("Who leads the later rounds?"),
        _("The seat after the last leader: 6-6 leads the first round alone. A hand of four doubles is dealt again."),
    ),
    Doubt(
        "six-love",
        ("six-love-partner", "six-love-cutthroat"),
        _("What becomes of the points when the losers win?"),
        _(
            "All go, also the winner's: 0 to 0, and 6-6 leads again. Many stop at one all and play the next round for"
            " two: a choice here."
        ),
    ),
    Doubt(
        "six-love-alone",
        ("six-love-cutthroat",),
        _("Must a player alone win six in a row?"),
        _(
            "No: six before everybody has won one. When the last one without a round wins, all begin again. Three play"
            " nine tiles each without 0-0, two fourteen."
        ),
    ),
    Doubt(
        "sea-goat",
        ("sea-kozel",),
        _("What sets it apart from Kozel in pairs?"),
        _(
            "A pair writes nothing before it is caught with 25, 6-6 left alone costs 50, and 125 loses. 101, no price"
            " on 6-6, one double a turn, 6-6 to lead and a new deal for five doubles are choices: tables quarrel"
            " about them."
        ),
    ),
    Doubt(
        "gaple-closer",
        ("gaple",),
        _("Who wins when nobody can go on?"),
        _(
            "Whoever closed the line is compared with the next player: the lighter of the two takes the pips of all"
            " others, twice. If the two are equal, nobody wins. Elsewhere the lightest of all wins: a choice."
        ),
    ),
    Doubt(
        "gaple-lead",
        ("gaple",),
        _("Must a double be led?"),
        _(
            "Only 0-0 in the first round. Some have every lead be a double, and one tile given up instead of a pass:"
            " not here."
        ),
    ),
    Doubt(
        "latin-draws",
        ("latin-individual",),
        _("Does one draw or pass?"),
        _("Whoever has nothing that fits draws until something does. To pass at once is a choice."),
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
