"""The rules of all games, as pure functions and immutable values: standard library only, no clock, no I/O.

The sealed shuffle is the only source of randomness.

    tiles, moves      tiles, sets of tiles and moves, with their text notation
    options           every option: the type of its values, its default, and what it does not go together with
    option_kinds      the kinds of values, and how a record writes them
    rules, presets    a validated game; the published games
    terms             the rules worked out for a number of seats
    shuffle           the chain of keys and the shuffles they determine
    layout            open ends, spinner and count
    dealing, rounds   the deal and the lead; a round in play
    round_ends        a finished round
    extras            points besides the pips
    settlement        the winner of a block and the bonuses of a round
    legal             the legal moves as a collection
    matches, finish   `begin` a match; `play` returns the next value or raises `Illegal`; how rounds and matches end
    state             a match at one moment and its queries
    perspective       what one viewer may know; nothing else leaves the server
    records           the record of a finished match; `verification` replays it
    playout           fast play to the end of a round, for simulations; full_playout adds the less common options

Every value is immutable. A match is the fold of its moves.
"""
