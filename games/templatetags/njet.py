"""Template tags for suits, tokens, markers and the errors of forms."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Hashable, Iterable
from functools import cache, lru_cache
from hashlib import sha384
from pathlib import Path

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.template import Context
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.formats import get_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from games.live.epoch import epoch
from games.pages.forms import Form
from games.pages.parts.board import SpaceView
from games.pages.parts.icons import file_of
from games.pages.parts.players import Player
from games.rules.editions import EXCHANGES, Exchange
from games.rules.scoring import signed
from games.texts import words
from games.texts.unnamed import called

register = template.Library()

# A name that `words.apart` has marked.
_APART = re.compile("\u2068([^\u2068\u2069]*)\u2069")

# A shape for each suit, in a square of 24 units, so that suits can be distinguished without colour.
_SHAPES = {
    "red": "M12 1.5 22 12 12 22.5 2 12z",
    "black": "M12 2.5a9.5 9.5 0 1 0 0 19a9.5 9.5 0 1 0 0-19z",
    "blue": "M12 2.5 22.5 21.5h-21z",
    "yellow": "M12 1.5l3.1 6.9 7.4.8-5.500 5 1.6 7.4L12 17.800 5.400 21.600 7 14.200 1.5 9.200l7.4-.8z",
    "green": "M7 3h10l5.500 9L17 21H7l-5.500-9z",
}


@register.simple_tag
def suit(name: str, sign: str | None = None) -> SafeString:
    """A suit by shape, colour and letter; `sign` stands in the letter's place (the 0 of a super trump)."""
    letter = words.SUIT_LETTERS[name] if sign is None else sign
    return format_html(
        '<span class="suit s-{}" aria-hidden="true">'
        '<svg viewBox="0 0 24 24" width="16" height="16"><path d="{}"/></svg><b>{}</b></span>',
        name,
        mark_safe(_SHAPES[name]),
        letter,
    )


@register.filter
def exchange(space: str) -> Exchange:
    """What a space of the row `discard` lets each player do."""
    return EXCHANGES[space]


@register.filter
def cut_names(sentence: str) -> SafeString:
    """A sentence in which each name that stands `apart` is an element, which is cut where there is no room."""
    return mark_safe(_APART.sub(r"<bdi>\1</bdi>", escape(sentence)))


@register.simple_tag
def icon(name: str) -> SafeString:
    """A symbol of the package lucide; a text beside it or the label of its button says what it means."""
    return format_html(
        '<svg class="ic" width="24" height="24" aria-hidden="true"><use href="{}#{}"/></svg>',
        static(file_of(name)),
        name,
    )


@register.simple_tag
def back_link(label: str, page: str, *arguments: object) -> SafeString:
    """What leads back from a page, in its head."""
    address = reverse(page, args=arguments)
    return format_html('<a class="icon" href="{}" aria-label="{}">{}</a>', address, label, icon("chevron-left"))


@register.simple_tag
def link_row(symbol: str, text: str, page: str, *arguments: object, query: str = "") -> SafeString:
    """A link to another page in a line of its own."""
    address = reverse(page, args=arguments) + query
    return format_html('<a class="link-row" href="{}">{} {}</a>', address, icon(symbol), text)


@register.simple_tag
def menu_row(symbol: str, text: str, page: str, *arguments: object, query: str = "", more: str = "") -> SafeString:
    """A row of a menu that leads to another page; `more` explains it in small type."""
    address = reverse(page, args=arguments) + query
    small = format_html(" <small>{}</small>", more) if more else ""
    return format_html('<li><a href="{}">{}{}{}</a></li>', address, icon(symbol), text, small)


@register.simple_tag
def token(player: Player) -> SafeString:
    """The token of a player with their letters."""
    two = " is-two" if len(player.sign) > 1 else ""
    return format_html('<span class="token t-{}{}" aria-hidden="true">{}</span>', player.token, two, player.sign)


@register.simple_tag
def marker(player: Player | None) -> SafeString:
    """The marker that covers a space, in the colour of who put it there."""
    if player is None:
        return mark_safe('<i class="marker t-none" aria-hidden="true">×</i>')
    return format_html('<i class="marker t-{}" aria-hidden="true">{}</i>', player.token, player.sign)


