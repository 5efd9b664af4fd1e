"""A program that talks to the API, and holds every answer against the schema that the API publishes.

Knows addresses, headers and shapes. Knows no rule: what is legal it reads in the answers. What a test is given is
recorded by the services (`play`); what it is about goes over the API (`act`, `act_all`).
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import jsonschema_rs
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve

from games.api.openapi import openapi
from games.keys import registry
from games.log.ledger import Ledger
from games.rules import ActionEntry, from_json
from games.services.write import WriteRequest, write
from tests.builders import CAST
from tests.cast.copies import committed, copied, is_first

V1 = "/api/v1"

Json = Any


@dataclass(frozen=True)
class Answer:
    """What came back."""

    response: HttpResponse

    @property
    def status(self) -> int:
        return self.response.status_code

    @property
    def json(self) -> Json:
        return json.loads(self.response.content)

    @property
    def text(self) -> str:
        """The body; that of a file that is streamed can be read once."""
        return self.response.getvalue().decode()

    @property
    def code(self) -> str | None:
        """The code of a refusal, None for anything else."""
        return self.json["error"]["code"] if self.status >= 400 else None

    @property
    def refusal(self) -> tuple[int, str]:
        return self.status, self.json["error"]["code"]

    @property
    def params(self) -> Json:
        return self.json["error"]["params"]


@dataclass
class Api:
    """The endpoints below /api/v1."""

    client: Client = field(default_factory=Client)

    def get(self, path: str, key: str | None = None, **headers: str) -> Answer:
        return self.send("GET", path, key, **headers)

    def post(self, path: str, body: Json = None, key: str | None = None, **headers: str) -> Answer:
        return self.send("POST", path, key, data=json.dumps({} if body is None else body), **headers)

    def delete(self, path: str, key: str | None = None) -> Answer:
        return self.send("DELETE", path, key)

    def send(
        self,
        method: str,
        path: str,
        key: str | None = None,
        *,
        data: str | bytes = "",
        content_type: str = "application/json",
        **headers: str,
    ) -> Answer:
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        with committed(execute=True):
            response = self.client.generic(method, V1 + path, data, content_type, headers=headers)
        hold_against_schema(method, V1 + path, response)
        return Answer(response)

    def open_table(
        self,
        preset: str = "njet-english",
        players: int = 3,
        *,
        dealer: int = 0,
        tokens: list[str] | None = None,
        names: list[str] | None = None,
        **options: Json,
    ) -> Table:
        seats: list[dict[str, str]] = [{"name": name} for name in names or CAST[:players]]
        for seat, token in zip(seats, tokens or [], strict=False):
            seat["token"] = token
        body = {"mode": "table", "preset": preset, "options": options, "players": seats, "dealer": dealer}

        def opened() -> tuple[str, Json]:
            answer = self.post("/games/", body)
            assert answer.status == 201, answer.text
            return answer.json["id"], answer.json

        game_id, created = copied(("api", body) if is_first() else None, opened)
        return Table.of(self, json.loads(json.dumps(created).replace(created["id"], game_id)))


@dataclass
class Table:
    """A table, with the keys that were shown when it was opened."""

    api: Api
    id: str
    scorekeeper: str
    viewer: str
    created: Json

    @classmethod
    def of(cls, api: Api, created: Json) -> Table:
        """The table that an answer shows."""
        return cls(api, created["id"], created["keys"]["scorekeeper"], created["keys"]["viewer"], created)

    @property
    def path(self) -> str:
        return f"/games/{self.id}"

    @property
    def state(self) -> Json:
        return self.get().json

    @property
    def version(self) -> int:
        return self.state["version"]

    def get(self, path: str = "/", key: str | None = None, **headers: str) -> Answer:
        return self.api.get(self.path + path, key or self.scorekeeper, **headers)

    def post(self, path: str, body: Json = None, key: str | None = None) -> Answer:
        return self.api.post(self.path + path, body, key or self.scorekeeper)

    def act(self, action: Json, **more: Json) -> Answer:
        return self.post("/actions/", {"action": action, **more})

    def undo(self, **more: Json) -> Answer:
        return self.post("/undo/", more)

    def amend(self, *changes: Json, **more: Json) -> Answer:
        return self.post("/amend/", {"changes": list(changes), **more})

    def play(self, *actions: Json) -> Json:
        """Let these actions, which are legal, be recorded, and answer the state after them."""

        def entries(ledger: Ledger) -> list[ActionEntry]:
            return [ActionEntry(seq, from_json(action)) for seq, action in enumerate(actions, ledger.version + 1)]

        with committed(execute=True):
            key = registry.key_of_secret(self.scorekeeper)
            write("record", game_id=self.id, actor=key, request=WriteRequest(), decide=entries)
        return self.state

    def act_all(self, *actions: Json) -> Json:
        """Send these actions, which are legal, and answer the state after them."""
        state = None
        for action in actions:
            answer = self.act(action)
            assert answer.status == 201, (action, answer.text)
            state = answer.json["state"]
        return state


# --- actions ---


def place(row: str, space: str) -> Json:
    return {"type": "place", "row": row, "space": space}


def settle(start: str | None, discard: str, trump: str, supertrump: str, points: str) -> Json:
    rows = {"discard": discard, "trump": trump, "supertrump": supertrump, "points": points}
    return {"type": "conditions", **({} if start is None else {"start": start}), **rows}


def team(*partners: int, monster: int | None = None) -> Json:
    return {"type": "team", "partners": list(partners), "monster": monster}


def trick(winner: int, captured: int = 0) -> Json:
    return {"type": "trick", "winner": winner, "captured": captured}


def tally(tricks: list[int], captured: list[int] | None = None) -> Json:
    return {"type": "tally", "tricks": tricks, "captured": captured or [0] * len(tricks)}


def penalty(seat: int, points: int, reason: str = "revoke") -> Json:
    return {"type": "penalty", "seat": seat, "points": points, "reason": reason}


FINISH = {"type": "finish"}

ROUND_OF_THREE = (settle("0", "njet", "red", "njet", "2"), team(1, monster=2), tally([6, 5, 5], [1, 0, 2]))
"""A whole round of a table of three that plays `njet-english`: 24, 24 and 28 points."""


# --- a player who reads what is legal and takes one of it ---


def legal_move(state: Json, chance: random.Random, *, in_one_go: bool) -> Json:
    """An action that moves the round on, out of the state's own list."""
    legal = state["legal_actions"]
    templates = {each["type"]: each["bounds"] for each in legal if "bounds" in each}
    plain = [each for each in legal if each["type"] in ("place", "team")]
    if "tally" in templates:
        if in_one_go and not state["round"]["tricks"]:
            return _random_tally(templates["tally"], chance)
        winner = chance.choice(templates["trick"]["winner"])
        limits = templates["trick"]["captured"][winner]
        return trick(winner, chance.randint(limits["least"], limits["most"]))
    if "conditions" in templates and in_one_go:
        spaces = {row: chance.choice(spaces) for row, spaces in templates["conditions"].items()}
        return {"type": "conditions", **spaces}
    return chance.choice(plain)


