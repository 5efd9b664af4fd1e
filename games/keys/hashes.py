"""Hashes of secrets: what the database stores instead of a key, a link, a code or an address.

A secret of 256 or 128 random bits needs no salt.  Codes and addresses can be guessed, and the positions of bots are
known, so their hashes are keyed with the server's secret key.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json

from django.conf import settings

from games.keys.addresses import home_network
from games.models import CROCKFORD


def hash_of(secret: str) -> str:
    """The hash of a key's secret or of a link's token."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def hash_of_code(code: str) -> str:
    """The hash of a typed code.  Spaces, dashes, lower case and look-alike letters make no difference."""
    read = code.upper().replace("O", "0").replace("I", "1").replace("L", "1")
    return _keyed("code", "".join(character for character in read if character in CROCKFORD))


def hash_of_address(address: str) -> str:
    """The hash of a client's address; all addresses of one IPv6 network of a home (/64) have the same."""
    return _keyed("address", home_network(address))


def creation_id(*parts: str) -> str:
    """The stored id of a request that creates a game; it reveals nothing about the browser that sent it."""
    return _keyed("creation", "\n".join(parts))


def secret_of_request(*parts: str) -> str:
    """A secret of 256 bits that belongs to a request: the same parts give the same one, on this server only."""
    return _encoded(_keyed("secret", json.dumps(parts)))


def code_of_request(secret: str) -> str:
    """The longest code that belongs to a secret of a request; a shorter one is its beginning."""
    digest = bytes.fromhex(_keyed("code of request", secret))
    return "".join(CROCKFORD[each % len(CROCKFORD)] for each in digest)


def id_of_request(*parts: str) -> str:
    """The id of a row that a request creates, as `games.models.new_game_id` gives them: the same parts, the same id."""
    return code_of_request("\n".join(parts))[:12].lower()


def number_of_request(*parts: str) -> int:
    """The same as a number that JSON can hold, where ids are numbers."""
    return int(_keyed("number", "\n".join(parts))[:13], 16)


def secret_of_feed(secret_hash: str) -> str:
    """What opens the feed of a program's key: of 256 bits, and another one once the key has another secret."""
    return _encoded(_keyed("feed", secret_hash))


def bot_seed(game_id: str, version: int, seat: int) -> int:
    """The seed of a bot's chance at a version of a game: the same after a restart, unknown to the other players."""
    return int(_keyed("bot", f"{game_id} {version} {seat}")[:16], 16)


def _encoded(digest: str) -> str:
    return base64.urlsafe_b64encode(bytes.fromhex(digest)).decode().rstrip("=")


def _keyed(purpose: str, text: str) -> str:
    return hmac.new(settings.SECRET_KEY.encode(), f"{purpose}:{text}".encode(), hashlib.sha256).hexdigest()
