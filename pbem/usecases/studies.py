"""Studies: comments on finished games, with variations, which their owner may share."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pbem.commands.answers import unsigned
from pbem.commands.internal import SaveStudy
from pbem.commands.lenient import is_small_talk
from pbem.commands.studying import DeleteStudy, ListStudies, ReadStudy, ShareStudy, StudyGame
from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.game_state import BoardEnding, GameState, follow
from pbem.domain.letters import CUT
from pbem.domain.mails import Attachment, Notice
from pbem.domain.players import Player
from pbem.domain.records import Replay, moments, record_of, studied_game, with_turn
from pbem.domain.studies import MOST_STUDIES, Study, StudyHead
from pbem.domain.watches import ListPart, NoSuchPart
from pbem.errors import NotAllowed, NotNow
from pbem.games.records import to_json
from pbem.games.studies import (
    LONGEST_TITLE,
    Annotation,
    Remarked,
    StudiedGame,
    StudyLine,
    StudyTooLarge,
    VariationStopped,
    annotated,
    from_json,
    read_study,
    recorded,
    typed,
)
from pbem.games.studies import to_json as moves_to_json
from pbem.ids import BoardNumber
from pbem.usecases.context import Context, handles
from pbem.usecases.guests import check_no_guest
from pbem.usecases.notices import about_board, to_sender
from pbem.usecases.opponents import replayed
from pbem.usecases.understanding import find_board

MOST_DRAWN = 12
"""Boards in the letter of a study."""


class GameStillOn(NotNow):
    """A game that is still in play cannot be studied."""

    board: BoardNumber


class NothingToStudy(NotNow):
    """There was no game at the board: nobody has moved, or the operator has annulled it."""

    board: BoardNumber
    is_annulled: bool


class NoStudy(NotAllowed):
    """The speaker has made no study of the game, or says nothing of the move ``moveno`` in it.

    Among ``several`` commands no text can be written below one.
    """

    board: BoardNumber
    moveno: int | None = None
    several: bool = False


class EmptyStudy(NotAllowed):
    """The page of a study that is not there yet has nothing to keep."""


class NoSharedStudy(NotNow):
    """Nobody shares a study under this link, or does no longer."""


class TooManyStudies(NotNow):
    """The speaker has made as many studies as one may have."""

    board: BoardNumber
    most: int = MOST_STUDIES


class StudyChanged(NotNow):
    """The study has changed since the page was made."""

    board: BoardNumber


@dataclass(frozen=True, slots=True)
class ShownMoment:
    """A board at a moment of the game or of a variation."""

    board: Board
    course: GameState
    sides: tuple[str, ...]
    after: tuple[str, ...] = ()
    """The moves of the variation that lead to it."""


@dataclass(frozen=True, slots=True)
class VariationRow:
    """Moves of a variation that come one after the other, and the comment on the last of them."""

    depth: int
    moves: tuple[tuple[int, str], ...]
    comment: str


@dataclass(frozen=True, slots=True)
class StudiedMove:
    """The part of a study that is about one move of the game."""

    moveno: int
    comment: str
    userid: str
    """Of the player of the move; empty for the whole game, and where the game was over."""
    text: str
    """The move as it was played."""
    lines: tuple[StudyLine, ...]
    rows: tuple[VariationRow, ...]
    """The same line by line, as mails show them."""
    before: ShownMoment | None
    """The board before the move, if there are variations in place of it."""
    ends: tuple[ShownMoment, ...]
    """The board after each variation."""


@dataclass(frozen=True, slots=True)
class OpenedStudy:
    """A study with the game that it is about."""

    study: Study
    author: Player
    board: Board
    played: Replay
    studied: StudiedGame
    annotations: tuple[Annotation, ...]

    @property
    def text(self) -> str:
        """All of it as it is typed."""
        return typed(self.annotations)


@handles(StudyGame)
def study_game(command: StudyGame, context: Context) -> list[Notice]:
    """Mail the speaker their study of a game, with what their letter adds to it.

    Raises:
        NoSuchBoard, OtherGame, GameStillOn, NothingToStudy: there is no such game.
        NoStudy: there is none yet, and nothing to begin one with.
        StudyUnreadable, NoMoveToStudy, VariationStopped: what is added is no part of a study of the game.
        StudyTooLarge, TooManyStudies: there is no room for it.
    """
    board, player = find_board(command.board, command.game, context), context.speaker.known
    opened = _opened(board, player, context)
    added = read_study(_without_thanks(context.comment.partition(CUT)[0], player), context.games[board.game])
    if not (added or command.title or opened.study.revision):
        raise NoStudy(board.number, several=context.commands > 1)
    if added or command.title:
        opened = _changed(opened, opened.annotations, added, command.title or opened.study.title, context)
    return [_letter(opened, context, {"is_changed": bool(added or command.title)})]


@handles(SaveStudy)
def save_study(command: SaveStudy, context: Context) -> list[Notice]:
    """Keep the speaker's study of a game as their page has it, or with lines that were tried there.

    Raises:
        NoSuchBoard, GameStillOn, NothingToStudy: there is no such game.
        StudyChanged: a letter, or another page, has changed it.
        StudyUnreadable, NoMoveToStudy, VariationStopped: it is no study of the game.
        EmptyStudy: there is nothing in it.
        StudyTooLarge, TooManyStudies: there is no room for it.
    """
    board = find_board(command.board, None, context)
    opened = _opened(board, context.speaker.known, context)
    if command.seen not in (None, opened.study.revision):
        raise StudyChanged(board.number)
    added = read_study(command.text, context.games[board.game])
    if command.seen is None:
        whole = tuple(_without_begun_turn(each, opened.studied) for each in added)
        if not any(each.lines for each in whole):
            annotated((), added, opened.studied)  # says why nothing of it can be kept
        added = whole
    known = opened.annotations if command.seen is None else ()
    title = command.title or (opened.study.title if command.seen is None else "")
    _changed(opened, known, added, title, context)
    return []


def _without_begun_turn(tried: Remarked, studied: StudiedGame) -> Remarked:
    """A line that was tried on a board, without a turn at its end that is not complete."""
    (line,) = tried.lines or ((),)
    try:
        annotated((), [tried], studied)
    except VariationStopped:
        return replace(tried, lines=(line[:-1],) if line[1:] else ())
    return tried


def _without_thanks(text: str, player: Player) -> str:
    """A text without kind words and a signature at its end."""
    text = unsigned(text, player.userid).rstrip()
    above, _, last = text.rpartition("\n\n")
    return above if above and "}" not in last and is_small_talk(last, (player.userid,)) else text


@handles(ShareStudy)
def share_study(command: ShareStudy, context: Context) -> list[Notice]:
    """Make a link to the speaker's study, by which anybody may read it; or end that.

    Raises:
        NoSuchBoard, OtherGame, GameStillOn, NothingToStudy, NoStudy: there is none.
    """
    board = find_board(command.board, command.game, context)
    before = _stored(board, context) if command.ends else _own(board, context).study
    study = replace(before, key=None if command.ends else before.key or secrets.token_hex(16))
    if study != before:
        context.uow.studies.save(study)
    facts = {"study": study, "ends": command.ends, "was_shared": before.key is not None}
    return [about_board("study_shared", board, context, facts, reader=context.speaker.known)]


@handles(DeleteStudy)
def delete_study(command: DeleteStudy, context: Context) -> list[Notice]:
    """Delete the speaker's study of a game, or what it says of one move; they are mailed what they delete.

    Raises:
        NoSuchBoard, OtherGame, GameStillOn, NothingToStudy, NoStudy: there is none.
    """
    board, moveno = find_board(command.board, command.game, context), command.moveno
    if moveno is None and not can_be_studied(context.course(board)):  # it was annulled, or goes on after all
        return [_without_words(board, _stored(board, context), context)]
    opened = _own(board, context)
    dropped = tuple(each for each in opened.annotations if moveno in (None, each.moveno))
    if moveno is not None and not dropped:
        raise NoStudy(opened.board.number, moveno)
    left = None if moveno is None else [each for each in opened.annotations if each.moveno != moveno]
    moves = None if left is None else moves_to_json(left)
    context.uow.studies.save(replace(opened.study, moves=moves, changed_at=context.now))
    facts = {"moveno": moveno, "text": typed(dropped), "title": opened.study.title}
    return [about_board("study_deleted", opened.board, context, facts, reader=context.speaker.known)]


@handles(ReadStudy)
def mail_shared_study(command: ReadStudy, context: Context) -> list[Notice]:
    """Mail a study that somebody shares.

    Raises:
        NoSharedStudy: nobody does.
    """
    return [_letter(shared_study(command.key, context), context, {"is_changed": False})]


@dataclass(frozen=True, slots=True)
class ListedStudy:
    """A study in the list of its author."""

    study: StudyHead
    board: Board

    @property
    def is_annulled(self) -> bool:
        """The game does not count any more: nobody can read the study, whatever link it has."""
        return any(each.kind is EventKind.ANNULMENT for each in self.board.events)


@handles(ListStudies)
def list_studies(command: ListStudies, context: Context) -> list[Notice]:
    """The studies of the speaker, or a part of them.

    Raises:
        NoSuchGame, NoSuchPart: the game, or the part, is unknown.
    """
    facts = facts_of_studies(ListPart(command.page), context, command.game)
    if command.page > 1 and not facts["rows"]:
        raise NoSuchPart(command.page)
    return [to_sender("studies", context, {**facts, "player": context.speaker.known, "page": command.page})]


def facts_of_studies(part: ListPart, context: Context, game: str | None = None) -> dict[str, object]:
    """The facts of the list of the speaker's studies, the one that was changed last first.

    Raises:
        GuestsMayNot: the speaker is a guest.
        NoSuchGame, NoSuchPart: the game, or the part, is unknown.
    """
    check_no_guest(context)
    name, most = game and context.game(game).name, 10 * context.most_boards
    heads = context.uow.studies.of_player(context.speaker.known.id)
    boards = context.uow.boards.find_all([each.board for each in heads])
    rows = [ListedStudy(each, boards[each.board]) for each in heads if each.board in boards]
    rows = [each for each in rows if name in (None, each.board.game)][part.skipped(most) :]
    return {"rows": rows[:most], "more": len(rows) > most, "game_name": name}


def shared_study(key: str, context: Context) -> OpenedStudy:
    """The study whose link has this key.

    Raises:
        NoSharedStudy: there is none.
    """
    study = context.uow.studies.by_key(key)
    author = None if study is None else context.uow.players.find(study.player)
    board = None if study is None else context.uow.boards.find(study.board)
    if author is None or board is None or not author.is_here:
        raise NoSharedStudy
    try:
        return _opened(board, author, context)
    except NotAllowed as wrong:
        raise NoSharedStudy from wrong  # of a game that does not count any more


def own_study(number: BoardNumber, context: Context) -> OpenedStudy:
    """The speaker's study of the game of a board, with nothing in it if there is none yet.

    Raises:
        GuestsMayNot: the speaker is a guest.
        NoSuchBoard, GameStillOn, NothingToStudy: there is no such game.
    """
    check_no_guest(context)
    return _opened(find_board(number, None, context), context.speaker.known, context)


def study_to_delete(number: BoardNumber, context: Context) -> tuple[Board, Study]:
    """The speaker's study of the game of a board, whatever has become of the game.

    Raises:
        GuestsMayNot: the speaker is a guest.
        NoSuchBoard, NoStudy: there is none.
    """
    check_no_guest(context)
    board = find_board(number, None, context)
    return board, _stored(board, context)


def can_be_studied(course: GameState) -> bool:
    """Return True if a game is over, and there was one."""
    return course.result is not None and course.result.was_played and bool(course.inputs)


def _without_words(board: Board, study: Study, context: Context) -> Notice:
    """Delete a study that nobody can read any more, since its moves do not count."""
    context.uow.studies.save(replace(study, moves=None, changed_at=context.now))
    facts = {"moveno": None, "text": "", "title": study.title}
    return about_board("study_deleted", board, context, facts, reader=context.speaker.known)


def _stored(board: Board, context: Context) -> Study:
    """The speaker's study of the game of a board, whatever has become of the game."""
    study = context.uow.studies.find(context.speaker.known.id, board.number)
    if study is None:
        raise NoStudy(board.number)
    return study


