"""Commands about boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.commands.model.roots import BoardCommand, BoardMoment, Command, SpokenCommand, TurnCommand, Which
from pbem.ids import BoardNumber


@dataclass(frozen=True, slots=True)
class PlayedMove(BoardCommand):
    """Root of the commands that bring a move."""

    move_text: str
    """What the game reads; the grammar knows no game."""
    moveno: int | None = None
    """The move that this is meant to be: a late letter must not play into a newer position."""


@dataclass(frozen=True, slots=True)
class MakeMove(PlayedMove):
    """``superbo move 101 fsmith secret a1,j12#17``; game, userid and password may be left out."""

    form: ClassVar[str] = "move"


@dataclass(frozen=True, slots=True)
class PassTurn(MakeMove):
    """``pass 101 fsmith secret``: the same as ``pass`` behind ``move``."""

    form: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True)
class SwapSides(MakeMove):
    """``swap 101 fsmith secret``: the same as ``swap`` behind ``move``."""

    form: ClassVar[str] = "swap"


@dataclass(frozen=True, slots=True)
class QueueMove(PlayedMove):
    """``queue 101 fsmith secret a1,j12``: a move that is made by itself when my turn comes, if it is legal then."""

    form: ClassVar[str] = "queue"


@dataclass(frozen=True, slots=True)
class CancelQueued(BoardCommand):
    """``queue 101 cancel``: takes the queued move back."""

    form: ClassVar[str] = "queue"


@dataclass(frozen=True, slots=True)
class SubmitMove(PlayedMove):
    """``submit 101 fsmith secret a1,j12``: shows the board after the move, which counts once it is confirmed."""

    form: ClassVar[str] = "submit"


@dataclass(frozen=True, slots=True)
class ConfirmMove(TurnCommand):
    """``confirm 101 fsmith secret``: makes the move that was submitted."""

    form: ClassVar[str] = "confirm"


@dataclass(frozen=True, slots=True)
class ProposeDraw(TurnCommand):
    """``propose 101 fsmith secret``: offers a draw."""

    form: ClassVar[str] = "propose"


@dataclass(frozen=True, slots=True)
class AskUndo(TurnCommand):
    """``undo 101 fsmith secret``: asks to take my last move back."""

    form: ClassVar[str] = "undo"


@dataclass(frozen=True, slots=True)
class AcceptOffer(TurnCommand):
    """``accept 101 fsmith secret``: yes to the draw or the undo that is offered."""

    form: ClassVar[str] = "accept"


@dataclass(frozen=True, slots=True)
class RejectOffer(TurnCommand):
    """``reject 101 fsmith secret``: no to the draw or the undo; who has offered it takes it back."""

    form: ClassVar[str] = "reject"


@dataclass(frozen=True, slots=True)
class Resign(TurnCommand):
    """``superbo resign 101 fsmith secret``: gives up, announces it, takes that back, or declines."""

    form: ClassVar[str] = "resign"


@dataclass(frozen=True, slots=True)
class Chat(BoardCommand):
    """``chat 101 fsmith secret``: the text below it goes to the players and subscribers of the board."""

    form: ClassVar[str] = "chat"


@dataclass(frozen=True, slots=True)
class Mailed(BoardCommand):
    """``mailed 101``: what was mailed about the board to whom, when, and what became of it."""

    form: ClassVar[str] = "mailed"


@dataclass(frozen=True, slots=True)
class Resend(BoardCommand):
    """``resend 101``: my last mail of that board again."""

    form: ClassVar[str] = "resend"


@dataclass(frozen=True, slots=True)
class ShowBoards(Command):
    """``superbo show 101 102#7``."""

    form: ClassVar[str] = "show"
    moments: tuple[BoardMoment, ...]
    game: str | None = None


@dataclass(frozen=True, slots=True)
class ShowPlayersBoards(Command):
    """``superbo show fsmith jdoe next``: the boards of these players, drawn."""

    form: ClassVar[str] = "show"
    userids: tuple[str, ...]
    which: Which = "active"
    game: str | None = None


@dataclass(frozen=True, slots=True)
class ShowAs(SpokenCommand):
    """``showas fsmith secret 101 102``, ``showas next``: boards with what only I may see."""

    form: ClassVar[str] = "showas"
    moments: tuple[BoardMoment, ...] = ()
    which: Which = "active"
    """Which of my boards, where none is named."""
    game: str | None = None


@dataclass(frozen=True, slots=True)
class ExportBoard(Command):
    """``superbo export 101``: the game record as a file."""

    form: ClassVar[str] = "export"
    board: BoardNumber
    game: str | None = None


@dataclass(frozen=True, slots=True)
class AnalyseBoard(BoardCommand):
    """``superbo analyse 101#7 fsmith secret``: what the moves of a finished game were worth, or that one."""

    form: ClassVar[str] = "analyse"
    moveno: int | None = None
    """The turn that it is about; None: the whole game."""


@dataclass(frozen=True, slots=True)
class TableOfBoards(Command):
    """``superbo games fsmith all``: a line a board; without a userid the boards of everybody."""

    form: ClassVar[str] = "games"
    userids: tuple[str, ...] = ()
    which: Which = "active"
    game: str | None = None
    page: int = 1
    """Which part of a long table."""


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
