#!/usr/bin/env bash
# django-tasks-db: a task that is to run at once waits behind every deferred one that has become due.
#
# One would guess: of equal tasks the one that was enqueued first runs first; or the one that was due first. A task
# without `run_after` was due when it was enqueued.
# What happens: tasks are ordered by `run_after`, and one without it counts as due in the year 9999. While deferred
# tasks keep becoming due, as with a pause before each step of many games, it is passed by all of them, also by those
# that were enqueued long after it.
# Version: django-tasks-db 0.13.0 with django-tasks 0.12.0 and Django 5.2.19 (PyPI), on SQLite; source: the ordering of
# the model DBTaskResult.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
    Django==5.2.19 django-tasks==0.12.0 django-tasks-db==0.13.0
cd "$folder"
cat >jobs.py <<'PYTHON'
from django_tasks import task


@task()
def job(name):
    return name
PYTHON
"$folder/venv/bin/python" - <<'PYTHON'
import time
from datetime import timedelta

import django
from django.conf import settings

settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "tasks.sqlite3"}},
    INSTALLED_APPS=["django_tasks", "django_tasks_db"],
    TASKS={"default": {"BACKEND": "django_tasks_db.DatabaseBackend"}},
    USE_TZ=True,
)
django.setup()
from django.core.management import call_command
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from jobs import job

call_command("migrate", verbosity=0)
job.enqueue("at once, first")
for number in (1, 2):
    job.using(run_after=timezone.now() + timedelta(seconds=0.1)).enqueue(f"deferred, enqueued later {number}")
time.sleep(0.5)
call_command("db_worker", batch=True, interval=0.1, verbosity=0)
done = [each.args_kwargs["args"][0] for each in DBTaskResult.objects.order_by("started_at")]
print(f"django-tasks-db 0.13.0 ran: {done}")
assert done == ["deferred, enqueued later 1", "deferred, enqueued later 2", "at once, first"]
PYTHON
