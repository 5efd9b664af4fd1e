"""The refusals of the application around the rules: the code, sentence and HTTP status of each."""

from __future__ import annotations

import sqlite3
from math import ceil
from typing import TYPE_CHECKING, ClassVar

from django.db import OperationalError
from django.utils.translation import gettext_noop

from games.rules.errors import Malformed, NameMissing, NjetError, WrongType

if TYPE_CHECKING:
    from games.log.ledger import Ledger


class ApplicationError(NjetError):
    """The base class of the refusals that are not of the rules."""

    status: ClassVar[int]
    retry_after: int | None = None
    """Seconds until the same request may succeed."""


class NotAuthenticated(ApplicationError):
    """An API request carries a valid key."""

    code = "not_authenticated"
    status = 401
    template = gettext_noop("This needs a key: none was sent, or it is not valid.")


class Forbidden(ApplicationError):
    """Only the scorekeeper changes a game."""

    code = "forbidden"
    status = 403
    template = gettext_noop("Only a scorekeeper can do that.")


class MembersOnly(Forbidden):
    """Viewers of a group only look."""

    template = gettext_noop("Only a member of the group can do that.")


class OwnersOnly(Forbidden):
    """Only owners of a group issue and revoke its keys."""

    template = gettext_noop("Only an owner of the group can do that.")


class OpenerOnly(Forbidden):
    """A confirmed result is deleted only by the phone that opened the table, or by an owner of its group."""

    template = gettext_noop("The result is confirmed: only the phone that opened the table deletes this game.")


class NotFound(ApplicationError):
    """What the key does not permit to see is answered as if it did not exist."""

    code = "not_found"
    status = 404
    template = gettext_noop("There is nothing here.")


class StaleVersion(ApplicationError):
    """A write is made for the present version of the game.  `ledger` is the present one."""

    code = "stale_version"
    status = 409
    template = gettext_noop("The game has moved on: nothing was recorded. Look again and repeat it.")

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(version=ledger.version)
        self.ledger = ledger


class UndoNotAllowed(ApplicationError):
    """Undo needs an entry that can be undone."""

    code = "undo_not_allowed"
    status = 409
    template = gettext_noop("There is nothing to take back.")


class ConfirmedForGood(UndoNotAllowed):
    """After the confirmation of the result nothing is undone."""

    template = gettext_noop("The result is confirmed: nothing can be taken back any more.")


class RequestIdReused(ApplicationError):
    """A request id belongs to one request: another body needs another id."""

    code = "request_id_reused"
    status = 409
    template = gettext_noop("This request id was used for something else.")


class GameLocked(ApplicationError):
    """After the confirmation of the result nothing is changed."""

    code = "game_locked"
    status = 409
    template = gettext_noop("The result is confirmed: this sheet is locked.")


class FinishedForGood(UndoNotAllowed):
    """A finished digital game has shown its cards, so nothing is undone."""

    template = gettext_noop("The game is over and the cards are shown: nothing can be taken back any more.")


class HandsShown(ApplicationError):
    """Nothing is taken back across the end of a round whose hands all have seen."""

    code = "hands_shown"
    status = 409
    template = gettext_noop("All hands of round {round} are shown: nothing before its end can be taken back.")


class CardSeen(ApplicationError):
    """Bots forget no card that they have seen: it is taken back if a person of the other side agrees."""

    code = "card_seen"
    status = 409
    template = gettext_noop("Bots do not let a card be taken back that others have seen.")


class FromPaper(UndoNotAllowed):
    """A game from paper was over when it was entered: its totals are corrected, and it does not go on."""

    template = gettext_noop("This game was entered when it was over: correct its totals instead.")


class RoundConfirmed(ApplicationError):
    """What both teams have confirmed is changed by a correction that both teams confirm."""

    code = "round_confirmed"
    status = 409
    template = gettext_noop("Round {round} is confirmed by both teams. Correct it, and both teams confirm it again.")


class AlreadyConfirmed(ApplicationError):
    """A team confirms the figures of a round once."""

    code = "already_confirmed"
    status = 409
    template = gettext_noop("This team has already confirmed round {round}.")


class UnknownCorrection(ApplicationError):
    """Only the correction that waits is confirmed, and it or what one team alone has confirmed is withdrawn."""

    code = "unknown_correction"
    status = 409
    template = gettext_noop("This is no longer open: it was made, confirmed by both teams, withdrawn or replaced.")


class RoundNotComplete(ApplicationError):
    """A round is confirmed when it has figures; a correction, in a round that it changes."""

    code = "round_not_complete"
    status = 422
    template = gettext_noop("Round {round} has no figures to confirm.")


