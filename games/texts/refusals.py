"""Refusals of the rules and of the program as sentences in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from games.rules import Card, NjetError
from games.rules.editions import EXCHANGES, NJET, RowKey
from games.rules.errors import AmendmentConflicts, RecordRefused, UnknownCard
from games.rules.options import OPTIONS
from games.texts.words import (
    PHASE_NAMES,
    ROW_NAMES,
    SUIT_NAMES,
    TOKEN_NAMES,
    capturable_kept,
    card_name,
    exchange_name,
    option_name,
    option_value,
)

ACTION_NAMES = {
    "place": gettext_lazy("Covering a space"),
    "conditions": gettext_lazy("Entering the board"),
    "team": gettext_lazy("Naming the teams"),
    "trick": gettext_lazy("Recording a trick"),
    "tally": gettext_lazy("Recording the round"),
    "void_round": gettext_lazy("Dealing again"),
    "penalty": gettext_lazy("Noting a penalty"),
    "finish": gettext_lazy("Finishing early"),
}

FIELD_NAMES = {
    "winner": gettext_lazy("Winner"),
    "captured": gettext_lazy("Captured"),
    "tricks": gettext_lazy("Tricks"),
    "seat": gettext_lazy("Player"),
    "points": gettext_lazy("Points"),
    "reason": gettext_lazy("Reason"),
    "partners": gettext_lazy("Partners"),
    "monster": gettext_lazy("Monster"),
    "dealer": gettext_lazy("Dealer of round 1"),
    "version": gettext_lazy("Version of the table"),
    "request_id": gettext_lazy("Number of the form"),
    "kind": gettext_lazy("Kind of entry"),
    "changes": gettext_lazy("Corrections"),
    "text": gettext_lazy("Text"),
}


def error_sentence(error: NjetError, names: Sequence[str] = ()) -> str:
    """A refusal in the reader's language, with names instead of seats and words instead of codes."""
    if error.code == "wrong_trick_sum":
        return _trick_sum_sentence(error.params)
    if error.code == "missing_field" and error.params["field"] in set(RowKey):
        row_name = ROW_NAMES[RowKey(str(error.params["field"]))]
        return _("Choose the space that stays open in the row “{row}”.").format(row=row_name)
    if error.code == "missing_field" and error.params["field"] == "winner":
        return _("Who won the trick that is inserted? Choose a player.")
    of_cards = _card_sentence(error.code, error.params)
    if of_cards:
        return of_cards
    params = _readable_params(error, names)
    template = _OF_PLAYERS.get(error.code) if isinstance(params.get("seat"), str) else None
    return _(template or error.sentence).format(**params)


def bare_sentence(error: NjetError) -> str:
    """A refusal in the reader's language, for programs: with seats and codes as they are."""
    return _(error.sentence).format(**error.params)


def _readable_params(error: NjetError, names: Sequence[str]) -> dict[str, object]:
    """The parameters of a refusal as its sentence shows them."""
    readable: dict[str, object] = {**error.params}
    for name, value in error.params.items():
        translate = _PARAMETERS.get(name)
        if translate is not None:
            readable[name] = translate(value, names)
    row = error.params.get("row")
    if isinstance(row, str) and "space" in readable:
        readable["space"] = _space_in(row, readable["space"], names)
    if "option" in error.params and "allowed" in error.params:
        name = str(error.params["option"])
        readable["value"] = option_value(name, error.params["value"])
        readable["allowed"] = ", ".join(option_value(name, each) for each in str(error.params["allowed"]).split(", "))
    if isinstance(error, AmendmentConflicts):
        readable["reason"] = conflict_reason(error, names)
    if isinstance(error, RecordRefused):
        readable["reason"] = _refused_reason(error)
    return readable


def _card_sentence(code: str, params: Mapping[str, object]) -> str:
    """Why a card is refused, with cards and suits in words: the rule, and which cards it allows; empty for the rest."""
    match code:
        case "must_follow_suit":
            rule = _("You hold {suit}: follow suit.").format(suit=SUIT_NAMES[str(params["suit"])])
        case "must_follow_trump":
            rule = _("A trump was led and you hold trumps: play a trump or super trump.")
        case "must_trump":
            rule = _("You cannot follow: play a trump or super trump.")
        case "card_not_held":
            return _("You do not hold “{card}”.").format(card=_card_in(params["card"]))
        case "capturable_kept":
            return capturable_kept(params["rank"])
        case "wrong_card_count":
            needed = int(str(params["needed"]))
            return ngettext("Choose {needed} card, not {count}.", "Choose {needed} cards, not {count}.", needed).format(
                needed=needed, count=params["count"]
            )
        case _:
            return ""
    allowed = params.get("allowed")
    named = [_card_in(each) for each in allowed] if isinstance(allowed, list) else []
    return _("{rule} Allowed: {cards}.").format(rule=rule, cards=", ".join(named)) if named else rule


