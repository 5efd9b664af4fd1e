"""What is served: every file that a page names, and no white space that only lays out its source."""

from __future__ import annotations

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import brotli
import pytest
import rjsmin
from django.conf import settings as configured
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.core.files.base import ContentFile
from django.test import Client
from pytest_django import Settings

from njetassist.staticfiles import (
    DESCENDANT,
    LAYERS,
    MINIFIERS,
    NEEDED,
    Storage,
    bundle,
    fingerprint,
    make,
    minified_script,
    served,
)
from njetassist.templates import without_layout

ROOT = Path(configured.BASE_DIR)


@pytest.mark.parametrize(
    ("source", "served"),
    [
        ("<div>\n  <p>\n    one\n    two\n  </p>\n</div>\n", "<div>\n<p>\none\ntwo\n</p>\n</div>"),
        ("<p><b>one</b> <i>two</i></p>", "<p><b>one</b> <i>two</i></p>"),
        # Comments are left out. What shows its white space, and what translators get, stays as it is.
        ("{# zero #}\n<p>\n  {# one #}\n  two</p>", "<p>\ntwo</p>"),
        ("<textarea>\n one  two\n</textarea>", "<textarea>\n one  two\n</textarea>"),
        (
            "{% blocktranslate %}one\n  two{% endblocktranslate %}",
            "{% blocktranslate %}one\n  two{% endblocktranslate %}",
        ),
    ],
)
def test_a_template_is_served_without_its_comments_and_indentation(source: str, served: str) -> None:
    assert without_layout(source) == served


@pytest.mark.parametrize(
    ("name", "before", "inside"),
    [
        ("njet/njet.css", f"@supports {NEEDED}{{", "@media"),
        ("njet/live.js", f""""use strict";if(!CSS.supports('{NEEDED}'))throw """, "EventSource"),
    ],
)
def test_own_style_sheets_and_scripts_are_served_without_comments_and_layout(
    name: str, before: str, inside: str, settings: Settings
) -> None:
    settings.DEBUG = False
    content = served(name)

    # Ours do nothing in browsers without what is needed, and are as strict as before.
    assert content.startswith(before)
    assert inside in content
    assert content.count("use strict") == (1 if name.endswith(".js") else 0)
    assert "\n  " not in content
    assert "/*" not in content

    settings.DEBUG = True
    assert "\n  " in served(name)


@pytest.mark.parametrize("sheet", [name for name in configured.BUNDLES if name.endswith(".css")])
def test_the_minifier_joins_no_selectors(sheet: str) -> None:
    # Within at-rules, as all of it is, rcssmin takes the space before “:is(…)”.
    source = bundle(sheet)
    begin_with_a_pseudo_class = len(DESCENDANT.findall(source))

    assert MINIFIERS[".css"](source).count("*:") == source.count("*:") + begin_with_a_pseudo_class


@pytest.mark.parametrize("descendant", [".a :is(b, c)", ".a ::before", "& :not(.b)"])
def test_a_descendant_of_any_type_stays_one(descendant: str) -> None:
    assert " *:" in MINIFIERS[".css"](f"@layer parts {{ {descendant} {{ color: red }} }}")


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
    settings.DEBUG = True  # as written: not minified
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

        assert Path(make("njet/page.js")).read_text() == f"b {change};\na {change}"


def test_a_style_sheet_is_in_the_layer_of_its_folder(sources: Path, settings: Settings) -> None:
    settings.BUNDLES = {"njet/page.css": ["njet/parts/a.css", "njet/pages/b.css"]}
    (sources / "parts/a.css").write_text("a {}")
    (sources / "pages/b.css").write_text("b {}")

    served = Path(make("njet/page.css")).read_text()

    assert re.sub(r"\s", "", served) == "@layerbase,parts,pages,modes;@layerparts{a{}}@layerpages{b{}}"


def test_a_named_size_is_its_condition(sources: Path, settings: Settings) -> None:
    settings.BUNDLES = {"njet/page.css": ["njet/pages/a.css"]}
    (sources / "pages/a.css").write_text("@media (--low) { a {} }")

    served = Path(make("njet/page.css")).read_text()

    assert "@media (max-height: 480px) and (orientation: landscape) {" in served


def test_another_minifier_gives_another_content_and_so_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Browsers keep a hashed file forever, and run it only with the hash that the page states."""
    contents = set()
    for release in ("1", "2"):
        monkeypatch.setitem(MINIFIERS, ".js", lambda source, release=release: f"{source}//{release}")
        contents.add(Path(make("njet/live.js")).read_text())

    assert len(contents) == 2


@pytest.mark.parametrize("changed", ["requirements.txt", "static/njet/a.js"])
def test_another_release_of_a_package_or_another_content_collects_the_files_again(
    changed: str, sources: Path, tmp_path: Path
) -> None:
    (tmp_path / "requirements.txt").write_text("lucide==1")
    (sources / "a.js").write_text("one")
    before = fingerprint()
    assert fingerprint() == before

    (tmp_path / changed).write_text("another")

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


def test_a_file_that_is_asked_for_at_once_by_several_threads_is_whole(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    whole = Path(make("njet/live.js")).read_text()

    with ThreadPoolExecutor(4) as threads:
        read = threads.map(lambda _: Path(make("njet/live.js")).read_text(), range(200))

    assert {*read} == {whole}
    assert [file.name for file in (tmp_path / "made/njet").iterdir()] == ["live.js"]
