"""The database: tables, columns, constraints.

A game is its log.  Columns with results are copies for lists and statistics; `check_logs` compares them with the log.

A foreign key has no index of its own where another index begins with its column.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, NoReturn

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

IN_BIN = Q(revoked_at=F("game__deleted_at"))
GROUP_IN_BIN = Q(revoked_at=F("group__deleted_at"))
"""The conditions of keys of a game or a group in the bin that were valid until then."""

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Digits and letters without look-alikes, for codes that people read out."""


def new_game_id() -> str:
    """A random id of 60 bits for addresses.  It gives no access, which needs a key."""
    return "".join(secrets.choice(CROCKFORD.lower()) for _ in range(12))


class Mode(models.TextChoices):
    TABLE = "table"
    DIGITAL = "digital"


class Status(models.TextChoices):
    PLAYING = "playing"
    FINISHED = "finished"


class Role(models.TextChoices):
    SCOREKEEPER = "scorekeeper"
    VIEWER = "viewer"
    SEAT = "seat"


class Speed(models.TextChoices):
    """How long the bots of a table pause."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"
    INSTANT = "instant"


TABLE_ROLES = (Role.SCOREKEEPER, Role.VIEWER)
"""The roles of every game.  In a digital game the scorekeeper is the host, and each seat has keys of its own."""


class Lost(models.TextChoices):
    """Why a key of a seat was revoked.  Only a seat that was claimed is taken back with one tap."""

    CLAIMED = "claimed"
    FREED = "freed"
    REVOKED = "revoked"


class GroupRole(models.TextChoices):
    OWNER = "owner"
    MEMBER = "member"
    VIEWER = "viewer"


class Group(models.Model):
    """People who play together, and the totals of their finished games.

    `changes` is the number of the last change of a result, so that consumers can ask for the changes since.  A change
    locks the group, so the numbers follow commit order.  `figures` are sums over the counted games, `counted_by` the
    version of the statistics that counted them.  `rated_at` and `rated_game` are the last rated game, in order of play.
    `creation_id`, `deleted_at`, `deleted_by`, `swept_at`: as for a game.  A group in the bin keeps its games, so that
    its figures stay right, and no key of it is valid.
    """

    id = models.CharField(primary_key=True, max_length=12, default=new_game_id, editable=False)
    name = models.CharField(max_length=60)
    created_at = models.DateTimeField(default=timezone.now)
    changes = models.PositiveBigIntegerField(default=0)
    figures = models.JSONField(default=dict)
    counted_by = models.PositiveSmallIntegerField(default=1)
    rated_at = models.DateTimeField(null=True)
    rated_game = models.CharField(max_length=12, default="", blank=True)
    creation_id = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 (a program's may have none)
    deleted_at = models.DateTimeField(null=True)
    deleted_by = models.ForeignKey("GroupKey", null=True, on_delete=models.SET_NULL, related_name="+")
    swept_at = models.DateTimeField(null=True)

    class Meta:
        indexes = (models.Index(fields=("deleted_at",), name="group_bin", condition=Q(deleted_at__isnull=False)),)

    def __str__(self) -> str:
        return self.name


class Player(models.Model):
    """A person of a group, across its games.

    `name_key` is the name for comparisons; a merged player may have none.  `form` is the state of the ratings.
    `repeated`: as for a key.
    """

    id = models.CharField(primary_key=True, max_length=12, default=new_game_id, editable=False)
    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="players", db_index=False)
    name = models.CharField(max_length=40)
    name_key = models.CharField(max_length=160, null=True)  # noqa: DJ001 (unique, so no second empty value)
    token = models.CharField(max_length=16, default="", blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    merged_into = models.ForeignKey("self", null=True, on_delete=models.CASCADE, related_name="merged")
    erased_at = models.DateTimeField(null=True)
    figures = models.JSONField(default=dict)
    form = models.JSONField(default=dict)

    repeated: bool = False

    class Meta:
        ordering = ("name", "pk")
        constraints = (models.UniqueConstraint(fields=("group", "name_key"), name="player_name_once"),)

    def __str__(self) -> str:
        return self.name


class Pair(models.Model):
    """Two players of a group who sat at one table, each pair once: the smaller id first."""

    one = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    other = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    figures = models.JSONField(default=dict)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("one", "other"), name="pair_once"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="pair_in_order"),
        )

    def __str__(self) -> str:
        return f"{self.one_id} {self.other_id}"


class PeriodFigures(models.Model):
    """What the games of a period by one preset with one number of players add up to (`games.groups.periods`).

    `owner`: a player's id, those of a pair, or empty for the group.  `period`: “d2026-03-17”, “m2026-03”, “y2026”, or
    empty for all time.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="+", db_index=False)
    owner = models.CharField(max_length=25, blank=True)
    period = models.CharField(max_length=11, blank=True)
    preset = models.CharField(max_length=32)
    players = models.PositiveSmallIntegerField()
    figures = models.JSONField(default=dict)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("group", "owner", "period", "preset", "players"), name="period_figures_once"
            ),
        )

    def __str__(self) -> str:
        return " ".join(map(str, self.key))

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What identifies it in its group."""
        return self.owner, self.period, self.preset, self.players


class Season(models.Model):
    """A period of a group with a name: from the day `since` to the day `until`, both in it; None: it goes on.

    `repeated`: as for a key.
    """

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="seasons", db_index=False)
    name = models.CharField(max_length=40)
    since = models.DateField()
    until = models.DateField(null=True)

    repeated: bool = False

    class Meta:
        ordering = ("-since", "-pk")
        constraints = (
            models.UniqueConstraint(fields=("group", "name"), name="season_name_once"),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gte=F("since")), name="season_ends_after_it_begins"
            ),
        )

    def __str__(self) -> str:
        return self.name


class AbstractKey(models.Model):
    """A permission for one device or program.  A browser's key has no secret: the session names it.

    `label`: whose device it is.  `secret`: a program's secret, known only while the key is issued or renewed.
    `repeated`: it was issued by an earlier request that is sent again.
    """

    secret_hash = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 (no second empty value)
    label = models.CharField(max_length=60)
    created_at = models.DateTimeField(default=timezone.now)
    revoked_at = models.DateTimeField(null=True)

    secret: str = ""
    repeated: bool = False

    class Meta:
        abstract = True

    @property
    def is_program(self) -> bool:
        """Whether a program holds it; else a browser does."""
        return self.secret_hash is not None


class AbstractInvite(models.Model):
    """An invitation by link or code.  Both are stored as hashes only.

    `uses`: how many keys were issued by it.  `single_use`: it ends with the first; an invitation to a seat always does.
    `used_by`: the browser and form that used it last, as a keyed hash; the `key` that they got.
    """

    token_hash = models.CharField(max_length=64, unique=True)
    code_hash = models.CharField(max_length=64, unique=True)
    uses = models.PositiveIntegerField(default=0)
    single_use = models.BooleanField(default=False)
    used_by = models.CharField(max_length=64, default="", blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()

    class Meta:
        abstract = True


class GroupKey(AbstractKey):
    """What its holder may do in one group."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="keys")
    role = models.CharField(max_length=16, choices=GroupRole.choices)

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(role__in=GroupRole.values), name="group_key_role_known"),)

    def __str__(self) -> str:
        return f"{self.label} ({self.role})"

    @property
    def may_play(self) -> bool:
        """Whether the key holder may open tables in the group and manage its players."""
        return self.role in (GroupRole.OWNER, GroupRole.MEMBER)

    @property
    def owns(self) -> bool:
        """Whether the key holder may issue and revoke keys."""
        return self.role == GroupRole.OWNER


