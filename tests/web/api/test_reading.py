from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from openapi_spec_validator import validate

from pbem.commands.grammar import parse
from pbem.usecases.dispatcher import dispatch
from tests.support import databases
from tests.support.web_site import WebSite
from tests.web.api.requests import read


def plays(site: WebSite, number: int, turns: int) -> None:
    """Play turns with nothing but what a tool is told: the first legal step, and so on until a turn is whole."""
    tool = site.guest()
    for _ in range(turns):
        said, state = "", read(tool, f"/boards/{number}.json")["state"]
        mine, moves = state["to_act"], state["moves"]
        while (state["to_act"], state["moves"]) == (mine, moves):
            said = f"{said} {state['legal'][0]}".strip()
            state = read(tool, f"/boards/{number}.json?turn={said}")["state"]
        site.moves(number, said)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, datetime]:
    """The database of such a site and its clock, from which those of the tests are copied."""
    folder = tmp_path_factory.mktemp("begun")
    with databases.using(databases.SQLITE), WebSite(databases.put_sqlite(folder / "pbem.db"), folder) as site:
        begin(site)
        return str(folder / "pbem.db"), site.now


@pytest.fixture
def played(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WebSite]:
    """A site with boards of several games, some over, a tournament and a seek."""
    if databases.kind() == databases.POSTGRESQL:
        site: WebSite = request.getfixturevalue("site")
        begin(site)
        yield site
        return
    file, now = request.getfixturevalue("begun")
    with WebSite(f"sqlite:///{shutil.copyfile(file, tmp_path / 'begun.db')}", tmp_path) as site:
        site.now = now
        yield site


def begin(site: WebSite) -> None:
    """Have boards of several games, some over, a tournament and a seek."""
    site.joins("alice", "bob", "carol", "dave")
    superbo = site.begins("superbo", "alice", "bob")
    plays(site, superbo, 2)
    plays(site, site.begins("mamba", "alice", "bob", "carol", "dave"), 5)
    over = site.begins("mambo", "bob", "alice")
    plays(site, over, 3)
    site.says("alice", f"resign {over}")
    declined = site.begins("palago", "carol", "dave")
    site.says("dave", f"resign {declined}")
    site.says("carol", "lambo seek")
    for line in ("mambo tournament create Cup", "mambo tournament join Cup"):
        site.says("alice", line)
    site.says("bob", "mambo tournament join Cup")
    site.says("alice", "mambo tournament start Cup")


def test_the_description_is_sound_openapi(site: WebSite) -> None:
    described = site.guest().asks("/openapi.json").json()
    validate(described)
    assert described["servers"] == [{"url": "http://pbem.example"}]
    assert {"/boards/{number}.json", "/boards/{number}/live", "/commands"} <= set(described["paths"])


def test_every_answer_is_what_the_description_says(played: WebSite) -> None:
    tool = played.guest()
    for address in (
        *(f"/boards/{number}.json" for number in range(101, 105)),
        "/boards/101.json?move=1",
        "/boards.json?which=all",
        "/games.json",
        "/players/alice.json",
        "/standings.json",
        "/standings/mambo.json",
        "/explorer/superbo.json?turns=B3",
        "/history.json",
        "/history/mambo.json?player=bob",
        "/tournaments/mambo.json",
        "/tournaments/mambo/Cup.json",
    ):
        read(tool, address)


def test_a_board_has_its_record_and_what_can_be_played(played: WebSite) -> None:
    board = read(played.guest(), "/boards/101.json")
    exported = played.does("alice", lambda context: dispatch(parse("export 101", context.games), context))[0]
    (file,) = exported.attachments
    assert board["record"] == json.loads(file.content)
    assert (board["moves"], board["shown"], board["event"]) == (2, 2, 2)
    state = board["state"]
    assert board["players"][state["to_act"]]["userid"] in ("alice", "bob")
    step = state["legal"][0]
    tried = read(played.guest(), f"/boards/101.json?turn={step}")
    assert tried["state"]["turn"] == step
    assert tried["state"]["mid_turn"]
    assert len(tried["state"]["position"]["tiles"]) > len(state["position"]["tiles"])
    assert tried["record"] == board["record"]


def test_a_board_can_be_asked_for_as_it_stood(played: WebSite) -> None:
    before = read(played.guest(), "/boards/101.json?move=1")
    assert (before["shown"], before["moves"], before["event"]) == (1, 2, 2)
    assert len(before["record"]["turns"]) == 1
    first = read(played.guest(), "/boards/101.json?move=0")
    assert first["record"]["turns"] == []
    assert first["state"]["legal"]


def test_a_board_that_is_over_says_how(played: WebSite) -> None:
    board = read(played.guest(), "/boards/103.json")
    assert board["result"] == {"ending": "resigned", "reason": None, "winners": [0], "by": 1}
    assert board["record"]["result"] == {"winner": 0, "reason": "resigned"}
    assert board["state"]["legal"] == []
    assert [each["userid"] for each in board["ratings"]["changes"]] == ["bob", "alice"]


def test_a_declined_challenge_has_no_record(played: WebSite) -> None:
    board = read(played.guest(), "/boards/104.json")
    assert board["record"] is None
    assert board["result"]["ending"] == "declined"


