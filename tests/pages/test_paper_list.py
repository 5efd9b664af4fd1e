"""Many old games from a spreadsheet: shown line by line first, then entered, all of them or none."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from games.log import store
from games.models import Game, Group
from tests.cast.groups import played, recounted, totals_of
from tests.cast.pages import Page, Phone

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LIST = """day;Ana;Ben;Cleo;rules;place
2026-01-15;42;;30;;Garden
2026-01-16;1;2;3;njet-wikipedia;
"""


def shown(phone: Phone, text: str = LIST) -> Page:
    """The preview of a list."""
    return phone.open("paper_list").fill_in({"text": text}, press="Look at it first")


def test_each_line_is_shown_and_then_a_game(group: Group, max_: Phone) -> None:
    preview = shown(max_)
    assert len(preview.root.one("ul", class_="plain").all("li")) == 2
    assert not Game.objects.exists()

    games = preview.press("Enter 2 games")

    assert games.address == max_.address_of("group_games")
    first, second = Game.objects.order_by("created_at")
    assert [seat.name for seat in first.seats.all()] == ["Ana", "Cleo"]
    assert (first.place, second.preset, store.read(second).state.totals) == ("Garden", "njet-wikipedia", (1, 2, 3))
    assert totals_of(group) == recounted(group)


def test_a_file_is_read_too(max_: Phone) -> None:
    fields = {"csrfmiddlewaretoken": max_.open("paper_list").fields("Look at it first")["csrfmiddlewaretoken"]}
    file = SimpleUploadedFile("old.csv", LIST.encode("utf-8-sig"))
    answer = max_.client.post(max_.address_of("paper_list"), {**fields, "file": file})

    assert Page(max_, answer).offers("Enter 2 games")


def test_one_bad_line_and_nothing_is_entered(max_: Phone) -> None:
    page = shown(max_, f"{LIST}2026-02-31;1;2;3;;\n2026-01-17;1;1;1;Chess;\n2099-01-17;1;1;1;;\n")

    assert len(page.root.all("span", class_="field-error")) == 3
    assert not page.offers("Enter")
    max_.post("paper_list", text=page.fields("Look at it first")["text"], sure="1")
    assert not Game.objects.exists()


def test_what_is_no_list_is_refused_and_stays(max_: Phone) -> None:
    page = shown(max_, "Ana;Ben\n1;2")

    assert (page.status, page.code) == (400, "paper_list_unreadable")
    assert page.fields("Look at it first")["text"] == "Ana;Ben\n1;2"


def test_a_game_that_is_there_is_not_entered_again(max_: Phone) -> None:
    shown(max_).press("Enter 2 games")

    again = shown(max_, f"{LIST}2026-01-17;5;6;;;\n")
    assert again.text.count("is there already") == 2
    again.press("Enter 1 game")
    assert Game.objects.count() == 3


@pytest.mark.parametrize(("means", "new"), [("player", set()), ("new", {"Ela"})])
def test_a_name_that_is_nearly_that_of_a_player_is_asked_about(
    group: Group, max_: Phone, means: str, new: set[str]
) -> None:
    played(group, "Ana", "Ben", "Ella")

    shown(max_, "day;Ana;Ben;Ela\n2026-01-15;1;2;3\n").fill_in({"means-0": means}, press="Enter 1 game")

    assert {player.name for player in group.players.all()} == {"Ana", "Ben", "Ella", *new}


def test_viewers_and_strangers_enter_nothing(group: Group, vera: Phone, max_: Phone) -> None:
    assert vera.post("paper_list", text=LIST, sure="1").status == 403
    stranger = Phone()
    stranger.group_key = max_.group_key
    assert stranger.post("paper_list", text=LIST, sure="1").status == 404
    assert not Game.objects.exists()
