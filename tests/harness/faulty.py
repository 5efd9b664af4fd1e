"""The application's settings with the fault that `PLANTED_FAULT` names in `tests.harness.faults`."""

import os

from njetassist.settings import *  # noqa: F403 (settings are names)
from njetassist.settings import INSTALLED_APPS

if os.environ.get("PLANTED_FAULT"):
    INSTALLED_APPS = [*INSTALLED_APPS, f"tests.harness.faults.{os.environ['PLANTED_FAULT']}"]
