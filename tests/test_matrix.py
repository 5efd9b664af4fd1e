"""The matrix of access: every address by every method for everybody, at a physical table and in a digital game.

The addresses are read from the URL resolver.  `API` and `PAGES` say who may do what and how it is answered; everything
else is a refusal, as `refused` derives it.  An address that is not in the lists fails, and so does every other answer.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import date
from http.cookies import SimpleCookie
from itertools import product
from random import Random
from typing import ClassVar
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, override_settings
from django.urls import URLPattern, URLResolver, get_resolver, include, path

import games.api.urls
import games.urls
import njetassist.urls
from games.formats import document as records
from games.keys import invitations, registry, sessions
from games.live.hub import hub
from games.live.presence import Presence
from games.log import store
from games.models import (
    Game,
    Group,
    GroupInvite,
    GroupKey,
    GroupRole,
    Invite,
    Key,
    LogEntry,
    Player,
    Role,
    Season,
    Seat,
)
from games.pages.export import views as exports
from games.rules import Phase, to_json
from games.services import deletion, group_players, proposals, seasons
from games.services.write import WriteRequest
from tests.api.client import CAST, place
from tests.api.exchange import whole
from tests.api.jumps import in_phase, jump
from tests.cast.digital import DigitalTable
from tests.cast.groups import new_group, played, three
from tests.cast.tables import ROUND_1, ROUND_2, Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

# --- who asks ---

TABLE = ("scorekeeper", "viewer", "seat", "other-seat")
GROUP = ("owner", "member", "group-viewer")
STRANGERS = ("nobody", "wrong-key", "revoked", "other-table", "other-owner")
EVERYBODY = (*TABLE, *GROUP, *STRANGERS)
KEYLESS = {"nobody", "wrong-key", "revoked"}

NAMES = {"all": EVERYBODY, "table": TABLE, "seats": ("seat", "other-seat"), "group": GROUP, "readers": (*TABLE, *GROUP)}
"""Several roles by one name."""

# --- what they may do ---

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW")

ONE_OF_EACH = ("scorekeeper", "owner", "nobody", "other-table")
"""Who asks by a method that an address does not take: the most that each kind of key may do, none, and a stranger's."""

API = """
presets            GET     all 200
games              POST    all 201
import             POST    all 201
game               GET     readers 200
game               DELETE  scorekeeper 204, owner 204
restore            POST    |
actions            POST    scorekeeper 201 | seat 201, other-seat 422
undo               POST    scorekeeper 201 | seats 201
amend              POST    scorekeeper 201 | scorekeeper 422
setup              POST    scorekeeper 201 | scorekeeper 422
occasion           POST    scorekeeper 201
lock               POST    scorekeeper 409
reopen             POST    scorekeeper 409
rematch            POST    scorekeeper 409
play_on            POST    readers 422 | readers 409
proposals          POST    scorekeeper 422 | seats 201
proposal           POST    scorekeeper 422 | seat 201, other-seat 422
seat_bot           POST    scorekeeper 422 | scorekeeper 201, other-seat 201
log                GET     readers 200
sheet              GET     readers 200
analysis           GET     readers 422 | readers 409
export             GET     readers 200
invites            GET     readers 200
invites            POST    scorekeeper 201
invite             DELETE  scorekeeper 204, viewer 404, seats 404, group 404
confirmations      POST    scorekeeper 201 | scorekeeper 422
asked              GET     readers 200
asked              POST    scorekeeper 200 | scorekeeper 422
correction         DELETE  scorekeeper 409
keys               GET     scorekeeper 200
key                DELETE  scorekeeper 204
join               POST    all 201
groups             POST    all 201
group              GET     group 200
group              POST    owner 200
group              DELETE  owner 204
group_players      GET     group 200
group_players      POST    owner 201, member 201
group_player       POST    owner 200, member 200
merge              POST    owner 200
erase              POST    owner 200
seasons            GET     group 200
seasons            POST    owner 201, member 201
season             POST    owner 200, member 200
season             DELETE  owner 204, member 204
group_keys         GET     owner 200
group_keys         POST    owner 201
group_key          DELETE  owner 204
renew              POST    owner 200
group_invites      GET     group 200
group_invites      POST    owner 201, member 201
group_invite       DELETE  owner 204, member 404, group-viewer 404
group_games        POST    owner 201, member 201
group_game         DELETE  owner 204
enter              POST    owner 201, member 201 | group 201
results            GET     group 200, other-owner 200
rounds             GET     group 200, other-owner 200
players            GET     group 200, other-owner 200
player_statistics  GET     group 200
pair               GET     group 200
statistics         GET     group 200, other-owner 200
schema             GET     all 200
docs               GET     all 200
unknown            *       all 404
"""
"""A line for each address and method: who is answered what, everybody else is refused.

Behind `|`: in a digital game.  `*`: every method.  HEAD is answered as GET.
"""

