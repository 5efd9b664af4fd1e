"""The page that checks deals, and the script that does the same: a changed seal, seed or hand is found."""

from __future__ import annotations

import copy
import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings

from games.formats import document as records
from games.formats.document import read_document
from games.models import Key
from games.pages.shuffle.page import checked_deals
from games.rules import Deal, Finish, Setup
from games.services import creation
from tests.builders import dutch, english, french
from tests.cast.digital import DigitalTable, over, rounds_finished
from tests.cast.pages import Page, Phone
from tests.cast.seats import at_seats, watching
from tests.cast.tables import Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

SCRIPT = settings.BASE_DIR / "static/njet/check_deals.py"


@pytest.fixture
def finished(db: None) -> DigitalTable:
    """Three people after two rounds."""
    return DigitalTable(dutch(3, rounds=2)).play_on(over)


def verdicts(page: Page) -> list[str]:
    return [section.one("p").text for section in page.root.all("section")]


def document_of(game: DigitalTable) -> dict[str, Any]:
    return copy.deepcopy(records.document(game.game))


def deals_in(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [row["payload"] for row in document["log"] if row["kind"] == "deal"]


def said_by_the_script(document: object) -> list[str]:
    """What the script prints, line by line."""
    run = subprocess.run(
        [sys.executable, "-I", SCRIPT], input=json.dumps(document), capture_output=True, text=True, check=True
    )
    return run.stdout.splitlines()


# --- the page ---


def test_every_deal_of_a_finished_game_can_be_checked(finished: DigitalTable) -> None:
    page = watching(finished).open("shuffle")

    first, second = deals_in(document_of(finished))
    assert len(verdicts(page)) == 2
    assert all(verdict.startswith("Not changed: the seal names this game") for verdict in verdicts(page))
    texts = [f"njet-deal-2:{finished.id}:{number}:{deal['seed']}" for number, deal in enumerate((first, second), 1)]
    for deal, text in zip((first, second), texts, strict=True):
        assert page.html.count(deal["commitment"]) == 2
        assert text in page.html
        assert hashlib.sha256(text.encode()).hexdigest() == deal["commitment"]
    assert "does not show that a deal was not chosen" in " ".join(page.html.split())


def test_history_replay_and_the_finished_table_lead_to_the_check(finished: DigitalTable) -> None:
    phone = at_seats(finished, 0)

    for name in ("history", "replay", "table"):
        assert phone.open(name).press("Check the deals").status == 200, name


def test_the_command_reads_the_file_under_the_name_that_it_is_saved_under(finished: DigitalTable) -> None:
    phone = watching(finished)
    page = phone.open("shuffle")

    saved = phone.client.get(phone.address_of("export", "njet.json")).headers["Content-Disposition"]

    (command,) = [node.text for node in page.root.all("code") if node.text.startswith("python3")]
    assert saved == f'attachment; filename="{command.rpartition(" ")[2]}"'


def test_while_it_is_played_the_check_shows_seals_only() -> None:
    game = DigitalTable(dutch(3, rounds=2)).play_on(rounds_finished(1))
    deals = [step.action for step in game.ledger.replay.applied if isinstance(step.action, Deal)]

    page = at_seats(game, 0).open("shuffle")

    assert verdicts(page) == ["The seed is secret until the game is over."] * 2
    assert all(deal.commitment in page.html and deal.seed not in page.html for deal in deals)


def test_a_round_that_was_not_completed_keeps_its_seed() -> None:
    game = DigitalTable(dutch(3, rounds=3)).play_on(rounds_finished(1))
    game.act(0, Finish())
    for seat in (1, 2):
        game.answer(seat)
    hidden = game.ledger.replay.applied[-1].before.current.number

    page = watching(game).open("shuffle")

    assert hidden == 2
    assert verdicts(page)[1] == "This round was not completed, so its hands and its seed stay secret."


def test_an_imported_game_is_checked_with_the_id_of_its_source(finished: DigitalTable) -> None:
    imported = imported_page(document_of(finished))

    assert all(verdict.startswith("Not changed") for verdict in verdicts(imported))
    assert "This game was imported." in imported.html


def test_seals_of_an_earlier_version_still_hold(finished: DigitalTable) -> None:
    document = document_of(finished)
    for deal in deals_in(document):
        deal["commitment"] = hashlib.sha256(deal["seed"].encode()).hexdigest()

    assert all("names neither game nor round" in verdict for verdict in verdicts(imported_page(document)))


def test_a_seal_that_was_changed_is_found(finished: DigitalTable) -> None:
    document = document_of(finished)
    first, second = deals_in(document)
    second["commitment"] = first["commitment"]

    found = verdicts(imported_page(document))

    assert found[0].startswith("Not changed")
    assert found[1].startswith("The seal does not belong to this seed")


def test_hands_that_were_changed_are_found(finished: DigitalTable) -> None:
    ledger = finished.seen(None)
    step = ledger.replay.applied[0]
    hands = (step.action.hands[1], step.action.hands[0], *step.action.hands[2:])
    changed = replace(step, action=replace(step.action, hands=hands))
    replay = replace(ledger.replay, applied=(changed, *ledger.replay.applied[1:]))

    first, second = checked_deals(replace(ledger, replay=replay), game_id=finished.id)

    assert (first.is_good, second.is_good) == (False, True)
    assert first.verdict == "These hands do not follow from the seed: the deal was changed."


def test_a_table_with_real_cards_has_no_such_page(db: None) -> None:
    table = Table(dutch(3))
    phone = Phone()
    phone.sits(table, table.key)

    assert phone.get(f"/g/{table.id}/shuffle/").status == 404


def imported_page(document: dict[str, Any]) -> Page:
    """The page of a game that was imported from a document."""
    game = creation.import_game(imported=read_document(document), creator_label="Ana").game
    phone = Phone()
    phone.sits(game, Key.objects.get(game=game))
    return phone.get(f"/g/{game.pk}/shuffle/")


# --- the script ---


@pytest.mark.slow
@pytest.mark.parametrize("setup", [dutch(3, rounds=2), french(4, rounds=2), english(2, rounds=2), english(3, rounds=2)])
def test_the_script_finds_every_deal_good(db: None, setup: Setup) -> None:
    game = DigitalTable(setup).play_on(over)

    assert said_by_the_script(document_of(game)) == ["Round 1: good", "Round 2: good"]


def with_two_cards_exchanged(document: dict[str, Any]) -> None:
    hands = deals_in(document)[1]["hands"]
    place = next(place for place in range(len(hands[0])) if hands[0][place] not in hands[1])
    hands[0][place], hands[1][0] = hands[1][0], hands[0][place]


def with_another_seed(document: dict[str, Any]) -> None:
    deals_in(document)[1]["seed"] = "5eed" * 16


def with_the_seal_of_another_round(document: dict[str, Any]) -> None:
    first, second = deals_in(document)
    second.update(hands=first["hands"], seed=first["seed"], commitment=first["commitment"])


@pytest.mark.parametrize("tampered", [with_two_cards_exchanged, with_another_seed, with_the_seal_of_another_round])
def test_the_script_finds_a_deal_that_was_changed(
    finished: DigitalTable, tampered: Callable[[dict[str, Any]], None]
) -> None:
    document = document_of(finished)
    tampered(document)

    assert said_by_the_script(document) == ["Round 1: good", "Round 2: WRONG"]


def test_the_script_says_which_deals_are_sealed() -> None:
    game = DigitalTable(dutch(3, rounds=2)).play_on(rounds_finished(1))

    assert said_by_the_script(document_of(game)) == [
        f"Round {number}: sealed, its seed is not in this export" for number in (1, 2)
    ]


def test_the_script_has_twenty_lines_and_needs_python_only() -> None:
    lines = [line for line in SCRIPT.read_text(encoding="utf-8").splitlines() if line]

    assert len(lines) <= 20
    assert [line for line in lines if "import" in line and "json" in line] == [lines[1]]
