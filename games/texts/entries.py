"""Log entries as sentences: for the undo button, the history and the corrections."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.log import times
from games.log.holders import HolderOrBot, bot_before, has_player, passes, shown_changes
from games.log.ledger import Ledger
from games.log.store import StoredEntry
from games.rules import (
    ActionEntry,
    AddPenalty,
    AmendEntry,
    Claim,
    Deal,
    DeleteAction,
    Discard,
    EnterConditions,
    Finish,
    Hidden,
    InsertAction,
    Key,
    LockEntry,
    NameTeam,
    Pass,
    Place,
    Play,
    RecordTally,
    RecordTrick,
    ReplaceAction,
    Ruleset,
    Setup,
    SetupEntry,
    UndoEntry,
    VoidRound,
)
from games.rules.actions import Action, Cards, count
from games.rules.confirmations import confirmations
from games.rules.editions import RowKey
from games.rules.occasion import Occasion
from games.rules.proposals import ClaimRest, FinishEarly, Proposal, Takeback
from games.rules.replay import (
    AnswerEntry,
    Change,
    ConfirmEntry,
    CorrectionEntry,
    Entry,
    HintEntry,
    HolderChange,
    HolderEntry,
    OccasionEntry,
    ProposalEntry,
    SeatEntry,
    Step,
)
from games.rules.scoring import signed
from games.texts import words
from games.texts.hints import describe_hint
from games.texts.unnamed import called, is_unnamed


def describe_action(action: Action, *, setup: Setup, seat: int | None) -> str:
    """An action in one line.  `seat`: the seat that acted, None if no single seat did."""
    names = setup.names
    who = _("Somebody") if seat is None else names[seat]
    match action:
        case Place():
            return _describe_placement(action, setup, seat, who)
        case EnterConditions():
            return _("Board: {conditions}").format(conditions=_settled(action, setup))
        case NameTeam():
            return _describe_team(action, setup, seat)
        case RecordTrick(winner, captured):
            return _describe_trick(_name(winner, names), captured)
        case RecordTally():
            return _describe_tally(action, names)
        case VoidRound(reason):
            return _("Dealt again: {reason}").format(reason=reason)
        case AddPenalty():
            return _describe_penalties([action], names)
        case Finish():
            return _("Game finished early")
        case Deal(hands):
            return _("Dealt: {count} cards each").format(count=max(map(count, hands), default=0))
        case Discard(cards):
            return _("{name} discarded {cards}").format(name=who, cards=_cards(cards))
        case Pass(cards):
            return _("{name} passed {cards} to {right}").format(
                name=who, cards=_cards(cards), right=_receiver(seat, setup)
            )
        case Play(card):
            return _("{name} played {card}").format(name=who, card=words.card_name(card))
        case Claim(granted):
            return _("All remaining tricks granted to {name}").format(name=_name(granted, names))
    assert_never(action)


def _receiver(seat: int | None, setup: Setup) -> str:
    """Who gets the cards that a seat passes."""
    to = setup.ruleset.edition.passes_to
    if seat is None:
        return _("the right neighbour") if to < 0 else _("the left neighbour")
    return setup.names[(seat + to) % len(setup.names)]


def _describe_placement(action: Place, setup: Setup, seat: int | None, who: str) -> str:
    if action.row is RowKey.START and action.space == str(seat):
        return _("{name} covered their own token").format(name=who)
    return _("{name} covered {space}").format(name=who, space=_space(action.row, action.space, setup))


def _describe_trick(winner: str, captured: int) -> str:
    if not captured:
        return _("{name} won a trick").format(name=winner)
    return ngettext(
        "{name} won a trick, {count} captured card", "{name} won a trick, {count} captured cards", captured
    ).format(name=winner, count=captured)


def _describe_tally(action: RecordTally, names: Sequence[str]) -> str:
    figures = (
        f"{words.isolated(name)} {tricks}" + (f" ({captured})" if captured else "")
        for name, tricks, captured in zip(names, action.tricks, action.captured, strict=False)
    )
    return _("Round counted, tricks (captured): {figures}").format(figures=", ".join(figures))


def changed_figures(before: Action | None, after: Action | None, names: Sequence[str]) -> list[str]:
    """What a correction of a count changes, player by player: “Ana: tricks 8 → 6”; empty for all other actions."""
    if not isinstance(before, RecordTally) or not isinstance(after, RecordTally):
        return []
    was, now = (zip(each.tricks, each.captured, strict=False) for each in (before, after))
    return [
        _changed_figure(words.isolated(name), old, new)
        for name, old, new in zip(names, was, now, strict=False)
        if old != new
    ]


def _changed_figure(name: str, old: tuple[int, int], new: tuple[int, int]) -> str:
    """The tricks and the captured cards of a player, before and after; what stays is not said."""
    if old[1] == new[1]:
        sentence = _("{name}: tricks {tricks} → {new_tricks}")
    elif old[0] == new[0]:
        sentence = _("{name}: captured {captured} → {new_captured}")
    else:
        sentence = _("{name}: tricks {tricks} → {new_tricks}, captured {captured} → {new_captured}")
    return sentence.format(name=name, tricks=old[0], new_tricks=new[0], captured=old[1], new_captured=new[1])


def describe_undone(ledger: Ledger, entry: Entry) -> str:
    """What the button would undo, in a few words: the figures are on the page, and names are short."""
    match entry:
        case ActionEntry(action=EnterConditions()):
            return _("the board")
        case ActionEntry(action=RecordTally()):
            return _("the count of the round")
        case AmendEntry():
            short_names = [words.short(name) for name in ledger.current_setup.names]
            return _describe_penalties(_penalties(entry), short_names) or _("the correction")
        case ActionEntry(seq, action, seat):
            setup = ledger.current_setup
            short = replace(setup, seats=tuple(replace(each, name=words.short(each.name)) for each in setup.seats))
            if isinstance(action, RecordTrick):
                sentence = _("{name}: trick +{count}") if action.captured else _("{name}: trick")
                return sentence.format(name=_name(action.winner, short.names), count=action.captured)
            return describe_action(action, setup=short, seat=_acted(ledger, seq, seat))
    return describe_entry(ledger, entry)


def describe_proposal(ledger: Ledger, proposal: Proposal, seat: int) -> str:
    """A proposal of a player of a digital game, in one line."""
    name = ledger.current_setup.names[seat]
    match proposal:
        case Takeback(seqs):
            sentence = "; ".join(describe_entry(ledger, ledger.entry(seq)) for seq in seqs)
            return _("{name} asks to take back: {entries}").format(name=name, entries=sentence)
        case ClaimRest(cards):
            return _("{name} claims all remaining tricks with {cards}").format(
                name=name, cards=words.cards_named(cards)
            )
        case FinishEarly():
            return _("{name} proposes to finish early").format(name=name)
    assert_never(proposal)


def describe_step(step: Step, setup: Setup) -> str:
    """An applied action in one line."""
    return describe_action(step.action, setup=setup, seat=step.seat)


def describe_entry(ledger: Ledger, entry: Entry) -> str:
    """Any entry in one line, effective or not."""
    setup = ledger.current_setup
    match entry:
        case ActionEntry(seq, action, seat):
            # As it was entered: a correction is an entry of its own with its own sentence.
            return describe_action(action, setup=setup, seat=_acted(ledger, seq, seat))
        case UndoEntry(_seq, undoes):
            return _("Taken back: {entry}").format(entry=describe_entry(ledger, ledger.entry(undoes)))
        case AmendEntry():
            return _describe_amendment(ledger, entry)
        case SetupEntry():
            return _("Set-up corrected")
        case LockEntry():
            return _("Result confirmed")
        case SeatEntry(_seq, seat, bot):
            if bot is None:
                return _("The bot no longer plays for {name}").format(name=setup.names[seat])
            return _("{name} is played by the {level} bot").format(name=setup.names[seat], level=words.bot_level(bot))
        case HolderEntry():
            return _describe_holder(ledger, entry)
        case ProposalEntry(_seq, seat, proposal):
            return describe_proposal(ledger, proposal, seat)
        case AnswerEntry():
            return _describe_answer(ledger, entry)
        case ConfirmEntry():
            return _describe_confirmation(entry, setup.names)
        case HintEntry():
            return _describe_hint(entry, setup)
        case OccasionEntry(_seq, occasion):
            return _describe_occasion(occasion)
        case CorrectionEntry(_seq, changes):
            return _("Correction waits for both teams: {changes}").format(
                changes=_describe_changes(ledger, entry.seq, changes)
            )
    assert_never(entry)


def _acted(ledger: Ledger, seq: int, seat: int | None) -> int | None:
    """The seat that acted in an entry; `seat`: as the entry has it."""
    step = ledger.step(Key(seq))
    if step is not None:
        return step.seat
    return _seat_of_undone(ledger, seq) if seat is None else seat


def _seat_of_undone(ledger: Ledger, seq: int) -> int | None:
    """Whose turn it was before an action that was undone, by what counts now; None if it was that of several."""
    steps = ledger.replay.applied
    entered = (at for at in reversed(range(len(steps))) if not steps[at].key.part and steps[at].key.seq < seq)
    following = next(entered, -1) + 1
    due = (steps[following].before if following < len(steps) else ledger.state).acting_seats
    return due[0] if len(due) == 1 else None


def _describe_holder(ledger: Ledger, entry: HolderEntry) -> str:
    names, bot = ledger.current_setup.names, bot_before(ledger, entry)
    sentences = {
        HolderChange.JOINED: _("{name} has sat down"),
        HolderChange.CLAIMED: _("Another phone plays for {name} now"),
        HolderChange.HANDED_OVER: _("{name} plays on another phone now"),
        HolderChange.RETURNED: _("The phone that played for {name} before has taken the seat back"),
        HolderChange.FREED: _("The host took the seat of {name} from its phone"),
        HolderChange.REVOKED: _("The phone that played for {name} was removed"),
    }
    sentence = sentences[entry.change].format(name=names[entry.seat])
    return _with_also(names, sentence if bot is None else _describe_takeover(ledger, bot, entry), entry.also)


def _with_also(names: Sequence[str], sentence: str, also: Sequence[int]) -> str:
    """A change of a seat's phone with the other seats that this phone has had."""
    if not also:
        return sentence
    others = words.listing([names[each] for each in also])
    return _("{change}; in this round the same phone has also had the seat of {names}").format(
        change=sentence, names=others
    )