def _own(board: Board, context: Context) -> OpenedStudy:
    opened = _opened(board, context.speaker.known, context)
    if not opened.study.revision:
        raise NoStudy(board.number)
    return opened


def _opened(board: Board, author: Player, context: Context) -> OpenedStudy:
    """A player's study of a game; empty and of revision 0 if there is none."""
    course, game = context.course(board), context.games[board.game]
    if course.result is None:
        raise GameStillOn(board.number)
    if not can_be_studied(course):
        raise NothingToStudy(board.number, is_annulled=course.result.ending is BoardEnding.ANNULLED)
    played = replayed(board, course, game)
    studied = studied_game(played, game)
    study = context.uow.studies.find(author.id, board.number)
    study = Study(author.id, board.number, "", [], context.now) if study is None else study
    annotations = annotated((), from_json(study.moves), studied, in_records=True)
    return OpenedStudy(study, author, board, played, studied, annotations)


def _changed(
    opened: OpenedStudy, known: Sequence[Annotation], added: Sequence[Remarked], title: str, context: Context
) -> OpenedStudy:
    """Keep a study with more comments and variations."""
    title = " ".join(title.split())
    if len(title) > LONGEST_TITLE:
        raise StudyTooLarge("title", LONGEST_TITLE)
    if not opened.study.revision and context.uow.studies.count(opened.author.id) >= MOST_STUDIES:
        raise TooManyStudies(opened.board.number)
    annotations = annotated(known, added, opened.studied)
    if not (annotations or title or opened.study.revision):
        raise EmptyStudy
    study = replace(opened.study, title=title, moves=moves_to_json(annotations), changed_at=context.now)
    context.uow.studies.save(study)
    return replace(opened, study=study, annotations=annotations)