class Game(models.Model):
    """A game.  `setup` is the set-up at its beginning; `version` is the seq of the last entry.

    In a group: `facts` is what the group's figures count of it (None: nothing), `change` the number of its last change.
    `minutes`, `place`, `note`: how long it took (stated, or by its entries without pauses; None: unknown), where it was
    played, and what is noted of it.  `created_at` and `finished_at` are when it was played, if that was stated.
    `source` is the origin that an imported game's document names.  `next`: the game that the phones of this one go on
    to: its first rematch, or the first table that one of them opened in the group on the same evening.  `deals_of`: the
    digital game whose deals are repeated; `from_step`: the step of its replay that this one plays on from.
    `asks_confirmation`: the phones ask both teams to confirm each round.
    `hides_markers`: the board does not show whose marker is whose.  `speed`: that of its bots.

    `deleted_at`: since when it lies in the bin, where it has no valid key, no group, and no link to another game:
    nothing leads to it.  `deleted_by`: whose phone put it there (None: an owner of its group).  `deleted_from`: its
    group; `links`: what else it had.  `swept_at`: the clock of the first sweep that saw it there.
    """

    id = models.CharField(primary_key=True, max_length=12, default=new_game_id, editable=False)
    mode = models.CharField(max_length=8, choices=Mode.choices)
    preset = models.CharField(max_length=32)
    setup = models.JSONField()
    rules_version = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.PLAYING)
    rounds_played = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)
    locked_at = models.DateTimeField(null=True)
    rematch_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="rematches")
    next = models.OneToOneField("self", null=True, on_delete=models.SET_NULL, related_name="previous")
    deals_of = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="+")
    from_step = models.PositiveIntegerField(null=True)
    players = models.PositiveSmallIntegerField(default=0)
    group = models.ForeignKey(Group, null=True, on_delete=models.SET_NULL, related_name="games", db_index=False)
    facts = models.JSONField(null=True)
    change = models.PositiveBigIntegerField(null=True)
    source = models.JSONField(null=True)
    # A keyed hash of the form or request that created the game: sent twice, even in parallel, it creates one.
    creation_id = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 (a program's may have none)
    asks_confirmation = models.BooleanField(default=False)
    hides_markers = models.BooleanField(default=False)
    speed = models.CharField(max_length=8, choices=Speed.choices, default=Speed.NORMAL)
    minutes = models.PositiveIntegerField(null=True)
    place = models.CharField(max_length=60, default="", blank=True)
    note = models.CharField(max_length=500, default="", blank=True)
    in_seasons: Sequence[Season] = ()

    deleted_at = models.DateTimeField(null=True)
    deleted_by = models.ForeignKey("Key", null=True, on_delete=models.SET_NULL, related_name="+")
    deleted_from = models.ForeignKey(Group, null=True, on_delete=models.SET_NULL, related_name="+")
    links = models.JSONField(null=True)
    swept_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(status__in=Status.values), name="game_status_known"),
            models.CheckConstraint(condition=Q(mode__in=Mode.values), name="game_mode_known"),
            models.CheckConstraint(condition=Q(speed__in=Speed.values), name="game_speed_known"),
            models.CheckConstraint(
                condition=Q(locked_at__isnull=True) | Q(status=Status.FINISHED), name="game_locked_is_finished"
            ),
            models.UniqueConstraint(fields=("group", "change"), name="game_change_once"),
            models.CheckConstraint(
                condition=Q(deleted_at__isnull=True) | Q(group__isnull=True), name="game_deleted_has_no_group"
            ),
        )
        # So that a group's history, newest first, whole or filtered, reads only the rows that it shows.
        indexes = (
            models.Index(fields=("group", "status", "-finished_at", "-id"), name="game_history"),
            models.Index(fields=("group", "preset", "status", "-finished_at", "-id"), name="game_history_preset"),
            models.Index(fields=("group", "players", "status", "-finished_at", "-id"), name="game_history_players"),
            models.Index(fields=("group", "-created_at"), name="game_latest_in_group"),
            # Few games of a group are running.
            models.Index(fields=("group", "-created_at"), name="game_running", condition=Q(status=Status.PLAYING)),
            models.Index(fields=("deleted_at",), name="game_bin", condition=Q(deleted_at__isnull=False)),
        )

    def __str__(self) -> str:
        return self.id

    @property
    def present_group(self) -> Group | None:
        """Its group (in the bin: the one that it was deleted from), unless that itself lies in the bin."""
        group = self.group or self.deleted_from
        return None if group is None or group.deleted_at is not None else group


