"""A page that is kept for many phones carries nothing of the one that asked first."""

from __future__ import annotations

import gzip
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.utils.translation import override

from games.pages import page_cache
from games.pages.base_table import MARKS_HEADER
from games.rules import Setup, VoidRound
from games.templatetags.njet import kept_part
from tests.cast.pages import Phone, sit_down
from tests.cast.tables import Table

pytestmark = pytest.mark.any_database


def mine(html: str) -> dict[str, set[str]]:
    """What belongs to the phone that asked."""
    return {
        "secrets": set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', html)),
        "requests": set(re.findall(r'name="request_id" value="(\w+)"', html)),
        "tokens": set(re.findall(r'data-csrf="(\w+)"', html)),
        "keys": set(re.findall(r'data-key="(\w+)"', html)),
    }


def test_a_part_of_a_page_is_rendered_once_for_each_value_and_language() -> None:
    help_of = "games/parts/_help.html"
    first = kept_part(help_of, explanations=(), game_id="one")

    assert kept_part(help_of, explanations=(), game_id="one") is first
    assert "/g/one/rules/" in first
    assert "/g/two/rules/" in kept_part(help_of, explanations=(), game_id="two")
    with override("de"):
        assert kept_part(help_of, explanations=(), game_id="one") is not first


def test_each_phone_gets_its_own_secret_request_and_key(table: Table, ana: Phone, cleo: Phone) -> None:
    table.record("trump red")
    first, second, other = (mine(phone.open().html) for phone in (ana, ana, cleo))

    assert first["keys"] == second["keys"] != other["keys"]
    assert all(len(page["keys"]) == 1 for page in (first, second, other))
    assert len(first["requests"] | second["requests"]) == 2
    assert not first["secrets"] & second["secrets"]
    assert first["tokens"] == first["secrets"]
    assert len(other["tokens"]) == 1


def marks_in(html: str) -> set[str]:
    return {name for name, mark in page_cache.MARKS.items() if mark in html}


def test_no_mark_is_left_in_an_answer(table: Table, ana: Phone) -> None:
    for _ in range(2):
        assert not marks_in(ana.open().html)


@pytest.mark.parametrize("address", ["", "?board", "?since=0"])
def test_a_phone_that_fills_in_the_marks_gets_the_fragment_as_all_others_of_its_kind(
    table: Table, ana: Phone, address: str
) -> None:
    table.record("trump red")
    page = f"/g/{table.id}/{address}"

    filled = ana.client.get(page, headers={"HX-Request": "true"}).content.decode()
    marked, again = (ana.client.get(page, headers={"HX-Request": "true", MARKS_HEADER: "1"}) for _ in range(2))
    packed = ana.client.get(page, headers={"HX-Request": "true", MARKS_HEADER: "1", "Accept-Encoding": "gzip"})

    text = marked.content.decode()
    assert marks_in(text) == set(page_cache.OF_A_FRAGMENT)
    assert marked.content == again.content == gzip.decompress(packed.content)
    for mark, own in zip(page_cache.OF_A_FRAGMENT, ("tokens", "requests", "keys"), strict=True):
        text = text.replace(f"<{mark}>", min(mine(filled)[own]))
    assert text == filled.replace("\n", " ")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Cache-Control"] == marked.headers["Cache-Control"] == "no-store"


def test_a_name_that_looks_like_a_mark_is_not_filled_in(ana: Phone) -> None:
    setup = Setup.of(preset="njet-english", names=["<key_id>", "<csrf_token>", "Cleo"])
    phone = sit_down(Table(setup))

    assert {"<key_id>", "<csrf_token>"} <= set(phone.open().text.split())


@pytest.mark.parametrize("break_", ["\r", "\n", "\r\n"])
def test_a_typed_line_break_does_not_end_the_line_of_an_event(table: Table, ana: Phone, break_: str) -> None:
    table.record(VoidRound(f"misdeal{break_ * 2}event: bye{break_}data: "))

    fragment = ana.client.get(f"/g/{table.id}/", headers={"HX-Request": "true", MARKS_HEADER: "1"}).content

    assert b"misdeal" in fragment
    assert not {*b"\r\n"} & {*fragment}


def test_two_threads_render_a_page_once(ana: Phone) -> None:
    rendering, waiting, times = Event(), Event(), []

    def context() -> dict[str, object]:
        times.append(1)
        rendering.set()
        waiting.wait(5)
        return {}

    def page() -> bytes:
        return page_cache.kept("games/errors/no_group.html", context, version=1, kind="twice").content

    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(page)
        rendering.wait(5)
        second = threads.submit(page)
        waiting.set()

        assert first.result() == second.result()
    assert len(times) == 1


def test_a_page_that_fails_is_not_kept() -> None:
    page_cache._kept.clear()

    with pytest.raises(ZeroDivisionError):
        page_cache.kept("games/errors/no_group.html", lambda: {"number": 1 // 0}, version=1, kind="failing")

    assert len(page_cache._kept) == 0


def test_a_page_is_rendered_once_for_all_who_may_do_the_same(table: Table, ana: Phone) -> None:
    page_cache._kept.clear()

    ana.open()
    ana.open()
    assert len(page_cache._kept) == 1

    table.record("trump red")
    assert 'data-version="1"' in ana.open().html
    assert len(page_cache._kept) == 2


def test_a_viewer_is_never_shown_the_page_of_a_scorekeeper(table: Table, ana: Phone, cleo: Phone) -> None:
    table.record("trump red")

    assert "undo" in ana.open().html
    assert 'class="undo"' not in cleo.open().html
    assert "You are watching." in cleo.open().text
    assert "You are watching." not in ana.open().text


def test_the_number_of_cached_pages_is_limited(table: Table, ana: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    page_cache._kept.clear()
    monkeypatch.setattr(page_cache, "MOST_KEPT", 16)

    for number in range(page_cache.MOST_KEPT + 10):
        ana.get(f"/g/{table.id}/?partners={number}")

    assert len(page_cache._kept) == page_cache.MOST_KEPT


def test_an_address_may_not_ask_for_what_no_one_knows(table: Table, ana: Phone) -> None:
    assert "nonsense" not in ana.get(f"/g/{table.id}/?board&nonsense=1").html
