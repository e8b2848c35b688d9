"""Answers to letters: prove the sender and carry out the commands; refusals are worded elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.commands.accounts import SignUp
from pbem.commands.answers import answer_in
from pbem.commands.below import plan_below
from pbem.commands.challenges import Challenge, PlayAgain
from pbem.commands.command import Command, SpokenCommand, TurnCommand, short_form
from pbem.commands.comments import signatures_in, without_bare_credentials, without_commands, without_word
from pbem.commands.doubts import may_be_plan, may_be_private, takes_back
from pbem.commands.grammar import begins_command, parse
from pbem.commands.lenient import is_goodbye, names_cells
from pbem.commands.line import BoardAnswered
from pbem.commands.normal import is_move, normalised
from pbem.commands.planning import CancelPlan
from pbem.commands.playing import ANSWERS_ALONE, IN_PLACE_OF_A_MOVE, MakeMove
from pbem.commands.reading import MOST_CHARACTERS, EmptyLetter, NoCommand, Reading, read_letter, with_lines_below
from pbem.commands.refusals import ReadsAsSentence
from pbem.commands.replied import moves_at_boards, puzzle_answer, words_for
from pbem.commands.server import AnswerPuzzle, Help
from pbem.commands.studying import KeepNote
from pbem.commands.subjects import Subject
from pbem.commands.verbs import VERBS, translation_of, verb_of
from pbem.domain.letters import Evidence, Letter, one_line, plain, without_bare_tags
from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.domain.preferences import ENGLISH
from pbem.domain.replies import (
    BoardMail,
    BoardReply,
    ConfirmReply,
    Purpose,
    QuestionMail,
    TopicMail,
    TopicReply,
    UnsubscribeReply,
)
from pbem.errors import NotAllowed, PlayerError
from pbem.games.game import IllegalMove, UnreadableMove
from pbem.ids import PlayerId
from pbem.usecases import confirmations, signup
from pbem.usecases.authentication import identify, is_password, must_be_asked
from pbem.usecases.bounces import where_he_can_read
from pbem.usecases.confirmations import OneChangeALetter
from pbem.usecases.context import Context, Proof
from pbem.usecases.correspondents import Answer, asked_few, heard_from, within_limits
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.follow_ups import drawn
from pbem.usecases.moves import NotYourTurn
from pbem.usecases.plans import NothingPlanned
from pbem.usecases.puzzles import NoMoveForPuzzle, begun
from pbem.usecases.questions import answer_question
from pbem.usecases.refusals import (
    challenge_meant,
    hide_beginnings,
    proven_beginning,
    refusal,
    without_strange_words,
)
from pbem.usecases.understanding import NoSuchBoard, move_in_puzzle, move_meant
from pbem.usecases.watching import command_of_link
from pbem.usecases.wrong_passwords import TooManyAttempts

_ONCE_A_LETTER: dict[str, type[PlayerError]] = {
    SignUp.form: signup.OneSignupALetter,
    **dict.fromkeys(("add", "change", "forgot", "signoff"), OneChangeALetter),
}
"""Verbs that send questions to others, and the refusal of a second one in a letter."""
_ASKED_IF_DOUBTED: tuple[type[MakeMove | TurnCommand], ...] = (MakeMove, *IN_PLACE_OF_A_MOVE.values())
"""Commands that the words below them may take back."""


class MoveDenied(NotAllowed):
    """The only move in a letter is one that its writer does not want to make."""

    move: str


def answer_letter(letter: Letter, context: Context) -> list[Notice]:
    """Carry out what a letter asks for; its refusals are among the notices."""
    answer = _answer(letter, context)
    if answer.proven is None and not (context.evidence.authenticated or context.policy.trust_from):
        answer = replace(answer, notices=without_strange_words(answer.notices, letter, context))
    notices = where_he_can_read(within_limits(answer, context), context)
    language = _language_of_sender(context) if any(isinstance(each.to, str) for each in notices) else ENGLISH
    return [replace(each, language=language) if each.language == ENGLISH else each for each in notices]


def _language_of_sender(context: Context) -> str:
    """The language that the players of the sender's address have set; that of the letter if they differ or are none.

    Nobody is proven by this: the answer goes to that address, and tells nobody else which language it is.
    """
    players = context.uow.players.by_confirmed_address(context.evidence.answer_to)
    languages = {player.preferences.language for player in players}
    return languages.pop() if len(languages) == 1 else context.evidence.language


def answer_visitor(line: str, words: str, context: Context) -> list[Notice]:
    """Carry out what a signed-in visitor types, as if they had mailed it; refusals are among the notices.

    Args:
        line: the Subject that it would have.
        words: the text below the command.
        context: of the request, with its speaker.
    """
    return _answer(Letter(one_line(line), tuple(map(plain, words.splitlines()))), context).notices


def _answer(letter: Letter, context: Context) -> Answer:
    question = context.evidence.reply or context.evidence.answered_mail
    if isinstance(question, ConfirmReply | QuestionMail):
        notices = answer_question(question, letter, context)
        said = f"answer {question.confirmation}" if answer_in(letter.body).is_clear else None
        return Answer(notices, said, confirmations.answerer(question, context), is_to_question=True)
    if isinstance(context.evidence.reply, UnsubscribeReply):
        return Answer(_unsubscribed(context.evidence.reply, context), said="")
    answered = _board_answered(context.evidence)
    try:
        reading = _answer_to_other_mail(letter, context) or read_letter(
            letter.subject, letter.body, context.games, most=context.policy.max_commands, answered=answered
        )
    except PlayerError as wrong:
        nothing = Reading((), answered=answered or Subject.of(letter.subject).board)
        if (understood := _understood(wrong, letter, nothing, None, context)) is not None:
            return understood
        if isinstance(wrong, NoCommand):
            beginnings = (letter.subject, next(filter(str.strip, letter.body), ""))
            wrong.facts["suggested"] = challenge_meant((letter.subject, *letter.body), context)
            wrong.facts["translated"] = next(filter(None, map(_signup_meant, beginnings)), None)
            hide_beginnings(wrong, tuple(each.strip()[:MOST_CHARACTERS] for each in beginnings), context)
        return _refusal_of_letter(wrong, answered, context)
    said = "\n".join(reading.lines) if reading.begins_like_commands(context.games) else None
    context = replace(_with_comment(reading.comment, context), plan=reading.plan)
    if not reading.multiple:
        answer = _answer_line(reading.lines[0], reading, context, letter)
        is_planned = any({"planned", "plan_refused", "with_plan"} & each.facts.keys() for each in answer.notices)
        undone = [_label(line, context) for line in reading.undone]
        told = _telling(answer.notices, "undone", undone) if undone else answer.notices
        if any(verb in VERBS and VERBS[verb].keeps_lines for verb in map(_first_verb, reading.undone)):
            told = _telling(told, "keeps_lines", value=True)
        if reading.plan and not is_planned:
            told = _telling(told, "plan_left", drawn(reading.plan))
        return replace(answer, notices=told, said=answer.said or said)
    answers = _answer_lines(reading, context)
    proven = next((each.proven for each in answers if each.proven is not None), None)
    labels = [_label(line, context) for line in reading.lines]
    return Answer(_gather([each.notices for each in answers], labels, context), said, proven)


def _first_verb(line: str) -> str:
    return next(filter(None, map(verb_of, line.split()[:2])), "")


def _with_comment(below: str, context: Context) -> Context:
    """The context with the text below the command as its comment, without lines that are commands with a password."""
    return replace(context, comment=without_bare_tags(without_commands(below, context.games)), below=below)


def _telling(notices: Sequence[Notice], fact: str, value: object) -> list[Notice]:
    """The notices, with one more fact in those for the letter's sender, which then wait for no other mail."""
    return [
        replace(each, facts={**each.facts, fact: value}, leaves_at=None, awaits_robot=False) if each.answers else each
        for each in notices
    ]


