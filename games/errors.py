"""The refusals of the application around the rules (`design.md` section 4).

Knows: codes, sentences and the HTTP status of everything that is refused, the rules' refusals included.  Must not know:
how a refusal is rendered.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, ClassVar

from django.db import OperationalError
from django.utils.translation import gettext_noop

from games.rules.errors import Malformed, NameMissing, NjetError, WrongType

if TYPE_CHECKING:
    from games.log.store import Ledger


class ApplicationError(NjetError):
    """The root of the refusals that the rules know nothing of."""

    status: ClassVar[int]


class NotAuthenticated(ApplicationError):
    """No key, or one that opens nothing."""

    code = "not_authenticated"
    status = 401
    template = gettext_noop("This needs a key: none was sent, or it is not valid.")


class Forbidden(ApplicationError):
    """A key of the game that may not do this."""

    code = "forbidden"
    status = 403
    template = gettext_noop("This key may not do that: only a scorekeeper can.")


class MembersOnly(Forbidden):
    """Viewers of a group look."""

    template = gettext_noop("This key may only look: a member of the group can do that.")


class OwnersOnly(Forbidden):
    """Keys are given and taken by owners."""

    template = gettext_noop("Only an owner of the group can do that.")


class NotFound(ApplicationError):
    """What does not exist, and what the bearer may not know to exist."""

    code = "not_found"
    status = 404
    template = gettext_noop("There is nothing here.")


class StaleVersion(ApplicationError):
    """The game has moved on since the sender looked.  Carries the fresh ledger."""

    code = "stale_version"
    status = 409
    template = gettext_noop("The game has moved on: nothing was recorded. Look again and repeat it.")

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(version=ledger.version)
        self.ledger = ledger


class UndoNotAllowed(ApplicationError):
    """Nothing is left that could be taken back."""

    code = "undo_not_allowed"
    status = 409
    template = gettext_noop("There is nothing to take back.")


class ConfirmedForGood(UndoNotAllowed):
    """What cannot be taken back because the result was confirmed: the same code, but the sentence says why."""

    template = gettext_noop("The result is confirmed and the sheet is locked: nothing can be taken back any more.")


class RequestIdReused(ApplicationError):
    """A request id names one request: another body needs another id."""

    code = "request_id_reused"
    status = 409
    template = gettext_noop("This request id was used for something else.")


class GameLocked(ApplicationError):
    """The result was confirmed: the sheet is closed."""

    code = "game_locked"
    status = 409
    template = gettext_noop("The result is confirmed: this sheet is locked.")


class FinishedForGood(UndoNotAllowed):
    """A digital game that is over has shown its cards."""

    template = gettext_noop("The game is over and the cards are shown: nothing can be taken back any more.")


class NotFinished(ApplicationError):
    """Only a finished game can be confirmed or reopened."""

    code = "not_finished"
    status = 409
    template = gettext_noop("The game is not finished yet.")


class LastScorekeeperKey(ApplicationError):
    """Somebody must be able to go on recording."""

    code = "last_scorekeeper_key"
    status = 409
    template = gettext_noop("This is the last key that may record: without it nobody could change the game.")


class HostOnly(Forbidden):
    """Bots and seats of others are the host's."""

    template = gettext_noop("Only the host of the table can do that.")


class SeatOnly(Forbidden):
    """Who plays bears the key of a seat; the host and spectators do not play."""

    template = gettext_noop("Only whoever sits at the table can do that.")


class SeatTaken(ApplicationError):
    """A free seat is for the first who comes."""

    code = "seat_taken"
    status = 409
    template = gettext_noop("Somebody sits there already. The host of the table can invite you to the seat.")


class BotPlays(ApplicationError):
    """A seat is played by one at a time."""

    code = "bot_plays"
    status = 409
    template = gettext_noop("A bot plays for this seat: take the seat back first.")


class TableOnlyOperation(ApplicationError):
    """Where the app sees the cards nothing is entered wrongly: there is nothing to correct."""

    code = "table_only"
    status = 422
    template = gettext_noop("A digital game is not corrected: the app has seen every card.")


class DealsNotOurs(ApplicationError):
    """Whoever brings a document could have made up its deals."""

    code = "deals_not_ours"
    status = 422
    template = gettext_noop("This game was taken in from elsewhere: its deals are not played again.")


class UnknownProposal(ApplicationError):
    """Only what is still open can be answered."""

    code = "unknown_proposal"
    status = 409
    template = gettext_noop("There is no such request any more: it was decided, or the game has gone on.")


class NotAsked(ApplicationError):
    """Nobody agrees to his own request."""

    code = "not_asked"
    status = 422
    template = gettext_noop("This is your own request: you can only withdraw it.")


class BotsAreDigital(ApplicationError):
    """Bots need cards that the app deals."""

    code = "bots_are_digital"
    status = 422
    template = gettext_noop("Bots play in digital games only.")


class GroupNameMissing(ApplicationError):
    """A group is called something."""

    code = "group_name_missing"
    status = 422
    template = gettext_noop("The group needs a name.")


class PlayerNameMissing(NameMissing):
    """A player of a group is called something: the same code as at a table, but there is no place to count."""

    template = gettext_noop("The player needs a name.")


class PlayerNameTaken(ApplicationError):
    """A name stands for one player of a group, so that an evening's guest is the same the next evening."""

    code = "player_name_taken"
    status = 422
    template = gettext_noop("The group has a player called {name} already. If they are one person, merge the two.")


