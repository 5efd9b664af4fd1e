"""A phone without script, in few words: it opens pages, reads them, fills in what is offered and presses buttons.

Knows: HTML, forms, links, what htmx would send.  Must not know: any address or field beyond what a page offers; what a
page does not offer is sent with `post` and `get`.  Every form goes through the CSRF check.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from games.keys import registry
from games.models import Game, Group, GroupKey, GroupRole, Key, Role
from games.urls import group_patterns
from tests.cast.copies import committed
from tests.cast.digital import DigitalTable
from tests.cast.people import bear
from tests.cast.tables import Table

VOID = {"meta", "link", "input", "br", "hr", "img"}
CSRF_COOKIE = "c" * 32
GROUP_PAGES = {pattern.name for pattern in group_patterns}


# --- reading a page ---


@dataclass
class Node:
    """An element with its children and texts."""

    tag: str
    attrs: dict[str, str]
    parent: Node | None = None
    inside: list[Node | str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Node]:
        """This element and every one in it, in the order of the page."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            if node.tag != "template":  # kept by browsers for scripts
                waiting += [child for child in reversed(node.inside) if not isinstance(child, str)]

    def all(self, tag: str = "", *, has: str = "", **attrs: str) -> list[Node]:
        """Elements of a tag, with an attribute, or with attributes of these values (`class_`: one of the classes)."""
        wanted_class = attrs.pop("class_", "")
        return [
            node
            for node in self
            if (not tag or node.tag == tag)
            and (not has or has in node.attrs)
            and (not wanted_class or wanted_class in node.attrs.get("class", "").split())
            and all(node.attrs.get(name.rstrip("_").replace("_", "-")) == value for name, value in attrs.items())
        ]

    def one(self, tag: str = "", **attrs: str) -> Node:
        """The only such element."""
        found = self.all(tag, **attrs)
        assert len(found) == 1, f"{len(found)} elements <{tag} {attrs}>"
        return found[0]

    def around(self, tag: str) -> Node | None:
        """The nearest element of this tag around this one."""
        node = self.parent
        while node is not None and node.tag != tag:
            node = node.parent
        return node

    @property
    def text(self) -> str:
        """Everything it says, for eyes and ears alike, in one line."""
        return " ".join("".join(self._texts()).split())

    @property
    def name(self) -> str:
        """What a screen reader calls it."""
        return " ".join(self.attrs.get("aria-label", "").split()) or " ".join("".join(self._texts(heard=True)).split())

    def _texts(self, *, heard: bool = False) -> Iterator[str]:
        if self.tag in ("script", "style", "template") or (heard and self.attrs.get("aria-hidden") == "true"):
            return
        for child in self.inside:
            if isinstance(child, str):
                yield child
            else:
                yield from (" ", *child._texts(heard=heard), " ")


