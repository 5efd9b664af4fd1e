#!/usr/bin/env bash
# Django 6.1 and pysqlite3: the usual way to a newer SQLite ends at the first question for a limit.
#
# One would guess: pysqlite3 is the module sqlite3 of Python with another SQLite, so it can take its place, as with every
# Django before; what Python's module has got since 3.11, it has too.
# What happens: Django asks a connection how many parameters a query may have (`getlimit`, Python 3.11). The connections
# of pysqlite3 have no such method, and the question fails with an AttributeError. With Django 5.2, which has the number
# in its source, the same module works.
# Version: pysqlite3 0.6.1 with Django 6.1.3 and 5.2.19 (PyPI), Python 3.12 or newer; source: `max_query_params` of the
# features of Django's backend for SQLite.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=$(command -v python3.14 || command -v python3.13 || command -v python3.12)
for django in 6.1.3 5.2.19; do
    "$python" -m venv "$folder/$django"
    "$folder/$django/bin/pip" install --quiet --disable-pip-version-check "Django==$django" pysqlite3==0.6.1
    DJANGO=$django "$folder/$django/bin/python" - <<'PYTHON'
import os
import sys

import pysqlite3

sys.modules["sqlite3"], sys.modules["sqlite3.dbapi2"] = pysqlite3, pysqlite3.dbapi2

import django
from django.conf import settings

settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}})
django.setup()
from django.db import connection

connection.ensure_connection()
try:
    said = str(connection.features.max_query_params)
except AttributeError as error:
    said = str(error)
print(f"Django {django.__version__}, pysqlite3 0.6.1 with SQLite {pysqlite3.sqlite_version}: {said}")
expected = {"6.1.3": "no attribute 'getlimit'", "5.2.19": "999"}[os.environ["DJANGO"]]
assert expected in said, said
PYTHON
done
