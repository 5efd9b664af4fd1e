"""How many examples the laws try, chosen by `HYPOTHESIS_PROFILE`.

`quick`, the default, suits every run; `thorough` is what `.ci/run` uses; `explore` looks for new cases.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet
from hypothesis import HealthCheck, settings

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "quick")
OF_THE_RULES = {"quick": 5, "thorough": 20, "explore": 250}[PROFILE]
SHARE = {"quick": 0.35, "thorough": 0.7, "explore": 20}[PROFILE]


def examples(count: int) -> settings:
    """A law on most of `count` examples in the thorough profile, the same ones unless new ones are looked for."""
    return settings(
        max_examples=max(2, int(count * SHARE)),
        derandomize=PROFILE != "explore",
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )


def load_default() -> None:
    """Use the number of the rules where a law names none."""
    settings.register_profile(
        "rules",
        max_examples=OF_THE_RULES,
        derandomize=PROFILE != "explore",
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
    )
    settings.load_profile("rules")


def rest_slow(cases: Iterable[object], *, quick: int) -> list[ParameterSet]:
    """Cases of the same law: the first ones for every run, the others for `-m slow`."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=() if number < quick else pytest.mark.slow)
        for number, case in enumerate(cases)
    ]
