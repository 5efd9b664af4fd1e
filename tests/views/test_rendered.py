"""A page that is kept for many phones carries nothing of the one that asked first."""

from __future__ import annotations

import re

import pytest

from games.pages import page_cache
from tests.services.tables import Table
from tests.views.pages import Phone

pytestmark = pytest.mark.any_database


def mine(html: str) -> dict[str, set[str]]:
    """What belongs to the phone that asked."""
    return {
        "secrets": set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', html)),
        "requests": set(re.findall(r'name="request_id" value="(\w+)"', html)),
        "keys": set(re.findall(r'data-key="(\w+)"', html)),
    }


def test_each_phone_gets_its_own_secret_request_and_key(table: Table, ana: Phone, cleo: Phone) -> None:
    table.record("trump red")
    first, second, other = (mine(phone.open().html) for phone in (ana, ana, cleo))

    assert first["keys"] == second["keys"] != other["keys"]
    assert all(len(page["keys"]) == 1 for page in (first, second, other))
    assert len(first["requests"] | second["requests"]) == 2
    assert not first["secrets"] & second["secrets"]


def test_no_mark_is_left_in_an_answer(table: Table, ana: Phone) -> None:
    for _ in range(2):
        assert "mark-" not in ana.open().html


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


def test_only_so_many_pages_are_kept(table: Table, ana: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    page_cache._kept.clear()
    monkeypatch.setattr(page_cache._kept, "most", 16)

    for number in range(page_cache._kept.most + 10):
        ana.get(f"/g/{table.id}/?partners={number}")

    assert len(page_cache._kept) == page_cache._kept.most


def test_an_address_may_not_ask_for_what_no_one_knows(table: Table, ana: Phone) -> None:
    assert "nonsense" not in ana.get(f"/g/{table.id}/?board&nonsense=1").html