PAGES = """
home               GET     all 200
manifest           GET     all 200
worker             GET     all 200
robots             GET     all 200
appearance         GET     all 200
appearance         POST    all 302
language           GET     all 405
language           POST    all 302
learn              GET     all 302
lesson             GET     all 200
new                GET     all 200
new                POST    all 302
paper_new          GET     all 200
paper_new          POST    all 302
join               GET     all 200
join               POST    all 302
tv                 GET     all 302
join_link          GET     all 200
join_link          POST    all 302
bgstats_play       GET     all 302
feed               GET     all 200
live               GET     table 204
sign_of_life       GET     table 204
import             GET     all 200
import             POST    all 302
deleted            GET     table 302, group 404
deleted            POST    table 302, group 404
deleted_group      GET     group 302
deleted_group      POST    group 302
group_new          GET     all 200
group_new          POST    all 302
enter              GET     group 200, table 404
enter              POST    group 302, table 404
table              GET     table 200
act                POST    scorekeeper 302 | seat 302, other-seat 422
undo               POST    scorekeeper 302 | seats 302
undo_to            GET     scorekeeper 200 | scorekeeper 422
undo_to            POST    scorekeeper 302 | scorekeeper 422
pad                GET     scorekeeper 200 | scorekeeper 422
quick              GET     scorekeeper 200 | scorekeeper 422
sheet              GET     readers 200
sheet_csv          GET     readers 200
screen             GET     table 200
history            GET     readers 200
placements         GET     readers 200
replay             GET     readers 200
replay_step        GET     readers 200
play_on            POST    readers 404 | readers 409
rules              GET     readers 200
shuffle            GET     readers 404 | readers 200
analysis           GET     readers 404 | readers 409
correct            GET     scorekeeper 200 | scorekeeper 422
correct            POST    scorekeeper 400 | scorekeeper 422
correct_entries    GET     scorekeeper 200 | scorekeeper 422
correct_entries    POST    scorekeeper 422
correct_confirm    POST    scorekeeper 302 | scorekeeper 422
setup              GET     scorekeeper 200 | scorekeeper 422
setup              POST    scorekeeper 302 | scorekeeper 422
occasion           GET     scorekeeper 200
occasion           POST    scorekeeper 302
paper              GET     scorekeeper 422
paper              POST    scorekeeper 422
menu               GET     table 200
phones             GET     table 200
phones             POST    table 200
label              POST    table 302
revoke             POST    scorekeeper 302
withdraw           POST    scorekeeper 302, viewer 404, seats 404
withdraw_correction POST   scorekeeper 409 | scorekeeper 422
seen               POST    table 404 | table 302
confirm_round      POST    scorekeeper 302 | scorekeeper 422
ask_confirmation   POST    scorekeeper 302 | scorekeeper 422
hide_markers       POST    scorekeeper 302 | scorekeeper 302
void               GET     scorekeeper 200 | scorekeeper 422
void               POST    scorekeeper 302 | scorekeeper 422
penalty            GET     scorekeeper 200 | scorekeeper 422
penalty            POST    scorekeeper 302 | scorekeeper 422
finish             GET     scorekeeper 200 | seats 200
finish             POST    scorekeeper 302 | seats 302
lock               GET     scorekeeper 200
lock               POST    scorekeeper 409
reopen             GET     scorekeeper 200 | scorekeeper 409
reopen             POST    scorekeeper 409
delete             GET     scorekeeper 200
delete             POST    scorekeeper 302
rematch            POST    scorekeeper 409
adopt              GET     scorekeeper 200
adopt              POST    scorekeeper 404
table_evening      GET     readers 302
exports            GET     readers 200
export             GET     readers 200
ask                POST    | seats 302
answer             POST    | seat 302, other-seat 422
take_back_seat     POST    | seats 302
hint               POST    | seats 422
hurry              POST    table 404 | seats 204
speed              GET     table 404 | seats 302
speed              POST    table 404 | seats 302
say                GET     table 404 | table 302
say                POST    table 404 | seats 302
seat_bot           POST    table 404 | scorekeeper 302, seats 302
seat_free          POST    table 404 | scorekeeper 302
seat_again         POST    table 404 | scorekeeper 404, viewer 404, seat 404, other-seat 302
follow             POST    table 404 | table 409
group              GET     group 200
group_games        GET     group 200
group_csv          GET     group 200
group_archive      GET     owner 200
group_file         GET     owner 200
group_restore      POST    owner 200, member 403, group-viewer 403, table 404
paper_list         GET     owner 200, member 200
paper_list         POST    owner 302, member 302
evening            GET     group 200
players            GET     group 200
players            POST    owner 302, member 302
edit_player        GET     owner 200, member 200
edit_player        POST    owner 302, member 302
merge_player       GET     owner 200
merge_player       POST    owner 302
erase_player       GET     owner 200
erase_player       POST    owner 302
player             GET     group 200
pair               GET     group 200
group_statistics   GET     group 200
seasons            GET     group 200
seasons            POST    owner 302, member 302
edit_season        GET     owner 200, member 200
edit_season        POST    owner 302, member 302
delete_season      POST    owner 302, member 302
group_keys         GET     group 200
group_invite       POST    owner 200, member 200
group_token        POST    owner 200
group_renew        POST    owner 200
group_revoke       POST    owner 302
group_withdraw     POST    owner 302, member 404, group-viewer 404
group_rename       POST    owner 302
group_settings     GET     owner 200
group_dissolve     GET     owner 200
group_dissolve     POST    owner 302
"""

