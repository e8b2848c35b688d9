"""Which words of a line may be a password: players type theirs where none belongs, and none is ever repeated."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pbem.commands.accounts import AddAddresses, ChangeAddresses, SignUp
from pbem.commands.boards import ShowPlayersBoards, TableOfBoards
from pbem.commands.challenges import Challenge
from pbem.commands.command import Command, SpokenCommand
from pbem.commands.grammar import parse
from pbem.commands.refusals import PasswordMissing
from pbem.commands.secrets import likely_either, never_repeated, pieces
from pbem.commands.server import SendMessage
from pbem.commands.watching import SubscribeTo, UnsubscribeFrom
from pbem.domain.players import userid_key
from pbem.errors import PlayerError, Unreadable
from pbem.usecases.authentication import identify
from pbem.usecases.context import Context, Proof

_BEFORE_PASSWORD = 5
"""Words of a command up to its password, at the most: game, verb, board or deed, userid."""


def secrets_of(wrong: PlayerError, command: Command | None, line: str, context: Context) -> frozenset[str]:
    """The words of a line that may be a password, as far as the command that was read from it does not tell."""
    if isinstance(command, SpokenCommand) and command.speaker and context.speaker.proof is Proof.PROVEN:
        return frozenset((command.speaker.password,))
    own = own_userids(context)
    hidden = frozenset(word for word in never_repeated(line, context.games) if userid_key(word) not in own)
    if isinstance(wrong, PasswordMissing) and userid_key(wrong.userid) not in own:
        hidden |= {wrong.userid}  # the password alone, without a userid, is as likely as anything else
    match command:
        case SignUp(userid=userid):
            return hidden - {userid}
        case AddAddresses(addresses=named) | ChangeAddresses(addresses=named):
            hidden |= {word for word in named if "@" not in word}
        case Challenge(userids=named) | ShowPlayersBoards(userids=named) | TableOfBoards(userids=named):
            return _next_to_himself(named, context) | _behind_himself(named, context)
        case SendMessage(to=named):
            return _next_to_himself(named, context) | _behind_himself(named, context)
        case SubscribeTo(watched=watched) | UnsubscribeFrom(watched=watched):
            return _next_to_himself(watched.userids, context) | _behind_himself(watched.userids, context)
    return hidden | beside_himself(line.split()[1:], context)


def password_in_its_place(line: str, context: Context) -> frozenset[str]:
    """The password of a line that is a command but for its end, if it stands where it belongs and is right."""
    words = line.split()
    for end in range(2, min(len(words), _BEFORE_PASSWORD + 1)):
        try:
            command = parse(" ".join(words[:end]), context.games)
            if isinstance(command, SpokenCommand) and command.speaker is not None:
                is_right = identify(command, context).proof is Proof.PROVEN
                return frozenset((command.speaker.password,) if is_right else ())
        except Unreadable:
            continue
        except PlayerError:
            break
    return frozenset()


def _next_to_himself(userids: Sequence[str], context: Context) -> frozenset[str]:
    """The words among userids that name nobody and stand next to the sender's; anybody's, if nobody knows who he is.

    There is no place for a password there, but many type one by habit.
    """
    there = {userid: context.uow.players.by_userid(userid) is not None for userid in userids}
    own = own_userids(context) or {userid_key(userid) for userid, is_there in there.items() if is_there}
    pairs = pairwise((*userids, *reversed(userids)))
    beside = {word for other, word in pairs if userid_key(other) in own and not there[word]}
    return frozenset(beside | {word for word in userids if own & set(map(userid_key, pieces(word)))} - own)


def _behind_himself(userids: Sequence[str], context: Context) -> frozenset[str]:
    """The last of some userids, if it names nobody and the sender's stands before it: many end a line by a password."""
    own = own_userids(context)
    is_named = any(userid_key(userid) in own for userid in userids[:-1])
    return frozenset(word for word in userids[-1:] if is_named and context.uow.players.by_userid(word) is None)


def beside_himself(words: Sequence[str], context: Context) -> frozenset[str]:
    """The words that may be a password, if the sender's own userid stands among them, where none belongs."""
    own = own_userids(context)
    if not any(userid_key(piece) in own for word in words for piece in pieces(word)):
        return frozenset()
    return frozenset(word for word in likely_either(words, context.games) if userid_key(word) not in own)


def own_userids(context: Context) -> frozenset[str]:
    """The keys of the userids that the sender of a letter may have: no secret, whatever word stands beside them."""
    sender = context.evidence.from_address
    players = [*context.uow.players.by_confirmed_address(sender)] if sender else []
    return frozenset(userid_key(each.userid) for each in (*players, context.speaker.player) if each is not None)
