"""Who may see or do what: keys, sessions, invitations.

Knows: how a secret is made, hashed, found and taken back; who joins with what.  Must not know: what is done with the
right.  Secrets are answered once, when they are made; only hashes are stored, compared by the database's index, which
betrays nothing of a 256-bit secret's hash.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase, UpdateError
from django.utils import timezone
from django.utils.translation import gettext

from games import turns
from games.errors import Forbidden, InviteNotValid, NotAuthenticated, NotFound, TooManyRequests
from games.models import CROCKFORD, FailedJoin, Game, Invite, JoinGate, Key, Role
from games.rules.text import clean_line

INVITE_LASTS = timedelta(hours=12)
CODE_LENGTH = 8
SESSION_KEYS = "keys"
SESSION_BROWSER = "browser"
OLD_SESSION_LASTS = timedelta(hours=1)

FAILURES_OF_AN_ADDRESS = (10, timedelta(minutes=10))
FAILURES_OF_ALL = (60, timedelta(minutes=1))


# --- keys ---


def issue_key(*, game: Game, role: Role, label: str) -> tuple[str, Key]:
    """A key for a program: its secret (256 bits, shown this once) and what is stored of it."""
    secret = secrets.token_urlsafe(32)
    return secret, Key.objects.create(game=game, role=role, label=label, secret_hash=_hash(secret))


def issue_browser_key(*, game: Game, role: Role, label: str) -> Key:
    """A key for a browser: the session that names it is its secret."""
    label = clean_line(label)[:60]
    if not label:
        number = 1 + Key.objects.filter(game=game, secret_hash=None).count()
        label = gettext("Phone {number}").format(number=number)
    return Key.objects.create(game=game, role=role, label=label)


def creator_of(game: Game) -> Key | None:
    """The key of the browser that opened a game, None if it was taken back."""
    first = Key.objects.filter(game=game, secret_hash=None).order_by("pk").first()
    return first if first is not None and first.revoked_at is None else None


def key_of_secret(secret: str) -> Key:
    """The key that a program shows.

    Errors: `NotAuthenticated`.
    """
    key = Key.objects.filter(secret_hash=_hash(secret), revoked_at=None).select_related("game").first()
    if key is None:
        raise NotAuthenticated()
    return key


def require_game(key: Key, game_id: str) -> Game:
    """The game of a key, if it is the one asked for.

    Errors: `NotFound`: what the bearer may not see does not exist for him.
    """
    if key.game_id != game_id:
        raise NotFound()
    return key.game


def require_scorekeeper(key: Key) -> None:
    """Refuse whoever may only look.

    Errors: `Forbidden`.
    """
    if not key.may_record:
        raise Forbidden()


def rename(key: Key, label: str) -> None:
    """Say whose phone bears a key."""
    cleaned = clean_line(label)[:60]
    if cleaned:
        key.label = cleaned
        key.save(update_fields=["label"])


def revoke(key: Key) -> None:
    """Take a key back."""
    key.revoked_at = timezone.now()
    key.save(update_fields=["revoked_at"])


# --- browsers ---


def remember(session: SessionBase, key: Key) -> None:
    """Let a browser bear a key from now on; the session gets a new name, so that an old one is worth nothing."""
    _bear(session, key)
    session.cycle_key()


def remember_made(session: SessionBase, key: Key) -> None:
    """Let a browser bear the key of a table that it has opened itself.

    The session gets a new name here too, but under its old one it stays for a while as it was, without the new key: the
    second of two taps still comes with the old name, and must not come from somebody without any table.
    """
    if session.get(SESSION_KEYS, {}).get(key.game_id) == key.pk:
        return
    old_name, old = session.session_key, dict(session.items())
    _bear(session, key)
    # What goes on may itself be a session that was only left for a while.
    session.set_expiry(None)
    session.create()
    if old_name and old:
        left = type(session)(old_name)
        left.update(old)
        left.set_expiry(OLD_SESSION_LASTS)
        # Gone meanwhile, it need not be left.
        with suppress(UpdateError):
            left.save()


def _bear(session: SessionBase, key: Key) -> None:
    held = dict(session.get(SESSION_KEYS, {}))
    held[key.game_id] = key.pk
    session[SESSION_KEYS] = held
    # With the key, so that opening the form of a new table later writes nothing.
    browser_of(session)


def browser_of(session: SessionBase) -> str:
    """The mark of a browser, the same whatever its session is called; made when it is first asked for."""
    if SESSION_BROWSER not in session:
        session[SESSION_BROWSER] = secrets.token_hex(16)
    return str(session[SESSION_BROWSER])


def known_browser(session: SessionBase) -> str | None:
    """The mark of a browser that has one."""
    return session.get(SESSION_BROWSER)


def forget(session: SessionBase, game_id: str) -> None:
    """Take a table off a browser's list."""
    held = dict(session.get(SESSION_KEYS, {}))
    held.pop(game_id, None)
    session[SESSION_KEYS] = held


