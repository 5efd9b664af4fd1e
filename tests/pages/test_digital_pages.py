"""The pages around a digital table: who may change what, the menu, the history, the replay, the rematch."""

from __future__ import annotations

import pytest

from games.keys import registry
from games.log import store
from games.models import Game, Key, Role
from games.rules import Action, Finish, Phase, Place, Play, RowKey
from games.rules.dealing import commitment_of, hands_of
from games.rules.redaction import PlayerView
from games.texts import words
from tests.builders import dutch, english
from tests.cast.digital import DigitalTable, in_phase, over, rounds_finished
from tests.cast.pages import Page, Phone, read_html
from tests.cast.seats import at_seats, hosting, watching
from tests.pages.addresses import views_of_a_table
from tests.pages.digital_cast import ana as ana
from tests.pages.digital_cast import ben as ben
from tests.pages.digital_cast import finished as finished
from tests.pages.digital_cast import game as game
from tests.pages.digital_cast import zoe as zoe

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


# --- the menu ---


def test_the_menu_has_nothing_that_belongs_to_physical_tables(game: DigitalTable, ana: Phone, ben: Phone) -> None:
    game.play_on(rounds_finished(1))

    for phone in (ana, ben):
        links = [link.attrs["href"] for link in phone.open("menu").root.all("a")]
        for part in ("quick", "setup", "penalty", "void", "reopen", "lock", "undo", "correct"):
            assert not any(f"/{part}/" in link for link in links)
    assert ben.open("menu").offers("Finish early")
    assert not ben.open("menu").offers("Delete this game")
    assert ana.open("menu").offers("Delete this game")


def test_finishing_early_is_put_to_everybody(game: DigitalTable, ana: Phone, ben: Phone) -> None:
    game.play_on(rounds_finished(1))

    page = ben.open("menu").press("Finish early")
    assert "Round 2 does not count." in page.text
    winners = game.state.apply(Finish()).winners
    assert all(game.state.setup.names[seat] in page.root.one("p", class_="lead").text for seat in winners)
    assert "This is final." in page.text
    assert "The others are asked." in page.text
    page.press("Propose it to all")

    (asked,) = game.ledger.counting.proposals
    assert (asked.seat, game.state.current is None) == (1, False)
    game.answer(0)
    game.answer(2)
    assert game.state.current is None


def test_before_the_first_round_is_complete_there_is_nothing_to_finish(game: DigitalTable, ben: Phone) -> None:
    assert not ben.open("menu").offers("Finish early")
    page = ben.open("finish")

    assert "No round is complete yet: there is nothing to finish." in page.text
    assert not page.offers("Propose it to all")
    assert ben.post("finish", version=game.game.version).status == 422


def test_who_does_not_play_ends_no_game(game: DigitalTable, zoe: Phone) -> None:
    game.play_on(rounds_finished(1))
    host = hosting(game)

    for phone in (zoe, host):
        assert not phone.open("menu").offers("Finish early")
        assert phone.open("finish").status == 403
        assert phone.post("finish").status == 403
    assert not game.ledger.counting.proposals


def test_a_digital_game_that_is_over_is_final(finished: DigitalTable) -> None:
    ana = hosting(finished, 0)

    page = ana.open("reopen")

    assert page.status == 409
    assert page.code == "undo_not_allowed"
    assert ana.post("reopen").status == 409


def test_the_sheet_of_a_digital_game_offers_no_corrections(finished: DigitalTable) -> None:
    links = [link.attrs["href"] for link in hosting(finished, 0).open("sheet").root.all("a")]

    assert not any("/correct/" in link or "/setup/" in link for link in links)


def test_a_digital_result_is_confirmed_with_one_tap(finished: DigitalTable) -> None:
    ana = hosting(finished, 0)

    ana.open("lock").press("Lock the sheet")

    assert finished.ledger.locked


# --- the history ---


def listed(page: Page) -> list[str]:
    """The entries of the history, the latest first."""
    return [entry.one("p").text for entry in page.root.all("article")]


def test_the_history_tells_a_digital_game_in_words(game: DigitalTable, ben: Phone) -> None:
    game.put_bot(2, "strong")
    game.put_bot(2, None)

    lines = listed(ben.open("history"))

    assert lines == [
        "3. The bot no longer plays for Cleo",
        "2. Cleo is played by the strong bot",
        "1. Dealt: 12 cards each",
    ]
    assert not ben.open("history").root.all("article", class_="is-gone")
    assert "Correct" not in ben.open("history").text


def everybody_discards_two(view: PlayerView) -> Action:
    """Leaves “discard 2” open, then takes the first possible action."""
    return next(action for action in view.legal if action != Place(RowKey.DISCARD, "discard_2"))


