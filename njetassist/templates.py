"""Loads templates without the white space that only lays out their source.

The work is done once, when a template is loaded, so that no request pays for it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import rjsmin
from django.template import Origin
from django.template.loaders.filesystem import Loader as FilesystemLoader

# Browsers show no white space beside these tags, neither inside nor outside.
BLOCKS = re.compile(
    "!doctype|html|head|title|meta|link|script|body|header|main|footer|nav|section|article|noscript|template|"
    "h[1-6]|p|div|ul|ol|li|dl|dt|dd|form|fieldset|legend|details|summary|option|optgroup|"
    "table|caption|thead|tbody|tfoot|tr|th|td|rect|g|path|line|circle|polygon|polyline|text"
)
# These stand in a line of text and show no white space inside.
BLOCKS_INSIDE = {"button", "select", "svg"}

TEMPLATE_TAG = r"{%.*?%}|{{.*?}}"
# Messages stay as translators find them in the source; some elements show all their white space.
KEPT = r"{%\s*blocktranslate\b.*?{%\s*endblocktranslate\s*%}|<(?P<element>textarea|pre)\b.*?</(?P=element)>"
PIECE = re.compile(
    rf"(?P<kept>{KEPT})"
    rf'|(?P<html><(?P<end>/?)(?P<name>!?\w+)(?:{TEMPLATE_TAG}|"(?:{TEMPLATE_TAG}|[^"])*"|[^<>"])*>)'
    r"|(?P<comment>{#.*?#})"
    r"|(?P<tag>{%\s*(?P<word>\w+).*?%})"
    r"|(?P<space>\s+)"
    r"|{{.*?}}|[^\s<{]+|.",
    re.DOTALL,
)
LINE_BREAK_IN_TAG = re.compile(
    rf'(?P<kept>{KEPT}|{TEMPLATE_TAG})|(?P<edge_of_value>(?<==")\s*\n\s*|\s*\n\s*(?="))|\s*\n\s*', re.DOTALL
)
# An attribute, or a class, that is written under a condition: the space before it is written with it.
SPACE_BEFORE_CONDITION = re.compile(
    rf' ({{%\s*if\b[^%]*%}})((?:(?!{{%\s*(?:if|el|endif))(?:{TEMPLATE_TAG}|[^{{}}]))*{{%\s*endif\s*%}})(?=[\s">])',
    re.DOTALL,
)
Piece = re.Match[str]

OPENING, CLOSING = {"if", "for", "block"}, {"endif", "endfor", "endblock"}
# Tags that write nothing: these, and those that give their result a name.
SILENT = re.compile(r"{%\s*(?:load|extends|with|endwith)\b|{%[^%]*\bas(?:var)?\s+\w+\s*%}")


def without_layout(source: str) -> str:
    """The source of a template without white space that a browser does not show; other white space is one space."""
    pieces = [piece for piece in PIECE.finditer(source) if not piece["comment"]]
    pieces = _needed(pieces, first=OPENING, last=CLOSING)
    pieces = _needed(reversed(pieces), first=CLOSING, last=OPENING)
    return "".join(_in_line(piece) for piece in reversed(pieces))


@dataclass
class _Tag:
    """A tag of Django with branches: whether an edge stands before it, and at the end of each branch so far."""

    before: bool
    branches: bool = True
    has_else: bool = False

    def ends_at_edge(self, last_branch: bool) -> bool:
        """Whether an edge stands at the end, whichever branch is written."""
        return last_branch and self.branches and (self.has_else or self.before)


def _is_edge(element: Piece, *, backwards: bool) -> bool:
    """Whether browsers show no white space after an HTML tag, or before it when the source is read backwards."""
    is_inside = backwards is bool(element["end"])
    return bool(BLOCKS.fullmatch(element["name"])) or (is_inside and element["name"] in BLOCKS_INSIDE)


def _needed(pieces: Iterable[Piece], *, first: set[str], last: set[str]) -> list[Piece]:
    """The pieces without the white space that follows an edge: the edge of a block, or other white space.

    Read backwards, with the closing tags first, it is the white space that stands before an edge.
    """
    needed, tags, is_edge = [], [], True
    for piece in pieces:
        if not (piece["space"] and is_edge):
            needed.append(piece)
        word = piece["word"]
        if piece["space"]:
            is_edge = True
        elif piece["html"]:
            is_edge = _is_edge(piece, backwards=first is CLOSING)
        elif SILENT.match(piece[0]):
            continue
        elif word in first:
            tags.append(_Tag(before=is_edge))
            # What comes before the body of a loop may be the body; a block of another template fills only the block.
            is_edge = is_edge if word.endswith("if") else word.endswith("block")
        elif word in {"elif", "else", "empty"}:
            tag = tags[-1]
            tag.branches &= is_edge
            tag.has_else |= word != "elif"
            is_edge = tag.before
        elif word in last:
            is_edge = tags.pop().ends_at_edge(is_edge) and not word.endswith("block")
        else:
            is_edge = False
    return needed


def _in_line(piece: Piece) -> str:
    if piece["space"]:
        return " "
    if not piece["html"]:
        return piece[0]
    tag = LINE_BREAK_IN_TAG.sub(
        lambda found: found["kept"] or ("" if found["edge_of_value"] is not None else " "), piece[0]
    )
    tag = SPACE_BEFORE_CONDITION.sub(r"\1 \2", tag)
    return re.sub(r" (/?>)$", r"\1", tag)


class Loader(FilesystemLoader):
    """The templates of this project, as they are served."""

    def get_contents(self, origin: Origin) -> str:
        source: str = super().get_contents(origin)
        return rjsmin.jsmin(source) if origin.name.endswith(".js") else without_layout(source)
