"""Games that are entered when they are over, with their totals alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.errors import FromPaper, PlayedLater
from games.formats import document
from games.formats.play import lines, remarks
from games.groups.history import play_of
from games.groups.statistics.facts import GameFacts
from games.keys import registry
from games.log import store
from games.models import Game, Group, Key, Seat, Status
from games.rules.errors import (
    GameOver,
    PaperFigureTooLarge,
    PaperLineIncomplete,
    PaperNotHere,
    PaperTooLong,
)
from games.rules.occasion import Occasion
from games.rules.paper import PaperSheet
from games.rules.setup import Setup
from games.services import creation, tables
from tests.builders import english, read
from tests.cast.groups import new_group, played, recounted, totals_of
from tests.cast.service import ANY
from tests.cast.tables import Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

THURSDAY = Occasion(began="2026-01-15T19:30:00Z", minutes=90, place="Garden")
BY_ROUND = PaperSheet(((10, 0, -4), (0, 7, 5), (12, 3, 3)), by_round=True)
TOTALS = PaperSheet(((42, 17, 42),), by_round=False)


def setup(paper: PaperSheet = TOTALS, **changes: Any) -> Setup:
    return Setup.of(**{"preset": "njet-english", "names": ["Ana", "Ben", "Cleo"], "paper": paper, **changes})


def enter(paper: PaperSheet = TOTALS, group: Group | None = None, occasion: Occasion = THURSDAY) -> Game:
    group_id = None if group is None else group.pk
    made = creation.enter_finished(setup=setup(paper), occasion=occasion, creator_label="", group_id=group_id)
    return Game.objects.get(pk=made.game.pk)


def key_of(game: Game) -> Key:
    return registry.issue(game=game, role="scorekeeper", label="Ana’s phone")


def test_it_is_over_with_the_totals_of_its_rounds() -> None:
    game = enter(BY_ROUND)
    state = store.read(game).state

    assert state.is_over
    assert (state.totals, state.winners, state.ranks, state.leaders) == ((22, 10, 4), (0,), (1, 2, 3), (0,))
    assert (game.status, game.rounds_played, game.minutes, game.place) == (Status.FINISHED, 3, 90, "Garden")
    assert list(Seat.objects.filter(game=game).values_list("total", "is_winner")) == [
        (22, True),
        (10, False),
        (4, False),
    ]


def test_totals_alone_tell_of_no_round_and_may_share_the_victory() -> None:
    game = enter(TOTALS)

    assert (game.rounds_played, store.read(game).state.winners) == (0, (0, 2))


@pytest.mark.parametrize(
    ("lines", "by_round", "error"),
    [
        ([], True, PaperTooLong),
        ([(0, 0, 0)] * 100, True, PaperTooLong),
        ([(1, 2, 3), (4, 5, 6)], False, PaperTooLong),
        ([(1, 2)], True, PaperLineIncomplete),
        ([(1, 2, 3, 4)], True, PaperLineIncomplete),
        ([(1, 2, 1_000)], True, PaperFigureTooLarge),
        ([(1, 2, -10_000)], False, PaperFigureTooLarge),
    ],
)
def test_a_sheet_that_no_table_has_written_is_refused(lines: Any, by_round: bool, error: type[Exception]) -> None:
    with pytest.raises(error):
        setup(PaperSheet(tuple(lines), by_round))


def test_a_digital_game_has_no_sheet_from_paper() -> None:
    with pytest.raises(PaperNotHere):
        setup(digital=True)


def test_a_game_of_tomorrow_is_refused_and_nothing_is_stored() -> None:
    with pytest.raises(PlayedLater):
        enter(occasion=Occasion(began="2099-01-15T19:30:00Z"))
    assert not Game.objects.exists()


def test_nothing_is_played_undone_or_continued() -> None:
    game = enter()
    key = key_of(game)

    with pytest.raises(GameOver):
        tables.record_action(game_id=game.pk, actor=key, action=read("finish"), request=ANY)
    with pytest.raises(FromPaper):
        tables.reopen(game_id=game.pk, actor=key, request=ANY)
    assert store.read(game).state.legal_actions() == ()


def test_its_totals_are_corrected_and_its_history_tells() -> None:
    game = enter(BY_ROUND)
    corrected = PaperSheet(((10, 0, -4), (0, 7, 5), (2, 13, 3)), by_round=True)

    tables.correct_setup(game_id=game.pk, actor=key_of(game), request=ANY, paper=corrected)

    game.refresh_from_db()
    assert store.read(game).state.totals == (12, 20, 4)
    assert [seat.is_winner for seat in Seat.objects.filter(game=game)] == [False, True, False]
    assert game.version == 2


def test_a_played_game_gets_no_sheet_from_paper(finished: Table) -> None:
    with pytest.raises(PaperNotHere):
        finished.correct(paper=TOTALS)


def test_a_withdrawn_day_is_the_one_on_which_it_was_entered() -> None:
    game = enter()
    before = timezone.now() - timedelta(minutes=1)

    tables.state_occasion(game_id=game.pk, actor=key_of(game), request=ANY, stated={"began": None})

    game.refresh_from_db()
    assert before < game.created_at == game.finished_at


def test_its_rematch_is_played() -> None:
    game = enter()
    made = creation.rematch(game=game, ledger=store.read(game), creator_label="")

    assert made.ledger.state.current is not None
    assert made.ledger.setup.paper is None


def test_it_counts_as_far_as_its_facts_reach() -> None:
    group = new_group()
    played(group)
    before = {each.name: each.form["mu"] for each in group.players.all()}
    enter(BY_ROUND, group)

    counted = totals_of(group)
    assert counted == recounted(group)
    figures = counted["group"]
    assert isinstance(figures, dict)
    assert (figures["games"], figures["paper"], figures["rounds"]) == (2, 1, 2)
    ana = group.players.get(name="Ana")
    assert (ana.figures["games"], ana.figures["wins"], ana.figures["total"]) == (2, 2, 54 + 22)
    # Who played with whom is not known, so no player is rated.
    assert {each.name: each.form["mu"] for each in group.players.all()} == before
    assert (ana.form["games"], ana.form["streak"]) == (1, 2)


def test_its_document_is_read_again() -> None:
    game = enter(BY_ROUND)

    read_again = document.read_document(document.document(game))
    assert read_again.ledger.setup == store.read(game).setup
    assert read_again.ledger.state.totals == (22, 10, 4)
    assert read_again.minutes == 90


def test_its_text_is_read_again() -> None:
    for paper in (BY_ROUND, TOTALS):
        read_again = document.read_text(document.text(enter(paper)))

        assert read_again.ledger.setup.paper == paper


def test_other_programs_read_when_and_where_it_was() -> None:
    play = play_of(enter(BY_ROUND))

    assert (play.minutes, play.began.isoformat()) == (90, "2026-01-15T19:30:00+00:00")
    assert remarks(play)[0] == "Garden"
    assert len(lines(play)) == 3


def test_its_facts_have_no_rounds() -> None:
    assert GameFacts.of(store.read(enter(BY_ROUND)).replay).rounds == ()


def test_only_games_from_paper_have_a_sheet_in_their_set_up() -> None:
    assert "paper" not in Table(english(3)).game.setup
    assert enter().setup["paper"] == {"lines": [[42, 17, 42]], "by_round": False}
