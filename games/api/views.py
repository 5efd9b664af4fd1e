"""The endpoints of the contract: read the request, ask for the key, let a service work, write the answer.

Knows: which service answers which endpoint.  Must not know: rules; how a request is read or a document is built.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from threading import Lock
from typing import Any

from django.http import HttpResponse
from django.urls import reverse_lazy
from django.utils.http import parse_etags
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

from games.api import describe, documents, links, parameters, requests, sheet
from games.api.base import ApiView, OneFormat, created, ledger_seen, written
from games.club import lists
from games.errors import BotsAreDigital, SeatOnly
from games.keys import invitations, permissions
from games.keys.addresses import client_address
from games.log import store
from games.models import GroupInvite, Key, Mode
from games.rules import Setup
from games.rules.errors import DigitalOnly, UnknownSeat
from games.services import creation, digital, previews, proposals, seating, tables


class PresetsView(ApiView):
    """The five presets."""

    @describe.presets
    def get(self, request: Request) -> Response:
        return Response(documents.presets())


class GamesView(ApiView):
    """Tables."""

    @describe.create
    def post(self, request: Request) -> Response:
        asked = requests.new_game(request.data)
        key = None if asked.group is None else self.member(request, asked.group)
        setup = Setup.of(
            preset=asked.preset,
            names=asked.names,
            tokens=asked.tokens,
            options=asked.options,
            dealer=asked.dealer,
            digital=asked.mode == Mode.DIGITAL,
        )
        made = creation.create_game(setup=setup, bots=asked.bots, creator_label=None, group_id=asked.group, through=key)
        return created(request, made)


class GameView(ApiView):
    """One table."""

    @describe.state
    def get(self, request: Request, game_id: str) -> Response:
        key = self.bearer(request, game_id)
        # A version is everybody's; whose view it is says the key.
        etag = f'"{documents.SCHEMA}-{key.game.version}-{key.role}{"" if key.seat is None else key.seat}"'
        if is_known(etag, request.META.get("HTTP_IF_NONE_MATCH", "")):
            return Response(status=304, headers={"ETag": etag})
        state = documents.state(store.seen(key.game, key.seat), may_record=key.may_record)
        return Response(state, headers={"ETag": etag})

    @describe.delete
    def delete(self, request: Request, game_id: str) -> Response:
        self.deleter(request, game_id)
        tables.delete_game(game_id=game_id)
        return Response(status=204)


class ActionsView(ApiView):
    """What is recorded."""

    @describe.record
    def post(self, request: Request, game_id: str) -> Response:
        asked = requests.recording(request.data)
        key = self.player(request, game_id)
        if key.seat is not None and asked.seat not in (None, key.seat):
            raise SeatOnly()
        outcome = tables.record_action(
            game_id=game_id, actor=key, action=asked.action, seat=asked.seat, request=asked.writing
        )
        return written(outcome, key)


class UndoView(ApiView):
    """What is taken back."""

    @describe.undo
    def post(self, request: Request, game_id: str) -> Response:
        asked = requests.undoing(request.data)
        key = self.player(request, game_id)
        return written(tables.undo(game_id=game_id, actor=key, request=asked.writing, to_seq=asked.to_seq), key)


class AmendView(ApiView):
    """What is corrected."""

    @describe.amend
    def post(self, request: Request, game_id: str) -> Response:
        asked = requests.amending(request.data)
        key = self.scorekeeper(request, game_id)
        if asked.preview:
            ledger = ledger_seen(key, asked.writing)
            changes = previews.preview_amend(ledger=ledger, changes=asked.changes)
            return Response(documents.standing_changes(changes))
        outcome = tables.amend(game_id=game_id, actor=key, request=asked.writing, changes=asked.changes)
        return written(outcome, key)


class SetupView(ApiView):
    """Names, tokens, dealer, rounds, put right."""

    @describe.setup
    def post(self, request: Request, game_id: str) -> Response:
        asked = requests.setting_up(request.data)
        key = self.scorekeeper(request, game_id)
        if asked.preview:
            changes = previews.preview_setup(ledger=ledger_seen(key, asked.writing), **asked.corrections)
            return Response(documents.standing_changes(changes))
        outcome = tables.correct_setup(game_id=game_id, actor=key, request=asked.writing, **asked.corrections)
        return written(outcome, key)


class LockView(ApiView):
    """The result, confirmed."""

    @describe.lock
    def post(self, request: Request, game_id: str) -> Response:
        writing = requests.writing(request.data)
        key = self.scorekeeper(request, game_id)
        return written(tables.lock(game_id=game_id, actor=key, request=writing), key)


class ReopenView(ApiView):
    """A finished game, going on."""

    @describe.reopen
    def post(self, request: Request, game_id: str) -> Response:
        writing = requests.writing(request.data)
        key = self.scorekeeper(request, game_id)
        return written(tables.reopen(game_id=game_id, actor=key, request=writing), key)


class RematchView(ApiView):
    """The next game of the same table."""

    @describe.rematch
    def post(self, request: Request, game_id: str) -> Response:
        same_deals = requests.rematching(request.data)
        key = self.scorekeeper(request, game_id)
        if same_deals and key.game.mode != Mode.DIGITAL:
            raise DigitalOnly(action="same_deals")
        made = creation.rematch(
            game=key.game,
            ledger=store.seen(key.game, None),
            creator_label=None,
            through=key.through,
            same_deals=same_deals,
        )
        return created(request, made)


class ProposalsView(ApiView):
    """What a player asks of the others."""

    @describe.propose
    def post(self, request: Request, game_id: str) -> Response:
        asked = requests.proposing(request.data)
        key = self.seated(request, game_id, doing=asked.kind)
        outcome = proposals.propose(
            game_id=game_id, actor=key, kind=asked.kind, to_seq=asked.to_seq, request=asked.writing
        )
        return written(outcome, key)


class ProposalView(ApiView):
    """What a player answers."""

    @describe.answer_proposal
    def post(self, request: Request, game_id: str, seq: int) -> Response:
        asked = requests.answering(request.data)
        key = self.seated(request, game_id, doing="agree")
        about = {**(asked.writing.body or {}), "about": seq}
        outcome = proposals.answer(
            game_id=game_id, actor=key, about=seq, agrees=asked.agrees, request=replace(asked.writing, body=about)
        )
        return written(outcome, key)


class SeatBotView(ApiView):
    """A seat that a bot plays for, or its player again."""

    @describe.seat_bot
    def post(self, request: Request, game_id: str, seat: int) -> Response:
        asked = requests.seating_bot(request.data)
        key = self.bearer(request, game_id)
        permissions.require(permissions.hosts_or_sits, key, {key.seat}, seat)
        if key.game.mode != Mode.DIGITAL:
            raise BotsAreDigital()
        outcome = digital.put_bot(game_id=game_id, actor=key, seat=seat, level=asked.level, request=asked.writing)
        return written(outcome, key)


class LogView(ApiView):
    """Every entry."""

    @describe.log
    def get(self, request: Request, game_id: str) -> Response:
        after = parameters.after(request.query_params)
        key = self.bearer(request, game_id)
        entries = store.seen_rows(store.seen(key.game, key.seat), after=after) if after < key.game.version else []
        return Response([documents.log_row(entry) for entry in entries])


class SheetView(ApiView):
    """The score sheet."""

    @describe.sheet
    def get(self, request: Request, game_id: str) -> Response | HttpResponse:
        wanted = parameters.sheet_format(request.query_params)
        state = store.seen(self.bearer(request, game_id).game, None).state
        if wanted == "json":
            return Response(sheet.rows(state))
        file = {"Content-Disposition": f'attachment; filename="njet-{game_id}.csv"'}
        return HttpResponse(sheet.as_csv(state), content_type="text/csv; charset=utf-8", headers=file)


class InvitesView(ApiView):
    """Ways into a table."""

    @describe.invite
    def post(self, request: Request, game_id: str) -> Response:
        asked = requests.inviting(request.data)
        key = self.scorekeeper(request, game_id)
        if asked.seat is not None:
            if key.game.mode != Mode.DIGITAL:
                raise DigitalOnly(action="seat")
            if asked.seat >= key.game.players:
                raise UnknownSeat(seat=asked.seat)
        made = invitations.invite(game=key.game, role=asked.role, seat=asked.seat, maker=key)
        return Response(documents.seat_invitation(made, links.of_invitation(request, made.token)), 201)


class JoinView(ApiView):
    """An invitation, taken up by a program."""

    @describe.join
    def post(self, request: Request) -> Response:
        asked = requests.joining(request.data)
        address = client_address(request._request)
        invite = invitations.find_invite(address=address, token=asked.token, code=asked.code)
        if isinstance(invite, GroupInvite):
            of_group = invitations.join(invite=invite, label=asked.name)
            to_group = links.of_group(request, of_group.group_id)
            return Response(documents.group_joined(of_group, of_group.secret, to_group), 201)
        join = invitations.join if invite.seat is None else seating.sit_down
        key: Key = join(invite=invite, label=asked.name)
        return Response(documents.joined(key, key.secret, links.of_game(request, key.game_id)), 201)


class KeysView(ApiView):
    """Who may do what at a table."""

    @describe.keys
    def get(self, request: Request, game_id: str) -> Response:
        own = self.scorekeeper(request, game_id)
        return Response([documents.key_row(key, own=own) for key in lists.devices_of(own.game)])


class KeyView(ApiView):
    """One key."""

    @describe.revoke
    def delete(self, request: Request, game_id: str, key_id: int) -> Response:
        self.scorekeeper(request, game_id)
        tables.revoke_key(game_id=game_id, key_id=key_id)
        return Response(status=204)


class SchemaView(ApiView):
    """This interface, described for programs."""

    @describe.schema
    def get(self, request: Request) -> Response:
        return Response(openapi())


class DocsView(SpectacularSwaggerSplitView):
    """This interface, described for people, without an inline script or style."""

    content_negotiation_class = OneFormat
    metadata_class = None
    http_method_names = ("get", "head")
    template_name = "games/api/docs.html"
    url_name = "api:schema"
    url_self = reverse_lazy("api:docs")


_schema_lock = Lock()


def openapi() -> dict[str, Any]:
    """The schema, which is the same for everybody."""
    # Made once: the generator keeps what it knows in places that two threads would share.
    with _schema_lock:
        return _openapi()


@cache
def _openapi() -> dict[str, Any]:
    return dict(SchemaGenerator().get_schema(request=None, public=True))


def is_known(etag: str, if_none_match: str) -> bool:
    """Whether a client that sends this header has the present document already."""
    known = parse_etags(if_none_match)
    return "*" in known or etag in {each.removeprefix("W/") for each in known}
