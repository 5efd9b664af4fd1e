"""The oldest browsers: the check of styles and scripts, README and every page name the same ones."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

ROOT = Path(settings.BASE_DIR)
NAMES = {"safari": "Safari", "ios_saf": "iOS", "firefox": "Firefox", "chrome": "Chrome", "samsung": "Samsung Internet"}


def oldest() -> dict[str, str]:
    """The versions of `.ci/package.json`, which the check of styles and scripts reads, by the names of the browsers."""
    listed = json.loads((ROOT / ".ci/package.json").read_text())["browserslist"]
    return {NAMES[name]: version for name, version in (line.split(" >= ") for line in listed)}


def named(text: str) -> dict[str, str]:
    """The browsers that a text names. “Safari and iOS 17.4”: both of them."""
    found = re.findall(r"(Safari|iOS|Firefox|Chrome|Samsung Internet)(?: \w+ iOS)? (\d+(?:\.\d+)*)", text)
    versions = {name: version.rstrip(".") for name, version in found}
    return {**versions, "iOS": versions["Safari"]} if re.search(r"Safari \w+ iOS \d", text) else versions


def test_the_readme_names_them() -> None:
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Browsers\n")[2].partition("\n## ")[0]

    assert named(" ".join(section.split())) == oldest()


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
@pytest.mark.django_db
def test_every_page_names_them_in_every_language(client: Client, language: str) -> None:
    for address in ("/", "/new/", "/no-such-page/"):
        page = client.get(address, headers={"Accept-Language": language}).content.decode()
        sentence = re.search(r'<p class="needed">(.*?)</p>', page, re.DOTALL)

        assert sentence is not None
        assert named(sentence[1]) == oldest()
