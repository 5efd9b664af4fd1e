"""Removed key holders stay out: invitations that are spent, listed, withdrawn, and that end with a revoked key."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.db.models import F

from games.errors import NotFound
from games.keys import invitations, registry
from games.models import Group, GroupInvite, GroupKey, GroupRole, Invite, Key, Role
from games.services import groups
from tests.builders import dutch
from tests.cast.digital import DigitalTable
from tests.cast.pages import Node, Page, Phone, come_in, fields_of
from tests.cast.seats import at_seats, hosting
from tests.cast.tables import Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(db: None) -> DigitalTable:
    """Three people, nothing done yet."""
    return DigitalTable(dutch(3, rounds=2))


def link_of(page: Page) -> str:
    """The address of the invitation that a page shows."""
    return page.root.one("section", id="invitation").one("a").attrs["href"].removeprefix("http://testserver")


def lines(page: Page) -> list[Node]:
    """The list of open invitations."""
    return [item for each in page.root.all("ul", class_="invitations") for item in each.all("li")]


def take_back(phone: Phone, page: str, label: str) -> Page:
    """Take the key of this phone back, on a page that lists it."""
    shown = phone.open(page)
    (device,) = (item for item in shown.root.all("li") if item.all("b") and item.one("b").text == label)
    form = device.all("form")[-1]
    return phone.send(form, fields_of(form), shown)


def refused(phone: Phone, link: str) -> bool:
    """Whether an invitation opens nothing for a phone, neither its page nor its button."""
    looked = phone.get(link)
    sent = phone.post_to(link, {"sit": "1", "request_id": "0" * 32})
    return looked.status == sent.status == 404 and looked.code == "invite_not_valid"


# --- out is out ---


def test_a_key_holder_who_was_removed_does_not_come_in_again_by_the_same_link(table: Table, ana: Phone) -> None:
    link = link_of(ana.open("phones").press("Invite a scorekeeper"))
    eve = Phone()
    assert eve.get(link).press("Join", label="Cleo").offers("Start placing")

    page = take_back(ana, "phones", "Cleo")

    assert "1 open invitation was withdrawn with the key." in page.text
    assert refused(eve, link)
    assert eve.get(f"/g/{table.id}/").status == 404


def test_a_key_that_was_just_revoked_makes_no_invitation(table: Table, group: Group) -> None:
    key = registry.issue(game=table.game, role=Role.SCOREKEEPER)
    member = registry.issue(group=group, role=GroupRole.MEMBER)
    for each in (Key.objects.get(pk=key.pk), GroupKey.objects.get(pk=member.pk)):
        registry.revoke(each)

    with pytest.raises(NotFound):
        invitations.invite(game=table.game, role=Role.SCOREKEEPER, maker=key)
    with pytest.raises(NotFound):
        invitations.invite_to_group(group=group, role=GroupRole.MEMBER, maker=member)
    assert not Invite.objects.exists()
    assert not GroupInvite.objects.exists()


def test_an_invitation_to_less_stays(table: Table, ana: Phone, ben: Phone) -> None:
    link = link_of(ana.open("phones").press("Invite a viewer"))

    page = take_back(ana, "phones", "Ben’s phone")

    assert "withdrawn with the key" not in page.text
    assert Phone().get(link).status == 200


def test_the_invitations_that_a_phone_made_go_with_its_key(ana: Phone, ben: Phone) -> None:
    links = [link_of(ben.open("phones").press(f"Invite a {role}")) for role in ("viewer", "scorekeeper")]

    page = take_back(ana, "phones", "Ben’s phone")

    assert "2 open invitations were withdrawn with the key." in page.text
    assert all(refused(Phone(), link) for link in links)


def test_the_page_says_what_goes_with_a_key_before_it_is_taken_back(ana: Phone, cleo: Phone, olga: Phone) -> None:
    sentence = "Removing a phone also ends the open invitations to its role, and to roles that may do more."

    assert sentence in ana.open("phones").text
    assert sentence not in cleo.open("phones").text
    assert sentence in olga.open("group_keys").text


def test_a_removed_member_of_a_group_does_not_come_back_as_its_owner(group: Group, olga: Phone) -> None:
    link = link_of(olga.open("group_keys").press("Invite another owner"))
    eve = Phone()
    eve.get(link).press("Join", label="Eve’s phone")

    page = take_back(olga, "group_keys", "Eve’s phone")

    assert "1 open invitation was withdrawn with the key." in page.text
    assert refused(eve, link)
    assert eve.get(f"/groups/{group.pk}/").status == 404


def test_a_member_who_is_removed_loses_access_to_the_tables_too(group: Group, olga: Phone, max_: Phone) -> None:
    table = Table(group=group)
    key = invitations.enter(key=max_.group_key, game_id=table.id, role=Role.SCOREKEEPER)
    links = [f"/join/{invitations.invite(game=table.game, role=role).token}/" for role in (Role.SCOREKEEPER,)]
    others = f"/join/{invitations.invite(game=Table().game, role=Role.SCOREKEEPER).token}/"

    withdrawn = groups.revoke_key(group_id=group.pk, key_id=max_.group_key.pk)

    key.refresh_from_db()
    assert key.revoked_at is not None
    assert withdrawn == 1
    assert all(refused(Phone(), link) for link in links)
    assert Phone().get(others).status == 200


def test_what_a_wrong_clock_calls_expired_is_withdrawn_too(table: Table, ana: Phone, ben: Phone) -> None:
    made = invitations.invite(game=table.game, role=Role.SCOREKEEPER)
    moved = {"created_at": F("created_at") - timedelta(days=1), "expires_at": F("expires_at") - timedelta(days=1)}
    Invite.objects.update(**moved)

    assert "withdrawn with the key" not in take_back(ana, "phones", "Ben’s phone").text

    Invite.objects.update(
        created_at=F("created_at") + timedelta(days=1), expires_at=F("expires_at") + timedelta(days=1)
    )
    assert refused(Phone(), f"/join/{made.token}/")


def test_a_freed_seat_closes_the_ways_to_it_and_to_more(game: DigitalTable) -> None:
    made = {
        name: invitations.invite(game=game.game, role=role, seat=seat)
        for name, role, seat in [
            ("freed", Role.SEAT, 1),
            ("other", Role.SEAT, 2),
            ("host", Role.SCOREKEEPER, None),
            ("viewer", Role.VIEWER, None),
        ]
    }

    hosting(game, 0).post_to(f"/g/{game.id}/seats/1/free/", {})

    left = {name for name, each in made.items() if Invite.objects.filter(pk=each.invite.pk).exists()}
    assert left == {"other", "viewer"}


# --- for one use ---


def test_the_second_reader_of_a_link_to_a_seat_is_refused_and_the_first_plays_on(game: DigitalTable) -> None:
    page = hosting(game, 0).open("phones").press("Invite to this seat (Ben)")
    assert "It works once, within 12 hours." in page.text
    link = link_of(page)
    ben, eve = Phone(), Phone()
    ben.get(link).press("Sit down")

    assert refused(eve, link)

    ben.table = game
    assert ben.open().status == 200
    assert Key.objects.filter(game=game.id, seat=1, revoked_at=None).count() == 1


@pytest.mark.parametrize("way", ["link", "code"])
def test_an_invitation_for_one_use_is_used_once(table: Table, ana: Phone, way: str) -> None:
    page = ana.open("phones").press("Invite a viewer", uses="one")
    code, link = page.root.one("p", class_="big-code").text, link_of(page)

    def come_in_by(phone: Phone) -> Page:
        return phone.get(link) if way == "link" else phone.open("join").press("Next", code=code)

    ben, eve = Phone(), Phone()
    early = come_in_by(eve)
    assert come_in_by(ben).press("Join").address == f"/g/{table.id}/"

    assert early.press("Join").status == come_in_by(eve).status == 404
    assert Key.objects.filter(role=Role.VIEWER, secret_hash=None).count() == 1


def test_the_phone_that_used_a_link_is_led_to_its_place(table: Table, group: Group, game: DigitalTable) -> None:
    made = {
        f"/g/{table.id}/": invitations.invite(game=table.game, role=Role.VIEWER, single_use=True),
        f"/g/{game.id}/": invitations.invite(game=game.game, role=Role.SEAT, seat=1),
        f"/groups/{group.pk}/": invitations.invite_to_group(group=group, role=GroupRole.MEMBER, single_use=True),
    }
    for place, invitation in made.items():
        phone, link = Phone(), f"/join/{invitation.token}/"
        page = phone.get(link)
        assert page.press("Sit down" if place == f"/g/{game.id}/" else "Join").address == place

        for answer in (phone.get(link), phone.post_to("/join/", {"code": invitation.code}), phone.post_to(link, {})):
            assert (answer.status, answer.response["Location"]) == (302, place)
    assert Invite.objects.filter(uses=1).count() == 2
    assert GroupInvite.objects.get().uses == 1


def test_a_key_holder_who_was_removed_is_not_redirected(table: Table, ana: Phone) -> None:
    link = link_of(ana.open("phones").press("Invite a scorekeeper", uses="one"))
    eve = Phone()
    eve.get(link).press("Join", label="Cleo")

    take_back(ana, "phones", "Cleo")

    assert refused(eve, link)


def double_tap(link: str, button: str) -> tuple[Page, Page]:
    """Press the button twice: the second time before the answer to the first has reached the phone."""
    page = Phone().get(link)
    early = page.phone.before_the_answer()
    sent = {**page.fields(button), "label": "Ben"}
    first, second = (Page(each, each.send_to(link, sent, follow=True)) for each in (page.phone, early))
    return first, second


def test_a_double_tap_uses_a_link_once_and_both_answers_lead_to_the_place(
    table: Table, group: Group, game: DigitalTable
) -> None:
    made = {
        f"/g/{table.id}/": invitations.invite(game=table.game, role=Role.VIEWER, single_use=True),
        f"/g/{game.id}/": invitations.invite(game=game.game, role=Role.SEAT, seat=1),
        f"/groups/{group.pk}/": invitations.invite_to_group(group=group, role=GroupRole.MEMBER, single_use=True),
    }
    keys = Key.objects.filter(revoked_at=None).count() + GroupKey.objects.count()

    for place, invitation in made.items():
        answers = double_tap(f"/join/{invitation.token}/", "Sit down" if place == f"/g/{game.id}/" else "Join")

        assert [(each.status, each.address) for each in answers] == [(200, place)] * 2

    assert Key.objects.filter(revoked_at=None).count() + GroupKey.objects.count() == keys + 2  # one replaces a seat's


def test_another_browser_cannot_repeat_the_form_of_the_first(table: Table) -> None:
    link = f"/join/{invitations.invite(game=table.game, role=Role.SCOREKEEPER, single_use=True).token}/"
    page = Phone().get(link)
    sent = page.fields("Join")
    page.press("Join")
    eve = Phone()
    eve.client.cookies[settings.CSRF_COOKIE_NAME] = "e" * 32

    answer = eve.send_to(link, {**sent, "csrfmiddlewaretoken": "e" * 32})

    assert answer.status_code == 404


def test_who_may_do_as_much_already_spends_nothing(table: Table, ana: Phone) -> None:
    link = link_of(ana.open("phones").press("Invite a viewer", uses="one"))

    ana.get(link).press("Join")

    assert Invite.objects.get().uses == 0
    assert Phone().get(link).press("Join").address == f"/g/{table.id}/"


# --- listed and withdrawn ---


def test_the_open_invitations_of_a_table_are_listed_and_withdrawn(table: Table, ana: Phone, ben: Phone) -> None:
    link = link_of(ana.open("phones").press("Invite a scorekeeper"))
    ben.open("phones").press("Invite a viewer", uses="one")
    for _ in range(2):
        Phone().get(link).press("Join")

    page = ana.open("phones")
    assert [line.one("b").text for line in lines(page)] == ["Join as viewer", "Join as scorekeeper"]
    assert [line.one("small").text for line in lines(page)] == [
        "made just now by Ben’s phone · for one use",
        "made just now by Phone 1 · used 2 times",
    ]

    page = page.press("Withdraw (Join as scorekeeper)")

    assert page.address == ana.address_of("phones")
    assert [line.one("b").text for line in lines(page)] == ["Join as viewer"]
    assert refused(Phone(), link)
    assert Key.objects.filter(role=Role.SCOREKEEPER, revoked_at=None).count() == 5


def test_a_viewer_sees_and_withdraws_only_the_own_ones(table: Table, ana: Phone, cleo: Phone) -> None:
    ana.open("phones").press("Invite a viewer")
    foreign = Invite.objects.get()
    assert not lines(cleo.open("phones"))

    cleo.open("phones").press("Invite a viewer")

    assert len(lines(cleo.open("phones"))) == 1
    assert cleo.post("withdraw", foreign.pk).status == 404
    assert cleo.open("phones").press("Withdraw").status == 200
    assert list(Invite.objects.all()) == [foreign]


def test_spent_and_expired_invitations_are_not_listed(table: Table, ana: Phone) -> None:
    Phone().get(link_of(ana.open("phones").press("Invite a viewer", uses="one"))).press("Join")
    ana.open("phones").press("Invite a viewer")
    Invite.objects.filter(single_use=False).update(
        created_at=F("created_at") - timedelta(hours=13), expires_at=F("expires_at") - timedelta(hours=13)
    )

    page = ana.open("phones")

    assert not lines(page)
    assert "Open invitations" not in page.text


def test_the_host_sees_every_invitation_of_a_digital_table_and_a_player_those_to_the_own_seat(
    game: DigitalTable,
) -> None:
    ana, ben = hosting(game, 0), at_seats(game, 1)
    for label in ("Invite to this seat (Ben)", "Invite to this seat (Cleo)", "Invite a viewer"):
        ana.open("phones").press(label)

    titles = [[line.one("b").text for line in lines(phone.open("phones"))] for phone in (ana, ben)]

    assert titles == [["Join as viewer", "Join and play Cleo", "Join and play Ben"], ["Join and play Ben"]]
    foreign = Invite.objects.get(seat=2)
    assert ben.post("withdraw", foreign.pk).status == 404
    assert not lines(ben.open("phones").press("Withdraw (Join and play Ben)"))
    assert Invite.objects.count() == 2


def test_owners_see_every_invitation_to_a_group_and_others_their_own(
    group: Group, olga: Phone, max_: Phone, vera: Phone
) -> None:
    link = link_of(olga.open("group_keys").press("Invite another owner"))
    max_.open("group_keys").press("Invite a member", uses="one")
    foreign = GroupInvite.objects.get(role=GroupRole.OWNER)

    assert [len(lines(phone.open("group_keys"))) for phone in (olga, max_, vera)] == [2, 1, 0]
    for phone in (max_, vera, come_in(group, GroupRole.VIEWER, label="Eve")):
        assert phone.post("group_withdraw", foreign.pk).status == 404
    page = olga.open("group_keys").press("Withdraw (Join as owner)")

    assert page.address == olga.address_of("group_keys")
    assert [line.one("small").text for line in lines(page)] == ["made just now by Max’s phone · for one use"]
    assert refused(Phone(), link)


def test_an_invitation_outlives_a_maker_that_is_not_known(table: Table, ana: Phone) -> None:
    invitations.invite(game=table.game, role=Role.VIEWER)

    (line,) = lines(ana.open("phones"))

    assert line.one("small").text == "made just now · not used yet"
    registry.revoke(registry.issue(game=table.game, role=Role.SCOREKEEPER))
    assert len(lines(ana.open("phones"))) == 1


def test_share_on_a_finished_table_is_a_link_that_watches(finished: Table, ana: Phone) -> None:
    page = ana.open().press("Share the sheet")

    assert Invite.objects.get(game=finished.id).role == Role.VIEWER
    link = page.root.one("input", id="link").attrs["value"]
    assert page.root.one(has="data-share").attrs["data-share"] == link
    assert "The link works for 12 hours." in page.text
    assert not page.offers("Invite a viewer")
    eve = Phone()
    eve.get(link.removeprefix("http://testserver")).press("Join")
    assert eve.get(f"/g/{finished.id}/sheet/").status == 200


def test_share_on_a_digital_table_is_a_link_alone_too(game: DigitalTable) -> None:
    page = hosting(game, 0).post_to(f"/g/{game.id}/phones/", {"invite": "viewer", "share": "1"})

    assert page.root.one("input", id="link")
    assert Invite.objects.get(game=game.id).role == Role.VIEWER
