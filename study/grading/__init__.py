"""Finished matches judged: what each decision lost, what was luck, and why. Pure: the engine and the computers only.

    knowledge  what a seat could know of the hidden tiles: how likely each lay where
    decisions  a move graded from the view of the seat that made it
    reasons    why one move is better than another, as data to be worded
    luck       deals and draws against the mean of those that might have come
    analysis   a whole match from its record

Grades see a `View`, never the match: `tests/study/test_grading.py` holds that they are the same whatever lay hidden.
"""

# Stored with every result. Another number: the same record may come to other figures.
ENGINE = "2"
