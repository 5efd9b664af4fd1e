"""How much a game or group takes: entries of its log, open invitations."""

from __future__ import annotations

import pytest

from games.errors import GameFull
from games.formats import document
from games.keys import invitations, registry
from games.keys.invitations import MOST_OPEN
from games.models import Invite, Role
from games.rules import Phase, Place
from games.services import seating, tables
from tests.api.client import Api, penalty, place
from tests.api.groups import ApiGroup
from tests.builders import english
from tests.cast.digital import DigitalTable
from tests.cast.pages import sit_down
from tests.cast.tables import Table as PaperTable

pytestmark = pytest.mark.django_db


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """A game takes three entries."""
    monkeypatch.setattr(document, "MOST_ENTRIES", 3)
    monkeypatch.setattr(document, "MOST_DIGITAL_ENTRIES", 3)
    return 3


def test_a_full_game_takes_no_more_entries(api: Api, few: int) -> None:
    table = api.open_table()
    table.act_all(penalty(0, -5), penalty(0, -5))
    assert table.act(penalty(0, -5), request_id="last").status == 201

    refused = [table.act(penalty(0, -5)), table.undo(), table.act(place("trump", "red"))]

    assert {each.refusal for each in refused} == {(422, "game_full")}
    assert (refused[0].params, table.version) == ({"most": few}, few)
    assert table.act(penalty(0, -5), request_id="last").status == 200


def test_a_phone_is_refused_with_a_sentence_by_a_full_game(few: int) -> None:
    table = PaperTable()
    phone = sit_down(table)
    for _ in range(few):
        assert phone.post("act", do="penalty", seat="0", points="-5", reason="late").status == 302

    page = phone.post("act", do="penalty", seat="0", points="-5", reason="late")

    assert (page.status, page.notice.split(",")[0]) == (422, "A game has at most 3 entries")
    assert table.game.version == few


def test_from_a_full_game_a_key_can_still_be_taken(few: int) -> None:
    game = DigitalTable()
    game.step()
    game.step()
    with pytest.raises(GameFull):
        game.step()

    tables.revoke_key(game_id=game.id, key_id=game.keys[1].pk, actor=game.host)
    seating.free_seat(game_id=game.id, seat=2, actor=game.host)

    assert not registry.is_taken(game.game, 1)
    assert not registry.is_taken(game.game, 2)
    assert game.game.version == few + 2


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_longest_game_has_room_for_a_thousand_corrections(players: int) -> None:
    game = DigitalTable(english(players))
    tricks = len(game.full.hands[0])
    game.play_on(lambda state: state.phase is not Phase.PLACING)
    markers = sum(isinstance(step.action, Place) for step in game.ledger.replay.applied)

    at_table = 99 * (markers + 1 + tricks)
    digital = 99 * (1 + markers + 1 + players + tricks * players)

    assert at_table + 1_000 < document.most_entries(digital=False)
    assert digital + 1_000 < document.most_entries(digital=True)


# --- open invitations ---


@pytest.fixture
def few_open(monkeypatch: pytest.MonkeyPatch) -> int:
    """A game or a group has five open invitations."""
    monkeypatch.setattr(invitations, "MOST_OPEN", 5)
    return 5


def test_a_game_has_at_most_50_open_invitations(api: Api) -> None:
    table = api.open_table()
    assert Invite.objects.count() == 2
    answers = [table.post("/invites/", {"role": "viewer"}) for _ in range(MOST_OPEN - 2)]
    assert {answer.status for answer in answers} == {201}

    refused = table.post("/invites/", {"role": "viewer"})

    assert refused.refusal == (422, "too_many_invitations")
    assert (refused.params, Invite.objects.count()) == ({"most": 50}, 50)
    table.api.delete(f"{table.path}/invites/{answers[0].json['id']}/", table.scorekeeper)
    assert table.post("/invites/", {"role": "viewer"}).status == 201


def test_a_phone_is_refused_one_more_invitation_with_a_sentence() -> None:
    table = PaperTable()
    phone = sit_down(table)
    for _ in range(MOST_OPEN):
        invitations.invite(game=table.game, role=Role.VIEWER)

    page = phone.post("phones", role="viewer")

    assert (page.status, page.notice.split(".")[0]) == (422, "50 invitations are open")


def test_a_group_has_as_many_open_invitations_at_most(group: ApiGroup, few_open: int) -> None:
    for _ in range(few_open):
        assert group.post("/invites/", {"role": "viewer"}).status == 201

    assert group.post("/invites/", {"role": "viewer"}).refusal == (422, "too_many_invitations")


def test_a_spent_invitation_is_not_open(api: Api, few_open: int) -> None:
    table = api.open_table()
    for _ in range(few_open):
        made = table.post("/invites/", {"role": "viewer", "single_use": True})
        assert made.status == 201
        assert api.post("/join/", {"code": made.json["code"]}).status == 201
