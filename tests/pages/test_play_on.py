"""In the replay of a finished digital game one plays on from a step: a new game that names where it comes from."""

from __future__ import annotations

import pytest
from django.test import override_settings

from games.formats.document import document, read_document
from games.keys import limits, registry
from games.log import store
from games.models import Game, GroupRole
from games.pages.replay.page import last_step
from games.rules import Action
from games.rules.redaction import PlayerView
from games.rules.scoring import signed
from games.services import creation, deletion
from tests.builders import dutch
from tests.cast.digital import DigitalTable, over, rounds_finished
from tests.cast.groups import new_group
from tests.cast.pages import Page, Phone, come_in, sit_down
from tests.cast.seats import at_seats, hosting, seats_of, watching
from tests.cast.tables import ROUND_1, Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

BUTTON = "Play on from here"
STEP = 5


def last(view: PlayerView) -> Action:
    """The last legal action: another game than that of the first ones."""
    return view.legal[-1]


@pytest.fixture
def origin(db: None) -> DigitalTable:
    """A finished game of two rounds between three people."""
    return DigitalTable(dutch(3, rounds=2)).play_on(over)


@pytest.fixture
def again(origin: DigitalTable) -> DigitalTable:
    """A game that Ben plays on."""
    return origin.from_step(STEP, seat=1)


def made(page: Page) -> Game:
    """The game whose table a page shows."""
    assert page.status == 200
    return Game.objects.get(pk=page.root.one(id="table").attrs["data-live-url"].split("/")[2])


def origin_link(page: Page) -> list[str]:
    """Where the page says that the game comes from, by address."""
    return [link.attrs["href"] for each in page.root.all(id="origin") for link in each.all("a")]


# --- the button ---


def test_one_tap_leads_from_a_step_to_the_new_table(origin: DigitalTable) -> None:
    ben = at_seats(origin, 1)

    game = made(ben.open("replay_step", STEP, seat="1").press(BUTTON, level="medium"))

    assert (game.deals_of_id, game.from_step) == (origin.id, STEP)
    assert store.read(game).bots == ("medium", None, "medium")
    assert seats_of(ben).keys() >= {"1"}
    assert not ben.get(f"/g/{game.pk}/").root.one(id="table").attrs.get("data-over")


def test_the_seat_is_the_one_that_is_shown_else_the_own_else_the_one_that_acts_next(origin: DigitalTable) -> None:
    zoe = watching(origin)
    next_seat = origin.ledger.replay.applied[STEP].seat

    assert zoe.open("replay_step", STEP).fields(BUTTON)["seat"] == str(next_seat)
    for seat in range(3):
        page = zoe.open("replay_step", STEP, seat=str(seat))
        assert page.fields(BUTTON)["seat"] == str(seat)
        assert page.offers(f"{BUTTON} as {origin.state.setup.names[seat]}")
        assert at_seats(origin, seat).open("replay_step", STEP).fields(BUTTON)["seat"] == str(seat)


def test_after_the_last_card_of_a_round_the_one_who_begins_the_next_plays_on(origin: DigitalTable) -> None:
    steps = origin.ledger.replay.applied
    step = next(place for place, each in enumerate(steps, start=1) if each.round_number == 2) - 1

    assert watching(origin).open("replay_step", step).fields(BUTTON)["seat"] == str(steps[step + 1].seat)


def test_the_level_is_that_of_the_last_game_against_bots(origin: DigitalTable) -> None:
    ben = at_seats(origin, 1)
    assert ben.open("replay_step", STEP).fields(BUTTON)["level"] == "strong"

    ben.open("replay_step", STEP).press(BUTTON, level="easy")

    assert ben.open("replay_step", STEP).fields(BUTTON)["level"] == "easy"


def test_sent_twice_it_is_one_game(origin: DigitalTable) -> None:
    page = at_seats(origin, 1).open("replay_step", STEP)

    assert made(page.press(BUTTON)) == made(page.press(BUTTON)) != made(page.press(BUTTON, level="easy"))


def test_all_who_read_the_replay_may_play_on() -> None:
    group = new_group()
    origin = DigitalTable(dutch(3, rounds=1), group=group).play_on(over)
    vera = come_in(group, GroupRole.VIEWER)
    vera.table = origin

    for phone in (hosting(origin), at_seats(origin, 2), watching(origin), vera):
        assert made(phone.open("replay_step", STEP).press(BUTTON)).group_id is None


