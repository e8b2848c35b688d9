"""The speaker of a command, and whether the proof is enough for what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from pbem.commands.accounts import ReportPlayer
from pbem.commands.challenges import Challenge, PlayAgain, Seek
from pbem.commands.command import BoardCommand, Command, Credentials, Need, SpokenCommand
from pbem.commands.server import SendMessage
from pbem.domain.players import Player, Standing, userid_key
from pbem.domain.replies import BoardMail, BoardReply, Purpose, TopicMail, TopicReply
from pbem.errors import Ambiguous, NotAllowed
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.context import Context, Proof, Speaker
from pbem.usecases.wrong_passwords import (
    TooManyAttempts,
    TooManyPasswords,
    allow_attempt,
    note_right_password,
    note_wrong_password,
)

_DAY = timedelta(days=1)
MOST_PASSWORDS = 3
"""Passwords that are verified for one letter, since each takes time: the player's own, and a slip or two."""


class WrongPassword(NotAllowed):
    """Userid and password do not belong together, or there is no such userid: the answer is the same.

    It quotes no word: where the userid was forgotten, the password takes its place.
    """


class AccountFrozen(NotAllowed):
    """The operator has frozen the account: its player may look on and nothing else."""

    operator: str | None


class AccountBanned(NotAllowed):
    """The operator has closed the account for good."""

    operator: str | None


class NotConfirmed(NotAllowed):
    """The speaker's password is right, but no address of theirs is confirmed yet."""

    userid: str


class UnknownSender(NotAllowed):
    """Nobody has confirmed the address that the letter comes from."""

    address: str
    expired: bool
    takes_password: bool


class SeveralSenders(Ambiguous):
    """Several players share the address that the letter comes from."""

    address: str
    userids: Sequence[str]


def identify(command: Command, context: Context) -> Speaker:
    """Return the speaker of a command.

    Raises:
        TooManyAttempts, WrongPassword, NotConfirmed, UnknownSender, SeveralSenders: not well enough for this command.
        AccountFrozen, AccountBanned: the speaker may not ask for it any more.
    """
    need = command.needs
    speaker = _speaker(command, context, need)
    if speaker.player is not None and need is not Need.NOTHING:
        check_standing(speaker.player, type(command), context)
    return speaker


def check_standing(player: Player, command: type[Command] | None, context: Context) -> None:
    """Accept the use of an account, for a command of this kind if one is given.

    Raises:
        AccountFrozen, AccountBanned: the operator does not allow it.
    """
    if command is not None and command.only_shows:
        return
    if player.standing is Standing.FROZEN:
        raise AccountFrozen(context.policy.operator)
    if player.standing is Standing.BANNED and not (command is not None and command.about_own_data):
        raise AccountBanned(context.policy.operator)


def _speaker(command: Command, context: Context, need: Need) -> Speaker:
    credentials = command.speaker if isinstance(command, SpokenCommand) else None
    if context.speaker.session is not None and (credentials is None or _is_himself(credentials, context)):
        return context.speaker
    if credentials is not None:
        return _by_password(credentials, command, context, need)
    speaker = _by_mail(command, context) or _by_address(command, context, need)
    if speaker.player is None and need is not Need.NOTHING:
        raise UnknownSender(
            context.evidence.from_address or "",
            expired=context.evidence.stale_reply,
            takes_password=isinstance(command, SpokenCommand),
        )
    return speaker


def _is_himself(credentials: Credentials, context: Context) -> bool:
    """Return True if a command names the player who is already signed in; their password proves nothing more."""
    return userid_key(credentials.userid) == userid_key(context.speaker.known.userid)


def own_userids(context: Context) -> frozenset[str]:
    """The keys of the userids that a letter's sender may have; these are no secret, whatever word is beside them."""
    sender = context.evidence.from_address
    players = [*context.uow.players.by_confirmed_address(sender)] if sender else []
    return frozenset(userid_key(each.userid) for each in (*players, context.speaker.player) if each is not None)


def must_be_asked(command: Command, context: Context) -> bool:
    """Return True if the speaker is known but not proven and the command needs proof, so that we must ask first.

    Challenges and seeks need it after too many boards in a day: somebody else may be making them.
    """
    if context.speaker.proof >= Proof.AUTHENTICATED:
        return False
    if isinstance(command, Challenge | PlayAgain | Seek):
        return _has_begun_many(context)
    return command.needs is Need.PROOF


def _has_begun_many(context: Context) -> bool:
    begun = context.uow.boards.begun_since(context.speaker.known.id, context.now - _DAY)
    return begun >= context.policy.unproven_challenges_per_day


def _by_password(credentials: Credentials, command: Command, context: Context, need: Need) -> Speaker:
    player = context.uow.players.by_userid(credentials.userid)
    is_known = _is_looked_at(credentials, context)
    try:
        attempt = allow_attempt(credentials.userid, player, context)
    except TooManyAttempts as refused:
        speaker = _without_password(command, context)
        is_enough = speaker.proof >= Proof.AUTHENTICATED or need is not Need.PROOF
        if player is not None and speaker.player == player and is_enough:
            return speaker  # others' guesses must not keep out a player who needs no password
        refused.right = player if _is_right(credentials, player, context) else None
        raise
    if not _is_right(credentials, player, context) or player is None:
        if not is_known:
            note_wrong_password(attempt, context)
        raise WrongPassword
    if not player.confirmed:
        raise NotConfirmed(player.userid)
    note_right_password(player, attempt, context)
    return Speaker(player, Proof.PROVEN)


def is_password(player: Player, word: str, context: Context) -> bool:
    """Return True if a word is the password of a proven player, or if no more passwords may be verified."""
    if player.password_hash is None:
        return False
    credentials = Credentials(player.userid, word)
    if _key(credentials) not in context.verified and len(context.verified) >= MOST_PASSWORDS:
        return True
    return _is_right(credentials, player, context)


