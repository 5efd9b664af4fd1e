"""How hard the laws are tried: modestly and always alike, so that everybody has the patience.

`HYPOTHESIS_PROFILE=thorough` tries twice as many games, as `.ci/run` does; `explore` looks for new cases.
"""

import os

from hypothesis import HealthCheck, settings

_PATIENT = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
}

settings.register_profile("rules", max_examples=14, derandomize=True, **_PATIENT)
settings.register_profile("thorough", max_examples=28, derandomize=True, **_PATIENT)
settings.register_profile("explore", max_examples=250, **_PATIENT)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "rules"))
