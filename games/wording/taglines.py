"""One sentence for each preset that no other game could have, for lists of games."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

_TAGLINES = {
    "all-fives": gettext_noop(
        "The ends add up to a multiple of five, and you score the sum: if you know none, begin here."
    ),
    "muggins-200": gettext_noop(
        "Say what your play is worth before the others do: “Muggins!” takes what you overlook."
    ),
    "muggins-200-pairs": gettext_noop("Called points with a partner opposite you, to 200."),
    "gomuggins": gettext_noop(
        "Several tiles in one turn if together they score, and 365 to win: Russians call it Telefon."
    ),
    "muggins-exact-61": gettext_noop(
        "One point for each five, and 61 on the dot: a point too many does not count."
    ),
    "muggins-exact-61-pairs": gettext_noop(
        "Two pairs creep up to exactly 61; the last points are the hardest to fit."
    ),
    "muggins-scoring-lead": gettext_noop("Only a tile that scores may be led: 5-5, 6-4, 5-0 and their like."),
    "muggins-scoring-lead-pairs": gettext_noop(
        "The scoring lead for two pairs: your partner may hold the five you lack."
    ),
    "muggins-61": gettext_noop(
        "No spinner, and the highest double must be led: fives in their plainest form."
    ),
    "muggins-61-pairs": gettext_noop(
        "Plain fives for two couples: a block pays the lighter side the difference."
    ),
    "bones": gettext_noop(
        "The highest double opens, every play that makes fives pays, and 150 ends it at once."
    ),
    "bones-pairs": gettext_noop("Bones for four: every tile is dealt, partners face each other, 250 to win."),
    "big-six": gettext_noop("Nine tiles each, and nothing counts until one play makes ten."),
    "merry-go-round": gettext_noop(
        "The lead opens four ways at once, and all four must be filled before the round turns on."
    ),
    "draw": gettext_noop(
        "What you cannot play you draw for, until something fits: the classic of the parlour."
    ),
    "draw-free": gettext_noop("You may draw even when you could play; two tiles always stay face down."),
    "draw-free-pairs": gettext_noop(
        "Drawing at will for two pairs, six tiles each, the difference to the winners."
    ),
    "block": gettext_noop("Nothing to draw, nothing to hide behind: play or pass."),
    "block-doublet": gettext_noop("The highest double leads every round, so everybody knows who held it."),
    "block-doublet-pairs": gettext_noop(
        "Highest double leads, two against two, and the lighter pair takes the difference."
    ),
    "fives-and-threes-league": gettext_noop(
        "Threes count as well as fives, and 61 must be hit exactly: the game of English pubs."
    ),
    "fives-and-threes-pairs": gettext_noop("To 31 in pairs: only what you are ahead by is written down."),
    "fives-and-threes": gettext_noop("To 31, with drawing: fifteen is the play everybody hopes for."),
    "sebastopol": gettext_noop("Two pairs build a cross: after 6-6 only its four arms may be played."),
    "sebastopol-singles": gettext_noop("The cross of Sebastopol, each against all, to 100."),
    "dominican": gettext_noop(
        "Turns go to the right, a pass of all the others pays, and capicúa pays: to 200."
    ),
    "puerto-rico-500": gettext_noop(
        "Capicúa 100, chuchazo 100, and the first rounds won pay 100, 75, 50, 25."
    ),
    "puerto-rico-200": gettext_noop("Pips and nothing but pips, to 200: what the losers hold is yours."),
    "pairs-international": gettext_noop(
        "The lead passes from seat to seat, and 100 wins: the rules of tournaments."
    ),
    "pairs-spain": gettext_noop(
        "Whoever leads is drawn by lot and may lead anything; 300 makes a long evening."
    ),
    "venezuelan": gettext_noop("A block goes to the lightest single hand, not the lightest pair."),
    "latin-individual": gettext_noop("Two or three, seven tiles each, and the rest of the set to draw from."),
    "gaple": gettext_noop(
        "The double blank opens, and whoever closes the line is measured against the next: a block pays twice."
    ),
    "brazilian-pairs": gettext_noop(
        "The last tile decides: one, two for a double, three for both ends, four for a double at both."
    ),
    "cuban": gettext_noop(
        "Ten tiles from a set of fifty-five: fifteen stay face down, and nobody knows which."
    ),
    "jamaican-partner": gettext_noop(
        "Double six opens, and rounds count, not points: the first pair to six."
    ),
    "jamaican-cutthroat": gettext_noop("No partner and no mercy: first to six rounds."),
    "six-love-partner": gettext_noop(
        "Six rounds in a row, or back to nothing: the match of every Jamaican table."
    ),
    "six-love-cutthroat": gettext_noop(
        "Six rounds while somebody is still at love; three play nine tiles each, without the double blank."
    ),
    "kozel": gettext_noop("Nobody races to win here: whoever reaches 101 is the goat."),
    "kozel-pairs": gettext_noop("Two pairs, and 101 makes both of a pair goats."),
    "sea-kozel": gettext_noop(
        "Nothing is written before 25, a lone double six costs fifty, and 125 makes a pair goats."
    ),
    "five-up": gettext_noop("Every double is a spinner, so the line branches like a tree."),
    "five-up-pairs": gettext_noop("Branching doubles for two pairs: what you open, your partner can close."),
    "bergen": gettext_noop(
        "Points for ends that match: two for a double heading, three for a triple, fifteen win."
    ),
}


def tagline(preset: str) -> str:
    """Return what sets this preset apart from every other one."""
    return _(_TAGLINES[preset])
