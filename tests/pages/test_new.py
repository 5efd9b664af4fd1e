"""Opening a table: who sits there, which rules, who deals; after every refusal, what was typed stays."""

from __future__ import annotations

import pytest
from django.conf import settings

from games.groups import lists
from games.keys import registry
from games.log import store
from games.models import Game, Key, Role
from games.rules import PRESETS, Setup
from games.rules.options import OPTIONS
from games.services import deletion, tables
from tests.builders import CAST, dutch, english
from tests.cast.pages import Page, Phone, sit_down
from tests.cast.tables import Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

OFFERED = [name for name in OPTIONS if name not in ("rounds", "target", "three_player_removal")]
"""The options that the page of the usual preset offers a choice for: its edition has one way to take cards out."""


def names(*typed: str) -> dict[str, str]:
    """The fields of the names, from the first place on."""
    return {f"name-{place}": name for place, name in enumerate(typed)}


def the_setup() -> Setup:
    """The set-up of the only game."""
    return store.read(Game.objects.get()).setup


@pytest.fixture
def page(db: None) -> Page:
    """The page as a phone sees it that was never here."""
    return Phone().open("new")


# --- opening ---


def test_names_and_one_tap_open_a_table(page: Page) -> None:
    table = page.fill_in(names("Ana", "Ben", "Cleo", "Dan"), press="Start")

    assert table.response.redirect_chain == [(f"/g/{Game.objects.get().pk}/", 302)]
    assert table.root.one("h1").text == "Round 1 of 8 Ana deals"
    assert the_setup() == english(4)


def test_who_opens_a_table_records_at_it_and_finds_it_at_home(page: Page) -> None:
    table = page.fill_in(names("Ana", "Ben"), press="Start")

    assert table.press("Start placing").offers("Cover red")
    home = table.press("Home")
    assert home.root.one("a", class_="cont").name == "Continue with Ana, Ben Round 1 of 8"
    assert home.press("Continue with Ana, Ben").status == 200


def test_places_may_stay_empty_anywhere(page: Page) -> None:
    page.fill_in({"name-0": "Ana", "name-2": "Ben", "name-4": "Cleo"}, press="Start")

    assert the_setup() == english(3, tokens=["turquoise", "green", "lilac"])


def test_a_new_session_is_begun_with_the_table(db: None) -> None:
    phone = sit_down(Table())
    before = phone.client.session.session_key

    phone.open("new").fill_in(names("Ana", "Ben"), press="Start")

    assert phone.client.session.session_key != before
    assert len(phone.client.session["keys"]) == 2


# --- presets ---


BOXES = {"njet60": "0 to 9", "goldsieber40": "1 to 9, 1997", "nyet60": "1 to 13"}
"""What is on the cards of each edition."""


def test_the_box_is_chosen_first_and_then_one_of_its_rule_texts(page: Page) -> None:
    boxes, presets = page.root.all("div", class_="presets")

    assert [button.text for button in boxes.all("button")] == list(BOXES.values())
    assert [button.attrs["value"] for button in presets.all("button")] == ["njet-english", "njet-wikipedia"]
    assert [button.attrs["aria-pressed"] for button in presets.all("button")] == ["true", "false"]
    _boxes, older = page.press("1 to 9, 1997").root.all("div", class_="presets")
    assert [button.one("small").text for button in older.all("button")] == [*["3–4 players"] * 3, "4 players"]


def test_a_box_with_one_rule_text_asks_for_no_other(page: Page) -> None:
    page = page.press("1 to 13")

    assert len(page.root.all("div", class_="presets")) == 1
    assert "Nyet! 2015" in page.root.one("summary").text


@pytest.mark.parametrize("preset", PRESETS)
def test_a_table_of_every_preset_can_be_opened(page: Page, preset: str) -> None:
    chosen = page.fill_in(names(*CAST[:4]), press=BOXES[PRESETS[preset].edition.key])
    if len(chosen.root.all("div", class_="presets")) > 1:
        chosen = chosen.press(PRESETS[preset].name)

    assert PRESETS[preset].name in chosen.root.one("summary").text
    assert chosen.fields("Start")["name-3"] == "Dan"
    chosen.press("Start")
    assert the_setup() == Setup.of(preset=preset, names=CAST[:4])