def _telling_of_lines(command: Command, notices: Sequence[Notice], context: Context) -> list[Notice]:
    """The notices; those for the sender say how many lines of the words for others were left out, if any were."""
    written, passed_on = (len([*filter(str.strip, text.split("\n"))]) for text in (context.below, context.comment))
    takes_words = isinstance(command, SpokenCommand | Challenge | PlayAgain)
    return _telling(notices, "left_out", written - passed_on) if takes_words and written > passed_on else [*notices]


def _answer_to_other_mail(letter: Letter, context: Context) -> Reading | None:
    """Read a letter that answers a chat, message, puzzle or daily mail; None if it does not, or has its own command."""
    subject, games = Subject.of(letter.subject), context.games
    if not subject.has_our_form and (begins_command(subject.text, games) or subject.text.lower() == "multiple"):
        return None
    match context.evidence.reply or context.evidence.answered_mail:
        case BoardReply(board=board, is_chat=True) | BoardMail(board=board, is_chat=True):
            return words_for(f"chat {board}", letter.body, games, BoardAnswered(board))
        case TopicReply(kind=Purpose.MESSAGE, number=number) | TopicMail(kind=Purpose.MESSAGE, number=number):
            writer = next(iter(context.uow.players.get_all([PlayerId(number)])), None)
            return None if writer is None else words_for(f"message to {writer.userid}", letter.body, games, None)
        case TopicReply(kind=Purpose.PUZZLE, number=number) | TopicMail(kind=Purpose.PUZZLE, number=number):
            return puzzle_answer(number, letter.body, games)
        case TopicReply(kind=Purpose.DIGEST) | TopicMail(kind=Purpose.DIGEST):
            return moves_at_boards(letter.body, context.policy.max_commands)
        case BoardReply() | BoardMail():
            return None
    chat = subject.board_of_chat if subject.is_reply else None
    return None if chat is None else words_for(f"chat {chat}", letter.body, games, BoardAnswered(chat))


