"""The application's settings with the bare views beside it."""

from njetassist.settings import *  # noqa: F403

ROOT_URLCONF = "tests.benchmarks.bare"