def test_what_is_offered_is_told(played: WebSite) -> None:
    to_act = read(played.guest(), "/boards/101.json")["state"]["to_act"]
    who = read(played.guest(), "/boards/101.json")["players"][to_act]["userid"]
    played.says(who, "propose 101")
    offer = read(played.guest(), "/boards/101.json")["offer"]
    assert (offer["kind"], offer["seat"], offer["waits_for"]) == ("draw", to_act, [1 - to_act])


def test_a_decision_is_told_with_its_answers(site: WebSite) -> None:
    site.joins("alice", "bob", "carol", "dave")
    number = site.begins("mamba", "alice", "bob", "carol", "dave")
    board = read(site.guest(), f"/boards/{number}.json")
    assert board["state"]["decision"] is None
    assert "lay" in board["state"]["legal"][0] or board["state"]["legal"]


def test_long_lists_are_followed_to_their_end(chosen_url: str, tmp_path: Path) -> None:
    with WebSite(chosen_url, tmp_path, max_boards_shown="1") as site:
        site.joins("ann", "ben")
        for _ in range(12):
            site.begins("superbo", "ann", "ben")
        tool, found, address = site.guest(), [], "/boards.json?which=all&player=ann"
        while address:
            answer = read(tool, address)
            found.append([each["board"] for each in answer["boards"]])
            assert answer["more"] == (answer["next"] is not None)
            address = answer["next"]
        assert found == [list(range(101, 111)), [111, 112]]
        assert read(tool, "/history.json")["next"] is None
        assert read(tool, "/history.json?page=2", 404)["code"] == "no_such_part"
        assert read(tool, "/boards.json?page=0", 400)["code"] == "no_such_value_asked"


def test_nothing_is_told_that_is_not_for_everybody(played: WebSite) -> None:
    who = read(played.guest(), "/boards/101.json")
    waiting = who["players"][1 - who["state"]["to_act"]]["userid"]
    played.says(waiting, "queue 101 E1,F1")
    for tool in (played.guest(), played.browser(waiting)):
        told = tool.asks("/boards/101.json").text
        assert told == json.dumps(who, ensure_ascii=False, separators=(",", ":"))
    assert "@" not in played.guest().asks("/players/alice.json").text


@pytest.mark.parametrize(
    ("address", "status", "code"),
    [
        ("/boards/999.json", 404, "no_such_board"),
        ("/boards/101.json?move=99", 404, "no_such_move"),
        ("/boards/101.json?move=x", 400, "no_such_value_asked"),
        ("/boards/101.json?turn=Z9", 403, "no_such_space"),
        ("/boards/101.json?turn=%3Cscript%3E", 400, None),
        ("/boards/999999999.json", 404, "no_such_board"),
        ("/boards.json?which=none", 400, "no_such_value_asked"),
        ("/boards.json?player=nobody", 404, "no_such_player"),
        ("/boards.json?game=chess", 404, "no_such_game"),
        ("/players/nobody.json", 404, "no_such_player"),
        ("/standings/chess.json", 404, "no_such_game"),
        ("/history/chess.json", 404, "no_such_game"),
        ("/tournaments/mambo/None.json", 404, "no_such_tournament"),
        ("/tournaments/chess.json", 404, "no_such_game"),
    ],
)
def test_refusals_are_problems(played: WebSite, address: str, status: int, code: str | None) -> None:
    answer = played.guest().asks(address)
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["access-control-allow-origin"] == "*"
    wrong = read(played.guest(), address, status)
    assert wrong["status"] == status
    assert code in (None, wrong["code"])
    assert wrong["detail"]


def test_an_address_of_nothing_is_a_problem_too(site: WebSite) -> None:
    wrong = site.guest().asks("/nothing.json")
    assert (wrong.status_code, wrong.json()["code"]) == (404, "not_found")
    wrong = site.guest().asks("/games.json", "POST")
    assert (wrong.status_code, wrong.json()["code"]) == (405, "other_method")


def test_what_is_known_is_not_sent_again(played: WebSite) -> None:
    tool = played.guest()
    first = tool.asks("/boards/101.json")
    assert "no-cache" in first.headers["cache-control"]
    played.waits(timedelta(hours=5))
    again = tool.asks("/boards/101.json", headers={"if-none-match": f'"other", {first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    played.says("carol", "subscribe 101")
    assert tool.asks("/boards/101.json", headers={"if-none-match": first.headers["etag"]}).status_code == 200


def test_pages_of_other_sites_may_read(site: WebSite) -> None:
    answer = site.guest().asks("/games.json", headers={"origin": "https://elsewhere.example"})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers


def test_head_is_answered_without_a_body(site: WebSite) -> None:
    answer = site.guest().asks("/games.json", "HEAD")
    assert answer.status_code == 200
    assert answer.headers["etag"]


def test_options_of_games_are_those_of_the_help(site: WebSite) -> None:
    games = {each["game"]: each for each in read(site.guest(), "/games.json")["games"]}
    options = {each["option"]: each["meaning"] for each in games["lambo"]["options"]}
    assert any(option.startswith("-eat_enemy") for option in options)
    assert all(options.values())
    assert games["mamba"]["players"] == [2, 3, 4]
