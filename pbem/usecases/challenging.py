"""Challenges: agreements, and the boards that begin."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.commands.challenges import Challenge, PlayAgain
from pbem.domain.boards import Board
from pbem.domain.mails import Notice
from pbem.domain.players import Player, userid_key
from pbem.domain.seeks import OF_CHALLENGE, Term, Terms, read_terms
from pbem.errors import NotAllowed, PbemError, PlayerError
from pbem.games.game import Game, Options
from pbem.games.options import AmbiguousOption, OptionsRefused, UnknownOption, in_words
from pbem.ids import BoardNumber
from pbem.usecases.context import Context, handles
from pbem.usecases.guests import OPPONENT, new_guest, staying_guest
from pbem.usecases.notices import to_players
from pbem.usecases.offers import with_vacations
from pbem.usecases.opponents import why_busy, why_not_played
from pbem.usecases.seats import bar_to_seats, room_left, seated
from pbem.usecases.understanding import NoSuchPlayer, NotAtBoard, find_board, find_player


@dataclass(frozen=True, slots=True)
class Agreement:
    """The game, options and terms that boards are to have."""

    game: Game[Any, Any]
    options: Options
    terms: Terms = Terms()


def read_agreement(
    words: Sequence[str], game: Game[Any, Any], allowed: Collection[Term], context: Context
) -> tuple[Agreement, list[PlayerError]]:
    """Read option words without dashes; return the agreement and the reasons against it."""
    if len(game.players) == 1:
        allowed = [term for term in allowed if term is not Term.PLAYERS]
    read = read_terms(words, allowed, context.policy.clock, game.players)
    try:
        return Agreement(game, game.read_options(read.words), read.terms), read.reasons
    except PlayerError as wrong:
        for each in _each(wrong):
            known = each.facts.get("known")
            if isinstance(each, UnknownOption) and isinstance(known, tuple):
                each.facts["known"] = (*known, *(term.value for term in allowed))
        return Agreement(game, {}, read.terms), [*read.reasons, wrong]


def games_with_option(word: str, context: Context) -> list[str]:
    """The games that have an option of this name, or one that begins so."""
    return [name for name, game in sorted(context.games.items()) if _has_option(game, word)]


def _has_option(game: Game[Any, Any], word: str) -> bool:
    try:
        game.read_options([word])
    except (UnknownOption, AmbiguousOption):
        return False
    except PlayerError:
        return True  # there is the option, and its value is missing
    return True


def check_for(agreed: Agreement, players: int) -> None:
    """Accept options under which the game is for so many players.

    Raises:
        PlayerError: they are not.
    """
    agreed.game.begin(agreed.options, players)


def as_one(reasons: Sequence[PlayerError]) -> PlayerError:
    """Several refusals as one."""
    each = [one for wrong in reasons for one in _each(wrong)]
    return each[0] if len(each) == 1 else OptionsRefused(each)


def _each(wrong: PlayerError) -> list[PlayerError]:
    return [*wrong.reasons] if isinstance(wrong, OptionsRefused) else [wrong]


def begin_boards(agreed: Agreement, players: Sequence[Player], context: Context) -> list[Board]:
    """Begin a board, or the two of a pair, and save them.

    Args:
        agreed: what the boards are to be like.
        players: in the order in which they sit, unless that is to be drawn.
        context: of the command.
    """
    number = context.uow.boards.next_number()
    if agreed.terms.random:
        players = in_drawn_order(players, number, context)
    board = _begun(agreed, players, number, context)
    context.uow.boards.save(board)
    if not agreed.terms.pair:
        return [board]
    other = _begun(agreed, players[::-1], context.uow.boards.next_number(), context)
    # whoever begins here lets the other one begin there
    pair = [replace(board, pair=other.number), replace(other, pair=number, first=board.first)]
    for each in pair:
        context.uow.boards.save(each)
    return pair


def in_drawn_order(players: Sequence[Player], number: BoardNumber, context: Context) -> list[Player]:
    """The players of a board in an order that nobody can foresee, and that we can draw again."""
    lots = {seat: context.fingerprint("order", number, seat) for seat in range(len(players))}
    return [players[seat] for seat in sorted(lots, key=lots.__getitem__)]


def _begun(agreed: Agreement, players: Sequence[Player], number: BoardNumber, context: Context) -> Board:
    has_lots = agreed.game.draws_lots(agreed.options)
    board = Board(
        number=number,
        game=agreed.game.name,
        options=agreed.options,
        rules=agreed.game.rules,
        first=context.draw_lots(number, len(players)) if has_lots else 0,
        seats=tuple(seated(player, context.uow) for player in players),
        begun_at=context.now,
        rated=agreed.terms.rated,
        clock=(agreed.terms.clock or context.policy.clock).opened_as(context.policy.clock),
        of_guest=any(player.is_guest for player in players),
    )
    return with_vacations(board, context)


def play_now(name: str, context: Context) -> tuple[Board, Player]:
    """Begin an unrated board against the weakest computer opponent for a guest, who moves first.

    Args:
        name: of the game.
        context: of the request; its speaker is nobody, who becomes a guest, or one already.

    Returns:
        The board and the guest.

    Raises:
        NoSuchGame: the server does not play it.
        PlayerNotAvailable: the operator has stopped the computer opponent.
        GameNotForRobots: it does not know the game.
        NoGuests, TooManyGuests, GuestPlaysEnough: not now.
    """
    game, opponent = context.game(name), find_player(OPPONENT, context)
    reason = _why_not(opponent, context) or why_not_played(opponent, game, {})
    if reason is not None:
        raise reason
    player = context.speaker.player
    guest = new_guest(context) if player is None else staying_guest(player, context)
    (board,) = begin_boards(Agreement(game, {}, Terms(rated=False)), (guest, opponent), context)
    board = replace(board, first=0)
    context.uow.boards.save(board)
    return board, guest


class InvalidChallenge(NotAllowed):
    """A challenge cannot be made; ``reasons`` are all the refusals."""

    game: str
    reasons: Sequence[PlayerError]


class PlayerNotConfirmed(NotAllowed):
    """The player cannot be challenged before they confirm an address, or ever if they only played elsewhere."""

    userid: str
    is_placeholder: bool


class PlayerNotAvailable(NotAllowed):
    """The player cannot be challenged now, or ever; ``reason``: ``frozen``, ``unreachable`` or ``gone``."""

    userid: str
    reason: str


class ChallengerUnreachable(NotAllowed):
    """The speaker would not hear how the game goes: their mail comes back, or the operator has ``stopped`` it."""

    userid: str
    operator: str | None
    stopped: bool


class TakesNoChallenges(NotAllowed):
    """The player takes no challenges of this game, or has blocked somebody at the board, which nobody may learn."""

    userid: str
    game: str


class AtLimit(NotAllowed):
    """The player has as many boards of the game as they want."""

    userid: str
    game: str
    most: int


class YouHaveBlocked(NotAllowed):
    """The speaker has blocked the player."""

    userid: str


class ChallengedEnough(NotAllowed):
    """The speaker would begin more boards than a player may in a day."""

    most: int


class PlayedAgain(NotAllowed):
    """The players have begun the board again already."""

    board: BoardNumber
    again: BoardNumber


class StillInPlay(NotAllowed):
    """The board is not over, so its players cannot begin it again."""

    board: BoardNumber


class OfTournament(NotAllowed):
    """The board belongs to a tournament, which alone decides who plays whom."""

    board: BoardNumber
    title: str
    """Of the tournament."""


class PairForTwo(NotAllowed):
    """Two boards with the sides swapped are for two players."""

    def __init__(self, userids: Sequence[str]) -> None:
        PbemError.__init__(self, userids=tuple(userid[:40] for userid in userids[:10]))


class WrongNumberOfPlayers(NotAllowed):
    """The game is for another number of players; ``put_in_front``: the sender, whom the command does not name."""

    def __init__(self, userids: Sequence[str], least: int, most: int, *, put_in_front: bool = False) -> None:
        shown = tuple(userid[:40] for userid in userids[:10])
        PbemError.__init__(self, userids=shown, least=least, most=most, put_in_front=put_in_front)


@handles(Challenge)
def challenge(command: Challenge, context: Context) -> list[Notice]:
    """Start a board at once, or a pair of them; a sender who is not named is put in front.

    Against computer opponents it is not rated unless that is asked for. The first named moves first, unless the order
    of the players, or who begins, is random.

    Raises:
        InvalidChallenge: with every reason at once.
        ChallengedEnough: the only thing wrong with it is that it is one too many today.
    """
    agreed, wrong_options = read_agreement(command.options, context.game(command.game), OF_CHALLENGE, context)
    return _challenge(command.userids, agreed, wrong_options, context)


@handles(PlayAgain)
def play_again(command: PlayAgain, context: Context) -> list[Notice]:
    """Start a finished board once more: the same players in the same order, options, clock and rating.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard: there is nothing to play again.
        StillInPlay, OfTournament: not at this board.
        PlayedAgain: another player was quicker, or it was sent twice.
        InvalidChallenge, ChallengedEnough: as for any challenge.
    """
    board = find_board(command.board, command.game, context)
    if not board.seats_of(context.speaker.known.id):
        raise NotAtBoard(board.number, context.speaker.known.userid)
    if board.tournament is not None:
        raise OfTournament(board.number, board.tournament.name)
    if context.course(board).result is None:
        raise StillInPlay(board.number)
    already = _rematch_of(board, context)
    if already is not None:
        raise PlayedAgain(board.number, already)
    clock = replace(board.clock, opening=None) if board.clock.is_own else None
    options = [in_words(name, value) for name, value in board.options.items()]
    agreed, wrong_options = read_agreement(options, context.game(board.game), (), context)
    terms = Terms(clock, rated=board.rated, with_robots=board.rated, pair=board.pair is not None)
    userids = [holder.userid for holder in board.seats]
    return _challenge(userids, replace(agreed, terms=terms), wrong_options, context)


def _rematch_of(board: Board, context: Context) -> BoardNumber | None:
    """The board under way that is a finished one played again."""
    own = context.speaker.known.id
    others = [player for player in board.players if player != own]
    for number in context.uow.boards.active_between(own, others[0]) if others else ():
        now = context.uow.boards.find(number)
        is_alike = now is not None and (now.game, now.options, now.players) == (
            board.game,
            board.options,
            board.players,
        )
        if now is not None and is_alike and now.begun_at >= board.last_at:
            return number
    return None


def _challenge(
    named: Sequence[str], agreed: Agreement, wrong_options: Sequence[PlayerError], context: Context
) -> list[Notice]:
    userids = _with_sender(named, context.speaker.known)
    reasons: list[PlayerError] = []
    players = _players(userids, context, reasons)
    reasons += _unwilling(players, agreed, context)
    reasons += [*_wrong_number(userids, named, agreed, sound=not wrong_options), *wrong_options]
    if reasons:
        raise InvalidChallenge(agreed.game.name, reasons)
    if any(player.is_robot for player in players) and not agreed.terms.with_robots:
        agreed = replace(agreed, terms=replace(agreed.terms, rated=False))
    _count(2 if agreed.terms.pair else 1, context)
    boards = begin_boards(agreed, players, context)
    facts = {"random": agreed.terms.random, "challenger": context.speaker.known.userid}
    return [notice for board in boards for notice in to_players("new_board", board, context, facts)]


def _count(boards: int, context: Context) -> None:
    """Count the boards that the speaker begins, since others get mail about them."""
    known = context.uow.correspondents.of(f"+{context.speaker.known.id}", context.now).wrote(boards)
    if known.answers > context.policy.challenges_per_day:
        raise ChallengedEnough(context.policy.challenges_per_day)
    context.uow.correspondents.save(known)


def _with_sender(userids: Sequence[str], sender: Player) -> list[str]:
    is_named = userid_key(sender.userid) in map(userid_key, userids)
    return [*userids] if is_named else [sender.userid, *userids]


def _wrong_number(userids: Sequence[str], named: Sequence[str], agreed: Agreement, *, sound: bool) -> list[PlayerError]:
    """The reasons against so many players, some of them ``named``, under options that are ``sound``."""
    game, reasons = agreed.game, list[PlayerError]()
    if agreed.terms.pair and not len(userids) == len({*map(userid_key, userids)}) == 2:
        reasons.append(PairForTwo(userids))
    if len(userids) not in game.players:
        least, most, put_in_front = game.players.start, game.players.stop - 1, len(userids) > len(named)
        return [WrongNumberOfPlayers(userids, least, most, put_in_front=put_in_front), *reasons]
    if sound:
        try:
            check_for(agreed, len(userids))
        except PlayerError as wrong:
            reasons.append(wrong)
    return reasons


def _players(userids: Sequence[str], context: Context, reasons: list[PlayerError]) -> list[Player]:
    """The named players who could play; for each of the others a reason is added."""
    found: dict[str, Player | None] = {}
    for userid in userids:
        if (key := userid_key(userid)) in found:
            continue
        player = context.uow.players.by_userid(userid)
        reason = NoSuchPlayer(userid) if player is None or player.is_guest else _why_not(player, context)
        if reason is not None:
            reasons.append(reason)
        found[key] = player if reason is None else None
    players = (found[userid_key(userid)] for userid in userids)
    return [player for player in players if player is not None]


def _unwilling(players: Sequence[Player], agreed: Agreement, context: Context) -> list[PlayerError]:
    """The reasons of those who could play but do not want to; the speaker's limits do not stop their own challenges."""
    reasons = (_why_unwilling(each, players, agreed, context) for each in {each.id: each for each in players}.values())
    return [reason for reason in reasons if reason is not None]