LISTS = {"api": API, "games": PAGES}

SHOWN_TO_GROUPS = {line.split()[0] for line in PAGES.strip().splitlines() if " readers " in line}
"""Pages of a table that are also the group's; from the others a GET leads its members to the way in."""


Answers = dict[str, int]


def stated(text: str, mode: str) -> dict[tuple[str, str], Answers]:
    """The answers of a list by address and method, in one mode."""
    found: dict[tuple[str, str], Answers] = {}
    for line in text.strip().splitlines():
        name, method, answers = line.split(None, 2)
        at_table, divided, digital = answers.partition("|")
        part = digital if divided and mode == "digital" else at_table
        terms = [term.split() for term in part.split(",") if term.strip()]
        by_role = {role: int(status) for who, status in terms for role in NAMES.get(who, (who,))}
        assert set(by_role) <= set(EVERYBODY), f"an unknown role: {line}"
        found |= {(name, each): by_role for each in (METHODS if method == "*" else (method,))}
    return found


# --- the addresses ---


@dataclass(frozen=True)
class Route:
    """A pattern of the resolver.  `space`: `api` or `games`, the pages."""

    space: str
    name: str
    pattern: str

    @property
    def parameters(self) -> list[str]:
        return re.findall(r"<(?:\w+:)?(\w+)>", self.pattern)

    @property
    def owner(self) -> str:
        """The parameter that names the game or the group."""
        return next((name for name in self.parameters if name in ("game_id", "group_id")), "")

    def __str__(self) -> str:
        return f"{self.pattern} ({self.name})"

    def address(self, ids: dict[str, object]) -> str:
        """Its address with these values of its parameters."""
        return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(ids[found[1]]), self.pattern)


def routes(resolver: URLResolver | None = None, prefix: str = "", space: str = "") -> Iterator[Route]:
    """Every address, as the resolver finds it."""
    resolver = resolver or get_resolver()
    for pattern in resolver.url_patterns:
        whole = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield Route(space, pattern.name or "", re.sub(r"\^.*", "v1/unknown/", whole))
        else:
            yield from routes(pattern, whole, pattern.app_name or space)


# --- the world that they ask in ---

Json = dict[str, object]