def _is_looked_at(credentials: Credentials, context: Context) -> bool:
    """Return True if the letter has already given this userid with this password.

    Raises:
        TooManyPasswords: no more are verified.
    """
    is_known = _key(credentials) in context.verified
    if not is_known and len(context.verified) >= MOST_PASSWORDS:
        raise TooManyPasswords(MOST_PASSWORDS)
    return is_known


def _is_right(credentials: Credentials, player: Player | None, context: Context) -> bool:
    """Return True if a password is the player's; each is verified once per letter, even for an unknown userid."""
    key = _key(credentials)
    if key not in context.verified:
        password_hash = None if player is None else player.password_hash
        context.verified[key] = context.passwords.verify(credentials.password, password_hash)
    return context.verified[key]


def _key(credentials: Credentials) -> tuple[str, str]:
    return userid_key(credentials.userid), credentials.password


def _without_password(command: Command, context: Context) -> Speaker:
    """The speaker, as far as the letter proves one without its password."""
    return _by_mail(command, context) or _by_address(command, context, Need.NOTHING)


def _by_mail(command: Command, context: Context) -> Speaker | None:
    """The speaker, as far as the mail that the letter answers proves one."""
    return _by_reply(command, context) or _by_answer(command, context) or _by_topic(command, context)


def _by_reply(command: Command, context: Context) -> Speaker | None:
    """A signed reply address proves its player for its board, if the letter also comes from them."""
    reply, sender = context.evidence.reply, context.evidence.from_address
    if not isinstance(reply, BoardReply) or sender is None:
        return None
    if isinstance(command, SpokenCommand) and not _is_about(command, reply.board):
        return None
    for player in context.uow.players.by_confirmed_address(sender):
        if player.id == reply.player:
            return Speaker(player, Proof.PROVEN, reply.event)
    return None


def _by_answer(command: Command, context: Context) -> Speaker | None:
    """The Message-ID of a board's mail proves the same for a player who has got that mail and holds a seat there."""
    mail, sender = context.evidence.answered_mail, context.evidence.from_address
    if not isinstance(mail, BoardMail) or sender is None:
        return None
    if isinstance(command, SpokenCommand) and not _is_about(command, mail.board):
        return None
    board = context.uow.boards.find(mail.board)
    if board is None or (mail.expires is None and context.now > board.begun_at + context.policy.reply_for):
        return None
    players = [each for each in context.uow.players.by_confirmed_address(sender) if each.id in board.players]
    return Speaker(players[0], Proof.PROVEN, mail.event) if len(players) == 1 else None


def _by_topic(command: Command, context: Context) -> Speaker | None:
    """A message proves its reader for an answer to its writer, a daily mail for what is said at the reader's boards."""
    proves, sender = context.evidence.reply or context.evidence.answered_mail, context.evidence.from_address
    if not isinstance(proves, TopicReply | TopicMail) or sender is None:
        return None
    players = context.uow.players.by_confirmed_address(sender)
    if isinstance(proves, TopicReply):
        players = [each for each in players if each.id == proves.player]
    if len(players) != 1:
        return None
    player = players[0]
    if proves.kind is Purpose.MESSAGE and isinstance(command, SendMessage):
        writer = next(iter(context.uow.players.get_all([PlayerId(proves.number)])), None)
        is_answer = writer is not None and [userid_key(each) for each in command.to] == [userid_key(writer.userid)]
        return Speaker(player, Proof.PROVEN) if is_answer else None
    if proves.kind is Purpose.DIGEST and isinstance(command, BoardCommand):
        return _by_daily_mail(player, command.board, proves.number, context)
    return None


def _by_daily_mail(player: Player, number: BoardNumber, minutes: int, context: Context) -> Speaker | None:
    board, told_at = context.uow.boards.find(number), datetime.fromtimestamp(60 * minutes, UTC)
    if board is None or player.id not in board.players:
        return None
    events = [event.number for event in board.events if event.at <= told_at]
    return Speaker(player, Proof.PROVEN, max(events, default=0))


def _is_about(command: Command, board: BoardNumber) -> bool:
    return isinstance(command, BoardCommand | ReportPlayer) and command.board == board


def _by_address(command: Command, context: Context, need: Need) -> Speaker:
    sender = context.evidence.from_address
    players = _not_banned(context.uow.players.by_confirmed_address(sender)) if sender else ()
    proof = Proof.AUTHENTICATED if context.evidence.authenticated else Proof.CLAIMED
    proof = Proof.PROVEN if context.policy.trust_from else proof
    if len(players) > 1:
        meant = _meant(command, players, context)
        if len(meant) != 1 and need is not Need.NOTHING:
            raise SeveralSenders(sender or "", [each.userid for each in players])
        players = meant
    return Speaker(players[0], proof) if len(players) == 1 else Speaker(None)


def _not_banned(players: Sequence[Player]) -> Sequence[Player]:
    """The players at one address who may be meant: those whose account is closed only if there is no other."""
    return [each for each in players if each.standing is not Standing.BANNED] or players


def _meant(command: Command, players: Sequence[Player], context: Context) -> Sequence[Player]:
    """The players at one address whom a command can mean."""
    if isinstance(command, Challenge):
        named = [userid_key(userid) for userid in command.userids]
        return sorted(
            (each for each in players if userid_key(each.userid) in named),
            key=lambda each: named.index(userid_key(each.userid)),
        )[:1]
    if isinstance(command, BoardCommand | PlayAgain):
        board = context.uow.boards.find(command.board)
        return [each for each in players if board is not None and each.id in board.players]
    return ()