def _card_in(code: object) -> str:
    try:
        return card_name(Card.parse(str(code)))
    except UnknownCard:
        return str(code)


# What the rules say of a seat, said of a player.
_OF_PLAYERS = {
    "not_your_turn": gettext_noop("It is not the turn of {seat}."),
    "partner_twice": gettext_noop("{seat} is named twice."),
    "monster_in_larger_team": gettext_noop(
        "The monster card belongs to the smaller team: {seat} is in the larger one."
    ),
    "captured_without_trick": gettext_noop("{seat} has captured cards but no trick."),
    "too_many_captured": gettext_noop("{seat} cannot have captured {captured} cards: at most {most}."),
}


def conflict_reason(error: AmendmentConflicts, names: Sequence[str]) -> str:
    """Why a later entry would become impossible."""
    return _inner_sentence(error, "conflict_params", names)


def _refused_reason(error: RecordRefused) -> str:
    """Why the rules refuse a record, with the names in that record."""
    players = error.params["players"]
    assert isinstance(players, list), "a refused record carries its players"
    return _inner_sentence(error, "refused_params", players)


def _inner_sentence(error: NjetError, params_name: str, names: Sequence[str]) -> str:
    """The sentence of the refusal that another refusal contains."""
    kinds: list[type[NjetError]] = [NjetError]
    for kind in kinds:
        kinds += kind.__subclasses__()
        if kind.code == error.params["code"]:
            params = error.params[params_name]
            assert isinstance(params, dict), "a refusal carries the params of the one inside"
            return error_sentence(kind(**params), names)
    return str(error.params["reason"])


def _seat_name(value: object, names: Sequence[str]) -> object:
    return names[value] if isinstance(value, int) and 0 <= value < len(names) else value


_PARAMETERS: Mapping[str, Callable[[object, Sequence[str]], object]] = {
    "seat": _seat_name,
    "row": lambda value, names: ROW_NAMES[RowKey(str(value))] if value in set(RowKey) else value,
    "phase": lambda value, names: PHASE_NAMES.get(str(value), value),
    "action": lambda value, names: ACTION_NAMES.get(str(value), value),
    "token": lambda value, names: TOKEN_NAMES.get(str(value), value),
    "option": lambda value, names: option_name(str(value)) if value in OPTIONS else value,
    "field": lambda value, names: _field_name(str(value)),
    "expected": lambda value, names: _expectation(str(value)),
    "allowed": lambda value, names: ", ".join(map(str, value)) if isinstance(value, list) else value,
}


def _field_name(field: str) -> object:
    if field in FIELD_NAMES:
        return FIELD_NAMES[field]
    if field in set(RowKey):
        return ROW_NAMES[RowKey(field)]
    return option_name(field) if field in OPTIONS else field


def _expectation(expected: str) -> object:
    # Entries of other kinds have the name of their action.
    if expected in ACTION_NAMES:
        return _("“{action}”").format(action=ACTION_NAMES[expected])
    return expected


def _space_in(row: str, space: object, names: Sequence[str]) -> object:
    if row == RowKey.START:
        return dict(zip(map(str, range(len(names))), names, strict=True)).get(str(space), space)
    if row == RowKey.POINTS:
        return str(space).replace("-", "−")
    exchanges = {each: exchange_name(each) for each in EXCHANGES if each != NJET}
    return {NJET: _("njet"), **exchanges, **SUIT_NAMES}.get(str(space), space)


def _trick_sum_sentence(params: Mapping[str, object]) -> str:
    missing = int(str(params["missing"]))
    if missing > 0:
        return ngettext(
            "{count} trick is missing: {sum} of {tricks} are entered.",
            "{count} tricks are missing: {sum} of {tricks} are entered.",
            missing,
        ).format(count=missing, **params)
    return ngettext(
        "{count} trick too many: {sum} are entered, the round had {tricks}.",
        "{count} tricks too many: {sum} are entered, the round had {tricks}.",
        -missing,
    ).format(count=-missing, **params)