def test_the_places_and_tokens_are_those_of_the_preset(page: Page) -> None:
    page = page.press("1 to 9, 1997").press("Goldsieber 1997, Dutch")

    assert len(page.root.one("ol", class_="names").all("li")) == 4
    assert [option.text for option in page.root.one("select", name="token-0").all("option")] == [
        *("next free token", "bear", "wolf", "falcon", "raven")
    ]
    french = page.press("Goldsieber 1997, French")
    assert "dove" in [option.text for option in french.root.one("select", name="token-0").all("option")]
    assert "Usual: 6 with 3, 8 with 4 players. Short game: 3 with 3, 4 with 4." in page.text


def test_a_name_too_many_for_the_rules_stays_and_is_spoken_of(page: Page) -> None:
    page = page.fill_in(names(*CAST), press="1 to 9, 1997").press("Goldsieber 1997, Dutch")

    assert page.fields("Start")["name-4"] == "Eve"
    assert "5" in page.notice
    refused = page.press("Start")
    assert refused.code == "wrong_player_count"
    assert refused.fields("Start")["name-4"] == "Eve"
    assert page.press("0 to 9").notice == ""
    page.fill_in({"name-1": ""}, press="Start")
    assert the_setup().names == ("Ana", "Cleo", "Dan", "Eve")


def test_a_name_at_the_last_place_stays_where_it_is_if_the_rules_have_room_for_all(page: Page) -> None:
    page = page.fill_in({"name-0": "Ana", "name-2": "Ben", "name-4": "Cleo"}, press="1 to 9, 1997").press(
        "Goldsieber 1997, Dutch"
    )

    assert page.notice == ""
    page.press("Start")
    # Without a token at the fifth place Cleo gets the first that is free.
    assert the_setup() == dutch(3, tokens=["bear", "falcon", "wolf"])


def test_the_options_are_those_of_the_edition_each_with_an_explanation(page: Page) -> None:
    def options(page: Page) -> list[str]:
        return [node.attrs["name"] for node in page.root.all("select") if node.attrs["name"].startswith("option-")]

    def options_but(*names: str) -> list[str]:
        return [f"option-{name}" for name in OPTIONS if name not in names]

    assert options(page) == [f"option-{name}" for name in OFFERED]
    dutch_page = page.press("1 to 9, 1997").press("Goldsieber 1997, Dutch")
    assert options(dutch_page) == options_but("rounds", "target", "start_row")
    assert all(label.one("small").text for label in page.root.all("label") if label.all("select", has="name")[1:])


# --- options, tokens, rounds ---


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        *((name, str(value), value) for name in OFFERED for value in OPTIONS[name].names),
        ("rounds", "3", 3),
        ("rounds", "99", 99),
        ("target", "100", 100),
    ],
)
def test_every_option_can_be_changed(page: Page, option: str, value: str, expected: object) -> None:
    page.fill_in({**names("Ana", "Ben", "Cleo", "Dan"), f"option-{option}": value}, press="Start")

    assert the_setup() == english(4, **{option: expected})


def test_who_sits_below_a_free_place_gets_the_token_that_is_shown_there(page: Page) -> None:
    shown = [token.attrs["class"].split()[1] for token in page.root.one(class_="names").all("span", class_="token")]

    page.fill_in({"name-1": "Ana", "name-3": "Ben"}, press="Start")

    assert [f"t-{seat.token}" for seat in the_setup().seats] == [shown[1], shown[3]]


def test_tokens_can_be_chosen_and_the_rest_are_handed_out_in_order(page: Page) -> None:
    page.fill_in({**names("Ana", "Ben", "Cleo"), "token-1": "turquoise", "token-2": "lilac"}, press="Start")

    assert [seat.token for seat in the_setup().seats] == ["pink", "turquoise", "lilac"]


# --- the same players as last time ---


def test_the_players_of_the_last_game_are_one_tap(db: None) -> None:
    last = dutch(3, tokens=["wolf", "raven", "bear"], rounds=5).corrected(names=["Eva", "Fritz", "Gerd"])
    phone = sit_down(Table(english(4)))
    phone.sits(table := Table(last), table.key)

    page = phone.open("new").press("Eva, Fritz and Gerd again")

    assert not page.root.all("a", class_="chip")
    page.press("Start")
    assert store.read(Game.objects.latest("created_at")).setup == last


def test_so_are_the_rules_that_they_had_agreed_on(db: None) -> None:
    last = english(3, target=120, start_row=False)
    phone = sit_down(Table(last))

    phone.open("new").press("Ana, Ben and Cleo again").press("Start")

    assert store.read(Game.objects.latest("created_at")).setup == last