def key_of_session(session: SessionBase, game_id: str) -> Key:
    """The key that a browser bears for a game.

    Errors: `NotFound`.
    """
    held = session.get(SESSION_KEYS, {}).get(game_id)
    key = Key.objects.filter(pk=held, game_id=game_id, revoked_at=None).select_related("game").first() if held else None
    if key is None:
        raise NotFound()
    return key


def key_ids(session: SessionBase) -> list[int]:
    """The keys that a browser bears, the latest last."""
    return list(session.get(SESSION_KEYS, {}).values())


# --- invitations ---


@dataclass(frozen=True)
class Invitation:
    """A new invitation with its two secrets, which are shown this once."""

    invite: Invite
    token: str
    code: str


def invite(*, game: Game, role: Role) -> Invitation:
    """A way into a table: a link of 128 bits and a code of 8 signs, for 12 hours."""
    now = timezone.now()
    Invite.objects.filter(game=game, expires_at__lt=now).delete()
    token = secrets.token_urlsafe(16)
    code = "".join(secrets.choice(CROCKFORD) for _ in range(CODE_LENGTH))
    made = Invite.objects.create(
        game=game, role=role, token_hash=_hash(token), code_hash=_hash_code(code), expires_at=now + INVITE_LASTS
    )
    return Invitation(made, token, f"{code[:4]}-{code[4:]}")


def find_invite(*, address: str, token: str = "", code: str = "") -> Invite:
    """The invitation that a link or a typed code stands for; joining with it is `join`.

    Errors: `InviteNotValid` (counted), `TooManyRequests` after too many wrong ones.
    """
    with turns.in_turn():
        # One after the other: who guesses many times at once would otherwise be counted too late.
        JoinGate.objects.select_for_update().get_or_create(pk=1)
        now = timezone.now()
        _refuse_guessing(address, now)
        found = Invite.objects.filter(expires_at__gt=now).select_related("game")
        match = found.filter(token_hash=_hash(token)) if token else found.filter(code_hash=_hash_code(code))
        invite = match.first()
        if invite is None:
            FailedJoin.objects.create(address_hash=_hash_address(address), at=now)
    # Refused outside, so that the failure stays counted.
    if invite is None:
        raise InviteNotValid()
    return invite


def join(*, session: SessionBase, invite: Invite, label: str) -> Key:
    """Let a browser in.  One that already may record keeps its key; a viewer who is invited to record gets more.

    Errors: `InviteNotValid` if the game was deleted meanwhile.
    """
    with turns.in_turn():
        game = _game_of(invite)
        held = session.get(SESSION_KEYS, {}).get(game.pk)
        key = Key.objects.filter(pk=held, game=game, revoked_at=None).first() if held else None
        if key is None or (invite.role == Role.SCOREKEEPER and not key.may_record):
            key = issue_browser_key(game=game, role=Role(invite.role), label=label)
        remember(session, key)
    return key


def join_program(*, invite: Invite, label: str) -> tuple[str, Key]:
    """Let a program in: the secret of its new key, shown this once, and the key.

    Errors: `InviteNotValid` if the game was deleted meanwhile.
    """
    with turns.in_turn():
        game = _game_of(invite)
        return issue_key(game=game, role=Role(invite.role), label=clean_line(label)[:60] or f"API {invite.role}")


def _game_of(invite: Invite) -> Game:
    # Locked, so that it cannot be deleted before whoever joins has his key.
    game = Game.objects.select_for_update().filter(pk=invite.game_id).first()
    if game is None:
        raise InviteNotValid()
    return game


def _refuse_guessing(address: str, now: datetime) -> None:
    FailedJoin.objects.filter(at__lt=now - FAILURES_OF_AN_ADDRESS[1]).delete()
    most, window = FAILURES_OF_ALL
    if FailedJoin.objects.filter(at__gt=now - window).count() >= most:
        raise TooManyRequests(minutes=1)
    most, window = FAILURES_OF_AN_ADDRESS
    if FailedJoin.objects.filter(at__gt=now - window, address_hash=_hash_address(address)).count() >= most:
        raise TooManyRequests(minutes=10)


# --- hashes ---


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def creation_id(*parts: str) -> str:
    """What a request to open a game is known by: worth nothing to whoever reads it."""
    return _keyed("creation", "\n".join(parts))


def _hash_code(code: str) -> str:
    """A code is short: only the server's key makes its hash worth anything.  Read as people write it."""
    read = code.upper().replace("O", "0").replace("I", "1").replace("L", "1")
    plain = "".join(sign for sign in read if sign in CROCKFORD)
    return _keyed("code", plain)


def _hash_address(address: str) -> str:
    return _keyed("address", address)


def _keyed(purpose: str, text: str) -> str:
    return hmac.new(settings.SECRET_KEY.encode(), f"{purpose}:{text}".encode(), hashlib.sha256).hexdigest()
