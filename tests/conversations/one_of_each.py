"""Conversations that bring one mail of each kind: what programs find in them is kept as golden files."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tests.conversations import mamba
from tests.conversations.playing import MailBoard, ask, begin, seat
from tests.support import reports
from tests.support.in_process import in_process_server
from tests.support.mail import Mail, Person
from tests.support.server import GameServer

Mails = dict[str, Mail]


_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


def one_of_each(folder: Path) -> Mails:
    """A mail of each kind, by its name; boards and players are the same each time."""
    said: Mails = {}
    for name, conversations in _SERVERS.items():
        (folder / name).mkdir()
        with in_process_server(folder / name, timedelta(0), clock_seconds="1") as server:
            for conversation in conversations:
                said |= conversation(server)
            assert server.database.wrong_boards() == []
    return said


def _game(server: GameServer) -> Mails:
    """Two players from the first mail to a resignation, and two boards more."""
    table = begin(server, "ann", "ben")
    said = {"new_board_to_move": table.one_mail, "new_board_to_wait": table.other_mail}
    table.play("b3")
    said["board"] = table.other_mail
    table.other.answers(table.other_mail, "c4,k5\n\nGood luck!")
    table.hear()
    said["board_with_comment"] = table.one_mail
    said["board_error"] = ask(table.one, f"superbo move {table.number} ann secret a1,q1")
    ask(table.one, f"superbo chat {table.number} ann secret", "Hello!")
    said["chat"] = table.other.hears()
    server.passes(7 * _DAY + _HOUR)
    said["nag"] = table.one.hears()
    return said | _draw_refused(table) | _draw_agreed(table) | _declined(table)


def _draw_refused(table: MailBoard) -> Mails:
    """A draw is offered and refused, and a game given up."""
    table.one.says(f"superbo propose {table.number} ann secret")
    table.hear()
    said = {"draw_offered": table.other_mail}
    table.other.answers(table.other_mail, "reject")
    table.hear()
    said["draw_refused"] = table.one_mail
    table.one.says(f"superbo resign {table.number} ann secret")
    table.hear()
    return said | {"won": table.other_mail, "resigned": table.one_mail}


def _draw_agreed(table: MailBoard) -> Mails:
    table.one.says("superbo challenge --unrated ann ben")
    table.hear()
    table.number = table.one_mail.subject.split()[3]
    table.play("b3", "c4,k5")
    table.one.answers(table.one_mail, "propose")
    table.hear()
    table.other.answers(table.other_mail, "accept")
    table.hear()
    return {"tie_unrated": table.one_mail}


def _declined(table: MailBoard) -> Mails:
    table.one.says("superbo challenge ann ben")
    table.hear()
    table.other.answers(table.other_mail, "resign")
    table.hear()
    return {"declined": table.one_mail}


def _of_no_board(server: GameServer) -> Mails:
    """The mails that tell of no board, or of several."""
    lines = {
        "game_error": "superbo jump 101",
        "invalid_challenge": "superbo challenge nobody nobody2",
        "standings": "superbo standings",
        "list": "superbo list",
        "list_of_games": "superbo games",
        "history": "superbo history ben",
        "limit": "superbo limit ann secret 5",
        "seeks": "superbo seek ann secret 2 -single",
        "preview_of_none": "superbo preview new b3 c4,k5",
    }
    ann = server.person("ann")
    ann.vouched = True
    return {name: ask(ann, line) for name, line in lines.items()}


def _kept_moves(server: GameServer) -> Mails:
    """Moves that are kept for later, taken back, shown first, and looked at without being made."""
    table = begin(server, "cas", "dot")
    table.play("b3")
    said = {"queued": ask(table.one, f"superbo queue {table.number} cas secret g2,h7")}
    said["showas"] = ask(table.one, f"superbo showas cas secret {table.number}")
    said["queue_cancelled"] = ask(table.one, f"superbo queue {table.number} cas secret cancel")
    said["submitted"] = ask(table.other, f"superbo submit {table.number} dot secret c4,k5")
    said["show"] = ask(table.one, f"superbo show {table.number}")
    said["export"] = ask(table.one, f"superbo export {table.number}")
    said["preview"] = ask(table.one, f"superbo preview {table.number} c4,k5")
    said["mailed"] = ask(table.one, f"superbo mailed {table.number} cas secret")
    said["quiet"] = ask(table.one, f"unsubscribe {table.number} cas secret")
    seat(server, table.other, table.one)
    said["show_several"] = ask(table.one, "superbo show cas")
    return said


def _queue_made(server: GameServer) -> Mails:
    """One queued move is made, another one turns out to be none."""
    table = begin(server, "eli", "fia")
    table.play("b3")
    ask(table.one, f"superbo queue {table.number} eli secret g2,h7")
    table.other.answers(table.other_mail, "c4,k5")
    table.hear()
    said = {"queue_made": table.one_mail}
    ask(table.one, f"superbo queue {table.number} eli secret k5")
    table.other.answers(table.other_mail, "d8,r10")
    table.hear()
    return said | {"queue_dropped": table.one_mail}


def _undone(server: GameServer) -> Mails:
    """Taking back is asked for and refused; asked for and not wanted any more; asked for and agreed to."""
    table = begin(server, "gil", "hal")
    table.play("b3", "c4,k5", "g2,h7")
    _undo(table, table.one)
    said = {"undo_offered": table.other_mail}
    table.other.answers(table.other_mail, "reject")
    table.hear()
    said["undo_refused"] = table.one_mail
    table.play("d8,r10")
    _undo(table, table.other)
    table.other.answers(table.other_mail, "reject")
    table.hear()
    said["undo_withdrawn"] = table.one_mail
    _undo(table, table.one)
    table.other.answers(table.other_mail, "accept")
    table.hear()
    return said | {"undone": table.one_mail}


def _undo(table: MailBoard, asker: Person) -> None:
    asker.answers(table.one_mail if asker is table.one else table.other_mail, "undo")
    table.hear()


def _resignation(server: GameServer) -> Mails:
    """A resignation out of turn, taken back, announced again, and carried out."""
    table = begin(server, "ida", "jon")
    table.play("b3", "c4,k5", "g2,h7")
    line = f"superbo resign {table.number} ida secret"
    said = {"resignation_announced": ask(table.one, line), "resignation_taken_back": ask(table.one, line)}
    ask(table.one, line)
    table.play("d8,r10")
    return said | {"resigned_out_of_turn": table.one_mail}


def _watching(server: GameServer) -> Mails:
    """Somebody watches a board, and somebody its end."""
    table, kit, lea = begin(server, "joy", "kim"), server.player("kit"), server.player("lea")
    said = {"subscribed": ask(kit, f"superbo subscribe {table.number} kit secret")}
    said["notify"] = ask(lea, f"superbo notify {table.number} lea secret")
    table.play("b3")
    said["watched"] = kit.hears()
    said["unsubscribed"] = ask(kit, f"superbo unsubscribe {table.number} kit secret")
    table.play("c4,k5")
    table.one.answers(table.one_mail, "resign")
    table.hear()
    return said | {"told_of_the_end": lea.hears()}


def _pair(server: GameServer) -> Mails:
    one = server.player("max")
    server.player("mia")
    return {"new_board_of_a_pair": ask(one, "superbo challenge -pair mia")}


def _mamba(server: GameServer) -> Mails:
    """Three players: one is drawn by lot to begin, and another has to decide something in the end."""
    people = [server.player(name) for name in ("ned", "oda", "pia")]
    said = {"new_board_by_lot": mamba.start(people).mails[0]}
    table = mamba.start(people, "-inorder")
    table.play(*mamba.OPENINGS[3])
    return said | {"decision": table.mails[mamba.OWNERS[3]], "decision_of_another": table.mails[0]}


def _tournament(server: GameServer) -> Mails:
    ann, bob = server.player("quin"), server.player("rex")
    for line in ("create quin secret cup", "join quin secret cup"):
        ask(ann, f"superbo tournament {line}")
    ask(bob, "superbo tournament join rex secret cup")
    ann.says("superbo tournament start quin secret cup")
    told = [ann.hears(), ann.hears()]
    new = next(mail for mail in told if mail.subject.startswith("New "))
    return {
        "tournament_round": next(mail for mail in told if mail is not new),
        "new_board_of_a_tournament": new,
        "show_of_a_tournament": ask(ann, f"superbo show {new.subject.split()[3]}"),
    }


def _unreached(server: GameServer) -> Mails:
    """An address bounces, and is proved to work again."""
    table = begin(server, "sue", "tom")
    table.other.mails(reports.by_postfix(table.other_mail), table.other_mail.envelope_sender, sender="")
    said = {"clocks_stand": table.one.hears()}
    ask(table.other, "set tom secret legend=on")
    return said | {"clocks_run": table.one.hears()}


def _forfeit(server: GameServer) -> Mails:
    """Somebody is away, and after that is reminded, and forfeits."""
    table = begin(server, "una", "vic")
    table.play("b3", "c4,k5")
    back = datetime.now(UTC).date() + 2 * _DAY
    said = {"vacation": ask(table.one, f"vacation una secret {back}")}
    said["board_with_vacation"] = ask(table.other, f"superbo show {table.number}")
    said["vacation_ended"] = ask(table.one, "vacation una secret off")
    for name, after in (("nag_first", 7 * _DAY + _HOUR), ("nag_last", 20 * _DAY + 2 * _HOUR)):
        server.passes(after)
        said[name] = table.one.hears()
    server.passes(21 * _DAY + timedelta(minutes=1))
    table.hear()
    return said | {"forfeited": table.one_mail, "won_by_forfeit": table.other_mail}


_SERVERS = {
    "game": (_game, _of_no_board),
    "play": (_kept_moves, _queue_made, _undone, _resignation, _watching, _pair, _mamba, _tournament),
    "time": (_unreached, _forfeit),
}
"""By server, since board numbers tell what was played before."""
