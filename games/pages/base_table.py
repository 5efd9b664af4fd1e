"""A table as one request sees it: the game, the keys of the browser, and the ledger, read once.

There is one subclass for each mode, so that no view asks for the mode: `games.pages.table.paper_table` where the cards
are on the table, `games.pages.digital.digital_table` where they are on the phones.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse

from games.live.epoch import epoch
from games.live.fragment import Fragment
from games.log.ledger import Ledger
from games.models import Game, GroupKey, Key
from games.pages import ledgers
from games.pages.notice import Notice
from games.rules import NjetError
from games.services.write import Outcome

MARKS_HEADER = "NJET-Marks"
"""The header of a phone that fills in what belongs to it (`games.pages.page_cache`)."""


class Table(ABC):
    """A table for one request.

    `seats`: the keys of the seats of a digital game that the browser holds; `seat`: the one whose hand is shown, None
    for a spectator, for a host who does not play, and between two seats that share the phone; `asks`: what the
    address may ask to see.
    """

    digital: ClassVar[bool]
    asks: ClassVar[Sequence[str]]
    finish_template: ClassVar[str]
    history_template: ClassVar[str]

    def __init__(
        self, game: Game, key: Key, *, seats: Mapping[int, Key] | None = None, seat: int | None = None
    ) -> None:
        self.game = game
        self.key = key
        self.seats = seats or {}
        self.seat = seat
        self.ledger: Ledger = ledgers.seen(game, seat)

    def refresh(self) -> None:
        """Read the game again: another request has written to it."""
        self.game.refresh_from_db()
        self.ledger = ledgers.seen(self.game, self.seat)

    @property
    def next_id(self) -> str | None:
        """The game that the phones of this one go on to, None while it is played and as long as there is none."""
        return self.game.next_id if self.ledger.state.is_over else None

    @property
    def next_shown(self) -> dict[str, str]:
        """The next game that the page shows, as it says when it asks for news."""
        return {} if self.next_id is None else {"next": self.next_id}

    @property
    def group_key(self) -> GroupKey | None:
        """The key of the group, if the browser sees this table as a member of the group only."""
        return self.key.through if self.key.pk is None else None

    @property
    def own(self) -> dict[str, str]:
        """What the page of this browser shows besides the game, as it says when it asks for news: its seats."""
        return {"own": ".".join(map(str, sorted(self.seats)))}

    @property
    def address(self) -> str:
        """The address of the table as this browser shows it."""
        return reverse("games:table", args=[self.game.pk])

    @property
    @abstractmethod
    def may_correct(self) -> bool:
        """Whether this browser may correct what was entered."""

    # --- changes ---

    @abstractmethod
    def require_actor(self) -> None:
        """Refuse a browser that can record nothing here: a viewer, or one that shows no seat.

        Errors: `Forbidden`, `SeatOnly`.
        """

    @abstractmethod
    def require_may_finish(self) -> None:
        """Refuse a browser that may not end the game early.

        Errors: `Forbidden`, `SeatOnly`.
        """

    @abstractmethod
    def require_may_reopen(self) -> None:
        """Refuse to reopen a game that stays finished.

        Errors: `FinishedForGood`.
        """

    @abstractmethod
    def record(self, data: QueryDict) -> Outcome:
        """Record the action of a form."""

    @abstractmethod
    def undo(self, data: QueryDict) -> Outcome:
        """Undo the latest entry, or propose it to the others."""

    @abstractmethod
    def finish(self, data: QueryDict) -> Outcome:
        """End the game early, or propose it to the others."""

    # --- responses ---

    @abstractmethod
    def fragment(self, asked: Mapping[str, str]) -> Fragment | None:
        """The changing part of the page, rendered once for all readers of one kind; None if there is no such kind.

        `asked`: what the address of the page asks to see.
        """

    @abstractmethod
    def render(
        self,
        request: HttpRequest,
        *,
        notice: Notice | None = None,
        refusal: NjetError | None = None,
        status: int = 200,
    ) -> HttpResponse:
        """The table page, or its fragment for a phone that has the page already.

        `refusal`: why the form of this request was refused; what was typed stays.
        """

    def question_before_undo(self, data: QueryDict) -> Notice | None:
        """What the player confirms before an undo, None if nothing needs confirming."""
        return None

    @abstractmethod
    def offer_to_repeat(self, data: QueryDict) -> Notice:
        """The offer to repeat a tap that lost a race, if it is still legal on the table as it is now."""

    def show(self, request: HttpRequest, version: int, notice: Notice | None = None) -> HttpResponse:
        """The table after a change that led to a version: its fragment, or a redirect to its page."""
        self.game.version = version
        self.ledger = ledgers.seen(self.game, self.seat)
        if not wants_fragment(request):
            return redirect(self.address)
        response = self.render(request, notice=notice)
        response["HX-Replace-Url"] = self.address
        return response

    def mark_private(self, response: HttpResponse) -> HttpResponse:
        """Forbid browser and service worker to keep a page that may name the cards of a hand."""
        return response


def wants_fragment(request: HttpRequest) -> bool:
    """Whether a phone has the page already and asks for its changing part only."""
    return bool(request.htmx)  # type: ignore[attr-defined]  # set by the middleware of django-htmx


def is_latest(request: HttpRequest, table: Table) -> bool:
    """Whether a phone shows the latest state: the version `since` by its `epoch`, and the `next` game."""
    shown = request.GET
    is_same = shown.get("since") == str(table.game.version) and shown.get("epoch") in (None, epoch())
    return is_same and shown.get("next", "") == (table.next_id or "")


def fills_in(request: HttpRequest) -> bool:
    """Whether a phone asks for the fragment and fills in the marks in it by itself."""
    return wants_fragment(request) and MARKS_HEADER in request.headers


def asked_of(request: HttpRequest) -> Mapping[str, str]:
    """What the address of a page asks to see; a form asks for nothing."""
    return request.GET.dict() if request.method == "GET" else {}


def chosen(asked: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """What is asked, of these names."""
    return {name: asked[name] for name in names if name in asked}
