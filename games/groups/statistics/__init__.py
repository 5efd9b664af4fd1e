"""The statistics of finished games: pure, without Django, database or clock.

Must not know: players (only seats), where figures are stored, words.  Only `ratings` uses the library openskill.

A finished game becomes facts, facts become figures that can be added and taken away again, figures become a summary:

    Replay → facts.GameFacts → figures.of_group, of_player, of_pair → added, subtracted → summary.*Summary.of
                             → ratings.after (what depends on the order of the games)

The markers of a single game are read from the facts of its rounds (`placements`), also while it goes on.

So a page about 100,000 games reads one row of figures and takes as long as a page about one game.  Nothing is imported
here, so that only code that rates loads the library.
"""

VERSION = 5
"""Of everything that is kept: facts, figures and forms.  A release that counts differently or keeps something else has
another one, and counts every group again."""
