"""A table with the cards on the table, for one request: what its scorekeepers record, and its page."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from games.errors import StaleVersion
from games.keys import permissions
from games.live.fragment import Fragment
from games.pages.actions import action_of
from games.pages.base_table import Table, asked_of, chosen, wants_fragment
from games.pages.forms import NOT_PART_OF_A_REQUEST, Form, optional_number, request_of, whole_number
from games.pages.notice import Notice
from games.pages.page_cache import filled_in, kept, rendered
from games.pages.parts.corrections import pending_view
from games.pages.pwa import KEEP
from games.pages.rematch import next_game
from games.pages.table.forms import TallyForm
from games.pages.table.page import table_page
from games.rules import Finish, NjetError, Phase
from games.services import confirmations, previews, tables
from games.services.write import Outcome
from games.texts import refusals
from games.texts.entries import describe_action, describe_entry
from games.texts.rules_help import explanations, legend

PAGE, FRAGMENT = "games/table/table.html", "games/table/_table.html"
WAYS_TO_COUNT = ("trick", "tally")


class PaperTable(Table):
    """A table with the cards on the table."""

    digital = False
    asks = ("board", "partners", "start", "count")
    finish_template = "games/menu/finish.html"
    history_template = "games/sheet/history.html"

    @property
    def may_correct(self) -> bool:
        return self.key.may_record and not self.ledger.locked

    def require_actor(self) -> None:
        permissions.require(permissions.records, self.key)

    require_may_finish = require_actor

    def require_may_reopen(self) -> None:
        """Allow it: a recorded game may be reopened."""

    def record(self, data: QueryDict) -> Outcome:
        return tables.record_action(
            game_id=self.game.pk,
            actor=self.key,
            action=action_of(data, players=self.ledger.state.players),
            request=request_of(data),
            # A tap that was queued offline says whose turn it was meant for.
            seat=optional_number("turn", data.get("turn")),
        )

    def undo(self, data: QueryDict) -> Outcome:
        return tables.undo(game_id=self.game.pk, actor=self.key, request=request_of(data))

    def finish(self, data: QueryDict) -> Outcome:
        """End the game after the rounds that are complete."""
        return tables.record_action(game_id=self.game.pk, actor=self.key, action=Finish(), request=request_of(data))

    def confirm(self, number: int, data: QueryDict) -> Outcome:
        """Confirm a round, or the correction of it that waits, for the team of a seat."""
        return confirmations.confirm(
            game_id=self.game.pk,
            actor=self.key,
            round_number=number,
            seat=whole_number("seat", data.get("seat")),
            about=optional_number("about", data.get("about")),
            request=request_of(data),
        )

    def withdraw(self, seq: int, data: QueryDict) -> Outcome:
        """Withdraw the correction that waits, or what one team has confirmed."""
        return confirmations.withdraw(game_id=self.game.pk, actor=self.key, about=seq, request=request_of(data))

    def question_before_undo(self, data: QueryDict) -> Notice | None:
        """Whether to undo what another phone recorded."""
        seq = self.ledger.last_undoable
        if seq is None or "sure" in data:
            return None
        others = previews.entries_of_others(self.ledger, self.key, [seq])
        if not others:
            return None
        entry = describe_entry(self.ledger, self.ledger.entry(seq))
        sentence = _("{who} recorded: {entry}.").format(who=others[seq], entry=entry)
        return Notice(sentence, [("sure", "1")], _("Take it back"), "games:undo", is_error=False)

    def offer_to_repeat(self, data: QueryDict) -> Notice:
        ledger = self.ledger
        if "seat" in data:
            sentence = _("The table has changed meanwhile, nothing was confirmed. Look again.")
            return Notice(sentence, code=StaleVersion.code)
        if "do" not in data:
            sentence = _("The table has changed meanwhile, nothing was taken back. Look again.")
            return Notice(sentence, code=StaleVersion.code)
        try:
            action = action_of(data, players=ledger.state.players)
            ledger.state.apply(action)
        except NjetError as error:
            reason = refusals.error_sentence(error, ledger.current_setup.names)
            return Notice(_("Not recorded: the table has changed. {reason}").format(reason=reason), code=error.code)
        seats = ledger.state.acting_seats
        entry = describe_action(action, setup=ledger.current_setup, seat=seats[0] if seats else None)
        return Notice(
            _("Not recorded: the table has changed."),
            [(name, data.get(name, "")) for name in data if name not in NOT_PART_OF_A_REQUEST],
            _("Record it now: {entry}").format(entry=entry),
            "games:act",
            code=StaleVersion.code,
        )

    def fragment(self, asked: Mapping[str, str]) -> Fragment:
        return self._kept(FRAGMENT, asked)

    def _kept(self, template: str, asked: Mapping[str, str]) -> Fragment:
        """A page without a notice."""
        asked = chosen(asked, self.asks)
        return kept(
            template,
            lambda: self._context(template, asked),
            version=self.ledger.version,
            kind=(
                *(self.game.pk, self.game.asks_confirmation, self.game.hides_markers),
                *(self.key.may_record, self.next_id),
                *asked.items(),
            ),
        )

    def render(
        self,
        request: HttpRequest,
        *,
        notice: Notice | None = None,
        refusal: NjetError | None = None,
        status: int = 200,
    ) -> HttpResponse:
        """The table page, or its fragment; a page without a notice is rendered once for all phones."""
        template, asked = FRAGMENT if wants_fragment(request) else PAGE, self._asked(request)
        if notice is None and refusal is None:
            page = self._kept(template, asked)
        else:
            form = None
            if refusal is not None:
                form = self._refused(request.POST, refusal)
                if form is not None and form.refused:
                    notice = Notice(form.refused, code=refusal.code)
            context = self._context(
                template,
                chosen(asked, self.asks),
                does=request.POST.get("do"),
                typed=None if form is None else request.POST.dict(),
            )
            page = rendered(template, {**context, "notice": notice, "form": form}, version=self.ledger.version)
        response = HttpResponse(filled_in(page, request, self.key), status=status)
        remembered = request.COOKIES.get(settings.COUNT_COOKIE_NAME)
        if asked.get("count", remembered) != remembered:
            response.set_cookie(settings.COUNT_COOKIE_NAME, asked["count"], **settings.PREFERENCE_COOKIE)
        if status == HTTPStatus.OK and settings.HTTPS:
            # A phone may show it again offline.  A page that knows a hand must never say this.
            response[KEEP] = "fragment" if template == FRAGMENT else "page"
        return response

    def _asked(self, request: HttpRequest) -> dict[str, str]:
        """What the address of a page asks to see; how to count is remembered for each phone that records."""
        asked = dict(asked_of(request))
        way = asked.pop("count", request.COOKIES.get(settings.COUNT_COOKIE_NAME))
        return {**asked, "count": way} if way in WAYS_TO_COUNT and self.may_correct else asked

    def _context(
        self,
        template: str,
        asked: Mapping[str, str],
        *,
        does: str | None = None,
        typed: Mapping[str, str] | None = None,
    ) -> dict[str, object]:
        """`does`, `typed`: of a refused form."""
        page = table_page(
            self.ledger,
            asks_confirmation=self.game.asks_confirmation,
            show_board="board" in asked,
            partners=asked.get("partners", ""),
            start=optional_number("start", asked.get("start")),
            typed=typed,
        )
        pending, query = self.ledger.pending, {**asked, **self.next_shown}
        return {
            "page": page,
            "notice": None,
            "form": None,
            "pending": None
            if pending is None
            else pending_view(
                self.ledger, pending, previews.standing_changes(self.ledger.state, pending.corrected.state)
            ),
            "game_id": self.game.pk,
            "query": f"?{urlencode(query)}" if query else "",
            "may_record": self.may_correct,
            "is_scorekeeper": self.key.may_record,
            "following": next_game(self),
            "is_rematch": self.game.rematch_of_id is not None,
            "hides_markers": self.game.hides_markers,
            "super_rank": page.round.super_rank,
            "monster_word": page.round.monster_word,
            "explanations": (*explanations(self.ledger.state.ruleset), legend(self.ledger.state.ruleset)),
            "https": settings.HTTPS,
            "tally": self._counts_by_tally(does if does in WAYS_TO_COUNT else asked.get("count")),
        }

    def _counts_by_tally(self, asked: str | None) -> bool:
        """Whether this table counts a round at once: as asked, else as it did in the last round."""
        if asked in WAYS_TO_COUNT:
            return asked == "tally"
        state = self.ledger.state
        if state.current is not None and state.current.tricks:
            return False
        return bool(state.finished) and not state.finished[-1].tricks

    def _refused(self, data: QueryDict, refusal: NjetError) -> Form:
        """The refused form: a tally shows errors at its fields, every other form has nothing but buttons."""
        counts = self._counts_by_tally(data.get("do")) and self.ledger.state.phase is Phase.TRICKS
        form = TallyForm(data, self.ledger.state.players) if counts else Form(data)
        form.names = self.ledger.current_setup.names
        if form.is_valid():
            form.refuse(refusal)
        return form