def holder_changes(ledger: Ledger, *, after: int, until: int, own: Collection[int] = ()) -> list[str]:
    """The changes of the seats' holders that `games.log.holders.shown_changes` returns, a sentence each.

    Friends who sit down one after another share a sentence.
    """
    changes = shown_changes(ledger, after=after, until=until, own=own)
    joined = [entry for entry in changes if isinstance(entry, HolderEntry) and passes(ledger, entry)]
    is_shared = 1 < len(joined) == len({entry.seat for entry in joined})
    first, *later = joined if is_shared else [None]
    names = words.listing([ledger.current_setup.names[entry.seat] for entry in joined])
    return [
        _("{names} have sat down.").format(names=names) if entry is first else _describe_change_of_holder(ledger, entry)
        for entry in changes
        if entry not in later
    ]


def _describe_change_of_holder(ledger: Ledger, entry: HolderOrBot) -> str:
    name = ledger.current_setup.names[entry.seat]
    if isinstance(entry, HolderEntry) or (entry.bot is None and not has_player(ledger, entry)):
        return _("{event}.").format(event=describe_entry(ledger, entry))
    if entry.bot is None:
        return _("{name} is back.").format(name=name)
    before = ledger.entry(entry.seq - 1)
    if is_unnamed(ledger.setup.names[entry.seat]) and isinstance(before, SetupEntry):
        # It came for no one and got a name of its own, which who took the seat over since does not have.
        return _("The bot {name} plays now.").format(name=before.setup.names[entry.seat])
    earlier = (each for each in ledger.entries[: entry.seq - 1] if isinstance(each, SeatEntry))
    if any(each.seat == entry.seat and each.bot is not None for each in earlier):
        return _("The bot is back and plays for {name}.").format(name=name)
    return _("A bot plays for {name} now.").format(name=name)


