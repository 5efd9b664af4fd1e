"""Every refusal in words: names for seats, words for codes, no hole left in a sentence."""

from __future__ import annotations

import ast
import gettext
import pickle
import re
import string
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.http import QueryDict
from django.utils.translation import trans_real

import games
from games import errors as application
from games.api.serializers.fields import Strict
from games.api.serializers.parameters import ListingParameters
from games.formats import notation
from games.keys import registry
from games.models import Role
from games.pages.actions import action_of, place_of
from games.rules import Claim, Deal, Discard, Hidden, NjetError, Play, PublicState, Ruleset, Setup, amended, from_json
from games.rules import errors as rules
from games.rules.cards import Card
from games.rules.full import FullState
from games.rules.options import OPTIONS
from games.rules.replay import DeleteAction, Key, KeyedAction, ReplaceAction
from games.texts import refusals
from tests.builders import CAST, deal_of, digital, dutch, english, entries, french, in_order, play, read, settled
from tests.cast.tables import Table

FAMILIES = {NjetError, rules.IllegalSetup, rules.IllegalAction, rules.IllegalAmendment, application.ApplicationError}


def classes() -> set[type[NjetError]]:
    """Every class of refusal there is."""
    found: list[type[NjetError]] = [NjetError]
    for each in found:
        found += each.__subclasses__()
    return {each for each in found if each.__module__.startswith("games.")} - FAMILIES


# --- each refusal, as the program really makes it ---

BOARD = "open 0 njet red blue 2"


def setup(**changed: object) -> Callable[[], object]:
    """A set-up that is refused."""
    return lambda: Setup.of(**{"preset": "njet-english", "names": CAST[:3], **changed})


def after(game: Setup, *lines: str, seat: int | None = None) -> Callable[[], PublicState]:
    """A game whose last action is refused."""
    return lambda: play(game, *lines[:-1]).apply(read(lines[-1]), seat=seat)


def correction(*changes: object) -> Callable[[], object]:
    """Corrections of three markers."""
    log = [KeyedAction(Key(entry.seq), entry.action) for entry in entries("trump red", "trump blue", "points 4")]
    return lambda: amended(dutch(3), log, seq=4, changes=changes)


def record(written: str, changed: str) -> Callable[[], object]:
    """A record of one marker, with something in it changed."""
    text = notation.write(notation.Record(dutch(3), (read("trump red"),)))
    assert text.count(written) == 1
    return lambda: notation.parse(text.replace(written, changed))


def at_cards(discard: str, *hands: str, setup_: Setup | None = None) -> FullState:
    """A digital round with red trumps, blue super trumps and the first seat on lead; who holds at least what."""
    game = digital(setup_ or dutch(4))
    return settled(game, f"0 {discard} red blue 2", "team 2", deal_of(game.ruleset, *hands))


def ledger_at(version: int) -> SimpleNamespace:
    """As much of a ledger as a refusal looks at."""
    return SimpleNamespace(version=version)


