"""Two unseen cards of a digital game, exchanged in its log, and everything that somebody is sent before and after.

Knows how a log is stored, the rules, every address.  Must not know: how a hand is hidden.  Which cards somebody cannot
see is worked out here from the deal and from what was passed on, not asked of the application.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import combinations, product

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.test import Client

from games.keys import registry, sessions
from games.live.hub import hub
from games.live.presence import Presence
from games.live.stream import TICKET, Ticket, Wire
from games.log import store
from games.models import Game, Key, LogEntry, Role
from games.pages import page_cache
from games.pages.live.readers import fragments_of
from games.rules import ActionEntry, Card, Deal, Discard, IllegalAction, Pass, Play
from games.rules.entries import entry_from_json, payload_of
from games.rules.full import FullState
from games.rules.replay import KeyedAction
from tests.api.client import V1
from tests.api.digital import DigitalTable
from tests.cast.digital import committed
from tests.cast.pages import CSRF_COOKIE
from tests.pages.addresses import View, views_of_a_digital_table, views_of_a_table

NONCES = re.compile(rb'((?:name="(?:csrfmiddlewaretoken|request_id)" value="|data-csrf="|id="notice-))[^"]*"')
"""What is made again for each page, and says nothing."""

MADE_BY_CHANCE = {"phones", "rematch"}
"""The forms that answer with something new: a code, another game."""

Sent = dict[str, bytes]

ASIDE = None
"""In the place of a seat: the cards that lie aside unseen."""


# --- which cards are exchanged ---


@dataclass(frozen=True)
class Exchange:
    """A card of one hand against one of another, or of those aside, in the deal of the latest round."""

    one: int
    card: Card
    other: int | None
    other_card: Card

    def of_seat(self, seat: int | None, cards: Sequence[Card]) -> tuple[Card, ...]:
        """The cards of a seat after the exchange."""
        known = {self.one: (self.card, self.other_card), self.other: (self.other_card, self.card)}
        if seat is None or seat not in known:
            return tuple(cards)
        (gone, come), kept = known[seat], list(cards)
        if gone in kept:
            kept[kept.index(gone)] = come
        return tuple(kept)

    def of(self, keyed: KeyedAction) -> KeyedAction:
        """An action of the round after the exchange."""
        match keyed.action:
            case Deal(hands):
                new = tuple(self.of_seat(seat, hand) for seat, hand in enumerate(hands))
                return replace(keyed, action=Deal(new, None, "a commitment that stays"))
            case Discard(cards):
                return replace(keyed, action=Discard(self.of_seat(keyed.seat, cards)))
            case Pass(cards):
                return replace(keyed, action=Pass(self.of_seat(keyed.seat, cards)))
            case _:
                return keyed


def exchanges(game_id: str, viewer: int | None, *, done: Sequence[Exchange] = ()) -> Iterator[Exchange]:
    """The exchanges of cards that a viewer has not seen and that make no difference to what everybody saw.

    `done`: exchanges of before, whose cards stay where they are and whose hands had their turn.
    """
    moved = {card for each in done for card in (each.card, each.other_card)}
    ledger = store.refold(Game.objects.get(pk=game_id))
    actions = ledger.counting.actions
    begin = max(place for place, keyed in enumerate(actions) if isinstance(keyed.action, Deal))
    before, round_ = FullState(ledger.replay.applied[begin].before), actions[begin:]
    hands = dict(enumerate(round_[0].action.hands))
    played = {keyed.action.card for keyed in round_ if isinstance(keyed.action, Play)}
    passed = {card: keyed.seat for keyed in round_ if isinstance(keyed.action, Pass) for card in keyed.action.cards}
    players = len(hands)
    if players == 2:
        hands[ASIDE] = before.apply(round_[0].action).aside
    unseen = {
        seat: [
            card
            for card in dict.fromkeys(hand)
            if card not in played | moved and not (viewer is not None and passed.get(card) == (viewer + 1) % players)
        ]
        for seat, hand in hands.items()
        if seat is None or seat != viewer
    }
    for one, other in combinations(unseen, 2):
        if any({one, other} == {each.one, each.other} for each in done):
            continue
        for card, other_card in product(unseen[one], unseen[other]):
            exchange = Exchange(one, card, other, other_card)
            if card not in hands[other] and other_card not in hands[one] and _is_silent(before, round_, exchange):
                yield exchange


def _is_silent(before: FullState, actions: Sequence[KeyedAction], exchange: Exchange) -> bool:
    """Whether the round can go on as it did, and looks the same to everybody at every time."""
    state = changed = before
    for keyed in actions:
        state = state.apply(keyed.action, seat=keyed.seat)
        try:
            changed = changed.apply(exchange.of(keyed).action, seat=keyed.seat)
        except IllegalAction:
            return False
        if changed.public != state.public:
            return False
    return True


Wanted = Callable[[str, Exchange], bool]


def anything(game_id: str, exchange: Exchange) -> bool:
    """Any exchange will do."""
    return True


def touches(kind: type) -> Wanted:
    """Whether an exchange is of a card that was discarded, or passed on."""

    def asked(game_id: str, exchange: Exchange) -> bool:
        ledger = store.refold(Game.objects.get(pk=game_id))
        chosen = [keyed for keyed in ledger.counting.actions if isinstance(keyed.action, kind)]
        return any(exchange.of(keyed) != keyed for keyed in chosen)

    return asked


def without_seed(game_id: str) -> None:
    """Let the deals come from nowhere: with a seed everybody could see in it whether a card was exchanged."""
    for row in _rows(game_id):
        if row.kind == "deal":
            _rewrite(row, {**{name: row.payload[name] for name in ("type", "hands", "counts")}, **COMMITMENT})
    store.forget(game_id)


COMMITMENT = {"commitment": "a commitment that stays"}


def carry_out(game_id: str, exchange: Exchange) -> None:
    """Exchange the cards in the stored log."""
    rows = _rows(game_id)
    begin = max(row.seq for row in rows if row.kind == "deal")
    for row in rows:
        entry = entry_from_json(row.seq, row.kind, row.payload, row.seat)
        if row.seq < begin or not isinstance(entry, ActionEntry):
            continue
        new = exchange.of(KeyedAction(None, entry.action, entry.seat))
        payload = payload_of(replace(entry, action=new.action))
        if payload != row.payload:
            _rewrite(row, payload)
    store.forget(game_id)


def _rows(game_id: str) -> list[LogEntry]:
    return list(LogEntry.objects.filter(game_id=game_id).order_by("seq"))


def _rewrite(row: LogEntry, payload: Mapping[str, object]) -> None:
    # The manager of entries refuses every change.
    QuerySet(LogEntry).filter(pk=row.pk).update(payload=payload)


# --- what somebody is sent ---


class Ears:
    """Hears what this process tells the others."""

    def __init__(self) -> None:
        self.heard: list[Mapping[str, object]] = []

    def send(self, message: Mapping[str, object]) -> None:
        self.heard.append(message)


def forget_all() -> None:
    """Forget what is kept of logs, which grow only where no test changes what was written."""
    store._kept.clear()
    page_cache._kept.clear()


@contextmanager
def undone() -> Iterator[None]:
    """Everything that is written in the block is rolled back, but treated as committed."""
    kept = [store._kept.get(game_id) for game_id in store._kept]
    with transaction.atomic():
        with committed(execute=True):
            yield
        transaction.set_rollback(True)
    forget_all()
    for ledger in kept:
        if ledger is not None:
            store._keep(ledger)


@dataclass
class Observer:
    """Somebody at the table with everything that they can ask for: they read and write over REST, and opens pages."""

    game: DigitalTable
    whose: str
    parts: Sequence[str] = ("reading", "writing", "pages", "forms")
    client: Client = field(default_factory=Client)
    browser: Client = field(default_factory=lambda: Client(headers={"accept-language": "en"}))

    def __post_init__(self) -> None:
        if "pages" in self.parts:
            self._sit_down()

    @property
    def seat(self) -> int | None:
        """Where they sit."""
        return int(self.whose.removeprefix("seat ")) if self.whose.startswith("seat") else None

    def everything(self, guesses: Sequence[Card] = ()) -> Sent:
        """Every answer, by what was asked.  `guesses`: cards that are asked for which they do not hold."""
        forget_all()
        hub.presence, ears = Presence(), Ears()
        hub.send, send = ears.send, hub.send
        # On a slow machine a phone would be away in between, and the others would hear of it.
        now, clock = hub.clock(), hub.clock
        hub.clock = lambda: now
        try:
            sent = self._read() if "reading" in self.parts else {}
            if "writing" in self.parts:
                sent |= self._written(guesses)
            if "pages" in self.parts:
                sent |= self._pages()
            sent["heard by other processes"] = json.dumps(ears.heard).encode()
        finally:
            hub.send, hub.clock = send, clock
            forget_all()
        return sent

    # --- REST ---

    def _read(self) -> Sent:
        paths = [
            *("/", "/log/", "/log/?after=3", "/sheet/", "/sheet/?format=csv", "/keys/"),
            *(f"/export/?format={name}" for name in ("json", "njet", "bgstats", "bgsplay")),
        ]
        sent = {}
        for path in paths:
            with committed(execute=True):
                sent[f"GET {path}"] = self._ask("GET", path)
        return sent

    def _written(self, guesses: Sequence[Card]) -> Sent:
        acts = [{"action": action, **known} for action in self._tries(guesses) for known in ({}, {"version": 0})]
        bodies: list[tuple[str, Mapping[str, object]]] = [
            ("/undo/", {}),
            ("/undo/", {"to_seq": 1}),
            *(("/proposals/", {"type": kind}) for kind in ("takeback", "claim", "finish")),
            ("/proposals/1/", {"agree": True}),
            ("/seats/1/bot/", {"level": "easy"}),
            *(("/actions/", act) for act in acts),
        ]
        sent = {}
        for path, body in bodies:
            asked = f"POST {path} {json.dumps(body)}"
            with undone():
                sent[asked] = self._ask("POST", path, body)
                sent[f"GET /log/ after {asked}"] = self._ask("GET", f"/log/?after={self.game.created['version']}")
        return sent

    def _tries(self, guesses: Sequence[Card]) -> list[object]:
        """Actions that they may do, some of them, and actions that name cards of others."""
        state = self.client.get(self._path("/"), headers=self._key).json()
        hand = (state["round"] or {}).get("hand", [])
        actions = state["legal_actions"][:1]
        for card in map(str, guesses):
            actions.append({"type": "play", "card": card})
            actions += [{"type": kind, "cards": [card, *hand[:1]]} for kind in ("discard", "pass")]
        return [
            *actions,
            {"type": "place", "row": "trump", "space": "red"},
            {"type": "team", "partners": [], "monster": 0},
        ]

    def _ask(self, method: str, path: str, body: object = None) -> bytes:
        data = "" if body is None else json.dumps(body)
        return whole(self.client.generic(method, self._path(path), data, "application/json", headers=self._key))

    def _path(self, path: str) -> str:
        return f"{V1}{self.game.path}{path}"

    @property
    def _key(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.game.keys[self.whose]}"}

    # --- pages ---

    def _sit_down(self) -> None:
        game, session = Game.objects.get(pk=self.game.id), self.browser.session
        if self.seat is None:
            role = Role.SCOREKEEPER if self.whose == "host" else Role.VIEWER
            sessions.remember(session, registry.issue(game=game, role=role, label="Zoe"))
        else:
            key: Key = registry.issue(role=Role.SEAT, game=game, seat=self.seat, label="Zoe")
            sessions.remember_seat(session, key)
        session.save()
        self.browser.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
        self.browser.cookies[settings.CSRF_COOKIE_NAME] = CSRF_COOKIE

    def _pages(self) -> Sent:
        sent = {}
        for view in [*views_of_a_table(), *views_of_a_digital_table()]:
            for address in self._addresses(view):
                if "GET" in view.methods:
                    sent[f"page {address}"] = self._open(address)
                if "forms" in self.parts and view.changes and view.name not in MADE_BY_CHANCE:
                    with undone():
                        sent[f"form {address}"] = whole(self.browser.post(address, {"version": "1"}))
        sent["page live"] = self._open(f"/live/{self.game.id}/")
        sent["page /"] = self._open("/")
        return sent | {f"stream {asked}": self._streamed(asked) for asked in ("", "round=1&", "round=2&")}

    def _open(self, address: str) -> bytes:
        with committed(execute=True):
            return whole(self.browser.get(address))

    def _streamed(self, asked: str) -> bytes:
        """What a stream sends after a change."""
        ticket = Ticket()
        address = f"/live/{self.game.id}/?{asked}fragment"
        self.browser.get(address, headers={"Accept-Encoding": "gzip"}, **{"asgi.scope": {TICKET: ticket}})
        fragment = fragments_of(self.game.id, {ticket.reader})[ticket.reader] if ticket.reader is not None else None
        if fragment is None:
            return b""
        wire = Wire(compresses=True)
        plain = Wire(compresses=False).fragment(fragment)
        assert gzip.decompress(wire.fragment(fragment) + wire.end()) == plain
        return plain

    def _addresses(self, view: View) -> list[str]:
        match view.parameters:
            case ("step",):
                return [view.of(self.game.id, step=step) for step in (1, 5, 30)]
            case ("name",):
                return [view.of(self.game.id, name=name) for name in ("njet.txt", "njet.json")]
            case () if view.name in ("table", "screen"):
                return [view.of(self.game.id), f"{view.of(self.game.id)}?v=1"]
            case _:
                return [view.of(self.game.id)]


def whole(response: HttpResponse) -> bytes:
    """An answer to its last byte, without what is made again each time."""
    headers = sorted(f"{name}: {value}" for name, value in response.items())
    body = NONCES.sub(rb'\1"', response.getvalue())
    return f"{response.status_code}\n{headers}\n".encode() + body


def differences(before: Sent, after: Sent) -> list[str]:
    """What was answered otherwise, by what was asked; what they ask for depends on what they are shown."""
    return [asked for asked in before | after if before.get(asked) != after.get(asked)]
