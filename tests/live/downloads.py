"""A small application behind the bridge: long answers, short answers, answers that fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from njetassist.bridge import Bridge

THREADS = 4
CHUNK = b"x" * 65536


def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    match environ["PATH_INFO"]:
        case "/long":
            start_response("200 OK", [("Content-Type", "text/plain"), ("X-Frame-Options", "DENY"), ("ETag", '"long"')])
            return long_answer(int(environ["QUERY_STRING"] or 2000))
        case "/echo":
            start_response("200 OK", [("Content-Type", "text/plain")])
            return [environ["wsgi.input"].read()]
        case "/cookies":
            start_response("200 OK", [("Content-Type", "text/plain")])
            return [environ.get("HTTP_COOKIE", "none").encode("latin1")]
        case "/fault":
            raise ValueError("a fault")
    start_response("200 OK", [("Content-Type", "text/plain"), ("Content-Length", "5")])
    return [b"short"]


def long_answer(chunks: int) -> Iterator[bytes]:
    for _ in range(chunks):
        yield CHUNK


application = Bridge(answer, threads=THREADS, limit_of=lambda path: 1000)
