"""Commands for playing games: moves, and everything that may be sent in place of one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from pbem.commands.challenges import AcceptChallenges, RejectChallenges
from pbem.commands.command import BoardCommand, BoardMoment, Command, Credentials, TurnCommand, moveno_words
from pbem.commands.line import Line, about, split_options, whole_number, without_sentence_end
from pbem.commands.refusals import MissingWord, NoMoveButCommand, UnknownGame
from pbem.commands.steps import are_steps, begins_with_cells, is_classic_move
from pbem.commands.verb import Care, Group, Place, Verb
from pbem.ids import BoardNumber

Played: TypeAlias = tuple[BoardNumber, Credentials | None, tuple[str, ...], int | None]


@dataclass(frozen=True, slots=True)
class PlayedMove(BoardCommand):
    """Root of the commands that bring a move."""

    for_guests: ClassVar[bool] = True
    move_text: str
    """For the game to read; the grammar knows no game."""
    moveno: int | None = None
    """The number that this move is meant to have: a late letter must not play into a newer position."""

    def arguments(self) -> Iterable[object]:
        """``101 a1,j12#17``."""
        return (self.board, "".join((self.move_text, *moveno_words(self.moveno))))


@dataclass(frozen=True, slots=True)
class MakeMove(PlayedMove):
    """``superbo move 101 fsmith secret a1,j12#17``; game, userid and password may be left out."""

    form: ClassVar[str] = "move"


@Verb(
    "move",
    Group.BOARDS,
    board=Place.FIRST,
    care=Care.HARMLESS,
    slips=("mvoe", "board"),
    translations={"de": ("zug", "ziehen"), "fr": ("coup", "jouer")},
)
def read_move(line: Line) -> Command:
    """``move <board> [<userid> <password>] <move>[#<moveno>]``."""
    board, speaker, words, moveno = _played(line)
    command = IN_PLACE_OF_A_MOVE.get(words[0].lower()) if len(words) == 1 else None
    if command is not None:
        return command(board, game=line.game, speaker=speaker, moveno=moveno)
    return MakeMove(board, " ".join(words), moveno, game=line.game, speaker=speaker)


def _played(line: Line) -> Played:
    """The board, the speaker, the words of a move, and the number that it is meant to have."""
    board, words = board_with_moveno(line)
    with about(board):
        words, moveno = line.split_moveno(words)
        is_move = is_classic_move(words)  # alone, a userid would say nothing, and so would a password
        speaker, words = (None, words) if is_move else line.credentials(words)
        if not words:
            raise MissingWord(line.verb, "move")
    words = without_sentence_end(words)
    if speaker is None and whole_number(line.words[0]) is None and begins_with_cells(words):
        words = ("move", *words)  # an answer: the word is that of the step, and without it cells might mean another
    return board, speaker, words, moveno


def board_with_moveno(line: Line) -> tuple[BoardNumber, tuple[str, ...]]:
    """The board and the rest; the number of the move may also be joined to that of the board: ``101#7``."""
    first, sign, moveno = line.words[0].partition("#") if line.words else ("", "", "")
    if sign and whole_number(first) is not None:
        board, words = line.board_and_rest((first, *line.words[1:]))
        return board, (*words, f"#{moveno}")
    return line.board_and_rest()


@dataclass(frozen=True, slots=True)
class QueueMove(PlayedMove):
    """``queue 101 fsmith secret a1,j12``: a move that is made when the speaker's turn comes, if it is legal then."""

    form: ClassVar[str] = "queue"


@dataclass(frozen=True, slots=True)
class CancelQueued(BoardCommand):
    """``queue 101 cancel``: takes the queued move back."""

    form: ClassVar[str] = "queue"
    for_guests: ClassVar[bool] = True

    def arguments(self) -> Iterable[object]:
        """``101 cancel``."""
        return (self.board, "cancel")


@Verb("queue", Group.BOARDS, board=Place.FIRST, care=Care.HARMLESS, synonyms=("qmove", "moveq"))
def read_queue(line: Line) -> Command:
    """``queue <board> [<userid> <password>] <move>[#<moveno>]``, or ``cancel`` in place of the move."""
    board, speaker, words, moveno = _played(line)
    if [word.lower() for word in words] == ["cancel"]:
        return CancelQueued(board, game=line.game, speaker=speaker)
    _check_move("queue", board, words)
    return QueueMove(board, " ".join(words), moveno, game=line.game, speaker=speaker)


def _check_move(form: str, board: BoardNumber, words: tuple[str, ...]) -> None:
    """Check that words are for the game to read.

    Raises:
        NoMoveButCommand: they are a command of their own.
    """
    if len(words) == 1 and words[0].lower() in IN_PLACE_OF_A_MOVE:
        raise NoMoveButCommand(form, words[0].lower(), board)


