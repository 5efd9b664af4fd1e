"""Every refusal: a class for each code, a sentence, parameters that a page can read."""

import re
import string

import pytest

from games.rules import IllegalAction, IllegalSetup, Malformed, NjetError
from games.rules import errors as module

FAMILIES = (NjetError, Malformed, IllegalSetup, IllegalAction, module.IllegalAmendment)
REFUSALS = [
    each
    for each in vars(module).values()
    if isinstance(each, type) and issubclass(each, NjetError) and each not in FAMILIES
]


def _filled(refusal: type[NjetError]) -> NjetError:
    names = [name for _, name, _, _ in string.Formatter().parse(refusal.template) if name]
    return refusal(**dict.fromkeys(names, 3))


def test_every_refusal_has_a_code_of_its_own() -> None:
    codes = [each.code for each in (*FAMILIES, *REFUSALS)]

    assert len(codes) == len(set(codes))
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)*", code) for code in codes)


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


def test_the_codes_that_the_contract_names_are_there() -> None:
    codes = {each.code for each in REFUSALS}

    assert {"not_your_turn", "amendment_conflicts"} <= codes


def test_parameters_are_kept_beside_the_sentence() -> None:
    error = module.NotYourTurn(seat=2, acting=[1])

    assert error.params == {"seat": 2, "acting": [1]}
    assert error.message == str(error) == "It is not the turn of seat 2."


def test_text_from_outside_cannot_break_the_sentence() -> None:
    error = module.UnknownSpace(row="trump", space="{row}{0}%s")

    assert error.message == "The row “trump” has no space “{row}{0}%s”."
