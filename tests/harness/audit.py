"""What was promised against what is there.

Knows: the promises that clients were given, the logs.  Must not know: what was done to the server in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.harness.lines import Document, Line
from tests.harness.scorekeepers import Claim, Scorekeeper, Table
from tests.ops.running import manage


@dataclass
class Findings:
    """Everything that is not as it was promised, as lines to read."""

    lost: list[str] = field(default_factory=list)
    """Acknowledged, but not in the log."""
    twice: list[str] = field(default_factory=list)
    """In the log, but no one was notified: every request was repeated until it was answered, so it is there twice."""
    gaps: list[str] = field(default_factory=list)
    disorder: list[str] = field(default_factory=list)
    """Acknowledged in another order than asked for."""
    differences: str = ""
    """What `check_logs` says."""

    def __bool__(self) -> bool:
        return bool(self.lost or self.twice or self.gaps or self.disorder or self.differences)


def audit(scorekeepers: Sequence[Scorekeeper], line: Line, data: Path, **variables: str) -> Findings:
    """Compare the promises that the scorekeepers were given with the logs of their tables."""
    findings = Findings(differences=differences(data, **variables))
    for table in {each.table for each in scorekeepers}:
        at_table = [each for each in scorekeepers if each.table == table]
        entries = table.log(line)
        _check_numbers(table, entries, table.state(line)["version"], findings)
        _check_claims(table, entries, (claim for each in at_table for claim in each.claims), findings)
        _check_order(at_table, findings)
    return findings


def differences(data: Path, **variables: str) -> str:
    """What `check_logs` finds; nothing if all is well.  `variables`: those of the server."""
    checked = manage(data, "check_logs", **variables)
    return "" if checked.returncode == 0 else checked.stdout + checked.stderr


def _check_numbers(table: Table, entries: Sequence[Document], version: int, findings: Findings) -> None:
    numbers = [entry["seq"] for entry in entries]
    if numbers != list(range(1, version + 1)):
        findings.gaps.append(f"{table.id}: at version {version} the entries are numbered {numbers}")


def _check_claims(table: Table, entries: Sequence[Document], claims: Iterable[Claim], findings: Findings) -> None:
    unclaimed = {entry["seq"]: entry for entry in entries}
    for claim in claims:
        entry = unclaimed.get(claim.version)
        if entry is not None and claim.holds_in(entry):
            del unclaimed[claim.version]
        else:
            findings.lost.append(f"{table.id}: {claim}, but in its place is {entry}")
    findings.twice += [f"{table.id}: {entry}" for entry in unclaimed.values()]


def _check_order(scorekeepers: Sequence[Scorekeeper], findings: Findings) -> None:
    for each in scorekeepers:
        versions = [claim.version for claim in each.claims]
        if versions != sorted(versions):
            findings.disorder.append(f"{each.table.id}: {versions}")