class Seat(models.Model):
    """A player of a game, with a copy of the result.

    `bot`: the level of the bot that had the seat from the beginning, or sat down for no one.  In a group: the `player`,
    when the game ended (None: it is not counted), and the player's form after it.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    token = models.CharField(max_length=16)
    total = models.IntegerField(default=0)
    rank = models.PositiveSmallIntegerField(default=1)
    is_winner = models.BooleanField(default=False)
    player = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="seats", db_index=False)
    bot = models.CharField(max_length=8, default="", blank=True)
    counted_at = models.DateTimeField(null=True)
    form = models.JSONField(null=True)

    class Meta:
        ordering = ("game", "number")
        constraints = (
            models.UniqueConstraint(fields=("game", "number"), name="seat_once"),
            models.UniqueConstraint(fields=("game", "player"), name="seat_player_once"),
        )
        indexes = (models.Index(fields=("player", "-counted_at", "-game"), name="seat_history"),)

    def __str__(self) -> str:
        return self.name

    @property
    def present_name(self) -> str:
        """What the player is called now; without a group, the name on the sheet."""
        return self.name if self.player is None else self.player.name


class Stint(models.Model):
    """A player of a game whose seat somebody else has taken over, as the set-up says; `until`: their last round.

    `order`: their place among the stints of the game.  `player`, `counted_at`, `form`: as for a seat.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="stints", db_index=False)
    order = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)
    until = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, null=True, on_delete=models.SET_NULL, related_name="stints")
    counted_at = models.DateTimeField(null=True)
    form = models.JSONField(null=True)

    class Meta:
        ordering = ("game", "order")
        constraints = (models.UniqueConstraint(fields=("game", "order"), name="stint_once"),)

    def __str__(self) -> str:
        return self.name