class World:
    """A table of a group, another group with a table of its own, and everybody's keys."""

    def __init__(self, mode: str) -> None:
        self.client = Client(raise_request_exception=False)
        self.mode, self.group, self.other_group = mode, new_group(), new_group("Fridays")
        self.game, self.other_game = (self._game(group) for group in (self.group, self.other_group))
        self.guest = Table()
        self.record = records.text(Table(None, *ROUND_1, *ROUND_2).game)
        self.secrets = {"wrong-key": "A" * 43}
        self.sessions = {"wrong-key": "a" * 32}
        for role in EVERYBODY:
            if (mode == "digital" or role not in NAMES["seats"]) and role not in ("nobody", "wrong-key"):
                self.secrets[role] = self._key(role, program=True).secret
                self.sessions[role] = self._session(self._key(role, program=False))
        self.ids, self.foreign_ids = (
            self._ids(game, group) for game, group in ((self.game, self.group), (self.other_game, self.other_group))
        )
        self.bodies = {"api": self._bodies(), "games": self._forms()}
        for game in Game.objects.all():
            # As after a commit.
            store._keep(store.read(game))

    @property
    def roles(self) -> Sequence[str]:
        """Everybody; at a physical table no seat has a key."""
        return [role for role in EVERYBODY if role == "nobody" or role in self.secrets]

    def has(self, route: Route) -> bool:
        """Whether an address is asked in this mode: what belongs to no game is asked once."""
        return self.mode == "table" or "game_id" in route.parameters

    def _game(self, group: Group) -> Game:
        """One round is on the sheet, the second has begun."""
        if self.mode == "table":
            return Table(three(), *ROUND_1, "trump red", group=group).game
        phones = DigitalTable(bots={1: "easy"}, group=group)
        jump(phones.id, in_phase(Phase.PLACING, round=2), Random(1))
        # A marker that can be taken back; another person is due next.
        phones.step()
        return phones.game

    def address(self, route: Route, **swapped: object) -> str:
        """Where a request goes, with ids that are not the world's own."""
        ids = {**self.ids, **swapped}
        if "group_id" in route.parameters:
            for name in {"key_id", "invite_id"} - swapped.keys():
                ids[name] = ids[f"group_{name}"]
        if route.name == "evening" and "game_id" not in swapped:
            ids["game_id"] = ids["finished_id"]
        return route.address(ids)

    def seat_of(self, role: str) -> int:
        """`seat` is due, `other-seat` is the other one that a person plays."""
        due = store.read(self.game).state.acting_seats[0]
        return due if role == "seat" else next(seat for seat in (0, 2) if seat != due)

    def _key(self, role: str, *, program: bool) -> Key | GroupKey:
        match role:
            case "owner" | "member" | "group-viewer":
                return registry.issue(group=self.group, role=GroupRole(role.removeprefix("group-")), program=program)
            case "other-owner":
                return registry.issue(group=self.other_group, role=GroupRole.OWNER, program=program)
            case "seat" | "other-seat":
                return registry.issue(game=self.game, role=Role.SEAT, seat=self.seat_of(role), program=program)
            case "other-table":
                return registry.issue(game=self.guest.game, role=Role.SCOREKEEPER, program=program)
            case "revoked":
                key = registry.issue(game=self.game, role=Role.SCOREKEEPER, program=program)
                registry.revoke(key)
                return key
        return registry.issue(game=self.game, role=Role(role), program=program)

    def _session(self, key: Key | GroupKey) -> str:
        session = SessionStore()
        if isinstance(key, GroupKey):
            sessions.remember_group(session, key)
        elif key.seat is None:
            sessions.remember(session, key)
        else:
            sessions.remember_seat(session, key)
        session.save()
        return str(session.session_key)

    def _ids(self, game: Game, group: Group) -> Json:
        """The values of the parameters of addresses."""
        invitation = invitations.invite(game=game, role=Role.VIEWER)
        # Two who never sat at one table.
        fay, gus = sorted(group_players.add_player(group_id=group.pk, name=name).pk for name in ("Fay", "Gus"))
        return {
            "game_id": game.pk,
            "finished_id": played(group).id,
            "group_id": group.pk,
            "player_id": fay,
            "one_id": fay,
            "other_id": gus,
            "key_id": registry.issue(game=game, role=Role.VIEWER).pk,
            "group_key_id": registry.issue(group=group, role=GroupRole.VIEWER, program=True).pk,
            "seq": 4 if self.mode == "table" else self._proposal(game),
            "seat": self.seat_of("other-seat"),
            "number": 1 if self.mode == "table" else self.seat_of("other-seat"),
            "step": 1,
            "edition": "njet60",
            "name": "njet.txt",
            "token": invitation.token,
            "feed": registry.feed_of(registry.issue(group=group, role=GroupRole.VIEWER, program=True)),
            "play": exports.PLAYS.sign(played(group).id),
            "code": invitation.code,
            "stream": "a",
            "season_id": seasons.create_season(group_id=group.pk, name="Spring", since=date(2026, 3, 1)).pk,
            "invite_id": invitation.invite.pk,
            "group_invite_id": invitations.invite_to_group(group=group, role=GroupRole.MEMBER).invite.pk,
        }

    def _proposal(self, game: Game) -> int:
        """A proposal that waits for an answer."""
        proposer = Key.objects.filter(game=game, role=Role.SEAT, seat=self.seat_of("other-seat")).first()
        assert proposer is not None
        outcome = proposals.propose(game_id=game.pk, actor=proposer, kind="finish", request=WriteRequest())
        return outcome.ledger.counting.proposals[-1].seq

    # --- what is sent ---

    def _action(self) -> Json:
        ledger = store.read(self.game)
        due = ledger.state.acting_seats[0]
        return to_json(ledger.seen_by(due).view.legal[0]) if self.mode == "digital" else place("discard", "njet")

    def _bodies(self) -> dict[str, Json]:
        """What is sent to the API, by address: it is right, so that nothing is refused for its own sake."""
        new = {"mode": "table", "preset": "njet-english", "players": [{"name": each} for each in CAST[:3]]}
        change = {"seq": 4, "action": place("trump", "blue")}
        return {
            "games": new,
            "import": {"njet": self.record},
            "actions": {"action": self._action()},
            "amend": {"changes": [change]},
            "setup": {"names": ["Ana", "Ben", "Cloe"]},
            "occasion": {"place": "Garden"},
            "play_on": {"step": 1, "seat": 0, "level": "easy"},
            "proposals": {"type": "takeback"},
            "proposal": {"agree": True},
            "seat_bot": {"level": "easy"},
            "invites": {"role": "viewer"},
            "join": {"token": self.ids["token"]},
            "confirmations": {"round": 1, "seat": 0},
            "asked": {"asked": True},
            "groups": {"name": "Wednesdays"},
            "group": {"name": "Wednesdays"},
            "group_players": {"name": "Hal"},
            "seasons": {"name": "Autumn", "since": "2026-09-01"},
            "season": {"name": "Autumn", "since": "2026-09-01"},
            "group_player": {"name": "Hal"},
            "merge": {"into": self.ids["other_id"]},
            "group_keys": {"role": "viewer"},
            "group_invites": {"role": "member"},
            "group_games": {"game": self.guest.id, "key": self.guest.secrets["scorekeeper"]},
            # In a digital game members get no more than a viewer's key.
            "enter": {"role": "scorekeeper" if self.mode == "table" else "viewer"},
        }

    def _forms(self) -> dict[str, Json]:
        """The same for the pages."""
        names = {f"name-{seat}": each for seat, each in enumerate(("Ana", "Ben", "Cloe"))}
        action = self._action()
        return {
            "new": {**names, "preset": "njet-english", "mode": "table"},
            "appearance": {"theme": "dark"},
            "language": {"language": "en"},
            "join": {"code": self.ids["code"], "sit": "1"},
            "join_link": {"sit": "1"},
            "import": {"text": self.record},
            "group_new": {"name": "Wednesdays"},
            "enter": {"role": "viewer"},
            "act": {"do": "place", "space": f"{action['row']}:{action['space']}"},
            "undo": {"sure": "1"},
            "undo_to": {"version": self.game.version},
            "occasion": {"day": "2026-01-15", "place": "Garden"},
            "paper_new": {**names, "points-0": "4", "points-1": "5", "points-2": "6", "day": "2026-01-15"},
            "group_restore": {
                "group": self.group.pk,
                "head": '{"format": "njet-group", "schema": 1, "players": []}',
            },
            "paper_list": {"text": "day,Ana,Ben,Cleo\n2026-01-15,1,2,3", "sure": "1"},
            "correct_confirm": {"changes": '[{"seq": 4, "delete": true}]'},
            "setup": names,
            "phones": {"role": "viewer"},
            "label": {"label": "Zoe"},
            "confirm_round": {"seat": "0"},
            "seen": {"version": self.game.version},
            "ask_confirmation": {"asks": "1"},
            "void": {"reason": "misdeal"},
            "penalty": {"seat": "0", "points": "-5", "reason": "revoke", "sure": "0:-5:revoke"},
            "ask": {"kind": "takeback"},
            "answer": {"about": self.ids["seq"], "agrees": "1"},
            "hurry": {"version": self.game.version},
            "speed": {"speed": "fast"},
            "play_on": {"seat": "0", "level": "easy"},
            "say": {"phrase": "sorry"},
            "seat_bot": {"level": "easy"},
            "players": {"name": "Hal"},
            "seasons": {"name": "Autumn", "since": "2026-09-01"},
            "edit_season": {"name": "Autumn", "since": "2026-09-01"},
            "edit_player": {"name": "Hal"},
            "merge_player": {"into": self.ids["other_id"]},
            "group_invite": {"role": "member"},
            "group_token": {"role": "viewer", "label": "Screen"},
            "group_rename": {"name": "Wednesdays"},
        }


