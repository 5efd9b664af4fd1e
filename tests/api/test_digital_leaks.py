"""Ten leaks are planted, one after the other, and the comparison of `test_digital_secrets` finds each.

The only tests that put something in the place of our own code: a comparison that finds nothing might look at nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.http import JsonResponse

from games.api import errors
from games.api.serializers import state as states
from games.api.views import games as views
from games.formats import document as records
from games.log import ledger as ledgers
from games.log import store
from games.log.ledger import Ledger
from games.models import Game
from games.rules import ActionEntry, Deal, Discard, Pass, redaction
from games.rules.full import FullState
from games.rules.redaction import PlayerView, redact_entry, view_for
from games.rules.replay import Entry
from tests.api.client import Api
from tests.api.digital import DigitalTable
from tests.api.exchange import Observer
from tests.api.test_digital_secrets import POSITIONS as instants
from tests.api.test_digital_secrets import clock_stands, compare
from tests.laws import rest_slow

pytestmark = pytest.mark.any_database

__all__ = ["clock_stands"]

Plant = Callable[[pytest.MonkeyPatch], None]


def secret(game_id: str) -> Ledger:
    """The log with every hand."""
    return store.read(Game.objects.get(pk=game_id))


def neighbours_hand(patch: pytest.MonkeyPatch) -> None:
    """The view of a seat holds the hand of the seat before."""

    def leaking(state: FullState, seat: int | None) -> PlayerView:
        view = view_for(state, seat)
        return view if seat is None else replace(view, hand=state.hands[seat - 1])

    patch.setattr(ledgers, "view_for", leaking)


def hand_as_it_was_dealt(patch: pytest.MonkeyPatch) -> None:
    """The order of a hand tells how the whole deck lay."""

    def leaking(state: FullState, seat: int | None) -> PlayerView:
        view = view_for(state, seat)
        deck = repr(state.hands)
        order = sorted(view.hand, key=lambda card: hashlib.sha256(f"{deck} {card}".encode()).digest())
        return replace(view, hand=tuple(order))

    patch.setattr(ledgers, "view_for", leaking)


def unredacted(kind: type) -> Plant:
    """Actions of one kind stay in the log as they are."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        def leaking(entry: Entry, viewer: int | None, *, over: bool = False) -> Entry:
            if isinstance(entry, ActionEntry) and isinstance(entry.action, kind):
                return entry
            return redact_entry(entry, viewer, over=over)

        for module in (ledgers, redaction):
            patch.setattr(module, "redact_entry", leaking)

    return plant


def etag_of_everything(patch: pytest.MonkeyPatch) -> None:
    """An ETag is a hash of all that there is."""
    get = views.GameView.get

    def leaking(view: views.GameView, request: Any, game_id: str) -> Any:
        answer = get(view, request, game_id)
        hands = repr(secret(game_id).replay.full)
        answer["ETag"] = f'"{hashlib.sha256(hands.encode()).hexdigest()}"'
        return answer

    patch.setattr(views.GameView, "get", leaking)


def anothers_legal_actions(patch: pytest.MonkeyPatch) -> None:
    """What may be done is said to everybody, not to anyone who is due alone."""

    def leaking(read: states.GameRead) -> list[Any]:
        full = secret(read.ledger.game_id).replay.full
        due = read.ledger.state.acting_seats
        return [states._legal(each) for seat in due for each in full.legal_actions(seat)]

    patch.setattr(states.GameRead, "legal", property(leaking))


def refusal_that_tells(patch: pytest.MonkeyPatch) -> None:
    """Anyone who asks for a card that they do not hold is shown who does."""
    answered = errors._of_njet_error

    def leaking(error: Any, context: Any) -> JsonResponse:
        if error.code == "card_not_held":
            hands = secret(context["kwargs"]["game_id"]).replay.full.hands
            holders = [seat for seat, hand in enumerate(hands) if error.params["card"] in map(str, hand)]
            error.params["held_by"] = holders
        return answered(error, context)

    patch.setattr(errors, "_of_njet_error", leaking)


def export_of_everything(patch: pytest.MonkeyPatch) -> None:
    """An export is made of the whole log."""

    def leaking(ledger: Ledger, *, after: int = 0) -> list[Any]:
        return store.rows(ledger.game_id, after=after)

    original = records.document

    def document(game: Game, **known: Any) -> Any:
        with pytest.MonkeyPatch.context() as inside:
            inside.setattr(store, "seen_rows", leaking)
            return original(game, **known)

    patch.setattr(records, "document", document)


LEAKS: dict[str, tuple[Plant, str, str, str]] = {
    "the neighbour's hand in a view": (neighbours_hand, "discarding", "seat 0", "GET /"),
    "a hand in an order that betrays the deal": (hand_as_it_was_dealt, "discarding", "seat 0", "GET /"),
    "the deal in the log": (unredacted(Deal), "discarding", "viewer", "GET /log/"),
    "what was passed in the log": (unredacted(Pass), "passing", "seat 0", "GET /log/"),
    "an ETag of all that there is": (etag_of_everything, "discarding", "viewer", "GET /"),
    "what another may do": (anothers_legal_actions, "of two who choose", "host", "GET /"),
    "a refusal that says who holds a card": (refusal_that_tells, "discarding", "seat 0", "POST /actions/"),
    "what a bot passed to one of five": (unredacted(Pass), "five players, passing", "seat 3", "GET /log/"),
    "what was discarded by Goldsieber’s rules": (unredacted(Discard), "Goldsieber, discarding", "viewer", "GET /log/"),
    "an export of the whole log": (export_of_everything, "discarding", "viewer", "GET /export/"),
}


POSITIONS = {
    **instants,
    "of two who choose": (instants["discarding"][0], lambda _, exchange: (exchange.one, exchange.other) == (0, 1)),
}


@pytest.mark.parametrize("leak", rest_slow(LEAKS, quick=2))
def test_the_comparison_finds_a_planted_leak(api: Api, monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    plant, when, whose, where = LEAKS[leak]
    make, wanted = POSITIONS[when]
    game: DigitalTable = make(api)
    plant(monkeypatch)

    parts = ["writing" if where.startswith("POST") else "reading"]
    found = compare(game, Observer(game, whose, parts), wanted)

    assert [asked for asked in found if asked.startswith(where)]