REFUSALS: dict[type[NjetError], tuple[Callable[[], object] | NjetError, str]] = {
    rules.Malformed: (rules.Malformed(problem="corrections"), "The corrections cannot be read."),
    rules.UnknownActionType: (lambda: action_of({"do": "dance"}, players=3), "There is no action “dance”."),
    rules.UnknownField: (lambda: from_json({"type": "finish", "x": 1}), "“Finishing early” has no field “x”."),
    rules.MissingField: (
        lambda: action_of({"do": "conditions", "discard": "njet"}, players=3),
        "Choose the space that stays open in the row “Trump”.",
    ),
    rules.WrongType: (
        lambda: action_of({"do": "trick", "trick": "0:x"}, players=3),
        "“Captured” has to be a whole number.",
    ),
    rules.UnknownRow: (lambda: place_of("moon:red"), "The board has no row “moon”."),
    rules.UnknownCard: (lambda: Card.parse("red-14"), "There is no card “red-14”."),
    rules.UnknownPreset: (setup(preset="poker"), "There is no preset “poker”."),
    rules.UnknownOption: (setup(options={"beer": True}), "There is no option “beer”."),
    rules.OptionNotAllowed: (
        setup(preset="goldsieber-dutch", options={"three_player_removal": "three_7s"}),
        "“Cards taken out with 3 players” cannot be “three 7s of each colour” in this edition. "
        "Possible: all 2s, all 4s.",
    ),
    rules.WrongPlayerCount: (
        setup(preset="goldsieber-dutch", names=CAST),
        "These rules are for 3, 4 players, not for 5.",
    ),
    rules.NameMissing: (setup(names=["Ana", " ", "Cleo"]), "Player 2 has no name."),
    rules.NameTooLong: (setup(names=["A" * 41, "Ben"]), f"“{'A' * 41}” is too long: a name has at most 40 letters."),
    rules.NameTwice: (setup(names=["Ana", "ANA"]), "Somebody is called “ANA” already: choose another name."),
    rules.UnknownToken: (setup(tokens=["raven", None, None]), "This edition has no token “dove”."),
    rules.TokenTwice: (setup(tokens=["pink", "pink", None]), "Two players have the token “pink”."),
    rules.UnknownDealer: (setup(dealer=7), "The dealer has to be one of the players."),
    rules.OpenHandsAreDigital: (
        setup(open_hands=True),
        "All hands can be shown after each round in digital games only.",
    ),
    rules.OpenHandsFixed: (
        lambda: dutch(3).corrected(open_hands=True),
        "Whether all hands are shown after each round cannot be changed any more.",
    ),
    rules.GameOver: (
        after(dutch(3, rounds=1), "open 0 njet red blue 2", "team 1 monster 2", "tally 12 0 0", "finish"),
        "The game is over.",
    ),
    rules.WrongPhase: (
        after(dutch(3), "tally 12 0 0"),
        "“Recording the round” is not possible now: it is time for “placing markers”.",
    ),
    rules.NotYourTurn: (after(dutch(3), "trump red", seat=2), "It is not the turn of Cleo."),
    rules.DigitalOnly: (
        lambda: play(dutch(3), Play(Card.parse("red-7"))),
        "“play” belongs to a digital game: at a physical table the cards are on the table.",
    ),
    rules.TableOnly: (
        lambda: at_cards("njet", "K1").apply(read("void misdeal")),
        "“Dealing again” belongs to a physical table: here the app sees the cards.",
    ),
    rules.OnlyChanceDeals: (rules.OnlyChanceDeals(), "The app deals the cards."),
    rules.OnlyByConsent: (rules.OnlyByConsent(), "The others have to agree to that: ask them."),
    rules.WrongDeal: (
        lambda: FullState.start(digital(dutch(4))).apply(Deal(((), (), (), ()))),
        "This is no deal of these rules.",
    ),
    rules.SeatMissing: (
        lambda: at_cards("discard_1", "K1").apply(Discard(in_order("K1"))),
        "Several are due: say whose choice this is.",
    ),
    rules.AlreadyChosen: (
        lambda: (
            at_cards("discard_1", "K1").apply(Discard(in_order("K1")), seat=0).apply(Discard(in_order("K1")), seat=0)
        ),
        "Your choice lies face down: it is final.",
    ),
    rules.CardsHidden: (lambda: at_cards("discard_1", "K1").apply(Discard(Hidden(1)), seat=0), "Say which cards."),
    rules.WrongCardCount: (
        lambda: at_cards("discard_2", "K1").apply(Discard(in_order("K1")), seat=0),
        "Choose 2 cards, not 1.",
    ),
    rules.CardNotHeld: (
        lambda: at_cards("discard_1", "K1").apply(Discard(in_order("G9")), seat=1),
        "You do not hold “green 9”.",
    ),
    rules.CapturableKept: (
        lambda: settled(
            digital(english(4)),
            "0 discard_2_no_zero red blue 2",
            "team 1",
            deal_of(Ruleset.of("njet-english", 4), "K0"),
        ).apply(Discard(in_order("K0 R0")), seat=0),
        "No 0 may be discarded while you hold other cards.",
    ),
    rules.MustFollowSuit: (
        lambda: at_cards("njet", "K9 K8", "K3 R5").apply(Play(Card.parse("K9"))).apply(Play(Card.parse("R5"))),
        "You hold black: follow suit. Allowed: black 1, black 2, black 3, black 4, black 5, black 6, black 7.",
    ),
    rules.MustFollowTrump: (
        lambda: at_cards("njet", "R9", "R5 K4").apply(Play(Card.parse("R9"))).apply(Play(Card.parse("K4"))),
        "A trump was led and you hold trumps: play a trump or super trump. Allowed: red 5.",
    ),
    rules.MustTrump: (
        lambda: (
            at_cards("njet", "G9", "R5 K1 K1 K2 K3 K4 K5 K6 K7 K8", setup_=french(4))
            .apply(Play(Card.parse("G9")))
            .apply(Play(Card.parse("K4")))
        ),
        "You cannot follow: play a trump or super trump. Allowed: red 5.",
    ),
    rules.WrongClaim: (lambda: at_cards("njet", "K1").apply(Claim(0, 8)), "The rest of the round captures 3, not 8."),
    rules.UnknownSpace: (after(dutch(3), "trump yellow"), "The row “Trump” has no space “yellow”."),
    rules.RowNotUsed: (
        after(english(3, start_row=False), "start 1"),
        "The row “Start player” is not used in this game.",
    ),
    rules.SpaceCovered: (
        after(dutch(3), "start 2", "start 2"),
        "The space “Cleo” of the row “Start player” is covered already.",
    ),
    rules.RowClosed: (
        after(dutch(3), "start 2", "start 1", "start 2"),
        "The row “Start player” is settled: it takes no more markers.",
    ),
    rules.LastOpenSpace: (
        after(english(2), "start 1", "start 0"),
        "“Ana” is the last open space of the row “Start player”: exactly one stays open.",
    ),
    rules.UnknownSeat: (after(dutch(3), BOARD, "team 7 monster 0"), "There is no seat 7 at this table."),
    rules.StartNotFree: (
        after(dutch(3), BOARD, "team 1 monster 2 start 2"),
        "The start player is settled by the board.",
    ),
    rules.OwnPartner: (after(dutch(3), BOARD, "team 0 monster 2"), "The start player cannot be their own partner."),
    rules.PartnerTwice: (after(english(5), BOARD, "team 1 1 monster 2"), "Ben is named twice."),
    rules.WrongTeamSize: (
        after(english(5), BOARD, "team alone monster 0"),
        "With 5 players the start player takes 1–2 partners, not 0.",
    ),
    rules.MonsterNotUsed: (after(english(4), BOARD, "team 1 monster 0"), "With 4 players there is no monster card."),
    rules.MonsterMissing: (
        after(english(5), BOARD, "team 1"),
        "One player of the smaller team has to hold the monster card.",
    ),
    rules.MonsterInLargerTeam: (
        after(english(5), BOARD, "team 1 monster 4"),
        "The monster card belongs to the smaller team: Eve is in the larger one.",
    ),
    rules.NegativeCount: (
        after(dutch(3), BOARD, "team 1 monster 2", "trick 0+-1"),
        "Tricks and captured cards cannot be negative.",
    ),
    rules.WrongTallyLength: (
        after(dutch(3), BOARD, "team 1 monster 2", "tally 12"),
        "A tally has 3 figures of each kind, one for each player.",
    ),
    rules.WrongTrickSum: (
        after(dutch(3), BOARD, "team 1 monster 2", "tally 5 4 2"),
        "1 trick is missing: 11 of 12 are entered.",
    ),
    rules.CapturedWithoutTrick: (
        after(dutch(3), BOARD, "team 1 monster 2", "tally 12 0+1 0"),
        "Ben has captured cards but no trick.",
    ),
    rules.TooManyCaptured: (
        after(dutch(3), BOARD, "team 1 monster 2", "tally 11 0 1+3"),
        "Cleo cannot have captured 3 cards: at most 2.",
    ),
    rules.CapturedSumTooLarge: (
        after(dutch(3), BOARD, "team 1 monster 2", "tally 4+4 4+4 4+1"),
        "9 captured cards are too many: the deck has 8.",
    ),
    rules.CapturedSumTooSmall: (
        after(french(4), BOARD, "team 1", "tally 10+7 0 0 0"),
        "7 captured cards are too few: at least 8 have to turn up.",
    ),
    rules.NothingToFinish: (after(dutch(3), "finish"), "No round is complete yet: there is nothing to finish."),
    rules.ReasonMissing: (after(dutch(3), "void"), "Write down the reason."),
    rules.ReasonTooLong: (after(dutch(3), f"void {'x' * 201}"), "The reason is too long: at most 200 letters."),
    rules.PenaltyOutOfRange: (
        after(dutch(3), "penalty 1 0 late"),
        "A penalty is a whole number from −999 to 999, but not 0.",
    ),
    rules.MinutesOutOfRange: (rules.MinutesOutOfRange(most=1_440), "A game takes from 1 to 1440 minutes."),
    rules.PlaceTooLong: (rules.PlaceTooLong(most=60), "The place is too long: at most 60 letters."),
    rules.NoteTooLong: (rules.NoteTooLong(most=500), "The note is too long: at most 500 letters."),
    rules.StintImpossible: (
        rules.StintImpossible(least=2, most=5),
        "Somebody else can play from round 2 on, or from a later one up to round 5.",
    ),
    rules.PaperNotHere: (
        rules.PaperNotHere(),
        "Only a game at a physical table that was entered when it was over has such a sheet.",
    ),
    rules.PaperTooLong: (rules.PaperTooLong(most=99), "A sheet has at least one line and at most 99."),
    rules.PaperLineIncomplete: (
        rules.PaperLineIncomplete(line=2, players=4),
        "Line 2 needs a number for each of the 4 players.",
    ),
    rules.PaperFigureTooLarge: (
        rules.PaperFigureTooLarge(line=2, seat=0, most=999),
        "Line 2: a number lies between −999 and 999.",
    ),
    rules.PaperListUnreadable: (
        rules.PaperListUnreadable(problem="day", line=3, cell="soon"),
        "Line 3: “soon” is no day like 2026-01-15 or 15.01.2026.",
    ),
    rules.UnknownEntry: (correction(DeleteAction(Key(9))), "Entry 9 is no action that could be corrected."),
    rules.AmendmentConflicts: (
        correction(ReplaceAction(Key(1), read("points 4"))),
        "Entry 3 would become impossible: The space “4” of the row “Points a trick” is covered already.",
    ),
    rules.NotationError: (
        record("[Preset", "[Preset 3"),
        "Line 2, column 9: expected here is a text in quotation marks.",
    ),
    rules.NotationTooLong: (
        lambda: notation.parse(f"#{' ' * notation.LONGEST_TEXT}"),
        "Line 1, column 250001: the text is too long, it has more than 250000 characters.",
    ),
    rules.UnknownFormat: (record("njet 1", "njet 9"), "Line 1, column 9: this is no record of the format “njet 1”."),
    rules.UnknownTag: (record("[Preset", "[Moon"), "Line 2, column 2: there is no tag “Moon”."),
    rules.TagTwice: (
        record("[Dealer", '[Format "njet 1"]\n[Dealer'),
        "Line 6, column 1: the tag “Format” stands here for the second time.",
    ),
    rules.TagMissing: (lambda: notation.parse(""), "Line 1, column 1: the tag “Format” is missing."),
    rules.UnknownLine: (record("place ", "dance "), "Line 10, column 1: no line begins with “dance”."),
    rules.NotAtTable: (
        record("bear deals", "raven deals"),
        "Line 9, column 18: nobody at this table has the token “dove”.",
    ),
    rules.RecordDiffers: (record("Round 1", "Round 2"), "Line 9, column 10: here stands “2”, by the rules it is “1”."),
    rules.RecordRefused: (record("wolf trump", "falcon trump"), "Line 10, column 9: It is not the turn of Cleo."),
    application.NotAuthenticated: (
        application.NotAuthenticated(),
        "This needs a key: none was sent, or it is not valid.",
    ),
    application.Forbidden: (application.Forbidden(), "Only a scorekeeper can do that."),
    application.NotFound: (application.NotFound(), "There is nothing here."),
    application.StaleVersion: (
        application.StaleVersion(ledger_at(3)),
        "The game has moved on: nothing was recorded. Look again and repeat it.",
    ),
    application.UndoNotAllowed: (application.UndoNotAllowed(), "There is nothing to take back."),
    application.ConfirmedForGood: (
        application.ConfirmedForGood(),
        "The result is confirmed: nothing can be taken back any more.",
    ),
    application.RequestIdReused: (application.RequestIdReused(), "This request id was used for something else."),
    application.GameLocked: (application.GameLocked(), "The result is confirmed: this sheet is locked."),
    application.NotFinished: (application.NotFinished(), "The game is not finished yet."),
    application.LastScorekeeperKey: (
        application.LastScorekeeperKey(),
        "This is the last phone that can record. Invite another scorekeeper first.",
    ),
    application.HostOnly: (application.HostOnly(), "Only the host of the table can do that."),
    application.SeatOnly: (application.SeatOnly(), "Only the players at the table can do that."),
    application.SeatTaken: (
        application.SeatTaken(),
        "Somebody sits there already. The host of the table can invite you to the seat.",
    ),
    application.BotPlays: (application.BotPlays(), "A bot plays for this seat. Take the seat back first."),
    application.TableOnlyOperation: (
        application.TableOnlyOperation(),
        "A digital game is not corrected: the app has seen every card.",
    ),
    application.DealsNotOurs: (application.DealsNotOurs(), "This game was imported: its deals cannot be played again."),
    application.UnknownStep: (
        application.UnknownStep(step=99, last=81),
        "The replay of this game has the steps 1 to 81, and no step 99.",
    ),
    application.NothingLeftToPlay: (
        application.NothingLeftToPlay(),
        "The game ends with this step: nothing is left to play.",
    ),
    application.RoundBrokenOff: (
        application.RoundBrokenOff(round=3),
        "Round 3 was broken off and its cards stay secret: it cannot be played on.",
    ),
    application.StepNotRepeatable: (
        application.StepNotRepeatable(),
        "The game was changed before this step: it cannot be played on from here.",
    ),
    application.PlayedOn: (
        application.PlayedOn(),
        "This game was played on from another one: no group counts it.",
    ),
    application.UnknownProposal: (
        application.UnknownProposal(),
        "This request is no longer open: it was decided, or the game has gone on.",
    ),
    application.NotAsked: (application.NotAsked(), "This is your own request: you can withdraw it, not answer it."),
    application.NoHint: (application.NoHint(), "A hint is for a player against bots only, who has a choice now."),
    application.FinishedForGood: (
        application.FinishedForGood(),
        "The game is over and the cards are shown: nothing can be taken back any more.",
    ),
    application.BotsAreDigital: (application.BotsAreDigital(), "Bots play in digital games only."),
    application.MembersOnly: (application.MembersOnly(), "Only a member of the group can do that."),
    application.OpenerOnly: (
        application.OpenerOnly(),
        "The result is confirmed: only the phone that opened the table deletes this game.",
    ),
    application.OwnersOnly: (application.OwnersOnly(), "Only an owner of the group can do that."),
    application.GroupNameMissing: (application.GroupNameMissing(), "The group needs a name."),
    application.PlayerNameMissing: (application.PlayerNameMissing(), "The player needs a name."),
    application.PlayerNameTaken: (
        application.PlayerNameTaken(name="Ana"),
        "The group already has a player called Ana. If they are one person, merge the two.",
    ),
    application.SeasonNameMissing: (application.SeasonNameMissing(), "The season needs a name."),
    application.SeasonNameTaken: (
        application.SeasonNameTaken(name="Spring"),
        "The group already has a season called Spring.",
    ),
    application.SeasonEndsEarlier: (application.SeasonEndsEarlier(), "The season ends before it begins."),
    application.PlayerErased: (application.PlayerErased(), "This name was erased. Add the person as a new player."),
    application.SameTable: (
        application.SameTable(name="Ana", other="Ben"),
        "Ana and Ben sat at one table: they cannot be the same person.",
    ),
    application.HandsShown: (
        application.HandsShown(round=3),
        "All hands of round 3 are shown: nothing before its end can be taken back.",
    ),
    application.CardSeen: (application.CardSeen(), "Bots do not let a card be taken back that others have seen."),
    application.RoundConfirmed: (
        application.RoundConfirmed(round=3),
        "Round 3 is confirmed by both teams. Correct it, and both teams confirm it again.",
    ),
    application.AlreadyConfirmed: (application.AlreadyConfirmed(round=3), "This team has already confirmed round 3."),
    application.UnknownCorrection: (
        application.UnknownCorrection(),
        "This is no longer open: it was made, confirmed by both teams, withdrawn or replaced.",
    ),
    application.RoundNotComplete: (application.RoundNotComplete(round=3), "Round 3 has no figures to confirm."),
    application.NothingToConfirm: (
        application.NothingToConfirm(),
        "The app counts the rounds of a digital game: there is nothing to confirm.",
    ),
    application.AlreadyInGroup: (application.AlreadyInGroup(), "This game already belongs to a group."),
    application.TooManyEntries: (application.TooManyEntries(most=5_000), "An imported game has at most 5000 entries."),
    application.TooManyPenalties: (
        application.TooManyPenalties(most=1_000),
        "An imported game has at most 1000 penalties.",
    ),
    application.TooManyCorrections: (
        application.TooManyCorrections(entries=1_000, most=100),
        "An imported game of 1000 entries has at most 100 corrections.",
    ),
    application.TooManyChanges: (
        application.TooManyChanges(most=1_000),
        "The corrections of an imported game make at most 1000 changes.",
    ),
    application.DocumentTooLong: (
        application.DocumentTooLong(most=1_024),
        "The document of a game has at most 1024 KB.",
    ),
    application.CardsMissing: (
        application.CardsMissing(),
        "The document of a digital game has every card of every finished round.",
    ),
    application.PlayedLater: (
        application.PlayedLater(),
        "A game that is finished was not played in the future.",
    ),
    application.FromPaper: (
        application.FromPaper(),
        "This game was entered when it was over: correct its totals instead.",
    ),
    application.ImpossibleTime: (
        application.ImpossibleTime(earliest=1970, latest=2100),
        "A game is played between 1970 and 2100.",
    ),
    application.EntryOutOfPlace: (application.EntryOutOfPlace(seq=7), "Entry 7 does not belong there."),
    application.EntryAfterLock: (application.EntryAfterLock(seq=7), "Entry 7 follows the confirmation of the result."),
    application.UndoOutOfOrder: (application.UndoOutOfOrder(seq=7), "Entry 7 undoes an entry that is not the latest."),
    application.DigitalCorrection: (application.DigitalCorrection(seq=7), "Entry 7 corrects a digital game."),
    application.SetupFixed: (
        application.SetupFixed(seq=7),
        "Entry 7 changes what can no longer be changed in a set-up.",
    ),
    application.AlreadyImported: (application.AlreadyImported(game="7m3k9c2x4b1a"), "The group already has this game."),
    application.LastOwnerKey: (
        application.LastOwnerKey(),
        "This is the last owner of the group. Invite another owner first.",
    ),
    application.InviteNotValid: (
        application.InviteNotValid(),
        "This code or link does not open a table. "
        "It may be mistyped, used, withdrawn or older than 12 hours: ask for a new one.",
    ),
    application.TooManyRequests: (application.TooManyRequests(600), "Too many wrong codes. Wait 10 min and try again."),
    application.TooManyCreations: (
        application.TooManyCreations(1_500),
        "Too many new tables, groups or imported games from this network. Wait 25 min and try again.",
    ),
    application.TooManyWrites: (
        application.TooManyWrites(20),
        "Too many changes at once: one phone or program makes at most 20 in a second. Try again.",
    ),
    application.TooManyPhrases: (
        application.TooManyPhrases(3.0),
        "One after the other: wait a moment, then send the next message.",
    ),
    application.GameFull: (
        application.GameFull(most=5_000),
        "A game has at most 5000 entries, and this one is full: nothing more is recorded.",
    ),
    application.TooManyInvitations: (
        application.TooManyInvitations(most=50),
        "50 invitations are open. Withdraw some of them first.",
    ),
    application.StorageFull: (
        application.StorageFull(),
        "The disk of the server is full: nothing was saved. Make room on it and try again.",
    ),
    application.DatabaseUnavailable: (
        application.DatabaseUnavailable(),
        "The server cannot reach its database. Try again soon.",
    ),
}