@register.simple_tag
def is_installable() -> bool:
    """Whether browsers would install this application: they do so over https only."""
    return settings.HTTPS


register.simple_tag(epoch)
register.filter(called)
register.filter(signed)
register.filter(words.change)


@register.simple_tag
def csv_queries() -> dict[str, str]:
    """The queries of addresses of CSV files: `usual`, and `other`.

    Excel splits a file at the list separator of its country alone: a semicolon where numbers have a decimal comma.  The
    language of the page is the best guess; who has another Excel takes the other file.
    """
    queries = ["?delimiter=semicolon", ""]
    usual, other = queries if get_format("DECIMAL_SEPARATOR") == "," else queries[::-1]
    return {"usual": usual, "other": other}


@register.simple_tag
def kept_part(name: str, **values: Hashable) -> SafeString:
    """A template that depends on these values alone: it is rendered once for each of them, in each language."""
    return _part(name, get_language(), tuple(values.items()))


_KEPT = ("super_rank", "taps", "named", "may_record", "may_wait", "hides_markers")


@register.simple_tag(takes_context=True)
def board_space(context: Context, space: SpaceView, key: str) -> SafeString:
    """A space of the board in the row `key`.

    From the context: whether spaces are buttons (`taps`), named by an id (`named`), taken from this viewer
    (`may_record`), and whether a tap may wait on the phone (`may_wait`); `latest`, the space that was covered last;
    `shown`, that of a hint; `lesson` with what it lights up (`lit`) and asks for (`target`, whose link is `next_url`).
    """
    lesson, name = context.get("lesson"), f"{key}:{space.space}"
    is_lit = lesson is not None and name in lesson.lit
    is_target = lesson is not None and name == lesson.target
    is_latest = space is context.get("latest")
    is_shown = space is context.get("shown")
    states = {
        "is-covered": space.is_covered,
        "is-left": space.is_last,
        "is-latest": is_latest,
        "is-shown": is_shown,
        "is-lit": is_lit,
        "is-target": is_target,
    }
    return kept_part(
        "games/parts/_space.html",
        space=space,
        key=key,
        classes=" ".join(["space", *(state for state, holds in states.items() if holds)]),
        is_latest=is_latest,
        is_shown=is_shown,
        is_dim=lesson is not None and not is_lit,
        href=context["next_url"] if is_target else "",
        **{name: context.get(name) for name in _KEPT},
    )


@lru_cache(maxsize=4096)
def _part(name: str, language: str | None, values: tuple[tuple[str, Hashable], ...]) -> SafeString:
    return render_to_string(name, dict(values))


@register.simple_tag
def script(name: str) -> SafeString:
    """A script with its hash: browsers run no other content from that address."""
    address = static(name)
    if settings.DEBUG:
        return format_html('<script src="{}" defer></script>', address)
    return format_html('<script src="{}" integrity="sha384-{}" defer></script>', address, _hash(name, address))


@cache
def _hash(name: str, address: str) -> str:
    """The hash of a static file as it is served, minified or not: each version has an address of its own."""
    stored = Path(settings.STATIC_ROOT or "") / address.removeprefix(settings.STATIC_URL)
    content = (stored if stored.is_file() else Path(finders.find(name) or name)).read_bytes()
    return b64encode(sha384(content).digest()).decode()


@register.simple_tag
def invalid(form: Form | None, *name: object) -> SafeString:
    """The attributes of an input whose field has an error; the first such input of the form has the focus."""
    field = _joined(name)
    if form is None or not form.is_bound or field not in form.errors:
        return mark_safe("")
    attributes = format_html('aria-invalid="true" aria-describedby="{}-error"', field)
    return attributes + mark_safe(" autofocus") if field == form.first_invalid else attributes


@register.simple_tag
def field_error(form: Form | None, *name: object) -> SafeString:
    """The error of a field, below its input."""
    field = _joined(name)
    if form is None or not form.is_bound or field not in form.errors:
        return mark_safe("")
    return format_html(
        '<p class="field-error" id="{}-error" role="alert" data-code="{}">{}</p>',
        field,
        form.errors.as_data()[field][0].code,
        " ".join(map(str, form.errors[field])),
    )


def _joined(name: Iterable[object]) -> str:
    """The name of a field from its parts, like `name-` and 3."""
    return "".join(map(str, name))
