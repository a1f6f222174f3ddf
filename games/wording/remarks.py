"""What the computers say at the table now and then: by manner of a persona and occasion, in two ways each."""

from collections.abc import Mapping
from typing import Literal

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

Occasion = Literal[
    "begin", "scored", "others scored", "drew", "round won", "round lost", "match won", "match lost"
]
Remarks = Mapping[Occasion, tuple[Promise, Promise]]

# Nothing here claims what the seat cannot know, or says anything of a hand.
KIND: Remarks = {
    "begin": (
        pgettext_lazy("kind computer", "Good to see you here."),
        pgettext_lazy("kind computer", "Good luck to everybody."),
    ),
    "scored": (
        pgettext_lazy("kind computer", "That went well."),
        pgettext_lazy("kind computer", "How nice, points!"),
    ),
    "others scored": (
        pgettext_lazy("kind computer", "Well played!"),
        pgettext_lazy("kind computer", "That was a fine one."),
    ),
    "drew": (
        pgettext_lazy("kind computer", "The boneyard likes me."),
        pgettext_lazy("kind computer", "Plenty to choose from now."),
    ),
    "round won": (
        pgettext_lazy("kind computer", "What a nice round."),
        pgettext_lazy("kind computer", "I liked that one."),
    ),
    "round lost": (
        pgettext_lazy("kind computer", "Well done. On to the next."),
        pgettext_lazy("kind computer", "That was well earned."),
    ),
    "match won": (
        pgettext_lazy("kind computer", "Thank you for the match."),
        pgettext_lazy("kind computer", "That was a nice match. Another one?"),
    ),
    "match lost": (
        pgettext_lazy("kind computer", "Congratulations! Well played."),
        pgettext_lazy("kind computer", "A deserved win."),
    ),
}
SPARING: Remarks = {
    "begin": (
        pgettext_lazy("sparing computer", "Let us begin."),
        pgettext_lazy("sparing computer", "Ready."),
    ),
    "scored": (
        pgettext_lazy("sparing computer", "That counts."),
        pgettext_lazy("sparing computer", "As it should be."),
    ),
    "others scored": (
        pgettext_lazy("sparing computer", "Noted."),
        pgettext_lazy("sparing computer", "Hm."),
    ),
    "drew": (
        pgettext_lazy("sparing computer", "Patience."),
        pgettext_lazy("sparing computer", "So be it."),
    ),
    "round won": (
        pgettext_lazy("sparing computer", "Next."),
        pgettext_lazy("sparing computer", "Good."),
    ),
    "round lost": (
        pgettext_lazy("sparing computer", "It happens."),
        pgettext_lazy("sparing computer", "Another one."),
    ),
    "match won": (
        pgettext_lazy("sparing computer", "Good match."),
        pgettext_lazy("sparing computer", "That settles it."),
    ),
    "match lost": (
        pgettext_lazy("sparing computer", "Not today."),
        pgettext_lazy("sparing computer", "Well done."),
    ),
}
TALKATIVE: Remarks = {
    "begin": (
        pgettext_lazy("talkative computer", "Quick, quick, let us play!"),
        pgettext_lazy("talkative computer", "There you are! I could hardly wait."),
    ),
    "scored": (
        pgettext_lazy("talkative computer", "Points, points, points!"),
        pgettext_lazy("talkative computer", "Ha! Those are mine!"),
    ),
    "others scored": (
        pgettext_lazy("talkative computer", "Hey, I wanted those!"),
        pgettext_lazy("talkative computer", "Ouch! Just you wait."),
    ),
    "drew": (
        pgettext_lazy("talkative computer", "More tiles, more fun!"),
        pgettext_lazy("talkative computer", "And one more, and one more…"),
    ),
    "round won": (
        pgettext_lazy("talkative computer", "Did you see that?"),
        pgettext_lazy("talkative computer", "I could do this all day!"),
    ),
    "round lost": (
        pgettext_lazy("talkative computer", "That one was for practice!"),
        pgettext_lazy("talkative computer", "Again, right now!"),
    ),
    "match won": (
        pgettext_lazy("talkative computer", "Ha! What do you say, again?"),
        pgettext_lazy("talkative computer", "That was fun! For me, at least."),
    ),
    "match lost": (
        pgettext_lazy("talkative computer", "Grr. I want a rematch!"),
        pgettext_lazy("talkative computer", "All right, this one is yours."),
    ),
}