class Key(AbstractKey):
    """What its holder may do in one game.

    `seat`: the seat that the key holder sees and plays, with `Role.SEAT`.  `through`: the group key by which the holder
    came in; both are revoked together.  `follows`: the key of an earlier game by which a phone went on to this one.
    `at_opening`: issued when the game was created.  `lost`: why a seat's key was revoked, and `lost_at` the version of
    the game at that time.  `seen`: the last change of a seat's holder, by its entry, that the key holder has
    acknowledged.  `ready`: the version up to which bots need not pause for a seat's holder.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="keys")
    role = models.CharField(max_length=16, choices=Role.choices)
    seat = models.PositiveSmallIntegerField(null=True)
    at_opening = models.BooleanField(default=False)
    lost = models.CharField(max_length=8, choices=Lost.choices, default="", blank=True)
    lost_at = models.PositiveIntegerField(null=True)
    seen = models.PositiveIntegerField(default=0)
    ready = models.PositiveIntegerField(default=0)
    through = models.ForeignKey(GroupKey, null=True, on_delete=models.SET_NULL, related_name="opened")
    follows = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="followed_by")

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(role__in=Role.values), name="key_role_known"),
            models.CheckConstraint(
                condition=Q(role=Role.SEAT, seat__isnull=False) | (~Q(role=Role.SEAT) & Q(seat__isnull=True)),
                name="key_seat_of_role",
            ),
        )

    def __str__(self) -> str:
        return f"{self.label} ({self.role})"

    @property
    def may_record(self) -> bool:
        """Whether the key holder may change the game."""
        return self.role == Role.SCOREKEEPER


class AppendOnly(models.QuerySet["LogEntry"]):
    """Entries are added, never changed; they are deleted only together with their game."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise TypeError("the log is append-only")

    def delete(self) -> NoReturn:
        raise TypeError("the log is append-only")


