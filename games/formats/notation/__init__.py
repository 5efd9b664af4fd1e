"""`njet`: a readable text of a whole game (`NOTATION.md`), written and read.

Must not know: files, clocks, who asks.

>>> from games.rules import EnterConditions, NameTeam, RecordTally, Setup
>>> setup = Setup.of(preset="goldsieber-dutch", names=["Angy", "Biggy", "Chris"], options={"rounds": 1})
>>> board = EnterConditions("0", "njet", "blue", "black", "2")
>>> tally = RecordTally(tricks=(5, 4, 3), captured=(1, 1, 1))
>>> text = write(Record(setup, (board, NameTeam(partners=(), monster=0), tally)))
>>> print(text.partition("\\n\\n")[2], end="")
== Round 1 of 1, bear deals ==
enter   start bear, discard njet, trump blue, supertrump black, points 2
team    bear alone against wolf, falcon; monster bear
tally   bear 5+1, wolf 4+1, falcon 3+1
score   bear 24,  wolf 18,  falcon 18
total   bear 24,  wolf 18,  falcon 18
>>> write(parse(text)) == text
True

A fact that the rules compute is compared with what they compute:

>>> parse(text.replace("score   bear 24", "score   bear 42"))
Traceback (most recent call last):
games.rules.errors.RecordDiffers: Line 14, column 14: here stands “42”, by the rules it is “24”.
"""

from games.formats.notation.lines import line_of
from games.formats.notation.moves import Move, actions_of
from games.formats.notation.parser import parse
from games.formats.notation.record import FORMAT, LONGEST_TEXT, Record
from games.formats.notation.writer import write

__all__ = ["FORMAT", "LONGEST_TEXT", "Move", "Record", "actions_of", "line_of", "parse", "write"]
