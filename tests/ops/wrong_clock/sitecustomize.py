"""Python loads this module at its start if the directory is in PYTHONPATH: a clock that is wrong by SECONDS_LATER."""

import os
import time
from datetime import UTC, datetime, timedelta

from django.utils import timezone

LATER = int(os.environ["SECONDS_LATER"])
right_time = time.time

time.time = lambda: right_time() + LATER
timezone.now = lambda: datetime.now(UTC) + timedelta(seconds=LATER)