@dataclass(frozen=True, slots=True)
class SubmitMove(PlayedMove):
    """``submit 101 fsmith secret a1,j12``: shows the board after the move, which counts once it is confirmed."""

    form: ClassVar[str] = "submit"


@Verb("submit", Group.BOARDS, board=Place.FIRST, care=Care.HARMLESS, beginning="subm")
def read_submit(line: Line) -> Command:
    """``submit <board> [<userid> <password>] <move>[#<moveno>]``."""
    board, speaker, words, moveno = _played(line)
    _check_move("submit", board, words)
    return SubmitMove(board, " ".join(words), moveno, game=line.game, speaker=speaker)


@dataclass(frozen=True, slots=True)
class ConfirmMove(TurnCommand):
    """``confirm 101 fsmith secret``: makes the move that was submitted."""

    form: ClassVar[str] = "confirm"


@Verb(
    "confirm",
    Group.BOARDS,
    board=Place.FIRST,
    care=Care.STRICT,
    translations={"de": ("bestätigen",), "fr": ("confirmer",)},
)
def read_confirm(line: Line) -> Command:
    """``confirm <board> [<userid> <password>] [#<moveno>]``."""
    return _of_turn(ConfirmMove, line)


def _of_turn(command: type[TurnCommand], line: Line) -> Command:
    board, speaker, moveno = _turn(line)
    return command(board, game=line.game, speaker=speaker, moveno=moveno)


def _turn(line: Line) -> tuple[BoardNumber, Credentials | None, int | None]:
    """A board, perhaps a speaker, and perhaps the number of the next move."""
    board, words = board_with_moveno(line)
    with about(board):
        speaker, words = line.credentials(words)
        words, moveno = line.split_moveno(words)  # behind the password, which may hold a # itself
        line.nothing_left(words)
    return board, speaker, moveno


@dataclass(frozen=True, slots=True)
class PreviewBoard(Command):
    """``preview 101#7 a1 b2,c3``: the board after these turns; nothing is stored."""

    form: ClassVar[str] = "preview"
    moment: BoardMoment
    turns: tuple[str, ...] = ()
    game: str | None = None


@dataclass(frozen=True, slots=True)
class PreviewNew(Command):
    """``superbo preview new 2 -adjacent_pair a1``: a new board after these turns; nothing is stored."""

    form: ClassVar[str] = "preview"
    game: str
    players: int | None = None
    options: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()


@Verb(
    "preview",
    Group.BOARDS,
    board=Place.FIRST,
    care=Care.HARMLESS,
    beginning="prev",
    translations={"de": ("vorschau",), "fr": ("aperçu",)},
)
def read_preview(line: Line) -> Command:
    """``preview <board>[#<moveno>] <turn>*`` or ``<game> preview new [<players>] [-options] <turn>*``."""
    if line.words and line.words[0].lower() == "new":
        return _preview_new(line)
    start, words = line.moment_and_rest(_unlisted(line.words))
    return PreviewBoard(start, _turns(words), line.game)


def _preview_new(line: Line) -> Command:
    return PreviewNew(line.needed_game(), *_of_new_board(_unlisted(line.words[1:])))


def _of_new_board(words: tuple[str, ...]) -> tuple[int | None, tuple[str, ...], tuple[str, ...]]:
    """The number of players of a new board if it is said, its options, and its turns."""
    pairs = range(len(words) - 1)
    end = next((place for place in pairs if is_classic_move(words[place : place + 2])), len(words))  # ``bS1 -wS1``
    options, others = split_options(words[:end], numbers=1)
    players = whole_number(others[0]) if others else None
    return players, options, _turns((*(others if players is None else others[1:]), *words[end:]))


@dataclass(frozen=True, slots=True)
class ExploreBoard(Command):
    """``explore 101#7``: what was played in finished games in the position of a board."""

    form: ClassVar[str] = "explore"
    moment: BoardMoment
    turns: tuple[str, ...] = ()
    game: str | None = None


@dataclass(frozen=True, slots=True)
class ExploreGame(Command):
    """``explore superbo d5 c9,k4``: what was played in finished games after these turns."""

    form: ClassVar[str] = "explore"
    game: str
    players: int | None = None
    options: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()


