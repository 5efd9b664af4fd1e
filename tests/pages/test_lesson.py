"""The pages of the lesson: for everybody, without a cookie, a query or anything that is stored."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.pages.lesson.script import LESSONS
from games.rules.ruleset import PRESETS
from tests.builders import dutch
from tests.cast.digital import DigitalTable
from tests.cast.pages import Page, Phone
from tests.cast.seats import watching

STEPS = [(edition, number) for edition, lesson in LESSONS.items() for number in range(1, len(lesson.steps) + 1)]
ENDS = [(edition, len(lesson.steps)) for edition, lesson in LESSONS.items()]

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def leads(page: Page, words: str) -> str:
    """Where the link with these words leads."""
    (link,) = [link for link in page.root.all("a") if link.name == words]
    return str(link.attrs["href"])


def at(edition: str, number: int) -> Page:
    return Phone().get(f"/learn/{edition}/{number}/")


@pytest.mark.parametrize(("edition", "number"), STEPS)
def test_a_step_is_a_page_that_stores_and_reads_nothing(
    edition: str, number: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = Client()
    with django_assert_num_queries(0):
        answer = client.get(f"/learn/{edition}/{number}/")

    assert answer.status_code == 200
    assert not answer.cookies
    assert b"<form" not in answer.content


@pytest.mark.parametrize(("edition", "number"), STEPS)
def test_each_card_of_the_hand_has_a_place_of_its_own(edition: str, number: int) -> None:
    cards = at(edition, number).root.all(class_="in-hand")
    places = [word for card in cards for word in str(card.attrs["class"]).split() if re.fullmatch(r"k\d+", word)]

    assert len(set(places)) == len(places) == len(cards)


def test_the_lesson_begins_with_the_newest_rules() -> None:
    answer = Client().get("/learn/")

    assert (answer.status_code, answer.headers["Location"]) == (302, "/learn/njet60/1/")


@pytest.mark.parametrize("path", ["njet60/0/", "njet60/18/", "goldsieber40/17/", "njet-english/1/", "njet60/x/"])
def test_there_is_no_other_step_or_edition(path: str) -> None:
    assert Client().get(f"/learn/{path}").status_code == 404


@pytest.mark.parametrize(("edition", "number"), [step for step in STEPS if step not in ENDS])
def test_one_link_leads_on_and_says_the_move(edition: str, number: int) -> None:
    page = at(edition, number)
    (link,) = [link for link in page.root.all("a") if "autofocus" in link.attrs]
    assert link.attrs["href"] == f"/learn/{edition}/{number + 1}/"
    assert link.attrs["aria-describedby"] == "said"
    assert link.name.startswith(("Cover ", "Play ", "Discard ", "Go on"))


def test_back_leads_to_the_step_before_and_at_the_start_home() -> None:
    assert leads(at("njet60", 4), "Back") == "/learn/njet60/3/"
    assert leads(at("njet60", 1), "Back") == "/"


def test_skip_leads_to_the_next_part() -> None:
    assert leads(at("njet60", 1), "Skip this part") == "/learn/njet60/4/"


@pytest.mark.parametrize(("edition", "number"), ENDS)
def test_the_end_leads_to_a_game_the_start_and_the_rules(edition: str, number: int) -> None:
    page = at(edition, number)

    assert leads(page, "Play against bots") == "/new/?bots"
    assert leads(page, "Repeat") == f"/learn/{edition}/1/"
    assert page.root.one("summary").text == "Read the rules"
    links = {link.attrs["href"] for link in page.root.all("a")}
    assert links >= {f"/learn/{other}/1/" for other in LESSONS if other != edition}
    real = next(preset.edition for preset in PRESETS.values() if preset.edition.key == edition)
    assert f"A real hand has {real.dealt[4]} cards" in page.text


def test_home_leads_to_the_lesson() -> None:
    assert leads(Phone().open("home"), "Learn NJET in 5 minutes") == "/learn/"


def test_the_menu_and_the_rules_of_a_digital_table_lead_to_the_lesson() -> None:
    phone = watching(DigitalTable(dutch(3)))

    for page in ("menu", "rules"):
        assert leads(phone.open(page), "Learn NJET in 5 minutes") == "/learn/"
