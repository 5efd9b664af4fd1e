"""Who is there, away or forgotten, by the clock."""

from games.live.presence import AWAY_AFTER, FORGOTTEN_AFTER, RECORDS_FOR, Phone, Presence

TABLE = "table0000001"


def phone(key: int, heard: float, **more: float) -> Phone:
    return Phone(key, f"phone {key}", may_record=True, heard=heard, **more)


def states(presence: Presence, now: float) -> dict[object, bool]:
    return {shown["key"]: bool(shown["away"]) for shown in presence.shown(TABLE, now)}


def test_a_phone_is_away_after_ten_seconds_of_silence_and_not_before() -> None:
    presence = Presence()
    presence.note_request(TABLE, phone(1, heard=100))

    assert states(presence, 100 + AWAY_AFTER - 0.1) == {1: False}
    assert states(presence, 100 + AWAY_AFTER) == {1: True}


def test_a_phone_that_comes_back_is_there_again() -> None:
    presence = Presence()
    presence.note_request(TABLE, phone(1, heard=100))

    presence.note_request(TABLE, phone(1, heard=200))

    assert states(presence, 201) == {1: False}


def test_an_old_word_of_another_process_does_not_make_a_phone_older() -> None:
    presence = Presence()
    presence.note_request(TABLE, phone(1, heard=100))
    elsewhere = Presence()
    elsewhere.note_request(TABLE, phone(1, heard=1000))

    presence.note_elsewhere(elsewhere.recent_rows(1005, within=6), now=101)

    assert [entry.heard for entry in presence._phones[TABLE].values()] == [100]


def test_ages_travel_between_processes_because_their_clocks_differ() -> None:
    here, elsewhere = Presence(), Presence()
    elsewhere.note_request(TABLE, phone(2, heard=5000))

    here.note_elsewhere(elsewhere.recent_rows(5002, within=6), now=10)

    assert states(here, 10 - 2 + AWAY_AFTER - 0.1) == {2: False}
    assert states(here, 10 - 2 + AWAY_AFTER) == {2: True}


def test_a_process_passes_on_its_own_phones_only() -> None:
    here, elsewhere = Presence(), Presence()
    elsewhere.note_request(TABLE, phone(2, heard=100))
    here.note_request(TABLE, phone(1, heard=100))

    here.note_elsewhere(elsewhere.recent_rows(101, within=6), now=101)

    assert [key for _game, key, *_ in here.recent_rows(102, within=6)] == [1]
    here.note_request(TABLE, phone(2, heard=102))
    assert [key for _game, key, *_ in here.recent_rows(102, within=6)] == [1, 2]


def test_who_wrote_within_three_minutes_is_recording() -> None:
    presence = Presence()
    presence.note_request(TABLE, phone(1, heard=100))
    assert presence.shown(TABLE, 100)[0]["recording"] is False

    presence.note(TABLE, 1, recorded=100)

    assert presence.shown(TABLE, 100 + RECORDS_FOR - 1)[0]["recording"] is True
    assert presence.shown(TABLE, 100 + RECORDS_FOR)[0]["recording"] is False


def test_who_has_been_away_for_long_is_forgotten_and_leaves_nothing_behind() -> None:
    presence = Presence()
    presence.note_request(TABLE, phone(1, heard=100))

    presence.sweep(100 + FORGOTTEN_AFTER + 1)

    assert presence.shown(TABLE, 800) == []
    assert presence._phones == {}


def test_a_key_that_was_taken_back_is_not_shown() -> None:
    presence = Presence()
    presence.note_request(TABLE, phone(1, heard=100))
    presence.note_request(TABLE, phone(2, heard=100))

    presence.drop(TABLE, [1])

    assert states(presence, 100) == {2: False}
