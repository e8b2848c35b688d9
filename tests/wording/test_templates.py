"""Every wording is there, says its facts, and survives the mail."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from datetime import date, timedelta
from inspect import get_annotations
from pathlib import Path
from typing import Any, get_args

import pytest
from jinja2 import UndefinedError, meta, nodes

import pbem
from pbem import folder
from pbem.bootstrap import find_games
from pbem.cli.diagram import NotOfTiles
from pbem.commands import reading, userids
from pbem.commands import refusals as unreadable
from pbem.commands.command import Command
from pbem.commands.secrets import HIDDEN, TYPED
from pbem.commands.verbs import VERBS
from pbem.diagrams.hextile import parse
from pbem.domain import administration, clocks, credentials, preferences, vacations, watches
from pbem.domain import records as board_records
from pbem.domain import seeks as terms
from pbem.domain.events import OfferKind
from pbem.domain.mails import Notice
from pbem.errors import Ambiguous, NotAllowed, NotNow, PlayerError, Unreadable
from pbem.games import game, options, plans, records, studies
from pbem.games import records as json_lines
from pbem.games.hextile import notation
from pbem.games.mamba import refusals as mamba
from pbem.hall import refusals as hall
from pbem.ids import BoardNumber
from pbem.usecases import (
    addresses,
    admin_accounts,
    analyses,
    answering,
    authentication,
    blocking,
    board_views,
    challenging,
    confirmations,
    context,
    correspondents,
    follow_ups,
    guests,
    hints,
    imports,
    messages,
    moves,
    offers,
    opponents,
    passwords,
    previews,
    private_notes,
    puzzles,
    rankings,
    seats,
    seeks,
    signing_in,
    signup,
    tournament_entries,
    tournament_rounds,
    understanding,
    watching,
    wrong_passwords,
)
from pbem.usecases import admin_boards as board_deeds
from pbem.usecases import blocking as readiness
from pbem.usecases import confirmations as consent
from pbem.usecases import moves as submissions
from pbem.usecases import plans as planned
from pbem.usecases import preferences as preference_commands
from pbem.usecases import preferences as vacation_commands
from pbem.usecases import refusals as reasons
from pbem.usecases import signing_in as token_commands
from pbem.usecases import signing_in as visitors
from pbem.usecases import signup as checks
from pbem.usecases import studies as studying
from pbem.usecases import tournament_entries as tournament_options
from pbem.web import context as visits
from pbem.web.admin import OperatorLinkSpent, TooManyLinksTried
from pbem.web.api.commands import BadKey
from pbem.web.context import NoSuchValueAsked
from pbem.web.pages import pushes
from pbem.wording.layout import WIDTH
from pbem.wording.templates import Wording, template_name
from pbem.workers.alarms import ALARM, MAILBOX_ALARM, RELAY_ALARM
from pbem.workers.backups import BACKUP_ALARM
from tests.support.pseudo_language import LANGUAGE, mail_left

SERVER: dict[str, object] = {
    "server_address": "pbem@localhost",
    "server_url": "http://localhost",
    "server_version": "1",
    "trust_from": False,
    "max_commands": 20,
}
WORDING = Wording(folder("templates"), SERVER, find_games())
PARENTS = {
    PlayerError,
    Unreadable,
    NotAllowed,
    NotNow,
    Ambiguous,
    game.UnreadableMove,
    game.IllegalMove,
    notation.IllegalPlacement,
    mamba.BadStep,
    mamba.IllegalStep,
}
"""Classes that are never raised themselves."""

B101 = BoardNumber(101)
GAMES = ("mambo", "superbo")
VERBS_KNOWN = ("move", "swap")
EXAMPLES: list[PlayerError] = [
    guests.TooManyGuests(in_all=True),
    guests.TooManyGuests(in_all=False),
    correspondents.TooManyQuestions(),
    correspondents.FileForPlayers(),
    credentials.TooManyPosts(60, 12),
    token_commands.BadTokenName(),
    token_commands.KeyUsed(),
    token_commands.NoSuchToken(),
    token_commands.TokenNameTaken("laptop"),
    token_commands.TooManyTokens(5),
    watches.NoSuchPart(7),
    NoSuchValueAsked("move", "x", ()),
    NoSuchValueAsked("which", "x", ("all", "active")),
    BadKey(100),
    signup.UseridTaken("bob"),
    signup.UseridAlike("bob"),
    signup.SignedUpAlready("bob"),
    checks.BadPassword(128),
    checks.BadAddress("x@", is_ours=False),
    checks.BadAddress("pbem@localhost", is_ours=True),
    checks.BadAddress("", is_ours=False),
    signup.OneSignupALetter(),
    checks.TooManyAddresses(5),
    challenging.InvalidChallenge("superbo", [understanding.NoSuchPlayer("bob")]),
    understanding.NoSuchPlayer("bob"),
    challenging.PlayerNotConfirmed("bob", is_placeholder=False),
    challenging.PlayerNotConfirmed("bob", is_placeholder=True),
    *(challenging.PlayerNotAvailable("bob", reason) for reason in ("frozen", "unreachable", "gone")),
    challenging.ChallengerUnreachable("bob", None, stopped=False),
    challenging.ChallengerUnreachable("bob", "op@example.org", stopped=True),
    *(seats.CannotBeSeated("bob", bar) for bar in get_args(seats.Bar)),
    challenging.WrongNumberOfPlayers(["alice", "bob", "bob"], 2, 2),
    challenging.WrongNumberOfPlayers(["alice"], 2, 4, put_in_front=True),
    challenging.ChallengedEnough(0),
    challenging.ChallengedEnough(1),
    challenging.ChallengedEnough(100),
    challenging.TakesNoChallenges("bob", "superbo"),
    challenging.AtLimit("bob", "superbo", 1),
    challenging.AtLimit("bob", "superbo", 3),
    challenging.YouHaveBlocked("bob"),
    challenging.StillInPlay(B101),
    challenging.OfTournament(B101, "spring"),
    analyses.NotOver(B101),
    analyses.NothingPlayed(B101),
    analyses.StandsTheSame(B101, type(B101)(102)),
    analyses.OneAnalysis(B101, B101),
    analyses.OneAnalysis(B101, type(B101)(102)),
    analyses.TooManyAnalyses(B101, 20),
    analyses.NoAnalyst(),
    hints.HintNotFair(B101, is_rated=False),
    hints.HintNotFair(B101, is_rated=True),
    puzzles.NoSuchPuzzle(999, 300),
    puzzles.NoSuchPuzzle(1, 0),
    puzzles.PuzzleOfOtherGame(3, "mambo", "superbo"),
    puzzles.NoPuzzles("mamba", GAMES),
    puzzles.NoPuzzles(None, ()),
    puzzles.AllSolved(None, 300),
    puzzles.AllSolved("mambo", 1),
    opponents.RobotAtBoard("robot3", "alice", [B101], is_you=True),
    opponents.RobotAtBoard("robot3", "alice", [B101, B101], is_you=False),
    opponents.BoardTooLarge("robot3", "superbo", "Superbo", 400, 128),
    opponents.BoardTooLarge("robot3", "lambo", "Lambo", 400, 96),
    opponents.NotForRobots("robot3"),
    administration.OnlyRobotsStay(),
    challenging.PairForTwo(["alice", "bob", "carol"]),
    readiness.LimitTooHigh(999),
    seeks.TooManySeeks("superbo", 10),
    blocking.BlocksOneself(),
    blocking.TooManyBlocks(200),
    *(terms.TermOutOfPlace(option) for option in ("pair", "pace", "players", "unrated")),
    terms.TimeNeeded("nagtime"),
    terms.NagTooLate(timedelta(days=21), timedelta(days=5)),
    addresses.NothingToChange(),
    *(
        consent.NobodyToAsk(operator, asks=asks, stopped=stopped)
        for operator in (None, "operator@example.org")
        for asks in (False, True)
        for stopped in (False, True)
    ),
    *(checks.AddressBarred("bob@example.org", operator) for operator in (None, "operator@example.org")),
    consent.OneChangeALetter(),
    passwords.NoPasswordSaid(),
    *(confirmations.NotAsked(reason) for reason in ("unknown", "answered", "expired", "replaced", "web")),
    confirmations.NotAsked("answered", B101),
    *(confirmations.NeitherYesNorNo(board) for board in (None, B101)),
    confirmations.AnsweredFromElsewhere("bob@example.org"),
    confirmations.AnsweredFromElsewhere(""),
    context.NoSuchGame("chess", GAMES),
    rankings.NoSuchVariant("mambo", "mambogu", ("mamba", "mambogo")),
    rankings.NoSuchVariant("superbo", "mambogo", ()),
    rankings.NotInFormat("Superbo", "PGN"),
    unreadable.UnknownCommand("jump", VERBS_KNOWN, GAMES),
    unreadable.UnknownCommand("", VERBS_KNOWN, GAMES),
    unreadable.MoveWithoutBoard("lay b2>b3 move e5-e7"),
    unreadable.MoveWithoutBoard("e5-e7," * 20),
    unreadable.UnknownGame("chess", GAMES),
    unreadable.UnknownVerb("jump", "superbo", VERBS_KNOWN),
    unreadable.NoVerb("superbo"),
    unreadable.GameNeeded("challenge", GAMES),
    unreadable.NotOfOneGame("signup", "superbo"),
    *(unreadable.MissingWord("move", what) for what in ("board", "move", "userid")),
    *(unreadable.PasswordMissing(form, "bob") for form in ("move", "set", "seek", "vacation", "add")),
    *(unreadable.MissingWord("change", what) for what in ("address", "change", "new")),
    unreadable.NotABoard("move", "bob"),
    unreadable.NotAMoveNumber("move", "x"),
    unreadable.NotAMoveNumber("move", ""),
    unreadable.NotAMoveNumber("move", "1" * 21),
    unreadable.NoMoveButCommand("queue", "resign", 101),
    unreadable.NoMoveButCommand("submit", "undo", 101),
    unreadable.NotASetting("set", "describe"),
    *(unreadable.NotANumber(verb, "many") for verb in ("limit", "seek")),
    unreadable.NotANumber("puzzle", "chess"),
    *(unreadable.MissingWord("puzzle", what) for what in ("puzzle", "move")),
    unreadable.NotADate("vacation", "2026-02-30"),
    unreadable.UnknownDeed("tournament", ("create", "join", "show")),
    *(unreadable.MissingWord(verb, what) for verb, what in (("subscribe", "watched"), ("tournament", "name"))),
    unreadable.MissingWord("show", "shown"),
    unreadable.UnknownCommand("mvoe", ("move", "swap"), GAMES),
    *(unreadable.UnknownCommand("...", VERBS_KNOWN, GAMES), unreadable.UnknownGame("...", GAMES)),
    *(unreadable.UnknownVerb(word, "superbo", VERBS_KNOWN) for word in ("mvoe", "...")),
    *(unreadable.UnknownGame(word, GAMES) for word in ("superb", "mamboo")),
    *(reading.NoCommand(*words, VERBS_KNOWN, GAMES) for words in (("...", "there"), ("...", "..."), ("mvoe", ""))),
    *(options.UnknownOption(word, ["slow", "slower"]) for word in ("slwo", "SLOW")),
    preferences.UnknownPreference("bord", ("mail", "board")),
    context.NoSuchGame("superb", GAMES),
    unreadable.LeftOver("resign", 5),
    unreadable.LeftOver("show", 5),
    unreadable.TooManyWords(200),
    unreadable.NameOfSeveralWords("tournament"),
    *(unreadable.ReadsAsSentence(form) for form in ("chat", "accept", "note")),
    puzzles.NoMoveForPuzzle(),
    understanding.NoSuchBoard(B101),
    understanding.OtherGame(B101, "mambo", "superbo"),
    understanding.NotAtBoard(B101, "bob"),
    understanding.BoardOver(B101),
    watching.NoMoreMails(B101),
    moves.NotYourTurn(B101, "bob"),
    moves.NotYourTurn(B101, "bob", ["cut e3", "cut e7"]),
    moves.OutOfTheGame(B101),
    moves.Overtaken(B101, can_act=True, on_web=False),
    moves.Overtaken(B101, can_act=False, on_web=True),
    administration.TooFewStay("Mamba", 1, 2),
    follow_ups.OtherMoveNumber(B101, 7, 5),
    answering.MoveDenied("C4,K5"),
    planned.NothingQueued(B101),
    planned.NothingPlanned(B101),
    *(studies.StudyUnreadable(word, missing) for word in ("", "foo") for missing in ("#", "move", ")", "}")),
    studies.StudyUnreadable("{", "words"),
    *(studies.StudyTooLarge(what, 500) for what in ("moves", "nested", "comment", "title", "text")),
    *(studies.NoMoveToStudy(number, last) for number, last in ((7, 0), (7, 4), (0, 4))),
    studies.NoMoveToStudy(5, 4, is_comment=True),
    studies.VariationStopped(12, "C4,K5", [notation.GameIsOver()]),
    studies.BadStudy("title"),
    board_records.StudyOfGameInPlay(),
    *(studying.NoStudy(B101, moveno) for moveno in (None, 0, 12)),
    studying.NoStudy(B101, several=True),
    studying.GameStillOn(B101),
    studying.EmptyStudy(),
    studying.NothingToStudy(B101, is_annulled=False),
    studying.NothingToStudy(B101, is_annulled=True),
    studying.NoSharedStudy(),
    studying.TooManyStudies(B101),
    studying.StudyChanged(B101),
    private_notes.NothingNoted(B101),
    private_notes.NothingNoted(B101, several=True),
    private_notes.NoteTooLong(B101, 4001),
    private_notes.TooManyNotes(B101),
    private_notes.NoteChanged(B101),
    follow_ups.PlanOnTurn(B101, has_all=False),
    follow_ups.PlanOnTurn(B101, has_all=True),
    planned.PlanIsPrivate(B101),
    planned.PlanChanged(B101),
    planned.PlanChanged(B101, adds=True),
    *(plans.PlanUnreadable(word, missing) for word in ("", "foo", ";") for missing in ("if", "then", "move", ")")),
    plans.TooManyBranches(),
    plans.ElseNotLast("else K7,M2"),
    plans.BranchImpossible("if C4,K5 then G2,H7", "C4,K5", [notation.GameIsOver()]),
    plans.BranchImpossible("if C4,K5 then resign", "resign", [notation.GameIsOver()]),
    plans.BranchImpossible("if *,*,* then G2,H7", "*,*,*", [plans.TurnTooLong()]),
    plans.BranchPastEnd("if C4,K5 then G2,H7", "G2,H7"),
    plans.NotYetOnTurn("if C4,K5 then G2,H7", "C4,K5"),
    submissions.NothingSubmitted(B101),
    offers.NothingOffered(B101),
    *(offers.OwnOffer(B101, kind) for kind in OfferKind),
    *(offers.AgreedAlready(B101, kind) for kind in OfferKind),
    *(offers.OfferOpen(B101, kind, "bob", is_own=is_own) for kind in OfferKind for is_own in (True, False)),
    *(offers.OfferedTooSoon(B101, kind) for kind in OfferKind),
    offers.TooEarlyForDraw(B101, ["bob"]),
    offers.TooEarlyForDraw(B101, ["bob", "carol"]),
    offers.NothingToTakeBack(B101),
    *(submissions.WordsForNobody(is_certain=each) for each in (True, False)),
    offers.LeftSince(B101, "bob"),
    previews.TooManyTurns(60),
    *(previews.PreviewStopped(B101, 2, said, [notation.GameIsOver()]) for said in ("C3", "resign")),
    *(previews.TurnPastEnd(B101, which, "C3") for which in (1, 2)),
    previews.DecisionBetween(None, 1, "lay b2>b3 pass", ["cut e3", "cut e7"]),
    previews.OtherNumberOfPlayers(5, 2, 4),
    previews.OtherNumberOfPlayers(3, 2, 2),
    parse.UnreadableDrawing(3, 4, "?"),
    parse.UnreadableDrawing(3, 4, "\u00fc", "o"),
    parse.UnreadableDrawing(3, 4, " ", "o"),
    parse.TilesApart(3, 4),
    parse.DrawingTooLarge(1000),
    parse.NothingDrawn(),
    NotOfTiles("Mamba", ("lambo", "mambo")),
    wrong_passwords.TooManyAttempts(1),
    wrong_passwords.TooManyAttempts(37),
    wrong_passwords.TooManyPasswords(3),
    authentication.WrongPassword(),
    signing_in.LinkSpent(),
    signing_in.LinkSpent(is_confirmed=True),
    signing_in.TooManyTries(1),
    signing_in.TooManyTries(37),
    signing_in.WrongSignIn(),
    visits.Busy(),
    visits.NotFromHere(),
    pushes.NoPushService(),
    OperatorLinkSpent(),
    TooManyLinksTried(),
    visits.NotSignedIn(),
    visitors.TooManyAsked(),
    *(
        refusal(operator)
        for refusal in (authentication.AccountFrozen, authentication.AccountBanned)
        for operator in (None, "op@x.org")
    ),
    authentication.NotConfirmed("bob"),
    authentication.UnknownSender("bob@example.org", expired=False, takes_password=False),
    authentication.UnknownSender("bob@example.org", expired=True, takes_password=True),
    authentication.UnknownSender("", expired=False, takes_password=False),
    authentication.UnknownSender("", expired=True, takes_password=True),
    authentication.SeveralSenders("bob@example.org", ["bob", "carol"]),
    preferences.UnknownPreference("colour", ("mail", "board")),
    preferences.BadPreference("mail", "loud", ("both", "text", "html")),
    preferences.NoSuchTimezone("paris", ("Europe/Paris",)),
    preferences.NoSuchTimezone("atlantis", ()),
    clocks.UnreadableDuration("soon"),
    vacations.VacationIsPast(date(2026, 5, 1), date(2026, 5, 2)),
    vacations.VacationTooLong(date(2026, 7, 1), 30, date(2026, 6, 1)),
    vacations.VacationTooLong(date(2026, 7, 1), 30, None),
    vacation_commands.NotOnVacation(),
    tournament_options.TwoKinds(),
    tournament_options.RoundsAreGiven(),
    tournament_options.NotForTwo("mamba"),
    tournament_entries.BadTournamentName("spring!"),
    tournament_entries.TournamentTaken("superbo", "spring"),
    tournament_entries.TooManyTournaments(3),
    tournament_entries.NoSuchTournament("superbo", "sprong", ["spring"]),
    tournament_entries.NoSuchTournament("superbo", "sprong", []),
    tournament_entries.TournamentRunning("spring"),
    tournament_entries.TournamentOver("spring"),
    tournament_entries.TournamentFull("spring", 200),
    tournament_entries.JoinedAlready("spring"),
    tournament_entries.NotInTournament("spring"),
    tournament_rounds.NotYoursToStart("spring", "bob"),
    tournament_rounds.NotYoursToStart("spring", None),
    *(tournament_rounds.TooFewEntrants("spring", entrants) for entrants in (0, 1, 2)),
    clocks.DurationOutOfRange("0", clocks.SHORTEST, clocks.LONGEST),
    preference_commands.PreferenceSetTwice("mail", "html", "text"),
    reading.NoCommand("hello", "there", VERBS_KNOWN, GAMES),
    reading.NoCommand("hello", "", VERBS_KNOWN, GAMES),
    reading.EmptyLetter(),
    reading.EmptyLetter(board=101),
    reading.EmptyLetter(on_web=True),
    reading.AnswerLost(),
    reading.NothingAsked(None),
    reading.NothingAsked(B101),
    reading.NothingListed(),
    reading.TooManyCommands(20),
    reading.LineTooLong(4000),
    userids.BadUserid("", "empty"),
    *(userids.BadUserid("b", reason) for reason in ("long", "digits", "dash", "character", "unprintable", "foreign")),
    *(userids.BadUserid("b", reason) for reason in ("placement", "command", "game", "reserved")),
    board_records.NotPlayed(B101),
    board_records.BoardAnnulled(B101),
    imports.UnsoundRecord(3, notation.NullPoint("A1", 1, space="A")),
    imports.UnsoundRecord(None, records.TurnAfterEnd()),
    imports.PlayersNotHere(["alice"]),
    imports.PlayersNotHere(["alice", "bob"]),
    imports.SignupUnderWay("bob"),
    administration.BadText("empty", 2000),
    administration.BadText("long", 2000),
    administration.BadText("control", 2000),
    board_deeds.NotSeated(B101, "bob"),
    board_deeds.CannotBeWon(B101, "bob"),
    board_deeds.SeatedAlready(B101, "bob"),
    admin_accounts.OtherStanding("bob", "banned"),
    admin_accounts.MailIsSo("bob", stopped=True),
    admin_accounts.MailIsSo("bob", stopped=False),
    messages.ReportsOneself(),
    messages.OtherNotAtBoard(B101, "bob"),
    messages.NothingSaid(),
    messages.TooManyReports(5),
    messages.NoSuchReport(7, closed=False),
    messages.NoSuchReport(7, closed=True),
    json_lines.NoJson(0),
    json_lines.NoJson(7),
    json_lines.NoJson(7, cut_off=True),
    json_lines.NameTwice("size"),
    json_lines.TooDeep(32),
    json_lines.NumberTooLong(15),
    json_lines.RecordTooLong(),
    records.UnknownFormat("pbem-game/2"),
    records.UnknownFormat(None),
    *(
        records.BadField(field, missing=missing)
        for field in ("game", "options", "players", "turns", "result", "rules", "first")
        for missing in (False, True)
    ),
    records.OtherRules("superbo", 2, 1),
    records.NotForSoMany("superbo", 1, 2, 2),
    records.NotForSoMany("mamba", 5, 2, 4),
    records.UnreadableEvent(),
    records.NoSuchSeat(2, 2),
    records.SeatIsOut(1),
    records.OutOfTurn(0, 1),
    records.SeatMissing(),
    records.TurnAfterEnd(),
    records.OtherResult(records.RecordedResult((0,), "eye"), None),
    records.OtherResult(records.RecordedResult((0, 2)), records.RecordedResult((), "supply_empty")),
    understanding.NoSuchMove(B101, 9, 4),
    understanding.NoSuchMove(B101, 9, 0),
    watching.UnsubscribedFromElsewhere("bob@example.org"),
    watching.UnsubscribedFromElsewhere(""),
    watching.NotSubscribed(number=B101),
    watching.NotSubscribed(other="bob"),
    watching.NotSubscribed(other="bob", of_game="superbo"),
    watching.NotSubscribed(of_game="superbo"),
    watching.NotSubscribed(),
    watching.NotSubscribed(waits_for_ends=True),
    watching.TooManyWatches(200),
    watching.WatchesOwn(),
    watching.WatchesOwn(B101),
    messages.NoWords(),
    messages.NoWords(several=True),
    messages.NoWords(on_web=True),
    messages.NoWords(several=True, on_web=True),
    messages.NeverPlayed(B101),
    messages.NotListening(B101),
    *(messages.NoMailTo("bob", reason) for reason in ("gone", "unconfirmed", "unreachable")),
    messages.WritesToOneself(),
    messages.TooManyReaders(20),
    messages.SaidEnough("message", 100),
    messages.SaidEnough("broadcast", 1),
    messages.SaidEnough("broadcast", 0),
    board_views.SeveralOfOneLabel("A1", [B101, BoardNumber(105)]),
    reasons.SeveralReasons([understanding.NoSuchBoard(B101), understanding.NoSuchPlayer("bob")]),
    options.UnknownOption("fast", []),
    options.UnknownOption("fast", ["slow", "slower"]),
    options.UnknownOption("", ["slow", "slower"]),
    options.AmbiguousOption("s", ["slow", "slower"]),
    options.OptionOutOfRange("size", "401", 4, 400),
    options.OptionOutOfRange("size", "", 4, 400),
    options.NoSuchValue("auto", "some", ["none", "full"]),
    options.NoSuchValue("auto", "", ["none", "full"]),
    options.NoSuchValue("mamba", "2", []),
    options.NoSuchValue("size", "10", ["9", "11"]),
    options.OptionsRefused([options.UnknownOption("slow", ["fast"]), options.NobodyCouldWin(["tied"])]),
    *(options.OptionsContradict("slow", "fast", clash) for clash in options.Clash),
    options.OptionNeedsAnother("tiebreak=total", "territory"),
    options.FullAutoImpossible("auto=full", 4),
    options.NobodyCouldWin(["no_kill", "tied"]),
    notation.UnreadablePlacement("??", 1),
    notation.UnreadablePlacement("", 1),
    notation.UnreadablePlacement("??", 3),
    *(notation.TooManyTiles("A1", most) for most in (1, 2)),
    notation.UnreadableTurn(0),
    notation.UnreadableTurn(2),
    notation.GameIsOver(),
    notation.NoSuchSpace("A1", 1, space="A", filled=True),
    notation.NoSuchSpace("A1", 1, space="A", filled=False),
    notation.NothingToPointFrom("ne1", 1, direction="ne"),
    notation.NoSuchState("A13", 1, state=13, lowest=1, highest=12),
    notation.CornerMismatch("A1", 1, space="A", state=1, corner="NE", needed="o", shown="x"),
    notation.NoTileLeft("A1", 1, state=1, kind="O bridge"),
    notation.NoTileLeft("A1", 1, state=1, kind="tile"),
    notation.NotJoined("A1", 2, joined="adjacent"),
    notation.NotJoined("A1", 2, joined="connected"),
    notation.ColourMissing("A1", 1, colour="x"),
    notation.ColourMissing("A1", 2, colour="x"),
    notation.NothingCouldFollow("A1", 1),
    notation.NullPoint("A1", 1, space="A"),
    notation.NoPassing(),
    notation.SwapNotAgreed(),
    notation.SwapTooLate(),
    notation.TileNeeded("A1", 2),
    notation.TileNeeded("", 1),
    notation.TileNotAllowed("A1", 3, allowed=2, supply_empty=False),
    notation.TileNotAllowed("A1", 2, allowed=1, supply_empty=False),
    notation.TileNotAllowed("A1", 2, allowed=1, supply_empty=True),
    notation.AlreadyDecided("A1", 2, deciding="B2", winners=(0,)),
    mamba.UnreadableStep(1, "jump"),
    mamba.UnreadableStep(2, "e3"),
    mamba.StepNeedsCells(1, "lay", "b"),
    mamba.StepNeedsCells(1, "move", ""),
    mamba.StepNeedsCells(3, "turn", ""),
    mamba.StepNeedsCells(2, "cut", "pass"),
    mamba.NoSuchCell(2, "k11", "i9", "move e5-k11"),
    mamba.UnreadableInput(),
    mamba.NothingToPlay(),
    mamba.TooManySteps(100),
    mamba.TeamsNeedFour("teams", 3),
    mamba.GameIsOver("pass", 1),
    mamba.GameIsOver("pass", 3),
    mamba.NotOwnPiece("move e5-e6", 1, cell="e5", owner=None, mover="A"),
    mamba.NotOwnPiece("move e5-e6", 1, cell="e5", owner="B", mover="A"),
    mamba.NotIsolated("lay e5>e6", 1, cell="e5", beside=["e4", "f6"], strict=False),
    mamba.NotIsolated("lay e5>e6", 1, cell="e5", beside=["e4"], strict=False),
    mamba.NotIsolated("lay a5>a6", 1, cell="a5", beside=[], strict=True),
    mamba.HasLaid("lay e5>e6", 2, cell="e5"),
    mamba.NotBeside("lay e5>e7", 1, by="e5", cell="e7"),
    mamba.NoPieceLeft("lay e5>e6", 1, pieces=40),
    mamba.OutOfReach("move e5-e8", 1, start="e5", end="e8"),
    mamba.OutOfReach("move e5-e5", 1, start="e5", end="e5"),
    mamba.CellTaken("move e5-e6", 1, cell="e6", owner="A"),
    mamba.WayTaken("move e5-e7", 1, start="e5", end="e7", between=["e6"]),
    mamba.WayTaken("move e5-f6", 1, start="e5", end="f6", between=["f5", "e6"]),
    mamba.MustMove("pass", 1, example="move e5-e6"),
    mamba.TurnIsOver("move e5-e6", 2),
    mamba.AnswerIsComplete("pass", 2),
    mamba.NothingToDecide("cut e3", 1),
    mamba.DecisionNeeded("pass", 1, options=["turn e3", "turn e4", "turn f5"]),
    mamba.DecisionNeeded("pass", 3, options=["cut e3", "cut e7"]),
    mamba.NoSuchOption("cut e4", 1, options=["cut e3", "cut e7"]),
    mamba.StepsRefused([mamba.HasLaid("lay e5>e6", 2, cell="e5"), mamba.TurnIsOver("pass", 4)]),
    mamba.AmbiguousCut("cut e3", 2, options=["cut e3-e4", "cut e3-f3"]),
    opponents.GameNotForRobots("Hex"),
    hall.BoardTooSmall(["columns=3", "row=9"]),
    hall.CannotBePlayed("z77", "Hex", "f6"),
    hall.NotPlayableNow("f6", "c3"),
    hall.NotPlayableNow("f6", ""),
    hall.CannotBePlayed("", "Amazons", "d1-d7 g7"),
    hall.AmbiguousMove("bc4", ["bxc4", "Bc4"]),
    hall.TurnIsComplete("g7", "h7"),
    hall.TurnGoesOn("d1-d7", "g7"),
    hall.MoveNotPossible("d1-d7"),
    hall.SwapNotPossible(),
    hall.NotWellFormed("PGN", 12, "}"),
    hall.NotWellFormed("PGN", 12, ""),
    hall.GameNotNamed("PGN", "Atomic"),
    hall.GameNotNamed("SGF", ""),
    hall.BegunElsewhere("PGN"),
    hall.PlayersNotNamed("PGN"),
    hall.LongerThanAnyGame(3000, 2000),
]


OURS = frozenset(
    """
    bar barred by cell clash colour corner creator end example expected field form format found game is_game joined kind
    known last mover needed of_game one operator other owner reason sender shown standing start title to_act verb what
    """.split()  # noqa: SIM905 - a list of so many words is no better to read
)
"""Facts of refusals that are words of ours, cells of a board, or names of what there is."""


def all_below(root: type) -> Iterator[type]:
    """Every subclass that any module of the package defines."""
    for module in pkgutil.walk_packages(pbem.__path__, "pbem."):
        if not module.name.endswith("__main__"):
            try:
                importlib.import_module(module.name)
            except ModuleNotFoundError as absent:  # of the extra ``hall``
                if absent.name != "pyspiel":
                    raise
    unseen: list[type] = [root]
    while unseen:
        below: list[type] = unseen.pop().__subclasses__()
        for each in below:
            unseen.append(each)
            # a dataclass with slots is made twice; the first one is in no module
            if getattr(sys.modules[each.__module__], each.__name__, None) is each and each.__module__.startswith(
                "pbem."
            ):
                yield each


def plain(leaf: type[PlayerError]) -> PlayerError | None:
    """An example of a refusal whose facts are numbers, or that has none; None for any other."""
    hints = [
        hint for each in reversed(leaf.__mro__) for hint in get_annotations(each).values() if "ClassVar" not in hint
    ]
    is_plain = "__init__" not in vars(leaf) and all(hint in ("int", "BoardNumber") for hint in hints)
    return leaf(*range(7, 7 + len(hints))) if is_plain else None


EXAMPLES += [
    example
    for leaf in all_below(PlayerError)
    if leaf not in {*PARENTS, *map(type, EXAMPLES)} and (example := plain(leaf)) is not None
]


MAILS = {each.stem: each for each in (folder("templates") / "mail").glob("*.txt")}
REFUSALS = [
    name
    for each in (folder("templates") / "errors").glob("*.txt")
    for name in re.findall(r"{% block (\w+) %}", each.read_text())
]


def test_every_refusal_has_an_example_here() -> None:
    assert {type(example) for example in EXAMPLES} == set(all_below(PlayerError)) - PARENTS


def test_every_refusal_has_a_template_and_every_template_a_refusal() -> None:
    worded_elsewhere = {"invalid_challenge"}
    leaves = {template_name(type(example)) for example in EXAMPLES}
    assert leaves - worded_elsewhere <= set(REFUSALS)
    # what a game of another package refuses is worded as the class that it comes from
    assert set(REFUSALS) <= leaves | {template_name(parent) for parent in PARENTS}
    assert len(REFUSALS) == len(set(REFUSALS))


@pytest.mark.parametrize("error", EXAMPLES, ids=str)
def test_a_fact_is_a_word_of_ours_or_blanked_where_it_may_be_a_password(error: PlayerError) -> None:
    """A new refusal must say which of its facts repeat what somebody has typed."""
    texts = {name for name, fact in error.facts.items() if isinstance(fact, str)}
    assert texts <= OURS | TYPED
    assert not OURS & TYPED


@pytest.mark.parametrize(
    "error", [each for each in EXAMPLES if not isinstance(each, challenging.InvalidChallenge)], ids=str
)
def test_a_refusal_says_its_facts_in_sentences(error: PlayerError) -> None:
    said = WORDING.reason(error)
    assert said.rstrip(")").endswith((".", ">", "?")), said
    assert "None" not in said
    assert "Undefined" not in said
    assert said.isascii()
    assert "  " not in said.replace(":  signup", ": signup")
    assert max(map(len, said.split("\n"))) <= WIDTH


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("\u001b[2J", r"\x1b[2J"),
        ("\u001b]0;x\u0007", r"\x1b]0;x\x07"),
        ("\u202eabc", r"\u202eabc"),
        ("a\tb\u0085", r"a\tb\x85"),
        ("\ud800", r"\ud800"),
        ("h\u00fcgel", "h\u00fcgel"),
        ("C:\\", "C:\\"),
    ],
)
def test_no_refusal_steers_a_terminal(typed: str, shown: str) -> None:
    within = imports.UnsoundRecord(1, options.UnknownOption(typed, ["slow"]))
    for error in (context.NoSuchGame(typed, GAMES), imports.PlayersNotHere([typed]), within):
        said = WORDING.reason(error)
        assert shown in said
        assert said.replace("\n", " ").isprintable()


def test_several_steps_are_each_named_with_its_place_in_a_paragraph() -> None:
    failing: list[mamba.IllegalStep] = [
        mamba.NotOwnPiece("lay a4>a3", 1, cell="a4", owner=None, mover="A"),
        mamba.NotOwnPiece("lay b4>b3", 3, cell="b4", owner="B", mover="A"),
    ]
    failing[0].facts["steps"] = 3
    assert WORDING.reason(mamba.StepsRefused(failing)).split("\n\n") == [
        "Step 1, lay a4>a3: there is no piece on a4.",
        "Step 3, lay b4>b3: the piece on b4 belongs to B, but it is A's turn.",
    ]


@pytest.mark.parametrize("step", [each for each in EXAMPLES if isinstance(each, mamba.IllegalStep)], ids=str)
def test_a_step_is_named_and_counted_where_there_are_several(
    step: mamba.IllegalStep, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, said = step.facts["which"], WORDING.reason(step)
    if isinstance(step, mamba.GameIsOver) and place == 1:
        assert said.startswith("The game is over")
    else:
        assert said.startswith(f"{step.facts['step']}:" if place == 1 else f"Step {place}, {step.facts['step']}:")
    if place == 1 and not isinstance(step, mamba.GameIsOver):
        monkeypatch.setitem(step.facts, "steps", 2)
        assert WORDING.reason(step).startswith(f"Step 1, {step.facts['step']}:")


def test_several_unknown_options_are_told_with_the_known_ones_once() -> None:
    known = ["slow", "tied"]
    reasons = [options.UnknownOption(word, known) for word in ("a", "b", "a", "")]
    said = WORDING.reason(options.OptionsRefused([*reasons, options.NobodyCouldWin(["tied"])]))
    words = " ".join(said.split())
    assert words.startswith("With -tied, nobody could ever win")
    assert "There is no option -a. There is no option -b. An option's name is missing. The options here: -slow" in words
    assert words.count("-slow") == 1
    assert words.count("option -a") == 1


@pytest.mark.parametrize(
    ("error", "fact"),
    [
        (each, fact)
        for each in EXAMPLES
        for fact in ("word", "userid", "option", "placement")
        if each.facts.get(fact, HIDDEN) not in ("", HIDDEN)
    ],
    ids=str,
)
def test_a_refusal_names_what_it_stumbled_on(error: PlayerError, fact: str) -> None:
    assert str(error.facts[fact]) in WORDING.reason(error)


@pytest.mark.parametrize("command", [each for each in all_below(Command) if hasattr(each, "form")])
def test_every_command_has_a_right_form(command: type[Command]) -> None:
    assert WORDING.forms(command.form)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_help_page_that_is_listed_among_the_commands(verb: str) -> None:
    assert verb in WORDING.help.subjects
    assert f"  {verb} " in help_page("commands").replace("<game> ", "")


def help_page(*subjects: str) -> str:
    return WORDING.render(Notice("help", "a@example.org", {"subjects": subjects})).body


@pytest.mark.parametrize("name", WORDING.help.subjects)
def test_a_help_page_is_ascii_if_english_and_no_wider_than_a_mail(name: str) -> None:
    page = help_page(name)
    assert page.isascii() or name.endswith((" de", " fr"))
    assert max(map(len, page.split("\n"))) <= WIDTH
    assert help_page(name.upper()) == page


def test_help_without_a_subject_is_the_index() -> None:
    assert help_page() == help_page("index")


def test_unknown_subjects_are_answered_with_the_closest() -> None:
    assert "challenge" in help_page("chalenge")
    assert "superbo" in help_page("superb")
    for odd in ("../../../etc/passwd", "help/index", "x" * 5000, "{{ 7 }}", "\u00e4"):
        assert "There is no help about" in help_page(odd)


ALARMS = (ALARM, BACKUP_ALARM, MAILBOX_ALARM, RELAY_ALARM)


def notice_names() -> set[str]:
    """The first argument of every ``Notice(…)`` and of what makes one, in the use cases and the workers."""
    makers = {"Notice", "about_board", "to_players", "to_sender", "tell_of_clocks", "_about"}
    package = Path(pbem.__path__[0])
    found = {f"alarm_{name}{end}" for name in ALARMS for end in ("", "_over")}
    for file in [*package.glob("usecases/**/*.py"), *package.glob("workers/*.py"), *package.glob("bootstrap/*.py")]:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in makers and node.args:
                said = (each for each in ast.walk(node.args[0]) if isinstance(each, ast.Constant))
                found |= {each.value for each in said if isinstance(each.value, str)}
    return found


def test_every_notice_has_a_template_and_every_template_a_notice() -> None:
    assert {"board", "error", "board_error", "shunted", "help"} <= notice_names()
    assert set(MAILS) == notice_names()


@pytest.mark.parametrize("name", sorted(MAILS))
def test_the_subject_stands_first_in_every_template(name: str) -> None:
    assert "Subject: " in MAILS[name].read_text().split("\n\n")[0]


def test_a_missing_fact_is_an_error_and_no_gap() -> None:
    for facts in ({}, {"user": "bob"}):
        with pytest.raises(UndefinedError):
            WORDING.render(Notice("address_confirmed", "a@example.org", {"player": facts, "address": "a@example.org"}))


def test_a_subject_is_one_line_whatever_its_facts() -> None:
    facts: dict[str, Any] = {"subjects": ("a\nb\r\nBcc: x",)}
    words = WORDING.render(Notice("help", "a@example.org", facts))
    assert words.subject == "pbem help: a"
    assert "Bcc" not in words.subject


def test_a_template_is_named_after_its_class() -> None:
    assert template_name(notation.CornerMismatch) == "corner_mismatch"
    assert template_name(unreadable.NotABoard) == "not_a_board"


def test_a_page_for_the_web_escapes_what_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "said.html").write_text("<p>{{ word }}</p>")
    assert Wording(tmp_path, {}).page("said", {"word": "<b>"}) == "<p>&lt;b&gt;</p>"


def unescaped(page: Path) -> list[str]:
    """The lines of a page for the web that use macros of text templates, which escape nothing, without escaping them.

    What a macro says is taken for markup where it is called from a page, whoever has written it.
    """
    tree = WORDING.environment.parse(page.read_text())
    texts = {name for name in meta.find_referenced_templates(tree) if name and name.endswith(".txt")}
    imports = [(each.template.as_const(), each.names) for each in tree.find_all(nodes.FromImport)]
    macros = [name if isinstance(name, str) else name[1] for text, names in imports if text in texts for name in names]
    escaped = [each for each in tree.find_all(nodes.Filter) if each.name == "forceescape"]
    safe = {id(call) for each in escaped for call in each.find_all(nodes.Call)}
    calls = [each for each in tree.find_all(nodes.Call) if getattr(each.node, "name", "") in macros]
    by_line = [f"line {each.lineno}" for each in calls if id(each) not in safe]
    return [*(texts - {text for text, _ in imports}), *by_line]


@pytest.mark.parametrize("page", sorted(folder("templates").rglob("*.html")), ids=lambda page: page.stem)
def test_no_page_takes_words_for_markup(page: Path) -> None:
    assert unescaped(page) == []


def test_every_sentence_of_a_refusal_is_marked(nonsense: Path) -> None:
    wording, left = Wording(nonsense, SERVER, find_games()), {}
    for error in EXAMPLES:
        said = re.findall(r"\w+", repr([*error.facts.values()]))
        left[repr(error)] = mail_left(wording.reason(error, LANGUAGE), *said)
    assert {error: lines for error, lines in left.items() if lines} == {}


def test_a_game_that_could_be_here_is_said_not_to_be_installed() -> None:
    wording = Wording(folder("templates"), {"server_address": "pbem@localhost"}, find_games(), {"hex"})
    for word in ("hex", "HEX"):
        said = wording.reason(unreadable.UnknownGame(word, ["superbo"], "challenge bob"))
        assert said.startswith("The game hex is not installed here.")
    assert "installed" not in wording.reason(unreadable.UnknownGame("chess", ["superbo"], "challenge bob"))