def test_the_history_names_the_cards_of_its_reader_and_of_no_other_player(db: None) -> None:
    game = DigitalTable(english(3)).play_on(in_phase(Phase.TRICKS), everybody_discards_two)
    cards = {seat: words.cards_named(game.view(seat).discarded) for seat in range(3)}

    lines = {seat: listed(at_seats(game, seat).open("history"))[:3] for seat in range(3)}

    for seat, seen in lines.items():
        assert seen == [
            f"{game.game.version - place}. {name} discarded {cards[own] if own == seat else '2 cards'}"
            for place, (own, name) in enumerate([(2, "Cleo"), (1, "Ben"), (0, "Ana")])
        ]
    assert " discarded 2 cards" in listed(watching(game).open("history"))[0]


def test_the_history_says_who_played_what_was_taken_back(db: None) -> None:
    game = DigitalTable(dutch(3, rounds=2)).play_on(in_phase(Phase.TRICKS))
    seat = game.state.acting_seats[0]
    name = ("Ana", "Ben", "Cleo")[seat]
    game.step()
    card = words.card_name(game.state.current.table[0])
    game.propose(seat, "takeback")
    game.answer((seat + 1) % 3)
    game.answer((seat + 2) % 3)

    lines = [line.split(". ", 1)[1] for line in listed(watching(game).open("history"))]

    assert lines[0] == f"Taken back: {name} played {card}"
    assert lines[3] == f"{name} asks to take back: {name} played {card}"
    assert lines[4] == f"{name} played {card}"
    assert not any("Somebody" in line for line in lines)


def test_the_seeds_are_shown_when_the_game_is_over(finished: DigitalTable) -> None:
    page = watching(finished).open("history")

    seed, commitment = [code.text for code in page.root.one("small", class_="seal").all("code")]
    deal = next(step.action for step in finished.ledger.replay.applied)
    assert commitment_of(seed, game_id=finished.id, round_number=1) == commitment
    assert hands_of(finished.state.ruleset, seed) == deal.hands


def test_while_it_is_played_only_the_seal_is_shown(game: DigitalTable, ana: Phone) -> None:
    deal = game.ledger.entries[0].action

    for name in ("history", "replay"):
        html = ana.open(name).html
        assert deal.commitment in html
        assert deal.seed not in html


# --- the replay ---


def test_the_replay_of_a_finished_game_shows_every_hand_at_every_step(finished: DigitalTable) -> None:
    zoe = watching(finished)

    page = zoe.open("replay_step", 1)

    hands = page.root.all("section", class_="hand")
    assert [hand.one(class_="name").text for hand in hands] == ["Ana", "Ben", "Cleo"]
    dealt = [[card.attrs["data-card"] for card in hand.all("b") if "data-card" in card.attrs] for hand in hands]
    hands_dealt = finished.ledger.entries[0].action.hands
    assert [sorted(cards) for cards in dealt] == [sorted(map(str, hand)) for hand in hands_dealt]


@pytest.mark.slow
def test_the_replay_of_a_running_game_shows_public_steps_only(game: DigitalTable, ana: Phone, zoe: Phone) -> None:
    game.play_on(lambda state: state.current is not None and len(state.current.tricks) == 2)
    steps = len(game.ledger.replay.applied)

    for phone in (ana, zoe):
        played: set[str] = set()
        for step, each in enumerate(game.ledger.replay.applied, start=1):
            page = phone.open("replay_step", step)
            assert not page.root.all("section", class_="hand")
            played |= {str(each.action.card)} if isinstance(each.action, Play) else set()
            shown = {node.attrs["data-card"] for node in page.root.all() if "data-card" in node.attrs}
            assert shown <= played
            assert not isinstance(each.action, Play) or str(each.action.card) in shown
    assert steps > 20


def test_a_trick_is_one_tap_away(finished: DigitalTable) -> None:
    ben = at_seats(finished, 1)

    page = ben.open("replay").press("Trick 2")

    assert page.root.one("section", class_="felt").one("h2").text == "Trick 2"
    assert page.root.one("p", class_="why").text == page.root.one("div", class_="turn").one("small").text
    before = page.press("Back")
    assert before.root.one("section", class_="felt").one("h2").text == "Trick 1"
    assert " wins" in before.root.one("p", class_="why").text
    assert page.press("Trick or round before").root.one("section", class_="felt").one("h2").text == "Trick 1"
    assert [link.name for link in page.root.all("a", aria_current="true")] == ["All", "Round 1", "Trick 2"]


# --- the rematch ---


def test_anyone_who_sat_at_the_table_follows_into_the_rematch_with_one_tap(finished: DigitalTable) -> None:
    ana, ben, zoe = hosting(finished, 0), at_seats(finished, 1), watching(finished)
    assert not ben.open("menu").offers("Go there")
    ana.open("menu").press("Rematch")
    rematch = Game.objects.get(rematch_of=finished.id)

    page = ben.open("menu").press("Go there")

    assert page.address == f"/g/{rematch.pk}/"
    keys = Key.objects.filter(game=rematch, role=Role.SEAT, revoked_at=None)
    assert sorted(keys.values_list("seat", flat=True)) == [0, 1]
    assert keys.get(seat=1).label == "Ben"
    assert ben.open("menu").press("Go there").address == f"/g/{rematch.pk}/"
    assert zoe.open("menu").press("Go there").address == f"/g/{rematch.pk}/"