ABOUT_CHAIRS = {rules.UnknownSeat, application.BotPlays, application.SeatTaken}
"""The refusals that are about a place to sit on; everywhere else a seat would be a player without a name."""


def refusal(source: Callable[[], object] | NjetError) -> NjetError:
    """The refusal itself, caught where it is really made."""
    if isinstance(source, NjetError):
        return source
    with pytest.raises(NjetError) as caught:
        source()
    return caught.value


def test_every_refusal_there_is_stands_here() -> None:
    assert {each.__name__ for each in classes()} == {each.__name__ for each in REFUSALS}


@pytest.mark.parametrize("kind", REFUSALS, ids=lambda each: each.__name__)
def test_a_refusal_is_described_in_a_sentence_with_names(kind: type[NjetError]) -> None:
    source, sentence = REFUSALS[kind]
    error = refusal(source)
    assert type(error) is kind

    assert refusals.error_sentence(error, CAST) == sentence


@pytest.mark.parametrize("kind", REFUSALS, ids=lambda each: each.__name__)
def test_a_sentence_has_no_hole_no_code_and_no_seat_number(kind: type[NjetError]) -> None:
    error = refusal(REFUSALS[kind][0])

    for sentence in (refusals.error_sentence(error, CAST), refusals.error_sentence(error)):
        assert not re.search(r"[{}\[\]]|None|True|False|<|__", sentence)
        assert re.match(r"[“\dA-Z]", sentence)
        assert sentence.endswith(".")
    if kind not in ABOUT_CHAIRS:
        assert not re.search(r"\bseat\b", refusals.error_sentence(error, CAST), re.IGNORECASE)