class PlayerErased(ApplicationError):
    """Whoever was forgotten is not called anything again."""

    code = "player_erased"
    status = 409
    template = gettext_noop("This name was erased: add the person as a new player.")


class SameTable(ApplicationError):
    """Who played at one table with somebody is not that somebody."""

    code = "same_table"
    status = 422
    template = gettext_noop("{name} and {other} sat at one table: they cannot be the same person.")


class AlreadyInGroup(ApplicationError):
    """A game counts in one group."""

    code = "already_in_group"
    status = 409
    template = gettext_noop("This game belongs to a group already.")


class AlreadyImported(ApplicationError):
    """A game counts once: its document brings no second result into a group."""

    code = "already_imported"
    status = 409
    template = gettext_noop("The group has this game already.")


class LastOwnerKey(ApplicationError):
    """Somebody must be able to give and take keys."""

    code = "last_owner_key"
    status = 409
    template = gettext_noop("This is the last key of an owner: without it nobody could look after the group.")


class InviteNotValid(ApplicationError):
    """An invitation works for twelve hours, and only as it was written."""

    code = "invite_not_valid"
    status = 404
    template = gettext_noop("This code or link does not open a table. Codes work for 12 hours: ask for a new one.")


class TooManyRequests(ApplicationError):
    """Guessing codes is made slow."""

    code = "too_many_requests"
    status = 429
    template = gettext_noop("Too many wrong codes. Wait {minutes} minutes and try again.")


class StorageFull(ApplicationError):
    """The disk has no room for what should be written down."""

    code = "storage_full"
    status = 507
    template = gettext_noop("The disk of the server is full: nothing was saved. Make room on it and try again.")


# --- the document of an imported game: it holds what the app could have written, and no more than can be read soon ---


class TooManyEntries(WrongType):
    """An imported log is as long as a long game, and not longer."""

    code = "too_many_entries"
    template = gettext_noop("An imported game has at most {most} entries.")


class TooManyPenalties(WrongType):
    """Every state after a penalty carries it along."""

    code = "too_many_penalties"
    template = gettext_noop("An imported game has at most {most} penalties.")


class TooManyCorrections(WrongType):
    """After every correction the game is played again."""

    code = "too_many_corrections"
    template = gettext_noop("An imported game of {entries} entries has at most {most} corrections.")


class TooManyChanges(WrongType):
    """Every change of a correction is looked up in the whole log."""

    code = "too_many_changes"
    template = gettext_noop("The corrections of an imported game make at most {most} changes.")


class DocumentTooLong(WrongType):
    """What is imported can be exported and imported again."""

    code = "document_too_long"
    template = gettext_noop("The document of a game has at most {most} KB.")


class CardsMissing(WrongType):
    """The finished rounds of a digital game can be checked card by card."""

    code = "cards_missing"
    template = gettext_noop("The document of a digital game has every card of every finished round.")


class ImpossibleTime(WrongType):
    """A clock may be wrong by years, but not by centuries."""

    code = "impossible_time"
    template = gettext_noop("A game is played between {earliest} and {latest}.")


class EntryOutOfPlace(Malformed):
    """A log holds entries that its game could have written there."""

    code = "entry_out_of_place"
    template = gettext_noop("Entry {seq} does not belong there.")


class EntryAfterLock(Malformed):
    """Nothing but an erased name follows the confirmation of the result."""

    code = "entry_after_lock"
    template = gettext_noop("Entry {seq} follows the confirmation of the result.")


class UndoOutOfOrder(Malformed):
    """An undo undoes the latest entry that can be undone."""

    code = "undo_out_of_order"
    template = gettext_noop("Entry {seq} undoes an entry that is not the latest.")


class DigitalCorrection(Malformed):
    """A digital game is not corrected."""

    code = "digital_correction"
    template = gettext_noop("Entry {seq} corrects a digital game.")


class SetupFixed(Malformed):
    """A correction of the set-up changes names, tokens, dealer and rounds; after the lock only names."""

    code = "setup_fixed"
    template = gettext_noop("Entry {seq} changes what can no longer be changed in a set-up.")


class DatabaseUnavailable(ApplicationError):
    """The database does not answer, or not in time."""

    code = "database_unavailable"
    status = 503
    template = gettext_noop("The database of the server does not work at the moment. Try again.")


POSTGRESQL_DISK_FULL = "53100"


def of_database(error: BaseException | None) -> ApplicationError | None:
    """What a failure of the database is called outside; None for what is a fault of the program."""
    if not isinstance(error, OperationalError):
        return None
    cause = error.__cause__
    # The lowest byte is the code itself, the others say where it happened.
    sqlite_code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    if sqlite_code == sqlite3.SQLITE_FULL or getattr(cause, "sqlstate", None) == POSTGRESQL_DISK_FULL:
        return StorageFull()
    # “no such column” and its kin are called operational too.
    return None if sqlite_code == sqlite3.SQLITE_ERROR else DatabaseUnavailable()


def status_of(error: NjetError) -> int:
    """The HTTP status of a refusal: 400 cannot be read, 422 the rules forbid it, else the application's own."""
    if isinstance(error, ApplicationError):
        return error.status
    return 400 if isinstance(error, Malformed) else 422