class NotFinished(ApplicationError):
    """Only a finished game is confirmed, reopened, followed by a rematch or played on."""

    code = "not_finished"
    status = 409
    template = gettext_noop("The game is not finished yet.")


class LastScorekeeperKey(ApplicationError):
    """A game keeps at least one key that permits recording."""

    code = "last_scorekeeper_key"
    status = 409
    template = gettext_noop("This is the last phone that can record. Invite another scorekeeper first.")


class HostOnly(Forbidden):
    """Only the host manages bots and the seats of others."""

    template = gettext_noop("Only the host of the table can do that.")


class SeatOnly(Forbidden):
    """Only the holder of a seat's key plays; the host and viewers do not."""

    template = gettext_noop("Only the players at the table can do that.")


class SeatTaken(ApplicationError):
    """A seat that is taken needs an invitation."""

    code = "seat_taken"
    status = 409
    template = gettext_noop("Somebody sits there already. The host of the table can invite you to the seat.")


class BotPlays(ApplicationError):
    """While a bot plays for a seat, its player does not."""

    code = "bot_plays"
    status = 409
    template = gettext_noop("A bot plays for this seat. Take the seat back first.")


class TableOnlyOperation(ApplicationError):
    """A digital game is not corrected: the app deals and sees every card."""

    code = "table_only"
    status = 422
    template = gettext_noop("A digital game is not corrected: the app has seen every card.")


class NothingToConfirm(TableOnlyOperation):
    """The figures of a digital game follow from its cards."""

    template = gettext_noop("The app counts the rounds of a digital game: there is nothing to confirm.")


class DealsNotOurs(ApplicationError):
    """The deals of an imported game are not repeated: they could be made up."""

    code = "deals_not_ours"
    status = 422
    template = gettext_noop("This game was imported: its deals cannot be played again.")


class UnknownStep(ApplicationError):
    """A step is one of the replay."""

    code = "unknown_step"
    status = 422
    template = gettext_noop("The replay of this game has the steps 1 to {last}, and no step {step}.")


class NothingLeftToPlay(ApplicationError):
    """The last step ends the game."""

    code = "nothing_left_to_play"
    status = 422
    template = gettext_noop("The game ends with this step: nothing is left to play.")


class RoundBrokenOff(ApplicationError):
    """The cards of a round that was not finished stay secret."""

    code = "round_broken_off"
    status = 422
    template = gettext_noop("Round {round} was broken off and its cards stay secret: it cannot be played on.")


class StepNotRepeatable(ApplicationError):
    """A game is played on from a step if the same deals and actions lead to the same table again."""

    code = "step_not_repeatable"
    status = 422
    template = gettext_noop("The game was changed before this step: it cannot be played on from here.")


class UnknownProposal(ApplicationError):
    """Only an open proposal is answered."""

    code = "unknown_proposal"
    status = 409
    template = gettext_noop("This request is no longer open: it was decided, or the game has gone on.")


class NotAsked(ApplicationError):
    """A player does not agree to their own proposal."""

    code = "not_asked"
    status = 422
    template = gettext_noop("This is your own request: you can withdraw it, not answer it.")


class NoHint(ApplicationError):
    """A hint is for the only person at a table of bots, when there is a choice."""

    code = "no_hint"
    status = 422
    template = gettext_noop("A hint is for a player against bots only, who has a choice now.")


class BotsAreDigital(ApplicationError):
    """Only digital games have bots."""

    code = "bots_are_digital"
    status = 422
    template = gettext_noop("Bots play in digital games only.")


class GroupNameMissing(ApplicationError):
    """A group has a name."""

    code = "group_name_missing"
    status = 422
    template = gettext_noop("The group needs a name.")


class PlayerNameMissing(NameMissing):
    """A player of a group has a name.  The code is that of a table, without the number of the seat."""

    template = gettext_noop("The player needs a name.")


class PlayerNameTaken(ApplicationError):
    """A name belongs to one player of a group, so that a guest is the same player on the next evening."""

    code = "player_name_taken"
    status = 422
    template = gettext_noop("The group already has a player called {name}. If they are one person, merge the two.")


class SeasonNameMissing(ApplicationError):
    """A season has a name."""

    code = "season_name_missing"
    status = 422
    template = gettext_noop("The season needs a name.")


class SeasonNameTaken(ApplicationError):
    """The seasons of a group have different names."""

    code = "season_name_taken"
    status = 422
    template = gettext_noop("The group already has a season called {name}.")


class SeasonEndsEarlier(ApplicationError):
    """A season ends on the day on which it begins, or later."""

    code = "season_ends_earlier"
    status = 422
    template = gettext_noop("The season ends before it begins.")