@pytest.mark.parametrize("kind", REFUSALS, ids=lambda each: each.__name__)
def test_a_refusal_of_another_process_is_the_same(kind: type[NjetError]) -> None:
    error = refusal(REFUSALS[kind][0])

    copy = pickle.loads(pickle.dumps(error))

    assert (type(copy), copy.params, str(copy)) == (kind, error.params, str(error))


@pytest.mark.parametrize("kind", REFUSALS, ids=lambda each: each.__name__)
def test_every_refusal_has_a_status(kind: type[NjetError]) -> None:
    status = application.status_of(refusal(REFUSALS[kind][0]))

    if issubclass(kind, application.ApplicationError):
        assert status == kind.status
        assert status in (401, 403, 404, 409, 422, 429, 503, 507)
    else:
        assert status == (400 if issubclass(kind, rules.Malformed) else 422)


@pytest.mark.parametrize(
    ("tricks", "sentence"),
    [
        ("5 4 2", "1 trick is missing: 11 of 12 are entered."),
        ("5 4 0", "3 tricks are missing: 9 of 12 are entered."),
        ("5 4 4", "1 trick too many: 13 are entered, the round had 12."),
        ("5 5 5", "3 tricks too many: 15 are entered, the round had 12."),
    ],
)
def test_a_wrong_sum_says_what_is_missing(tricks: str, sentence: str) -> None:
    error = refusal(after(dutch(3), BOARD, "team 1 monster 2", f"tally {tricks}"))

    assert refusals.error_sentence(error, CAST) == sentence


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("discard pass_2_right", "The space “pass 2 right” of the row “Discard” is covered already."),
        ("discard discard_2_no_zero", "The space “discard 2, no 0” of the row “Discard” is covered already."),
        ("discard njet", "The space “njet” of the row “Discard” is covered already."),
        ("trump yellow", "The space “yellow” of the row “Trump” is covered already."),
        ("supertrump njet", "The space “njet” of the row “Super trump” is covered already."),
        ("points -2", "The space “−2” of the row “Points a trick” is covered already."),
        ("start 4", "The space “Eve” of the row “Start player” is covered already."),
    ],
)
def test_a_space_is_described_as_it_is_printed(line: str, sentence: str) -> None:
    error = refusal(after(english(5), line, line))

    assert refusals.error_sentence(error, CAST) == sentence


