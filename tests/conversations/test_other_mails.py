"""Mails of no single board are answered: a message, a puzzle, and a daily mail about several boards."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.bootstrap import find_games
from pbem.bootstrap.parts import stored_puzzles
from pbem.bots.puzzles import Goal, begin, judge
from tests.conversations.playing import ask
from tests.support.in_process import in_process_server
from tests.support.mail import Mail, Person
from tests.support.server import GameServer

GAMES = find_games()


def replies(person: Person, mail: Mail, words: str) -> Mail:
    """Answer a mail above all that it says, as mail programs do, and return what comes of it."""
    quoted = "\n".join(f"> {line}" for line in mail.text.split("\n"))
    person.answers(mail, f"{words}\n\nOn Fri, 20 Nov 2026 at 12:00, pbem wrote:\n{quoted}")
    return person.hears()


def test_a_message_is_answered_with_a_message_within_its_rules(tmp_path: Path) -> None:
    with in_process_server(tmp_path, max_messages_per_day="3") as server:
        ann, bob = server.player("ann"), server.player("bob")
        ask(ann, "message ann secret bob", "Shall we play?")
        heard = bob.hears()
        assert replies(bob, heard, "With pleasure.\nresign 101").subject == "Your message to ann"
        back = ann.hears()
        assert "With pleasure." in back.words
        assert "resign 101" in back.text
        assert replies(bob, heard, "help").subject.startswith("pbem help")
        ask(ann, "block ann secret bob")
        assert replies(bob, heard, "Are you there?").subject == "Your message to ann"
        assert ann.hears_nothing()
        replies(bob, heard, "Hello?")
        assert "3" in replies(bob, heard, "Hello??").words
        assert ann.hears_nothing()


def test_a_stranger_who_has_got_a_message_cannot_answer_in_its_readers_name(shared: GameServer) -> None:
    ann, bob = shared.player("ann-name"), shared.player("bob-name")
    ask(ann, "message ann-name secret bob-name", "Hello")
    replies(shared.person("eve-name"), bob.hears(), "Hello")
    assert ann.hears_nothing()


def test_a_puzzle_is_answered_with_its_move(shared: GameServer) -> None:
    puzzle = next(each for each in stored_puzzles().values() if each.game == "mambo" and each.wins_in == 1)
    ann = shared.player("ann-puzzle")
    shown = ask(ann, f"puzzle show {puzzle.number}")
    assert "Well done" in replies(ann, shown, puzzle.lines[0][0]).text


def test_a_puzzle_to_survive_is_answered_with_a_turn_that_loses_and_one_that_saves(shared: GameServer) -> None:
    puzzle = next(each for each in stored_puzzles().values() if each.game == "mambo" and each.goal is Goal.SURVIVE)
    mambo, saves, threat = GAMES["mambo"], puzzle.lines[0][0], puzzle.threats[0]
    position = begin(puzzle, mambo)
    fitting = (mambo.input_text(position.play(step), (step,)).move for step in position.legal())
    loses = next(move for move in fitting if judge(puzzle, mambo, move).line == (move, threat))
    side, other = ("O", "X") if position.to_act == 0 else ("X", "O")
    ann = shared.player("ann-survives")
    shown = ask(ann, f"puzzle show {puzzle.number}")
    asks = f"Can you survive? {side} is to move. {other} wins with the next turn unless you stop it."
    assert asks in " ".join(shown.text.split())
    wrong = replies(ann, shown, loses)
    assert wrong.subject.endswith("not yet")
    told = f"{loses} is possible, but it does not save {side}: {other} plays {threat} and wins."
    assert told in " ".join(wrong.text.split())
    right = replies(ann, wrong, saves)
    assert right.subject.endswith("solved")
    assert f"Well done: after {saves}, {other} cannot win at once." in " ".join(right.text.split())
    assert "You have solved 1 of " in right.text


def test_one_answer_to_a_daily_mail_moves_at_several_boards(tmp_path: Path) -> None:
    with in_process_server(tmp_path, timedelta(0), clock_seconds="1") as server:
        ann, bob = server.player("ann"), server.player("bob")
        noon = f"Etc/GMT{datetime.now(UTC).hour - 12:+}"  # a timezone in which seven is far away
        ask(bob, f"set bob secret digest=daily timezone={noon}")
        numbers = []
        for _ in range(3):
            ann.says("superbo challenge bob ann")
            numbers.append(ann.hears().subject.split()[3])
        server.passes(timedelta(days=1))
        digest = bob.hears()
        assert digest.subject == "Your boards: 3 wait for you"
        answer = replies(bob, digest, "\n".join(f"{number} B3" for number in numbers))
        assert "3 commands" in answer.subject
        assert [ann.hears().subject for _ in numbers] == [f"superbo Board {number} ann" for number in numbers]
        assert bob.hears_nothing()