def test_the_new_keys_do_not_depend_on_the_group_of_the_game() -> None:
    group = new_group()
    origin = DigitalTable(dutch(3, rounds=1), group=group).play_on(over)
    vera = come_in(group, GroupRole.VIEWER)
    vera.table = origin

    game = made(vera.open("replay_step", STEP).press(BUTTON))

    assert not game.keys.exclude(through=None).exists()


# --- where it is refused ---


def test_there_is_no_button_after_the_last_step(origin: DigitalTable) -> None:
    ben, last = at_seats(origin, 1), last_step(origin.ledger)

    assert not ben.open("replay_step", last).offers(BUTTON)
    assert ben.open("replay_step", last - 1).offers(BUTTON)
    refused = ben.post("play_on", last, seat="1", level="easy")
    assert (refused.status, refused.code) == (422, "nothing_left_to_play")


def test_there_is_no_button_while_the_game_is_played() -> None:
    ben = at_seats(DigitalTable(dutch(3)).play_on(rounds_finished(1)), 1)

    assert not ben.open("replay_step", STEP).offers(BUTTON)
    refused = ben.post("play_on", STEP, seat="1", level="easy")
    assert (refused.status, refused.code) == (409, "not_finished")


def test_a_hand_that_stays_secret_is_not_played_on() -> None:
    origin = DigitalTable(dutch(3, rounds=3)).play_on(rounds_finished(1))
    origin.step()
    origin.propose(0, "finish")
    for seat in (1, 2):
        origin.answer(seat)
    ben, last = at_seats(origin, 1), last_step(origin.ledger)

    for step in (last - 2, last - 1, last):
        assert not ben.open("replay_step", step).offers(BUTTON)
        refused = ben.post("play_on", step, seat="1", level="easy")
        assert (refused.status, refused.code) == (422, "round_broken_off")
    assert ben.open("replay_step", last - 3).offers(BUTTON)


def test_an_imported_game_and_a_physical_one_have_no_button(origin: DigitalTable) -> None:
    imported = creation.import_game(imported=read_document(document(origin.game)), creator_label="Ana")
    ana = Phone().sits(imported.game, imported.creator)
    paper = sit_down(Table(None, *ROUND_1, "finish"))

    assert not ana.open("replay_step", STEP).offers(BUTTON)
    assert ana.post("play_on", STEP, seat="1", level="easy").code == "deals_not_ours"
    assert not paper.open("replay_step", STEP).offers(BUTTON)
    assert paper.post("play_on", STEP, seat="1", level="easy").status == 404


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"seat": "3", "level": "easy"}, 422, "unknown_seat"),
        ({"seat": "", "level": "easy"}, 400, "wrong_type"),
        ({"seat": "1", "level": "perfect"}, 400, "missing_field"),
        ({"seat": "1"}, 400, "missing_field"),
    ],
)
def test_a_form_of_other_fields_is_refused(
    origin: DigitalTable, fields: dict[str, str], status: int, code: str
) -> None:
    count = Game.objects.count()

    refused = at_seats(origin, 1).post("play_on", STEP, **fields)

    assert (refused.status, refused.code, Game.objects.count()) == (status, code, count)


def test_a_browser_without_a_key_finds_nothing(origin: DigitalTable) -> None:
    stranger = Phone()
    stranger.table = origin

    assert stranger.post("play_on", STEP, seat="1", level="easy").status == 404


@override_settings(HTTPS=True)
def test_the_games_that_an_address_opens_are_limited(origin: DigitalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "CREATIONS", limits.Limit(**{**vars(limits.CREATIONS), "most": 1}))
    ben = at_seats(origin, 1)

    assert ben.post("play_on", STEP, seat="1", level="easy").status == 302
    refused = ben.post("play_on", STEP, seat="1", level="easy")

    assert (refused.status, refused.code) == (429, "too_many_requests")


# --- where the new game comes from ---