def _unsubscribed(reply: UnsubscribeReply, context: Context) -> list[Notice]:
    """Follow the unsubscribe link of a mail; the rest of the letter is never read."""
    try:
        return dispatch(command_of_link(reply), context)
    except PlayerError as wrong:
        return [refusal(wrong, None, "", context)]


def _board_answered(evidence: Evidence) -> BoardAnswered | None:
    """The board that a letter answers, by its reply address or else by the mail that it answers."""
    match evidence.reply or evidence.answered_mail:
        case BoardReply(board=board) | BoardMail(board=board):
            return BoardAnswered(board)
    return None


def _answer_lines(reading: Reading, context: Context) -> list[Answer]:
    """Carry out each line of a letter of many commands, within what one letter may cost."""
    context = replace(context, commands=len(reading.lines))
    answers: list[Answer] = []
    begun: set[type[PlayerError] | None] = set()
    for line in reading.lines:
        first = next(iter(normalised(line, context.games).split()), "")
        too_many = _ONCE_A_LETTER.get(verb_of(first) or "")
        if too_many is not None and too_many in begun:
            answers.append(Answer([refusal(too_many(), None, line, context)]))
        else:
            answers.append(_answer_line(line, reading, context))
        begun.add(too_many)
    return answers


def _refusal_of_letter(wrong: PlayerError, answered: BoardAnswered | None, context: Context) -> Answer:
    """The refusal of a letter without a command; it names the board that the letter answers, if it answers one."""
    heard: list[Notice] = []
    if context.speaker.session is not None:
        wrong.facts["on_web"] = True
    if answered is not None:
        wrong.facts["board"] = answered.board
        if isinstance(wrong, EmptyLetter):
            wrong.facts["form"] = MakeMove.form
        context, heard = _with_speaker(Help(), context)
    return Answer([*heard, refusal(wrong, None, "", context)], proven=context.speaker.proven_id)