def _why_unwilling(
    player: Player, players: Sequence[Player], agreed: Agreement, context: Context
) -> PlayerError | None:
    speaker, game = context.speaker.known, agreed.game.name
    blocked = context.uow.blocks.blocked_by(player.id)
    if player.id == speaker.id:
        return next((YouHaveBlocked(each.userid) for each in players if each.id in blocked), None)
    if any(each.id in blocked for each in players):
        return TakesNoChallenges(player.userid, game)
    if player.is_robot:
        return why_not_played(player, agreed.game, agreed.options) or why_busy(player, players, context)
    most = context.uow.readiness.most(player.id, game)
    if most == 0:
        return TakesNoChallenges(player.userid, game)
    has_room = room_left(player, game, context) >= (2 if agreed.terms.pair else 1)
    return None if most is None or has_room else AtLimit(player.userid, game, most)


def _why_not(player: Player, context: Context) -> PlayerError | None:
    """The reason why a player cannot be challenged; nobody else learns the operator's reasons."""
    match bar_to_seats(player):
        case None:
            return None
        case "unconfirmed":
            return PlayerNotConfirmed(player.userid, is_placeholder=player.is_placeholder)
        case "unreachable" if player.id == context.speaker.known.id:
            return ChallengerUnreachable(player.userid, context.policy.operator, stopped=player.mail_stopped)
        case "banned" | "gone":
            return PlayerNotAvailable(player.userid, "gone")
        case bar:
            return PlayerNotAvailable(player.userid, bar)
