"""Players new to a family of games are shown how its tiles are numbered, but not for ever."""

from __future__ import annotations

from tests.conversations import mamba
from tests.conversations.playing import ask, begin, seat
from tests.support.mail import Mail
from tests.support.server import GameServer

STATES = "\nThe states of a tile:\n\n     .--oo "
STEPS = "\nWhat you can do:\n"


def shows_states(mail: Mail) -> bool:
    """The states are drawn; otherwise the mail says where they are found."""
    shows = STATES in mail.text
    assert ("States of a tile:  help tiles" in mail.text) is not shows
    return shows


def test_states_are_drawn_for_the_first_two_moves_in_a_family_and_not_later(server: GameServer) -> None:
    board = begin(server, "ann", "ben")
    shown = [(shows_states(board.one_mail), shows_states(board.other_mail))]
    for turn in ("B3", "H8,P4", "R10,T4", "K1,A7"):
        board.play(turn)
        shown.append((shows_states(board.one_mail), shows_states(board.other_mail)))
    ann, ben = zip(*shown, strict=True)
    assert ann == (True, False, True, False, False), "when it is her move, the first time and the second"
    assert ben == (False, True, False, True, False)

    again = seat(server, board.one, board.other)
    assert not shows_states(again.one_mail)
    assert not shows_states(again.other_mail)
    board.one.says("mambo challenge ann ben")
    assert [shows_states(each.hears()) for each in (board.one, board.other)] == [False, False]


def test_each_player_is_a_beginner_on_their_own_and_each_family_has_its_own(server: GameServer) -> None:
    board = begin(server, "ann", "ben")
    board.play("B3", "H8,P4", "R10,T4", "K1,A7")
    later = seat(server, board.one, server.player("cat"))
    assert (shows_states(later.one_mail), shows_states(later.other_mail)) == (False, False)
    later.play("B3")
    assert (shows_states(later.one_mail), shows_states(later.other_mail)) == (False, True)
    table = mamba.start([board.one, board.other], "-inorder")
    assert STEPS in table.mails[0].text


def test_who_wants_the_states_has_them_always_and_who_does_not_never(server: GameServer) -> None:
    board = begin(server, "ann", "ben")
    ask(board.one, "set ann secret legend=on")
    ask(board.other, "set ben secret legend=off")
    for turn in ("B3", "H8,P4", "R10,T4", "K1,A7", "AC4,AG1", "AD8,AJ6"):
        board.play(turn)
        assert (shows_states(board.one_mail), shows_states(board.other_mail)) == (True, False)
    again = seat(server, board.one, board.other)
    assert (shows_states(again.one_mail), shows_states(again.other_mail)) == (True, False)