def everything() -> list[object]:
    """All that is stored of games and groups."""
    kinds = (Game, Seat, LogEntry, Key, Invite, Group, GroupKey, GroupInvite, Player, Season)
    return [list(kind.objects.order_by("pk").values_list()) for kind in kinds]


@contextmanager
def undone() -> Iterator[None]:
    """Nothing that is written in the block stays."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


# --- asking ---


def ask(
    world: World, role: str, route: Route, method: str, *, lasts: bool = False, language: str = "en", **swapped: object
) -> HttpResponse:
    """The answer to a program or a browser.

    `lasts`: whether a change stays.  `swapped`: ids and fields that are not the world's own.
    """
    body = dict(world.bodies[route.space].get(route.name, {}))
    hub.presence = Presence()
    world.client.cookies = SimpleCookie()
    body |= {name: value for name, value in swapped.items() if name not in route.parameters}
    address = world.address(route, **swapped)
    if route.space == "api":
        secret = world.secrets.get(role)
        headers = {"accept-language": language} | ({} if secret is None else {"Authorization": f"Bearer {secret}"})
        kind, sent = "application/json", json.dumps(body) if body else ""
    else:
        headers, kind, sent = {"accept-language": language}, "application/x-www-form-urlencoded", urlencode(body)
        if role in world.sessions:
            world.client.cookies[settings.SESSION_COOKIE_NAME] = world.sessions[role]
    if method in ("GET", "HEAD"):
        address, sent = f"{address}?{urlencode(body)}", ""
    with nullcontext() if lasts else undone():
        return world.client.generic(method, address, sent, kind, headers=headers)


# --- what must be answered ---

OPEN = {"presets", "games", "import", "join", "groups", "schema", "docs", "unknown"}
"""Addresses of the API that need no key."""


def refused(route: Route, method: str, role: str, *, is_served: bool) -> set[int]:
    """The possible answers to somebody whom the lists do not name."""
    of_group = "group_id" in route.parameters
    if route.space == "games":
        if not is_served:
            return {405}
        if role in GROUP and not of_group:
            return {302} if method == "GET" and route.name not in SHOWN_TO_GROUPS else {404}
        return {403} if role in (GROUP if of_group else TABLE) else {404}
    if route.name in OPEN:
        return {405}
    if route.name == "restore":
        # It takes a key of a game in the bin alone.
        return {401}
    of_game = route.pattern.startswith("api/v1/games/")
    if role in KEYLESS or (not of_game and role in (*TABLE, "other-table")):
        return {401}
    if role in STRANGERS and (of_game or of_group or is_served):
        return {404}
    return {403} if is_served else {403, 405}


CODES = {401: "not_authenticated", 403: "forbidden", 404: "not_found", 405: "method_not_allowed"}


def has_shape(answer: HttpResponse, code: str) -> bool:
    """Whether a refusal of the API is in the one shape, with this code."""
    document = json.loads(answer.content)
    error = document.get("error", {})
    return (
        answer.headers["Content-Type"] == "application/json"
        and document.keys() == {"error"}
        and error.keys() == {"code", "message", "params"}
        and error["code"] == code
        and bool(error["message"])
        and (answer.status_code != 401 or answer.headers["WWW-Authenticate"] == "Bearer")
        and (answer.status_code != 405 or bool(answer.headers["Allow"]))
    )


CHANGED = "a request that was refused, or that only reads, has changed something"


def walk(world: World, space: str, *, only: Collection[str] = ()) -> Iterator[str]:
    """Every answer that is not as it must be, as a sentence.  `only`: the names of the addresses that are asked."""
    before, answers = everything(), stated(LISTS[space], world.mode)
    asked_for = [
        route for route in routes() if route.space == space and (not only or route.name in only) and world.has(route)
    ]
    yield from (f"{route} is in no list" for route in asked_for if route.name not in {name for name, _ in answers})
    for route, method in product(asked_for, METHODS):
        served = {known for name, known in answers if name == route.name}
        asked = "GET" if method == "HEAD" else method
        by_role = answers.get((route.name, asked), {})
        for role in world.roles if asked in served else ONE_OF_EACH:
            may = role in by_role
            right = {by_role[role]} if may else refused(route, asked, role, is_served=asked in served)
            answer = ask(world, role, route, method, lasts=not may or asked == "GET")
            status = answer.status_code
            if status not in right:
                yield f"{method} {route} by {role}: {status}, not {right}"
            elif space == "api" and method != "HEAD" and status in CODES and not has_shape(answer, CODES[status]):
                yield f"{method} {route} by {role}: a refusal in another shape"
    if everything() != before:
        yield CHANGED


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Thousands of refusals are not worth a line each."""
    caplog.set_level(logging.CRITICAL, "django.request")
    yield
    store._kept.clear()