@Verb(
    "explore",
    Group.BOARDS,
    care=Care.HARMLESS,
    synonyms=("explorer", "openings"),
    translations={"de": ("eröffnungen", "erkunden"), "fr": ("ouvertures",)},
    takes_password=False,
    game_is_argument=True,
)
def read_explore(line: Line) -> Command:
    """``explore <game> [<players>] [-options] <turn>*``, or ``explore <board>[#<moveno>] <turn>*``."""
    game, words = line.game, _unlisted(line.words)
    named = words[0].lower().rstrip(",:") if words else ""
    if game is None and named in line.games:
        game, words = named, words[1:]
    if words and words[0][0].isdecimal() and not (_is_players(words[0], game) or is_classic_move(words[:1])):
        moment, words = line.moment_and_rest(words)
        return ExploreBoard(moment, _turns(words), game)
    if game is None and line.answered is not None:
        return ExploreBoard(BoardMoment(line.answered.board), _turns(words))
    if game is None and named.isalpha() and all(map(_is_turn_or_option, words[1:])):
        unknown = UnknownGame(named, sorted(line.games), line.verb)
        unknown.facts["form"] = line.verb
        raise unknown
    return ExploreGame(line.needed_game() if game is None else game, *_of_new_board(words))


def _is_turn_or_option(word: str) -> bool:
    return word[0] in "-/" or (word[0].isalpha() and word[-1].isdecimal())


def _is_players(word: str, game: str | None) -> bool:
    """Return True if a number behind a game says how many play; boards have higher ones."""
    return game is not None and word.isdecimal() and len(word) == 1


_MOVE_NUMBER = re.compile(r"[0-9]{1,2}\.+")
_ASIDE = re.compile(r"(?<!\S)\([^()]*\)(?!\S)")
_AROUND_COMMA = re.compile(r"(?<=[0-9])(?:\s+,\s*|,\s+)(?=[a-z]{1,2}[0-9]{1,2}(?:[\s,]|$))", re.IGNORECASE)


_HEADS = ">\u2192\u21d2\u21e8\u2794\u279c\u27a1\u27f6\u27f9\ufe0f"
_ARROW = rf"(?:[-=\u2010-\u2015\u2212]*[{_HEADS}]+)"
_CELL = "[a-z][0-9]{1,3}"
_ONE_OF_TWO = rf"(?<![{_HEADS}] )(?P<from>{_CELL}) {_ARROW} (?!{_CELL} {_ARROW} {_CELL}(?!\S))"
_ARROWS = re.compile(
    rf"(?<!\S)(?:(?P<start>{_CELL}){_ARROW}|{_ONE_OF_TWO})(?P<to>{_CELL})(?![^\s,]|,\S)|{_ARROW}", re.IGNORECASE
)
"""Arrows; those between two cells alone, with the cells, may be within a move: ``lay b2 -> b3``."""


def _unlisted(words: tuple[str, ...]) -> tuple[str, ...]:
    """Turns as they are typed, of words that may be the list in a mail: ``1. B3   2. C4, K5 (auto J1)``.

    Arrows may stand between them: ``B3 -> C4,K5``.
    """
    text = _ARROWS.sub(_stroke_or_joint, " ".join(words))
    words = tuple(text.split())
    if any(_MOVE_NUMBER.match(word) for word in words):
        text = _ASIDE.sub("", text)
        words = tuple(_MOVE_NUMBER.sub("", word, count=1) for word in text.split())
    return tuple(_AROUND_COMMA.sub(",", " ".join(words).replace(";", " / ")).split())


def _stroke_or_joint(arrow: re.Match[str]) -> str:
    """A stroke between turns; or, between two cells alone, the arrow that the game may read as either."""
    start = arrow["start"] or arrow["from"]
    return f"{start}>{arrow['to']}" if start else " / "


def _turns(words: tuple[str, ...]) -> tuple[str, ...]:
    """The turns among some words, one word each; or all in one if they are one turn, or the game has to split them."""
    text = " ".join(words)
    return (text,) if "/" in text or are_steps(text) or is_classic_move(words) else words


@dataclass(frozen=True, slots=True)
class PassTurn(MakeMove):
    """``pass 101 fsmith secret``: the same as ``pass`` behind ``move``."""

    form: ClassVar[str] = "pass"

    def arguments(self) -> Iterable[object]:
        """``101 #17``."""
        return (self.board, *moveno_words(self.moveno))


@Verb("pass", Group.BOARDS, board=Place.FIRST, care=Care.FINAL, translations={"de": ("passen",), "fr": ("passer",)})
def read_pass(line: Line) -> Command:
    """``pass <board> [<userid> <password>] [#<moveno>]``."""
    board, speaker, moveno = _turn(line)
    return PassTurn(board, "pass", moveno, game=line.game, speaker=speaker)


@dataclass(frozen=True, slots=True)
class SwapSides(MakeMove):
    """``swap 101 fsmith secret``: the same as ``swap`` behind ``move``."""

    form: ClassVar[str] = "swap"

    def arguments(self) -> Iterable[object]:
        """``101 #17``."""
        return (self.board, *moveno_words(self.moveno))


