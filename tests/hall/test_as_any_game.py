"""Everything that a server does with its own games, it does with those of the hall: here with Chess and Hex."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.workers.search_processes import SearchProcess
from tests.conversations.playing import MailBoard, ask, userid
from tests.support.in_process import in_process_server
from tests.support.mail import Person
from tests.support.server import GameServer
from tests.support.stepped_robots import SteppedRobots
from tests.support.stepped_server import SteppedServer
from tests.support.web_site import WebSite
from tests.web.api.requests import make, post, read

MATE = ("f3", "e5", "g4", "Qh4#")
LINE = ("b1", "a1", "b2", "a2", "b3")
"""A game of Hex on a board of size 3, which Red wins."""
each_of_two = pytest.mark.parametrize(
    ("game", "options", "turns"), [("chess", "", MATE), ("hex", "-size=3", LINE)], ids=["chess", "hex"]
)


def begun(server: GameServer, line: str, one: Person, other: Person) -> MailBoard:
    """A board that a challenge starts; the one named first moves first."""
    one.says(line)
    mails = one.hears(), other.hears()
    return MailBoard(mails[0].subject.split()[3], one, other, *mails)


@pytest.fixture
def site(chosen_url: str, tmp_path: Path) -> Iterator[WebSite]:
    with WebSite(chosen_url, tmp_path) as site:
        site.joins("alice", "bob")
        yield site


@each_of_two
def test_seeks_boards_and_standings_are_on_the_pages(
    site: WebSite, game: str, options: str, turns: tuple[str, ...]
) -> None:
    site.says("bob", f"{game} seek {options}")
    page = site.browser("alice").opens(f"/games/{game}")
    told = ", ".join(filter(None, ("bob, 1 board", {"-size=3": "Size of the board: 3"}.get(options))))
    assert page.all("//section[@aria-labelledby='seeks']//li") == [f"{told} Play this"]
    site.says("alice", f"{game} seek {options}")
    number = max(site.numbers)
    for browser in site.guest(), site.browser("bob"):
        assert browser.opens(f"/boards?game={game}").all("//li//a[@class='over']/@href") == [f"/boards/{number}"]
    assert "alice" in site.guest().opens(f"/boards/{number}").text
    site.moves(number, *turns)
    assert site.guest().opens(f"/boards?game={game}&which=inactive").find(f"//a[@href='/boards/{number}']")
    standings = site.guest().opens(f"/standings/{game}").text
    assert "alice" in standings
    assert "bob" in standings


@each_of_two
def test_programs_read_boards_and_play(site: WebSite, game: str, options: str, turns: tuple[str, ...]) -> None:
    tool, secrets = site.guest(), {name: make(site.browser(name)) for name in ("alice", "bob")}
    told = post(tool, secrets["alice"], " ".join(filter(None, (game, "challenge", options, "alice bob")))).json()
    assert told["answers"][0]["name"] == "new_board"
    for moveno, turn in enumerate(turns):
        board = read(tool, "/boards/101.json")
        assert (board["game"], board["moves"]) == (game, moveno)
        assert turn in board["state"]["legal"]
        tried = read(tool, f"/boards/101.json?turn={turn.replace('#', '%23')}")["state"]
        assert tried["turn"] == turn
        mover = board["players"][board["state"]["to_act"]]["userid"]
        answer = post(tool, secrets[mover], f"move 101 {turn.rstrip('#')}#{moveno + 1}")
        assert (answer.status_code, answer.json()["answers"][0]["name"]) in ((200, "board"), (200, "board_ended"))
    over = read(tool, "/boards/101.json")
    winner = over["players"][over["result"]["winners"][0]]["userid"]
    assert winner == ("bob" if game == "chess" else "alice")
    assert [turn["text"] for turn in over["turns"]] == list(turns)
    assert over["state"]["position"]["pieces"]
    assert game in {each["game"] for each in read(tool, "/games.json")["games"]}
    table = read(tool, f"/standings/{game}.json")["games"][game]["provisional"]
    assert {each["userid"] for each in table["rows"]} == {"alice", "bob"}


@each_of_two
def test_a_player_gets_one_mail_a_day_with_the_boards_that_wait(
    tmp_path: Path, game: str, options: str, turns: tuple[str, ...]
) -> None:
    with in_process_server(tmp_path, timedelta(0), clock_seconds="1") as server:
        ann, bob = server.player("ann"), server.player("bob")
        noon = f"Etc/GMT{datetime.now(UTC).hour - 12:+}"
        assert "digest=daily" in ask(bob, f"set bob secret digest=daily timezone={noon}").text
        ann.says(" ".join(filter(None, (game, "challenge", options, "ann bob"))))
        new = ann.hears()
        ann.answers(new, turns[0])
        ann.hears()
        assert bob.hears_nothing()
        server.passes(timedelta(days=1))
        digest = bob.hears()
        assert digest.subject == "Your boards: 1 waits for you"
        assert f"Your move, bob. ann played {turns[0]}." in digest.text
        bob.answers(digest, turns[1])
        assert bob.hears().subject == f"{game} Board {new.subject.split()[3]} ann"
        assert f"bob played {turns[1]}." in ann.hears().text


@each_of_two
def test_others_watch_a_board_and_are_told_of_its_end(
    shared: GameServer, game: str, options: str, turns: tuple[str, ...]
) -> None:
    ann, bob, eve, fay = (shared.player(f"{name}-{game}") for name in ("ann", "bob", "eve", "fay"))
    table = begun(shared, " ".join(filter(None, (game, "challenge", options, userid(ann), userid(bob)))), ann, bob)
    assert "You now get all mails about this board" in ask(eve, f"subscribe {table.number} {userid(eve)} secret").words
    ask(fay, f"{game} notify {userid(fay)} secret")
    for turn in turns[:-1]:
        table.play(turn)
        assert f"played {turn}." in eve.hears().text
    assert fay.hears_nothing()
    table.play(turns[-1])
    for watcher in eve, fay:
        over = watcher.hears()
        assert over.subject == f"{game} Board {table.number}"
        assert f"{userid(bob if game == 'chess' else ann)} won." in over.text


@each_of_two
def test_two_play_a_tournament(shared: GameServer, game: str, options: str, turns: tuple[str, ...]) -> None:
    one, other = (shared.player(f"{name}cup{game}") for name in ("ann", "bob"))
    created = ask(one, f"{game} tournament create {userid(one)} secret cup {options}").words
    assert "cup" in created
    for person in one, other:
        assert "You take part" in ask(person, f"{game} tournament join {userid(person)} secret cup").words
    one.says(f"{game} tournament start {userid(one)} secret cup")
    (new, told), (others, _) = (
        sorted((person.hears(), person.hears()), key=lambda mail: mail.subject) for person in (one, other)
    )
    assert told.subject == f"{game} Tournament cup round 1"
    table = MailBoard(new.subject.split()[3], one, other, new, others)
    if f"Your move, {userid(one)}." not in new.text:
        table = MailBoard(table.number, other, one, others, new)
    for turn in turns:
        table.play(turn)
    assert table.one_mail.subject == f"{game} Board {table.number}"
    winner = userid(table.other if game == "chess" else table.one)
    for person in one, other:
        over = person.hears()
        assert over.subject == f"{game} Tournament cup is over"
        assert next(line.split()[1] for line in over.text.splitlines() if line.split()[:1] == ["1"]) == winner


@each_of_two
def test_a_board_is_previewed_queued_for_and_taken_back(
    shared: GameServer, game: str, options: str, turns: tuple[str, ...]
) -> None:
    ann, bob = (shared.player(f"{name}q{game}") for name in ("ann", "bob"))
    table = begun(shared, " ".join(filter(None, (game, "challenge", options, userid(ann), userid(bob)))), ann, bob)
    preview = ask(ann, f"{game} preview {table.number} {turns[0]} {turns[1]}")
    assert preview.subject == f"{game} Board {table.number} Preview"
    table.play(turns[0])
    ann.answers(table.one_mail, f"queue {turns[2]}")
    assert "Your move is queued" in ann.hears().words
    bob.answers(table.other_mail, turns[1])
    table.hear()
    assert "Your queued move was made" in table.one_mail.words
    assert f"{userid(ann)} played {turns[2]}." in table.other_mail.text
    ann.answers(table.one_mail, "undo")
    table.hear()
    bob.answers(table.other_mail, "accept")
    table.hear()
    assert "it's move 3 again" in table.other_mail.words
    assert table.one_mail.subject == f"{game} Board {table.number} {userid(ann)}"


@each_of_two
def test_a_game_is_analysed_by_mail(
    chosen_url: str, tmp_path: Path, game: str, options: str, turns: tuple[str, ...]
) -> None:
    stepped = SteppedServer(chosen_url, tmp_path, PBEM_MAX_PLAYOUTS="64", PBEM_TRUST_FROM="true")
    process = SearchProcess(())
    try:
        robots = SteppedRobots(stepped, process)
        stepped.gets("signup bob secret", sender="bob@example.org")
        players = ("alice", "bob")
        moves = (f"move 101 {players[number % 2]} secret {turn}" for number, turn in enumerate(turns))
        robots.says(" ".join(filter(None, (game, "challenge -unrated", options, "alice bob"))), *moves)
        assert robots.says("analyse 101") == [f"{game} Board 101 Analysis"]
        assert robots.thinks() == [f"{game} Board 101 Analysis"]
        told = robots.last()
        for number, turn in enumerate(turns, start=1):
            assert f"{number}. {players[(number - 1) % 2]}" in told
            assert turn.rstrip("#") in told
        assert robots.says("analyse 101#3") == [f"{game} Board 101 Analysis"]
        assert robots.thinks() == [f"{game} Board 101 Analysis"]
        assert f"played {turns[2]}" in robots.last()
    finally:
        process.close()
        stepped.server.close()