MODES = pytest.mark.parametrize("mode", ["table", "digital"])
SPACES = pytest.mark.parametrize("space", ["api", "games"])


@SPACES
def test_every_address_is_in_the_lists(space: str) -> None:
    listed = {name for mode in ("table", "digital") for name, _ in stated(LISTS[space], mode)}

    assert {route.name for route in routes() if route.space == space} == listed


@pytest.mark.slow
@SPACES
@MODES
def test_every_request_is_answered_as_the_lists_say(mode: str, space: str) -> None:
    assert list(walk(World(mode), space)) == []


def test_no_two_addresses_have_one_name() -> None:
    patterns: dict[tuple[str, str], set[str]] = {}
    for route in routes():
        patterns.setdefault((route.space, route.name), set()).add(route.pattern)

    assert [name for name, found in patterns.items() if len(found) > 1] == []


# --- what is somebody else's does not exist ---

NOTHING = "0123456789ab"
NO_KEY = 10**9


def answered(world: World, space: str) -> Iterator[tuple[Route, str, Answers]]:
    """The addresses with the methods that they take, and the answers to those who may."""
    answers = stated(LISTS[space], world.mode)
    for route in routes():
        for (name, method), by_role in answers.items():
            if (route.space, route.name) == (space, name) and by_role and world.has(route):
                yield route, method, by_role


