"""What is remembered of finished games, and what it comes to: pure, no Django, no database, no clock.

Knows: games as the rules fold them, and the maths of the library openskill (in `ratings` alone).  Must not know: who
asks, who a player is (a seat is all there is of him), where figures are stored, how a page words them.

A finished game becomes facts, facts become figures that can be added and taken away again, figures become a summary:

    Replay → facts.GameFacts → figures.of_group, of_player, of_pair → added, subtracted → summary.*Summary.of
                             → ratings.after (what depends on the order of the games)

So a page about 100,000 games reads one row of figures and costs what a page about one game costs.  Nothing is imported
here: the library is loaded by those who rate.
"""
