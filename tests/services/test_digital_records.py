"""Digital games as documents: written, read again, and refused where they cannot be."""

from __future__ import annotations

import copy
import random

import pytest

from games.errors import NotFinished
from games.formats import document as records
from games.formats.document import read_document, read_text
from games.log import store
from games.models import Mode
from games.rules import Deal, Finish, Hidden, NjetError
from games.rules.errors import Malformed, WrongType
from games.services import creation
from tests.builders import dutch, english
from tests.cast.digital import DigitalTable, cards_on_table, rounds_finished

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]


def played(*, early: bool = False) -> DigitalTable:
    """A game with a bot, phones that change, passed cards, a card taken back and a claim; ended early if asked."""
    chance = random.Random(5)
    phones = DigitalTable(english(3, rounds=3 if early else 2), bots={2: "easy"})
    phones.play_on(cards_on_table(1), lambda view: chance.choice(view.legal))
    phones.move(2)
    phones.free(1)
    phones.move(1)
    phones.propose(0, "takeback")
    for seat in (1, 2):
        phones.answer(seat)
    phones.play_on(rounds_finished(1), lambda view: chance.choice(view.legal))
    if early:
        phones.act(0, Finish())
        phones.answer(1)
        phones.answer(2)
    else:
        phones.play_on(cards_on_table(1), lambda view: chance.choice(view.legal))
        phones.propose(1, "claim")
        phones.answer(0)
        phones.answer(2)
    assert phones.state.current is None
    return phones


def test_a_document_gives_the_same_game_again() -> None:
    phones = played()
    document = records.document(phones.game)

    game = creation.import_game(imported=read_document(document), creator_label="Ana").game

    assert game.mode == Mode.DIGITAL
    assert store.read(game).replay == phones.ledger.replay
    assert store.read(game).counting == phones.ledger.counting
    assert records.document(game)["log"] == document["log"]


def test_a_text_gives_the_same_game_again() -> None:
    phones = played()
    text = records.text(phones.game)

    imported = read_text(text)
    game = creation.import_game(imported=imported, creator_label="Ana").game

    assert store.read(game).state == phones.state
    assert records.text(game) == text


def test_a_text_tells_every_card_of_the_hands() -> None:
    phones = played()
    lines = records.text(phones.game).splitlines()

    assert '[Mode "digital"]' in lines
    assert sum(line.startswith("deal ") for line in lines) == 2
    assert any(line.startswith("claim   pink") for line in lines)


def test_a_round_that_was_not_finished_stays_hidden_and_is_taken_in_so() -> None:
    phones = played(early=True)

    again = read_document(records.document(phones.game)).ledger

    deals = [entry.action for entry in again.entries if isinstance(getattr(entry, "action", None), Deal)]
    assert deals[1].hands == (Hidden(16),) * 3
    assert again.state == phones.state


def test_a_running_game_is_not_taken_in() -> None:
    phones = DigitalTable(dutch(3)).play_on(cards_on_table(1))

    with pytest.raises(NotFinished):
        read_document(records.document(phones.game))


def test_hidden_cards_of_a_finished_round_are_not_believed() -> None:
    document = records.document(played().game)
    deal = next(row for row in document["log"] if row["kind"] == "deal")
    deal["payload"] = {"type": "deal", "hands": [None] * 3, "counts": [16] * 3}
    for row in document["log"]:
        if row["kind"] in ("discard", "pass"):
            row["payload"] = {"type": row["kind"], "cards": None, "count": len(row["payload"]["cards"])}

    with pytest.raises(WrongType):
        read_document(document)


def _of(document: dict, kind: str) -> dict:
    return next(row for row in document["log"] if row["kind"] == kind)


@pytest.mark.parametrize(
    "damage",
    [
        lambda doc: _of(doc, "seat").update(seat=9),
        lambda doc: _of(doc, "seat").update(seat=None),
        lambda doc: _of(doc, "seat")["payload"].update(bot="clever"),
        lambda doc: _of(doc, "holder").update(seat=9),
        lambda doc: _of(doc, "holder")["payload"].update(change="gone"),
        lambda doc: _of(doc, "holder")["payload"].update(also=[9]),
        lambda doc: _of(doc, "holder")["payload"].update(also=[2]),
        lambda doc: _of(doc, "holder")["payload"].update(also=[1, 0]),
        lambda doc: _of(doc, "proposal")["payload"].update(proposal="tea"),
        lambda doc: _of(doc, "proposal")["payload"].update(seqs=[999]),
        lambda doc: _of(doc, "proposal")["payload"].update(seqs="1"),
        lambda doc: _of(doc, "answer")["payload"].update(about=1),
        lambda doc: _of(doc, "answer")["payload"].update(agrees="yes"),
        lambda doc: _of(doc, "deal")["payload"]["hands"][0].reverse() or _of(doc, "deal")["payload"]["hands"][0].pop(),
        lambda doc: doc["setup"].update(digital=False),
        lambda doc: doc["setup"].update(digital="yes"),
        lambda doc: doc.update(mode="table"),
    ],
)
def test_a_damaged_document_is_refused(damage: object) -> None:
    document = copy.deepcopy(DOCUMENT or DOCUMENT.update(records.document(played().game)) or DOCUMENT)

    damage(document)

    with pytest.raises((NjetError, Malformed)):
        read_document(document)


DOCUMENT: dict = {}
"""One game for all the damages."""
