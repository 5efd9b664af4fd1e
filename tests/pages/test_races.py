"""A table that disappears while somebody taps: gone, and no fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from games.models import Game, Key
from tests.cast.pages import Phone, sit_down
from tests.cast.tables import ROUND_1, ROUND_2, Table, at_once

pytestmark = pytest.mark.django_db


@contextmanager
def deleted_before_the_write(table: Table) -> Iterator[None]:
    """Another phone deletes the table when the block's request has been let in and is about to write."""
    done = []

    def delete_first(execute: Callable[..., object], sql: str, *rest: object) -> object:
        if not done and sql.startswith("SAVEPOINT"):
            done.append(sql)
            Game.objects.filter(pk=table.id).delete()
        return execute(sql, *rest)

    with connection.execute_wrapper(delete_first):
        yield
    assert done


WRITES = {
    "act": {"do": "penalty", "seat": "0", "points": "-5", "reason": "late"},
    "undo": {"sure": "1"},
    "undo_to": {"version": "6"},
    "correct_confirm": {"changes": '[{"seq": 3, "delete": true}]'},
    "setup": {"rounds": "3"},
    "penalty": {"seat": "0", "points": "-5", "reason": "late", "sure": "0:-5:late"},
    "lock": {},
    "reopen": {},
}


@pytest.mark.parametrize("name", WRITES)
def test_a_table_that_is_deleted_in_the_middle_of_a_tap_is_simply_gone(finished: Table, ana: Phone, name: str) -> None:
    further = [1] if name in ("undo_to", "correct_confirm") else []

    with deleted_before_the_write(finished):
        page = ana.post_to(ana.address_of(name, *further), WRITES[name])

    assert page.status == 404
    assert page.notice == "There is nothing here."


# --- two taps at once ---


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("knows_tables", [False, True])
def test_two_starts_at_once_open_one_table(knows_tables: bool) -> None:
    phone = sit_down(Table()) if knows_tables else Phone()
    page = phone.open("new")
    fields = {**page.fields("Start"), "name-0": "Dan", "name-1": "Eve"}
    phones = [phone.before_the_answer() for _ in range(6)]

    answers = at_once(*[lambda each=each: each.send_to("/new/", fields) for each in phones])

    game = Game.objects.get(seats__name="Dan")
    assert {answer.headers["Location"] for answer in answers} == {f"/g/{game.pk}/"}
    for each in phones:
        assert each.get(f"/g/{game.pk}/").press("Start placing").offers("Cover red")
        links = [link.attrs["href"] for link in each.open("home").root.one("main").all("a")]
        assert len([link for link in links if link.startswith("/g/")]) == 1 + knows_tables
    assert Key.objects.filter(game=game).count() == 1


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("place", ["table", "menu"])
def test_two_rematches_at_once_open_one_table(place: str) -> None:
    table = Table(None, *ROUND_1, *ROUND_2)
    phone = sit_down(table)
    fields = phone.open(place).fields("Rematch")
    phones = [phone.before_the_answer() for _ in range(6)]

    answers = at_once(*[lambda each=each: each.send_to(each.address_of("rematch"), fields) for each in phones])

    game = Game.objects.get(rematch_of=table.id)
    assert {answer.headers["Location"] for answer in answers} == {f"/g/{game.pk}/"}
    for each in phones:
        assert each.get(f"/g/{game.pk}/").press("Start placing").offers("Cover red")
        assert each.open().status == 200


@pytest.mark.django_db(transaction=True)
def test_two_phones_that_begin_a_rematch_at_once_sit_at_one_table() -> None:
    table = Table(None, *ROUND_1, *ROUND_2)
    phones = [sit_down(table, label=label) for label in ("Ana", "Ben", "Cleo", "Dan")]
    forms = [phone.open().fields("Rematch") for phone in phones]

    answers = at_once(
        *[
            lambda phone=phone, form=form: phone.send_to(phone.address_of("rematch"), form)
            for phone, form in zip(phones, forms, strict=True)
        ]
    )

    game = Game.objects.get(rematch_of=table.id)
    assert {answer.headers["Location"] for answer in answers} == {f"/g/{game.pk}/"}
    assert all(phone.get(f"/g/{game.pk}/").offers("Start placing") for phone in phones)
    assert sorted(Key.objects.filter(game=game).values_list("label", flat=True)) == ["Ana", "Ben", "Cleo", "Dan"]
