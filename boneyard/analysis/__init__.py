"""Analysis of finished matches. Pure Python: imports only the engine and the computer players.

    knowledge  estimates of the hidden hands
    decisions  grades of single moves
    reasons    why one move is better than another, as data
    partner_plays  what a seat's plays could tell its partner
    likelihood how likely decisions are
    values     positions valued with all tiles known
    balance    how luck and play make the result
    matches    a whole match from its record

Grades are computed from a `View`, never from the match, so they cannot depend on hidden tiles
(`tests/study/test_grading.py`).
"""

# Stored with every result. Increase it when the same record may yield other figures.
ENGINE = "4"
