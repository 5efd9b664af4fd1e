"""Playthroughs as text: a change of the rules shows as a difference line by line."""

from pathlib import Path

import pytest

from games.rules import RULES_VERSION
from tests.rules.playthrough import GAMES, GOLDEN, retold


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_a_game_is_played_as_it_was_written(path: Path) -> None:
    written = path.read_text(encoding="utf-8")

    assert retold(written).splitlines() == written.splitlines()


def test_what_these_games_mean_is_version_1_of_the_rules() -> None:
    assert RULES_VERSION == 1


def test_every_preset_and_every_number_of_players_is_played() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(GAMES)
    assert {preset for preset, _, _ in GAMES.values()} == {
        "njet-english", "njet-wikipedia", "goldsieber-french", "goldsieber-dutch", "goldsieber-italian",
    }  # fmt: skip
    assert {players for _, players, _ in GAMES.values()} == {2, 3, 4, 5}


@pytest.mark.parametrize("word", ["discard ", "pass ", "claim ", "monster 1"])
def test_every_kind_of_step_is_played_somewhere(word: str) -> None:
    assert any(f" {word}" in path.read_text(encoding="utf-8") for path in GOLDEN.glob("*.txt"))
