"""A game taken elsewhere, as files, links and texts; and a game from elsewhere taken in."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import timedelta
from io import BytesIO

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image
from pytest_django import Settings

from games.formats import document as records
from games.formats import notation
from games.groups import history
from games.log import store
from games.models import Game, Group, GroupRole, Key, Player
from games.pages.export import views as exports
from games.pages.export.pictured import pictured
from games.pages.parts.race import race_chart
from games.rules import Setup
from games.services import tables
from games.services.write import WriteRequest
from tests.cast.groups import new_group, played, player
from tests.cast.pages import CSRF_COOKIE, Page, Phone, come_in
from tests.cast.tables import ROUND_1, ROUND_2, Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

BG_STATS = "https://app.bgstatsapp.com/createPlay.html?data="


# --- the page ---


def test_a_finished_game_is_offered_to_bg_stats_as_a_link_a_qr_code_and_a_file(finished: Table, ana: Phone) -> None:
    page = ana.open("menu").press("Export")

    link = next(node for node in page.root.all("a") if node.name == "Open in BG Stats")
    assert link.attrs["href"].startswith(BG_STATS)
    assert link.attrs["rel"] == "noreferrer"
    assert page.root.one("svg", class_="qr").all("path")
    assert page.offers("BG Stats file")


def address_in_qr(table: Table) -> str:
    """The address that the QR code of a game holds."""
    return exports.play_address(table.game)


def test_the_qr_code_leads_any_phone_to_bg_stats_and_is_easy_to_scan(finished: Table, ana: Phone) -> None:
    code = ana.open("exports").root.one("svg", class_="qr")
    assert int(code.attrs["viewbox"].split()[-1]) <= exports.EASY_TO_SCAN

    answer = Phone().client.get(address_in_qr(finished))

    assert answer.status_code == 302
    assert answer.headers["Location"].startswith(BG_STATS)
    assert "Ana" in answer.headers["Location"]


def test_the_longest_names_fit_into_the_headers_of_a_redirect(db: None) -> None:
    names = [sign * 40 for sign in "ABCDE"]
    setup = Setup.of(preset="njet-english", names=names, options={"rounds": 1})
    table = Table(setup, "open 0 njet red black 2", "team 1 monster 0", "tally 12 0 0 0 0")

    assert len(Phone().client.get(address_in_qr(table)).headers["Location"]) <= exports.SHORT_HEADER
    assert Phone().sits(table, table.key).open("exports").root.all("svg", class_="qr")


def test_an_address_of_a_play_is_signed_and_for_a_finished_game_only(round_2: Table) -> None:
    assert Phone().get(address_in_qr(round_2)).status == 404
    assert Phone().get(f"/join/bgstats/{round_2.id}/").status == 404


def test_an_address_of_a_play_ends_as_an_invitation_does(finished: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "INVITE_LASTS", timedelta(seconds=-1))

    assert Phone().get(address_in_qr(finished)).status == 404


def test_a_finished_game_has_a_text_for_a_comment(finished: Table, ana: Phone) -> None:
    comment = ana.open("exports").root.one("textarea", id="comment").text

    assert all(text in comment for text in ("Ana", "54", "Ben", "48"))


def test_a_finished_game_has_a_line_and_a_picture_for_a_chat(finished: Table, ana: Phone) -> None:
    tables.state_occasion(game_id=finished.id, actor=finished.key, request=WriteRequest(), stated={"place": "Garden"})
    page = ana.open("exports")

    line = page.root.one("textarea", id="line").text
    assert line.startswith("Ana won NJET with 54: Ana 54, Ben 48, Cleo 48 (")
    assert line.endswith(", Garden)")
    assert page.offers("The result as a picture")


def test_an_unfinished_game_is_offered_as_files_only(round_2: Table, ana: Phone) -> None:
    page = ana.open("exports")

    assert not page.offers("Open in BG Stats")
    assert not page.offers("BG Stats file")
    assert not page.root.all("textarea")
    assert page.offers("Text file")


def test_every_file_that_is_offered_is_there(finished: Table, ana: Phone) -> None:
    links = [node.attrs["href"] for node in ana.open("exports").root.one("ul", class_="menu").all("a")]

    answers = [ana.client.get(link) for link in links]

    assert [response.status_code for response in answers] == [200] * 5
    assert all("attachment" in response.headers["Content-Disposition"] for response in answers)


# --- the files ---


def named(table: Table, ending: str) -> str:
    """The header of a file that is named by the day of a game."""
    return f'attachment; filename="njet-{table.game.created_at:%Y-%m-%d}-{table.id}.{ending}"'


def test_the_file_of_bg_stats_is_json_with_the_play(finished: Table, ana: Phone, settings: Settings) -> None:
    settings.NJET_BGG_ID = 1234

    response = ana.client.get(ana.address_of("export", "njet.bgsplay"))

    assert response.headers["Content-Type"] == "application/octet-stream"
    assert response.headers["Content-Disposition"] == named(finished, "bgsplay")
    (play,) = json.loads(response.content)["plays"]
    assert len(play["playerScores"]) == 3
    assert sorted(int(each["score"]) for each in play["playerScores"]) == [48, 48, 54]


def test_the_text_of_a_game_is_the_game_by_name_and_type(finished: Table, ana: Phone) -> None:
    response = ana.client.get(ana.address_of("export", "njet.txt"))

    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert response.headers["Content-Disposition"] == named(finished, "txt")
    assert notation.parse(response.content.decode()).setup == finished.ledger.current_setup


def test_the_document_of_a_game_is_the_game_by_name_and_type(finished: Table, ana: Phone) -> None:
    response = ana.client.get(ana.address_of("export", "njet.json"))

    assert response.headers["Content-Type"] == "application/json"
    assert response.headers["Content-Disposition"] == named(finished, "json")
    assert response.json() == records.document(finished.game)


def test_the_sheet_is_a_file_for_spreadsheets(finished: Table, ana: Phone) -> None:
    response = ana.client.get(ana.address_of("sheet_csv"))

    assert response.headers["Content-Type"].startswith("text/csv")
    assert response.headers["Content-Disposition"] == named(finished, "csv")
    assert response.content.startswith(b"\xef\xbb\xbfline,")
    assert len(list(csv.reader(io.StringIO(response.content.decode("utf-8-sig"))))) == 1 + 2 * 3


@pytest.mark.parametrize(
    ("language", "delimiters"), [("en", ",;"), *((each, ";,") for each in ("de", "fr", "it", "nl"))]
)
def test_the_sheet_is_offered_as_spreadsheets_of_the_language_split_it_and_otherwise(
    finished: Table, ana: Phone, language: str, delimiters: str
) -> None:
    ana.client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    links = [node.attrs["href"] for node in ana.open("exports").root.one("ul", class_="menu").all("a")]

    for link, delimiter in zip(links[-2:], delimiters, strict=True):
        text = ana.client.get(link).content.decode("utf-8-sig")

        assert {len(row) for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)} == {21}


def test_an_unfinished_game_is_a_text_and_a_document_but_no_play(round_2: Table, ana: Phone) -> None:
    play = ana.get(ana.address_of("export", "njet.bgsplay"))
    text, document = (ana.client.get(ana.address_of("export", name)) for name in ("njet.txt", "njet.json"))

    assert (play.status, play.code) == (409, "not_finished")
    assert play.press("Back to the table").status == 200
    assert notation.parse(text.content.decode()).ended is None
    assert document.json()["finished_at"] is None


def test_the_picture_of_a_result_is_a_file(finished: Table, ana: Phone) -> None:
    response = ana.client.get(ana.address_of("export", "result.png"))

    assert response.headers["Content-Type"] == "image/png"
    assert response.headers["Content-Disposition"] == named(finished, "png").replace("njet-", "result-")
    assert Image.open(BytesIO(response.content)).width == 1080


def test_the_picture_is_in_the_language_of_the_phone(finished: Table, ana: Phone) -> None:
    english = ana.client.get(ana.address_of("export", "result.png")).content
    ana.client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"

    assert ana.client.get(ana.address_of("export", "result.png")).content != english


def test_a_name_that_no_letter_of_the_picture_can_write_is_a_number(db: None) -> None:
    setup = Setup.of(preset="njet-english", names=["王小明", "Ben", "Cleo 🎉"], options={"rounds": 1})
    table = Table(setup, "open 0 njet red black 2", "team alone monster 0", "tally 16 0 0")

    shown = pictured(history.play_of(table.game))

    assert [(player.name, player.sign) for player in shown.players] == [("Player 1", "P"), ("Ben", "B"), ("Cleo", "C")]
    assert shown.title.startswith("Player 1 won")


def test_the_race_of_the_picture_is_that_of_the_sheet(finished: Table) -> None:
    shown = pictured(history.play_of(finished.game))
    chart = race_chart(finished.state)
    assert chart

    assert [player.total for player in shown.players] == ["54", "48", "48"]
    assert [label for _, label in shown.x_ticks] == [tick.label for tick in chart.x_ticks] == ["0", "1", "2"]
    assert all(len(player.line) == len(chart.lines[0].places) for player in shown.players)
    heights = [player.line[-1][1] for player in shown.players]
    assert heights == sorted(heights)


@pytest.mark.parametrize("page", ["table", "sheet", "exports"])
def test_the_picture_is_offered_of_a_finished_game_alone(ana: Phone, finished: Table, page: str) -> None:
    assert ana.open(page).offers("The result as a picture")


def test_the_picture_is_for_those_who_may_see_the_sheet(group: Group) -> None:
    address = f"/g/{played(group).id}/export/result.png"
    phones = {come_in(group, GroupRole.VIEWER): 200, come_in(new_group("Fridays")): 404, Phone(): 404}

    for phone, status in phones.items():
        assert phone.client.get(address).status_code == status


def test_of_an_unfinished_game_there_is_no_picture(round_2: Table, ana: Phone) -> None:
    page = ana.get(ana.address_of("export", "result.png"))

    assert (page.status, page.code) == (409, "not_finished")
    assert not ana.open("sheet").offers("The result as a picture")


@pytest.mark.parametrize("name", ["x", "njet.exe", "njet.csv", "NJET.TXT", "..", "njet.txt%00"])
def test_there_is_no_other_file(finished: Table, ana: Phone, name: str) -> None:
    assert ana.get(f"/g/{finished.id}/export/{name}").status == 404


# --- taking a game in ---


def text_of(table: Table) -> str:
    return records.text(table.game)


def json_of(table: Table) -> str:
    return json.dumps(records.document(table.game))


def upload(phone: Phone, content: bytes, **fields: str) -> Page:
    """A file, as a browser sends it."""
    file = SimpleUploadedFile("game.txt", content)
    sent = {"csrfmiddlewaretoken": CSRF_COOKIE, "text": "", "file": file, **fields}
    return Page(phone, phone.client.post("/import/", sent, follow=True))


@pytest.mark.parametrize("written", [text_of, json_of], ids=["njet", "json"])
@pytest.mark.parametrize("way", ["text", "file"])
def test_a_game_is_taken_in_as_text_or_file(finished: Table, way: str, written: object) -> None:
    content, phone = written(finished), Phone()
    start = phone.open("home").press("Import a game")

    page = start.press("Import", text=content) if way == "text" else upload(phone, content.encode())

    game = Game.objects.exclude(pk=finished.id).get()
    assert page.address == f"/g/{game.pk}/"
    assert "Ana" in page.root.one("section", class_="victory").text
    assert store.read(game).state.totals == finished.state.totals
    assert (game.group, game.source["id"]) == (None, finished.id)
    assert [key.may_record for key in Key.objects.filter(game=game)] == [True]


def test_a_file_counts_when_both_were_given(finished: Table) -> None:
    page = upload(Phone(), text_of(finished).encode(), text="something else")

    assert page.status == 200
    assert Game.objects.count() == 2


def test_a_file_with_a_byte_order_mark_and_the_line_ends_of_windows_is_read(finished: Table) -> None:
    for content in (text_of(finished).replace("\n", "\r\n"), json_of(finished)):
        page = upload(Phone(), b"\xef\xbb\xbf" + content.encode())

        assert page.address.startswith("/g/")


IN_A_MAIL = {
    "quoted": lambda text: re.sub("^", "> ", text, flags=re.MULTILINE),
    "flowed": lambda text: re.sub("(.{50,70}) ", r"\1 \n", text),
    "wrapped and quoted": lambda text: re.sub("^", "> ", re.sub("(.{50,70}) ", r"\1\r\n", text), flags=re.MULTILINE),
    "typographic": lambda text: re.sub('"([^"]*)"', r"“\1”", text),
    "French": lambda text: re.sub('"([^"]*)"', r"«\1»", text),
    "no-break blanks": lambda text: "\ufeff\n" + text.replace(", ", ",\xa0").replace(" ", "\xa0"),
}


@pytest.mark.parametrize("written", [json_of, pytest.param(text_of, marks=pytest.mark.slow)], ids=["json", "njet"])
@pytest.mark.parametrize("mail", IN_A_MAIL)
def test_a_game_that_was_copied_out_of_a_mail_is_taken_in_as_it_was(db: None, written: object, mail: str) -> None:
    setup = Setup.of(preset="goldsieber-dutch", names=["Zoë Lee", "Ben", "Cleo"], options={"rounds": 2})
    reason = "a revoke that was noticed three tricks later, when nobody could remember it any more"
    table = Table(setup, *ROUND_1, f"penalty 1 -5 {reason}", *ROUND_2)
    handled = IN_A_MAIL[mail](written(table))

    page = upload(Phone(), handled.encode())

    assert page.status == 200, page.notice
    again = Game.objects.exclude(pk=table.id).get()
    assert records.text(again) == records.text(table.game)


def test_a_file_in_the_other_encoding_of_windows_is_read(finished: Table) -> None:
    for content, encoding in ((text_of(finished), "utf-16"), (json_of(finished), "utf-16")):
        page = upload(Phone(), content.replace("\n", "\r\n").encode(encoding))

        assert page.address.startswith("/g/")


def test_json_with_marks_inside_of_texts_is_refused_where_it_cannot_be_read(finished: Table) -> None:
    text = json_of(finished).replace('"Ana"', '"Zoë “Zed”"')
    assert upload(Phone(), text.encode()).status == 200

    page = upload(Phone(), text.replace('"', "”").encode())

    assert page.status == 400
    assert page.notice.startswith("This cannot be read: it is no JSON in line 1, column 2")


def test_names_in_double_quotes_and_umlauts_survive(db: None) -> None:
    names = ["Jürgen „Jojo“", 'Ana "the Bear"', "Ça va\\"]
    table = Table(Setup.of(preset="goldsieber-dutch", names=names, options={"rounds": 1}), *ROUND_1)

    for content in (text_of(table), json_of(table)):
        Phone().open("import").press("Import", text=content)

    others = Game.objects.exclude(pk=table.id)
    assert [list(store.read(game).setup.names) for game in others] == [names, names]


def test_a_game_is_taken_into_a_group_with_its_players(finished: Table, group: Group, max_: Phone) -> None:
    page = max_.open("group").press("Import a game")
    assert page.fields("Import")["group"] == group.pk

    page.press("Import", text=text_of(finished))

    game = Game.objects.get(group=group)
    assert max_.open("group").offers("Ana won")
    assert player(group, "Ana").figures["games"] == 1
    assert Key.objects.get(game=game).through == max_.group_key


def test_only_members_take_games_into_their_groups(finished: Table, group: Group, vera: Phone) -> None:
    fridays = new_group("Fridays")

    assert not vera.open("group").offers("Import a game")
    assert not vera.open("import").root.all("select")
    for into, status in ((group, 403), (fridays, 404)):
        page = vera.post_to("/import/", {"text": text_of(finished), "group": into.pk})

        assert page.status == status
        assert text_of(finished).splitlines()[0] in page.root.one("textarea").text
    assert Game.objects.count() == 1


def test_a_group_that_has_a_game_does_not_take_it_in_again(finished: Table, group: Group, max_: Phone) -> None:
    first = max_.post_to("/import/", {"text": text_of(finished), "group": group.pk})
    again = max_.post_to("/import/", {"text": json_of(finished), "group": group.pk})

    assert first.status == 302
    assert (again.status, again.code) == (409, "already_imported")
    assert again.press("The game that is there").address == f"/g/{Game.objects.get(group=group).pk}/sheet/"


# --- a name that is new in the group ---


def of_club(finished: Table, *, name: str) -> str:
    """The game in which Ben is called so."""
    return text_of(finished).replace('"Ben"', f'"{name}"')


@pytest.mark.parametrize("way", ["text", "file"])
def test_a_name_that_is_nearly_that_of_a_player_is_asked_about(
    finished: Table, group: Group, max_: Phone, way: str
) -> None:
    played(group, "Ella", "Hans", "Ines")
    text = of_club(finished, name="Ela")
    sent = {"text": text, "group": group.pk}

    asked = max_.post_to("/import/", sent) if way == "text" else upload(max_, text.encode(), group=group.pk)
    assert asked.status == 200
    assert "Ela is new in this group. Do you mean Ella?" in asked.text
    assert Game.objects.filter(group=group).count() == 1

    asked.press("Import", text=of_club(finished, name="Ella"))
    assert Player.objects.get(group=group, name="Ella").figures["games"] == 2
    assert not Player.objects.filter(group=group, name="Ela").exists()


def test_who_says_that_it_is_another_person_is_asked_once(finished: Table, group: Group, max_: Phone) -> None:
    played(group, "Ella", "Hans", "Ines")

    asked = max_.post_to("/import/", {"text": of_club(finished, name="Ela"), "group": group.pk})
    page = asked.press("Import")

    assert page.offers("Confirm the result")
    assert Player.objects.filter(group=group, name__in=["Ela", "Ella"]).count() == 2


@pytest.mark.parametrize(
    ("name", "players"),
    [("Ella", ("Ella", "Hans", "Ines")), ("Ela", ("Fritz", "Hans", "Ines")), ("Anna", ("Ana", "Hans", "Ines"))],
    ids=["known", "like none", "both play"],
)
def test_other_names_are_not_asked_about(
    finished: Table, group: Group, max_: Phone, name: str, players: tuple[str, ...]
) -> None:
    played(group, *players)

    page = max_.post_to("/import/", {"text": of_club(finished, name=name), "group": group.pk})

    assert page.status == 302


def test_outside_of_a_group_no_name_is_asked_about(finished: Table, group: Group, max_: Phone) -> None:
    played(group, "Ella", "Hans", "Ines")

    assert max_.post_to("/import/", {"text": of_club(finished, name="Ela")}).status == 302


# --- how long it may be ---


def long_game() -> Table:
    """A game of 99 rounds with a penalty in each, shown at length."""
    setup = Setup.of(preset="goldsieber-dutch", names=["Ana", "Ben", "Cleo"], options={"rounds": 99})
    return Table(setup, *(f"penalty 1 -5 {'x' * 200}", *ROUND_1) * 99)


@pytest.mark.slow
def test_the_programs_own_file_of_a_long_game_is_taken_in(db: None) -> None:
    table, phone = long_game(), Phone()
    phone.sits(table, table.key)
    content = phone.client.get(phone.address_of("export", "njet.json")).content
    assert len(content) > 64 * 1024

    page = upload(phone, content)

    assert page.status == 200
    assert store.read(Game.objects.exclude(pk=table.id).get()).state == table.state


@pytest.mark.parametrize("way", ["text", "file"])
@pytest.mark.parametrize(("longer", "status"), [(0, 200), (16 * 1024, 413)])
def test_a_game_of_a_megabyte_is_read_and_no_longer_one(finished: Table, way: str, longer: int, status: int) -> None:
    # Blanks at the end mean nothing.
    content = json_of(finished).ljust(1024 * 1024 + longer)

    phone = Phone()
    page = phone.open("import").press("Import", text=content) if way == "text" else upload(phone, content.encode())

    assert page.status == status
    assert Game.objects.count() == (2 if status == 200 else 1)


@pytest.mark.parametrize("address", ["/new/", "/join/", "/groups/new/", "/import"])
def test_other_pages_take_no_more_than_64_kilobytes(db: None, address: str) -> None:
    assert Phone().client.post(address, {"text": "x" * 60_000}).status_code != 413
    assert Phone().client.post(address, {"text": "x" * 65_536}).status_code == 413


# --- what is refused ---


def spoilt(line: int, column: int) -> str:
    """A game with a sign in it that belongs nowhere."""
    table = Table(None, *ROUND_1, *ROUND_2)
    lines = text_of(table).splitlines()
    lines[line - 1] = lines[line - 1][: column - 1] + "§" + lines[line - 1][column - 1 :]
    return "\n".join(lines)


def refused(text: str) -> Page:
    """What a page says that refuses a text."""
    before = Game.objects.count()
    page = Phone().open("import").press("Import", text=text)
    assert Game.objects.count() == before
    assert page.root.one("textarea").text == " ".join(text.split())
    return page


def test_garbage_is_refused_with_line_and_column(db: None) -> None:
    page = refused(spoilt(2, 1))

    assert page.status == 400
    assert page.notice.startswith("Line 2, column 1: ")


@pytest.mark.parametrize("text", ["", "  \n ", "{}", "{", "[" * 5000, '{"a":' * 5000, "njet", "1. e4 e5", "<script>"])
def test_what_is_no_game_is_refused_in_a_sentence(db: None, text: str) -> None:
    page = Phone().open("import").press("Import", text=text)

    assert page.status == 400
    assert page.notice
    assert not Game.objects.exists()


def test_a_file_that_is_no_text_is_refused(db: None) -> None:
    page = upload(Phone(), b"\xff\xfe\x00PNG")

    assert (page.status, page.notice) == (400, "That is not an NJET Assist game file.")
