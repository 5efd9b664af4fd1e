"""What a browser without a key leaves in the database, and what an old session id is good for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from django.apps import apps
from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver

from games.keys import invitations, limits
from games.models import Game, Group, GroupKey, Key, Role
from tests.cast.groups import new_group
from tests.cast.pages import Page, Phone, come_in, sit_down
from tests.cast.tables import Table, at_once
from tests.pages.addresses import ANY_GAME, SAMPLES

pytestmark = pytest.mark.django_db

TYPED = {"name-0": "Dan", "name-1": "Eve"}


def routes(patterns: list[URLPattern | URLResolver], prefix: str = "/") -> Iterator[str]:
    """Every address of the program, with samples for its parameters."""
    for pattern in patterns:
        route = str(pattern.pattern)
        for name in pattern.pattern.converters:
            route = re.sub(rf"<(\w+:)?{name}>", str(SAMPLES.get(name, ANY_GAME)), route)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, prefix + route)
        else:
            yield prefix + route


def rows() -> int:
    """All rows of all tables."""
    return sum(model.objects.count() for model in apps.get_models())


@pytest.mark.slow
def test_no_get_without_a_cookie_stores_a_row(subtests: pytest.Subtests) -> None:
    addresses = list(routes(get_resolver().url_patterns))
    assert len(addresses) > 100
    assert {"/new/", "/import/", "/groups/new/", "/api/v1/games/"} <= set(addresses)

    for address in addresses:
        with subtests.test(address):
            before = rows()
            client = Phone().client
            client.cookies.clear()

            answer = client.get(address)

            assert rows() == before
            assert settings.SESSION_COOKIE_NAME not in answer.cookies


# --- two taps at once ---


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("knows_tables", [False, True])
def test_two_taps_at_once_found_one_group(knows_tables: bool) -> None:
    phone = sit_down(Table()) if knows_tables else Phone()
    fields = {**phone.open("group_new").fields("Create group"), "name": "Friday club", "label": "Ana"}

    for _ in range(20):
        phones = [phone.before_the_answer() for _ in range(2)]
        answers = at_once(*[lambda each=each: each.send_to("/groups/new/", fields) for each in phones])

    group = Group.objects.get()
    assert {answer.headers["Location"] for answer in answers} == {f"/groups/{group.pk}/"}
    assert GroupKey.objects.count() == 1
    for each in phones:
        assert each.get(f"/groups/{group.pk}/").status == 200
        home = each.open("home")
        assert home.offers("Friday club")
        assert home.offers("Continue") == knows_tables


def test_the_same_form_with_another_name_founds_another_group() -> None:
    phone = Phone()
    fields = phone.open("group_new").fields("Create group")

    for name in ("Friday club", "Sunday club"):
        phone.send_to("/groups/new/", {**fields, "name": name})

    assert Group.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_taps_at_once_on_an_invitation_leave_the_phone_its_tables() -> None:
    table = Table()
    token = invitations.invite(game=table.game, role=Role.VIEWER).token
    phone = sit_down(Table())
    fields = phone.get(f"/join/{token}/").fields("Join")
    assert "sit" in fields
    phones = [phone.before_the_answer() for _ in range(2)]

    at_once(*[lambda each=each: each.send_to(f"/join/{token}/", fields) for each in phones])

    for each in phones:
        home = each.open("home")
        assert home.offers("Continue")
        assert len(home.root.one("ul", class_="tables").all("li")) == 1


# --- old session ids ---


def open_table(phone: Phone) -> tuple[Page, dict[str, str]]:
    """Open a table; also what the form has sent."""
    fields = {**phone.open("new").fields("Start"), **TYPED}
    return Page(phone, phone.send_to("/new/", fields, follow=True)), fields


def test_a_planted_session_id_gets_nothing_new_from_the_table_that_its_victim_opens() -> None:
    victim = sit_down(Table())
    attacker = Phone()
    attacker.client.cookies[settings.SESSION_COOKIE_NAME] = victim.client.cookies[settings.SESSION_COOKIE_NAME].value
    attacker.client.cookies[settings.CSRF_COOKIE_NAME] = "a" * 32
    _, fields = open_table(victim)
    game = Game.objects.get(seats__name="Dan")

    assert attacker.get(f"/g/{game.pk}/").status == 404
    stolen = {**fields, "csrfmiddlewaretoken": "a" * 32}
    answer = attacker.send_to("/new/", stolen)

    assert answer.headers["Location"] != f"/g/{game.pk}/"
    assert attacker.get(f"/g/{game.pk}/").status == 404
    assert Key.objects.filter(game=game).count() == 1
    assert victim.get(f"/g/{game.pk}/").status == 200


# --- limits ---

PUBLIC, SAME_HOME, OTHER_HOME = "2001:470::1", "2001:470::ffff:1", "2001:470:0:1::1"


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits of two, so that a test reaches them."""
    for name in ("CREATIONS", "IMPORTS", "FOUNDATIONS"):
        monkeypatch.setattr(limits, name, replace(getattr(limits, name), most=2))


FORMS = {
    "new": ("Start", TYPED),
    "import": ("Import", {"text": "{}"}),
    "group_new": ("Create group", {"name": "Friday club"}),
}


def sent(address: str, name: str) -> Page:
    """A browser without a key fills in a form."""
    page = Phone(address=address).open(name)
    button, typed = FORMS[name]
    return page.fill_in(typed, press=button)


@pytest.mark.parametrize("name", FORMS)
def test_what_an_address_creates_without_a_key_is_limited(few: None, name: str) -> None:
    before = [sent(PUBLIC, name), sent(SAME_HOME, name)]
    games, groups = Game.objects.count(), Group.objects.count()

    refused = sent(PUBLIC, name)

    assert all(page.status != 429 for page in before)
    assert refused.status == 429
    assert "Too many new tables, groups or imported games from this network." in refused.text
    assert 3500 < int(refused.response.headers["Retry-After"]) <= 3600
    assert (Game.objects.count(), Group.objects.count()) == (games, groups)
    assert sent(OTHER_HOME, name).status != 429


@pytest.mark.parametrize("name", FORMS)
def test_a_home_has_no_limit(few: None, name: str) -> None:
    statuses = {sent(address, name).status for address in ("127.0.0.1", "192.168.0.7", "fe80::1") * 2}

    assert 429 not in statuses


def test_behind_a_proxy_every_address_has_the_limit(few: None, settings: object) -> None:
    settings.HTTPS = True

    statuses = [sent("192.168.0.7", "group_new").status for _ in range(3)]

    assert statuses == [200, 200, 429]


def test_members_open_tables_in_their_group_without_a_limit(few: None) -> None:
    member = come_in(new_group())
    member.client.defaults["REMOTE_ADDR"] = PUBLIC

    page = {"group": member.group_key.group_id}
    statuses = [member.open("new", **page).fill_in(TYPED, press="Start").status for _ in range(3)]

    assert statuses == [200] * 3


def test_a_club_opens_120_tables_an_hour() -> None:
    assert [(each.most, each.window) for each in (limits.CREATIONS, limits.IMPORTS, limits.FOUNDATIONS)] == [
        (120, timedelta(hours=1)),
        (30, timedelta(hours=1)),
        (20, timedelta(hours=1)),
    ]
