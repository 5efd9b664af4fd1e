"""Recording an action: one entry, one version, or a refusal that changes nothing."""

from __future__ import annotations

import pytest

from games.errors import GameLocked, NotFound, StaleVersion
from games.log import store
from games.models import Game, Status
from games.rules import Action, Phase, Place, Play, PublicState, RowKey
from games.rules import errors as rules
from games.rules.cards import Card
from games.services import tables
from games.services.write import WriteRequest
from tests.builders import dutch, english, placing, play, read
from tests.cast.tables import ANY, ROUND_1, TOTALS_2, Table, refused

pytestmark = pytest.mark.django_db


def test_a_new_game_has_no_entries_and_version_0(table: Table) -> None:
    game = table.game

    assert (game.version, game.status, game.rounds_played, game.mode) == (0, Status.PLAYING, 0, "table")
    assert store.rows(game.pk) == []
    assert table.state == PublicState.start(dutch(3, rounds=2))


def test_a_recorded_action_is_the_next_entry_and_the_next_version(table: Table) -> None:
    outcome = table.record("trump red")

    assert (outcome.version, outcome.repeated) == (1, False)
    assert table.version == 1
    assert outcome.ledger == store.refold(table.game)
    assert outcome.ledger.state == play(dutch(3, rounds=2), "trump red")


def test_an_entry_tells_what_was_done_by_whom_and_whose_turn_it_was(table: Table) -> None:
    table.record("trump red", "points 4")

    first, second = store.rows(table.id)

    assert (first.seq, first.kind, first.payload) == (1, "place", {"type": "place", "row": "trump", "space": "red"})
    assert (first.seat, second.seat) == (1, 2), "the dealer's left neighbour places first"
    assert first.actor == table.key
    assert first.at <= second.at


def test_an_entry_that_is_nobodys_turn_has_no_seat(round_2: Table) -> None:
    tally = store.rows(round_2.id)[2]

    assert (tally.kind, tally.seat) == ("tally", None)


def test_every_placement_belongs_to_the_seat_that_was_due(db: None) -> None:
    table = Table(english(4, dealer=2), *placing(english(4), "0 njet red blue 2"))

    seats = [row.seat for row in store.rows(table.id)]

    assert seats == [(2 + place) % 4 for place in range(19)]
    assert table.state.phase is Phase.TEAMS


def test_the_last_round_finishes_the_game(finished: Table) -> None:
    game = finished.game

    assert finished.state.totals == TOTALS_2
    assert (game.status, game.rounds_played, game.version) == (Status.FINISHED, 2, 6)
    assert game.finished_at is not None
    assert game.locked_at is None


@pytest.mark.parametrize(
    ("action", "error"),
    [
        (read("trump blue"), rules.SpaceCovered),
        (read("trump purple"), rules.UnknownSpace),
        (read("team 1 monster 2"), rules.WrongPhase),
        (read("open njet red blue 2"), rules.MissingField),
        (read("penalty 3 -5 revoke"), rules.UnknownSeat),
        (Play(Card.parse("red-1")), rules.DigitalOnly),
    ],
    ids=repr,
)
def test_what_the_rules_forbid_changes_nothing(table: Table, action: Action, error: type[rules.NjetError]) -> None:
    table.record("trump blue")

    with refused(table, error):
        table.record(action)


def test_a_locked_game_takes_no_more_actions(finished: Table) -> None:
    finished.lock()

    with refused(finished, GameLocked):
        finished.record("trump red")


def test_a_seat_that_is_not_due_may_not_act(table: Table) -> None:
    with refused(table, rules.NotYourTurn, seat=0, acting=[1]):
        table.record("trump red", seat=0)

    assert table.record("trump red", seat=1).version == 1


def test_a_seat_that_is_not_due_may_not_enter_the_whole_board_either(table: Table) -> None:
    with refused(table, rules.NotYourTurn, seat=2, acting=[1]):
        table.record(ROUND_1[0], seat=2)

    assert table.record(ROUND_1[0], seat=1).version == 1


def test_an_old_version_is_refused_with_the_fresh_ledger(table: Table) -> None:
    table.record("trump red", "trump blue")

    with refused(table, StaleVersion, version=2) as caught:
        table.record("points 4", request=WriteRequest(version=1))

    assert caught.value.ledger == store.refold(table.game)
    assert caught.value.status == 409


@pytest.mark.parametrize("version", [-1, 0, 3, 10**30])
def test_any_version_but_the_present_one_is_refused(table: Table, version: int) -> None:
    table.record("trump red", "trump blue")

    with refused(table, StaleVersion, version=2):
        table.record("points 4", request=WriteRequest(version=version))


def test_after_a_conflict_the_fresh_version_is_accepted(table: Table) -> None:
    table.record("trump red")
    with pytest.raises(StaleVersion) as caught:
        table.record("points 4", request=WriteRequest(version=0))

    outcome = table.record("points 4", request=WriteRequest(version=caught.value.params["version"]))

    assert outcome.version == 2


def test_without_a_version_the_race_decides(table: Table) -> None:
    table.record("trump red", request=ANY)

    assert table.record("points 4", request=ANY).version == 2


def test_a_stale_version_is_refused_before_the_rules_are_asked(table: Table) -> None:
    table.record("trump red")

    with refused(table, StaleVersion):
        table.record("trump red", request=WriteRequest(version=0))


def test_a_game_that_does_not_exist_is_not_found(table: Table) -> None:
    with pytest.raises(NotFound):
        tables.record_action(game_id="nosuchgame", actor=table.key, action=read("trump red"), request=ANY)


@pytest.mark.parametrize("text", ["a\x00b", "ab\ud800", "\udfff!"])
def test_a_reason_that_no_database_can_hold_is_malformed(round_2: Table, text: str) -> None:
    for action in (read("penalty 1 -5 x"), read("void x")):
        with refused(round_2, rules.WrongType):
            round_2.record(type(action)(**{**{f: getattr(action, f) for f in action.__slots__}, "reason": text}))


def test_what_people_write_is_stored_as_it_is(round_2: Table) -> None:
    round_2.record("penalty 1 -5 Ben’s  dog 🐕 ate\tthe red 7\n違反")

    assert round_2.state.penalties[0].reason == "Ben’s dog 🐕 ate the red 7 違反"
    assert round_2.ledger == store.refold(round_2.game)


def test_games_do_not_meddle_with_each_other(table: Table) -> None:
    other = Table(english(2))
    table.record("trump red", "points 4")

    other.record("supertrump red")

    assert (table.version, other.version) == (2, 1)
    assert other.state == play(english(2), Place(RowKey.SUPERTRUMP, "red"))
    assert Game.objects.count() == 2
