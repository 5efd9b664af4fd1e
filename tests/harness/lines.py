"""Connections to a server: one that is kept, and one that loses answers.

Knows: HTTP, JSON, keys.  Must not know: what is asked for, nor what to do when no answer comes.
"""

from __future__ import annotations

import json
import random
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from typing import Any, Self

Document = dict[str, Any]


class NoAnswer(Exception):
    """No one knows whether the request was carried out."""


@dataclass(frozen=True)
class Answer:
    """What came back.  `document` is None where the body is no JSON."""

    status: int
    document: Any
    text: str

    @property
    def code(self) -> str:
        """The code of a refusal; nothing for a success."""
        return str(self.document["error"]["code"]) if self.status >= 400 else ""


class Line:
    """One kept connection, opened again when it breaks."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self._connection.close()

    def get(self, address: str, key: str = "", **headers: str) -> Answer:
        """The answer to a GET.

        Errors: `NoAnswer`.
        """
        return self._ask("GET", address, None, key, headers)

    def post(self, address: str, document: Document, key: str = "") -> Answer:
        """The answer to a POST of JSON.

        Errors: `NoAnswer`.
        """
        return self._ask("POST", address, document, key, {"Content-Type": "application/json"})

    def _ask(self, method: str, address: str, document: Document | None, key: str, headers: dict[str, str]) -> Answer:
        body = None if document is None else json.dumps(document)
        if key:
            headers = {**headers, "Authorization": f"Bearer {key}"}
        try:
            self._connection.request(method, address, body, headers)
            return self._receive()
        except (OSError, HTTPException) as error:
            self._connection.close()
            raise NoAnswer(str(error)) from error

    def _receive(self) -> Answer:
        response = self._connection.getresponse()
        text = response.read().decode()
        document = None
        with suppress(ValueError):
            document = json.loads(text)
        return Answer(response.status, document, text)


class LossyLine(Line):
    """A phone at the edge of the wifi: some answers never arrive, because it hangs up or because they are lost."""

    def __init__(self, port: int, *, lost: float, chance: random.Random) -> None:
        """`lost`: the share of answers to POSTs that never arrive."""
        super().__init__(port)
        self._lost = lost
        self._chance = chance
        self._hangs_up = False

    def post(self, address: str, document: Document, key: str = "") -> Answer:
        luck = self._chance.random()
        self._hangs_up = luck < self._lost / 2
        answer = super().post(address, document, key)
        if luck < self._lost:
            raise NoAnswer("the answer was lost on its way")
        return answer

    def _receive(self) -> Answer:
        if self._hangs_up:
            self._hangs_up = False
            raise ConnectionAbortedError("hung up before the answer")
        return super()._receive()
