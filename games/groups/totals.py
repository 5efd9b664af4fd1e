"""The totals of a group: figures and ratings of its finished games, kept up to date with each game.

Must not know: permissions, pages, the log.  Everything here runs inside the transaction of a writer, under the lock of
the group, so change numbers follow the order of the commits.

Lock order: lock the game before the group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import OuterRef, Q, Subquery

from games.groups import periods
from games.groups.statistics import VERSION, figures, ratings
from games.groups.statistics.facts import GameFacts
from games.groups.statistics.figures import Figures
from games.groups.statistics.ratings import Form
from games.models import Game, Group, LostResult, Pair, PeriodFigures, Player, Seat, Status, Stint
from games.rules import setup as rules
from games.rules.replay import Replay
from games.rules.text import clean_line

UNRATED_AT_MOST = 1_000
"""The highest number of unrated games that is shown."""
ADDED_AT_ONCE = 100
"""How many games a recount adds to the figures in one go."""
RATED_AT_ONCE = 50
"""How many games one request rates at most: some tenths of a second."""


def locked(group_id: str | None) -> Group | None:
    """The group of an id, locked until the end of the transaction; None if it was deleted, or if there is no id."""
    return None if group_id is None else Group.objects.select_for_update().filter(pk=group_id).first()


# --- who sits where ---


def key_of_name(name: str) -> str:
    """The key that names are compared by: case and spaces make no difference."""
    return clean_line(name).casefold()


@dataclass(frozen=True)
class Cast:
    """Who played a game: its seats, its stints, and as what the players of the seats are known in the group."""

    seats: Sequence[Seat] = ()
    stints: Sequence[Stint] = ()
    called: Sequence[str | None] = ()

    @property
    def participants(self) -> list[Seat | Stint]:
        """The seats, then those whose seats others took over: as `GameFacts` numbers them."""
        return [*self.seats, *self.stints]

    def name_of(self, seat: Seat) -> str:
        """What the player of a seat is called in the group: by default as on the sheet."""
        return (self.called[seat.number] if seat.number < len(self.called) else None) or seat.name


def find_players(group: Group, casts: Sequence[Cast]) -> None:
    """Set the players of seats and stints by their names; a player whom the group has not is created.

    Seats with a player keep it; bots have none.  The seats and stints are not stored.
    """
    names = [cast.name_of(seat) for cast in casts for seat in cast.seats if _wants_player(seat)]
    names += [stint.name for cast in casts for stint in cast.stints]
    ids = _players_called(group, names)
    for cast in casts:
        taken = {seat.player_id for seat in cast.seats}
        for seat in cast.seats:
            player = ids[key_of_name(cast.name_of(seat))] if _wants_player(seat) else None
            # A player has one seat at a table: where two names mean one player, the second seat has none.
            if player is not None and player not in taken:
                seat.player_id = player
                taken.add(player)
        for stint in cast.stints:
            stint.player_id = ids[key_of_name(stint.name)]


def _wants_player(seat: Seat) -> bool:
    return seat.player_id is None and not seat.bot


def _players_called(group: Group, names: Sequence[str]) -> dict[str, str]:
    """The ids of the players with these names, by the keys of the names."""
    wanted = {key_of_name(name): clean_line(name) for name in reversed(names)}
    found = Player.objects.filter(group=group, name_key__in=wanted).values_list("name_key", "pk", "merged_into")
    ids = {str(key): merged_into or pk for key, pk, merged_into in found}
    new = [Player(group=group, name=wanted[key], name_key=key) for key in wanted if key not in ids]
    Player.objects.bulk_create(new)
    return ids | {str(player.name_key): player.pk for player in new}


def seat_players(group: Group, seats: Sequence[Seat]) -> None:
    """Store the players of the seats of a game, by the names on the sheet."""
    find_players(group, [Cast(seats)])
    Seat.objects.bulk_update(seats, ["player"])


def stints_of(game: Game, stints: Sequence[rules.Stint]) -> list[Stint]:
    """Who played for which seat until which round; not stored."""
    return [
        Stint(game=game, order=order, number=stint.seat, name=stint.name, until=stint.until)
        for order, stint in enumerate(stints)
    ]


def place_stints(game: Game, group: Group | None, stints: Sequence[rules.Stint]) -> None:
    """Store who played for which seat until which round, instead of what was stored before."""
    Stint.objects.filter(game=game).delete()
    new = stints_of(game, stints)
    if group is not None:
        find_players(group, [Cast(stints=new)])
    Stint.objects.bulk_create(new)


# --- counting a game ---

NewGame = tuple[Game, GameFacts, Sequence[Seat | Stint]]
"""A game, what is counted of it, and of whom."""


def update(game: Game, replay: Replay) -> None:
    """Update the totals after a change of a game: a finished game counts as it is now, an unfinished one does not."""
    finished = game.status == Status.FINISHED
    if not finished and game.facts is None:
        return
    group = locked(game.group_id)
    # A group that is being deleted leaves its games without one.
    if group is None:
        return
    facts = GameFacts.of(replay, minutes=game.minutes) if finished else None
    # Confirming an old result changes no figure, and the ratings need not look at everything since.
    if facts is None or game.facts != facts.to_json() or _is_counted_elsewhen(game):
        _uncount(group, game)
        _count(group, game, facts)
    note_change(group, [game])
    catch_up(group)


def count_new(group: Group, games: Sequence[NewGame]) -> None:
    """Count new games before they are stored: what says so is stored with them.

    They are rated too, unless other games wait for that: then `catch_up` rates them.
    """
    if not games:
        return
    for number, (game, facts, participants) in enumerate(games, start=group.changes + 1):
        game.group, game.facts, game.change = group, facts.to_json(), number
        for participant in participants:
            participant.counted_at = game.finished_at
    group.changes += len(games)
    group.save(update_fields=["changes"])
    _add(group, [(facts, participants, game.finished_at) for game, facts, participants in games], figures.added)
    in_order = sorted(games, key=lambda each: _place_in_order(each[0]))
    earliest = _place_in_order(in_order[0][0])
    if earliest <= _rated_until(group):
        _rewind(group, *earliest)
    if not _unrated(group).exists():
        _rate_in_order(group, in_order)


def _is_counted_elsewhen(game: Game) -> bool:
    """Whether the day or time of the game was corrected since it was counted."""
    return Seat.objects.filter(game=game).exclude(counted_at=game.finished_at).exists()


def take_out(game: Game) -> None:
    """Remove a game from the totals until its next `update`: its players are about to change."""
    group = locked(game.group_id)
    if group is not None:
        _uncount(group, game)
        game.facts = None
        game.save(update_fields=["facts"])


def withdraw(game: Game) -> None:
    """Remove a game from the totals because it is deleted or leaves the group."""
    group = locked(game.group_id)
    if group is None:
        return
    _uncount(group, game)
    if game.change is not None:
        group.changes += 1
        LostResult.objects.create(group=group, game_id=game.pk, change=group.changes)
    game.change, game.facts = None, None
    game.save(update_fields=["change", "facts"])
    group.save(update_fields=["changes", "figures"])
    catch_up(group)


def note_change(group: Group, games: Sequence[Game]) -> None:
    """Give these games new change numbers, so that consumers of the results read them again."""
    for number, game in enumerate(games, start=group.changes + 1):
        game.change = number
    group.changes += len(games)
    Game.objects.bulk_update(games, ["change"], batch_size=500)
    group.save(update_fields=["changes"])


def _count(group: Group, game: Game, facts: GameFacts | None) -> None:
    _mark(game, facts)
    if facts is not None:
        _add(group, [(facts, _participants(game), game.finished_at)], figures.added)
        if (game.finished_at, game.pk) <= _rated_until(group):
            _rewind(group, game.finished_at, game.pk)


def _mark(game: Game, facts: GameFacts | None) -> None:
    """Store with a game what is counted of it."""
    game.facts = None if facts is None else facts.to_json()
    game.save(update_fields=["facts"])
    for kind in (Seat, Stint):
        counted = kind._default_manager.filter(game=game)
        counted.update(counted_at=None if facts is None else game.finished_at, form=None)


def _uncount(group: Group, game: Game) -> None:
    if game.facts is None:
        return
    participants = _participants(game)
    # The time that it was counted under; the game may have changed since.
    counted_at = participants[0].counted_at
    _add(group, [(GameFacts.from_json(game.facts), participants, counted_at)], figures.subtracted)
    for kind in (Seat, Stint):
        kind._default_manager.filter(game=game).update(counted_at=None, form=None)
    if (counted_at, game.pk) <= _rated_until(group):
        _rewind(group, counted_at, game.pk)


def _participants(game: Game) -> list[Seat | Stint]:
    """The seats, then those whose seats others took over: as `GameFacts` numbers them."""
    seats = Seat.objects.filter(game=game).order_by("number")
    return [*seats, *Stint.objects.filter(game=game).order_by("order")]


Counted = tuple[GameFacts, Sequence[Seat | Stint], datetime | None]
"""What is counted of a game, of whom, and when it ended."""


def _add(group: Group, games: Sequence[Counted], combine: periods.Combine) -> None:
    """Add games to the figures of their group, players and pairs, or subtract them."""
    if not games:
        return
    days = periods.of_games(
        (facts, [each.player_id for each in participants], at) for facts, participants, at in games if at is not None
    )
    owners = periods.of_owners(days)
    group.figures = combine(group.figures, owners.pop(periods.EVERYBODY))
    group.save(update_fields=["figures"])
    players = list(Player.objects.filter(pk__in=owners))
    for player in players:
        player.figures = combine(player.figures, owners.pop(player.pk))
    Player.objects.bulk_update(players, ["figures"], batch_size=200)
    _keep_pairs({(one, other): owners[f"{one} {other}"] for one, other in map(str.split, owners)}, combine)
    periods.keep(group, days, combine)


def _keep_pairs(wanted: Mapping[tuple[str, str], Figures], combine: periods.Combine) -> None:
    """Add figures to what is kept of pairs of players, the smaller id first in each, or subtract them."""
    people = {person for pair in wanted for person in pair}
    found = Pair.objects.filter(one__in=people, other__in=people).values_list("one", "other", "figures")
    before = {(one, other): kept for one, other, kept in found}
    Pair.objects.bulk_create(
        [
            Pair(one_id=pair[0], other_id=pair[1], figures=combine(before.get(pair, {}), wanted[pair]))
            for pair in wanted
        ],
        update_conflicts=True,
        unique_fields=["one", "other"],
        update_fields=["figures"],
    )


# --- the ratings, which follow the order of play ---


def _place_in_order(game: Game) -> tuple[Any, str]:
    return (game.finished_at, game.pk)


def _rated_until(group: Group) -> tuple[datetime, str]:
    return (group.rated_at or datetime.min.replace(tzinfo=UTC), group.rated_game)


def _after(at: datetime | None, game_id: str) -> Q:
    """The games, in order of play, behind this one; all of them if there is none."""
    # Not “later, or at the same time and”: for that a database reads every game.
    return Q() if at is None else Q(finished_at__gte=at) & ~Q(finished_at=at, pk__lte=game_id)


def _rewind(group: Group, at: datetime | None, game_id: str) -> None:
    """Reset the ratings to before this game; it and all later games are rated again."""
    seats = Seat.objects.filter(player__group=group, counted_at__isnull=False)
    later = Q(counted_at__gte=at) & ~Q(counted_at=at, game_id__lt=game_id)
    last_before = seats.filter(~later, player=OuterRef("pk")).order_by("-counted_at", "-game_id")
    stints = Stint.objects.filter(player__group=group, counted_at__isnull=False)
    changed = Q(seats__in=seats.filter(later)) | Q(seats__game_id=game_id)
    changed |= Q(stints__in=stints.filter(later)) | Q(stints__game_id=game_id)
    players = list(
        Player.objects.filter(changed, group=group)
        .annotate(form_before=Subquery(last_before.values("form")[:1]))
        .distinct()
    )
    for player in players:
        player.form = player.form_before or {}
    for stint in stints.filter(~later, player__in=players).order_by("counted_at", "game_id"):
        # Few players have any.  The later of seat and stint is the form before.
        seat = seats.filter(~later, player=stint.player).order_by("-counted_at", "-game_id").first()
        if seat is None or (seat.counted_at, seat.game_id) <= (stint.counted_at, stint.game_id):
            next(player for player in players if player.pk == stint.player_id).form = stint.form or {}
    Player.objects.bulk_update(players, ["form"])
    before = (
        Game.objects.filter(group=group, facts__isnull=False)
        .exclude(pk=game_id)
        .filter(~Q(finished_at=at, pk__gte=game_id), finished_at__lte=at)
        .order_by("-finished_at", "-pk")
        .values_list("finished_at", "pk")
        .first()
    )
    group.rated_at, group.rated_game = before or (None, "")
    group.save(update_fields=["rated_at", "rated_game"])


def unrated(group: Group) -> int:
    """How many counted games the ratings have not seen, counted up to `UNRATED_AT_MOST`."""
    return len(_unrated(group).values_list("pk", flat=True)[:UNRATED_AT_MOST])


def _unrated(group: Group) -> Any:
    counted = Game.objects.filter(group=group, status=Status.FINISHED, facts__isnull=False)
    return counted.filter(_after(group.rated_at, group.rated_game)).order_by("finished_at", "pk")


def catch_up(group: Group, *, most: int | None = None) -> int:
    """Rate the next games in order of play, `RATED_AT_ONCE` or `most`; answers how many.  The group is locked."""
    waiting = list(_unrated(group).only("finished_at", "facts")[: most or RATED_AT_ONCE])
    if not waiting:
        return 0
    seats: dict[str, list[Seat | Stint]] = {game.pk: [] for game in waiting}
    for seat in Seat.objects.filter(game__in=waiting).order_by("number"):
        seats[seat.game_id].append(seat)
    for stint in Stint.objects.filter(game__in=waiting).order_by("order"):
        seats[stint.game_id].append(stint)
    _rate_in_order(group, [(game, GameFacts.from_json(game.facts), seats[game.pk]) for game in waiting])
    rated = [seat for each in seats.values() for seat in each]
    Seat.objects.bulk_update([seat for seat in rated if isinstance(seat, Seat)], ["form"], batch_size=200)
    Stint.objects.bulk_update([stint for stint in rated if isinstance(stint, Stint)], ["form"], batch_size=200)
    return len(waiting)


def _rate_in_order(group: Group, games: Sequence[NewGame]) -> None:
    """Rate the games that follow the last rated one; the participants get their forms and are not stored."""
    known = {each.player_id for _game, _facts, participants in games for each in participants}
    players = Player.objects.in_bulk(known - {None})
    forms = {pk: form_of(player) for pk, player in players.items()}
    for _game, facts, participants in games:
        _rate(facts, participants, forms)
    for pk, player in players.items():
        player.form = forms[pk].to_json()
    Player.objects.bulk_update(players.values(), ["form"])
    last, _facts, _participants = games[-1]
    group.rated_at, group.rated_game = _place_in_order(last)
    group.save(update_fields=["rated_at", "rated_game"])


def _rate(facts: GameFacts, participants: Sequence[Seat | Stint], forms: dict[str, Form]) -> None:
    before = [forms.get(each.player_id or "", ratings.start()) for each in participants]
    people = [each.player_id or who for who, each in enumerate(participants)]
    same = [people.index(person) for person in people]
    after = ratings.after(facts, before, same)
    for who, (each, form) in reversed([*enumerate(zip(participants, after, strict=True))]):
        each.form = form.to_json()
        # Who left a seat and sits in another one: the seat says how the game went.
        if each.player_id is not None:
            forms[each.player_id] = after[same[who]]


def form_of(player: Player) -> Form:
    """What the ratings say of a player at present."""
    return Form.from_json(player.form) if player.form else ratings.start()


# --- merging players, recounting ---


def unite(group: Group, player: Player, into: Player, games: Sequence[Game]) -> None:
    """Move a player's games, `games`, to another player.  The two never shared a table."""
    into.figures = figures.added(into.figures, player.figures)
    Seat.objects.filter(player=player).update(player=into)
    Stint.objects.filter(player=player).update(player=into)
    for pair in Pair.objects.filter(Q(one=player) | Q(other=player)):
        third = pair.other_id if pair.one_id == player.pk else pair.one_id
        if third != into.pk:
            _keep_pairs({(min(into.pk, third), max(into.pk, third)): pair.figures}, figures.added)
        pair.delete()
    periods.unite(group, player.pk, into.pk)
    player.figures, player.form, player.merged_into = {}, {}, into
    # Players that were merged into this one now point to the same player.
    Player.objects.filter(merged_into=player).update(merged_into=into)
    Player.objects.bulk_update([player, into], ["figures", "form", "merged_into"])
    note_change(group, games)
    counted = sorted((game.finished_at, game.pk) for game in games if game.facts is not None)
    if counted and counted[0] <= _rated_until(group):
        _rewind(group, *counted[0])
    catch_up(group)


