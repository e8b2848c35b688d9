"""One line of text → one command."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.commands import grammar, model, refusals, writing
from pbem.commands.grammar import begins_command, parse
from pbem.commands.line import BoardAnswered
from pbem.commands.model import (
    AcceptChallenges,
    AcceptOffer,
    AddAddresses,
    AnalyseBoard,
    AnswerPuzzle,
    AskUndo,
    Block,
    BoardMoment,
    Broadcast,
    CancelQueued,
    Challenge,
    ChangeAddresses,
    ChangePassword,
    Chat,
    Command,
    ConfirmMove,
    CreateTournament,
    Credentials,
    EndVacation,
    ExportBoard,
    Forgot,
    Help,
    JoinTournament,
    LimitBoards,
    ListGames,
    Mailed,
    MakeMove,
    NextPuzzle,
    NotifyOfEnd,
    PassTurn,
    PreviewBoard,
    PreviewNew,
    ProposeDraw,
    QueueMove,
    RejectChallenges,
    RejectOffer,
    ReportPlayer,
    Resend,
    Resign,
    Seek,
    SendMessage,
    SetPreferences,
    ShowAs,
    ShowBoards,
    ShowData,
    ShowHistory,
    ShowLimit,
    ShowPlayersBoards,
    ShowPreferences,
    ShowPuzzle,
    ShowRobots,
    ShowSeeks,
    ShowStandings,
    ShowTournament,
    ShowVacation,
    ShowWho,
    SignOff,
    SignUp,
    StartTournament,
    SubmitMove,
    Subscribe,
    SubscribeTo,
    SwapSides,
    TableOfBoards,
    TakeVacation,
    TurnCommand,
    Unblock,
    Unsubscribe,
    UnsubscribeFrom,
    Watched,
    WithdrawFromTournament,
)
from pbem.commands.of_boards import IN_PLACE_OF_A_MOVE
from pbem.commands.writing import verb_of
from pbem.errors import PlayerError, Unreadable
from pbem.ids import BoardNumber

GAMES = ("superbo", "mambo", "mamba")
B101, B102 = BoardNumber(101), BoardNumber(102)
ANSWERED = BoardAnswered(B101)
SORTED = ("mamba", "mambo", "superbo")
FSMITH = Credentials("fsmith", "secret")

MOVES = {
    "superbo move 101 fsmith secret a1,j12": MakeMove(B101, "a1,j12", None, game="superbo", speaker=FSMITH),
    "superbo move 101 fsmith secret a1,j12#17": MakeMove(B101, "a1,j12", 17, game="superbo", speaker=FSMITH),
    "superbo move 101 a1,j12 #17": MakeMove(B101, "a1,j12", 17, game="superbo"),
    "move 101 fsmith secret a1 j12": MakeMove(B101, "a1 j12", None, speaker=FSMITH),
    "move 101 a1": MakeMove(B101, "a1"),
    "MOVE 101 A1": MakeMove(B101, "A1"),
    "SuperBo Move 101 a1": MakeMove(B101, "a1", None, game="superbo"),
    "mvoe 101 a1": MakeMove(B101, "a1"),
    "board 101 a1": MakeMove(B101, "a1"),
    "superbo board 101 fsmith secret a1": MakeMove(B101, "a1", None, game="superbo", speaker=FSMITH),
    "move 101 pass": MakeMove(B101, "pass"),
    "Move 101 Pass.": MakeMove(B101, "Pass"),
    "mamba move 101 fsmith secret lay b2>b3 move e5-e7": MakeMove(
        B101, "lay b2>b3 move e5-e7", game="mamba", speaker=FSMITH
    ),
    "move 101 fsmith secret cut e3": MakeMove(B101, "cut e3", speaker=FSMITH),
    "move 101 fsmith secret e5-e7": MakeMove(B101, "e5-e7", speaker=FSMITH),
    "move 101 fsmith se. pass!": MakeMove(B101, "pass", speaker=Credentials("fsmith", "se.")),
    "move 101 lay b2>b3": MakeMove(B101, "lay b2>b3"),
    "move 101 b2>b3": MakeMove(B101, "b2>b3"),
    "move 101 turn e6 cut c8-c7": MakeMove(B101, "turn e6 cut c8-c7"),
    "move 101 e5\u2013e7": MakeMove(B101, "e5\u2013e7"),
    "move 101 lay b2>b3 move e5-e7 #17": MakeMove(B101, "lay b2>b3 move e5-e7", 17),
    "move 101 lay b2>b3 move e5-e7#17.": MakeMove(B101, "lay b2>b3 move e5-e7", 17),
    "move 101 fsmith secret swap": MakeMove(B101, "swap", speaker=FSMITH),
    "move 101 fsmith se#cret a1": MakeMove(B101, "a1", speaker=Credentials("fsmith", "se#cret")),
    "move 101 fsmith a1 a1": MakeMove(B101, "a1", speaker=Credentials("fsmith", "a1")),
    "move 101 alice@example.org": MakeMove(B101, "alice@example.org"),
    "move 101 lay 7": MakeMove(B101, "lay 7"),
    "move 101 2026-01-01": MakeMove(B101, "2026-01-01"),
    "  move\t101   a1  ": MakeMove(B101, "a1"),
    "swap 101": SwapSides(B101, "swap"),
    "superbo swap 101 fsmith secret": SwapSides(B101, "swap", game="superbo", speaker=FSMITH),
    "Swap 101 #2": SwapSides(B101, "swap", 2),
    "swap 101 fsmith secret #2": SwapSides(B101, "swap", 2, speaker=FSMITH),
    "swap 101 fsmith se#2": SwapSides(B101, "swap", speaker=Credentials("fsmith", "se#2")),
}
OTHERS: dict[str, Command] = {
    "signup fsmith secret": SignUp("fsmith", "secret"),
    "signup fsmith": SignUp("fsmith"),
    "signup fsmith secret a@example.org b@example.org": SignUp("fsmith", "secret", ("a@example.org", "b@example.org")),
    "help": Help(),
    "help superbo move": Help(("superbo", "move")),
    "superbo help": Help(("superbo",)),
    "list": ListGames(),
    "list superbo": ListGames(("superbo",)),
    "superbo list": ListGames(("superbo",)),
    "superbo challenge bob": Challenge("superbo", ("bob",)),
    "superbo chall bob": Challenge("superbo", ("bob",)),
    "superbo challeng carol bob": Challenge("superbo", ("carol", "bob")),
    "superbo challenge -adjacent_pair --random bob": Challenge("superbo", ("bob",), ("adjacent_pair", "random")),
    "superbo challenge \u2013single \u2014random \u2212swap bob": Challenge(
        "superbo", ("bob",), ("single", "random", "swap")
    ),
    "superbo challenge bob bob": Challenge("superbo", ("bob", "bob")),
    "resign 101": Resign(B101),
    "superbo resign 101 fsmith secret": Resign(B101, game="superbo", speaker=FSMITH),
    "move 101 resign": Resign(B101),
    "move 101 fsmith secret Resign": Resign(B101, speaker=FSMITH),
    "add fsmith@example.net": AddAddresses(("fsmith@example.net",)),
    "add a@example.org b@example.org": AddAddresses(("a@example.org", "b@example.org")),
    "Add fsmith secret a@example.org": AddAddresses(("a@example.org",), speaker=FSMITH),
    "change password better": ChangePassword("better"),
    "Change Password: 1234": ChangePassword("1234"),
    "change password a1": ChangePassword("a1"),
    "change password fsmith secret better": ChangePassword("better", speaker=FSMITH),
    "change address": ChangeAddresses(),
    "change address a@example.org": ChangeAddresses(("a@example.org",)),
    "change address fsmith secret": ChangeAddresses(speaker=FSMITH),
    "CHANGE addresses fsmith secret a@example.org b@x": ChangeAddresses(("a@example.org", "b@x"), speaker=FSMITH),
    "forgot fsmith": Forgot("fsmith"),
    "data": ShowData(),
    "data fsmith secret": ShowData(speaker=FSMITH),
    "signoff": SignOff(),
    "signoff fsmith secret": SignOff(speaker=FSMITH),
    "delete fsmith secret": SignOff(speaker=FSMITH),
    "set": ShowPreferences(),
    "set fsmith secret": ShowPreferences(speaker=FSMITH),
    "set describe=on mail=text": SetPreferences((("describe", "on"), ("mail", "text"))),
    "SET fsmith secret Colour=x=y": SetPreferences((("Colour", "x=y"),), speaker=FSMITH),
    "show 101": ShowBoards((BoardMoment(B101),)),
    "superbo show 101 102#7": ShowBoards((BoardMoment(B101), BoardMoment(B102, 7)), "superbo"),
    "show 101#0": ShowBoards((BoardMoment(B101, 0),)),
    "show": ShowAs(),
    "superbo show next": ShowAs((), "next", "superbo"),
    "seek": ShowSeeks(),
    "vacation 5": TakeVacation(timedelta(days=5)),
    "vacation fsmith secret 2 weeks": TakeVacation(timedelta(days=14), speaker=FSMITH),
    "show fsmith": ShowPlayersBoards(("fsmith",)),
    "superbo show fsmith jdoe NEXT": ShowPlayersBoards(("fsmith", "jdoe"), "next", "superbo"),
    "show 9lives all": ShowPlayersBoards(("9lives",), "all"),
    "export 101": ExportBoard(B101),
    "Analyse 101#3": AnalyseBoard(B101, 3),
    "superbo analyze 101": AnalyseBoard(B101, game="superbo"),
    "analyse 101#7": AnalyseBoard(B101, 7),
    "superbo analyse fsmith secret 101": AnalyseBoard(B101, game="superbo", speaker=FSMITH),
    "analyse 101#7 fsmith secret": AnalyseBoard(B101, 7, speaker=FSMITH),
    "mailed 101": Mailed(B101),
    "superbo mailed 101 fsmith secret": Mailed(B101, game="superbo", speaker=FSMITH),
    "resend 101": Resend(B101),
    "resend 101 fsmith secret": Resend(B101, speaker=FSMITH),
    "subscribe 101": Subscribe(B101),
    "sub fsmith secret 101": Subscribe(B101, speaker=FSMITH),
    "superbo subs 101 fsmith secret": Subscribe(B101, game="superbo", speaker=FSMITH),
    "unsubscribe 101": Unsubscribe(B101),
    "unsubscribe fsmith secret 101": Unsubscribe(B101, speaker=FSMITH),
    "Unsub 101 fsmith secret": Unsubscribe(B101, speaker=FSMITH),
    "superbo Export 101": ExportBoard(B101, "superbo"),
    "games": TableOfBoards(),
    "games all": TableOfBoards((), "all"),
    "superbo games fsmith inactive": TableOfBoards(("fsmith",), "inactive", "superbo"),
    "report bob": ReportPlayer("bob"),
    "report bob 101": ReportPlayer("bob", B101),
    "report to bob": ReportPlayer("bob"),
    "Report To bob 101": ReportPlayer("bob", B101),
    "report fsmith secret bob": ReportPlayer("bob", speaker=FSMITH),
    "report fsmith secret bob 101": ReportPlayer("bob", B101, speaker=FSMITH),
}
OF_ACCOUNTS: dict[str, Command] = {
    "vacation": ShowVacation(),
    "vacation fsmith secret": ShowVacation(speaker=FSMITH),
    "vacation 2026-12-31": TakeVacation(date(2026, 12, 31)),
    "Vacation fsmith secret 2026-12-31": TakeVacation(date(2026, 12, 31), speaker=FSMITH),
    "vacation off": EndVacation(),
    "vacation fsmith secret OFF": EndVacation(speaker=FSMITH),
    "block bob": Block("bob"),
    "block to bob": Block("bob"),
    "block fsmith secret bob": Block("bob", speaker=FSMITH),
    "unblock bob": Unblock("bob"),
    "Unblock To bob": Unblock("bob"),
    "unblock fsmith secret bob": Unblock("bob", speaker=FSMITH),
    "message bob": SendMessage(("bob",)),
    "message to bob": SendMessage(("bob",)),
    "message to bob carol": SendMessage(("bob", "carol")),
    "message fsmith secret bob": SendMessage(("bob",), speaker=FSMITH),
    "message fsmith secret bob carol": SendMessage(("bob", "carol"), speaker=FSMITH),
    "broadcast": Broadcast(),
    "broadcast fsmith secret": Broadcast(speaker=FSMITH),
    "who": ShowWho(),
    "puzzle": NextPuzzle(),
    "Puzzle Mambo": NextPuzzle("mambo"),
    "mambo puzzle": NextPuzzle("mambo"),
    "puzzle show 3": ShowPuzzle(3),
    "mambo puzzle 3": ShowPuzzle(3, game="mambo"),
    "puzzle answer 3 A1,b2": AnswerPuzzle(3, "A1,b2"),
    "mambo puzzle answer 3 a1 b2.": AnswerPuzzle(3, "a1 b2", game="mambo"),
    "robot": ShowRobots(),
    "superbo robot": ShowRobots("superbo"),
    "who bob": ShowWho("bob"),
    "standings": ShowStandings(),
    "superbo standings": ShowStandings("superbo"),
    "superbo ratings": ShowStandings("superbo"),
    "all ratings": ShowStandings(),
    "history": ShowHistory(),
    "history bob": ShowHistory("bob"),
    "superbo history": ShowHistory(game="superbo"),
    "superbo history bob": ShowHistory("bob", "superbo"),
}
OF_BOARDS: dict[str, Command] = {
    "queue 101 a1,j12": QueueMove(B101, "a1,j12"),
    "superbo queue 101 fsmith secret a1,j12#17": QueueMove(B101, "a1,j12", 17, game="superbo", speaker=FSMITH),
    "qmove 101 a1": QueueMove(B101, "a1"),
    "moveq 101 fsmith secret lay b2>b3 move e5-e7": QueueMove(B101, "lay b2>b3 move e5-e7", speaker=FSMITH),
    "queue 101 cancel": CancelQueued(B101),
    "superbo queue 101 fsmith secret Cancel.": CancelQueued(B101, game="superbo", speaker=FSMITH),
    "submit 101 a1": SubmitMove(B101, "a1"),
    "subm 101 a1#3": SubmitMove(B101, "a1", 3),
    "superbo submit 101 fsmith secret a1 j12": SubmitMove(B101, "a1 j12", game="superbo", speaker=FSMITH),
    "confirm 101": ConfirmMove(B101),
    "superbo confirm 101 fsmith secret": ConfirmMove(B101, game="superbo", speaker=FSMITH),
    "confirm 101 #4": ConfirmMove(B101, moveno=4),
    "confirm 101#4": ConfirmMove(B101, moveno=4),
    "pass 101": PassTurn(B101, "pass"),
    "mamba pass 101 fsmith secret": PassTurn(B101, "pass", game="mamba", speaker=FSMITH),
    "pass 101#7": PassTurn(B101, "pass", 7),
    "move 101#2 fsmith secret c4,k5": MakeMove(B101, "c4,k5", 2, speaker=FSMITH),
    "move 101#2 fsmith secret undo": AskUndo(B101, moveno=2, speaker=FSMITH),
    "superbo move 101#2 c4,k5": MakeMove(B101, "c4,k5", 2, game="superbo"),
    "queue 101#3 c4,k5": QueueMove(B101, "c4,k5", 3),
    "submit 101#2 fsmith secret c4,k5": SubmitMove(B101, "c4,k5", 2, speaker=FSMITH),
    "propose 101": ProposeDraw(B101),
    "superbo propose 101 fsmith secret #5": ProposeDraw(B101, game="superbo", speaker=FSMITH, moveno=5),
    "undo 101": AskUndo(B101),
    "undo 101#9": AskUndo(B101, moveno=9),
    "undo 101 fsmith secret": AskUndo(B101, speaker=FSMITH),
    "accept 101": AcceptOffer(B101),
    "superbo accept 101 fsmith secret": AcceptOffer(B101, game="superbo", speaker=FSMITH),
    "reject 101": RejectOffer(B101),
    "reject 101#2 fsmith secret": RejectOffer(B101, speaker=FSMITH, moveno=2),
    "superbo resign 101 #3": Resign(B101, game="superbo", moveno=3),
    "resign 101#3": Resign(B101, moveno=3),
    "resign 101 fsmith se#3": Resign(B101, speaker=Credentials("fsmith", "se#3")),
    "move 101 fsmith secret accept": AcceptOffer(B101, speaker=FSMITH),
    "move 101 Reject#4": RejectOffer(B101, moveno=4),
    "move 101 propose": ProposeDraw(B101),
    "move 101 undo.": AskUndo(B101),
    "chat 101": Chat(B101),
    "chat fsmith secret 101": Chat(B101, speaker=FSMITH),
    "superbo chat 101 fsmith secret": Chat(B101, game="superbo", speaker=FSMITH),
    "showas": ShowAs(),
    "showas fsmith secret": ShowAs(speaker=FSMITH),
    "showas next": ShowAs((), "next"),
    "superbo showas fsmith secret 101 102#7": ShowAs(
        (BoardMoment(B101), BoardMoment(B102, 7)), game="superbo", speaker=FSMITH
    ),
    "showas fsmith secret inactive": ShowAs((), "inactive", speaker=FSMITH),
    "all show fsmith": ShowPlayersBoards(("fsmith",)),
    "All Show fsmith next": ShowPlayersBoards(("fsmith",), "next"),
    "all games fsmith active": TableOfBoards(("fsmith",), "active"),
    "show fsmith tournament": ShowPlayersBoards(("fsmith",), "tournament"),
    "games fsmith standard": TableOfBoards(("fsmith",), "standard"),
    "preview 101": PreviewBoard(BoardMoment(B101)),
    "preview 101 a1 b2,c3": PreviewBoard(BoardMoment(B101), ("a1", "b2,c3")),
    "superbo prev 101#7 a1": PreviewBoard(BoardMoment(B101, 7), ("a1",), "superbo"),
    "preview 101 lay b2>b3 move e5-e7 / pass": PreviewBoard(BoardMoment(B101), ("lay b2>b3 move e5-e7", "pass")),
    "preview 101 lay b2>b3 move e5-e7": PreviewBoard(BoardMoment(B101), ("lay b2>b3 move e5-e7",)),
    "superbo preview new": PreviewNew("superbo"),
    "mamba preview new 3 -teams pass": PreviewNew("mamba", 3, ("teams",), ("pass",)),
    "superbo preview new --adjacent_pair a1 b2,c3": PreviewNew(
        "superbo", options=("adjacent_pair",), turns=("a1", "b2,c3")
    ),
}
OF_MANY: dict[str, Command] = {
    "superbo challenge": Seek("superbo"),
    "superbo challenge -random": Seek("superbo", 1, ("random",)),
    "superbo challenge --totaltime=30 -forfeittime=36h bob": Challenge(
        "superbo", ("bob",), ("totaltime=30", "forfeittime=36h")
    ),
    "superbo challenge bob -pair": Challenge("superbo", ("bob",), ("pair",)),
    "superbo accept": AcceptChallenges("superbo"),
    "superbo accept fsmith secret": AcceptChallenges("superbo", speaker=FSMITH),
    "superbo reject": RejectChallenges("superbo"),
    "superbo reject fsmith secret": RejectChallenges("superbo", speaker=FSMITH),
    "superbo limit": ShowLimit("superbo"),
    "superbo limit fsmith secret": ShowLimit("superbo", speaker=FSMITH),
    "superbo limit 5": LimitBoards("superbo", 5),
    "superbo limit fsmith secret 5": LimitBoards("superbo", 5, speaker=FSMITH),
    "superbo limit Accept": AcceptChallenges("superbo"),
    "superbo limit fsmith secret reject": RejectChallenges("superbo", speaker=FSMITH),
    "superbo limit 0": RejectChallenges("superbo"),
    "superbo seek": Seek("superbo"),
    "superbo seek 2 -pace=3": Seek("superbo", 2, ("pace=3",)),
    "superbo seek fsmith secret 2 --adjacent_pair": Seek("superbo", 2, ("adjacent_pair",), speaker=FSMITH),
    "superbo seek fsmith secret": Seek("superbo", speaker=FSMITH),
    "superbo seek 0": Seek("superbo", 0),
    "subscribe 101 102 101": SubscribeTo(Watched((B101, B102))),
    "subscribe fsmith secret 101 102": SubscribeTo(Watched((B101, B102)), speaker=FSMITH),
    "superbo subscribe all": SubscribeTo(Watched(everything=True), "superbo"),
    "superbo subscribe all fsmith secret": SubscribeTo(Watched(everything=True), "superbo", speaker=FSMITH),
    "subscribe fsmith secret ALL": SubscribeTo(Watched(everything=True), speaker=FSMITH),
    "subscribe bob": SubscribeTo(Watched(userids=("bob",))),
    "subscribe to bob carol": SubscribeTo(Watched(userids=("bob", "carol"))),
    "subscribe fsmith secret bob 101": SubscribeTo(Watched((B101,), ("bob",)), speaker=FSMITH),
    "unsub to bob": UnsubscribeFrom(Watched(userids=("bob",))),
    "superbo unsubscribe all": UnsubscribeFrom(Watched(everything=True), "superbo"),
    "unsubscribe fsmith secret all": UnsubscribeFrom(Watched(everything=True), speaker=FSMITH),
    "unsubscribe 101 102": UnsubscribeFrom(Watched((B101, B102))),
    "notify 101 102": NotifyOfEnd((B101, B102)),
    "notify 101 fsmith secret": NotifyOfEnd((B101,), speaker=FSMITH),
    "superbo notify": NotifyOfEnd(game="superbo"),
    "superbo notify fsmith secret": NotifyOfEnd(game="superbo", speaker=FSMITH),
    "superbo notify fsmith secret 101": NotifyOfEnd((B101,), "superbo", speaker=FSMITH),
    "superbo tournament": ShowTournament("superbo"),
    "superbo tournament show": ShowTournament("superbo"),
    "superbo tournament show spring": ShowTournament("superbo", "spring"),
    "superbo tournament create spring -swiss --rounds=3": CreateTournament("superbo", "spring", ("swiss", "rounds=3")),
    "superbo tournament create fsmith secret spring": CreateTournament("superbo", "spring", speaker=FSMITH),
    "superbo Tournament JOIN spring": JoinTournament("superbo", "spring"),
    "superbo tournament create fsmith -pw=1 spring -swiss": CreateTournament(
        "superbo", "spring", ("swiss",), speaker=Credentials("fsmith", "-pw=1")
    ),
    "superbo seek fsmith -pw=1 2 -adjacent_pair": Seek(
        "superbo", 2, ("adjacent_pair",), speaker=Credentials("fsmith", "-pw=1")
    ),
    "superbo tournament join fsmith secret spring": JoinTournament("superbo", "spring", speaker=FSMITH),
    "superbo tournament withdraw fsmith secret spring": WithdrawFromTournament("superbo", "spring", speaker=FSMITH),
    "superbo tournament start spring": StartTournament("superbo", "spring"),
}
READ: dict[str, Command] = {**MOVES, **OTHERS, **OF_ACCOUNTS, **OF_BOARDS, **OF_MANY}


TO_BEHIND_CREDENTIALS: dict[str, Command] = {
    "block fsmith secret to bob": Block("bob", speaker=FSMITH),
    "unblock fsmith to to bob": Unblock("bob", speaker=Credentials("fsmith", "to")),
    "message fsmith secret to bob": SendMessage(("bob",), speaker=FSMITH),
    "report fsmith secret to bob 101": ReportPlayer("bob", B101, speaker=FSMITH),
    "subscribe fsmith secret to bob carol": SubscribeTo(Watched(userids=("bob", "carol")), speaker=FSMITH),
    "unsubscribe fsmith secret To bob": UnsubscribeFrom(Watched(userids=("bob",)), speaker=FSMITH),
}
"""Understood, but no form of the language."""


@pytest.mark.parametrize(("line", "command"), TO_BEHIND_CREDENTIALS.items())
def test_to_says_nothing_behind_userid_and_password(line: str, command: Command) -> None:
    assert parse(line, GAMES) == command


@pytest.mark.parametrize(("line", "command"), READ.items())
def test_a_line_is_read_as_this_command(line: str, command: Command) -> None:
    assert parse(line, GAMES) == command


def test_every_verb_stands_in_an_example_above() -> None:
    assert {verb_of(word) for line in READ for word in line.split()[:2]} - {None} == set(writing.VERBS)


def test_every_command_stands_in_an_example_above() -> None:
    """A command that no line leads to could never be given."""
    commands = {
        each
        for each in vars(model).values()
        if isinstance(each, type) and issubclass(each, Command) and hasattr(each, "form")
    }
    assert commands == {type(command) for command in READ.values()}


VERBS_KNOWN = writing.SAID
DEEDS = ("create", "join", "withdraw", "start", "show")
OF_GAMES = tuple(each for each in VERBS_KNOWN if each not in writing.OF_THE_SERVER and each != "delete")


@pytest.mark.parametrize(
    ("line", "leaf", "facts"),
    [
        ("", "UnknownCommand", {"word": "", "games": SORTED, "verbs": VERBS_KNOWN}),
        ("hello there", "UnknownCommand", {"word": "hello", "games": SORTED, "verbs": VERBS_KNOWN}),
        ("board 101", "UnknownCommand", {"word": "board", "games": SORTED, "verbs": VERBS_KNOWN}),
        ("x" * 100, "UnknownCommand", {"word": "x" * 40, "games": SORTED, "verbs": VERBS_KNOWN}),
        ("chess move 101 a1", "UnknownGame", {"word": "chess", "games": SORTED, "said": "move 101 a1"}),
        *(
            (move, "MoveWithoutBoard", {"form": "move", "move": move})
            for move in ("a1,j12", "a1 j12#17", "A1.", "cut e3", "turn e6", "e5-e7", "lay b2>b3 move e5-e7")
        ),
        ("lay b2>b3 please", "MoveWithoutBoard", {"form": "move", "move": "lay b2>b3"}),
        ("lay b2", "MoveWithoutBoard", {"form": "move", "move": "lay b2"}),
        ("b2>b3," * 9, "MoveWithoutBoard", {"form": "move", "move": "b2>b3,b2>b3,b2>b3,b2>b3,b2>b3,b2>b3,b2>b ..."}),
        ("pass", "MissingWord", {"form": "pass", "what": "board"}),
        ("pass the salt", "ReadsAsSentence", {"form": "pass"}),
        ("all", "UnknownCommand", {"word": "all", "games": SORTED, "verbs": VERBS_KNOWN}),
        ("tournment show", "UnknownCommand", {"word": "tournment", "games": SORTED, "verbs": VERBS_KNOWN}),
        ("superb move 101 a1", "UnknownGame", {"word": "superb", "games": SORTED, "said": "move 101 a1"}),
        ("all move 101 a1", "UnknownGame", {"word": "all", "games": SORTED, "said": "move 101 a1"}),
        ("a1 steak", "UnknownCommand", {"word": "a1", "games": SORTED, "verbs": VERBS_KNOWN}),
        ("superbo", "NoVerb", {"game": "superbo"}),
        ("robot fsmith secret", "LeftOver", {"form": "robot", "place": 2}),
        ("analyse", "MissingWord", {"form": "analyse", "what": "board"}),
        ("analyse 101 102", "LeftOver", {"form": "analyse", "place": 3, "board": 101}),
        ("puzzle answer", "MissingWord", {"form": "puzzle", "what": "puzzle"}),
        ("puzzle answer 3", "MissingWord", {"form": "puzzle", "what": "move"}),
        ("puzzle chess", "NotANumber", {"form": "puzzle", "word": "chess"}),
        ("puzzle answer a1 3", "NotANumber", {"form": "puzzle", "word": "a1"}),
        ("mambo puzzle 3 a1", "LeftOver", {"form": "puzzle", "place": 4}),
        ("superbo jump 101", "UnknownVerb", {"word": "jump", "game": "superbo", "verbs": OF_GAMES}),
        ("superbo challx bob", "UnknownVerb", {"word": "challx", "game": "superbo", "verbs": OF_GAMES}),
        ("challenge bob", "GameNeeded", {"form": "challenge", "games": SORTED}),
        ("superbo signup bob x", "NotOfOneGame", {"form": "signup", "game": "superbo"}),
        ("superbo set", "NotOfOneGame", {"form": "set", "game": "superbo"}),
        ("superbo signoff", "NotOfOneGame", {"form": "signoff", "game": "superbo"}),
        ("add", "MissingWord", {"form": "add", "what": "address"}),
        ("add fsmith", "PasswordMissing", {"form": "add", "userid": "fsmith"}),
        ("add fsmith secret", "MissingWord", {"form": "add", "what": "address"}),
        ("change", "MissingWord", {"form": "change", "what": "change"}),
        ("change fsmith old new", "UnknownDeed", {"form": "change", "deeds": ("password", "address")}),
        ("change password", "MissingWord", {"form": "change", "what": "new"}),
        ("change password fsmith old", "MissingWord", {"form": "change", "what": "new"}),
        ("change password to better", "LeftOver", {"form": "change", "place": 4}),
        ("change password fsmith old new new", "LeftOver", {"form": "change", "place": 6}),
        ("change address fsmith", "PasswordMissing", {"form": "change", "userid": "fsmith"}),
        ("forgot", "MissingWord", {"form": "forgot", "what": "userid"}),
        ("forgot password", "MissingWord", {"form": "forgot", "what": "userid"}),
        ("forgot fsmith secret", "LeftOver", {"form": "forgot", "place": 3}),
        ("data fsmith", "PasswordMissing", {"form": "data", "userid": "fsmith"}),
        ("data 101", "LeftOver", {"form": "data", "place": 2}),
        ("signoff fsmith secret now", "ReadsAsSentence", {"form": "signoff"}),
        ("set fsmith", "PasswordMissing", {"form": "set", "userid": "fsmith"}),
        ("set describe on", "NotASetting", {"form": "set", "word": "describe"}),
        ("set fsmith secret legend=", "NotASetting", {"form": "set", "word": "legend="}),
        ("set =on", "NotASetting", {"form": "set", "word": "=on"}),
        ("signup", "MissingWord", {"form": "signup", "what": "userid"}),
        ("move", "MissingWord", {"form": "move", "what": "board"}),
        ("superbo tournament create Spring Cup", "NameOfSeveralWords", {"form": "tournament"}),
        ("move 101", "MissingWord", {"form": "move", "what": "move", "board": 101}),
        ("move 101 #17", "MissingWord", {"form": "move", "what": "move", "board": 101}),
        ("move 101 fsmith", "PasswordMissing", {"form": "move", "userid": "fsmith", "board": 101}),
        ("move 101 fsmith secret", "MissingWord", {"form": "move", "what": "move", "board": 101}),
        ("resign 101 fsmith", "PasswordMissing", {"form": "resign", "userid": "fsmith", "board": 101}),
        ("move a1", "NotABoard", {"form": "move", "word": "a1"}),
        ("move 0 a1", "NotABoard", {"form": "move", "word": "0"}),
        ("move -101 a1", "NotABoard", {"form": "move", "word": "-101"}),
        ("move 1234567890 a1", "NotABoard", {"form": "move", "word": "1234567890"}),
        ("move \uff11\uff10\uff11 a1", "NotABoard", {"form": "move", "word": "\uff11\uff10\uff11"}),
        ("move \u0661\u0660\u0661 a1", "NotABoard", {"form": "move", "word": "\u0661\u0660\u0661"}),
        ("show 101 bob", "NotABoard", {"form": "show", "word": "bob"}),
        ("move 101 a1#", "NotAMoveNumber", {"form": "move", "word": "", "board": 101}),
        ("move 101#x a1", "NotAMoveNumber", {"form": "move", "word": "x", "board": 101}),
        ("move 101#2 fsmith secret", "MissingWord", {"form": "move", "what": "move", "board": 101}),
        *(
            (
                f"{form} 101 fsmith secret {word}",
                "NoMoveButCommand",
                {"form": form, "verb": word.lower(), "board": 101},
            )
            for form in ("queue", "submit")
            for word in ("Resign", "propose", "undo", "accept", "reject")
        ),
        ("move 101 a1#x", "NotAMoveNumber", {"form": "move", "word": "x", "board": 101}),
        ("move 101 a1#-1", "NotAMoveNumber", {"form": "move", "word": "-1", "board": 101}),
        ("move 101 a1#\u00b2", "NotAMoveNumber", {"form": "move", "word": "\u00b2", "board": 101}),
        ("show 101#seven", "NotAMoveNumber", {"form": "show", "word": "seven", "board": 101}),
        ("export", "MissingWord", {"form": "export", "what": "board"}),
        ("export 101 102", "LeftOver", {"form": "export", "place": 3, "board": 101}),
        ("superbo export 101 fsmith secret", "LeftOver", {"form": "export", "place": 4, "board": 101}),
        ("mailed", "MissingWord", {"form": "mailed", "what": "board"}),
        ("resend bob", "PasswordMissing", {"form": "resend", "userid": "bob"}),
        ("resend fsmith secret", "MissingWord", {"form": "resend", "what": "board"}),
        ("unsubscribe 101 fsmith", "PasswordMissing", {"form": "unsubscribe", "userid": "fsmith", "board": 101}),
        ("subscribe", "MissingWord", {"form": "subscribe", "what": "watched"}),
        ("subscribe to", "MissingWord", {"form": "subscribe", "what": "watched"}),
        ("subscribe fsmith secret", "MissingWord", {"form": "subscribe", "what": "watched"}),
        ("subscribe 101 fsmith", "PasswordMissing", {"form": "subscribe", "userid": "fsmith", "board": 101}),
        ("subscribe 101 102 fsmith", "PasswordMissing", {"form": "subscribe", "userid": "fsmith"}),
        ("subscribe 101 fsmith secret now", "LeftOver", {"form": "subscribe", "place": 5, "board": 101}),
        ("notify", "GameNeeded", {"form": "notify", "games": SORTED}),
        ("notify 101 bob", "PasswordMissing", {"form": "notify", "userid": "bob", "board": 101}),
        ("notify fsmith secret bob", "NotABoard", {"form": "notify", "word": "bob"}),
        ("vacation fsmith", "PasswordMissing", {"form": "vacation", "userid": "fsmith"}),
        ("vacation 2026-02-30", "NotADate", {"form": "vacation", "word": "2026-02-30"}),
        ("vacation 31.12.2026", "PasswordMissing", {"form": "vacation", "userid": "31.12.2026"}),
        ("vacation 2026-12-31 now", "LeftOver", {"form": "vacation", "place": 3}),
        ("block", "MissingWord", {"form": "block", "what": "userid"}),
        ("block to", "MissingWord", {"form": "block", "what": "userid"}),
        ("block fsmith secret", "MissingWord", {"form": "block", "what": "userid"}),
        ("unblock fsmith secret bob carol", "LeftOver", {"form": "unblock", "place": 5}),
        ("superbo block bob", "NotOfOneGame", {"form": "block", "game": "superbo"}),
        ("message", "MissingWord", {"form": "message", "what": "userid"}),
        ("message fsmith secret", "MissingWord", {"form": "message", "what": "userid"}),
        ("broadcast fsmith", "PasswordMissing", {"form": "broadcast", "userid": "fsmith"}),
        ("broadcast fsmith secret now", "LeftOver", {"form": "broadcast", "place": 4}),
        ("who bob carol", "LeftOver", {"form": "who", "place": 3}),
        ("superbo who bob", "NotOfOneGame", {"form": "who", "game": "superbo"}),
        ("superbo standings bob", "LeftOver", {"form": "standings", "place": 3}),
        ("superbo history bob carol", "LeftOver", {"form": "history", "place": 4}),
        ("report fsmith secret bob 1o1", "NotABoard", {"form": "report", "word": "1o1"}),
        ("report fsmith secret bob 101 102", "LeftOver", {"form": "report", "place": 6}),
        ("queue", "MissingWord", {"form": "queue", "what": "board"}),
        ("queue 101", "MissingWord", {"form": "queue", "what": "move", "board": 101}),
        ("submit 101 fsmith", "PasswordMissing", {"form": "submit", "userid": "fsmith", "board": 101}),
        ("confirm", "MissingWord", {"form": "confirm", "what": "board"}),
        ("confirm 101 a1", "LeftOver", {"form": "confirm", "place": 3, "board": 101}),
        ("pass 101 #x", "NotAMoveNumber", {"form": "pass", "word": "x", "board": 101}),
        ("propose bob", "NotABoard", {"form": "propose", "word": "bob"}),
        ("undo 101 fsmith", "PasswordMissing", {"form": "undo", "userid": "fsmith", "board": 101}),
        ("accept", "MissingWord", {"form": "accept", "what": "board"}),
        ("accept fsmith secret", "MissingWord", {"form": "accept", "what": "board"}),
        ("superbo accept fsmith", "PasswordMissing", {"form": "accept", "userid": "fsmith"}),
        ("reject", "MissingWord", {"form": "reject", "what": "board"}),
        ("superbo reject fsmith secret 5", "LeftOver", {"form": "reject", "place": 5}),
        ("superbo limit many", "PasswordMissing", {"form": "limit", "userid": "many"}),
        ("superbo limit -3", "NotANumber", {"form": "limit", "word": "-3"}),
        ("superbo limit fsmith secret many", "NotANumber", {"form": "limit", "word": "many"}),
        ("superbo limit 5 6", "LeftOver", {"form": "limit", "place": 4}),
        ("limit 5", "GameNeeded", {"form": "limit", "games": SORTED}),
        ("superbo seek 100", "NotANumber", {"form": "seek", "word": "100"}),
        ("superbo seek fsmith", "PasswordMissing", {"form": "seek", "userid": "fsmith"}),
        ("seek 2", "GameNeeded", {"form": "seek", "games": SORTED}),
        ("chat", "MissingWord", {"form": "chat", "what": "board"}),
        ("chat 101 fsmith secret hello", "LeftOver", {"form": "chat", "place": 5, "board": 101}),
        ("showas fsmith", "PasswordMissing", {"form": "showas", "userid": "fsmith"}),
        ("showas fsmith secret bob", "NotABoard", {"form": "showas", "word": "bob"}),
        ("showas fsmith secret 101 102 next", "LeftOver", {"form": "showas", "place": 6}),
        ("preview", "MissingWord", {"form": "preview", "what": "board"}),
        ("preview a1", "NotABoard", {"form": "preview", "word": "a1"}),
        ("preview 101#x a1", "NotAMoveNumber", {"form": "preview", "word": "x", "board": 101}),
        ("preview new a1", "GameNeeded", {"form": "preview", "games": SORTED}),
        ("tournament show", "GameNeeded", {"form": "tournament", "games": SORTED}),
        ("superbo tournament fsmith secret join", "UnknownDeed", {"form": "tournament", "deeds": DEEDS}),
        ("superbo tournament join", "MissingWord", {"form": "tournament", "what": "name"}),
        ("superbo tournament join fsmith secret", "MissingWord", {"form": "tournament", "what": "name"}),
        ("superbo tournament show spring summer", "LeftOver", {"form": "tournament", "place": 5}),
        ("export 101#3", "NotABoard", {"form": "export", "word": "101#3"}),
        ("swap", "MissingWord", {"form": "swap", "what": "board"}),
        ("swap 101 fsmith", "PasswordMissing", {"form": "swap", "userid": "fsmith", "board": 101}),
        ("swap 101 fsmith secret now", "LeftOver", {"form": "swap", "place": 5, "board": 101}),
        ("swap 101 #x", "NotAMoveNumber", {"form": "swap", "word": "x", "board": 101}),
        ("resign 101 fsmith secret now", "LeftOver", {"form": "resign", "place": 5, "board": 101}),
        ("superbo resign 101 3", "LeftOver", {"form": "resign", "place": 4, "board": 101}),
        ("show " + "101 " * 500, "TooManyWords", {"most": grammar.MOST_WORDS, "board": 101, "form": "show"}),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(line: str, leaf: str, facts: dict[str, object]) -> None:
    with pytest.raises(Unreadable) as refused:
        parse(line, GAMES)
    assert (type(refused.value).__name__, refused.value.facts) == (leaf, facts)


def test_every_refusal_of_the_grammar_stands_in_an_example_above() -> None:
    leaves = {
        name
        for name, each in vars(refusals).items()
        if isinstance(each, type) and issubclass(each, Unreadable) and each.__module__ == refusals.__name__
    }
    marks = test_what_cannot_be_read_is_refused_with_its_reason.pytestmark  # type: ignore[attr-defined]  # pytest's own
    assert leaves == {example[1] for example in marks[0].args[1]}


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("a1,j12", MakeMove(B101, "a1,j12")),
        ("a1,j12#3", MakeMove(B101, "a1,j12", 3)),
        ("a1 j12 #3", MakeMove(B101, "a1 j12", 3)),
        ("A1", MakeMove(B101, "A1")),
        ("pass", PassTurn(B101, "pass")),
        ("resign", Resign(B101)),
        ("resign 102", Resign(B102)),
        ("resign #4", Resign(B101, moveno=4)),
        ("accept", AcceptOffer(B101)),
        ("Reject.", RejectOffer(B101)),
        ("propose", ProposeDraw(B101)),
        ("undo", AskUndo(B101)),
        ("undo #7", AskUndo(B101, moveno=7)),
        ("swap", SwapSides(B101, "swap")),
        ("confirm", ConfirmMove(B101)),
        ("confirm #3", ConfirmMove(B101, moveno=3)),
        ("queue a1,j12", QueueMove(B101, "a1,j12")),
        ("queue cancel", CancelQueued(B101)),
        ("queue 102 cancel", CancelQueued(B102)),
        ("queue e5>e7", QueueMove(B101, "move e5>e7")),
        ("submit a1,j12#3", SubmitMove(B101, "a1,j12", 3)),
        ("chat", Chat(B101)),
        ("preview", PreviewBoard(BoardMoment(B101))),
        ("preview a1", PreviewBoard(BoardMoment(B101), ("a1",))),
        ("preview #3 a1", PreviewBoard(BoardMoment(B101, 3), ("a1",))),
        ("showas", ShowAs((BoardMoment(B101),))),
        ("showas next", ShowAs((), "next")),
        ("subscribe", Subscribe(B101)),
        ("unsubscribe", Unsubscribe(B101)),
        ("subscribe all", SubscribeTo(Watched(everything=True))),
        ("notify", NotifyOfEnd((B101,))),
        ("export", ExportBoard(B101)),
        ("analyse", AnalyseBoard(B101)),
        ("analyse #3", AnalyseBoard(B101, 3)),
        ("analyse 102#3", AnalyseBoard(B102, 3)),
        ("mailed", Mailed(B101)),
        ("resend", Resend(B101)),
        ("report bob", ReportPlayer("bob", B101)),
        ("superbo accept", AcceptChallenges("superbo")),
        ("move a1", MakeMove(B101, "a1")),
        ("move 102 a1", MakeMove(B102, "a1")),
        ("Pass.", MakeMove(B101, "Pass")),
        ("cut e3!", MakeMove(B101, "cut e3")),
        ("turn e6", MakeMove(B101, "turn e6")),
        ("b2>b3", MakeMove(B101, "b2>b3")),
        ("lay b2>b3 move e5-e7", MakeMove(B101, "lay b2>b3 move e5-e7")),
        ("move lay b2>b3", MakeMove(B101, "lay b2>b3")),
        ("move a1,j12", MakeMove(B101, "a1,j12")),
        ("move pass.", MakeMove(B101, "pass")),
        ("move from f3 to f4", MakeMove(B101, "move from f3 to f4")),
        ("move f3 to f4 #7", MakeMove(B101, "move f3 to f4", 7)),
        ("move f3\u2192f4", MakeMove(B101, "move f3\u2192f4")),
        ("lay f5 to f6", MakeMove(B101, "lay f5 to f6")),
        ("superbo move fsmith secret a1", MakeMove(B101, "a1", None, game="superbo", speaker=FSMITH)),
        ("show", ShowBoards((BoardMoment(B101),))),
        ("help", Help()),
    ],
)
def test_an_answer_to_a_board_may_leave_the_board_and_the_verb_out(line: str, command: Command) -> None:
    assert parse(line, GAMES, ANSWERED) == command


@pytest.mark.parametrize("cells", ["e5-e7", "e5->e7", "e5>e7", "e5 > e7", "E5\u2013E7", "e5-e7 cut e3", "e5 - e7"])
def test_the_verb_of_an_answer_is_that_of_its_first_step_where_two_joined_cells_follow(cells: str) -> None:
    """``e5>e7`` alone would be a laying."""
    assert parse(f"move {cells}", GAMES, ANSWERED) == MakeMove(B101, f"move {cells}")
    assert parse(f"Move {cells}.#7", GAMES, ANSWERED) == MakeMove(B101, f"move {cells}", 7)
    assert parse(f"move 101 {cells}", GAMES, ANSWERED) == MakeMove(B101, cells)
    assert parse(f"move fsmith secret {cells}", GAMES, ANSWERED) == MakeMove(B101, cells, speaker=FSMITH)


@pytest.mark.parametrize("line", ["#3", "a1#x"])
def test_an_answer_without_a_move_or_with_a_wrong_number_is_refused_for_its_board(line: str) -> None:
    with pytest.raises(Unreadable) as refused:
        parse(line, GAMES, ANSWERED)
    assert refused.value.facts["board"] == 101


@pytest.mark.parametrize(
    "first", ["a1", "pass", "lay", "7", "x@example.org", "mail=text", "2026-01-01", "superbo", "n"]
)
def test_a_word_that_cannot_be_a_userid_makes_it_the_short_form(first: str) -> None:
    command = parse(f"move 101 {first} b2 c3", GAMES)
    assert command == MakeMove(B101, f"{first} b2 c3")


def test_no_password_stands_in_the_representation_of_a_command() -> None:
    for line in (
        "move 101 fsmith hunter2! a1",
        "resign 101 fsmith hunter2!",
        "signup fsmith hunter2!",
        "set fsmith hunter2!",
        "change password hunter2!",
        "change password fsmith old hunter2!",
        "change address fsmith hunter2!",
        "signoff fsmith hunter2!",
    ):
        assert "hunter2" not in repr(parse(line, GAMES))


def test_a_line_begins_like_a_command_by_its_first_word_alone() -> None:
    assert begins_command("SUPERBO nonsense", GAMES)
    assert begins_command("Move 101", GAMES)
    assert not begins_command("Move it", GAMES)
    assert begins_command("chall bob", GAMES)
    assert not begins_command("please move 101 a1", GAMES)
    assert not begins_command("", GAMES)


OTHER_WORDS = [
    "superbo",
    "board",
    "101",
    "101#7",
    "#",
    "#7",
    "a1",
    "a1,j12#3",
    "fsmith",
    "-x",
    "all",
    "\u0661",
    "\ufffd",
]
WORDS = st.sampled_from([*writing.VERBS, *OTHER_WORDS])


@given(st.text(max_size=80) | st.lists(WORDS | st.text(max_size=8), max_size=8).map(" ".join), st.booleans())
def test_any_text_gives_a_command_or_a_refusal(line: str, in_answer: bool) -> None:
    facts: dict[str, object] = {}
    try:
        parse(line, GAMES, ANSWERED if in_answer else None)
    except PlayerError as refused:
        facts = refused.facts
    assert all(len(fact) <= len("...") + 1 + 40 for fact in facts.values() if isinstance(fact, str))


@pytest.mark.parametrize("line", ["a" * 200_000, "a " * 100_000, "#" * 200_000, "superbo challenge bob " + "x " * 200])
def test_an_endless_line_is_refused(line: str) -> None:
    with pytest.raises(PlayerError):
        parse(line, GAMES)


@pytest.mark.parametrize("verb", writing.VERBS)
def test_every_verb_takes_words_without_end_or_refuses_them(verb: str) -> None:
    for words in ("101 " * 198, "a1 " * 198, "-x " * 198, "bob " * 198, f"{'x' * 100_000} {'y' * 100_000} 101"):
        try:
            command: object = parse(f"superbo {verb} {words}", GAMES)
        except Unreadable as refused:
            command = refused.facts
        assert command


def test_a_word_in_place_of_a_move_is_never_for_the_game_to_read() -> None:
    for word, command in IN_PLACE_OF_A_MOVE.items():
        assert issubclass(command, TurnCommand)
        for line in (f"move 101 {word}", f"superbo move 101 fsmith secret {word.upper()}", f"{word} 101"):
            assert isinstance(parse(line, GAMES), command)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Resign w\u00e4re feige, ich mache weiter mit P1",
            "Pass auf, jetzt wird es spannend!",
            "pass the salt, B2 then",
        ),
        *("reject kommt nicht in Frage", "Swap oder nicht, ich nehme A1"),
        *("propose mal was anderes, z.B. E5", "Signoff will I not do", "accept defeat I shall never"),
    ],
)
def test_nobody_is_told_to_leave_out_words_so_that_a_verb_is_left_that_gives_something_up(line: str) -> None:
    for answered in (None, BoardAnswered(BoardNumber(101))):
        with pytest.raises(Unreadable) as refused:
            parse(line, GAMES, answered)
        assert type(refused.value).__name__ != "LeftOver"


@pytest.mark.parametrize(
    ("line", "verb"),
    [("resign, sorry", "resign"), ("accept danke", "accept"), ("Reject, thanks", "reject"), ("undo wrong", "undo")],
)
def test_a_word_behind_a_grave_one_is_no_userid_in_an_answer(line: str, verb: str) -> None:
    with pytest.raises(Unreadable) as refused:
        parse(line, GAMES, BoardAnswered(BoardNumber(101)))
    assert (type(refused.value).__name__, refused.value.facts["form"]) == ("ReadsAsSentence", verb)
