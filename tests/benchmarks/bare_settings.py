"""The application's settings with the bare views beside it."""

from njetassist import settings
from njetassist.settings import *  # noqa: F403 (settings are names)

ROOT_URLCONF = "tests.benchmarks.bare"
MIDDLEWARE = ["tests.benchmarks.bare.BareFirst", *settings.MIDDLEWARE]
