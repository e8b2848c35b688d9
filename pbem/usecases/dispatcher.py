"""One way in for everything that is asked of the server: prove the speaker, find the handler, word no refusal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

from pbem.commands.deeds import AnnulBoard, EndBoard, HandOverSeat
from pbem.commands.grammar import parse
from pbem.commands.line import BoardAnswered
from pbem.commands.model import (
    BoardCommand,
    Challenge,
    Command,
    Confirm,
    ExportBoard,
    Help,
    ListGames,
    Mailed,
    MakeMove,
    ReportPlayer,
    Resend,
    Resign,
    SetPreferences,
    ShowBoards,
    ShowPlayersBoards,
    ShowPreferences,
    SignUp,
    SpokenCommand,
    Subscribe,
    TableOfBoards,
    Unsubscribe,
)
from pbem.commands.reading import EmptyLetter, Reading, read_letter
from pbem.commands.secrets import HIDDEN, TYPED, possible_passwords, repeats, without_commands, without_word
from pbem.domain.message_ids import BoardMail, QuestionMail
from pbem.domain.notices import Notice
from pbem.domain.replies import BoardReply, ConfirmReply, QuietReply
from pbem.errors import PlayerError
from pbem.ids import BoardNumber
from pbem.usecases import (
    accounts,
    challenges,
    confirmations,
    interventions,
    mailed,
    moves,
    preferences,
    quiet,
    records,
    reports,
    views,
)
from pbem.usecases.caps import within_limits
from pbem.usecases.context import Context, Proof
from pbem.usecases.notifications import about_board
from pbem.usecases.proof import identify, must_be_asked
from pbem.usecases.reachability import heard_from, where_he_can_read

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.domain.boards import Board
    from pbem.domain.letters import Evidence, Letter
    from pbem.ids import ConfirmationId

    Handler: TypeAlias = Callable[[Any, Context], list[Notice]]

HANDLERS: dict[type[Command], Handler] = {
    SignUp: accounts.sign_up,
    Help: views.help_,
    ListGames: views.list_games,
    Challenge: challenges.challenge,
    MakeMove: moves.make_move,
    Resign: moves.resign,
    ShowBoards: views.show_boards,
    ShowPlayersBoards: views.show_players_boards,
    TableOfBoards: views.table_of_boards,
    ExportBoard: records.export_board,
    ShowPreferences: preferences.show_preferences,
    SetPreferences: preferences.set_preferences,
    ReportPlayer: reports.report_player,
    Mailed: mailed.show_mailed,
    Resend: mailed.resend,
    Subscribe: quiet.subscribe,
    Unsubscribe: quiet.unsubscribe,
    AnnulBoard: interventions.annul_board,
    EndBoard: interventions.end_board,
    HandOverSeat: interventions.hand_over_seat,
}
"""The table of contents of the server."""


def dispatch(command: Command, context: Context) -> list[Notice]:
    """Carry out one command, whoever made it.

    Raises:
        PlayerError: it cannot be done; nothing has changed.
    """
    with context.uow.attempt():
        return HANDLERS[type(command)](command, context)


def answer_letter(letter: Letter, context: Context) -> list[Notice]:
    """Carry out what a letter asks for; its refusals are among the notices."""
    notices, said = _answer(letter, context)
    return where_he_can_read(within_limits(notices, said, context), context)


def _answer(letter: Letter, context: Context) -> tuple[list[Notice], str | None]:
    """What a letter leads to, and the commands in it: None if it holds nothing that begins like one."""
    question = _question_answered(context.evidence)
    if question is not None:
        agreed = confirmations.agreement(letter.body)
        return _answer_question(question, agreed, context), None if agreed is None else ""
    if isinstance(context.evidence.reply, QuietReply):
        return _quietened(context.evidence.reply, context), ""
    answered = _board_answered(context.evidence)
    try:
        reading = read_letter(
            letter.subject, letter.body, context.games, most=context.policy.max_commands, answered=answered
        )
    except PlayerError as wrong:
        return _refusal_of_letter(wrong, answered, context), None
    said = "\n".join(reading.lines) if reading.begins_like_commands(context.games) else None
    context = replace(context, comment=without_commands(reading.comment, context.games))
    if not reading.multiple:
        return _answer_line(reading.lines[0], reading, context), said
    return _gather(_answer_lines(reading, context), context), said


def _quietened(reply: QuietReply, context: Context) -> list[Notice]:
    """Do what the link does by which mails are unsubscribed from; what else the letter says is never read."""
    try:
        return quiet.quieten_by_link(reply, context)
    except PlayerError as wrong:
        return [_refusal(wrong, None, "", context)]


def _question_answered(evidence: Evidence) -> ConfirmationId | None:
    """The question that a letter answers, by its reply address or else by the mail that it answers."""
    match evidence.reply or evidence.answered_mail:
        case ConfirmReply(confirmation=confirmation) | QuestionMail(confirmation=confirmation):
            return confirmation
    return None


def _board_answered(evidence: Evidence) -> BoardAnswered | None:
    """The board that a letter answers, likewise."""
    match evidence.reply or evidence.answered_mail:
        case BoardReply(board=board) | BoardMail(board=board):
            return BoardAnswered(board)
    return None


def _answer_lines(reading: Reading, context: Context) -> list[list[Notice]]:
    """Carry out each line of a letter of many commands, within what one letter may cost."""
    context = replace(context, commands=len(reading.lines))
    answers: list[list[Notice]] = []
    signed_up = False
    for line in reading.lines:
        is_signup = line.split(maxsplit=1)[0].lower() == SignUp.form
        if is_signup and signed_up:
            answers.append([_refusal(accounts.OneSignupALetter(), None, line, context)])
        else:
            answers.append(_answer_line(line, reading, context))
        signed_up |= is_signup
    return answers


def _refusal_of_letter(wrong: PlayerError, answered: BoardAnswered | None, context: Context) -> list[Notice]:
    """Why no command was found; with the board, where the letter answers one."""
    heard: list[Notice] = []
    if answered is not None:
        wrong.facts["board"] = answered.board
        if isinstance(wrong, EmptyLetter):
            wrong.facts["form"] = MakeMove.form
        context, heard = heard_from(replace(context, speaker=identify(Help(), context)))
    return [*heard, _refusal(wrong, None, "", context)]


def _answer_question(question: ConfirmationId, agreed: bool | None, context: Context) -> list[Notice]:
    command = Confirm(question, agreed)
    try:
        confirmation = confirmations.take_answer(command, context)
        if command.agreed is False:
            return confirmations.declined(confirmation, context)
        if confirmations.is_address(confirmation):
            return accounts.confirm_address(confirmation, context)
    except PlayerError as wrong:
        return [_refusal(wrong, None, "", context)]
    context, heard = heard_from(confirmations.proven(confirmation, context))
    return [*heard, *_carry_out(confirmation.line or "", context)]


def _answer_line(line: str, reading: Reading, context: Context) -> list[Notice]:
    """Carry out one command line, or refuse it."""
    command: Command | None = None
    heard: list[Notice] = []
    try:
        command = parse(line, context.games, reading.answered)
        if isinstance(command, SpokenCommand) and command.speaker is not None:
            context = replace(context, comment=without_word(context.comment, command.speaker.password))
        context, heard = heard_from(replace(context, speaker=identify(command, context)))
        if must_be_asked(command, context.speaker):
            with context.uow.rehearsal():
                dispatch(command, context)
            return [*heard, *confirmations.ask_command(command, _short_form(command), context)]
        return [*heard, *dispatch(command, context)]
    except PlayerError as wrong:
        if command is None and reading.answered is not None:
            context, heard = heard_from(replace(context, speaker=identify(Help(), context)))
        return [*heard, _refusal(wrong, command, line, context)]


def _carry_out(line: str, context: Context) -> list[Notice]:
    """Carry out a line whose speaker is proven already."""
    command = parse(line, context.games)
    try:
        return dispatch(command, context)
    except PlayerError as wrong:
        return [_refusal(wrong, command, line, context)]


def _short_form(command: SpokenCommand) -> str:
    """The line that says the same without userid and password."""
    match command:
        case MakeMove():
            moveno = "" if command.moveno is None else f"#{command.moveno}"
            return f"move {command.board} {command.move_text}{moveno}"
        case SetPreferences():
            return " ".join([command.form, *(f"{key}={value}" for key, value in command.settings)])
        case ReportPlayer():
            return f"{command.form} to {command.about}{'' if command.board is None else f' {command.board}'}"
        case BoardCommand():
            return f"{command.form} {command.board}"
        case _:
            return command.form


def _gather(answers: list[list[Notice]], context: Context) -> list[Notice]:
    """Put what the lines of one letter answer to its sender into one notice; others get theirs as ever.

    A question stays a mail of its own too, or its answer would not come to the question; so does a file, and a mail
    that is sent once more.
    """
    parts = [[notice for notice in notices if _is_gathered(notice)] for notices in answers]
    others = [notice for notices in answers for notice in notices if not _is_gathered(notice)]
    senders = [notice.to for notices in parts for notice in notices]
    to = next((each for each in senders if not isinstance(each, str)), context.evidence.answer_to)
    files = [any(notice.attachment or notice.copy_of for notice in notices) for notices in answers]
    return [Notice("answers", to, {"parts": parts, "files": files}, answers=True), *others]


def _is_gathered(notice: Notice) -> bool:
    stands_alone = isinstance(notice.reply, ConfirmReply) or notice.attachment or notice.copy_of
    return notice.answers and not stands_alone


def _refusal(wrong: PlayerError, command: Command | None, line: str, context: Context) -> Notice:
    """Word for word what stood in the way, never a word that may be a password, and the board if one is meant."""
    player = context.speaker.player
    game_name = _game_named(command, wrong, line, context)
    facts: dict[str, object] = {
        "error": _without_passwords(wrong, command, line, context),
        "form": command.form if command else wrong.facts.get("form"),
        "game_name": game_name,
        "game_meant": context.games.get(game_name or ""),
    }
    board = _board_meant(command, wrong, context)
    if board is not None:
        return about_board("board_error", board, context, facts, reader=player, refusal=True)
    to = player or context.evidence.answer_to
    if isinstance(wrong, challenges.InvalidChallenge):
        return Notice("invalid_challenge", to, facts, answers=True, from_nobody=True)
    return Notice("error", to, facts, answers=True, from_nobody=True)


def _board_meant(command: Command | None, wrong: PlayerError, context: Context) -> Board | None:
    """The board that a command names, or that its refusal is about."""
    number = command.board if isinstance(command, BoardCommand) else wrong.facts.get("board")
    return context.uow.boards.find(BoardNumber(number)) if isinstance(number, int) else None


def _game_named(command: Command | None, wrong: PlayerError, line: str, context: Context) -> str | None:
    first = next((word for word in line.lower().split(maxsplit=1)[:1] if word in context.games), None)
    named = getattr(command, "game", None) or wrong.facts.get("game") or first
    return str(named).lower() if named else None


def _without_passwords(wrong: PlayerError, command: Command | None, line: str, context: Context) -> PlayerError:
    """Blank every fact that repeats a word which may be a password."""
    secrets = possible_passwords(line, context.games)
    if isinstance(command, SpokenCommand) and command.speaker and context.speaker.proof is Proof.PROVEN:
        secrets = frozenset((command.speaker.password,))
    reasons = wrong.facts.get("reasons", ())
    for each in (wrong, *(reasons if isinstance(reasons, tuple) else ())):
        for name, fact in each.facts.items():
            if name in TYPED and isinstance(fact, str) and repeats(fact, secrets):
                each.facts[name] = HIDDEN
    return wrong