@pytest.mark.parametrize("space", ["9", "-1", "x", "", "٣", "9" * 5000])
def test_a_seat_that_does_not_exist_is_described_as_it_was_sent(space: str) -> None:
    error = rules.UnknownSpace(row="start", space=space)

    assert refusals.error_sentence(error, CAST) == f"The row “Start player” has no space “{space}”."


def test_a_conflict_inside_is_shown_with_names_too() -> None:
    error = rules.AmendmentConflicts(
        seq=3, part=0, code="captured_without_trick", reason="raw", conflict_params={"seat": 1, "captured": 2}
    )

    assert refusals.error_sentence(error, CAST) == (
        "Entry 3 would become impossible: Ben has captured cards but no trick."
    )


@pytest.mark.parametrize("value", [True, False])
def test_an_option_that_is_on_or_off_is_described_in_words(value: bool) -> None:
    error = rules.OptionNotAllowed(option="start_row", value=value, allowed="True")

    shown_value = "used" if value else "not used"
    assert refusals.error_sentence(error) == (
        f"“Start player row” cannot be “{shown_value}” in this edition. Possible: used."
    )


# --- in every language ---


class Shouting(gettext.NullTranslations):
    """A language in which every text that is translated is in capitals."""

    def gettext(self, message: str) -> str:
        return re.sub(r"\{\w+\}|\w+", lambda word: word[0] if word[0][0] == "{" else word[0].upper(), message)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


