"""Every visible word can be translated: templates hold no text of their own, and the catalogues find every sentence."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import settings
from django.template.base import Lexer, TokenType

from games import errors as application
from games.rules import errors as rules

ROOT = Path(settings.BASE_DIR)
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))

# Names and characters that are the same in every language.
SAME_EVERYWHERE = {"NJET Assist", "NJET", "njet", "×2", "UTC", "Σ", "REST", "API", "ABCD-1234", "BG Stats", ".bgsplay"}
READ_OUT = {"alt", "aria-label", "aria-description", "placeholder", "title", "data-words"}
BLOCKS = {"blocktranslate": "endblocktranslate", "blocktrans": "endblocktrans", "comment": "endcomment"}


class Visible(HTMLParser):
    """Collects what a reader would see or hear."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.texts += [value for name, value in attrs if name in READ_OUT and value]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def visible_texts(source: str) -> list[str]:
    """The literal texts of a template that a reader would see or hear."""
    # What Django fills in becomes a sign without letters, so that the tags around it stay whole.
    reader = Visible()
    text = "".join(_with_gaps(source))
    # A template without a tag may be the attributes of one.
    reader.feed(f"<i {text}>" if "=" in text and "<" not in text else text)
    reader.close()
    return [text.strip() for text in reader.texts if text.strip()]


def _with_gaps(source: str) -> Iterator[str]:
    inside = ""
    for token in Lexer(source).tokenize():
        word = token.contents.split()[0] if token.contents.split() else ""
        if inside:
            inside = "" if token.token_type is TokenType.BLOCK and word == inside else inside
        elif token.token_type is TokenType.BLOCK:
            inside = BLOCKS.get(word, "")
        elif token.token_type is TokenType.VAR:
            yield "·"
        elif token.token_type is TokenType.TEXT:
            yield token.contents


def untranslated(source: str) -> list[str]:
    """The words of a template that no one could translate."""
    found = []
    # How wide a page is, and its shape: classes.
    source = re.sub(r"{% block (?:room|shape) %}.*?{% endblock %}", "", source)
    for text in visible_texts(source):
        for same in sorted(SAME_EVERYWHERE, key=len, reverse=True):
            text = re.sub(rf"(?<!\w){re.escape(same)}(?!\w)", " ", text)
        if re.search(r"[^\W\d_]", text):
            found.append(" ".join(text.split()))
    return found


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_every_visible_word_of_a_template_can_be_translated(template: Path) -> None:
    assert untranslated(template.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<p>Hello {{ name }}</p>", ["Hello ·"]),
        ('<p>{% translate "Hello" %} {{ name }}</p>', []),
        ("<p>{% blocktranslate %}Hello{% endblocktranslate %} you</p>", ["you"]),
        ('<img alt="A dog">', ["A dog"]),
        ("<button aria-label=\"{% translate 'Close' %}\">×</button>", []),
        ('<a class="{% if x %}is-main{% endif %}" href="/x/">{{ y }}</a>', []),
        ("<b>NJET Assist</b> ×2 · UTC", []),
        ("<b>NJET Assistant</b>", ["Assistant"]),
        ("{# a note #}{% comment %}another{% endcomment %}", []),
    ],
)
def test_the_search_finds_what_cannot_be_translated(source: str, found: list[str]) -> None:
    assert untranslated(source) == found


def test_no_page_has_script_or_style_inside() -> None:
    for template in TEMPLATES:
        source = template.read_text(encoding="utf-8")

        # The words of a tag of Django are none of the page: `with one=…` calls no script.
        markup = re.sub(r"{%.*?%}", "", source, flags=re.DOTALL)
        assert not re.search(r"<style|style=|<script(?![^>]*\bsrc=)|\son\w+=|hx-on|javascript:", markup), template
        # The tag `script` adds the hash of a static file.
        assert '<script src="{% static' not in source, template


# --- what the catalogues find ---


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Every sentence that `makemessages` finds, with where it was found."""
    if shutil.which("msguniq") is None or shutil.which("xgettext") is None:
        pytest.skip("gettext is not installed")
    copy = tmp_path_factory.mktemp("source")
    for name in ("games", "njetassist", "templates"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.pyc", "locale"))
    shutil.copy(ROOT / "manage.py", copy)
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "error::SyntaxWarning",
            "manage.py",
            "makemessages",
            "--locale",
            "de",
            "--verbosity",
            "0",
        ],
        cwd=copy,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return dict(_messages((copy / "games/locale/de/LC_MESSAGES/django.po").read_text(encoding="utf-8")))


def _messages(catalogue: str) -> Iterator[tuple[str, str]]:
    for entry in catalogue.split("\n\n"):
        places = " ".join(re.findall(r"^#: (.*)$", entry, re.MULTILINE))
        for kind in ("msgid", "msgid_plural"):
            written = re.search(rf'^{kind} ((?:".*"\n?)+)', entry, re.MULTILINE)
            if written:
                parts = re.findall(r'"(.*)"', written[1])
                yield "".join(parts).replace('\\"', '"').replace("\\n", "\n"), places


def refusals() -> list[type[rules.NjetError]]:
    """Every class of refusal there is."""
    found: list[type[rules.NjetError]] = [rules.NjetError]
    for each in found:
        found += each.__subclasses__()
    return [each for each in found if each.__module__.startswith("games.")]


def test_every_refusal_stands_in_the_catalogue(catalogue: dict[str, str]) -> None:
    missing = [each.__name__ for each in refusals() if each.template not in catalogue]

    assert missing == []
    assert application.StaleVersion.template in catalogue


def test_templates_presentation_and_rules_are_all_searched(catalogue: dict[str, str]) -> None:
    places = " ".join(catalogue.values())

    for path in ("templates/games/table/_board.html", "games/texts/words.py", "games/rules/errors.py"):
        assert path in places
    assert len(catalogue) > 300


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE])
def test_every_sentence_is_in_the_catalogue_of_each_language(language: str, catalogue: dict[str, str]) -> None:
    """What is missing or too much, `manage.py makemessages` writes and takes out."""
    written = (ROOT / "games" / "locale" / language / "LC_MESSAGES" / "django.po").read_text(encoding="utf-8")

    assert dict(_messages(written)).keys() == catalogue.keys()


def test_a_sentence_with_holes_names_each_of_them(catalogue: dict[str, str]) -> None:
    for sentence in catalogue:
        holes = re.findall(r"{([^}]*)}|%\(([^)]*)\)s", sentence)

        assert all(brace or percent for brace, percent in holes), sentence


def test_no_sentence_is_put_together_before_it_is_translated() -> None:
    """`_("…".format())` and `_(f"…")` would never be found in a catalogue."""
    for path in (ROOT / "games").rglob("*.py"):
        source = path.read_text(encoding="utf-8")

        assert not re.search(r"\b(?:_|gettext\w*|ngettext|pgettext\w*)\(\s*f[\"']", source), path
        assert not re.search(r"\b_\(\s*\"[^\"]*\"\s*\.format", source), path