def _letter(opened: OpenedStudy, context: Context, facts: dict[str, object]) -> Notice:
    """The mail that has all of a study: to be read, and as a record."""
    player, board = context.speaker.player, opened.board
    is_own = player is not None and player.id == opened.author.id
    file = study_file(opened, context)
    told = {**facts_of_study(opened, context, MOST_DRAWN), **facts, "is_own": is_own, "file": file}
    return replace(about_board("study", board, context, told, reader=player), attachments=(file,))


def facts_of_study(opened: OpenedStudy, context: Context, most_drawn: int) -> dict[str, object]:
    """The facts by which a study is shown, with so many boards."""
    return {
        "study": opened.study,
        "author": opened.author.userid,
        "entries": tuple(_entries(opened, context, most_drawn)),
        "is_cut": _boards_of(opened.annotations) > most_drawn,
    }


def study_record(opened: OpenedStudy, context: Context) -> dict[str, object]:
    """The record of a game with a study."""
    record = to_json(record_of(opened.board, context.course(opened.board)))
    return {**record, "study": recorded(opened.annotations, opened.study.title, opened.author.userid)}


def study_file(opened: OpenedStudy, context: Context) -> Attachment:
    """The same as a file."""
    content = json.dumps(study_record(opened, context)) + "\n"
    return Attachment(f"{opened.board.game}-{opened.board.number}-study.json", "application/json", content.encode())