def test_a_corrected_name_counts(db: None) -> None:
    table = Table(english(3))
    table.correct(names=["Ana", "Ben", "Dora"])

    assert sit_down(table).open("new").offers("Ana, Ben and Dora again")


def test_a_phone_that_was_at_no_table_is_offered_no_players(page: Page) -> None:
    assert not page.root.all("a", class_="chip")
    assert Phone().open("new", again="").fields("Start")["name-0"] == ""


def test_nor_is_one_whose_key_was_revoked(db: None) -> None:
    table = Table(english(3))
    phone = sit_down(table)
    tables.revoke_key(game_id=table.id, key_id=phone.key.pk)

    assert not phone.open("new").root.all("a", class_="chip")
    assert phone.open("new", again="").fields("Start")["name-0"] == ""


# --- seats and tokens by lot ---

PLACES = range(5)


def seats_of(page: Page) -> list[tuple[str, str]]:
    """Names with the token that is shown beside each, by place."""
    shown = [
        node.attrs["class"].split()[-1] for node in page.root.one("ol", class_="names").all("span", class_="token")
    ]
    return [(page.fields("Start")[f"name-{place}"], shown[place]) for place in PLACES]


def draws(page: Page, button: str, differs: int) -> Page:
    """The page after as many draws as it takes until something differs, which one alone need not bring."""
    for _ in range(100):
        drawn = page.press(button)
        if [each[differs] for each in seats_of(drawn)] != [each[differs] for each in seats_of(page)]:
            return drawn
    raise AssertionError("a hundred draws, and nothing differs")


def test_the_seats_are_drawn_before_the_table_is_opened(page: Page) -> None:
    typed = page.fill_in({**names("Ana", "Ben", "", "Dan"), "token-1": "lilac"}, press="Draw tokens")

    drawn = draws(typed, "Draw seats", 0)

    # Everybody keeps the token, and the free places stay free.
    assert {each for each in seats_of(drawn) if each[0]} == {each for each in seats_of(typed) if each[0]}
    assert [bool(name) for name, _token in seats_of(drawn)] == [True, True, False, True, False]
    assert Game.objects.count() == 0
    table = drawn.press("Start")
    assert [(seat.name, f"t-{seat.token}") for seat in the_setup().seats] == [
        each for each in seats_of(drawn) if each[0]
    ]
    assert table.status == 200


def test_the_tokens_are_drawn(page: Page) -> None:
    typed = page.fill_in(names("Ana", "Ben"), press="Draw seats")

    drawn = draws(typed, "Draw tokens", 1)

    assert [name for name, _token in seats_of(drawn)] == [name for name, _token in seats_of(typed)]
    assert len({token for _name, token in seats_of(drawn)}) == len(PLACES)
    drawn.press("Start")
    assert [f"t-{seat.token}" for seat in the_setup().seats] == [token for _name, token in seats_of(drawn)[:2]]


@pytest.mark.parametrize("typed", [(), ("Ana",), tuple("ABCDE")])
@pytest.mark.parametrize("button", ["Draw seats", "Draw tokens"])
def test_any_number_of_names_can_be_drawn(page: Page, button: str, typed: tuple[str, ...]) -> None:
    drawn = page.fill_in(names(*typed), press=button)

    assert sorted(name for name, _token in seats_of(drawn) if name) == list(typed)


def test_what_is_no_draw_draws_the_seats(page: Page) -> None:
    fields = {**page.fields("Start"), **names("Ana", "Ben"), "draw": "x"}

    assert page.phone.post_to("/new/", fields).status == 200


# --- the small buttons ---


def test_known_players_are_one_tap(db: None) -> None:
    phone = sit_down(Table(dutch(3)))

    page = phone.open("new")
    assert [chip.text for chip in page.root.all("button", name="add")] == ["+ Ana", "+ Ben", "+ Cleo"]
    page = page.press("+ Ben").press("+ Cleo")

    assert [page.fields("Start")[f"name-{place}"] for place in range(5)] == ["Ben", "Cleo", "", "", ""]
    assert [chip.text for chip in page.root.all("button", name="add")] == ["+ Ana"]


