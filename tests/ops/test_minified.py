"""What is served: every file that a page names, and no white space that only lays out its source."""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path

import brotli
import pytest
import rjsmin
from django.conf import settings as configured
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.files.base import ContentFile
from django.core.files.storage import FileSystemStorage
from django.template import Context, Engine
from django.template.loader import get_template
from django.test import Client
from pytest_django import Settings

from njetassist.staticfiles import LAYERS, MINIFIERS, NEEDED, MadeFiles, Storage, fingerprint, minified_script
from njetassist.templates import without_layout

ROOT = Path(configured.BASE_DIR)


@pytest.mark.parametrize(
    ("source", "served"),
    [
        # Beside blocks no white space is shown, between words and elements of a line one space.
        ("<div>\n  <p>\n    one\n    two\n  </p>\n</div>\n", "<div><p>one two</p></div>"),
        ("<p>\n  <b>one</b>\n  <i>two</i>,\n  three\n</p>", "<p><b>one</b> <i>two</i>, three</p>"),
        ("<p><b>one</b><i>two</i></p>", "<p><b>one</b><i>two</i></p>"),
        ("<span>\n  one\n</span>\n<span>two</span>", "<span> one </span> <span>two</span>"),
        ("one\n<button>\n  two\n</button>\nthree", "one <button>two</button> three"),
        # Tags of Django are looked through, whichever branch is taken.
        ("<p>\n  {% if a %}\n    one\n  {% endif %}\n</p>", "<p>{% if a %}one{% endif %}</p>"),
        ("<p>\n  {% if a %}\n    <b>one</b>\n  {% endif %}\n  two\n</p>", "<p>{% if a %}<b>one</b> {% endif %}two</p>"),
        (
            "<p>a</p>\n{% if a %}\n  <p>b</p>\n{% else %}\n  <p>c</p>\n{% endif %}\n<p>d</p>",
            "<p>a</p>{% if a %}<p>b</p>{% else %}<p>c</p>{% endif %}<p>d</p>",
        ),
        (
            "{% if a %}\n  one\n{% else %}\n  <p>two</p>\n{% endif %}\nthree",
            "{% if a %}one {% else %}<p>two</p>{% endif %}three",
        ),
        (
            "<ul>\n{% for a in b %}\n<li>\n{{ a }}\n</li>\n{% endfor %}\n</ul>",
            "<ul>{% for a in b %}<li>{{ a }}</li>{% endfor %}</ul>",
        ),
        ("{% for a in b %}\n  <b>{{ a }}</b>\n{% endfor %}", "{% for a in b %} <b>{{ a }}</b> {% endfor %}"),
        ("one\n{{ two }}\n{% include 'x' %}\nfour", "one {{ two }} {% include 'x' %} four"),
        ("<p>\n{% url 'x' as y %}\n{% load z %}\none</p>", "<p>{% url 'x' as y %}{% load z %}one</p>"),
        # A tag stands in one line.
        (
            '<a\n  class="\n    one\n    {% if a %}two{% endif %}\n  "\n  {% if a %}open{% endif %}\n>',
            '<a class="one{% if a %} two{% endif %}"{% if a %} open{% endif %}>',
        ),
        ("<a {% if a %}b{% else %}c{% endif %}>", "<a {% if a %}b{% else %}c{% endif %}>"),
        ('<a title="b {% if a %}c{% endif %}d">', '<a title="b {% if a %}c{% endif %}d">'),
        # Comments are left out. What shows its white space, and what translators get, stays as it is.
        ("<p>\n{# one #}\ntwo</p>", "<p>two</p>"),
        ("<textarea>\n one  two\n</textarea>", "<textarea>\n one  two\n</textarea>"),
        (
            "{% blocktranslate %}one\n  two{% endblocktranslate %}",
            "{% blocktranslate %}one\n  two{% endblocktranslate %}",
        ),
    ],
)
def test_white_space_that_no_browser_shows_is_taken_out_of_a_template(source: str, served: str) -> None:
    assert without_layout(source) == served
    assert without_layout(served) == served


