"""The catalogues of `games/locale`: complete, with the placeholders of their texts, and in the words of the game."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils import translation

from games.rules import PRESETS
from games.texts.words import SUIT_LETTERS, SUIT_NAMES
from njetassist.catalogues import SOURCES, compile_into

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]

PLACEHOLDER = re.compile(r"\{[^{}]*\}|%\(\w+\)[sd]|%[sd]|<[^>]+>|&\w+;")

in_every_language = pytest.mark.parametrize("language", LANGUAGES)


@cache
def catalogue(language: str) -> Catalog:
    with (SOURCES / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, abort_invalid=True)


def messages(language: str) -> list[Message]:
    return [message for message in catalogue(language) if message.id]


def texts(message: Message) -> list[tuple[str, str]]:
    """Each text of a message with its translation: one, or that for one and that for several."""
    if isinstance(message.id, str):
        return [(message.id, str(message.string))]
    return list(zip(message.id, message.string, strict=True))


def placeholders(text: str) -> list[str]:
    return sorted(PLACEHOLDER.findall(text))


def test_every_catalogue_is_of_a_language_that_can_be_chosen() -> None:
    assert sorted(path.parent.parent.name for path in SOURCES.glob("*/LC_MESSAGES/django.po")) == sorted(LANGUAGES)


@in_every_language
def test_every_text_is_translated(language: str) -> None:
    incomplete = [each.id for each in messages(language) if each.fuzzy or not all(to for _, to in texts(each))]
    assert incomplete == []


@in_every_language
def test_all_catalogues_have_the_same_texts(language: str) -> None:
    assert {(each.context, each.id) for each in messages(language)} == {
        (each.context, each.id) for each in messages(LANGUAGES[0])
    }


@in_every_language
def test_every_translation_has_the_placeholders_of_its_text(language: str) -> None:
    """One thing needs no number: “ein Stich” for “{count} trick”."""
    wrong = []
    for message in messages(language):
        for place, (source, target) in enumerate(texts(message)):
            missing = [each for each in placeholders(source) if each not in placeholders(target)]
            invented = [each for each in placeholders(target) if each not in placeholders(source)]
            if isinstance(message.id, tuple) and place == 0:
                missing = [each for each in missing if "count" not in each]
                invented = [each for each in invented if "count" not in each]
            if missing or invented:
                wrong.append((source, target))
    assert wrong == []


@in_every_language
def test_a_sentence_stays_a_sentence(language: str) -> None:
    """The full stop tells sentences from captions."""
    assert [
        (source, target)
        for message in messages(language)
        for source, target in texts(message)
        if source.endswith(".") != target.endswith(".")
    ] == []


# --- the words of the game ---


@cache
def terms() -> dict[str, list[str]]:
    """The English words of the game, and the forms in which texts have them."""
    return dict(tomllib.loads((SOURCES / "terms.toml").read_text()))


@cache
def glossary(language: str) -> dict[str, list[str]]:
    """The words of a language for each term, as its rule text has them: the first is the usual one."""
    return dict(tomllib.loads((SOURCES / language / "glossary.toml").read_text()))


def terms_in(text: str) -> set[str]:
    """The terms in an English text, the longest first: "super trump" is no "trump"."""
    found, rest = set(), PLACEHOLDER.sub(" ", text.lower())
    forms = sorted(((form, term) for term, forms in terms().items() for form in forms), key=lambda each: -len(each[0]))
    for form, term in forms:
        rest, times = re.subn(rf"(?<![\w-]){re.escape(form)}(?![\w-])", " | ", rest)
        if times:
            found.add(term)
    return found


def test_the_longest_term_counts() -> None:
    assert terms_in("Cover a super trump: {trick} cards") == {"cover", "super_trump", "card"}


@in_every_language
def test_the_glossary_has_every_term(language: str) -> None:
    assert glossary(language).keys() == terms().keys()


@in_every_language
def test_texts_have_the_words_of_the_glossary(language: str) -> None:
    wrong = []
    for message in messages(language):
        for source, target in texts(message):
            for term in terms_in(source):
                if not any(word.lower() in target.lower() for word in glossary(language)[term]):
                    wrong.append((term, source, target))
    assert wrong == []


@in_every_language
@pytest.mark.parametrize("preset", PRESETS)
def test_the_letters_of_suits_are_distinct(language: str, preset: str) -> None:
    with translation.override(language):
        letters = [str(SUIT_LETTERS[suit]) for suit in PRESETS[preset].edition.suits]
        names = [str(SUIT_NAMES[suit]) for suit in PRESETS[preset].edition.suits]
    assert len(set(letters)) == len(letters)
    assert len(set(names)) == len(names)
    assert all(len(letter) == 1 for letter in letters)


# --- compiling ---


def test_only_what_has_changed_is_compiled_again(tmp_path: Path) -> None:
    assert sorted(compile_into(tmp_path)) == sorted(LANGUAGES)
    assert compile_into(tmp_path) == []

    (tmp_path / "de" / "LC_MESSAGES" / "django.mo").unlink()

    assert compile_into(tmp_path) == ["de"]