class PlayerErased(ApplicationError):
    """A player whose name was erased gets no new name."""

    code = "player_erased"
    status = 409
    template = gettext_noop("This name was erased. Add the person as a new player.")


class SameTable(ApplicationError):
    """Two players who sat at one table are not merged."""

    code = "same_table"
    status = 422
    template = gettext_noop("{name} and {other} sat at one table: they cannot be the same person.")


class AlreadyInGroup(ApplicationError):
    """A game belongs to one group."""

    code = "already_in_group"
    status = 409
    template = gettext_noop("This game already belongs to a group.")


class PlayedOn(ApplicationError):
    """A group counts what its players have played themselves, from the first deal on."""

    code = "played_on"
    status = 422
    template = gettext_noop("This game was played on from another one: no group counts it.")


class AlreadyImported(ApplicationError):
    """A game counts once in a group: it is imported once.  `game`: the id of the one that is there."""

    code = "already_imported"
    status = 409
    template = gettext_noop("The group already has this game.")


class LastOwnerKey(ApplicationError):
    """A group keeps at least one key of an owner."""

    code = "last_owner_key"
    status = 409
    template = gettext_noop("This is the last owner of the group. Invite another owner first.")


class InviteNotValid(ApplicationError):
    """An invitation is valid for twelve hours or one use, until it is withdrawn."""

    code = "invite_not_valid"
    status = 404
    template = gettext_noop(
        "This code or link does not open a table. "
        "It may be mistyped, used, withdrawn or older than 12 hours: ask for a new one."
    )


class TooManyRequests(ApplicationError):
    """Attempts to guess a code are limited."""

    code = "too_many_requests"
    status = 429
    template = gettext_noop("Too many wrong codes. Wait {minutes} min and try again.")

    def __init__(self, seconds: int) -> None:
        super().__init__(minutes=ceil(seconds / 60))
        self.retry_after = seconds


class TooManyCreations(TooManyRequests):
    """What needs no key is limited for each address."""

    template = gettext_noop(
        "Too many new tables, groups or imported games from this network. Wait {minutes} min and try again."
    )


class TooManyWrites(TooManyRequests):
    """The writes of a key in a second are limited."""

    template = gettext_noop(
        "Too many changes at once: one phone or program makes at most {most} in a second. Try again."
    )

    def __init__(self, most: int) -> None:
        ApplicationError.__init__(self, most=most)
        self.retry_after = 1


class TooManyPhrases(TooManyRequests):
    """A phone sends the others one phrase after another, and not many at once."""

    template = gettext_noop("One after the other: wait a moment, then send the next message.")

    def __init__(self, seconds: float) -> None:
        ApplicationError.__init__(self)
        self.retry_after = ceil(seconds)


class GameFull(ApplicationError):
    """A game has as many entries as one that is imported may have, so that it can be read soon and imported again."""

    code = "game_full"
    status = 422
    template = gettext_noop("A game has at most {most} entries, and this one is full: nothing more is recorded.")


class TooManyInvitations(ApplicationError):
    """The open invitations to a game or group are limited."""

    code = "too_many_invitations"
    status = 422
    template = gettext_noop("{most} invitations are open. Withdraw some of them first.")


class StorageFull(ApplicationError):
    """A write needs space on the disk."""

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


class PlayedLater(ApplicationError):
    """A game was played before it is entered."""

    code = "played_later"
    status = 422
    template = gettext_noop("A game that is finished was not played in the future.")


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
    """A request needs a database that answers in time."""

    code = "database_unavailable"
    status = 503
    template = gettext_noop("The server cannot reach its database. Try again soon.")


POSTGRESQL_DISK_FULL = "53100"


def of_database(error: BaseException | None) -> ApplicationError | None:
    """The refusal for a failure of the database, None for a fault of the program."""
    if not isinstance(error, OperationalError):
        return None
    cause = error.__cause__
    # The lowest byte is the primary code.
    sqlite_code = getattr(cause, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    if sqlite_code == sqlite3.SQLITE_FULL or getattr(cause, "sqlstate", None) == POSTGRESQL_DISK_FULL:
        return StorageFull()
    # “no such column” and similar faults are operational errors, too.
    return None if sqlite_code == sqlite3.SQLITE_ERROR else DatabaseUnavailable()


def status_of(error: NjetError) -> int:
    """The HTTP status of a refusal: 400 if a request cannot be read, 422 if the rules forbid it, else its own."""
    if isinstance(error, ApplicationError):
        return error.status
    return 400 if isinstance(error, Malformed) else 422


def headers_of(error: NjetError) -> dict[str, str]:
    """The headers of the answer that says this refusal."""
    after = error.retry_after if isinstance(error, ApplicationError) else None
    return {} if after is None else {"Retry-After": str(after)}