def same(world: World, role: str, route: Route, method: str, foreign: Json, missing: Json) -> Iterator[str]:
    """Whether what is not theirs is answered otherwise than what does not exist, or at all."""
    answers = []
    for swapped in (foreign, missing):
        response = ask(world, role, route, method, **swapped)
        if not 400 <= response.status_code < 500:
            yield f"{method} {route} by {role} with {swapped}: {response.status_code}"
        answer = whole(response)
        # In both answers alike: a short id is also a digit of something else.
        for sent in (*foreign.values(), *missing.values()):
            answer = answer.replace(str(sent).encode(), b"it")
        answers.append(answer)
    if answers[0] != answers[1]:
        yield f"{method} {route} by {role} with {foreign}: not as if it did not exist"


@pytest.mark.slow
@SPACES
@MODES
def test_strangers_cannot_tell_whether_something_exists(mode: str, space: str) -> None:
    world = World(mode)
    found = [
        difference
        for (route, method, _), role in product(answered(world, space), STRANGERS)
        if route.owner
        for difference in same(world, role, route, method, {}, {route.owner: NOTHING})
    ]

    assert found == []


FIELDS = {
    ("api", "games", "POST"): ("group", "group_id"),
    ("api", "import", "POST"): ("group", "group_id"),
    ("api", "merge", "POST"): ("into", "other_id"),
    ("api", "group_games", "POST"): ("game", "game_id"),
    ("api", "results", "GET"): ("player", "player_id"),
    ("games", "new", "POST"): ("group", "group_id"),
    ("games", "import", "POST"): ("group", "group_id"),
    ("games", "merge_player", "POST"): ("into", "other_id"),
}
"""The fields that name something by its id, and the id."""


def swaps(world: World, space: str) -> Iterator[tuple[str, Route, str, Json, Json]]:
    """Requests of somebody who may make them, with one id of another game or group, and one of nothing."""
    for route, method, answers in answered(world, space):
        of_group = "group_id" in route.parameters
        # The first parameter is the game or the group itself, unless the key of a group says which.
        for name in route.parameters[bool(route.owner) :]:
            if name.endswith("_id"):
                is_number = name in ("key_id", "invite_id", "season_id")
                known = f"group_{name}" if f"group_{name}" in world.ids and of_group else name
                nothing = NO_KEY if is_number else NOTHING
                yield next(iter(answers)), route, method, {name: world.foreign_ids[known]}, {name: nothing}
        if (space, route.name, method) in FIELDS:
            field, known = FIELDS[space, route.name, method]
            yield "owner", route, method, {field: world.foreign_ids[known]}, {field: NOTHING}


@pytest.mark.slow
@SPACES
@MODES
def test_an_id_of_another_game_or_group_is_none_of_ones_own(mode: str, space: str) -> None:
    world = World(mode)
    asked = list(swaps(world, space))

    assert asked
    assert [difference for request in asked for difference in same(world, *request)] == []


