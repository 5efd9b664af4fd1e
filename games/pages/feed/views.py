"""The finished games of a group as a feed: readers of news send no keys, so its address is one."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import datetime
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from games.errors import NotFound
from games.formats import atom
from games.formats.summary import Standing
from games.groups import history
from games.keys import registry
from games.log import store
from games.models import Game, GroupKey
from games.pages.errors import no_group
from games.pages.time_zone import zone_called
from games.texts.unnamed import called


def feed_address(request: HttpRequest, key: GroupKey) -> str:
    """The address of the feed of a program's key, with the language and the zone of this phone: a reader has none."""
    asked = {"language": translation.get_language() or "", "zone": timezone.get_current_timezone_name()}
    return request.build_absolute_uri(f"{reverse('games:feed', args=[registry.feed_of(key)])}?{urlencode(asked)}")


@require_GET
def feed(request: HttpRequest, feed: str) -> HttpResponse:
    """The latest finished games of a group."""
    try:
        key = registry.key_of_feed(feed)
    except NotFound:
        return no_group(request)
    language = request.GET.get("language", "")
    with ExitStack() as asked:
        if language in dict(settings.LANGUAGES):
            asked.enter_context(translation.override(language))
        asked.enter_context(timezone.override(zone_called(request.GET.get("zone", ""))))
        text = _text(request, key)
    response = HttpResponse(
        text, content_type="application/atom+xml; charset=utf-8", headers={"Cache-Control": "private, no-cache"}
    )
    response["ETag"] = etag = f'"{sha256(text.encode()).hexdigest()[:32]}"'
    return get_conditional_response(request, etag=etag, response=response) or response


def _text(request: HttpRequest, key: GroupKey) -> str:
    games = history.page_of(key.group_id).games
    changed = store.changes_of([game.pk for game in games])
    return atom.feed(
        group=(key.group.pk, key.group.name),
        page=request.build_absolute_uri(reverse("games:group", args=[key.group_id])),
        address=request.build_absolute_uri(),
        language=translation.get_language() or "",
        began=key.group.created_at,
        entries=[_entry(request, game, changed) for game in games],
    )


def _entry(request: HttpRequest, game: Game, changed: dict[str, datetime]) -> atom.Entry:
    assert game.finished_at is not None, "only finished games are listed"
    seats = sorted(game.seats.all(), key=lambda seat: (seat.rank, seat.number))
    return atom.Entry(
        game_id=game.pk,
        page=request.build_absolute_uri(reverse("games:sheet", args=[game.pk])),
        standings=[Standing(called(seat.present_name), seat.total, seat.is_winner) for seat in seats],
        played=game.created_at,
        place=game.place,
        ended=game.finished_at,
        changed=max(game.finished_at, changed.get(game.pk, game.finished_at)),
    )