@pytest.mark.parametrize("chosen", [True, False])
def test_words_stay_apart_in_every_branch(chosen: bool) -> None:
    source = "<p>\n  {% if a %}\n    <b>one</b>\n  {% else %}\n    <div></div>\n  {% endif %}\n  two\n</p>"

    served = Engine().from_string(without_layout(source)).render(Context({"a": chosen}))

    assert served == ("<p><b>one</b> two</p>" if chosen else "<p><div></div>two</p>")


def test_every_template_is_served_without_line_breaks_but_those_of_messages() -> None:
    source = get_template("base.html").template.source

    assert "\n" not in source
    assert len(source) < len((ROOT / "templates/base.html").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "source", "served"),
    [
        ("njet/a.css", b"/* one */\na {\n  color: red;\n}\n", b"a{color:red}}"),
        ("njet/a.js", b"// one\nf( 1 );\n", b"f(1)"),
        ("other/a.css", b"a {\n  color: red;\n}\n", b"a {\n  color: red;\n}\n"),
    ],
)
def test_own_style_sheets_and_scripts_are_collected_without_comments_and_layout(
    tmp_path: Path, name: str, source: bytes, served: bytes
) -> None:
    content = ContentFile(source)
    content.read()

    Storage(location=tmp_path, base_url="/static/").save(name, content)

    collected = (tmp_path / name).read_bytes()
    assert collected.removesuffix(b";").endswith(served)
    # Ours do nothing in browsers without what is needed, and are as strict as before.
    sheet, script = f"@supports {NEEDED}{{", f""""use strict";if(!CSS.supports('{NEEDED}'))throw """
    before = sheet if name.endswith(".css") else script
    assert collected.startswith(before.encode()) is name.startswith("njet/")


@pytest.mark.parametrize("name", ["njet/a.css", "njet/a.js"])
def test_a_file_with_a_hash_is_as_it_was_collected(tmp_path: Path, name: str) -> None:
    storage = Storage(location=tmp_path, base_url="/static/")
    storage.save(name, ContentFile(b"a{b:c}" if name.endswith(".css") else b'"use strict";\nf();\n'))

    list(storage.post_process({name: (storage, name)}))

    files = list((tmp_path / "njet").glob(f"a.*{Path(name).suffix}"))
    assert len(files) == 1
    content = files[0].read_text()
    assert content.count(NEEDED) == 1
    assert content.count("use strict") == (1 if name.endswith(".js") else 0)


def descendants(sheet: str) -> list[str]:
    """The selectors of a style sheet in which a descendant begins with a pseudo-class."""
    return re.findall(r"[\w)\]] :[\w-]+(?=[^;{}]*\{)", sheet)


@pytest.mark.parametrize("sheet", sorted((ROOT / "static/njet").rglob("*.css")), ids=str)
def test_the_minifier_joins_no_selectors(sheet: Path) -> None:
    # Within at-rules it takes the space before “:is(…)”: a type or class is required.
    source = sheet.read_text()

    assert len(descendants(MINIFIERS[".css"](source))) == len(descendants(source))


def test_scripts_have_short_local_names_and_the_same_global_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "const Line = (() => {\n  const measured = f();\n  return measured + measured;\n})();\n"
    whole = "const Line=(()=>{const measured=f();return measured+measured;})();"
    short = minified_script(source)

    monkeypatch.setitem(sys.modules, "minify", None)  # as on a system without the package
    assert minified_script(source) == whole

    assert "const Line=" in short
    assert (short == whole) or "measured" not in short


def parsed(script: str) -> str:
    """A script as another minifier writes it that reads the whole syntax: the same for the same program."""
    minify = pytest.importorskip("minify", reason="tdewolff-minify has no wheel for this system")
    return str(minify.string("application/javascript", script))


@pytest.mark.parametrize("script", sorted((ROOT / "static/njet").glob("*.js")), ids=lambda script: script.name)
def test_a_script_is_the_same_program_where_only_the_plain_minifier_is_there(script: Path) -> None:
    source = script.read_text(encoding="utf-8")

    assert parsed(rjsmin.jsmin(source)) == parsed(source)


def test_a_text_that_the_plain_minifier_would_change_is_noticed() -> None:
    source = "f(`a ${b ? `  c  ${d}` : e}`);"

    assert parsed(rjsmin.jsmin(source)) != parsed(source)