def test_menu_sheet_and_the_end_lead_to_the_step_it_was_played_on_from(
    origin: DigitalTable, again: DigitalTable
) -> None:
    ben = at_seats(origin, 1)
    ben.sits(again, again.host, again.keys[1])
    address = f"/g/{origin.id}/replay/{STEP}/"

    for name in ("menu", "sheet"):
        assert origin_link(ben.open(name)) == [address]
    assert f"from step {STEP}" in ben.open().root.one("h1").text
    again.put_bot(1, "easy")
    again.play_on(over)
    assert ben.open().press("See that step").address == address


def test_who_cannot_read_the_other_game_gets_no_link(origin: DigitalTable, again: DigitalTable) -> None:
    zoe = watching(again)

    for name in ("menu", "sheet"):
        page = zoe.open(name)
        assert f"step {STEP}" in page.root.one(id="origin").text
        assert origin.id not in page.html
    deletion.delete_game(game_id=origin.id)
    assert f"step {STEP}" in zoe.open("menu").root.one(id="origin").text


def test_other_games_name_no_origin(origin: DigitalTable) -> None:
    for name in ("table", "menu", "sheet"):
        assert not hosting(origin, 0).open(name).root.all(id="origin")
    assert "step" not in hosting(DigitalTable(dutch(3)), 0).open().root.one("h1").text


def compared(page: Page) -> tuple[str, list[list[str]]]:
    """The sentence of the comparison, and its lines: the number of a round, or Σ, then the points of each player."""
    section = page.root.one("section", id="compared")
    lines = [[cell.text for cell in row.all("td")] for row in section.all("tr")][1:]
    return section.one("p").text, lines


def test_at_its_end_it_is_compared_from_the_round_on_that_was_played_on(origin: DigitalTable) -> None:
    steps = origin.ledger.replay.applied
    second = next(place for place, each in enumerate(steps, start=1) if each.round_number == 2) + 3
    again = origin.from_step(second, seat=1)
    again.put_bot(1, "easy")
    again.play_on(over, last)
    then, now = (each.state.finished[1].score.points for each in (origin, again))
    assert then[1] != now[1]
    ben, cleo, zoe = at_seats(origin, 1), at_seats(origin, 2), watching(again)
    for phone in (ben, cleo):
        phone.sits(again, again.host, again.keys[1])

    sentence, lines = compared(ben.open())

    more = "more" if now[1] > then[1] else "fewer"
    count = abs(now[1] - then[1])
    assert f"Played on from step {second}, you scored {count} point" in sentence
    assert f" {more} than in the earlier game." in sentence
    assert lines == [[f"{signed(old)} → {signed(new)}" for old, new in zip(then, now, strict=True)]] * 2
    assert f", Ben scored {count} point" in compared(cleo.open())[0]
    assert not zoe.open().root.all(id="compared")


def test_the_list_says_from_which_round_a_game_was_played_on(origin: DigitalTable) -> None:
    steps = origin.ledger.replay.applied
    # From the last card of the first round on the second one is played.
    end = next(place for place, each in enumerate(steps, start=1) if each.round_number == 2) - 1
    ben = at_seats(origin, 1)
    assert "played on" not in ben.open("home").text
    for step, begun in ((STEP, 1), (end, 2), (end + 3, 2)):
        again = origin.from_step(step, seat=1)
        phone = Phone().sits(again, again.host, again.keys[1])
        assert f"played on from round {begun}" in phone.get("/?page=1").root.one("main").text
        again.put_bot(1, "easy")
        again.play_on(over)
        for address in ("/", "/?page=1"):
            (line,) = phone.get(address).root.one("ul", class_="tables").all("li")
            assert f"2 rounds · played on from round {begun} · Ana, Ben, Cleo" in line.text


def test_no_group_takes_it(again: DigitalTable) -> None:
    group = new_group()
    ben = hosting(again, 1).joins(registry.issue(group=group, role=GroupRole.OWNER, label="Ben"))

    assert not ben.open("menu").offers("Put this table into a group")
    refused = ben.post("adopt", group=group.pk)
    assert (refused.status, refused.code) == (422, "played_on")
    assert again.game.group_id is None


def test_what_was_copied_is_not_offered_to_be_taken_back(origin: DigitalTable) -> None:
    step = next(
        place for place, each in enumerate(origin.ledger.replay.applied, start=1) if place > 4 and each.seat == 1
    )
    again = origin.from_step(step, seat=1)
    ben = hosting(again, 1)

    assert not ben.open().offers("Take back")
    assert not ben.open("menu").offers("Take back")