def _answer_line(line: str, reading: Reading, context: Context, letter: Letter | None = None) -> Answer:
    """Carry out one command line, or refuse it; ``letter`` is the one whose only line it is."""
    command: Command | None = None
    heard: list[Notice] = []
    try:
        command = parse(line, context.games, reading.answered)
        if letter is not None and isinstance(command, _ASKED_IF_DOUBTED) and _is_doubted(command, context):
            return _answer_meant(command, context, confirmations.Doubt.BELOW)
        context, heard = _prepared(command, context)
        return _done(command, heard, context)
    except TooManyAttempts as unheard:
        return _unheard(command or Help(), unheard, line, context)
    except PlayerError as wrong:
        understood = None if letter is None else _understood(wrong, letter, reading, command, context)
        if understood is not None:
            return understood
        begun = proven_beginning(line, context) if command is None and "board" in wrong.facts else None
        if command is None and (begun is not None or reading.answered is not None):
            context, heard = _with_speaker(begun or Help(), context)
        if letter is not None and isinstance(wrong, UnreadableMove):
            wrong.facts["found_none"] = not names_cells("\n".join(letter.body))
        if letter is not None and isinstance(wrong, NotYourTurn):
            wrong.facts.update(may_be_plan=may_be_plan("\n".join(letter.body)), has_plan=bool(reading.plan))
        return Answer([*heard, refusal(wrong, command, line, context)], proven=context.speaker.proven_id)


def _is_doubted(command: MakeMove | TurnCommand, context: Context) -> bool:
    """Return True if the words below a move may take it back, or be for nobody else.

    Not on a page, where both are seen before sending.
    """
    if context.speaker.session is not None or not context.comment.strip():
        return False
    is_private = may_be_private(context.comment, has_plan=bool(context.plan))
    if command.speaker is not None:  # a whole command is meant, but not all words below it need be for others
        return is_private
    if not isinstance(command, MakeMove) or command.move_text.lower() in ANSWERS_ALONE:
        board = context.uow.boards.find(command.board)
        names = {seat.userid for seat in board.seats} if board is not None else ()
        return not is_goodbye(context.comment, names, command.form)
    return is_move(command.move_text.split()) and (is_private or takes_back(context.comment))


def _prepared(command: Command, context: Context) -> tuple[Context, list[Notice]]:
    """The context with the command's speaker and a comment without passwords, and the notices to send them."""
    if isinstance(command, SpokenCommand) and command.speaker is not None:
        context = replace(context, comment=without_word(context.comment, command.speaker.password))
    context, heard = _with_speaker(command, context)
    return _without_credentials(command, context), heard


def _done(command: Command, heard: list[Notice], context: Context) -> Answer:
    """Carry out a command, or ask back if its sender is not proven."""
    if must_be_asked(command, context):
        with context.uow.rehearsal():
            dispatch(command, context)
        asked = confirmations.ask_command(command, short_form(command), context)
        return Answer([*heard, *_telling_of_lines(command, asked, context)])
    told = _telling_of_lines(command, dispatch(command, context), context)
    return Answer([*heard, *told], proven=context.speaker.proven_id)


def _understood(
    wrong: PlayerError, letter: Letter, reading: Reading, command: Command | None, context: Context
) -> Answer | None:
    """Carry out, or offer, the one legal move of a letter that could not be read strictly; None if it has none.

    Only moves are read this way: no resignation, no answer to an offer, and nothing about accounts.
    """
    subject, line = Subject.of(letter.subject), next(iter(reading.lines), "")
    heading, lines = "" if subject.has_our_form else subject.text, letter.body
    if isinstance(command, AnswerPuzzle) and isinstance(wrong, UnreadableMove | IllegalMove):
        return _answer_to_puzzle(wrong, command, reading, context)
    if isinstance(command, MakeMove) and isinstance(wrong, UnreadableMove | IllegalMove):
        if begins_command(line, context.games):
            heading, lines = "", (command.move_text, *reading.comment.split("\n"))
    elif isinstance(command, MakeMove) and isinstance(wrong, NoSuchBoard) and reading.answered is not None:
        command = MakeMove(reading.answered.board, "")  # the number may be that of the move
    elif reading.answered is not None and _may_name_move(wrong, line, command):
        command = MakeMove(reading.answered.board, "")
    else:
        return None
    plan, words = plan_below(lines, {str(command.board)})
    meant = move_meant(command.board, heading, words, context)
    if meant is None or (context.speaker.session is not None and not meant.is_certain):
        return None
    if meant.text.lower() == command.move_text.lower():
        return None  # it was read strictly, and refused
    if meant.is_denied:
        context, heard = _with_speaker(Help(), context)
        denied = refusal(MoveDenied(meant.text), command, line, context)
        return Answer([*heard, denied], proven=context.speaker.proven_id)
    moveno = command.moveno if meant.moveno is None else meant.moveno
    command = replace(command, move_text=meant.text, moveno=moveno)
    apart = with_lines_below(short_form(command), meant.comment.split("\n"), context.games, reading.answered)
    context = replace(_with_comment(apart.comment, context), plan=plan or reading.plan)
    answer = _answer_meant(command, context, None if meant.is_certain else confirmations.Doubt.AROUND)
    if meant.is_certain or context.plan or may_be_plan(context.comment) or not may_be_plan("\n".join(words)):
        return answer
    return replace(answer, notices=_telling(answer.notices, "plan_beside", value=True))