class Reader(HTMLParser):
    """Builds the elements of a page, and does not forgive a tag that is left open."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Node("", {})
        self.at = self.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self.at = self.at.inside[-1]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        assert len(values) == len(attrs), f"an attribute twice: <{tag} {attrs}>"
        self.at.inside.append(Node(tag, values, self.at))

    def handle_endtag(self, tag: str) -> None:
        assert self.at.tag == tag, f"</{tag}> closes <{self.at.tag}>"
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.inside.append(data)

    def updatepos(self, i: int, j: int) -> int:
        """Leave out lines and columns, which take a tenth of the time."""
        return j


def read_html(html: str) -> Node:
    """The elements of a page."""
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.tag}> is never closed"
    return reader.root


class Page:
    """What a phone shows."""

    def __init__(self, phone: Phone, response: HttpResponse) -> None:
        self.phone = phone
        self.response = response
        self.status = response.status_code
        self.address = response.request["PATH_INFO"]
        self.query = response.request["QUERY_STRING"]
        self.html = response.content.decode()

    @cached_property
    def root(self) -> Node:
        """Its elements."""
        return read_html(self.html)

    @property
    def text(self) -> str:
        """Everything it says, in one line."""
        return self.root.text

    @property
    def notice(self) -> str:
        """What it says of a refusal, or asks."""
        return " ".join(node.text for node in self.root.all(role="alert") if "hidden" not in node.attrs)

    @property
    def code(self) -> str:
        """The code of what it refuses."""
        return " ".join(
            node.attrs["data-code"] for node in self.root.all(has="data-code") if "hidden" not in node.attrs
        )

    @property
    def is_fragment(self) -> bool:
        """Whether it is the fragment of the table and nothing around it."""
        tops = [node for node in self.root.inside if isinstance(node, Node) or node.strip()]
        return [isinstance(top, Node) and top.attrs.get("id") for top in tops] == ["table"] and "<html" not in self.html

    @property
    def is_page(self) -> bool:
        """Whether it is a whole page."""
        return self.html.lstrip().startswith("<!doctype html>") and len(self.root.all("body")) == 1

    @property
    def version(self) -> int:
        """The version of the table that it shows."""
        return int(self.root.one(id="table").attrs["data-version"])

    def texts(self, tag: str = "", **attrs: str) -> list[str]:
        """What each of these elements says."""
        return [node.text for node in self.root.all(tag, **attrs)]

    def offers(self, label: str) -> bool:
        """Whether there is such a button or link that can be pressed."""
        return any("disabled" not in node.attrs for node in self._pressables(label))

    def press(self, button: str, /, **typed: str) -> Page:
        """Press the button or link of this name, with these fields of its form filled in (`name_0` for `name-0`)."""
        return self.fill_in({name.replace("_", "-"): value for name, value in typed.items()}, press=button)

    def fill_in(self, typed: Mapping[str, str | None], *, press: str) -> Page:
        """Fill in fields of a form (None: uncheck) and press a button of it."""
        found = self._pressables(press)
        assert len(found) == 1, f"{len(found)} buttons or links are called “{press}”: {self.text}"
        (node,) = found
        assert "disabled" not in node.attrs, f"“{press}” cannot be pressed"
        if node.tag == "a":
            assert not typed, "a link sends nothing"
            return self.phone.follow(node, self)
        form = self._form_of(node)
        assert form is not None, f"“{press}” belongs to no form"
        fields = fields_of(form)
        for name, value in typed.items():
            assert name in offered(form), f"the form has no field “{name}”: {sorted(offered(form))}"
            choices = offered(form)[name]
            assert value is None or not choices or value in choices, f"“{value}” is no choice of {name}: {choices}"
            if value is None:
                fields.pop(name, None)
            else:
                fields[name] = value
        if "name" in node.attrs:
            fields[node.attrs["name"]] = node.attrs.get("value", "")
        return self.phone.send(form, fields, self)

    def fields(self, button: str) -> dict[str, str]:
        """What the form of this button would send."""
        form = self._form_of(self._pressables(button)[0])
        assert form is not None
        return fields_of(form)

    def _form_of(self, button: Node) -> Node | None:
        named = button.attrs.get("form")
        return self.root.one("form", id=named) if named else button.around("form")

    def _pressables(self, label: str) -> list[Node]:
        nodes = [node for node in self.root if node.tag in ("a", "button") and node.attrs.get("type") != "button"]
        names = [(node.name.removeprefix("↶ "), node) for node in nodes]
        exactly = [node for name, node in names if name == label]
        return exactly or [node for name, node in names if name.startswith(label)]


def fields_of(form: Node) -> dict[str, str]:
    """What a form would send as it stands, without its buttons."""
    sent: dict[str, str] = {}
    for node in form:
        name = node.attrs.get("name")
        if not name or "disabled" in node.attrs:
            continue
        if node.tag == "select":
            options = node.all("option")
            chosen = [option for option in options if "selected" in option.attrs]
            assert len(chosen) < 2, f"{name} has two options chosen"
            sent[name] = (chosen or options)[0].attrs["value"]
        elif node.tag == "textarea":
            sent[name] = "".join(text for text in node.inside if isinstance(text, str))
        elif node.attrs.get("type") == "file":
            continue
        elif node.tag == "input" and (node.attrs.get("type") not in ("radio", "checkbox") or "checked" in node.attrs):
            sent[name] = node.attrs.get("value", "on")
    return sent


def offered(form: Node) -> dict[str, set[str]]:
    """The fields that can be filled in, each with its choices (none: anything can be typed)."""
    found: dict[str, set[str]] = {}
    for node in form:
        name = node.attrs.get("name")
        if not name or "disabled" in node.attrs or node.attrs.get("type") == "hidden":
            continue
        if node.tag == "select":
            found[name] = {option.attrs["value"] for option in node.all("option")}
        elif node.tag in ("input", "textarea"):
            choices = found.setdefault(name, set())
            if node.attrs.get("type") in ("radio", "checkbox"):
                choices.add(node.attrs.get("value", "on"))
    return found


# --- phones ---


class Phone:
    """A browser.  `htmx`: with script, so that taps on the table are answered with its fragment."""

    def __init__(self, *, htmx: bool = False, address: str = "127.0.0.1") -> None:
        self.client = Client(enforce_csrf_checks=True, REMOTE_ADDR=address, headers={"accept-language": "en"})
        self.client.cookies[settings.CSRF_COOKIE_NAME] = CSRF_COOKIE
        self.headers = {"HX-Request": "true"} if htmx else {}
        self.htmx = htmx
        self.table: Table | DigitalTable | Game | None = None
        self.key: Key | None = None
        self.group_key: GroupKey | None = None

    def sits(self, table: Table | DigitalTable | Game, *keys: Key) -> Phone:
        """Bear these keys of a table from now on, besides those of other tables."""
        self._bear(*keys)
        self.table, self.key = table, keys[0]
        return self

    def joins(self, key: GroupKey) -> Phone:
        """Bear this key of a group from now on."""
        self._bear(key)
        self.group_key = key
        return self

    def _bear(self, *keys: Key | GroupKey) -> None:
        session = self.client.session
        bear(session, *keys)
        self.client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key

    def address_of(self, name: str, *args: object) -> str:
        """The address of a page, of one of this phone's table or group or of another."""
        if name in ("home", "new", "paper_new", "join", "join_link", "import", "group_new", "appearance", "language"):
            return reverse(f"games:{name}", args=args)
        if name in GROUP_PAGES:
            assert self.group_key is not None, "this phone is of no group"
            return reverse(f"games:{name}", args=[self.group_key.group_id, *args])
        assert self.table is not None, "this phone sits at no table"
        return reverse(f"games:{name}", args=[self.table.id, *args])

    def before_the_answer(self) -> Phone:
        """The same browser as it is now: what it sends before an answer to this phone has reached it."""
        same = Phone(htmx=self.htmx)
        same.table, same.key, same.group_key = self.table, self.key, self.group_key
        for name, cookie in self.client.cookies.items():
            same.client.cookies[name] = cookie.value
        return same

    def open(self, name: str = "table", *args: object, **query: str) -> Page:
        """A page as somebody opens it."""
        return self.get(self.address_of(name, *args), **query)

    def get(self, address: str, **query: str) -> Page:
        """Any address."""
        with committed(execute=True):
            return Page(self, self.client.get(address, query, headers=self.headers))

    def post(self, name: str, *args: object, **fields: object) -> Page:
        """A form that no page offers."""
        return self.post_to(self.address_of(name, *args), {key.replace("_", "-"): v for key, v in fields.items()})

    def post_to(self, address: str, fields: Mapping[str, object]) -> Page:
        """A form that no page offers, with its fields as they are."""
        token = {"csrfmiddlewaretoken": CSRF_COOKIE}
        return Page(self, self.send_to(address, {**token, **fields}))

    def send_to(self, address: str, fields: Mapping[str, object], *, follow: bool = False) -> HttpResponse:
        """Fields as a browser sends them, broken characters too."""
        body = urlencode(fields, doseq=True, errors="surrogatepass")
        with committed(execute=True):
            return self.client.post(
                address, body, content_type="application/x-www-form-urlencoded", headers=self.headers, follow=follow
            )

    def follow(self, link: Node, page: Page) -> Page:
        """Press a link."""
        if self.htmx and "hx-get" in link.attrs:
            return Page(self, self.client.get(link.attrs["hx-get"], headers=self.headers))
        return Page(self, self.client.get(re.sub("#.*", "", link.attrs["href"])))

    def send(self, form: Node, fields: Mapping[str, str], page: Page) -> Page:
        """Send a form; a redirect is followed."""
        if self.htmx and "hx-post" in form.attrs:
            return Page(self, self.send_to(form.attrs["hx-post"], fields))
        assert form.attrs.get("method") == "post", "without script a form is sent by POST"
        address = form.attrs.get("action") or f"{page.address}?{page.query}"
        return Page(self, self.send_to(address, fields, follow=True))


def sit_down(table: Table, *, role: Role = Role.SCOREKEEPER, label: str = "Ana’s phone", htmx: bool = False) -> Phone:
    """A phone at a table."""
    key = registry.issue(game=table.game, role=role, label=label)
    return Phone(htmx=htmx).sits(table, key)


def page_of(table: Table, **query: str) -> Page:
    """The table as a scorekeeper sees it."""
    return sit_down(table).open(**query)


def come_in(group: Group, role: GroupRole = GroupRole.MEMBER, *, label: str = "Ana’s phone") -> Phone:
    """A phone that has a key of a group."""
    return Phone().joins(registry.issue(group=group, role=role, label=label))


def listed(page: Page) -> list[str]:
    """The games that a page lists, by id."""
    links = [node.attrs["href"] for each in page.root.all("ul", class_="is-games") for node in each.all("a")]
    return [link.split("/")[2] for link in links]
