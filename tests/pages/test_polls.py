"""A phone that polls is present, and uses the session id that it was given last."""

from __future__ import annotations

import pytest
from django.conf import settings

from games.keys import sessions
from games.keys.session_store import EXPIRY, SessionStore
from games.live.hub import hub
from games.pages.base_table import MARKS_HEADER
from games.pages.presence import HERE
from tests.cast.pages import Phone
from tests.cast.tables import Table

pytestmark = pytest.mark.django_db

ASKING = {"HX-Request": "true", MARKS_HEADER: "1"}


def test_a_phone_that_asks_is_present(table: Table, ana: Phone) -> None:
    assert ana.key is not None

    answer = ana.client.get(f"/g/{table.id}/?since={table.version}", headers=ASKING)

    assert ana.key.pk in hub.present(table.id)
    assert ana.key.label in answer.headers[HERE].encode().decode("unicode_escape")


def test_a_session_id_is_first_used_by_asking(table: Table, ana: Phone) -> None:
    old = ana.client.cookies[settings.SESSION_COOKIE_NAME].value
    with_key = SessionStore(old)
    sessions.remember(with_key, Table().key)
    with_key.save()
    ana.client.cookies[settings.SESSION_COOKIE_NAME] = with_key.session_key

    answer = ana.client.get(f"/g/{table.id}/?since={table.version}", headers=ASKING)

    assert answer.status_code == 204
    assert answer.cookies[settings.SESSION_COOKIE_NAME].value == with_key.session_key
    assert EXPIRY in SessionStore(old)