def _boards_of(annotations: Sequence[Annotation]) -> int:
    return sum(1 + len(each.lines) for each in annotations if each.lines)


def _entries(opened: OpenedStudy, context: Context, most_drawn: int) -> Iterator[StudiedMove]:
    before, left = moments(opened.played), most_drawn
    for each in opened.annotations:
        inputs = [one for one in opened.played.last.inputs if one.moveno == each.moveno]
        shown, ends = None, list[ShownMoment]()
        if each.lines and left > 0:
            events = before[each.moveno]
            board = replace(opened.played.board, events=opened.played.board.events[:events])
            shown = _moment(board, opened.played.courses[events], (), context)
            left -= 1
            ends = [_end(shown, line, context) for line in each.lines[:left]]
            left -= len(ends)
        yield StudiedMove(
            each.moveno,
            each.comment,
            opened.board.seats[inputs[0].seat].userid if inputs else "",
            " / ".join(one.text.move for one in inputs),
            each.lines,
            tuple(row for line in each.lines for row in _rows(line, 0)),
            shown,
            tuple(ends),
        )


def _moment(board: Board, course: GameState, after: tuple[str, ...], context: Context) -> ShownMoment:
    return ShownMoment(board, course, context.games[board.game].sides(course.position), after)


def _end(start: ShownMoment, line: StudyLine, context: Context) -> ShownMoment:
    """The board after a variation."""
    board, course, game = start.board, start.course, context.games[start.board.game]
    for move in line:
        board = with_turn(board, course, move.record, game, board.last_at)
        course = follow(board, game, course)
    return _moment(board, course, tuple(move.text for move in line), context)


def _rows(line: StudyLine, depth: int) -> Iterator[VariationRow]:
    """A variation, with those within it, in rows that end where something is said or something else may be played."""
    moves: list[tuple[int, str]] = []
    for move in line:
        moves.append((move.number, move.text))
        if move.comment or move.instead or move is line[-1]:
            yield VariationRow(depth, tuple(moves), move.comment)
            moves = []
        for other in move.instead:
            yield from _rows(other, depth + 1)