# --- what lies in the bin does not exist ---


@pytest.mark.slow
@SPACES
@MODES
def test_what_lies_in_the_bin_is_answered_as_if_it_had_never_been(mode: str, space: str) -> None:
    world = World(mode)
    deletion.delete_game(game_id=world.game.pk)
    asked = [
        (route, method, role)
        for (route, method, _), role in product(answered(world, space), (*TABLE, *GROUP))
        if route.owner == "game_id" and route.name not in ("deleted", "restore") and role in world.roles
    ]

    assert len({route.name for route, _, _ in asked}) > 15
    assert [
        difference
        for route, method, role in asked
        for difference in same(world, role, route, method, {}, {"game_id": NOTHING})
    ] == []


@pytest.mark.slow
@SPACES
def test_lists_with_a_game_in_the_bin_are_those_without_it(space: str) -> None:
    world = World("table")
    gone = [world.game.pk, str(world.ids["finished_id"])]
    asked = [
        (route, role)
        for (route, method, _), role in product(answered(world, space), (*TABLE, *GROUP))
        if method == "GET"
        and role in world.roles
        and ("group_id" in route.parameters or not route.parameters)
        # The home page alone says what lies in the bin.
        and route.name not in ("home", "unknown")
    ]

    def answers() -> list[bytes]:
        return [whole(ask(world, role, route, "GET")) for route, role in asked]

    before = answers()
    for game_id in gone:
        deletion.delete_game(game_id=game_id)
    in_bin = answers()
    for game_id in gone:
        deletion.delete_game_permanently(game_id=game_id)

    assert in_bin != before
    assert [place for place, *both in zip(asked, in_bin, answers(), strict=True) if both[0] != both[1]] == []


@pytest.mark.slow
@SPACES
@MODES
def test_a_group_in_the_bin_is_answered_as_if_it_had_never_been(mode: str, space: str) -> None:
    world = World(mode)
    deletion.delete_group(group_id=world.group.pk)
    asked = [
        (route, method, role)
        for (route, method, _), role in product(answered(world, space), GROUP)
        if route.owner and route.name not in ("deleted", "deleted_group", "restore")
    ]

    assert [
        difference
        for route, method, role in asked
        for difference in same(world, role, route, method, {}, {route.owner: NOTHING})
    ] == []


# --- the walk finds what is wrong ---


def unguarded(request: HttpRequest, **parameters: object) -> HttpResponse:
    """A view that lets everybody in, by every method."""
    return HttpResponse()


def careless(request: HttpRequest, **parameters: object) -> HttpResponse:
    """A view that changes something before it refuses."""
    Player.objects.update(name="Eve")
    raise Http404


def broken(request: HttpRequest, **parameters: object) -> HttpResponse:
    """A view with a fault."""
    raise ZeroDivisionError


def with_planted(space: str, address: str, name: str, view: Callable[..., HttpResponse]) -> type:
    """The project's URLconf with one more view, before all others of its space."""
    planted = {"api": list(games.api.urls.urlpatterns), "games": list(games.urls.urlpatterns)}
    planted[space] = [
        path(address, view, name=name),
        *(each for each in planted[space] if getattr(each, "name", "") != name),
    ]

    class Planted:
        urlpatterns: ClassVar = [
            path("api/", include((planted["api"], "api"))),
            path("", include((planted["games"], "games"))),
        ]
        handler404, handler500 = njetassist.urls.handler404, njetassist.urls.handler500

    return Planted


@pytest.mark.slow
@pytest.mark.parametrize(
    ("space", "address", "name", "view", "found"),
    [
        ("api", "v1/games/<str:game_id>/keys/", "keys", unguarded, "GET * by viewer: 200, not {403}"),
        ("api", "v1/games/<str:game_id>/keys/", "keys", unguarded, "PATCH * by nobody: 200, not {401}"),
        ("games", "import/", "import", broken, "POST * by scorekeeper: 500, not {302}"),
        ("games", "import/", "import", careless, CHANGED),
        ("games", "g/<str:game_id>/hands/", "hands", unguarded, "* is in no list"),
    ],
)
def test_a_planted_fault_is_found(
    space: str, address: str, name: str, view: Callable[..., HttpResponse], found: str
) -> None:
    with override_settings(ROOT_URLCONF=with_planted(space, address, name, view)):
        answers = list(walk(World("table"), space, only={name}))

    pattern = f"{'api/' if space == 'api' else ''}{address} ({name})"
    assert found.replace("*", pattern) in answers