def test_that_somebody_has_followed_is_said_to_the_others(finished: DigitalTable) -> None:
    ana, ben = hosting(finished, 0), at_seats(finished, 1)
    ana.open("menu").press("Rematch")
    rematch = Game.objects.get(rematch_of=finished.id)
    ben.post("follow")

    said = {phone: "Ben has sat down" in phone.get(f"/g/{rematch.pk}/").text for phone in (ana, ben)}

    assert said == {ana: True, ben: False}


@pytest.mark.parametrize("level", [None, "easy"])
def test_who_took_the_seat_of_a_bot_has_it_in_the_rematch(level: str | None, db: None) -> None:
    table = DigitalTable(dutch(3, rounds=1), bots={1: "easy", 2: "easy"})
    table.move(1)
    if level is not None:
        table.put_bot(1, level)
    table.play_on(over)
    hosting(table, 0).open("menu").press("Rematch")
    rematch = Game.objects.get(rematch_of=table.id)

    page = at_seats(table, 1).open("menu").press("Go there")

    assert page.address == f"/g/{rematch.pk}/"
    assert store.read(rematch).bots == (None, None, "easy")


def test_two_taps_follow_once(finished: DigitalTable) -> None:
    hosting(finished, 0).open("menu").press("Rematch")
    ben = at_seats(finished, 1)

    for _ in range(2):
        assert ben.post("follow").status == 302

    assert Key.objects.filter(game__rematch_of=finished.id, seat=1).count() == 1


def test_a_seat_that_somebody_took_in_the_rematch_is_not_taken_by_following(finished: DigitalTable) -> None:
    hosting(finished, 0).open("menu").press("Rematch")
    rematch = Game.objects.get(rematch_of=finished.id)
    registry.issue(role=Role.SEAT, game=rematch, seat=1, label="Dan")
    ben = at_seats(finished, 1)

    offered = ben.open("menu").root.one(id="rematch")
    assert offered.all("form") == offered.all("a") == []
    assert "your seat there is taken" in offered.text
    page = ben.post("follow")

    assert (page.status, page.code) == (409, "seat_taken")


def test_who_has_no_seat_and_who_has_no_rematch_cannot_follow(
    finished: DigitalTable, game: DigitalTable, ben: Phone
) -> None:
    assert ben.post("follow").status == 409
    assert at_seats(finished, 1).post("follow").status == 404
    hosting(finished, 0).open("menu").press("Rematch")
    assert watching(finished).post("follow").status == 403


# --- every page, in every phase ---

POSITIONS = {
    "placing": lambda state: True,
    "teams": in_phase(Phase.TEAMS),
    "discarding": in_phase(Phase.DISCARDING),
    "tricks": lambda state: state.current is not None and len(state.current.tricks) == 1,
    "round 2": rounds_finished(1),
    "over": over,
}


@pytest.mark.parametrize("timing", ["after_teams", pytest.param("before_teams", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "when",
    [pytest.param(each, marks=() if each in ("discarding", "tricks") else pytest.mark.slow) for each in POSITIONS],
)
def test_every_page_opens_in_every_phase_for_everybody(when: str, timing: str, db: None) -> None:
    setup = english(3, rounds=2, discard_timing=timing)
    game = DigitalTable(setup).play_on(POSITIONS[when], everybody_discards_two)
    pages = [view for view in views_of_a_table() if "GET" in view.methods]

    for phone in (hosting(game, 0), at_seats(game, 1, 2), watching(game)):
        for view in pages:
            response = phone.client.get(view.of(game.id, step=7))
            assert response.status_code in (200, 302, 403, 404, 409, 422), view.name
            if response.headers.get("Content-Type", "").startswith("text/html"):
                read_html(response.content.decode())


def test_the_big_board_says_whose_card_is_awaited(db: None) -> None:
    game = DigitalTable(english(3, rounds=2)).play_on(in_phase(Phase.DISCARDING), everybody_discards_two)
    screen = watching(game)

    def headline() -> str:
        return screen.open("screen").root.one("section", class_="headline").text

    assert headline() == "Everybody still has to discard"
    game.step()
    assert headline() == "B C Ben and Cleo still have to discard"
    game.play_on(in_phase(Phase.TRICKS))
    leader, *_ = game.state.acting_seats
    assert headline().endswith("leads first")
    game.step()
    name = ("Ana", "Ben", "Cleo")[(leader + 1) % 3]
    assert headline() == f"{name[0]} {name} plays to trick 1"
