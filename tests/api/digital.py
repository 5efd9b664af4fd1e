"""A digital game over REST, with one key for each seat that a person plays.

Knows addresses and keys.  Knows no rule: what may be done is read in the answers.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.api.client import CAST, Answer, Api, Json, Table
from tests.api.jumps import Until, deal_again, jump
from tests.cast.digital import committed
from tests.services.crews import act_due


@dataclass
class DigitalTable(Table):
    """A digital game and the keys that were shown when it was opened: `scorekeeper` is its host's."""

    seats: dict[int, str] = field(default_factory=dict)

    @classmethod
    def open(
        cls,
        api: Api,
        preset: str = "njet-english",
        players: int = 3,
        *,
        bots: Sequence[str | None] = (),
        dealer: int = 0,
        open_hands: bool = False,
        **options: Json,
    ) -> DigitalTable:
        levels = [*bots, *[None] * (players - len(bots))]
        seats = [{"name": name, "bot": level} for name, level in zip(CAST, levels, strict=False)]
        body = {"mode": "digital", "preset": preset, "options": options, "players": seats, "dealer": dealer}
        body |= {"open_hands": True} if open_hands else {}
        answer = api.post("/games/", body)
        assert answer.status == 201, answer.text
        deal_again(answer.json["id"], random.Random(f"{preset} {players}"))
        return cls.of(api, answer.json)

    @classmethod
    def of(cls, api: Api, created: Json) -> DigitalTable:
        keys = created["keys"]
        seats = {int(seat): key for seat, key in keys["seats"].items()}
        return cls(api, created["id"], keys["scorekeeper"], keys["viewer"], created, seats)

    @property
    def keys(self) -> dict[str, str]:
        """Every key, by whose it is."""
        of_seats = {f"seat {seat}": key for seat, key in self.seats.items()}
        return {"host": self.scorekeeper, "viewer": self.viewer, **of_seats}

    def seen_by(self, seat: int) -> Json:
        """The state as a seat sees it."""
        return self.get(key=self.seats[seat]).json

    def does(self, number: int, action: Json, **more: Json) -> Answer:
        """Let a seat act."""
        return self.post("/actions/", {"action": action, **more}, self.seats[number])

    def proposes(self, seat: int, kind: str, **more: Json) -> Answer:
        return self.post("/proposals/", {"type": kind, **more}, self.seats[seat])

    def answers(self, seat: int, seq: int, *, agree: bool, **more: Json) -> Answer:
        return self.post(f"/proposals/{seq}/", {"agree": agree, **more}, self.seats[seat])

    def puts_bot(self, seat: int, level: str | None, *, key: str | None = None, **more: Json) -> Answer:
        return self.post(f"/seats/{seat}/bot/", {"level": level, **more}, key)

    def act_by_chance(self, chance: random.Random) -> Json | None:
        """Let the bots that are due act, then one person do something legal: how they see it then; None at the end."""
        with committed(execute=True):
            act_due(self.id, budget=0.01)
        now = self.state
        if now["round"] is None:
            return None
        seat = chance.choice(now["round"]["acting"])
        answer = self.does(seat, chance.choice(self.seen_by(seat)["legal_actions"]))
        assert answer.status == 201, answer.text
        return answer.json["state"]

    def jump(self, until: Until, seed: int = 1, **spaces: str) -> DigitalTable:
        """Everybody acts by chance until a state is reached."""
        jump(self.id, until, random.Random(seed), **spaces)
        return self

    def finish_early(self) -> Answer:
        """Everybody agrees to end the game: the last answer."""
        first, *others = sorted(self.seats)
        answer = self.proposes(first, "finish")
        for seat in others:
            answer = self.answers(seat, self.state["proposals"][-1]["seq"], agree=True)
        return answer


def play(card: str) -> Json:
    return {"type": "play", "card": card}
