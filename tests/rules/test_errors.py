"""Every refusal: a class for each code, a sentence, parameters that a page can read."""

import re
import string
from pathlib import Path

import pytest

import games
from games.rules import IllegalAction, IllegalSetup, Malformed, NjetError
from games.rules import errors as module

FAMILIES = (NjetError, Malformed, IllegalSetup, IllegalAction, module.IllegalAmendment)
REFUSALS = [
    each
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, NjetError) and each not in FAMILIES
]
SOURCES = [path for path in Path(games.__file__).parent.rglob("*.py") if path != Path(module.__file__)]
"""The program, but for the refusals themselves."""


def _filled(refusal: type[NjetError]) -> NjetError:
    return refusal(**dict.fromkeys(_names(refusal.template), 3))


def _names(template: str) -> list[str]:
    """The parameters that a sentence says."""
    return [name for _, name, _, _ in string.Formatter().parse(template) if name]


def test_the_code_of_a_refusal_is_its_name() -> None:
    codes = {each.__name__: each.code for each in (*FAMILIES, *REFUSALS)}

    words = {name: re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower() for name in codes}
    assert codes == words | {"UnknownActionType": "unknown_action"}
    assert len(set(codes.values())) == len(codes)


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda each: each.__name__)
def test_a_refusal_has_the_rule_in_words_and_a_sentence(refusal: type[NjetError]) -> None:
    error = _filled(refusal)

    assert refusal.__doc__
    assert error.message
    assert "{" not in error.message


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda each: each.__name__)
def test_a_refusal_is_unreadable_impossible_or_forbidden(refusal: type[NjetError]) -> None:
    families = [family for family in (Malformed, IllegalSetup, IllegalAction) if issubclass(refusal, family)]

    assert len(families) == 1


@pytest.mark.parametrize(
    ("refusal", "parameter"),
    [(module.Malformed, "problem"), (module.WrongType, "expected"), (module.NotationError, "expected")],
)
def test_a_refusal_with_several_sentences_says_the_one_that_its_parameter_names(refusal, parameter: str) -> None:
    for sentence, template in {**refusal.templates, "another": refusal.template}.items():
        params = {**dict.fromkeys(_names(template), 3), parameter: sentence}

        error = refusal(**params)

        assert error.message == template.format(**params)


def test_every_sentence_that_a_parameter_names_is_said_and_has_words() -> None:
    texts = "\n".join(path.read_text() for path in SOURCES)
    several = [each for each in (*FAMILIES, *REFUSALS) if "templates" in vars(each) and each.templates]

    named = {sentence for each in several for sentence in each.templates}

    assert {sentence for sentence in named if f'"{sentence}"' not in texts} == set()
    assert set(re.findall(r'\b(?:expected|problem)="(\w[^"]*)"', texts)) <= named


def test_parameters_are_kept_beside_the_sentence() -> None:
    error = module.NotYourTurn(seat=2, acting=[1])

    assert error.params == {"seat": 2, "acting": [1]}
    assert error.message == str(error) == "It is not the turn of seat 2."


def test_text_from_outside_cannot_break_the_sentence() -> None:
    error = module.UnknownSpace(row="trump", space="{row}{0}%s")

    assert error.message == "The row “trump” has no space “{row}{0}%s”."
