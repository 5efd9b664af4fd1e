"""Coming in by link, QR code or typed code; phones at a table, their keys and what they are called."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import F
from django.utils import timezone

from games.keys import invitations, registry
from games.keys.invitations import Invitation
from games.models import Attempt, Invite, Key, Role
from tests.cast.digital import DigitalTable
from tests.cast.pages import Page, Phone, fields_of, sit_down
from tests.cast.tables import Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def invitation(table: Table) -> Invitation:
    """A way in for a scorekeeper."""
    return invitations.invite(game=table.game, role=Role.SCOREKEEPER)


@pytest.fixture
def to_watch(table: Table) -> Invitation:
    """A way in for a viewer."""
    return invitations.invite(game=table.game, role=Role.VIEWER)


def link_of(invitation: Invitation) -> str:
    """The address of a join link."""
    return f"/join/{invitation.token}/"


def later(**duration: float) -> None:
    """Let time pass."""
    gone = timedelta(**duration)
    Invite.objects.update(created_at=F("created_at") - gone, expires_at=F("expires_at") - gone)
    Attempt.objects.update(at=F("at") - gone)


def type_code(phone: Phone, code: str) -> Page:
    """Type a code into the page that asks for it."""
    return phone.open("join").press("Next", code=code)


# --- to the big board ---


def at_the_television() -> Page:
    """The page at the short address."""
    television = Phone()
    return television.get(television.get("/tv/").response.url)


@pytest.mark.parametrize("table", [Table, DigitalTable])
def test_a_television_types_a_code_and_shows_the_big_board(db: None, table: Callable[[], Table | DigitalTable]) -> None:
    game = table()
    shown = Phone().sits(game, registry.issue(game=game.game, role=Role.VIEWER)).open("phones")
    shown = shown.press("Big board for a TV")

    page = at_the_television().press("Next", code=shown.root.one("p", class_="big-code").text)
    assert "testserver/tv" in shown.text
    assert not page.root.all("label", class_="pick")
    page = page.press("Show the board")

    assert page.response.redirect_chain == [(f"/g/{game.id}/board/", 302)]
    key = Key.objects.latest("pk")
    assert (key.role, key.label) == (Role.VIEWER, "TV")


@pytest.mark.parametrize("table", [Table, DigitalTable])
def test_the_menu_too_shows_the_code_for_a_television(db: None, table: Callable[[], Table | DigitalTable]) -> None:
    game = table()
    menu = Phone().sits(game, registry.issue(game=game.game, role=Role.VIEWER)).open("menu")

    shown = menu.press("Big board for a TV")

    assert "testserver/tv" in shown.text
    assert f"/g/{game.id}/board/" in [each.attrs["href"] for each in shown.root.all("a")]


def test_the_page_for_a_television_is_not_worded_for_phones() -> None:
    page, phone = at_the_television(), Phone().open("join")

    assert ["njet/scan" in each.html for each in (page, phone)] == [False, True]
    assert [each.root.one("h1").text for each in (page, phone)] == ["Big board for a TV", "Join a table"]


def test_a_link_to_the_big_board_asks_no_name_either(table: Table, to_watch: Invitation) -> None:
    page = Phone().get(link_of(to_watch), to="board")
    assert not page.root.all("label", class_="pick")

    assert page.press("Show the board").response.redirect_chain == [(f"/g/{table.id}/board/", 302)]


def test_the_address_of_a_television_leads_who_records_to_the_table(table: Table, invitation: Invitation) -> None:
    page = at_the_television().press("Next", code=invitation.code)

    assert page.press("Join", label="Ben").response.redirect_chain == [(f"/g/{table.id}/", 302)]


# --- by link ---


def test_the_names_to_choose_from_stand_beside_their_tokens(table: Table, invitation: Invitation) -> None:
    page = Phone().get(link_of(invitation))

    picks = [each.text for each in page.root.all("label", class_="pick")]

    assert picks == ["A Ana", "B Ben", "C Cleo", "none of these"]


def test_a_bot_has_no_phone(db: None) -> None:
    game = DigitalTable(bots={1: "easy"})

    page = Phone().get(link_of(invitations.invite(game=game.game, role=Role.VIEWER)))

    assert [each.text for each in page.root.all("label", class_="pick")] == ["A Ana", "C Cleo", "none of these"]


def test_looking_at_a_link_changes_nothing(table: Table, invitation: Invitation) -> None:
    phone = Phone()
    keys, invites = list(Key.objects.values()), list(Invite.objects.values())

    for _ in range(3):
        page = phone.get(link_of(invitation))

        assert page.status == 200
        assert settings.SESSION_COOKIE_NAME not in page.response.cookies
    assert "The table of Ana, Ben and Cleo ." in page.text
    assert "You join as a scorekeeper" in page.text
    assert list(Key.objects.values()) == keys
    assert list(Invite.objects.values()) == invites
    assert not Session.objects.exists()
    assert not Attempt.objects.exists()


def test_the_button_claims_a_place_and_leads_to_an_address_without_the_secret(
    table: Table, invitation: Invitation
) -> None:
    phone = Phone()

    page = phone.get(link_of(invitation)).press("Join", label="Ben")

    assert page.response.redirect_chain == [(f"/g/{table.id}/", 302)]
    assert invitation.token not in page.html
    assert page.offers("Start placing")
    key = Key.objects.latest("pk")
    assert (key.game_id, key.role, key.label, key.secret_hash) == (table.id, Role.SCOREKEEPER, "Ben", None)


def test_joining_gives_the_session_a_new_name_and_the_old_one_opens_nothing(
    table: Table, invitation: Invitation
) -> None:
    phone = sit_down(Table())
    before = phone.client.session.session_key

    phone.get(link_of(invitation)).press("Join")

    assert phone.client.session.session_key != before
    thief = Phone()
    thief.table = table
    thief.client.cookies[settings.SESSION_COOKIE_NAME] = before
    assert thief.open().status == 404
    # The page of the table was the first use of the new name.
    assert Session.objects.get(pk=before).expire_date < timezone.now() + timedelta(minutes=1)


def test_a_session_that_somebody_else_chose_is_not_taken_over(table: Table, invitation: Invitation) -> None:
    phone = Phone()
    phone.client.cookies[settings.SESSION_COOKIE_NAME] = "chosenbysomebodyelsechosenbysome"

    phone.get(link_of(invitation)).press("Join")

    assert phone.client.session.session_key != "chosenbysomebodyelsechosenbysome"


def test_a_phone_without_a_name_gets_a_number(table: Table, invitation: Invitation) -> None:
    Phone().get(link_of(invitation)).press("Join", label="")

    assert Key.objects.latest("pk").label == "Phone 2"


@pytest.mark.parametrize("token", ["x", "%00", "A" * 22, "%ff%fe", "0" * 3000])
def test_a_link_that_no_one_made_opens_nothing(db: None, token: str) -> None:
    page = Phone().get(f"/join/{token}/")

    assert page.status == 404
    assert page.code == "invite_not_valid"
    assert page.offers("Next")


# --- by code ---


@pytest.mark.parametrize("write", [str, str.lower, lambda code: f"  {code[:2]} {code[2:].lower()} ".replace("-", " ")])
def test_a_code_is_read_as_people_write_it(table: Table, invitation: Invitation, write: Callable[[str], str]) -> None:
    page = type_code(Phone(), write(invitation.code))
    assert "The table of Ana, Ben and Cleo" in page.text
    assert not Key.objects.filter(label="Cleo").exists()

    page = page.press("Join", label="Cleo")

    assert page.address == f"/g/{table.id}/"
    assert Key.objects.latest("pk").label == "Cleo"


def test_a_wrong_code_says_so_and_stays_typed(db: None) -> None:
    page = type_code(Phone(), "ABCD-1234")

    assert page.status == 404
    assert page.code == "invite_not_valid"
    assert page.fields("Next")["code"] == "ABCD-1234"


def test_what_is_no_code_opens_nothing(db: None, invitation: Invitation) -> None:
    for code in ("", "-", "ÄÖÜ", "U" * 8, "\0", "0" * 5000):
        assert Phone().post_to("/join/", {"code": code}).status == 404
        assert Phone().post_to("/join/", {"code": code, "sit": "1"}).status == 404


# --- guessing ---


def test_after_ten_wrong_codes_an_address_has_to_wait(invitation: Invitation) -> None:
    phone = Phone(address="10.0.0.1")
    for _ in range(10):
        assert type_code(phone, "0000-0000").status == 404

    page = type_code(phone, "0000-0000")

    assert page.status == 429
    assert page.is_page
    assert page.code == "too_many_requests"
    assert 0 < int(page.response.headers["Retry-After"]) <= 600
    assert type_code(phone, invitation.code).status == 200


# --- what an invitation is worth ---


def test_an_invitation_that_runs_out_on_the_welcome_page_is_refused(invitation: Invitation) -> None:
    page = Phone().get(link_of(invitation))
    later(hours=13)

    page = page.press("Join")

    assert page.status == 404
    assert page.code == "invite_not_valid"


# --- the phones at a table ---


@pytest.mark.parametrize("role", ["scorekeeper", "viewer"])
def test_a_scorekeeper_invites_by_qr_code_link_and_code(table: Table, ana: Phone, role: str) -> None:
    page = ana.open("phones").press(f"Invite a {role}")

    shown = page.root.one("section", class_="card")
    assert shown.one("h2").text == f"Join as {role}"
    assert shown.one("svg", class_="qr").one("path").attrs["d"].startswith("M")
    link = shown.one("a").attrs["href"]
    assert shown.one("a").text == link
    assert link.startswith("http://testserver/join/")
    newcomer = Phone().get(link.removeprefix("http://testserver")).press("Join")
    assert newcomer.offers("Start placing") is (role == "scorekeeper")
    assert type_code(Phone(), shown.one("p", class_="big-code").text).status == 200


def test_a_link_that_is_shared_in_the_replay_leads_to_the_step_that_was_shown(table: Table, ana: Phone) -> None:
    table.record("trump red", "points 4", "trump blue")

    page = ana.open("replay_step", 2).press("Share a link to this step")

    link = page.root.one("input", id="link").attrs["value"]
    assert link.endswith("/?step=2")
    assert page.root.one("h1").text == "Share this step"
    assert "The link opens the game at this step." in page.text
    assert f"/g/{table.id}/replay/2/" in [each.attrs["href"] for each in page.root.all("a")]
    newcomer = Phone().get(link.removeprefix("http://testserver")).press("Join")
    assert newcomer.address == f"/g/{table.id}/replay/2/"
    # Who is there already gets there again.
    again = newcomer.phone.get(link.removeprefix("http://testserver")).press("Join")
    assert again.address == newcomer.address


def test_a_link_to_no_step_leads_to_the_table(table: Table, to_watch: Invitation) -> None:
    for step in ("", "x", "-1", "²", "9" * 40):
        assert Phone().get(f"{link_of(to_watch)}?step={step}").press("Join").address == f"/g/{table.id}/"


def test_a_link_to_a_step_that_is_gone_leads_to_the_last(table: Table, to_watch: Invitation) -> None:
    table.record("trump red")

    page = Phone().get(f"{link_of(to_watch)}?step=70").press("Join")

    assert page.address == f"/g/{table.id}/replay/1/"


def test_each_invitation_is_made_again_and_shown_once(ana: Phone) -> None:
    page = ana.open("phones")

    shown = {page.press("Invite a viewer").root.one("p", class_="big-code").text for _ in range(5)}

    assert len(shown) == 5
    assert not any(code in ana.open("phones").html for code in shown)


def test_a_viewer_invites_viewers_only(table: Table, cleo: Phone) -> None:
    page = cleo.open("phones")
    assert not page.offers("Invite a scorekeeper")
    assert page.press("Invite a viewer").root.one("section", class_="card").one("h2").text == "Join as viewer"

    made = cleo.post("phones", role="scorekeeper")

    assert set(Invite.objects.values_list("role", flat=True)) == {"viewer"}
    guest = Phone()
    guest.get(made.root.one("a", class_="link").attrs["href"].removeprefix("http://testserver")).press("Join")
    assert not Key.objects.latest("pk").may_record


def test_a_viewer_can_never_make_an_invitation_to_record(cleo: Phone) -> None:
    """With no field of the page, and not through its address either."""
    for sent in (
        ["scorekeeper"],
        ["viewer", "scorekeeper"],
        ["scorekeeper", "viewer"],
        ["scorekeeper "],
        ["Scorekeeper"],
    ):
        cleo.post("phones", role=sent)
    cleo.post_to(cleo.address_of("phones") + "?role=scorekeeper", {})
    cleo.get(cleo.address_of("phones"), role="scorekeeper")

    assert not Invite.objects.filter(role=Role.SCOREKEEPER).exists()


def test_a_phone_that_was_made_a_viewer_again_makes_no_invitation_to_record(table: Table, ben: Phone) -> None:
    page = ben.open("phones")
    registry.revoke(ben.key)
    ben.sits(table, registry.issue(game=table.game, role=Role.VIEWER, label="Ben"))

    page.press("Invite a scorekeeper")

    assert set(Invite.objects.values_list("role", flat=True)) == {"viewer"}


@pytest.mark.parametrize("role", ["", "host", "SCOREKEEPER", "\0"])
def test_a_role_that_does_not_exist_is_a_viewers(ana: Phone, role: str) -> None:
    ana.post("phones", role=role)

    assert Invite.objects.get().role == Role.VIEWER


def test_everybody_sees_whose_phones_are_at_the_table(table: Table, ana: Phone, ben: Phone, cleo: Phone) -> None:
    for phone in (ana, ben, cleo):
        devices = [item.one("b").text for item in phone.open("phones").root.one("ul", class_="plain").all("li")]

        assert {"Phone 1", "Ben’s phone", "Cleo’s phone"} <= set(devices)
    assert "Ben’s phone · this phone scorekeeper" in ben.open("phones").text


def test_a_phone_says_whose_it_is(table: Table, cleo: Phone) -> None:
    page = cleo.open("phones").press("Cleo")

    assert [chip.text for chip in page.root.all("button", name="label", aria_pressed="true")] == ["C Cleo"]
    cleo.key.refresh_from_db()
    assert cleo.key.label == "Cleo"


@pytest.mark.parametrize(
    ("typed", "label"),
    [("  Ana\tMaria ", "Ana Maria"), ("", "Ben’s phone"), ("\0", "Ben’s phone"), ("x" * 500, "x" * 60), ("<b>", "<b>")],
)
def test_a_label_is_tidied_up(ben: Phone, typed: str, label: str) -> None:
    page = ben.post("label", label=typed)

    assert page.status == 302
    ben.key.refresh_from_db()
    assert ben.key.label == label
    assert ben.open("phones").status == 200


def test_a_key_that_is_taken_back_opens_nothing_at_once(table: Table, ana: Phone, ben: Phone) -> None:
    assert ben.open().status == 200
    page = ana.open("phones")
    (device,) = (item for item in page.root.all("li") if item.all("b") and item.one("b").text == "Ben’s phone")

    page = ana.send(device.one("form"), fields_of(device.one("form")), page)

    assert page.address == ana.address_of("phones")
    assert "Ben’s phone" not in page.text
    assert ben.open().status == 404
    assert ben.post("act", do="place", space="trump:red").status == 404
    assert "Ana, Ben, Cleo" not in ben.open("home").text
    assert table.version == 0


def test_ones_own_key_cannot_be_taken_back_by_mistake(table: Table, ana: Phone) -> None:
    assert ana.post("revoke", ana.key.pk).status == 302

    assert ana.open().status == 200


def test_at_a_locked_game_there_are_links_to_watch_only(locked: Table, ana: Phone) -> None:
    page = ana.open("menu").press("Send a link")

    assert page.root.one("input", id="link")
    assert not ana.open("phones").offers("Invite a scorekeeper")
    ana.post("phones", role="scorekeeper")
    assert set(Invite.objects.values_list("role", flat=True)) == {"viewer"}