def _describe_takeover(ledger: Ledger, left: SeatEntry, sat: HolderEntry) -> str:
    """Who took the cards of a bot over.  `left`: the entry in which it stood up; `sat`: that of who sat down."""
    # A bot that plays for no one loses its name in the entry before it stands up.
    bot, name = (_name_before(ledger, seq, sat.seat) for seq in (left.seq - 1, sat.seq))
    if is_unnamed(name) or (name == bot and _named_its_bot(ledger, sat.seat)):
        return _("Somebody plays for {name} instead of the bot").format(name=name)
    if name == bot:
        return _("{name} plays instead of the bot").format(name=name)
    return _("{name} plays instead of {bot}").format(name=name, bot=bot)


def _named_its_bot(ledger: Ledger, seat: int) -> bool:
    """Whether the name of a seat with a bot is the bot's own: the bot opened the table, or came for no one."""
    return ledger.first_bots[seat] is not None or is_unnamed(ledger.setup.names[seat])


def _name_before(ledger: Ledger, seq: int, seat: int) -> str:
    """What a player was called before an entry."""
    setups = [each.setup for each in ledger.entries[: seq - 1] if isinstance(each, SetupEntry)]
    return [ledger.setup, *setups][-1].names[seat]


def _describe_answer(ledger: Ledger, answer: AnswerEntry) -> str:
    asked = ledger.entry(answer.about)
    assert isinstance(asked, ProposalEntry), "an answer is about a proposal"
    names = ledger.current_setup.names
    if answer.seat == asked.seat:
        return _("{name} withdraws the proposal").format(name=names[answer.seat])
    sentence = _("{name} accepts what {other} proposes") if answer.agrees else _("{name} refuses what {other} proposes")
    return sentence.format(name=names[answer.seat], other=names[asked.seat])


