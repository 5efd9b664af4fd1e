"""How long a server takes to start, and how long the tests take.

`python -m tests.benchmarks.start [--repeats 5] [--suite]`

In turn: `manage.py serve` in an empty directory, until it answers for the first time, and again after a kill.
`--suite` instead: the README's command for the tests in a fresh clone, then `.ci/run` there. It takes half an hour.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from tests.benchmarks.figures import show_figure
from tests.harness.serving import Serving
from tests.ops.running import ROOT


def main() -> None:
    parser = argparse.ArgumentParser(description="How long a server takes to start, and how long the tests take.")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--suite", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        if options.suite:
            time_suite(Path(directory) / "clone")
        else:
            time_starts(Path(directory), options.repeats)


def time_starts(directory: Path, repeats: int) -> None:
    """Start servers in empty directories and kill them."""
    first, again = [], []
    for number in range(repeats):
        server = Serving(directory / str(number))
        try:
            first.append(server.start())
            server.kill()
            again.append(server.start())
        finally:
            server.kill()
        print(f"empty directory {first[-1]:.2f} s, after a kill {again[-1]:.2f} s", flush=True)
    show_figure("first start in an empty directory, s", statistics.median(first))
    show_figure("restart after a kill, s", statistics.median(again))


def time_suite(clone: Path) -> None:
    """Run the README's command and `.ci/run` in a fresh clone."""
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    command = re.search(r"^python3 -m venv \.venv && .*pytest$", (clone / "README.md").read_text(), re.MULTILINE)
    assert command is not None, "the README has no command for the tests"
    for name, line in (("the README's test command", command[0]), (".ci/run", ".ci/run")):
        began = time.monotonic()
        subprocess.run(["bash", "-euo", "pipefail", "-c", line], cwd=clone, check=True, stdout=subprocess.DEVNULL)
        show_figure(f"{name}, s", time.monotonic() - began)


if __name__ == "__main__":
    main()
