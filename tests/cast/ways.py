"""The other ways of a verb: a form of a page, a request of a program.  A table is given one: `Table(way=ByPage())`.

What is refused is raised as the error of the service: the service has to refuse the same, and the answer has to say its
error, a page in its sentence, REST in its code and parameters.  What a form or a request cannot say, the service does.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from django.db import transaction

from games.errors import RequestIdReused, StaleVersion, status_of
from games.keys import registry
from games.log import store
from games.log.ledger import Ledger
from games.models import Game, Key
from games.pages.correct.forms import refusal_sentence as of_correction
from games.pages.digital.page import refusal_sentence as of_play
from games.rules import (
    Action,
    Deal,
    Discard,
    EnterConditions,
    NameTeam,
    NjetError,
    Pass,
    Place,
    RecordTally,
    RecordTrick,
    kind_of,
    to_json,
)
from games.rules.actions import Claim, Hidden
from games.rules.entries import changes_to_json
from games.services.write import Outcome, WriteRequest
from tests.api.client import Answer, Api, Json
from tests.cast.pages import Page, Phone
from tests.cast.service import ANY, committing

Fields = dict[str, object]
Arguments = dict[str, Any]


def refusal_of(verb: str, **call: Any) -> NjetError:
    """The error with which the service refuses a call; nothing stays changed if it does not."""
    with transaction.atomic():
        try:
            committing(verb, **call)
        except NjetError as error:
            return error
        finally:
            transaction.set_rollback(True)
    raise AssertionError("refused on this way, and not by the service")


def ledger_of(game_id: str, seat: int | None) -> Ledger:
    """The log as a service answers it to a seat."""
    return store.seen(Game.objects.get(pk=game_id), seat)


# --- pages ---


class ByPage:
    """Forms of the pages, each sent by a phone that has just the key of who acts."""

    def __init__(self) -> None:
        self._phones: dict[int, Phone] = {}

    def __call__(
        self, verb: str, *, game_id: str, actor: Key, request: WriteRequest = ANY, **arguments: Any
    ) -> Outcome:
        call = {"game_id": game_id, "actor": actor, "request": request, **arguments}
        form = form_of(verb, arguments, ledger_of(game_id, None))
        if form is None:
            return committing(verb, **call)
        (name, *address), fields = form
        if name == "undo_to" and request.version is None:
            request = replace(request, version=Game.objects.get(pk=game_id).version)
        writing = {"version": request.version, "request_id": request.request_id}
        sent = {field: value for field, value in {**fields, **writing}.items() if value is not None}
        phone = self._phones.setdefault(actor.pk, Phone().sits(actor.game, actor))
        page = phone.post_to(phone.address_of(name, *address), sent)
        if page.status != 302:
            self._raise(page, refusal_of(verb, **call), ledger_of(game_id, None))
        ledger = ledger_of(game_id, actor.seat)
        return Outcome(ledger.version, ledger)

    @staticmethod
    def _raise(page: Page, error: NjetError, ledger: Ledger) -> None:
        assert page.status == status_of(error), (error, page.text)
        # After these two a page shows what has changed and offers to repeat the tap.
        if not isinstance(error, StaleVersion | RequestIdReused):
            sentences = [" ".join(each.split()) for each in (of_play(error, ledger), of_correction(ledger, error))]
            assert any(each in page.text for each in sentences), (sentences, page.text)
        raise error


def form_of(verb: str, arguments: Arguments, ledger: Ledger) -> tuple[tuple[object, ...], Fields] | None:
    """Address and fields of the form that says this, None if no form says it."""
    match verb, arguments:
        case "record", {"action": action, **more}:
            said = has_form(action, ledger.state.players)
            return (("act",), {**fields_of(action), "turn": more.get("seat")}) if said else None
        case "undo", {"to_seq": int(to_seq)}:
            return ("undo_to", to_seq + 1), {}
        case "undo", _:
            return ("undo",), {"sure": "1"}
        case "amend", {"changes": changes}:
            return ("correct_confirm", 1), {"changes": json.dumps(changes_to_json(changes))}
        case "correct", _:
            lists = {kind: arguments.get(f"{kind}s") or () for kind in ("name", "token")}
            fields = {f"{kind}-{seat}": text for kind, texts in lists.items() for seat, text in enumerate(texts)}
            return ("setup",), {**fields, "dealer": arguments.get("dealer"), "rounds": arguments.get("rounds")}
        case "confirm", {"round_number": number, "seat": seat, **more}:
            return ("confirm_round", number), {"seat": seat, "about": more.get("about")}
        case "withdraw", {"about": about}:
            return ("withdraw_correction", about), {}
        case "propose", {"kind": kind, **more}:
            # Bots answer this proposal of a page later, as a player would.
            later = kind == "finish" and any(ledger.bots)
            return None if later else (("ask",), {"kind": kind, "to_seq": more.get("to_seq")})
        case "answer", {"about": about, "agrees": agrees}:
            return ("answer",), {"about": about, "agrees": "1" if agrees else "0"}
        case "put_bot", {"seat": seat, "level": level}:
            return ("seat_bot", seat), {"level": level or ""}
    return (verb,), {}


def fields_of(action: Action) -> Fields:
    """The fields of the form that posts an action."""
    values = to_json(action)
    del values["type"]
    match action:
        case Place(row, space):
            values = {"space": f"{row.value}:{space}"}
        case NameTeam(partners, monster, start):
            seats = "-".join(map(str, partners)) or "alone"
            values = {"team": f"{seats}:{'' if monster is None else monster}", "start": start}
        case RecordTrick(winner, captured):
            values = {"trick": f"{winner}:{captured}"}
        case RecordTally():
            values = {f"{name}-{seat}": n for name, figures in values.items() for seat, n in enumerate(figures)}
    return {"do": kind_of(action), **{name: value for name, value in values.items() if value is not None}}


def has_form(action: Action, players: int) -> bool:
    """Whether a form says exactly this action."""
    match action:
        case Deal() | Claim() | Discard(Hidden()) | Pass(Hidden()):
            return False
        case EnterConditions(start, discard, trump, supertrump, points):
            return "" not in (start, discard, trump, supertrump, points)
        case NameTeam(partners=partners):
            return min(partners, default=0) >= 0
        case RecordTally(tricks, captured):
            return len(tricks) == len(captured) == players
    return True


# --- REST ---


class ByRest:
    """Requests of programs, each with a key like that of who acts."""

    def __init__(self) -> None:
        self._api = Api()
        self._keys: dict[int, Key] = {}

    def __call__(
        self, verb: str, *, game_id: str, actor: Key, request: WriteRequest = ANY, **arguments: Any
    ) -> Outcome:
        if actor.pk not in self._keys:
            self._keys[actor.pk] = registry.issue(game=actor.game, role=actor.role, seat=actor.seat, program=True)
        key = self._keys[actor.pk]
        call = {"game_id": game_id, "actor": key, "request": request, **arguments}
        asked = request_of(verb, arguments)
        if asked is None or (request.version or 0) < 0:
            return committing(verb, **call)
        path, body = asked
        path = f"/games/{game_id}/{path}/"
        if body is None:
            answer = self._api.delete(path, key.secret)
        else:
            writing = {"version": request.version, "request_id": request.request_id}
            answer = self._api.post(path, {**body, **writing}, key.secret)
        state = self._api.get(f"/games/{game_id}/", key.secret).json
        if answer.status >= 400:
            self._raise(answer, refusal_of(verb, **call), state)
        assert body is None or answer.json["state"] == state
        ledger = ledger_of(game_id, actor.seat)
        version = ledger.version if body is None else answer.json["version"]
        return Outcome(version, ledger, repeated=answer.status == 200)

    @staticmethod
    def _raise(answer: Answer, error: NjetError, state: Json) -> None:
        assert answer.refusal == (status_of(error), error.code)
        more = {"state": state} if isinstance(error, StaleVersion) else {}
        assert answer.params == {**json.loads(json.dumps(error.params)), **more}
        raise error


def request_of(verb: str, arguments: Arguments) -> tuple[str, Json] | None:
    """Path and body of the request that says this (None: it is a DELETE), None if no request says it."""
    body = {name: value for name, value in arguments.items() if value is not None}
    match verb, arguments:
        case "record", {"action": action}:
            return "actions", {**body, "action": to_json(action)}
        case "undo", {"to_seq": int(to_seq)} if to_seq < 0:
            return None
        case "amend", {"changes": changes}:
            return "amend", {"changes": changes_to_json(changes)}
        case "correct", _:
            return "setup", {name: list(value) if isinstance(value, tuple) else value for name, value in body.items()}
        case "confirm", {"round_number": number, "seat": seat, **more}:
            return "confirmations", {"round": number, "seat": seat, "about": more.get("about")}
        case "withdraw", {"about": about}:
            return f"corrections/{about}", None
        case "propose", {"kind": kind, **more}:
            return "proposals", {"type": kind, **{name: value for name, value in more.items() if value is not None}}
        case "answer", {"about": about, "agrees": agrees}:
            return f"proposals/{about}", {"agree": agrees}
        case "put_bot", {"seat": seat, "level": level}:
            return f"seats/{seat}/bot", {"level": level}
    return verb, body
