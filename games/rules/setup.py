"""What is fixed before the first marker: the rules, who sits where with which token, who deals first.

Must not know: keys, devices or anything that happens in a round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from games.rules.errors import (
    NameMissing,
    NameTooLong,
    NameTwice,
    OpenHandsAreDigital,
    OpenHandsFixed,
    PaperNotHere,
    StintImpossible,
    TokenTwice,
    UnknownDealer,
    UnknownToken,
    WrongPlayerCount,
)
from games.rules.options import MOST_ROUNDS
from games.rules.paper import PaperSheet
from games.rules.ruleset import Ruleset
from games.rules.text import clean_line, skeleton, typed_line

LONGEST_NAME = 40


@dataclass(frozen=True, slots=True)
class SeatSetup:
    """A player's place: the name, the token."""

    name: str
    token: str


@dataclass(frozen=True, slots=True)
class Stint:
    """Who played for a seat up to and including a round, before the next player took it over."""

    seat: int
    name: str
    until: int


@dataclass(frozen=True, slots=True)
class Setup:
    """A game before its first action.  Seats are numbered clockwise; `dealer` deals round 1.

    `digital`: the app deals and sees the cards; otherwise they are on a real table.  `paper`: the sheet of an old game,
    which is entered when it is over: nothing is played.  `open_hands`: all see the hands of each finished round of a
    digital game.
    `earlier`: who played for a seat before its player, the earliest first; `seats` has those who play on.
    """

    ruleset: Ruleset
    seats: tuple[SeatSetup, ...]
    dealer: int
    digital: bool = False
    paper: PaperSheet | None = None
    open_hands: bool = False
    earlier: tuple[Stint, ...] = ()

    @property
    def mode(self) -> str:
        """The mode as documents and the database name it."""
        return "digital" if self.digital else "table"

    @classmethod
    def of(
        cls,
        *,
        preset: str,
        names: Sequence[str],
        tokens: Sequence[str | None] | None = None,
        options: Mapping[str, object] | None = None,
        dealer: int = 0,
        digital: bool = False,
        paper: PaperSheet | None = None,
        open_hands: bool = False,
        earlier: Sequence[Stint] = (),
    ) -> Setup:
        """A checked set-up.  A token that is None is the next one in the order of the board that no player asked for.

        Errors: every `IllegalSetup`, and `WrongType` for an option.
        """
        ruleset = Ruleset.of(preset, len(names), options)
        cleaned = _checked_names(names)
        if tokens is not None and len(tokens) != ruleset.players:
            raise WrongPlayerCount(players=len(tokens), allowed=[ruleset.players])
        taken = _checked_tokens(ruleset, tokens or [None] * len(names))
        if not 0 <= dealer < ruleset.players:
            raise UnknownDealer(dealer=dealer)
        of_other_mode, refusal = {True: (paper, PaperNotHere), False: (open_hands, OpenHandsAreDigital)}[digital]
        if of_other_mode:
            raise refusal()
        seats = tuple(SeatSetup(name, token) for name, token in zip(cleaned, taken, strict=True))
        if paper is not None:
            paper = PaperSheet.of(paper.lines, by_round=paper.by_round, players=ruleset.players)
        return cls(ruleset, seats, dealer, digital, paper, open_hands, _checked_stints(earlier, ruleset.players))

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names, by seat."""
        return tuple(seat.name for seat in self.seats)

    @property
    def absent_tokens(self) -> tuple[str, ...]:
        """The tokens without a player: covered before the first marker of every round (RULES.md section 1.4)."""
        taken = {seat.token for seat in self.seats}
        return tuple(token for token in self.ruleset.edition.tokens if token not in taken)

    def in_round(self, number: int) -> Setup:
        """The set-up with the names of those who played a round."""
        names = list(self.names)
        for stint in reversed(self.earlier):
            if number <= stint.until:
                names[stint.seat] = stint.name
        seats = tuple(replace(seat, name=name) for seat, name in zip(self.seats, names, strict=True))
        return replace(self, seats=seats, earlier=())

    def with_names(self, names: Mapping[str, str]) -> Setup:
        """The set-up with other names for some players.  `names`: by the names that they have."""
        return replace(
            self,
            seats=tuple(replace(seat, name=names.get(seat.name, seat.name)) for seat in self.seats),
            earlier=tuple(replace(stint, name=names.get(stint.name, stint.name)) for stint in self.earlier),
        )

    def dealer_of(self, round_number: int) -> int:
        """The seat that deals a round (counted from 1): the deal goes round clockwise."""
        return (self.dealer + round_number - 1) % self.ruleset.players

    def corrected(
        self,
        *,
        names: Sequence[str] | None = None,
        tokens: Sequence[str] | None = None,
        dealer: int | None = None,
        rounds: int | None = None,
        paper: PaperSheet | None = None,
        open_hands: bool | None = None,
        since: int | None = None,
    ) -> Setup:
        """The same game with a name, token, first dealer, number of rounds or the sheet from paper corrected.

        `since`: the round from which on the new names are those of other people, who have taken the seats over; None:
        they are the right names of the same people.
        Errors: every `IllegalSetup`; `WrongPlayerCount` if the number of names is another; `OpenHandsFixed` if
        `open_hands` is another, which is not what was agreed on.
        """
        if open_hands not in (None, self.open_hands):
            raise OpenHandsFixed()
        players = self.ruleset.players
        for given in (names, tokens):
            if given is not None and len(given) != players:
                raise WrongPlayerCount(players=len(given), allowed=[players])
        if paper is not None and self.paper is None:
            raise PaperNotHere()
        options: dict[str, object] = dict(self.ruleset.options.to_json())
        if rounds is not None:
            options["rounds"] = rounds
        return Setup.of(
            preset=self.ruleset.preset,
            names=self.names if names is None else names,
            tokens=[seat.token for seat in self.seats] if tokens is None else tokens,
            options=options,
            dealer=self.dealer if dealer is None else dealer,
            digital=self.digital,
            paper=self.paper if paper is None else paper,
            open_hands=self.open_hands,
            earlier=(*self.earlier, *self._ended(names, since)),
        )

    def _ended(self, names: Sequence[str] | None, since: int | None) -> list[Stint]:
        """The stints that end where other people take seats over."""
        if since is None or names is None:
            return []
        pairs = enumerate(zip(self.names, map(clean_line, names), strict=True))
        return [Stint(seat, before, since - 1) for seat, (before, name) in pairs if name != before]

    def rematch(self, *, rounds_played: int) -> Setup:
        """The next game of the same table: the deal has moved on from the last round played."""
        return replace(self, dealer=self.dealer_of(rounds_played + 1), paper=None, earlier=())


def _checked_names(names: Sequence[str]) -> list[str]:
    cleaned = [clean_line(name) for name in names]
    seen: set[str] = set()
    for number, name in enumerate(cleaned, start=1):
        if not name:
            raise NameMissing(number=number)
        if len(name) > LONGEST_NAME:
            raise NameTooLong(name=name, most=LONGEST_NAME)
        if name.casefold() in seen:
            raise NameTwice(name=name)
        seen.add(name.casefold())
    return cleaned


def _checked_stints(stints: Sequence[Stint], players: int) -> tuple[Stint, ...]:
    """Stints of seats that there are, each after those before it.

    Errors: `StintImpossible`, `NameMissing`, `NameTooLong`.
    """
    ended = [0] * players
    checked = []
    for stint in stints:
        if not 0 <= stint.seat < players or not ended[stint.seat] < stint.until < MOST_ROUNDS:
            least = ended[stint.seat] + 2 if 0 <= stint.seat < players else 2
            raise StintImpossible(least=least, most=MOST_ROUNDS)
        (name,) = _checked_names([stint.name])
        ended[stint.seat] = stint.until
        checked.append(Stint(stint.seat, name, stint.until))
    return tuple(checked)


def typed_names(names: Sequence[str]) -> list[str]:
    """The names of a table as they are typed now, of which no two may look alike.

    Errors: `NameTwice`.
    """
    typed = [typed_line(name) for name in names]
    looks = [skeleton(name) for name in typed]
    for at, (name, look) in enumerate(zip(typed, looks, strict=True)):
        if look in looks[:at] and name:
            raise NameTwice(name=clean_line(names[at]))
    return typed


def _checked_tokens(ruleset: Ruleset, tokens: Sequence[str | None]) -> list[str]:
    known = ruleset.edition.tokens
    asked = [token for token in tokens if token is not None]
    for token in asked:
        if token not in known:
            raise UnknownToken(token=token)
        if asked.count(token) > 1:
            raise TokenTwice(token=token)
    free = (token for token in known if token not in asked)
    return [next(free) if token is None else token for token in tokens]
