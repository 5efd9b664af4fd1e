#!/usr/bin/env bash
# a2wsgi: of two Cookie fields in one request, a WSGI application reads one cookie, and that with a wrong value.
#
# One would guess: a request over HTTP/2 may split its cookies into several fields (RFC 9113, section 8.2.3), so a
# bridge from ASGI to WSGI joins them by "; " again, and the application behind it reads every cookie.
# What happens: the fields are joined by a comma, as those of any other name. Python's cookie reader, Django's and
# Werkzeug's then find one cookie, whose value has the rest of the line in it. A session in the second field is lost
# without a message: its owner is a stranger.
# Version: a2wsgi 1.10.10 (PyPI), read by Werkzeug 3.1.9 and Django 5.2.19; source: `build_environ` in a2wsgi/wsgi.py.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check a2wsgi==1.10.10 Django==5.2.19 Werkzeug==3.1.9
"$folder/venv/bin/python" - <<'PYTHON'
import asyncio
import json

from a2wsgi import WSGIMiddleware
from django.http import parse_cookie
from werkzeug.http import parse_cookie as parse_with_werkzeug


def application(environ, start_response):
    line = environ["HTTP_COOKIE"]
    start_response("200 OK", [])
    return [json.dumps([line, parse_cookie(line), parse_with_werkzeug(line)]).encode()]


async def receive():
    return {"type": "http.request", "body": b"", "more_body": False}


body = []


async def send(message):
    body.append(message.get("body", b""))


scope = {"type": "http", "http_version": "2", "method": "GET", "path": "/", "query_string": b"", "root_path": ""}
scope["headers"] = [(b"cookie", b"theme=dark"), (b"cookie", b"session=abc")]
asyncio.run(WSGIMiddleware(application)(scope, receive, send))
line, by_django, by_werkzeug = json.loads(b"".join(body))
print(f"a2wsgi 1.10.10: {line!r}, read by Django as {by_django} and by Werkzeug as {by_werkzeug}")
assert line == "theme=dark,session=abc"
assert by_django == by_werkzeug == {"theme": "dark,session=abc"}
PYTHON