def _describe_confirmation(entry: ConfirmEntry, names: Sequence[str]) -> str:
    sentence = _("{team} confirmed round {number}: {figures}")
    if entry.about is not None:
        sentence = _("{team} confirmed the correction of round {number}: {figures}")
    figures = (
        _("{name} {points}").format(name=words.isolated(name), points=signed(points))
        for name, points in zip(names, entry.figures, strict=False)
    )
    return sentence.format(team=team_names(entry.team, names), number=entry.round_number, figures=", ".join(figures))


def _describe_occasion(occasion: Occasion) -> str:
    began = None if occasion.began is None else times.from_json("began", occasion.began)
    parts = [
        "" if began is None else date_format(timezone.localtime(began), "DATETIME_FORMAT"),
        "" if occasion.minutes is None else words.minutes(occasion.minutes),
        occasion.place,
        occasion.note,
    ]
    stated = ", ".join(filter(None, parts))
    return _("Stated of the game: {facts}").format(facts=stated) if stated else _("Nothing is stated of the game")


def _describe_hint(entry: HintEntry, setup: Setup) -> str:
    name, hint = setup.names[entry.seat], describe_hint(entry, setup)
    if not hint:
        return _("{name} asked for a hint").format(name=name)
    return _("{name} asked for help. {hint}").format(name=name, hint=hint)


def team_names(team: Sequence[int], names: Sequence[str]) -> str:
    """The players of a team: “Ann and Cleo”."""
    return words.listing([_name(seat, names) for seat in team])


def _describe_changes(ledger: Ledger, seq: int, changes: Sequence[Change]) -> str:
    """The corrections of entry `seq`; of a count only what they change."""
    sentences = []
    for part, change in enumerate(changes, start=1):
        key = _key_of(change, Key(seq, part))
        before = _stood(ledger, key, seq) if isinstance(change, ReplaceAction) else None
        sentences.append(_changed(ledger, change, key, before))
    return "; ".join(sentences)


def _changed(ledger: Ledger, change: Change, key: Key, before: Action | None) -> str:
    """A correction with what it replaces, if that has to be said."""
    sentence, was = _describe_change(ledger, change, key, before), _was(ledger, change, key, before)
    return _("{change} (before: {was})").format(change=sentence, was=was) if was else sentence


def _was(ledger: Ledger, change: Change, key: Key, before: Action | None) -> str:
    """What a correction replaces; empty where the correction says it already."""
    if before is None:
        return ""
    if isinstance(change, ReplaceAction) and changed_figures(before, change.action, ledger.current_setup.names):
        return ""
    seat = _seat_of(ledger, key) if isinstance(change, ReplaceAction) else None
    return describe_action(before, setup=ledger.current_setup, seat=seat)


def _stood(ledger: Ledger, key: Key, seq: int) -> Action | None:
    """What an action was before entry `seq`."""
    log = ledger.entries[: seq - 1]
    undone = {entry.undoes for entry in log if isinstance(entry, UndoEntry)}
    stood = None
    for entry in log:
        if isinstance(entry, ActionEntry) and Key(entry.seq) == key:
            stood = entry.action
        elif isinstance(entry, AmendEntry) and entry.seq not in undone:
            for part, change in enumerate(entry.changes, start=1):
                if _key_of(change, Key(entry.seq, part)) == key and not isinstance(change, DeleteAction):
                    stood = change.action
    return stood


def _describe_change(ledger: Ledger, change: Change, inserted: Key, before: Action | None) -> str:
    """One correction in one line, as it changes the log before it.  `inserted`: how an inserted action is named."""
    setup = ledger.current_setup
    match change:
        case ReplaceAction(key, action):
            if figures := changed_figures(before, action, setup.names):
                return "; ".join(figures)
            return describe_action(action, setup=setup, seat=_seat_of(ledger, key))
        case DeleteAction(key):
            return _("entry {seq} deleted").format(seq=key.seq)
        case InsertAction(_after, action):
            entry = describe_action(action, setup=setup, seat=_seat_of(ledger, inserted))
            return _("inserted: {entry}").format(entry=entry)
    assert_never(change)


