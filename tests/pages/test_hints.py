"""The button “Hint” of a digital table: where it stands, what a hint shows, and to whom."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.conf import settings
from django_tasks_db.models import DBTaskResult

from games.bot_runner import tasks
from games.pages.digital import page as page_module
from games.rules import Discard, NameTeam, Pass, Phase, Place, Play
from games.rules.actions import Action
from games.rules.hints import HintReason
from games.services import hints
from games.texts import words
from tests.builders import dutch, english
from tests.cast.digital import DigitalTable, committed, over
from tests.cast.pages import Page
from tests.cast.seats import at_seats, watching

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture(autouse=True)
def bots_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots are on; no worker is started."""
    monkeypatch.setattr(settings, "NJET_BOTS", "auto")
    monkeypatch.setattr(tasks.process, "ensure_running", lambda queue: None)


def my_turn(phase: Phase, players: int = 3) -> DigitalTable:
    """Ana is due, among bots, and has a choice."""
    setup = dutch(players, rounds=1) if players < 5 else english(players, rounds=1)
    table = DigitalTable(setup, bots=dict.fromkeys(range(1, players), "easy"))

    def reached() -> bool:
        return table.state.phase is phase and len(table.view(0).legal) > 1

    while not reached():
        table.step(keep_open)
    return table


def keep_open(view: object) -> Action:
    """Leaves Ana the start, and everybody something to discard."""
    return next(each for each in view.legal if getattr(each, "space", "") not in ("0", "discard_1"))


def give(table: DigitalTable, choose: Callable[[Action], bool] = lambda action: True) -> Action:
    """The hint comes, with an action of this kind."""
    action = next(each for each in table.view(0).legal if choose(each))
    with committed(execute=True):
        hints.record(
            game_id=table.id, seat=0, version=table.game.version, action=action, reason=HintReason.COVERS_WORST
        )
    return action


def button(page: Page) -> dict[str, str] | None:
    found = page.root.all("button", id="hint")
    return found[0].attrs if found else None


def reason_on(page: Page) -> str:
    return page.root.one("section", class_="say").text


def test_the_table_says_at_once_that_a_hint_is_looked_for_until_it_comes() -> None:
    table = my_turn(Phase.TRICKS)
    phone = at_seats(table, 0, htmx=True)

    def said() -> list[str]:
        page = phone.post_to(phone.address_of("hint"), {"version": table.game.version})
        return [each.one("p").text for each in page.root.all("div", role="alert")]

    assert said() == ["The strong bot is looking for a hint."]
    give(table)
    assert said() == []


@pytest.mark.parametrize("htmx", [True, False])
def test_the_button_asks_for_a_hint_and_answers_at_once(htmx: bool) -> None:
    table = my_turn(Phase.PLACING)
    phone = at_seats(table, 0, htmx=htmx)
    before = table.game.version
    assert "disabled" not in button(at_seats(table, 0).open())

    page = phone.post_to(phone.address_of("hint"), {"version": before})

    assert page.status == (200 if htmx else 302)
    (task,) = DBTaskResult.objects.filter(task_path__endswith=".hint")
    assert task.args_kwargs["args"] == [table.id, before, 0]
    assert table.game.version == before


def test_a_hint_for_the_board_marks_the_space_and_says_why() -> None:
    table = my_turn(Phase.PLACING)
    action = give(table)

    page = at_seats(table, 0).open()

    (space,) = page.root.all("button", class_="is-shown")
    assert isinstance(action, Place)
    assert space.attrs["value"] == f"{action.row.value}:{action.space}"
    assert "Of this row, it would harm your hand most." in reason_on(page)
    assert "disabled" in button(page)
    assert page.root.all("p", class_="sr")[0].text.startswith("Hint: cover ")


def test_a_hint_for_the_teams_marks_the_partners() -> None:
    table = my_turn(Phase.TEAMS)
    give(table, lambda action: isinstance(action, NameTeam) and action.partners == (1,))

    page = at_seats(table, 0).open()

    (candidate,) = page.root.all("div", class_="is-shown")
    assert "Ben" in candidate.text


def test_a_hint_for_the_teams_says_and_marks_who_is_to_hold_the_monster() -> None:
    table = my_turn(Phase.TEAMS, players=5)
    give(table, lambda action: isinstance(action, NameTeam) and (action.partners, action.monster) == ((1,), 1))

    page = at_seats(table, 0).open(partners="1")

    (candidate,) = page.root.all("div", class_="is-shown")
    assert "Ben holds the monster" in candidate.text
    assert "Give the monster to Ben" in reason_on(page)
    assert "Of this row" not in reason_on(page)
    assert "disabled" in button(page)
    others = at_seats(table, 0).open(partners="2")
    assert not others.root.all("div", class_="is-shown")
    assert "Play with Ben" in reason_on(others)


