"""The end of a game: confirmed, reopened, played again, deleted."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.errors import ConfirmedForGood, GameLocked, NotFinished, NotFound, StaleVersion
from games.keys import invitations, registry
from games.log import store
from games.models import Game, Invite, Key, LogEntry, Role, Seat, Status
from games.rules import Finish
from games.services import creation, deletion, tables
from games.services.write import WriteRequest
from tests.builders import dutch, english, play
from tests.cast.tables import ANY, ROUND_1, ROUND_2, TOTALS_1, TOTALS_2, Table, after, instead, refused, stored

pytestmark = pytest.mark.django_db


# --- lock ---


def test_the_result_is_confirmed(finished: Table) -> None:
    outcome = finished.lock()

    game = finished.game
    assert (outcome.version, outcome.ledger.locked) == (7, True)
    assert (game.status, game.version) == (Status.FINISHED, 7)
    assert timezone.now() - game.locked_at < timedelta(minutes=1)
    assert finished.state.totals == TOTALS_2
    assert [(row.kind, row.payload) for row in store.rows(finished.id)[6:]] == [("lock", {})]


@pytest.mark.parametrize("lines", [(), ROUND_1[:2], ROUND_1])
def test_a_game_that_is_not_finished_is_not_confirmed(db: None, lines: tuple[str, ...]) -> None:
    table = Table(None, *lines)

    with refused(table, NotFinished):
        table.lock()


def test_a_result_is_confirmed_once(finished: Table) -> None:
    finished.lock()

    with refused(finished, GameLocked):
        finished.lock()


def test_a_confirmed_result_cannot_be_changed_in_any_way(finished: Table) -> None:
    finished.lock()

    for change, error in (
        (lambda: finished.record("trump red"), GameLocked),
        (lambda: finished.amend(instead(3, "tally 0 6 6")), GameLocked),
        (lambda: finished.correct(dealer=1), GameLocked),
        (lambda: finished.undo(), ConfirmedForGood),
        (lambda: finished.undo(to_seq=0), ConfirmedForGood),
        (lambda: finished.reopen(), ConfirmedForGood),
    ):
        with refused(finished, error):
            change()


def test_a_confirmation_with_an_old_version_is_refused(finished: Table) -> None:
    with refused(finished, StaleVersion, version=6):
        finished.lock(WriteRequest(version=5))


# --- reopen ---


def test_reopening_takes_back_what_finished_the_game(finished: Table) -> None:
    outcome = finished.reopen()

    assert outcome.version == 7
    assert outcome.ledger.state == play(dutch(3, rounds=2), *ROUND_1, *ROUND_2[:2])
    assert (finished.game.status, finished.game.finished_at) == (Status.PLAYING, None)
    assert finished.seats[0] == ("Ana", 24, 1, False)


def test_reopening_takes_back_an_early_end(round_2: Table) -> None:
    round_2.record("trump red")
    before = round_2.state
    round_2.record("finish")

    round_2.reopen()

    assert round_2.state == before


def test_reopening_takes_back_a_changed_number_of_rounds(round_2: Table) -> None:
    round_2.correct(rounds=1)

    round_2.reopen()

    assert round_2.ledger.current_setup == dutch(3, rounds=2)
    assert round_2.state.totals == TOTALS_1


def test_reopening_takes_back_what_was_corrected_after_the_end(finished: Table) -> None:
    finished.amend(instead(3, "tally 0 6 6"))
    finished.correct(names=["Anna", "Ben", "Cleo"])

    outcome = finished.reopen()

    assert [row.payload for row in store.rows(finished.id)[8:]] == [{"undoes": 8}, {"undoes": 7}, {"undoes": 6}]
    assert outcome.version == 11
    assert outcome.ledger == store.refold(finished.game)
    assert finished.state.totals == TOTALS_1


def test_a_reopened_game_is_finished_again(finished: Table) -> None:
    first = finished.game.finished_at
    finished.reopen()

    finished.record("tally 12 0 0")

    assert finished.game.status == Status.FINISHED
    assert finished.game.finished_at != first
    assert finished.state.totals == (24 + 36, 18 + 36, 18)


def test_a_game_that_is_not_finished_is_not_reopened(round_2: Table) -> None:
    with refused(round_2, NotFinished):
        round_2.reopen()


def test_a_reopening_with_an_old_version_is_refused(finished: Table) -> None:
    with refused(finished, StaleVersion, version=6):
        finished.reopen(WriteRequest(version=5))


# --- rematch ---


def rematch_of(table: Table) -> creation.Created:
    return creation.rematch(game=table.game, ledger=table.ledger, creator_label="Ana’s phone")


def test_a_rematch_begins_with_the_deal_moved_on(finished: Table) -> None:
    created = rematch_of(finished)

    assert created.ledger.state == play(dutch(3, rounds=2, dealer=2))
    assert (created.game.version, created.game.rematch_of) == (0, finished.game)
    assert created.game.pk != finished.id


@pytest.mark.parametrize(("rounds", "dealer"), [(3, 0), (4, 1), (5, 2)])
def test_the_deal_moves_on_from_the_last_round_that_was_played(db: None, rounds: int, dealer: int) -> None:
    table = Table(dutch(3, rounds=rounds), *ROUND_1 * rounds)

    assert rematch_of(table).ledger.setup.dealer == dealer


def test_a_game_that_ended_early_counts_its_complete_rounds_alone(round_2: Table) -> None:
    round_2.record("trump red", "points 4", "finish")

    assert rematch_of(round_2).ledger.setup.dealer == 1


def test_a_rematch_takes_over_what_was_corrected(finished: Table) -> None:
    finished.correct(names=["Anna", "Ben", "Cleo"], tokens=["raven", "bear", "wolf"], dealer=1)

    created = rematch_of(finished)

    assert created.ledger.setup.names == ("Anna", "Ben", "Cleo")
    assert [seat.token for seat in created.ledger.setup.seats] == ["raven", "bear", "wolf"]
    assert created.ledger.setup.dealer == 0
    assert list(Seat.objects.filter(game=created.game).values_list("name", "total")) == [
        ("Anna", 0),
        ("Ben", 0),
        ("Cleo", 0),
    ]


def test_a_rematch_has_keys_of_its_own(finished: Table) -> None:
    of_browser = rematch_of(finished)
    of_program = creation.rematch(game=finished.game, ledger=finished.ledger, creator_label=None)

    assert (of_browser.creator.game, of_browser.creator.label) == (of_browser.game, "Ana’s phone")
    assert of_browser.creator.may_record
    assert registry.key_of_secret(of_program.secrets["scorekeeper"]).game == of_program.game
    assert set(of_program.secrets.values()).isdisjoint(finished.secrets.values())


# --- delete ---


def test_a_game_that_is_deleted_permanently_leaves_nothing_behind(finished: Table) -> None:
    invitations.invite(game=finished.game, role=Role.VIEWER)

    deletion.delete_game_permanently(game_id=finished.id)

    for model in (Game, Seat, Key, LogEntry, Invite):
        assert model.objects.count() == 0
    with pytest.raises(NotFound):
        tables.record_action(game_id=finished.id, actor=finished.key, action=Finish(), request=ANY)


def test_deleting_a_game_leaves_the_others_alone(finished: Table) -> None:
    other = Table(english(2), "trump red")
    again = rematch_of(finished).game
    before = stored(other.id)

    deletion.delete_game_permanently(game_id=finished.id)

    assert stored(other.id) == before
    again.refresh_from_db()
    assert again.rematch_of is None
    assert set(Game.objects.all()) == {other.game, again}


def test_a_locked_game_can_be_deleted(finished: Table) -> None:
    finished.lock()

    deletion.delete_game_permanently(game_id=finished.id)

    assert not Game.objects.exists()


def test_deleting_what_does_not_exist_changes_nothing(round_2: Table) -> None:
    before = stored(round_2.id)

    deletion.delete_game(game_id="nosuchgame")
    deletion.delete_game_permanently(game_id="nosuchgame")

    assert stored(round_2.id) == before


def test_a_correction_after_the_end_is_kept_by_confirming(finished: Table) -> None:
    finished.amend(after(3, "penalty 0 -6 late"))

    finished.lock()

    assert finished.seats == [("Ana", 48, 1, True), ("Ben", 48, 1, True), ("Cleo", 48, 1, True)]
