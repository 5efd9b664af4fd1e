"""Every refusal of the rules: one class for each code.

Must not know: HTTP, languages, players' names.

A docstring is the rule in words.  `template` is the sentence, with `{names}` that `params` fills.  Params are plain
JSON values (seats are integers, suits and spaces their API strings) and never words of a language: a page highlights
what is meant, and says the whole sentence in its own language with its own names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

Params = dict[str, object]


def gettext_noop(message: str) -> str:
    """Mark a sentence for translation without translating it: this package has no Django."""
    return message


class NjetError(Exception):
    """The root of everything that this program refuses.

    Where one code has several sentences, a parameter is the code of the sentence: `chosen_by` names that parameter,
    `templates` are the sentences by its value, and `template` is for any other value.
    """

    code: ClassVar[str] = "njet_error"
    template: ClassVar[str] = gettext_noop("That cannot be done.")
    chosen_by: ClassVar[str] = ""
    templates: ClassVar[Mapping[str, str]] = {}

    def __init__(self, **params: object) -> None:
        self.params: Params = params
        super().__init__(self.sentence.format(**params))

    def __reduce__(self) -> tuple[object, ...]:
        # As it is, and not made again by `__init__`: some classes take other parameters.
        return BaseException.__new__, (type(self), *self.args), self.__dict__

    @property
    def sentence(self) -> str:
        """The template for these parameters."""
        return self.templates.get(str(self.params.get(self.chosen_by)), self.template)

    @property
    def message(self) -> str:
        """The English sentence, with the bare parameters filled in."""
        return str(self)


class Malformed(NjetError):
    """What was sent cannot be read as an action or a set-up at all."""

    code = "malformed"
    template = gettext_noop("This cannot be read.")
    chosen_by = "problem"
    templates: ClassVar[Mapping[str, str]] = {
        "broken": gettext_noop("This cannot be read: the request is broken."),
        "no utf-8": gettext_noop("This cannot be read: it is not UTF-8."),
        "no json": gettext_noop("This cannot be read: it is no JSON."),
        "no json there": gettext_noop("This cannot be read: it is no JSON in line {line}, column {column}."),
        "no json value": gettext_noop("This cannot be read: {value} is no JSON."),
        "too deep": gettext_noop("This cannot be read: it is nested too deeply."),
        "large number": gettext_noop("This cannot be read: a number is too large."),
        "nul": gettext_noop("This cannot be read: a text contains NUL."),
        "half a character": gettext_noop("This cannot be read: a text contains half a surrogate pair."),
        "corrections": gettext_noop("The corrections cannot be read."),
        "no correction": gettext_noop("A correction needs one of names, tokens, dealer, rounds."),
        "no change": gettext_noop("A change of a player needs a name or a token."),
        "no way in": gettext_noop("Joining takes either a code or a token."),
        "two groups": gettext_noop("The address and the request name two groups."),
        "two request ids": gettext_noop("The address and the request have two request ids."),
        "other parameters": gettext_noop("“{parameter}” does not go with the other parameters."),
        "no file": gettext_noop("Choose a file first."),
        "no game": gettext_noop("That is not an NJET Assist game file."),
    }


class UnknownActionType(Malformed):
    """The set of actions is closed."""

    code = "unknown_action"
    template = gettext_noop("There is no action “{type}”.")


class UnknownField(Malformed):
    """An action has exactly its own fields."""

    code = "unknown_field"
    template = gettext_noop("“{action}” has no field “{field}”.")


class MissingField(Malformed):
    """An action has all of its fields."""

    code = "missing_field"
    template = gettext_noop("“{action}” needs the field “{field}”.")


class WrongType(Malformed):
    """A field holds a value of its own type: a whole number is no text and no fraction."""

    code = "wrong_type"
    template = gettext_noop("“{field}” has to be {expected}.")
    chosen_by = "expected"
    templates: ClassVar[Mapping[str, str]] = {
        "boolean": gettext_noop("“{field}” has to be true or false."),
        "cards_of_each_hand": gettext_noop("“{field}” has to be the number of cards of each hand."),
        "corrections_from_0_on": gettext_noop(
            "“{field}” has to be a list of corrections whose entries are numbered from 0 on."
        ),
        "count": gettext_noop("“{field}” has to be a whole number from 0 on."),
        "cursor": gettext_noop("“{field}” has to be a cursor from an earlier answer."),
        "day": gettext_noop("“{field}” has to be a day."),
        "day_or_time": gettext_noop("“{field}” has to be a day or a time in ISO 8601."),
        "holder_change": gettext_noop("“{field}” has to be a change of the phone that plays for a seat."),
        "hint_reason": gettext_noop("“{field}” has to be the reason of a hint, with its action."),
        "level": gettext_noop("“{field}” has to be the level of a bot."),
        "kind": gettext_noop("“{field}” has to be “{kind}”."),
        "list": gettext_noop("“{field}” has to be a list."),
        "list_of_corrections": gettext_noop("“{field}” has to be a list of corrections."),
        "list_of_objects": gettext_noop("“{field}” has to be a list of objects."),
        "number_between": gettext_noop("“{field}” has to be a number from {least} to {most}."),
        "number_given_out": gettext_noop("“{field}” has to be a number up to {most}. Begin again with 0."),
        "number_for_each_hand": gettext_noop("“{field}” has to be one number for each hand."),
        "object": gettext_noop("“{field}” has to be an object."),
        "one_of": gettext_noop("“{field}” has to be one of: {allowed}."),
        "proposal": gettext_noop("“{field}” has to be a proposal."),
        "seat": gettext_noop("“{field}” has to be a seat."),
        "seats_with_names_and_tokens": gettext_noop(
            "“{field}” has to be a list of objects, each with a name and a token."
        ),
        "setup": gettext_noop("“{field}” has to be a set-up."),
        "short_text": gettext_noop("“{field}” has to be a text of at most 200 characters."),
        "short_whole_number": gettext_noop("“{field}” has to be a whole number of a few digits."),
        "storable_text": gettext_noop("“{field}” has to be a text without broken characters."),
        "text": gettext_noop("“{field}” has to be a text."),
        "text_of_limited_length": gettext_noop("“{field}” has to be a text of 1 to {most} characters."),
        "time_of_day": gettext_noop("“{field}” has to be a time of day, like 20:15."),
        "time_in_utc": gettext_noop("“{field}” has to be a time like 2026-11-21T18:02:11Z."),
        "true": gettext_noop("“{field}” has to be true."),
        "unsigned_number": gettext_noop(
            "“{field}” has to be a number without a sign: the choice says whether it takes away or gives."
        ),
        "whole_number": gettext_noop("“{field}” has to be a whole number."),
    }


class UnknownRow(Malformed):
    """A board has the rows start, discard, trump, supertrump and points."""

    code = "unknown_row"
    template = gettext_noop("The board has no row “{row}”.")


class UnknownCard(Malformed):
    """A card is written as its suit and rank, like “red-7”."""

    code = "unknown_card"
    template = gettext_noop("There is no card “{card}”.")


class NotationError(Malformed):
    """A record of a game follows its grammar (`NOTATION.md`).  `line` and `column` count characters from 1."""

    code = "notation_error"
    template = gettext_noop("Line {line}, column {column}: this cannot be read.")
    chosen_by = "expected"
    templates: ClassVar[Mapping[str, str]] = {
        "alone_or_with": gettext_noop("Line {line}, column {column}: expected here is “alone” or “with”."),
        "card": gettext_noop("Line {line}, column {column}: expected here is a card like R7."),
        "cards": gettext_noop("Line {line}, column {column}: expected here is cards, “none” or “hidden”."),
        "closing_mark": gettext_noop("Line {line}, column {column}: expected here is a closing quotation mark."),
        "count": gettext_noop("Line {line}, column {column}: expected here is a whole number from 0 on."),
        "each_player": gettext_noop("Line {line}, column {column}: expected here is each player, once."),
        "each_row": gettext_noop("Line {line}, column {column}: expected here is each row, once."),
        "escape": gettext_noop("Line {line}, column {column}: expected here is what can follow a backslash."),
        "line": gettext_noop("Line {line}, column {column}: expected here is a line or a heading."),
        "line_end": gettext_noop("Line {line}, column {column}: expected here is the end of the line."),
        "literal": gettext_noop("Line {line}, column {column}: expected here is “{literal}”."),
        "monster_or_start": gettext_noop("Line {line}, column {column}: expected here is “monster” or “start”."),
        "option": gettext_noop("Line {line}, column {column}: expected here is the name of an option."),
        "player": gettext_noop("Line {line}, column {column}: expected here is a player's token."),
        "row": gettext_noop("Line {line}, column {column}: expected here is a row of the board."),
        "short_whole_number": gettext_noop("Line {line}, column {column}: expected here is a number of a few digits."),
        "space": gettext_noop("Line {line}, column {column}: expected here is a space of the row."),
        "tag_name": gettext_noop("Line {line}, column {column}: expected here is the name of a tag."),
        "text": gettext_noop("Line {line}, column {column}: expected here is a text in quotation marks."),
        "paper": gettext_noop(
            "Line {line}, column {column}: expected here is “rounds” or “totals” and a number for each player."
        ),
        "time_in_utc": gettext_noop("Line {line}, column {column}: expected here is a time like 2026-11-21T18:02:11Z."),
        "token": gettext_noop("Line {line}, column {column}: expected here is a token."),
        "whole_number": gettext_noop("Line {line}, column {column}: expected here is a whole number."),
        "yes_or_no": gettext_noop("Line {line}, column {column}: expected here is “yes” or “no”."),
    }


class NotationTooLong(NotationError):
    """A record has a length that can be read quickly."""

    code = "notation_too_long"
    template = gettext_noop("Line {line}, column {column}: the text is too long, it has more than {most} characters.")


class UnknownFormat(NotationError):
    """A record says first of what format it is."""

    code = "unknown_format"
    template = gettext_noop("Line {line}, column {column}: this is no record of the format “{format}”.")


class UnknownTag(NotationError):
    """The set of tags is closed: what is not understood would be lost."""

    code = "unknown_tag"
    template = gettext_noop("Line {line}, column {column}: there is no tag “{tag}”.")


class TagTwice(NotationError):
    """A tag says one thing once."""

    code = "tag_twice"
    template = gettext_noop("Line {line}, column {column}: the tag “{tag}” stands here for the second time.")


class TagMissing(NotationError):
    """Format, preset and players cannot be guessed."""

    code = "tag_missing"
    template = gettext_noop("Line {line}, column {column}: the tag “{tag}” is missing.")


class UnknownLine(NotationError):
    """A line of a record begins with the word that says what it is."""

    code = "unknown_line"
    template = gettext_noop("Line {line}, column {column}: no line begins with “{word}”.")


class NotAtTable(NotationError):
    """A record names its players by the tokens of their tags."""

    code = "not_at_table"
    template = gettext_noop("Line {line}, column {column}: nobody at this table has the token “{token}”.")


class RecordDiffers(NotationError):
    """What a record states beside the actions follows from them by the rules."""

    code = "record_differs"
    template = gettext_noop("Line {line}, column {column}: here stands “{stated}”, by the rules it is “{computed}”.")


class IllegalSetup(NjetError):
    """A game cannot be set up like this."""

    code = "illegal_setup"


class UnknownPreset(IllegalSetup):
    """A game is played by one of the presets."""

    code = "unknown_preset"
    template = gettext_noop("There is no preset “{preset}”.")


class UnknownOption(IllegalSetup):
    """The set of options is closed."""

    code = "unknown_option"
    template = gettext_noop("There is no option “{option}”.")


class OptionNotAllowed(IllegalSetup):
    """An option takes the values that the edition knows."""

    code = "option_not_allowed"
    template = gettext_noop("“{option}” cannot be “{value}” in this edition. Possible: {allowed}.")


class WrongPlayerCount(IllegalSetup):
    """Each preset is for certain numbers of players."""

    code = "wrong_player_count"
    template = gettext_noop("These rules are for {allowed} players, not for {players}.")


class NameMissing(IllegalSetup):
    """Every player has a name."""

    code = "name_missing"
    template = gettext_noop("Player {number} has no name.")


class NameTooLong(IllegalSetup):
    """A name fits on the sheet."""

    code = "name_too_long"
    template = gettext_noop("“{name}” is too long: a name has at most {most} letters.")


class NameTwice(IllegalSetup):
    """Two players of one table have different names."""

    code = "name_twice"
    template = gettext_noop("Somebody is called “{name}” already: choose another name.")


class UnknownToken(IllegalSetup):
    """The tokens are those of the edition."""

    code = "unknown_token"
    template = gettext_noop("This edition has no token “{token}”.")


class TokenTwice(IllegalSetup):
    """Each player has a token of their own."""

    code = "token_twice"
    template = gettext_noop("Two players have the token “{token}”.")


class UnknownDealer(IllegalSetup):
    """The dealer is one of the players."""

    code = "unknown_dealer"
    template = gettext_noop("The dealer has to be one of the players.")


class OpenHandsAreDigital(IllegalSetup):
    """The app can show the hands of a round where it has dealt them."""

    code = "open_hands_are_digital"
    template = gettext_noop("All hands can be shown after each round in digital games only.")


class OpenHandsFixed(IllegalSetup):
    """Whether all hands are shown after each round is agreed on before the first deal (RULES.md section 7.3)."""

    code = "open_hands_fixed"
    template = gettext_noop("Whether all hands are shown after each round cannot be changed any more.")


class IllegalAction(NjetError):
    """The action can be read, but the rules forbid it now."""

    code = "illegal_action"


class GameOver(IllegalAction):
    """A finished game takes no more actions."""

    code = "game_over"
    template = gettext_noop("The game is over.")


class WrongPhase(IllegalAction):
    """Each action belongs to a phase of the round (RULES.md section 3)."""

    code = "wrong_phase"
    template = gettext_noop("“{action}” is not possible now: it is time for “{phase}”.")


class NotYourTurn(IllegalAction):
    """Placing and playing go strictly clockwise; no player passes (RULES.md section 3.2)."""

    code = "not_your_turn"
    template = gettext_noop("It is not the turn of seat {seat}.")


class DigitalOnly(IllegalAction):
    """Cards are dealt and played by the app in a digital game only; a physical table keeps its cards to itself."""

    code = "digital_only"
    template = gettext_noop("“{action}” belongs to a digital game: at a physical table the cards are on the table.")


class TableOnly(IllegalAction):
    """Where the app deals the cards it sees every trick: counting, voiding and penalties are for physical tables."""

    code = "table_only"
    template = gettext_noop("“{action}” belongs to a physical table: here the app sees the cards.")


class OnlyChanceDeals(IllegalAction):
    """The cards are dealt by chance: no player deals them."""

    code = "only_chance_deals"
    template = gettext_noop("The app deals the cards.")


class OnlyByConsent(IllegalAction):
    """All the others have to grant the rest of a round."""

    code = "only_by_consent"
    template = gettext_noop("The others have to agree to that: ask them.")


class WrongDeal(IllegalAction):
    """Every player is dealt as many cards as the edition says, out of one deck (RULES.md section 1)."""

    code = "wrong_deal"
    template = gettext_noop("This is no deal of these rules.")


class SeatMissing(IllegalAction):
    """Where several players choose at once it has to be said who does."""

    code = "seat_missing"
    template = gettext_noop("Several are due: say whose choice this is.")


class AlreadyChosen(IllegalAction):
    """A choice that lies face down is final (RULES.md section 3.4)."""

    code = "already_chosen"
    template = gettext_noop("Your choice lies face down: it is final.")


class CardsHidden(IllegalAction):
    """Only cards that are named can be put down."""

    code = "cards_hidden"
    template = gettext_noop("Say which cards.")


class WrongCardCount(IllegalAction):
    """Exactly as many cards as the board asks for (RULES.md section 3.4)."""

    code = "wrong_card_count"
    template = gettext_noop("Choose {needed}, not {count}.")


class CardNotHeld(IllegalAction):
    """A player plays only cards that they hold."""

    code = "card_not_held"
    template = gettext_noop("You do not hold “{card}”.")


class CapturableKept(IllegalAction):
    """`discard_2_no_zero`: none of the capturable rank, unless nothing else is left (RULES.md section 3.4)."""

    code = "capturable_kept"
    template = gettext_noop("None of rank {rank} may be discarded while you hold other cards.")


class MustFollowSuit(IllegalAction):
    """The led suit must be followed if possible (RULES.md section 4)."""

    code = "must_follow_suit"
    template = gettext_noop("You hold {suit}: follow suit.")


class MustFollowTrump(IllegalAction):
    """Where trumps and super trumps are one family, a led one asks for one of them (RULES.md section 4)."""

    code = "must_follow_trump"
    template = gettext_noop("A trump was led and you hold trumps: play a trump or super trump.")


class MustTrump(IllegalAction):
    """`must_trump_when_void`: a player who cannot follow has to play a trump or super trump (RULES.md section 4)."""

    code = "must_trump"
    template = gettext_noop("You cannot follow: play a trump or super trump.")


class WrongClaim(IllegalAction):
    """The player who is granted the rest of a round captures what the others still hold of the capturable rank."""

    code = "wrong_claim"
    template = gettext_noop("The rest of the round captures {needed}, not {captured}.")


class UnknownSpace(IllegalAction):
    """A row has the spaces of its edition; tokens without a player are covered already (RULES.md section 1.4)."""

    code = "unknown_space"
    template = gettext_noop("The row “{row}” has no space “{space}”.")


class RowNotUsed(IllegalAction):
    """With `start_row` off the start row is not used."""

    code = "row_not_used"
    template = gettext_noop("The row “{row}” is not used in this game.")


class SpaceCovered(IllegalAction):
    """A space is covered once."""

    code = "space_covered"
    template = gettext_noop("The space “{space}” of the row “{row}” is covered already.")


class RowClosed(IllegalAction):
    """A row that is down to one open space is closed."""

    code = "row_closed"
    template = gettext_noop("The row “{row}” is settled: it takes no more markers.")


class LastOpenSpace(IllegalAction):
    """Exactly one space a row stays open: the last one cannot be covered."""

    code = "last_open_space"
    template = gettext_noop("“{space}” is the last open space of the row “{row}”: exactly one stays open.")


class UnknownSeat(IllegalAction):
    """A seat is one of the players."""

    code = "unknown_seat"
    template = gettext_noop("There is no seat {seat} at this table.")


class StartNotFree(IllegalAction):
    """Only with `start_row` off may the table name a start player; otherwise the open space says who it is."""

    code = "start_not_free"
    template = gettext_noop("The start player is settled by the board.")


class OwnPartner(IllegalAction):
    """The start player cannot be their own partner."""

    code = "own_partner"
    template = gettext_noop("The start player cannot be their own partner.")


class PartnerTwice(IllegalAction):
    """A partner is named once."""

    code = "partner_twice"
    template = gettext_noop("Seat {seat} is named twice.")


class WrongTeamSize(IllegalAction):
    """3 players: alone or one partner; 4: one partner; 5: one partner or two (RULES.md section 3.3)."""

    code = "wrong_team_size"
    template = gettext_noop("With {players} players the start player takes {allowed} partners, not {partners}.")


class MonsterNotUsed(IllegalAction):
    """With equal teams (2 and 4 players) there is no monster."""

    code = "monster_not_used"
    template = gettext_noop("With {players} players there is no monster card.")


class MonsterMissing(IllegalAction):
    """With unequal teams one member of the smaller team holds the monster."""

    code = "monster_missing"
    template = gettext_noop("One player of the smaller team has to hold the monster card.")


class MonsterInLargerTeam(IllegalAction):
    """The monster sits in the smaller team."""

    code = "monster_in_larger_team"
    template = gettext_noop("The monster card belongs to the smaller team: seat {seat} is in the larger one.")


class NegativeCount(IllegalAction):
    """Tricks and captures are whole numbers from 0 on (RULES.md section 5)."""

    code = "negative_count"
    template = gettext_noop("Tricks and captured cards cannot be negative.")


class WrongTallyLength(IllegalAction):
    """A tally has one figure for each player."""

    code = "wrong_tally_length"
    template = gettext_noop("A tally has {players} figures of each kind, one for each player.")


class WrongTrickSum(IllegalAction):
    """The tricks of all players add up to exactly the tricks of the round."""

    code = "wrong_trick_sum"
    template = gettext_noop("{sum} tricks are entered, but the round had {tricks}: the difference is {missing}.")


class CapturedWithoutTrick(IllegalAction):
    """Captures lie in won tricks: nothing without a trick."""

    code = "captured_without_trick"
    template = gettext_noop("Seat {seat} has captured cards but no trick.")


class TooManyCaptured(IllegalAction):
    """A trick holds at most one captured card from each opponent (from each player with `everyone`)."""

    code = "too_many_captured"
    template = gettext_noop("Seat {seat} cannot have captured {captured} cards: at most {most}.")


class CapturedSumTooLarge(IllegalAction):
    """All captures together are at most the capturable cards of the deck."""

    code = "captured_sum_too_large"
    template = gettext_noop("{sum} captured cards are too many: the deck has {most}.")


class CapturedSumTooSmall(IllegalAction):
    """Where the cards of all players count, those that are not discarded are all captured."""

    code = "captured_sum_too_small"
    template = gettext_noop("{sum} captured cards are too few: at least {least} have to turn up.")


class NothingToFinish(IllegalAction):
    """A game ends after complete rounds: without one there is nothing to score."""

    code = "nothing_to_finish"
    template = gettext_noop("No round is complete yet: there is nothing to finish.")


class ReasonMissing(IllegalAction):
    """What breaks the rules is written down with its reason (RULES.md section 7)."""

    code = "reason_missing"
    template = gettext_noop("Write down the reason.")


class ReasonTooLong(IllegalAction):
    """A reason fits on a line of the sheet."""

    code = "reason_too_long"
    template = gettext_noop("The reason is too long: at most {most} letters.")


class PenaltyOutOfRange(IllegalAction):
    """A penalty moves points, but not beyond what a sheet can hold."""

    code = "penalty_out_of_range"
    template = gettext_noop("A penalty is a whole number from −{most} to {most}, but not 0.")


class RecordRefused(IllegalAction):
    """A record holds what the rules allow.  `code`, `reason` and `refused_params` are the rule's own refusal.

    `players`: the names by seat, as far as the record names them: its reader has no other source.
    """

    code = "record_refused"
    template = gettext_noop("Line {line}, column {column}: {reason}")


class MinutesOutOfRange(IllegalSetup):
    """A game takes a minute at least and a day at most; pauses do not count."""

    code = "minutes_out_of_range"
    template = gettext_noop("A game takes from 1 to {most} minutes.")


class PlaceTooLong(IllegalSetup):
    """The place of a game fits on a line."""

    code = "place_too_long"
    template = gettext_noop("The place is too long: at most {most} letters.")


class NoteTooLong(IllegalSetup):
    """A note about a game is short."""

    code = "note_too_long"
    template = gettext_noop("The note is too long: at most {most} letters.")


class StintImpossible(IllegalSetup):
    """Somebody else takes a seat over in a round that is played or was, after those of the player before."""

    code = "stint_impossible"
    template = gettext_noop("Somebody else can play from round {least} on, or from a later one up to round {most}.")


class PaperNotHere(IllegalSetup):
    """A game is played or known from paper: what is played keeps its own sheet."""

    code = "paper_not_here"
    template = gettext_noop("Only a game at a physical table that was entered when it was over has such a sheet.")


class PaperTooLong(IllegalSetup):
    """A sheet from paper has a line for each round, or one line of totals."""

    code = "paper_too_long"
    template = gettext_noop("A sheet has at least one line and at most {most}.")


class PaperLineIncomplete(IllegalSetup):
    """A line of a sheet has a number for each player."""

    code = "paper_line_incomplete"
    template = gettext_noop("Line {line} needs a number for each of the {players} players.")


class PaperFigureTooLarge(IllegalSetup):
    """No player scores as much as that."""

    code = "paper_figure_too_large"
    template = gettext_noop("Line {line}: a number lies between −{most} and {most}.")


class PaperListUnreadable(Malformed):
    """A list of old games has a line for each game: its day, and a number in the column of each of its players."""

    code = "paper_list_unreadable"
    template = gettext_noop("Line {line} cannot be read.")
    chosen_by = "problem"
    templates: ClassVar[Mapping[str, str]] = {
        "too long": gettext_noop("A list has at most {most} games."),
        "no day": gettext_noop("The first line needs a column “Day”."),
        "players": gettext_noop("The first line needs a column for each player, at least two, each name once."),
        "totals": gettext_noop("Line {line}: a game has the numbers of at least two players."),
        "number": gettext_noop("Line {line}, {name}: “{cell}” is no whole number."),
        "day": gettext_noop("Line {line}: “{cell}” is no day like 2026-01-15 or 15.01.2026."),
        "time": gettext_noop("Line {line}: “{cell}” is no time of day like 20:15."),
        "rules": gettext_noop("Line {line}: “{cell}” is no box or rule text that is known here."),
    }


class IllegalAmendment(IllegalAction):
    """A correction names entries that exist and can be corrected."""

    code = "illegal_amendment"


class UnknownEntry(IllegalAmendment):
    """Only an effective action can be replaced, deleted or followed by another."""

    code = "unknown_entry"
    template = gettext_noop("Entry {seq} is no action that could be corrected.")


class AmendmentConflicts(IllegalAmendment):
    """A correction may not make a later entry impossible: the log is folded again from the start."""

    code = "amendment_conflicts"
    template = gettext_noop("Entry {seq} would become impossible: {reason}")