def _signup_meant(line: str) -> str | None:
    """``signup`` if a line is that in another language and one word more, which may be no userid: it is not obeyed."""
    words = line.split()
    return SignUp.form if len(words) == len(("signup", "userid")) and translation_of(words[0]) == SignUp.form else None


def _may_name_move(wrong: PlayerError, line: str, command: Command | None) -> bool:
    """Return True if an answer without a command may name a move; ``Accept my thanks`` begins with a verb, too.

    So may one with ``Forget the plan!`` above a move where there is no plan.
    """
    if command is not None:
        return isinstance(command, CancelPlan) and isinstance(wrong, NothingPlanned)
    return isinstance(wrong, ReadsAsSentence) or verb_of(line.partition(" ")[0]) in (None, "move")


def _answer_to_puzzle(wrong: PlayerError, command: AnswerPuzzle, reading: Reading, context: Context) -> Answer | None:
    """Judge the one move in an answer to a puzzle, as nothing is lost by it, or say why it cannot be played.

    None if the answer is that move alone, or tries to be.
    """
    puzzle = context.puzzles[command.number]
    game, position = context.games[puzzle.game], begun(puzzle, context)[1].position
    lines = (command.move, *reading.comment.split("\n"))
    text = move_in_puzzle(lines, game, position)
    if text is None and isinstance(wrong, UnreadableMove) and not is_move(command.move.split()):
        return Answer([refusal(NoMoveForPuzzle(), command, "", context)], proven=context.speaker.proven_id)
    if text is None or text.lower() == command.move.lower():
        return None
    try:
        told = dispatch(replace(command, move=text), context)
    except PlayerError as reason:
        return Answer([refusal(reason, command, "", context)], proven=context.speaker.proven_id)
    return Answer(_telling(told, "read_as", text), proven=context.speaker.proven_id)


def _answer_meant(command: SpokenCommand, context: Context, doubt: confirmations.Doubt | None) -> Answer:
    """Make the move that a letter means, and say what was read; or ask, if the move or its sender is not certain."""
    line, heard = short_form(command), list[Notice]()
    try:
        context, heard = _prepared(command, context)
        if doubt is None and not must_be_asked(command, context):
            told = _telling(dispatch(command, context), "read_as", getattr(command, "move_text", line))
            return Answer([*heard, *_telling_of_lines(command, told, context)], line, context.speaker.proven_id)
        with context.uow.rehearsal():
            dispatch(command, context)
        asked = confirmations.ask_command(command, line, context, doubt)
        if context.speaker.proof is Proof.PROVEN:  # the words are theirs
            asked = _telling(_telling(asked, "own_words", context.comment), "plan_drawn", drawn(context.plan))
        return Answer([*heard, *asked], proven=context.speaker.proven_id)
    except TooManyAttempts as unheard:
        return _unheard(command, unheard, line, context)
    except PlayerError as wrong:
        return Answer([*heard, refusal(wrong, command, line, context)], line, context.speaker.proven_id)


def _unheard(command: Command, unheard: TooManyAttempts, line: str, context: Context) -> Answer:
    """Ask the player about a command whose right password may not be acted upon.

    Whoever wrote it is told the same if the password is wrong, unless they are the player.
    """
    asked, player = confirmations.ask_unheard(command, unheard, context), unheard.right
    is_home = player is not None and player.has_address(context.evidence.from_address or "")
    if is_home and any(notice.name == confirmations.UNHEARD and not notice.is_decoy for notice in asked):
        return Answer(asked)
    return Answer([refusal(unheard, command, line, context), *asked], proven=player.id if player and is_home else None)


