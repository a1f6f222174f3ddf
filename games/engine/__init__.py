"""The rules of every game, pure: the standard library only, no clock, no I/O, no randomness but the sealed shuffle.

    tiles, moves     what is played, as small values; text both ways
    rules, presets   the options of a game; terms works them out for a number of seats
    shuffle          the chain of keys and the orders they give
    layout           open ends, spinner and count
    dealing, rounds  the deal and the lead; a round in play, and in round_ends how it ended
    settlement       what the end of a round gives
    legal            the legal moves of a moment, as a collection
    matches, finish  the match: `begin`, then `play` gives the next value or raises `Illegal`; how it ends
    state            a match at one moment, and what can be asked of it
    perspective      what one viewer may know, the only thing that leaves the server
    records          the record of a finished match, written and verified
    playout          a round played out at speed, for simulations; full_playout by the rules of the games at home

Every value is immutable; a match is the fold of its moves.
"""