def test_a_known_player_takes_the_first_empty_place(db: None) -> None:
    page = sit_down(Table(dutch(3))).open("new")

    page = page.fill_in({"name-0": "Dan", "name-2": "Eve"}, press="+ Ana")

    assert [page.fields("Start")[f"name-{place}"] for place in range(4)] == ["Dan", "Ana", "Eve", ""]


def test_names_are_known_once_the_latest_first(db: None) -> None:
    older, newer = Table(english(3)), Table(dutch(3, tokens=["raven", "wolf", "bear"]))
    newer.correct(names=["Dan", "Ben", "Eve"])

    assert list(lists.known_names([older.key.pk, newer.key.pk])) == ["Dan", "Ben", "Eve", "Ana", "Cleo"]


def test_known_players_keep_the_colour_that_they_had_last(db: None) -> None:
    phone = sit_down(Table(english(3, tokens=["lilac", "pink", "green"])))

    phone.open("new").fill_in(names("Eve", "Cleo", "Ana"), press="Start")

    newest = Game.objects.latest("created_at")
    assert [seat.token for seat in store.read(newest).setup.seats] == ["turquoise", "green", "lilac"]


def test_the_small_buttons_keep_everything_else(page: Page) -> None:
    typed = {**names("Ana", "Ben"), "token-0": "pink", "option-rounds": "4", "option-start_row": "False"}

    after = page.fill_in(typed, press="Take the seat of player 5 away")

    kept = after.fields("Start")
    assert {name: kept[name] for name in typed} == typed
    assert "open" in after.root.one("details").attrs


def test_the_rules_are_folded_away_until_they_are_chosen(page: Page) -> None:
    assert "open" not in page.root.one("details", class_="rules").attrs
    assert page.root.one("summary").text == "NJET, English rules 2–5 players"

    assert (
        "open" in page.press("1 to 9, 1997").press("Goldsieber 1997, Dutch").root.one("details", class_="rules").attrs
    )


def test_enter_in_a_name_starts_the_game_and_presses_no_small_button(page: Page) -> None:
    first = next(node for node in page.root.one("form") if node.tag == "button")

    assert first.text == "Start"
    assert "name" not in first.attrs


# --- refused ---


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ({}, "wrong_player_count"),
        (names("Ana"), "wrong_player_count"),
        (names("Ana", "\u0410na"), "name_twice"),
        (names("Ana", "ana"), "name_twice"),
        (names("Ana", "B" * 41), "name_too_long"),
        (names("Ana", "Ben") | {"token-0": "pink", "token-1": "pink"}, "token_twice"),
        (names("Ana", "Ben") | {"option-rounds": "0"}, "option_not_allowed"),
        (names("Ana", "Ben") | {"option-rounds": "100"}, "option_not_allowed"),
        (names("Ana", "Ben") | {"option-rounds": "many"}, "wrong_type"),
        (names("Ana", "Ben") | {"option-rounds": "2.5"}, "wrong_type"),
    ],
)
def test_what_cannot_be_played_is_refused_and_stays_typed(page: Page, typed: dict[str, str], code: str) -> None:
    after = page.fill_in(typed, press="Start")

    assert after.status in (400, 422)
    assert after.code == code
    assert after.fields("Start") | {"csrfmiddlewaretoken": ""} == {
        **page.fields("Start"),
        **typed,
        "csrfmiddlewaretoken": "",
    }
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ({"preset": "poker"}, "unknown_preset"),
        ({"token-0": "raven"}, "unknown_token"),
        ({"option-supertrump_suit": "purple"}, "option_not_allowed"),
        ({"option-three_player_removal": "all_2s"}, "option_not_allowed"),
        ({"option-must_trump_when_void": "perhaps"}, "wrong_type"),
        ({"option-beer": "yes"}, "unknown_option"),
        ({"preset": "goldsieber-dutch", "option-start_row": "False"}, "option_not_allowed"),
        ({"preset": "goldsieber-italian"}, "wrong_player_count"),
    ],
)
def test_what_no_page_offers_is_refused_in_words_and_the_names_stay(db: None, typed: dict[str, str], code: str) -> None:
    phone = Phone()

    page = phone.post_to("/new/", {"preset": "njet-english", **names("Ana", "Ben", "Cleo"), **typed})

    assert page.status in (400, 422)
    assert page.code == code
    assert [page.fields("Start")[f"name-{place}"] for place in range(3)] == ["Ana", "Ben", "Cleo"]
    assert not Game.objects.exists()