def _with_speaker(command: Command, context: Context) -> tuple[Context, list[Notice]]:
    """The context with the command's speaker, and the notices that hearing from them causes."""
    return heard_from(replace(context, speaker=identify(command, context)))


def _without_credentials(command: Command, context: Context) -> Context:
    """The context without comment lines that are only a userid of the sender and their password."""
    if not context.comment:
        return context
    sender = context.evidence.from_address
    senders = context.uow.players.by_confirmed_address(sender) if sender else ()
    players = [*senders, *filter(None, [context.speaker.player])]
    signing = {
        line
        for each in players
        for line in _unsuspected(command, context.comment, each.userid)
        if _signs(each, line, context)
    }
    userids = {each.userid for each in players}
    return replace(context, comment=without_bare_credentials(context.comment, userids, signing))


def _unsuspected(command: Command, comment: str, userid: str) -> Sequence[str]:
    """The lines of a comment that begin with a userid and are no credentials, unless they have the password.

    A note is its writer's alone: two words that are all of it are what they want to keep.
    """
    words = comment.split()
    is_note = isinstance(command, KeepNote) and len(words) == len(("userid", "word"))
    return [" ".join(words)] if is_note else signatures_in(comment, [userid])


def _signs(player: Player, line: str, context: Context) -> bool:
    """Return True if a line is a player's name and no password; a sender who is not proven must not learn which."""
    name = line.split()[1]
    if player.password_hash is None:
        return True
    is_proven = player.id == context.speaker.proven_id and context.speaker.proof is Proof.PROVEN
    return is_proven and not any(
        is_password(player, word, context) for word in {name, name.lower(), name.rstrip(".,:;!?")}
    )


def _label(line: str, context: Context) -> str:
    """The game, verb and board of a line; empty if it is no command, since any other word may be a password."""
    try:
        command = parse(line, context.games)
    except PlayerError:
        return _begun_label(line, context)
    words = (getattr(command, "game", None), command.form, getattr(command, "board", None))
    return " ".join(str(word) for word in words if word is not None)


def _begun_label(line: str, context: Context) -> str:
    """The game and the verb that begin a line which is no command; empty if it has no verb."""
    words = line.split(maxsplit=2)
    game = words[0].lower() if words and words[0].lower() in context.games else None
    verb = next(filter(None, map(verb_of, words[bool(game) :][:1])), None)
    return " ".join(filter(None, (game, verb))) if verb is not None else ""


def _gather(answers: list[list[Notice]], labels: list[str], context: Context) -> list[Notice]:
    """Put all answers to the sender of a letter into one notice; other players get their own.

    A question stays a mail of its own, or nobody could answer it; so do a file, and a mail that is sent once more.
    """
    parts = [[notice for notice in notices if is_gathered(notice)] for notices in answers]
    others = [notice for notices in answers for notice in notices if not is_gathered(notice)]
    senders = [notice.to for notices in parts for notice in notices]
    to = next((each for each in senders if not isinstance(each, str)), context.evidence.answer_to)
    files = [any(notice.attachments or notice.copy_of for notice in notices) for notices in answers]
    return [Notice("answers", to, {"parts": parts, "files": files, "labels": labels}, answers=True), *others]


def told_apart(notices: Sequence[Notice], context: Context) -> tuple[list[Notice], list[Notice]]:
    """Split notices into those shown at once, on a page or to a program, and those mailed; drop surplus questions."""
    told = asked_few(notices, context, is_proven=context.speaker.proven_id is not None)
    return [notice for notice in told if is_gathered(notice)], [notice for notice in told if not is_gathered(notice)]


def is_gathered(notice: Notice) -> bool:
    """Return True if a notice answers together with others: in one mail, on a page, or to a program."""
    return notice.answers and not stands_alone(notice)


def stands_alone(notice: Notice) -> bool:
    """Return True if a notice must be a mail of its own."""
    return isinstance(notice.reply, ConfirmReply) or bool(notice.attachments) or notice.copy_of is not None