class LogEntry(models.Model):
    """One entry of a game's log.  `kind` names the shape of `payload`.  Only `games.log.store` reads and writes it."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+", db_index=False)
    seq = models.PositiveIntegerField()
    kind = models.CharField(max_length=16)
    payload = models.JSONField()
    seat = models.PositiveSmallIntegerField(null=True)
    actor = models.ForeignKey(Key, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    request_id = models.CharField(max_length=64, null=True)  # noqa: DJ001 (an entry without a request has none)
    request_hash = models.CharField(max_length=64, null=True)  # noqa: DJ001 (the same)

    objects = AppendOnly.as_manager()

    class Meta:
        ordering = ("game", "seq")
        constraints = (
            models.UniqueConstraint(fields=("game", "seq"), name="entry_seq_once"),
            models.UniqueConstraint(
                fields=("game", "actor", "request_id"),
                name="entry_request_once",
                condition=Q(request_id__isnull=False),
            ),
            models.CheckConstraint(condition=Q(seq__gte=1), name="entry_seq_from_1"),
        )

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"


class Analysis(models.Model):
    """What the decisions of a seat in a finished digital game were worth, or as much of it as is computed yet.

    `version`: the last entry that the game depends on.  `done`: how many judgements `result` has.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="analyses", db_index=False)
    seat = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    result = models.JSONField(default=dict)
    computed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "seat"), name="analysis_once"),)

    def __str__(self) -> str:
        return f"{self.game_id} {self.seat}"


class Invite(AbstractInvite):
    """An invitation to a game, a new one each time that it is shown.  It ends with the key of its `maker`."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="invites")
    role = models.CharField(max_length=16, choices=Role.choices)
    seat = models.PositiveSmallIntegerField(null=True)
    maker = models.ForeignKey(Key, null=True, on_delete=models.CASCADE, related_name="+")
    key = models.ForeignKey(Key, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = (models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="invite_expires"),)

    def __str__(self) -> str:
        return f"{self.role} of {self.game_id}"


class GroupInvite(AbstractInvite):
    """An invitation to a group."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="invites")
    role = models.CharField(max_length=16, choices=GroupRole.choices)
    maker = models.ForeignKey(GroupKey, null=True, on_delete=models.CASCADE, related_name="+")
    key = models.ForeignKey(GroupKey, null=True, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="group_invite_expires"),
        )

    def __str__(self) -> str:
        return f"{self.role} of {self.group_id}"


class LostResult(models.Model):
    """A finished game that was deleted or removed from its group: a change for consumers of the group's results."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="+", db_index=False)
    game_id = models.CharField(max_length=12)
    change = models.PositiveBigIntegerField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("group", "change"), name="lost_change_once"),)

    def __str__(self) -> str:
        return self.game_id


class LimitGate(models.Model):
    """One row that every attempt under a limit locks, so that the attempts before it are counted."""

    def __str__(self) -> str:
        return "the gate"


class Purpose(models.TextChoices):
    """What is limited for each address."""

    CODE = "code"
    CREATE = "create"
    IMPORT = "import"
    FOUND = "found"


class Attempt(models.Model):
    """A use of what is limited: a mistyped code, a new game without a key.  The address is stored as a keyed hash."""

    purpose = models.CharField(max_length=8, choices=Purpose.choices, default=Purpose.CODE)
    address_hash = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = (models.Index(fields=("purpose", "at", "address_hash"), name="attempt_window"),)

    def __str__(self) -> str:
        return f"{self.purpose} {self.at}"


def new_epoch() -> str:
    """A random name of the database's history."""
    return secrets.token_hex(8)


class Installation(models.Model):
    """One row about this database.

    `epoch`: changes when the database is restored, so that a version seen before says nothing.  `clock`: a time that
    the daily sweep trusts: it advances by a few days at most for each sweep, independently of the system's clock; None
    before the first one.
    """

    epoch = models.CharField(max_length=16, default=new_epoch)
    clock = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.epoch
