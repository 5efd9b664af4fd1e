"""The check of a digital game's deals: whether seal, seed and hands of each round belong together (RULES.md 7.3)."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.log.ledger import Ledger
from games.rules import Deal
from games.rules.dealing import Form, form_of, hands_of


@dataclass(frozen=True)
class CheckedDeal:
    """The deal of a round.  As long as the seed is secret it is None, and `hashed` and `computed` are empty.

    `hashed`: the text whose SHA-256 is `computed`, which is to equal `seal`.
    """

    number: int
    seal: str
    seed: str | None
    hashed: str
    computed: str
    is_good: bool
    verdict: str


def checked_deals(ledger: Ledger, *, game_id: str) -> list[CheckedDeal]:
    """The deals that were sealed, by round.  `game_id`: the id at the server that dealt."""
    return [
        _checked(ledger, game_id, step.round_number, step.action, step.action.commitment)
        for step in ledger.replay.applied
        if isinstance(step.action, Deal) and step.action.commitment is not None
    ]


def _checked(ledger: Ledger, game_id: str, number: int, deal: Deal, seal: str) -> CheckedDeal:
    seed, state = deal.seed, ledger.state
    if seed is None:
        return CheckedDeal(number, seal, None, "", "", is_good=False, verdict=_secret(is_over=state.is_over))
    form = form_of(seal, seed, game_id=game_id, round_number=number)
    follows = hands_of(state.ruleset, seed) == deal.hands
    shown = form or Form.NAMED
    return CheckedDeal(
        number,
        seal,
        seed,
        shown.text(seed, game_id=game_id, round_number=number),
        shown.of(seed, game_id=game_id, round_number=number),
        is_good=form is not None and follows,
        verdict=_verdict(form, follows=follows),
    )


def _secret(*, is_over: bool) -> str:
    if is_over:
        return _("This round was not completed, so its hands and its seed stay secret.")
    return _("The seed is secret until the game is over.")


def _verdict(form: Form | None, *, follows: bool) -> str:
    match form:
        case _ if not follows:
            return _("These hands do not follow from the seed: the deal was changed.")
        case None:
            return _("The seal does not belong to this seed: the deal was changed after it was sealed.")
        case Form.NAMED:
            return _(
                "Not changed: the seal names this game, this round and the seed, and all hands follow from the seed."
            )
        case Form.SEED:
            return _(
                "Not changed: the seal names the seed, and all hands follow from it. It is of an earlier version and "
                "names neither game nor round."
            )
