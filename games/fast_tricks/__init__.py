"""The trick rules of a round as integers, for code that plays millions of tricks: bots and simulations.

No rule is written here: `tables.py` asks `games.rules.tricks` about every pair of cards, once for each round, and
`tests/fast_tricks` proves on random games that both give the same tricks.
"""