def _seat_of(ledger: Ledger, key: Key) -> int | None:
    step = ledger.step(key)
    return None if step is None else step.seat


def describe_correction(ledger: Ledger, seq: int) -> str:
    """What a correction has changed, for the page that follows it; empty if entry `seq` is none that counts."""
    entry = ledger.entry(seq) if seq in ledger.counting.undoable else None
    if not isinstance(entry, AmendEntry):
        return ""
    return _describe_amendment(ledger, entry)


def _penalties(entry: AmendEntry) -> list[AddPenalty]:
    """The penalties that an entry notes, of a team; empty if it corrects anything."""
    noted = [each.action for each in entry.changes if isinstance(each, InsertAction)]
    penalties = [action for action in noted if isinstance(action, AddPenalty)]
    return penalties if len(penalties) == len(entry.changes) else []


def _describe_penalties(penalties: Sequence[AddPenalty], names: Sequence[str]) -> str:
    """Penalties, what is the same for several players said once."""
    seats: dict[tuple[int, str], list[str]] = {}
    for each in penalties:
        seats.setdefault((each.points, each.reason), []).append(dict(enumerate(names)).get(each.seat, str(each.seat)))
    return "; ".join(
        _("{name} {points}: {reason}").format(name=words.listing(players), points=words.change(points), reason=reason)
        for (points, reason), players in seats.items()
    )


def _describe_amendment(ledger: Ledger, entry: AmendEntry) -> str:
    if penalties := _penalties(entry):
        return _describe_penalties(penalties, ledger.current_setup.names)
    changes = _describe_changes(ledger, entry.seq, entry.changes)
    number = _round_of(ledger, entry, _key_of(entry.changes[0], Key(entry.seq, 1)))
    if number is None:
        return _("Corrected: {changes}").format(changes=changes)
    return _("Round {number} is corrected: {changes}").format(number=number, changes=changes)


def corrections(ledger: Ledger) -> dict[int, list[str]]:
    """What was corrected in each round, and what it was before."""
    stood: dict[Key, Action] = {}
    sentences: dict[int, list[str]] = {}
    for entry in ledger.entries:
        if isinstance(entry, ActionEntry):
            stood[Key(entry.seq)] = entry.action
        if not isinstance(entry, AmendEntry) or entry.seq not in ledger.counting.undoable or _penalties(entry):
            continue
        for part, change in enumerate(entry.changes, start=1):
            key = _key_of(change, Key(entry.seq, part))
            number = _round_of(ledger, entry, key)
            if number is not None:
                sentence = _("Corrected: {changes}").format(changes=_changed(ledger, change, key, stood.get(key)))
                sentences.setdefault(number, []).append(sentence)
            if not isinstance(change, DeleteAction):
                stood[key] = change.action
    return sentences


def _key_of(change: Change, inserted: Key) -> Key:
    """The action that a change of a correction is about.  `inserted`: how an inserted action is named."""
    return inserted if isinstance(change, InsertAction) else change.key


def _round_of(ledger: Ledger, entry: AmendEntry, key: Key) -> int | None:
    return ledger.rounds_at.get(key) or _round_of_deleted(ledger, entry, key)


def _round_of_deleted(ledger: Ledger, entry: AmendEntry, key: Key) -> int | None:
    """The round that a deleted action was in: that of the next action, or of the one before if it was corrected too."""
    rounds = {at.seq: number for at, number in ledger.rounds_at.items() if not at.part}
    later = [rounds[min(seqs)]] if (seqs := [seq for seq in rounds if seq > key.seq]) else []
    earlier = [rounds[max(seqs)]] if (seqs := [seq for seq in rounds if seq < key.seq]) else []
    corrected = {ledger.rounds_at.get(each.key) for each in entry.changes if isinstance(each, ReplaceAction)}
    return next((number for number in later + earlier if number in corrected), next(iter(later + earlier), None))


@dataclass(frozen=True)
class HistoryLine:
    """An entry of the history: what, who, when, whether it still counts, and where it is corrected.

    `deal`: the deal whose shuffle can be checked.  `tally`: the figures of a counted round.
    """

    seq: int
    text: str
    who: str
    at: datetime
    kind: str
    counts: bool
    round_number: int | None
    undoable: bool
    deal: Deal | None = None
    tally: RecordTally | None = None


