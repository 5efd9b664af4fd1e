"""The icons: one file with what the templates use, out of an installed package."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.contrib.staticfiles import finders
from django.template import Context, Template

from games.pages.parts import icons
from njetassist import staticfiles

SVG = "{http://www.w3.org/2000/svg}"
LOGO = Path(__file__).parents[2] / "static" / "njet" / "icon.svg"


@pytest.mark.parametrize(
    ("file", "name"), [(icons.TABLE, "chevron-left"), (icons.DIGITAL, "crown"), (icons.OTHERS, "moon")]
)
def test_a_file_of_icons_has_each_icon_that_its_templates_use(file: str, name: str) -> None:
    sprite = ElementTree.fromstring(staticfiles.sprite(file))

    symbols = sprite.findall(f"{SVG}symbol")
    names = [symbol.get("id") for symbol in symbols]
    assert name in names
    assert names == icons.icons()[file]
    assert all(len(symbol) for symbol in symbols)


def test_the_icons_of_a_table_take_at_most_three_kilobytes() -> None:
    assert len(staticfiles.sprite(icons.TABLE).encode()) <= 3 * 1024


def test_no_icon_stands_in_two_files() -> None:
    names = [name for names in icons.icons().values() for name in names]
    assert len(names) == len(set(names)) > 50


def test_an_icon_is_found_in_each_way_of_naming_it() -> None:
    named = '{% icon "a" %}{% link_row "b" _("B") "c" %}{% menu_row "d" text "e" %}{% include "f" with symbol="g" %}'

    assert icons.USE.findall(named) == ["a", "b", "d", "g"]


def test_the_sprite_shows_the_logo_so_that_it_is_the_icon_of_the_tab_too() -> None:
    logo, sprite = (ElementTree.fromstring(text) for text in (LOGO.read_text(), staticfiles.sprite(icons.TABLE)))

    assert sprite.attrib == logo.attrib
    assert [ElementTree.tostring(shape) for shape in sprite if shape.tag != f"{SVG}symbol"] == [
        ElementTree.tostring(shape) for shape in logo
    ]


def test_the_sprite_is_found_as_a_static_file_and_is_written_again_when_it_has_changed() -> None:
    found = Path(finders.find("njet/icons.svg"))
    found.write_text("an older one")

    assert Path(finders.find("njet/icons.svg")).read_text() == staticfiles.sprite(icons.TABLE)


def test_an_icon_refers_to_its_symbol() -> None:
    shown = Template('{% load njet %}{% icon "chevron-left" %}').render(Context())

    assert '<use href="/static/njet/icons.svg#chevron-left"/>' in shown


def test_an_icon_that_the_package_does_not_have_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(staticfiles, "icons", lambda: {icons.TABLE: ["no-such-icon"]})

    with pytest.raises(Exception, match="no-such-icon"):
        staticfiles.sprite(icons.TABLE)
