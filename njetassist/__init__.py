"""The Django project: settings, middleware, and how it is served.

pysqlite3's SQLite takes the place of Python's own where its wheel is installed.  It is new enough for WAL, in which
readers and a writer do not wait for each other; that of most systems is not (`settings.SQLITE_JOURNAL_MODE`).  One
process must not open a database by two copies of SQLite, so this comes before Django's database layer.

From version 6.0 on Django asks a connection for its limits, which pysqlite3 cannot say: there Python's own is used.
"""

import sys
from contextlib import suppress

from django import VERSION

with suppress(ImportError):
    import pysqlite3  # type: ignore[import-untyped]  # (it has no types; it is used as the module that it replaces)

    if VERSION < (6, 0) or hasattr(pysqlite3.Connection, "getlimit"):
        sys.modules["sqlite3"], sys.modules["sqlite3.dbapi2"] = pysqlite3, pysqlite3.dbapi2