def recount(group: Group, games: Iterator[tuple[Game, Replay]]) -> None:
    """Recount a group from the logs of its games."""
    group.figures, group.counted_by = {}, VERSION
    group.rated_at, group.rated_game = None, ""
    group.save(update_fields=["figures", "counted_by", "rated_at", "rated_game"])
    Player.objects.filter(group=group).update(figures={}, form={})
    Pair.objects.filter(one__group=group).delete()
    PeriodFigures.objects.filter(group=group).delete()
    for kind in (Seat, Stint):
        kind._default_manager.filter(game__group=group).update(counted_at=None, form=None)
    Game.objects.filter(group=group).update(facts=None)
    counted: list[Counted] = []
    for game, replay in games:
        facts = GameFacts.of(replay, minutes=game.minutes) if game.status == Status.FINISHED else None
        _mark(game, facts)
        counted += [] if facts is None else [(facts, _participants(game), game.finished_at)]
        if len(counted) == ADDED_AT_ONCE:
            _add(group, counted, figures.added)
            counted = []
    _add(group, counted, figures.added)
    while catch_up(group):
        pass


def summary(group: Group) -> dict[str, object]:
    """What is counted of a group at present, to be compared; the ratings once they have seen every game."""
    while catch_up(group):
        pass
    players = Player.objects.filter(group=group).order_by("pk")
    pairs = Pair.objects.filter(one__group=group).exclude(figures={}).order_by("one", "other")
    return {
        "group": Group.objects.values_list("figures", flat=True).get(pk=group.pk),
        "players": list(players.values_list("pk", "figures", "form")),
        "pairs": list(pairs.values_list("one", "other", "figures")),
        "periods": periods.kept_of(group),
    }