def test_who_holds_the_monster_can_be_asked_of_a_hint() -> None:
    table = my_turn(Phase.TEAMS, players=5)

    page = at_seats(table, 0).open(partners="2")

    assert "disabled" not in button(page)
    assert page.offers("Other partners")


@pytest.mark.parametrize("phase", [Phase.DISCARDING, Phase.TRICKS])
def test_a_hint_for_cards_marks_each_of_them_once(phase: Phase) -> None:
    table = my_turn(phase)
    action = give(table)
    cards = [action.card] if isinstance(action, Play) else list(action.cards)

    page = at_seats(table, 0).open()

    marked = [node for node in page.root.all() if {"in-hand", "is-shown"} <= {*node.attrs.get("class", "").split()}]
    assert isinstance(action, Play | Discard | Pass)
    assert len(marked) == len(cards)
    assert "Of this row" in reason_on(page)
    table.act(0, action)
    assert "Of this row" not in reason_on(at_seats(table, 0).open())


def test_others_read_that_a_hint_was_asked_for_and_not_what_it_says() -> None:
    table = my_turn(Phase.TRICKS)
    give(table)

    page = watching(table).open()

    assert "Ana asked for a hint." in page.text
    assert "Of this row" not in page.html
    assert button(page) is None


def test_at_the_end_everybody_reads_the_hints() -> None:
    table = my_turn(Phase.TRICKS)
    give(table)
    table.play_on(over)

    zoe, ana = watching(table), at_seats(table, 0)

    assert "Hints asked for 1" in ana.open().text
    assert "Ana asked for help. Hint: " in zoe.open("history").text


def test_with_another_person_at_the_table_there_is_no_button() -> None:
    table = DigitalTable(dutch(3, rounds=1), bots={1: "easy"}).play_on(lambda state: state.acting_seats == (0,))
    phone = at_seats(table, 0, htmx=True)

    assert button(phone.open()) is None
    page = phone.post_to(phone.address_of("hint"), {"version": table.game.version})
    assert page.status == 422
    assert "A hint is for a player against bots only" in page.text


def test_where_no_bots_run_there_is_no_button(monkeypatch: pytest.MonkeyPatch) -> None:
    table = my_turn(Phase.PLACING)
    monkeypatch.setattr(settings, "NJET_BOTS", "off")

    assert button(at_seats(table, 0).open()) is None


def tools(page: Page) -> list[str]:
    """The content of each place of the bar below, in order."""
    return [node.text.strip() for node in page.root.one("footer", class_="thumb").all(class_="tool")]


@pytest.mark.parametrize(("may_claim", "first"), [(False, "Undo"), (True, "Claim")])
def test_a_claim_leaves_the_hint_at_its_place(monkeypatch: pytest.MonkeyPatch, may_claim: bool, first: str) -> None:
    table = my_turn(Phase.TRICKS)
    monkeypatch.setattr(page_module, "can_claim", lambda view: may_claim)

    page = at_seats(table, 0).open()

    # Taking back gives its place: who takes all that is left needs it least.
    assert [text.split()[0] for text in tools(page)] == [first.split()[0], "Last", "Settings", "Hint", "Rules"]
    assert button(page) is not None
    assert page.offers("Claim the remaining tricks") == may_claim


@pytest.mark.parametrize(("may_claim", "third"), [(False, ""), (True, "Claim")])
def test_between_people_a_claim_has_the_place_of_the_hint_and_moves_nothing(
    monkeypatch: pytest.MonkeyPatch, may_claim: bool, third: str
) -> None:
    table = DigitalTable(dutch(3, rounds=1)).play_on(lambda state: state.phase is Phase.TRICKS)
    seat = table.state.acting_seats[0]
    table.step()
    monkeypatch.setattr(page_module, "can_claim", lambda view: may_claim)

    found = tools(at_seats(table, seat).open())

    assert found[0].startswith("Undo")
    assert found[1:] == ["Last trick", "Settings", third, "Rules"]


@pytest.mark.parametrize("phase", [Phase.PLACING, Phase.TEAMS, Phase.DISCARDING])
def test_a_hint_names_what_to_do_in_words(phase: Phase) -> None:
    table = my_turn(phase)
    action, setup = give(table), table.state.setup

    said = reason_on(at_seats(table, 0).open())

    match action:
        case Place(row, space):
            assert f"Cover {words.covered(row, space, setup.ruleset, setup.names)} Of this row" in said
        case NameTeam(partners):
            assert ("Play with Ben Of" if partners else "Play alone Of") in said
        case Discard(cards):
            assert f"Discard {words.cards_named(cards)} Of this row" in said