def history(ledger: Ledger, rows: Sequence[StoredEntry]) -> list[HistoryLine]:
    """The lines of the history, the latest entry first."""
    undoable = set(ledger.counting.undoable)
    counting = {step.key.seq for step in ledger.replay.applied if _counts_as_entered(ledger, step)}
    lines = []
    for row in rows:
        entry = ledger.entry(row.seq)
        action = entry.action if isinstance(entry, ActionEntry) else None
        lines.append(
            HistoryLine(
                seq=row.seq,
                text=describe_entry(ledger, entry),
                who=_writer(ledger, row),
                at=row.at,
                kind=row.kind,
                counts=row.seq in counting or _counts_beside(ledger, entry, undoable=row.seq in undoable),
                round_number=ledger.rounds_at.get(Key(row.seq)),
                undoable=row.seq in undoable and not ledger.locked,
                deal=action if isinstance(action, Deal) else None,
                tally=action if isinstance(action, RecordTally) else None,
            )
        )
    return list(reversed(lines))


def _writer(ledger: Ledger, row: StoredEntry) -> str:
    """The name of the phone that wrote an entry."""
    if row.actor is not None:
        return called(row.actor.label)
    if not ledger.digital:
        return _("unknown")
    # Entries without a key are deals, or written by bots; at the beginning they seat the bots.
    by_bot = row.seat is not None and not isinstance(ledger.entry(row.seq), SeatEntry | HolderEntry | HintEntry)
    return _("a bot") if by_bot else _("the app")


def _counts_beside(ledger: Ledger, entry: Entry, *, undoable: bool) -> bool:
    """Whether an entry that is no action is still in force."""
    match entry:
        case ActionEntry():
            return False
        case SeatEntry() | HolderEntry() | ProposalEntry() | AnswerEntry() | HintEntry():
            return True
        case OccasionEntry(_seq, occasion):
            return occasion == ledger.occasion
        case ConfirmEntry(_seq, _seat, number):
            rounds = (*ledger.state.finished, *(ledger.pending.rounds if ledger.pending is not None else ()))
            of_round = [each for each in ledger.counting.confirms if each.round_number == number]
            return any(entry in confirmations(done, of_round) for done in rounds if done.number == number)
        case CorrectionEntry():
            return entry == ledger.counting.correction
        case SetupEntry() if ledger.digital:
            return True
        case _:
            return undoable


def _counts_as_entered(ledger: Ledger, step: Step) -> bool:
    entry = ledger.entry(step.key.seq)
    return not step.key.part and isinstance(entry, ActionEntry) and entry.action == step.action


def _describe_team(action: NameTeam, setup: Setup, seat: int | None) -> str:
    names = setup.names
    start = seat if action.start is None else action.start
    if start is not None and not action.partners and action.monster == start:
        return _alone_with_monster(_name(start, names), setup)
    partners = words.listing([_name(partner, names) for partner in action.partners])
    who = _("The start player") if start is None else _name(start, names)
    sentence = _("{name} plays with {partners}") if partners else _("{name} plays alone")
    line = sentence.format(name=who, partners=partners)
    if action.monster is None:
        return line
    return words.with_monster(line, _name(action.monster, names), setup.ruleset)


def _alone_with_monster(name: str, setup: Setup) -> str:
    if words.plays_without_monster(setup.ruleset):
        return _("{name} plays alone and scores double").format(name=name)
    return _("{name} plays alone and holds the monster").format(name=name)


def _cards(cards: Cards) -> str:
    """Cards by name where they are known, else how many."""
    if isinstance(cards, Hidden):
        return ngettext("{count} card", "{count} cards", cards.count).format(count=cards.count)
    return words.cards_named(cards)


def _name(seat: int, names: Sequence[str]) -> str:
    # A correction may have removed the seat of an old entry: it is still listed.
    return words.isolated(names[seat]) if 0 <= seat < len(names) else str(seat)


def _space(
    row: RowKey, space: str, setup: Setup, named: Callable[[RowKey, str, Ruleset, Sequence[str]], str] = words.covered
) -> str:
    known = space in setup.ruleset.spaces(row)
    return named(row, space, setup.ruleset, setup.names) if known else space


def _settled(action: EnterConditions, setup: Setup) -> str:
    return ", ".join(_space(row, space, setup, words.settled) for row, space in action.spaces.items())
