"""Putting names, tokens, the first dealer or the number of rounds right later."""

from __future__ import annotations

import pytest

from games.errors import GameLocked, StaleVersion
from games.log import store
from games.management.commands.check_logs import differences_of
from games.models import Seat, Status
from games.rules import errors as rules
from games.rules.entries import setup_from_json
from games.services import previews
from games.services.write import WriteRequest
from tests.builders import dutch, english
from tests.cast.tables import TOTALS_1, TOTALS_2, Table, after, refused

pytestmark = pytest.mark.django_db


def test_a_name_is_corrected(round_2: Table) -> None:
    outcome = round_2.correct(names=["Ana", " Benno ", "Cleo"])

    assert outcome.version == 4
    assert outcome.ledger.current_setup.names == ("Ana", "Benno", "Cleo")
    assert round_2.seats[1] == ("Benno", 18, 2, False)
    assert round_2.state.totals == TOTALS_1


def test_how_the_game_began_is_never_changed(round_2: Table) -> None:
    began = round_2.game.setup

    round_2.correct(names=["X", "Y", "Z"], dealer=2, rounds=5)

    assert round_2.game.setup == began
    assert round_2.ledger.setup == dutch(3, rounds=2)


def test_the_entry_holds_the_whole_corrected_setup(table: Table) -> None:
    table.correct(dealer=2)

    (row,) = store.rows(table.id)
    assert (row.kind, row.seat) == ("setup", None)
    assert setup_from_json(row.payload) == dutch(3, rounds=2, dealer=2)


def test_tokens_are_corrected(table: Table) -> None:
    table.correct(tokens=["raven", "bear", "wolf"])

    assert list(Seat.objects.filter(game=table.id).values_list("token", flat=True)) == ["raven", "bear", "wolf"]
    assert table.ledger.current_setup.absent_tokens == ("falcon",)


def test_more_rounds_reopen_a_finished_game(finished: Table) -> None:
    finished.correct(rounds=3)

    assert (finished.game.status, finished.game.finished_at) == (Status.PLAYING, None)
    assert finished.state.current.number == 3
    assert not any(winner for *_, winner in finished.seats)


def test_fewer_rounds_finish_the_game(round_2: Table) -> None:
    round_2.correct(rounds=1)

    assert round_2.game.status == Status.FINISHED
    assert round_2.game.finished_at is not None
    assert round_2.seats[0] == ("Ana", 24, 1, True)


def test_fewer_rounds_than_were_begun_are_refused(round_2: Table) -> None:
    round_2.record("trump red")

    with refused(round_2, rules.AmendmentConflicts, seq=4, code="game_over"):
        round_2.correct(rounds=1)


def test_corrections_of_the_setup_add_up(table: Table) -> None:
    table.correct(names=["Anna", "Ben", "Cleo"])
    table.correct(dealer=1)
    table.correct(rounds=4)

    setup = table.ledger.current_setup
    assert (setup.names, setup.dealer, setup.ruleset.options.rounds) == (("Anna", "Ben", "Cleo"), 1, 4)


def test_a_preview_of_a_setup_is_what_happens(round_2: Table) -> None:
    before = round_2.state
    promised = previews.preview_setup(ledger=round_2.ledger, dealer=1, rounds=3)

    happened = round_2.correct(dealer=1, rounds=3).ledger.state

    assert previews.standing_changes(before, happened) == promised == []


def test_a_preview_of_a_setup_is_refused_like_the_correction(round_2: Table) -> None:
    round_2.record("trump red")

    with pytest.raises(rules.AmendmentConflicts):
        previews.preview_setup(ledger=round_2.ledger, dealer=None, rounds=1)


@pytest.mark.parametrize(
    ("correction", "error"),
    [
        ({"names": ["Ana", "Ben"]}, rules.WrongPlayerCount),
        ({"names": ["Ana", "ana", "Cleo"]}, rules.NameTwice),
        ({"names": ["Ana", "\u0410na", "Cleo"]}, rules.NameTwice),
        ({"tokens": ["bear", "bear", "wolf"]}, rules.TokenTwice),
        ({"dealer": -1}, rules.UnknownDealer),
        ({"rounds": 100}, rules.OptionNotAllowed),
    ],
    ids=repr,
)
def test_an_impossible_setup_changes_nothing(
    round_2: Table, correction: dict[str, object], error: type[rules.NjetError]
) -> None:
    with refused(round_2, error):
        round_2.correct(**correction)


def test_characters_of_a_name_that_no_one_sees_make_no_other_name(round_2: Table) -> None:
    with refused(round_2, rules.NameTwice):
        round_2.correct(names=["Andr\u00e9", "Andre\u200d\u0301", "Cleo"])


def test_a_new_game_copies_the_names_that_its_log_will_read(db: None) -> None:
    table = Table(english(2).corrected(names=["Andre\u200d\u0301", "Ben"]))

    assert [name for name, *_ in table.seats] == list(table.ledger.current_setup.names)
    assert differences_of(table.id) == []


def test_a_locked_game_keeps_its_names(finished: Table) -> None:
    finished.lock()

    with refused(finished, GameLocked):
        finished.correct(names=["X", "Y", "Z"])


def test_a_correction_of_the_setup_with_an_old_version_is_refused(round_2: Table) -> None:
    with refused(round_2, StaleVersion, version=3):
        round_2.correct(dealer=1, request=WriteRequest(version=2))


def test_a_correction_of_the_setup_survives_corrections_of_actions(finished: Table) -> None:
    finished.correct(names=["Anna", "Ben", "Cleo"])

    finished.amend(after(3, "penalty 0 -6 late"))

    assert finished.state.totals == (TOTALS_2[0] - 6, *TOTALS_2[1:])
    assert finished.seats == [("Anna", 48, 1, True), ("Ben", 48, 1, True), ("Cleo", 48, 1, True)]
