"""A hint is for the player who asked: to others every byte stays the same for any hint."""

from __future__ import annotations

import pytest
from django.db.models import QuerySet

from games.log import store
from games.log.ledger import Ledger
from games.models import Game, LogEntry
from games.rules import Phase, to_json
from games.rules.hints import HintReason
from games.services import hints
from tests.api.client import Api
from tests.api.digital import DigitalTable
from tests.api.exchange import Observer, differences
from tests.cast.digital import committed

pytestmark = pytest.mark.any_database


def hinted(api: Api) -> DigitalTable:
    """Seat 0 among bots, in the tricks, with a hint."""
    game = DigitalTable.open(api, "njet-english", 3, bots=[None, "easy", "easy"], rounds=2)
    game.jump(lambda state: state.public.phase is Phase.TRICKS and len(state.legal_actions(0)) > 1, 1)
    ledger = read(game)
    view = ledger.played_by(0).view
    with committed(execute=True):
        hints.record(
            game_id=game.id, seat=0, version=ledger.version, action=view.legal[0], reason=HintReason.SURE_TRICK
        )
    return game


def read(game: DigitalTable) -> Ledger:
    return store.read(Game.objects.get(pk=game.id))


def change_hint(game: DigitalTable) -> None:
    """The hint says something else, in the stored log."""
    view = read(game).played_by(0).view
    row = LogEntry.objects.get(game=game.id, kind="hint")
    # The manager of entries refuses every change.
    payload = {"action": to_json(view.legal[1]), "reason": HintReason.BEST_IN_TRIALS.value}
    QuerySet(LogEntry).filter(pk=row.pk).update(payload=payload)
    store.forget(game.id)


# The pages take two seconds.
@pytest.mark.parametrize(
    ("whose", "parts"),
    [
        ("viewer", ["reading"]),
        pytest.param("viewer", ["pages"], marks=pytest.mark.slow),
        pytest.param("host", ["reading", "writing", "pages"], marks=pytest.mark.slow),
    ],
)
def test_what_others_are_sent_does_not_depend_on_what_a_hint_says(api: Api, whose: str, parts: list[str]) -> None:
    game = hinted(api)
    observer = Observer(game, whose, parts)
    before = observer.everything()

    change_hint(game)

    assert differences(before, observer.everything()) == []
    assert parts == ["reading"] or any(b"asked for a hint" in answer for answer in before.values())


@pytest.mark.slow
def test_the_comparison_would_find_it(api: Api) -> None:
    game = hinted(api)
    observer = Observer(game, "seat 0", ["reading", "pages"])
    before = observer.everything()

    change_hint(game)

    found = differences(before, observer.everything())
    assert "GET /log/" in found
    assert any(each.startswith("page ") for each in found)


def test_no_bot_is_given_the_hint_of_a_player(api: Api) -> None:
    game = hinted(api)
    before = [read(game).played_by(seat) for seat in (1, 2)]

    change_hint(game)

    assert [read(game).played_by(seat) for seat in (1, 2)] == before


def test_the_log_shows_a_hint_to_its_player_only_until_the_game_is_over(api: Api) -> None:
    game = hinted(api)

    def hint_for(key: str) -> tuple[object, ...]:
        (entry,) = (each for each in game.get("/log/", key=key).json if each["kind"] == "hint")
        return entry["seat"], entry["hint"], entry["reason"]

    action = to_json(read(game).played_by(0).view.legal[0])
    assert hint_for(game.seats[0]) == (0, action, "sure_trick")
    assert hint_for(game.viewer) == hint_for(game.scorekeeper) == (0, None, None)
    game.jump(lambda state: state.public.current is None, 1)
    assert hint_for(game.viewer) == (0, action, "sure_trick")
