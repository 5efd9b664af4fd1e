"""A table with the cards on the phones, for one request: what its players do, and its page.

It reads the ledger of the seat that is shown and no other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, partial

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from games.bot_runner import tasks
from games.errors import FinishedForGood, NotFound, SeatOnly, StaleVersion, TooManyPhrases
from games.keys import permissions, registry, sessions
from games.live.fragment import Fragment
from games.live.hub import hub
from games.live.presence import SAYS_EVERY
from games.log.holders import passes, shown_changes
from games.models import Game, Key, Lost, Speed
from games.pages import ledgers
from games.pages.actions import action_of
from games.pages.base_table import Table, asked_of, chosen, wants_fragment
from games.pages.digital.cover import cover_page
from games.pages.digital.page import DigitalPage, digital_page, refusal_sentence
from games.pages.digital.proposals import TakebackOffer, require_takeback, takeback_offer
from games.pages.digital.same_deals import Comparison, compare
from games.pages.digital.seen import RESULT, Seen
from games.pages.forms import NOT_PART_OF_A_REQUEST, optional_number, request_of, whole_number
from games.pages.notice import Notice
from games.pages.page_cache import filled_in, kept, rendered
from games.pages.parts.bots import level_to_fill, style_lines
from games.pages.parts.players import Player, players_of
from games.pages.rematch import origin_of, rematch_offer
from games.rules import NjetError
from games.rules.errors import MissingField
from games.services import digital, proposals, tables
from games.services.bot_speed import Phones, phones_of
from games.services.write import Outcome
from games.texts import words
from games.texts.entries import describe_action, holder_changes
from games.texts.phrases import PHRASES
from games.texts.rules_help import explanations

PAGE, FRAGMENT = "games/digital/table.html", "games/digital/_table.html"


class DigitalTable(Table):
    """A table with the cards on the phones."""

    digital = True
    asks = ("round", "partners", "start")
    finish_template = "games/menu/finish_digital.html"
    history_template = "games/sheet/history_digital.html"

    def __init__(
        self,
        game: Game,
        key: Key,
        *,
        seats: Mapping[int, Key],
        seat: int | None,
        lost: Callable[[], Sequence[Key]],
        phones: Callable[[], Phones] | None = None,
    ) -> None:
        """`lost`: the keys that the browser has lost; `phones`: those by which phones are present."""
        super().__init__(game, key, seats=seats, seat=seat)
        self._lost = lost
        self._phones = cache(phones or partial(phones_of, game))

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
        if not self._named_seat or self.passes_on:
            return super().address
        return f"{super().address}?{urlencode(self._named_seat)}"

    @property
    def is_shared(self) -> bool:
        """Whether several seats share the phone."""
        return len(self.seats) > 1

    @property
    def _named_seat(self) -> dict[str, str]:
        """The seat that is shown, for addresses of a shared phone; nothing on other phones."""
        return {"seat": str(self.seat)} if self.is_shared and self.seat is not None else {}

    @property
    def passes_on(self) -> bool:
        """Whether the phone should go to another of its own seats: that one is due, the one that is shown is not."""
        due = self.ledger.state.acting_seats
        own = [seat for seat in self.seats if seat in due and self.ledger.bots[seat] is None]
        return self.is_shared and self.seat not in due and bool(own)

    @property
    def unseen(self) -> list[str]:
        """The changes of the seats' holders that this browser has not acknowledged, a sentence each."""
        return holder_changes(self.ledger, after=self.key.seen, until=self.ledger.version, own=self.seats)

    @property
    def own(self) -> dict[str, str]:
        # Not the sentences are counted: one may be about several changes, and another about the rest of them.
        unseen = sum(entry.seq > self.key.seen for entry in self.ledger.holder_changes)
        return {"unseen": str(unseen), **super().own}

    # --- changes ---

    def require_actor(self) -> None:
        if self.seat is None:
            raise SeatOnly()

    def require_seats(self) -> None:
        """Refuse a browser without a seat.

        Errors: `SeatOnly`.
        """
        if not self.seats:
            raise SeatOnly()

    def require_may_finish(self) -> None:
        self.require_seats()

    def require_may_reopen(self) -> None:
        # A digital game that is over has shown its cards.
        raise FinishedForGood()

    def record(self, data: QueryDict) -> Outcome:
        action, request = action_of(data, players=self.game.players), request_of(data)
        outcome = digital.record(game_id=self.game.pk, actor=self.actor, action=action, request=request)
        # Those who play on have seen what passes by itself; any other change waits for its own tap.
        self.acknowledge(request.version or 0, if_passing=True)
        return outcome

    def acknowledge(self, version: int, *, if_passing: bool = False) -> None:
        """Note that the changes of the seats' holders were seen, up to the version that the phone shows.

        `if_passing`: not if one is among them that waits for its own tap.
        """
        if not if_passing or self._is_passing(version):
            registry.acknowledge([self.key.pk], since=0, until=min(version, self.game.version))
            self.key.refresh_from_db(fields=["seen"])

    def _is_passing(self, version: int) -> bool:
        """Whether the notice goes by itself, as none of its changes waits for a tap."""
        changes = shown_changes(self.ledger, after=self.key.seen, until=version, own=self.seats)
        return bool(changes) and all(passes(self.ledger, entry, self.seats) for entry in changes)

    def undo(self, data: QueryDict) -> Outcome:
        return proposals.propose(game_id=self.game.pk, actor=self.actor, kind="takeback", request=request_of(data))

    def finish(self, data: QueryDict) -> Outcome:
        """Propose to finish early: the game ends when the last player agrees."""
        actor = next(iter(self.seats.values())) if self.seat is None else self.actor
        return proposals.propose(
            game_id=self.game.pk, actor=actor, kind="finish", request=request_of(data), bots_answer=False
        )

    def propose(self, data: QueryDict) -> Outcome:
        """Make the proposal of a form.

        Errors: `MissingField`, `CardSeen`, and those of the service.
        """
        kind = data.get("kind", "")
        if kind not in proposals.KINDS:
            raise MissingField(action="proposal", field="kind")
        to_seq = optional_number("to_seq", data.get("to_seq"))
        request = request_of(data)
        # What is sent again was decided before.
        if kind == "takeback" and request.version == self.ledger.version:
            require_takeback(Seen.of(self.ledger))
        return proposals.propose(
            game_id=self.game.pk,
            actor=self.actor,
            kind=kind,
            to_seq=to_seq,
            request=request,
            bots_answer=kind != "finish",
        )

    def answer_proposal(self, data: QueryDict) -> Outcome:
        """Give the answer of a form to a proposal, also if others have answered since the page was made."""
        request = replace(request_of(data), version=None)
        about, agrees = whole_number("about", data.get("about")), data.get("agrees") == "1"
        return proposals.answer(game_id=self.game.pk, actor=self.actor, about=about, agrees=agrees, request=request)

    def ask_hint(self) -> Outcome:
        """Let a bot find a hint for the seat that is shown: it comes with a later version."""
        actor = self.actor
        assert actor.seat is not None, "the key of a seat names it"
        tasks.ask_hint(self.ledger, actor.seat)
        return Outcome(self.ledger.version, self.ledger)

    def take_back_seat(self, data: QueryDict) -> Outcome:
        """Let the player play again where a bot plays."""
        actor = self.actor
        assert actor.seat is not None, "the key of a seat names it"
        permissions.require(permissions.puts_bot, actor, actor.seat)
        outcome = digital.put_bot(
            game_id=self.game.pk,
            actor=actor,
            seat=actor.seat,
            level=None,
            request=request_of(data),
            shows=self.key,
        )
        self.key.refresh_from_db(fields=["seen"])
        return outcome

    def hurry(self, data: QueryDict) -> None:
        """Note that the seats of this phone need no more time at the version that it shows."""
        self.require_seats()
        version, keys = whole_number("version", data.get("version")), [key.pk for key in self.seats.values()]
        tasks.hurry(game_id=self.game.pk, keys=keys, version=version, goes_on="round" in data)

    def set_speed(self, data: QueryDict) -> None:
        """Set the speed of the bots.

        Errors: `SeatOnly`, `MissingField`.
        """
        self.require_seats()
        speed = data.get("speed", "")
        if speed not in Speed.values:
            raise MissingField(action="speed", field="speed")
        tables.set_speed(game=self.game, speed=Speed(speed))

    def say(self, data: QueryDict) -> None:
        """Send a phrase to the other phones.  Nothing is stored.

        Errors: `SeatOnly`, `MissingField`, `TooManyPhrases`.
        """
        actor, phrase = self.actor, data.get("phrase", "")
        assert actor.seat is not None, "the key of a seat names it"
        if phrase not in PHRASES:
            raise MissingField(action="say", field="phrase")
        if not hub.presence.may_say(self.game.pk, self.key.pk, hub.clock()):
            raise TooManyPhrases(SAYS_EVERY)
        hub.say(self.game.pk, self.key.pk, actor.seat, phrase)

    @property
    def saying(self) -> dict[str, object]:
        """The phrases, and the names of those who send them; `says`: whether this phone may."""
        return {
            "game_id": self.game.pk,
            "phrases": PHRASES,
            "names": self.ledger.current_setup.names,
            "says": bool(self.seats),
            "seat": self.seat,
        }

    @property
    def pace(self) -> dict[str, object]:
        """The choice of a speed, and the styles of the bots, if this phone has a seat and bots play."""
        shown = bool(self.seats) and any(self.ledger.bots) and not self.ledger.state.is_over
        return {
            "speed": self.game.speed,
            "speeds": words.SPEEDS if shown else {},
            "bot_styles": style_lines(self.ledger) if shown else [],
        }

    @property
    def long_takeback(self) -> TakebackOffer | None:
        """The latest action of the seat that is shown, if other people have acted since."""
        seen = Seen.of(self.ledger)
        return None if takeback_offer(seen) is not None else takeback_offer(seen, of_others=True)

    # --- responses ---

    def address_of(self, asked: Mapping[str, str]) -> str:
        """The address of the round that a form goes on to."""
        return f"{super().address}?{urlencode({**self._named_seat, **chosen(asked, ['open', 'round'])})}"

    def offer_to_repeat(self, data: QueryDict) -> Notice:
        view = self.ledger.view
        action = action_of(data, players=self.game.players) if "do" in data else None
        if action is None or view is None or action not in view.legal:
            sentence = _("The table has changed meanwhile: nothing was done. Look again.")
            return Notice(sentence, code=StaleVersion.code)
        entry = describe_action(action, setup=self.ledger.current_setup, seat=view.seat)
        return Notice(
            _("The table has changed meanwhile: nothing was done."),
            [(name, each) for name, values in data.lists() if name not in NOT_PART_OF_A_REQUEST for each in values],
            _("Do it now: {entry}").format(entry=entry),
            "games:act",
            code=StaleVersion.code,
        )

    def fragment(self, asked: Mapping[str, str]) -> Fragment | None:
        """The changing part of the page; None once the game is over: the way into a rematch depends on the browser."""
        if self.ledger.state.is_over:
            return None
        return self._cover(FRAGMENT, asked) if self._is_covered(asked) else self._kept(FRAGMENT, asked)

    def render(
        self,
        request: HttpRequest,
        *,
        notice: Notice | None = None,
        refusal: NjetError | None = None,
        status: int = 200,
    ) -> HttpResponse:
        """The table as the seat that is shown sees it; on a phone that several share, the cover between them."""
        template = FRAGMENT if wants_fragment(request) else PAGE
        # A form says which round its phone is in.
        asked = self._asked(request)
        if refusal is not None:
            notice = Notice(refusal_sentence(refusal, self.ledger), code=refusal.code)
        if self._is_covered(asked, is_passed_on=notice is None):
            page, status = self._cover(template, asked), 200
        elif notice is None and not self.ledger.state.is_over:
            page = self._kept(template, asked)
        else:
            context = self._context(asked, shown=_named_cards(refusal))
            own = {
                "notice": notice,
                "offer": rematch_offer(self, request.session),
                "compared": self._compared(request.session),
                "origin": origin_of(self.game, request.session),
            }
            page = rendered(template, {**context, **own}, version=self.ledger.version)
        return self.mark_private(HttpResponse(filled_in(page, request, self.key), status=status))

    def _asked(self, request: HttpRequest) -> Mapping[str, str]:
        """What the address or the form asks for; a phone that went on from a result is in the next round ever after."""
        asked = asked_of(request) or chosen(request.POST.dict(), ["round", "open"])
        current = self.ledger.state.current
        if "round" in asked or current is None:
            return asked
        went_on = any(key.ready >= self.ledger.dealt_at > 0 for key in self.seats.values())
        return {**asked, "round": str(current.number)} if went_on else asked

    def _compared(self, session: SessionBase) -> Comparison | None:
        """The comparison with the game that was played on, or has the same deals.

        None if its sheet is closed to the browser.

        Not every reader had a key of that game: its points are as private as its sheet.
        """
        earlier, state = self.game.deals_of_id, self.ledger.state
        if earlier is None or not state.is_over:
            return None
        try:
            keys = sessions.keys_seeing(session, earlier)
        except NotFound:
            return None
        # The seat may have had another player.
        is_same = self.seat is not None and self.seat in keys.seats
        own = (step.round_number for step in self.ledger.replay.applied if step.key.seq > self.ledger.copied)
        return compare(
            ledgers.seen(keys.first.game, None).state,
            state,
            earlier,
            self.seat,
            is_same=is_same,
            from_step=self.game.from_step,
            begun=next(own, 1),
        )

    def mark_private(self, response: HttpResponse) -> HttpResponse:
        response["Cache-Control"] = "no-store"
        return response

    def _is_covered(self, asked: Mapping[str, str], *, is_passed_on: bool = True) -> bool:
        """Whether the phone shows the cover between two of its seats.  `is_passed_on`: also if another one is due.

        The hand is shown from the cover only: an address that names a seat may be in the history of a shared phone.
        """
        if self.seat is None:
            return self.is_shared and not self.ledger.state.is_over
        return is_passed_on and "open" not in asked and self.passes_on

    def _kept(self, template: str, asked: Mapping[str, str]) -> Fragment:
        """A page without a notice."""
        asked = chosen(asked, self.asks)
        return kept(
            template,
            lambda: self._context(asked),
            version=self.ledger.version,
            kind=(*self._kind, self.seat, *asked.items()),
        )

    def _cover(self, template: str, asked: Mapping[str, str]) -> Fragment:
        """What lies between two seats of one phone: the table as spectators see it, and no hand."""
        self.game.refresh_from_db()
        ledger, reads = ledgers.seen(self.game, None), _number(asked.get("round"))

        def context() -> dict[str, object]:
            cover = cover_page(ledger, sorted(self.seats))
            page = digital_page(ledger, reads=reads, phones=self._phones(), side=cover.side)
            if page.view == RESULT:
                # Everybody reads it; the phone is passed on after it.
                cover = replace(cover, announcement=page.title)
            # Its requests name no seat: the answer to one would show the hand that it hides.
            news = self._news_query({"round": str(page.reader.reads)})
            return {**self._shown(page, {}), "cover": cover, "news": news}

        return kept(template, context, version=ledger.version, kind=(*self._kind, "cover", reads))

    @property
    def _kind(self) -> tuple[Hashable, ...]:
        """What the page depends on besides the version, the seat that is shown and what is asked."""
        lost = tuple(player.seat for player in self.lost_seats)
        phones = tuple((seat, *keys) for seat, keys in self._phones().items())
        shown = self.game.speed, self.game.hides_markers
        return (self.game.pk, *shown, *self.own.values(), self.key.seat, self.key.may_record, lost, phones)

    def _context(self, asked: Mapping[str, str], *, shown: Sequence[str] = ()) -> dict[str, object]:
        asked = chosen(asked, self.asks)
        page = digital_page(
            self.ledger,
            reads=_number(asked.get("round")),
            partners=asked.get("partners", ""),
            start=_number(asked.get("start")),
            shown=shown,
            phones=self._phones(),
        )
        return self._shown(page, asked)

    def _shown(self, page: DigitalPage, asked: Mapping[str, str]) -> dict[str, object]:
        address, own = super().address, self._named_seat
        unseen, passes = self.unseen, self._is_passing(self.ledger.version)
        # Each later request says which round this phone is in.
        query = {**own, **asked, "round": str(page.reader.reads)}
        return {
            **self._frame,
            "page": page,
            "query": f"?{urlencode(query)}",
            "news": self._news_query(query),
            "here": f"{address}?{urlencode(own)}&" if own else f"{address}?",
            # A player who looks at a hand that is not due goes on looking, but no address says so.
            "opens": "open=1&" if self.passes_on else "",
            "shares": self.is_shared,
            "hides_markers": self.game.hides_markers,
            "invites": self._invites,
            "fill_level": level_to_fill(self.ledger),
            "hosts": " ".join(map(str, self._phones().get(None, ()))),
            "super_rank": page.round.super_rank,
            "monster_word": page.round.monster_word,
            "may_record": page.reader.is_due,
            "explanations": explanations(self.ledger.state.ruleset),
            "lost": self.lost_seats,
            # What passes by itself is said in the banner.  Where there is none it is a notice; a hint is read first.
            "unseen": [] if passes and page.advice.is_hint else unseen,
            "unseen_passes": passes,
            "unseen_in_banner": passes and page.turn is not None and page.view != RESULT and not page.advice.is_hint,
            **self.pace,
        }

    @property
    def _invites(self) -> bool:
        """Whether this phone may invite a friend: the host's, while no one or a bot plays where friends were to sit."""
        others = [seat for seat in range(self.game.players) if seat not in self.seats]
        friends = any(self.ledger.first_bots[seat] is None for seat in others)
        waits = any(self.ledger.bots[seat] is not None or not self._phones().get(seat) for seat in others)
        return self.key.may_record and friends and waits

    @property
    def _frame(self) -> dict[str, object]:
        return {
            "game_id": self.game.pk,
            "has_several_keys": len(self.seats) + (self.key.seat is None) > 1,
            "is_host": self.key.may_record,
            "notice": None,
            "https": settings.HTTPS,
            "same_deals": self.game.deals_of_id is not None,
            "from_step": self.game.from_step,
        }

    def _news_query(self, query: Mapping[str, str]) -> str:
        """What a phone asks for when it asks for news.

        It names the seats that it had when its page was made: it gets a new page as soon as one is claimed elsewhere,
        even if nothing is played.
        """
        return f"?{urlencode({**query, **self.own, **self.next_shown})}"

    # --- other phones ---

    @cached_property
    def lost_seats(self) -> list[Player]:
        """The seats of this phone that were claimed on another one."""
        players = players_of(self.ledger.current_setup)
        return [players[key.seat] for key in self._lost() if key.lost == Lost.CLAIMED and key.seat is not None]


def _named_cards(refusal: NjetError | None) -> list[str]:
    """The cards that a refusal names as allowed."""
    allowed = None if refusal is None else refusal.params.get("allowed")
    return [str(each) for each in allowed] if isinstance(allowed, list) else []


def _number(text: str | None) -> int | None:
    """A number of an address; what cannot be read as one asks for nothing."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 4 else None