@Verb("swap", Group.BOARDS, board=Place.FIRST, care=Care.FINAL, translations={"de": ("tauschen",), "fr": ("échanger",)})
def read_swap(line: Line) -> Command:
    """``swap <board> [<userid> <password>] [#<moveno>]``."""
    board, speaker, moveno = _turn(line)
    return SwapSides(board, "swap", moveno, game=line.game, speaker=speaker)


@dataclass(frozen=True, slots=True)
class ProposeDraw(TurnCommand):
    """``propose 101 fsmith secret``: offers a draw."""

    form: ClassVar[str] = "propose"


@Verb("propose", Group.BOARDS, board=Place.FIRST, care=Care.FINAL, translations={"de": ("remis",), "fr": ("nulle",)})
def read_propose(line: Line) -> Command:
    """``propose <board> [<userid> <password>] [#<moveno>]``."""
    return _of_turn(ProposeDraw, line)


@dataclass(frozen=True, slots=True)
class AskUndo(TurnCommand):
    """``undo 101 fsmith secret``: asks to take the speaker's last move back."""

    form: ClassVar[str] = "undo"


@Verb("undo", Group.BOARDS, board=Place.FIRST, translations={"de": ("zurücknehmen",), "fr": ("reprendre",)})
def read_undo(line: Line) -> Command:
    """``undo <board> [<userid> <password>] [#<moveno>]``."""
    return _of_turn(AskUndo, line)


@dataclass(frozen=True, slots=True)
class AcceptOffer(TurnCommand):
    """``accept 101 fsmith secret``: yes to the draw or the undo that is offered."""

    form: ClassVar[str] = "accept"


@Verb(
    "accept",
    Group.BOARDS,
    board=Place.ANYWHERE,
    care=Care.FINAL,
    translations={"de": ("annehmen", "akzeptieren"), "fr": ("accepter",)},
)
def read_accept(line: Line) -> Command:
    """``accept <board> ...``: an offer; ``<game> accept [<userid> <password>]``: challenges."""
    return _of_turn(AcceptOffer, line) if _is_of_board(line) else _of_all(AcceptChallenges, line)


def _is_of_board(line: Line) -> bool:
    """Return True if a word that answers offers and challenges alike is meant for a board."""
    first = line.words[0].partition("#")[0] if line.words else ""
    return whole_number(first) is not None or (line.answered is not None and line.game is None)


def _of_all(kind: type[AcceptChallenges | RejectChallenges], line: Line) -> Command:
    """An answer to all challenges to a game."""
    if line.game is None:
        raise MissingWord(line.verb, "board")
    speaker, words = line.credentials(line.words)
    line.nothing_left(words)
    return kind(line.game, speaker=speaker)


@dataclass(frozen=True, slots=True)
class RejectOffer(TurnCommand):
    """``reject 101 fsmith secret``: no to the draw or the undo; from the player who offered it, it takes it back."""

    form: ClassVar[str] = "reject"


@Verb(
    "reject",
    Group.BOARDS,
    board=Place.ANYWHERE,
    care=Care.FINAL,
    translations={"de": ("ablehnen",), "fr": ("refuser",)},
)
def read_reject(line: Line) -> Command:
    """``reject <board> ...``: an offer; ``<game> reject [<userid> <password>]``: challenges."""
    return _of_turn(RejectOffer, line) if _is_of_board(line) else _of_all(RejectChallenges, line)


@dataclass(frozen=True, slots=True)
class Resign(TurnCommand):
    """``superbo resign 101 fsmith secret``: gives up, announces it, takes that back, or declines."""

    form: ClassVar[str] = "resign"


@Verb(
    "resign",
    Group.BOARDS,
    board=Place.FIRST,
    care=Care.FINAL,
    translations={"de": ("aufgeben",), "fr": ("abandonner",)},
)
def read_resign(line: Line) -> Command:
    """``resign <board> [<userid> <password>] [#<moveno>]``."""
    return _of_turn(Resign, line)


IN_PLACE_OF_A_MOVE: Mapping[str, type[TurnCommand]] = {
    each.form: each for each in (ProposeDraw, AskUndo, AcceptOffer, RejectOffer, Resign)
}
"""Words that may come in place of a move, and are not for the game to read."""
ANSWERS_ALONE = ("pass", "swap", *IN_PLACE_OF_A_MOVE)
"""Words that may be the whole answer to a board's mail."""


def read_bare_answer(line: Line, board: BoardNumber) -> Command:
    """Read a reply to a board's mail that is just the move; its sender has proved who they are by replying."""
    words = without_sentence_end(line.words)
    with about(board):
        words, moveno = line.split_moveno(words)
        if not words:
            raise MissingWord("move", "move")
    command = IN_PLACE_OF_A_MOVE.get(words[0].lower()) if len(words) == 1 else None
    if command is not None:
        return command(board, moveno=moveno)
    return MakeMove(board, " ".join(words), moveno)