def _random_tally(bounds: Json, chance: random.Random) -> Json:
    each = bounds["captured_per_trick"]
    tricks = [0] * len(each)
    for _ in range(bounds["tricks"]):
        tricks[chance.randrange(len(each))] += 1
    room = [seat for seat, won in enumerate(tricks) for _ in range(won * each[seat])]
    wanted = chance.randint(bounds["captured"]["least"], min(bounds["captured"]["most"], len(room)))
    taken = chance.sample(room, wanted)
    return tally(tricks, [taken.count(seat) for seat in range(len(each))])


# --- the schema ---


@cache
def _operations() -> dict[str, Json]:
    return dict(openapi()["paths"])


@cache
def _validator(pointer: str) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "components": openapi()["components"],
            **json.loads(pointer),
        },
        # Otherwise only drafts up to 7 look at formats.
        validate_formats=True,
    )


def hold_against_schema(method: str, path: str, response: HttpResponse) -> None:
    """Every answer of an endpoint is one that the schema promises, in the shape that the schema promises."""
    address = urlsplit(path).path
    described = _operations().get(template_of(address), {}).get(method.lower())
    if described is None or response.status_code == 405:
        return
    promised = described["responses"].get(str(response.status_code))
    assert promised is not None, f"{method} {path} answered {response.status_code}, which the schema does not promise"
    content = promised.get("content")
    if content is None:
        assert not response.content
        return
    kind = response.headers["Content-Type"].partition(";")[0]
    assert kind in content, f"{method} {path} answered {kind}"
    if kind == "application/json":
        errors = list(_validator(json.dumps(content[kind]["schema"])).iter_errors(json.loads(response.content)))
        assert not errors, f"{method} {path} is not what games/api/serializers promises: {deepest(errors)}"


def deepest(errors: Iterable[jsonschema_rs.ValidationError]) -> str:
    """What is wrong at the innermost place, where a field is missing or unknown.

    An answer that may have several shapes fails in one way for each of them; the one that fails the furthest inside is
    the shape that was meant.
    """
    leaves = [leaf for error in errors for leaf in _leaves(error)]
    depth = max(len(leaf.instance_path) for leaf in leaves)
    inner = [leaf for leaf in leaves if len(leaf.instance_path) == depth]
    # “… is not null” says nothing about a field.
    telling = [leaf for leaf in inner if leaf.kind.name != "type"] or inner
    places = (".".join(map(str, leaf.instance_path)) or "the answer" for leaf in telling)
    return "; ".join(f"{place}: {leaf.message}" for place, leaf in zip(places, telling, strict=True))


def _leaves(error: jsonschema_rs.ValidationError) -> Iterator[jsonschema_rs.ValidationError]:
    shapes = getattr(error.kind, "context", None)
    if not shapes:
        yield error
        return
    for shape in shapes:
        for inner in shape:
            yield from _leaves(inner)


def template_of(address: str) -> str:
    match = resolve(address)
    if match.url_name == "unknown":
        return ""
    return "/" + str(match.route).replace("<str:", "{").replace("<int:", "{").replace(">", "}")