@pytest.mark.parametrize(("typed", "focused"), [((), "name-0"), (("Ana",), "name-1"), (("", "Ben"), "name-0")])
def test_where_a_name_is_missing_the_first_empty_field_has_the_focus(
    page: Page, typed: tuple[str, ...], focused: str
) -> None:
    after = page.fill_in(names(*typed), press="Start")

    assert [node.attrs["name"] for node in after.root.all(has="autofocus")] == [focused]


# --- the same form twice ---


def sent_by(phone: Phone, page: Page, **changed: str) -> str:
    """Where the filled-in form of a page leads if this phone sends it."""
    token = {"csrfmiddlewaretoken": phone.client.cookies[settings.CSRF_COOKIE_NAME].value}
    fields = {**page.fields("Start"), **names("Ana", "Ben", "Cleo"), **token, **changed}
    return phone.send_to("/new/", fields).headers["Location"]


def another_browser(*, session: bool) -> Phone:
    """A browser with cookies of its own."""
    phone = sit_down(Table()) if session else Phone()
    phone.client.cookies[settings.CSRF_COOKIE_NAME] = "e" * 32
    return phone


def test_a_double_tap_on_start_opens_one_table(page: Page) -> None:
    early = page.phone.before_the_answer()

    first, second, third = (sent_by(phone, page) for phone in (page.phone, early, page.phone))

    assert first == second == third == f"/g/{Game.objects.get().pk}/"
    assert Key.objects.count() == 1
    for phone in (page.phone, early):
        assert phone.get(first).press("Start placing").offers("Cover red")


def test_a_double_tap_keeps_the_tables_that_the_phone_has(table: Table, ana: Phone) -> None:
    page = ana.open("new")
    early = ana.before_the_answer()

    addresses = [sent_by(phone, page) for phone in (ana, early)]

    assert Game.objects.count() == 2
    for phone in (ana, early):
        assert phone.get(addresses[0]).status == phone.get(f"/g/{table.id}/").status == 200
        assert len(phone.open("home").root.one("ul", class_="tables").all("li")) == 1


def test_the_session_of_the_form_does_not_open_the_table(page: Page) -> None:
    """Who chose a browser's session beforehand does not get in with it."""
    early = page.phone.before_the_answer()

    address = sent_by(page.phone, page)

    assert early.get(address).status == 404


def test_another_browser_that_repeats_the_form_opens_a_table_of_its_own(page: Page) -> None:
    address = sent_by(page.phone, page)
    eve = another_browser(session=True)

    other = sent_by(eve, page)

    assert other != address
    assert eve.get(address).status == 404
    assert page.phone.get(other).status == 404


def test_a_browser_without_a_session_that_repeats_the_form_opens_a_table_of_its_own(page: Page) -> None:
    address = sent_by(page.phone, page)
    eve = another_browser(session=False)

    assert sent_by(eve, page) != address
    assert eve.get(address).status == 404


def test_a_phone_whose_key_was_taken_back_does_not_come_in_again_with_its_form(page: Page) -> None:
    early = page.phone.before_the_answer()
    address = sent_by(page.phone, page)
    game = Game.objects.get()
    registry.issue(game=game, role=Role.SCOREKEEPER, label="Ben’s phone")
    registry.revoke(Key.objects.order_by("pk")[0])

    assert sent_by(early, page) == address
    assert early.get(address).status == 404
    assert Game.objects.count() == 1


@pytest.mark.parametrize("made_up", ["", "1", "x" * 32, "a" * 31, "A" * 32, "a" * 10_000, "\0", "\ud800"])
def test_an_id_that_no_form_has_names_no_table(page: Page, made_up: str) -> None:
    addresses = {sent_by(page.phone, page, request_id=made_up) for _ in range(2)}

    assert len(addresses) == Game.objects.count() == 2


def test_the_id_of_a_form_has_128_bits_and_is_stored_nowhere(page: Page) -> None:
    ids = {page.phone.open("new").fields("Start")["request_id"] for _ in range(20)}
    assert len(ids) == 20
    assert {len(bytes.fromhex(each)) for each in ids} == {16}

    sent_by(page.phone, page)

    assert page.fields("Start")["request_id"] not in repr(list(Game.objects.values_list()))


def test_a_deleted_table_can_be_opened_again_with_its_form(page: Page) -> None:
    deletion.delete_game(game_id=sent_by(page.phone, page).split("/")[2])

    assert page.phone.get(sent_by(page.phone, page)).status == 200
