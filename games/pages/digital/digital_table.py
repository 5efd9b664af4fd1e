"""A table with the cards on the phones, for one request: what its players do, and its page.

It reads the ledger of the seat that is shown and no other.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from games.errors import FinishedForGood, SeatOnly
from games.keys import permissions, sessions
from games.log import store
from games.models import Key, Lost
from games.pages.actions import action_of
from games.pages.digital.page import cover_page, digital_page, refusal_sentence
from games.pages.forms import NOT_PART_OF_A_REQUEST, new_request_id, optional_number, request_of, whole_number
from games.pages.notice import Notice
from games.pages.parts.players import Player, players_of
from games.pages.presence import phones_of
from games.pages.rematch import rematch_offer
from games.pages.tables import Table, asked_of, wants_fragment
from games.rules import NjetError
from games.rules.errors import MissingField
from games.services import digital, proposals
from games.services.write import Outcome
from games.texts.entries import describe_action, holder_changes
from games.texts.rules_help import explanations

ASKED = ("round", "partners", "start")
"""What the address of a digital table may ask to see, besides the seat."""


class DigitalTable(Table):
    """A table with the cards on the phones."""

    digital = True

    @property
    def may_correct(self) -> bool:
        # The app has seen every card: there is nothing to correct.
        return False

    @property
    def actor(self) -> Key:
        """The key of the seat that is shown.

        Errors: `SeatOnly`.
        """
        if self.seat is None:
            raise SeatOnly()
        return self.seats[self.seat]

    @property
    def address(self) -> str:
        """The address of the table; on a shared phone with the seat that is shown.

        Where the cover is shown it names no seat: loading it again would show the hand that the cover hides.
        """
        if self.seat is None or not self.is_shared or self.passes_on:
            return super().address
        return f"{super().address}?{urlencode({'seat': self.seat})}"

    @property
    def is_shared(self) -> bool:
        """Whether several seats share the phone."""
        return len(self.seats) > 1

    @property
    def passes_on(self) -> bool:
        """Whether the phone should go to another of its own seats: that one is due, the one that is shown is not."""
        due = self.ledger.state.acting_seats
        own = [seat for seat in self.seats if seat in due and self.ledger.bots[seat] is None]
        return self.is_shared and self.seat not in due and bool(own)

    @property
    def unseen(self) -> list[str]:
        """The changes of the seats' holders that this browser has not acknowledged, a sentence each."""
        return holder_changes(self.ledger, after=self.key.seen)

    @property
    def own(self) -> dict[str, str]:
        return {"unseen": str(len(self.unseen)), **super().own}

    # --- changes ---

    def require_actor(self) -> None:
        if self.seat is None:
            raise SeatOnly()

    def require_may_finish(self) -> None:
        if not self.seats:
            raise SeatOnly()

    def require_may_reopen(self) -> None:
        # A digital game that is over has shown its cards.
        raise FinishedForGood()

    def record(self, data: QueryDict) -> Outcome:
        action = action_of(data, players=self.game.players)
        return digital.record(game_id=self.game.pk, actor=self.actor, action=action, request=request_of(data))

    def undo(self, data: QueryDict) -> Outcome:
        return proposals.propose(game_id=self.game.pk, actor=self.actor, kind="takeback", request=request_of(data))

    def finish(self, data: QueryDict) -> Outcome:
        """Propose to finish early: the game ends when the last player agrees."""
        actor = next(iter(self.seats.values())) if self.seat is None else self.actor
        return proposals.propose(game_id=self.game.pk, actor=actor, kind="finish", request=request_of(data))

    def propose(self, data: QueryDict) -> Outcome:
        """Make the proposal of a form.

        Errors: `MissingField`, and those of the service.
        """
        kind = data.get("kind", "")
        if kind not in proposals.KINDS:
            raise MissingField(action="proposal", field="kind")
        to_seq = optional_number("to_seq", data.get("to_seq"))
        return proposals.propose(
            game_id=self.game.pk, actor=self.actor, kind=kind, to_seq=to_seq, request=request_of(data)
        )

    def answer_proposal(self, data: QueryDict) -> Outcome:
        """Give the answer of a form to a proposal."""
        about, agrees = whole_number("about", data.get("about")), data.get("agrees") == "1"
        return proposals.answer(
            game_id=self.game.pk, actor=self.actor, about=about, agrees=agrees, request=request_of(data)
        )

    def take_back_seat(self, data: QueryDict) -> Outcome:
        """Let the player play again where a bot plays."""
        actor = self.actor
        assert actor.seat is not None, "the key of a seat names it"
        permissions.require(permissions.puts_bot, actor, actor.seat)
        return digital.put_bot(game_id=self.game.pk, actor=actor, seat=actor.seat, level=None, request=request_of(data))

    # --- responses ---

    def offer_to_repeat(self, data: QueryDict) -> Notice:
        view = self.ledger.view
        action = action_of(data, players=self.game.players) if "do" in data else None
        if action is None or view is None or action not in view.legal:
            return Notice(_("The table has changed meanwhile: nothing was done. Look again."))
        entry = describe_action(action, setup=self.ledger.current_setup, seat=view.seat)
        return Notice(
            _("The table has changed meanwhile: nothing was done."),
            [(name, each) for name, values in data.lists() if name not in NOT_PART_OF_A_REQUEST for each in values],
            _("Do it now: {entry}").format(entry=entry),
            "games:act",
        )

    def render(
        self,
        request: HttpRequest,
        *,
        notice: Notice | None = None,
        refusal: NjetError | None = None,
        status: int = 200,
    ) -> HttpResponse:
        """The table as the seat that is shown sees it; on a phone that several share, the cover between them."""
        if refusal is not None:
            notice = Notice(refusal_sentence(refusal, self.ledger))
        # The hand is shown from the cover only: an address that names a seat may be in the history of a shared phone.
        passes_on = notice is None and "open" not in request.GET and self.passes_on
        covered = self.seat is None and self.is_shared and not self.ledger.state.is_over
        if covered or passes_on:
            return self._render_cover(request)
        context = self._context(request, shown=_named_cards(refusal))
        return self._respond(request, {**context, "notice": notice}, status)

    def mark_private(self, response: HttpResponse) -> HttpResponse:
        response["Cache-Control"] = "no-store"
        return response

    def _context(self, request: HttpRequest, *, shown: list[str]) -> dict[str, object]:
        ledger, address = self.ledger, super().address
        asked = asked_of(request, ASKED)
        page = digital_page(
            ledger,
            reads=_number(request.POST.get("round") or asked.get("round")),
            partners=asked.get("partners", ""),
            start=_number(asked.get("start")),
            shown=shown,
            phones=phones_of(self.game),
        )
        own = {"seat": str(self.seat)} if self.is_shared and self.seat is not None else {}
        # Each later request says which round this phone is in.
        query = {**own, **asked, "round": str(page.reads)}
        return {
            "page": page,
            "query": f"?{urlencode(query)}",
            "news": self._news_query(query),
            "here": f"{address}?{urlencode(own)}&" if own else f"{address}?",
            # A player who looks at a hand that is not due goes on looking, but no address says so.
            "opens": "open=1&" if self.passes_on else "",
            "shares": self.is_shared,
            "super_rank": page.round.super_rank,
            "monster_word": page.round.monster_word,
            "may_record": page.may_place,
            "explanations": explanations(ledger.state.ruleset),
            "offer": rematch_offer(self, request.session),
            "lost": self.lost_seats(request.session),
        }

    def _render_cover(self, request: HttpRequest) -> HttpResponse:
        """What lies between two seats of one phone: no hand."""
        self.game.refresh_from_db()
        cover = cover_page(store.seen(self.game, None), sorted(self.seats))
        return self._respond(request, {"cover": cover, "page": cover, "news": self._news_query({})}, 200)

    def _news_query(self, query: Mapping[str, str]) -> str:
        """What a phone asks for when it asks for news.

        It names the seats that it had when its page was made: it gets a new page as soon as one is claimed elsewhere,
        even if nothing is played.
        """
        return f"?{urlencode({**query, **self.own})}"

    def _respond(self, request: HttpRequest, context: Mapping[str, object], status: int) -> HttpResponse:
        frame = {
            "game_id": self.game.pk,
            "key_id": self.key.pk,
            "has_several_keys": len(self.seats) + (self.key.seat is None) > 1,
            "request_id": new_request_id(),
            "is_host": self.key.may_record,
            "unseen": self.unseen,
            "https": settings.HTTPS,
        }
        template = "games/digital/_table.html" if wants_fragment(request) else "games/digital/table.html"
        return self.mark_private(render(request, template, {**frame, **context}, status=status))

    # --- other phones, other games ---

    def lost_seats(self, session: SessionBase) -> list[Player]:
        """The seats of this phone that were claimed on another one."""
        players = players_of(self.ledger.current_setup)
        lost = [key for key in sessions.lost_of_session(session, self.game.pk) if key.lost == Lost.CLAIMED]
        return [players[key.seat] for key in lost if key.seat is not None]


def _named_cards(refusal: NjetError | None) -> list[str]:
    """The cards that a refusal names as allowed."""
    allowed = None if refusal is None else refusal.params.get("allowed")
    return [str(each) for each in allowed] if isinstance(allowed, list) else []


def _number(text: str | None) -> int | None:
    """A number of an address; what cannot be read as one asks for nothing."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 4 else None