@pytest.fixture
def sources(tmp_path: Path, settings: Settings) -> Path:
    """An empty directory of static sources, for files of the test."""
    settings.BASE_DIR = settings.DATA_DIR = tmp_path
    (own := tmp_path / "static/njet").mkdir(parents=True)
    for layer in LAYERS:
        (own / layer).mkdir()
    (own / "base/sizes.css").write_text("@custom-media --low (max-height: 480px) and (orientation: landscape);")
    return own


def test_what_pages_load_together_is_one_file_that_is_written_again_when_a_part_has_changed(
    sources: Path, settings: Settings
) -> None:
    settings.BUNDLES = {"njet/page.js": ["njet/b.js", "njet/a.js"]}

    for change in ("one", "two"):
        for part in "ab":
            (sources / f"{part}.js").write_text(f"{part} {change}")

        assert Path(MadeFiles().find("njet/page.js")).read_text() == f"b {change};\na {change}"


def test_a_style_sheet_is_in_the_layer_of_its_folder(sources: Path, settings: Settings) -> None:
    settings.BUNDLES = {"njet/page.css": ["njet/parts/a.css", "njet/pages/b.css"]}
    (sources / "parts/a.css").write_text("a {}")
    (sources / "pages/b.css").write_text("b {}")

    served = Path(MadeFiles().find("njet/page.css")).read_text()

    assert re.sub(r"\s", "", served) == "@layerbase,parts,pages,modes;@layerparts{a{}}@layerpages{b{}}"


def test_a_named_size_is_its_condition(sources: Path, settings: Settings) -> None:
    settings.BUNDLES = {"njet/page.css": ["njet/pages/a.css"]}
    (sources / "pages/a.css").write_text("@media (--low) { a {} }")

    served = Path(MadeFiles().find("njet/page.css")).read_text()

    assert "@media (max-height: 480px) and (orientation: landscape) {" in served


def test_another_minifier_gives_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Browsers keep a hashed file forever, and run it only with the hash that the page states."""
    source = FileSystemStorage(location=tmp_path / "source")
    source.save("njet/a.js", ContentFile(b"f()"))
    storage = Storage(location=tmp_path / "collected", base_url="/static/")
    names = set()
    for release in ("1", "2"):
        monkeypatch.setitem(MINIFIERS, ".js", lambda source, release=release: f"{source}//{release}")
        storage.save("njet/a.js", ContentFile(b"f()"))
        names |= {file for _name, file, _done in storage.post_process({"njet/a.js": (source, "njet/a.js")})}

    assert len({name for name in names if name.endswith(".js")}) == 2


@pytest.mark.parametrize("installed", [True, False])
def test_another_release_of_the_minifier_collects_the_files_again(
    installed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(package: str) -> str:
        if installed:
            return "another"
        raise metadata.PackageNotFoundError(package)

    before = fingerprint()
    monkeypatch.setattr(metadata, "version", version)

    assert fingerprint() != before


@pytest.mark.django_db
def test_every_file_that_a_page_names_is_collected(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {
        name
        for template in (ROOT / "templates").rglob("*.html")
        for name in re.findall(r"{% (?:static|script) '(.+?)'", template.read_text(encoding="utf-8"))
    }
    assert "njet/njet.css" in names
    # These name files in Python.
    monkeypatch.setattr(StaticFilesStorage, "url", lambda _self, name: names.add(name) or f"/static/{name}")
    for address in ("/api/v1/docs/", "/worker.js", "/manifest.webmanifest"):
        assert client.get(address).status_code == 200

    collected = {path for finder in finders.get_finders() for path, _storage in finder.list([])}

    assert names <= collected
    assert {name for name in collected if not name.startswith("njet/")} <= names


@pytest.mark.parametrize(("times", "is_smallest"), [(1, True), (5, False)])
def test_only_small_files_are_compressed_as_much_as_possible(tmp_path: Path, times: int, is_smallest: bool) -> None:
    storage = Storage(location=tmp_path, base_url="/static/")
    content = Path(finders.find("njet/njet.css") or "").read_bytes() * times
    storage.save("a.css", ContentFile(content))

    written = {name for _of, name in storage.compress_files(["a.css"])}

    assert written == {"a.css.br", "a.css.gz"}
    compressed = (tmp_path / "a.css.br").read_bytes()
    assert brotli.decompress(compressed) == content
    assert (compressed == brotli.compress(content)) is is_smallest