@pytest.fixture
def shouting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read in that language."""
    monkeypatch.setattr(trans_real._active, "value", Shouting(), raising=False)


FIELDS_OF_THE_PAGES = (
    *("winner", "captured", "tricks", "seat", "points", "reason", "partners", "monster", "start", "dealer"),
    *("version", "request_id", "kind", "changes", "discard"),
    *OPTIONS,
)


@pytest.mark.parametrize("field", FIELDS_OF_THE_PAGES)
def test_a_field_that_cannot_be_read_is_named_in_the_readers_language(shouting: None, field: str) -> None:
    sentence = refusals.error_sentence(rules.WrongType(field=field, expected="whole_number"))

    assert sentence == sentence.upper()
    assert "_" not in sentence


SENTENCES = [
    (refusal, sentence)
    for refusal in (rules.Malformed, rules.WrongType, rules.NotationError)
    for sentence in refusal.templates.values()
]


@pytest.mark.parametrize(("refusal", "sentence"), SENTENCES)
def test_every_sentence_of_a_refusal_is_whole(refusal: type[NjetError], sentence: str) -> None:
    placeholders = {name for _, name, _, _ in string.Formatter().parse(sentence) if name}

    assert sentence.endswith(".")
    allowed = {"field", "line", "column", "kind", "literal", "least", "most", "allowed", "parameter", "value"}
    assert placeholders <= allowed


def codes_of(*modules: str) -> set[str]:
    """What a field has to be, as the code of these modules names it."""
    found = set()
    for module in modules:
        for path in (Path(games.__file__).parent).glob(module):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and ast.unparse(node.func) == "WrongType":
                    found |= {
                        keyword.value.value
                        for keyword in node.keywords
                        if keyword.arg == "expected" and isinstance(keyword.value, ast.Constant)
                    }
    return found


def test_what_a_field_has_to_be_is_said_in_the_readers_language(shouting: None) -> None:
    codes = codes_of("rules/*.py", "formats/notation/*.py")
    assert len(codes) >= 10

    for code in codes:
        assert code in rules.WrongType.templates
        sentence = refusals.error_sentence(rules.WrongType(field="points", expected=code, kind="3"))
        assert sentence == sentence.upper()


def fields_of(base: type[Strict] = Strict) -> set[type[Strict]]:
    """Every kind of field that a request over REST may have."""
    return {base}.union(*map(fields_of, base.__subclasses__()))


def test_what_a_field_over_rest_has_to_be_is_a_code_with_a_sentence() -> None:
    # All endpoints, and so all of their fields.
    import_module("games.api.urls")

    codes = {field.expected for field in fields_of() if field.__module__.startswith("games.api")} - {""}

    assert {"whole_number", "one_of", "number_between", "day_or_time", "list_of_corrections"} <= codes
    assert codes <= rules.WrongType.templates.keys()


def test_the_sentence_says_what_a_field_over_rest_may_be() -> None:
    with pytest.raises(rules.WrongType) as refused:
        ListingParameters.of(QueryDict("format=pdf"))
    with pytest.raises(rules.WrongType) as out_of_range:
        ListingParameters.of(QueryDict("size=0"))

    assert refusals.error_sentence(refused.value) == "“format” has to be one of: json, csv."
    assert refused.value.params == {"field": "format", "expected": "one_of", "allowed": ["json", "csv"]}
    assert refusals.error_sentence(out_of_range.value) == "“size” has to be a number from 1 to 200."


def test_what_no_one_has_a_word_for_is_said_as_it_is() -> None:
    sentence = refusals.error_sentence(rules.WrongType(field="beer", expected="“easy” or “strong”"))

    assert sentence == "“beer” has to be “easy” or “strong”."


@pytest.mark.any_database
def test_the_number_of_a_phone_is_a_word_of_the_reader(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    game = Table().game
    monkeypatch.setattr(trans_real._active, "value", Shouting(), raising=False)

    assert registry.issue(game=game, role=Role.VIEWER, label="").label == "PHONE 2"
