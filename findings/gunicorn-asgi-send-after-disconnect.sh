#!/usr/bin/env bash
# gunicorn's asgi worker: sending to a client that has left raises no error, though the announced version promises one.
#
# One would guess: the worker announces version 2.4 of the specification, from which on a server raises an OSError when
# an application sends to a client that has left. Frameworks count on it: where they read 2.4 they no longer wait for
# the message "http.disconnect" beside a stream.
# What happens: after the client has closed the connection each `send` returns as before. Some three seconds later the
# application is cancelled, wherever it waits. What it does in that time is in vain, and code that cleans up on an
# OSError, and not on a cancellation, does not run.
# Version: gunicorn 27.0.1 (PyPI), worker "asgi"; source: the ASGI specification, "Disconnected client - send exception".
set -euo pipefail
folder=$(mktemp -d)
server=""
trap '[ -z "$server" ] || kill "$server" || true; rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check gunicorn==27.0.1
cd "$folder"
cat >streaming.py <<'PYTHON'
import asyncio
import json
import time


async def application(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    began, sends, ended = time.monotonic(), 0, "at the end"
    try:
        for sends in range(1, 1001):
            await send({"type": "http.response.body", "body": b"x" * 1000, "more_body": True})
            await asyncio.sleep(0.01)
    except BaseException as error:
        ended = type(error).__name__
        raise
    finally:
        seen = {"spec": scope["asgi"]["spec_version"], "sends": sends, "ended": ended}
        with open("seen.json", "w") as file:
            json.dump({**seen, "seconds": time.monotonic() - began}, file)
PYTHON
cat >client.py <<'PYTHON'
import json
import socket
import time
from pathlib import Path

line = None
while line is None:
    try:
        line = socket.create_connection(("127.0.0.1", int(Path("port").read_text())), timeout=10)
    except OSError:
        time.sleep(0.1)
line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
line.recv(1000)
line.close()
deadline = time.monotonic() + 30
while not Path("seen.json").exists() and time.monotonic() < deadline:
    time.sleep(0.1)
time.sleep(0.2)
seen = json.loads(Path("seen.json").read_text())
print("gunicorn 27.0.1: version {spec}, {sends} sends in {seconds:.1f} s, ended by {ended}".format(**seen))
assert (seen["spec"], seen["ended"]) == ("2.4", "CancelledError"), seen
assert seen["sends"] > 50 and 2 < seen["seconds"] < 6, seen
PYTHON
"$folder/venv/bin/python" -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])' >port
"$folder/venv/bin/gunicorn" -k asgi --asgi-lifespan off --no-control-socket --bind "127.0.0.1:$(cat port)" \
    --log-level critical streaming:application &
server=$!
"$folder/venv/bin/python" client.py
