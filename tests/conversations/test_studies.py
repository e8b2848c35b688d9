"""Studies of finished games by mail: made, added to, shared, and carried to another server."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from pbem.games.mamba.game import MAMBA
from tests.cli.running import pbem
from tests.conversations.playing import MailBoard, ask, begin, imported
from tests.support.in_process import in_process_server
from tests.support.mail import Mail, attached
from tests.support.server import GameServer, RunningServer
from tests.support.studied import game_at_random, line_at_random

STUDY = """#0 {A game that I should have won.}
#2 {natural} e4,m8 {forced} (g8,f10 / p1,k2) / k2,q5
#3 e10,v4 (m6,u6 / e2,aa9 {!}) / y3,u11
#5 u1,af2
"""
TYPED = """
    #2 {natural}
    #2 E4,M8 {forced} / K2,Q5
    #2 G8,F10 / P1,K2
"""


def over(server: GameServer, one: str, other: str) -> MailBoard:
    """A board that its first player has resigned."""
    table = begin(server, one, other)
    table.play("b3", "c4,k5", "g2,h7", "d8,r10", "resign")
    return table


def studied(server: GameServer, one: str, other: str) -> tuple[MailBoard, Mail]:
    """The same with a study of that player's, and the mail of it."""
    table = over(server, one, other)
    return table, ask(table.one, f"study {table.number} {one} secret title The missed corner", STUDY)


def resigned(server: GameServer, one: str, other: str, seed: int = 0) -> str:
    """The number of a short game that was played elsewhere, and resigned."""
    record = {"format": "pbem-game/1", "game": "mamba", "options": {}, "players": [one, other]}
    turns = game_at_random(MAMBA, 2, 4, random.Random(seed)).record.turns
    return imported(server, {**record, "turns": list(turns)}).splitlines()[0].split()[-1]


@pytest.mark.parametrize(("userid", "signed"), [("una1", "una1"), ("una2", "LG Una"), ("una3", "Thanks!")])
def test_a_name_below_a_study_is_no_part_of_its_last_line(shared: GameServer, userid: str, signed: str) -> None:
    table = over(shared, userid, f"{userid}x")
    mail = ask(table.one, f"study {table.number} {userid} secret", f"#2 E4,M8 / K2,Q5\n\n{signed}")
    assert mail.subject == f"superbo Board {table.number} Study"
    assert "2. E4,M8  3. K2,Q5\n" in mail.text
    assert signed not in mail.text.partition("2. E4,M8")[2].partition("\n\n")[0]


def test_a_study_is_one_letter_of_text_boards_html_and_a_record_with_variations(shared: GameServer) -> None:
    table, mail = studied(shared, "ann1", "bob1")
    assert mail.subject == f"superbo Board {table.number} Study"
    assert mail.text.startswith("The missed corner\n\nYour study of superbo Board")
    assert '\nMove 2, bob1: C4,K5\n\n    "natural"\n\nThe board before it:\n\n' in mail.text
    assert "What could have been played instead:" in mail.words
    assert "What could be played:" in mail.words, "after the last move"
    assert '\n    2. E4,M8\n       "forced"\n    3. K2,Q5\n    2. G8,F10  3. P1,K2\n' in mail.text
    assert "\nAfter E4,M8 / K2,Q5:\n\n" in mail.text
    assert mail.text.count("AD") > 1, "boards are drawn"
    assert ">The missed corner</h1>" in mail.html
    name, kind, record = attached(mail)
    assert (name, kind) == (f"superbo-{table.number}-study.json", "application/json")
    study = record.pop("study")
    assert record == attached(ask(table.other, f"export {table.number}"))[2]
    assert (study["version"], study["title"], study["author"]) == (1, "The missed corner", "ann1")
    assert [each["move"] for each in study["moves"]] == [0, 2, 3, 5]
    assert study["moves"][0] == {"move": 0, "comment": "A game that I should have won."}
    assert [move.get("comment") for move in study["moves"][1]["lines"][0]] == ["forced", None]
    assert table.other.hears_nothing()


def test_a_mail_with_a_study_is_answered_without_a_password_to_share_it_or_to_end_that(shared: GameServer) -> None:
    table, mail = studied(shared, "ann19", "bob19")
    assert "To give others a link to it, answer this mail with\n\n    study share\n" in mail.text
    table.one.answers(mail, "study share")
    told = table.one.hears()
    assert "To end this, answer this mail with:  study unshare" in told.text
    assert "<password>" not in mail.text + told.text
    table.one.answers(told, "study unshare")
    assert "private again" in table.one.hears().words


def test_a_study_is_added_to_shown_and_deleted_in_parts_or_whole(shared: GameServer) -> None:
    table, mail = studied(shared, "ann2", "bob2")
    table.one.answers(mail, "study\n#2 {not so natural}\n#4 d8,r10 {as played} / u1,af2 {again}\n\nThat was bad.")
    refused = table.one.hears()
    assert "In a variation for move 4, That was bad. cannot be played:" in refused.words
    table.one.answers(mail, "study\n#2 {not so natural}\n#4 d8,r10 {as played} / u1,af2 {again}")
    added = table.one.hears()
    assert '    "not so natural"\n' in added.text
    assert '\nMove 4, bob2: D8,R10\n\n    "as played"\n' in added.text
    assert '    5. U1,AF2\n       "again"\n' in added.text
    again = ask(table.one, f"superbo study {table.number} ann2 secret")
    assert again.text == added.text
    dropped = ask(table.one, f"study {table.number} ann2 secret delete 2")
    assert TYPED.replace("natural", "not so natural") in dropped.text
    assert "says nothing about move 2" in ask(table.one, f"study {table.number} ann2 secret delete #2").words
    gone = ask(table.one, f"study {table.number} ann2 secret delete")
    assert 'Your study "The missed corner" has been deleted.' in gone.words
    assert "You have no study" in ask(table.one, f"study {table.number} ann2 secret").words


def test_a_game_that_is_on_cannot_be_studied(shared: GameServer) -> None:
    table = begin(shared, "ann3", "bob3")
    table.play("b3")
    refused = ask(table.one, f"study {table.number} ann3 secret", "#1 {good}")
    assert f"The game on board {table.number} is still on." in refused.words
    table.play("c4,k5", "resign")
    assert '"good"' in ask(table.one, f"study {table.number} ann3 secret", "#1 {good}").text


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("hello there", 'such as "#12", not with "hello"'),
        ("#2 zz9", "In a variation for move 2, zz9 cannot be played: there is no space ZZ"),
        ("#9 c4", "The game has no move 9: its last one is 4."),
        ("#2 e4,m8 / / k2", 'A move is missing in your study before "/".'),
        ("#2 {never ended", 'behind "{", a "}" is missing'),
        ("#2 {the {very} best}", 'There can be no other "{" or "}" in it.'),
        ("#2 e4,m8 (k2", 'A ")" is missing at the end'),
        (f"#2 {{{'x' * 1001}}}", "A comment in a study has at most 1,000 characters."),
    ],
)
def test_what_is_no_study_is_refused_and_nothing_is_kept(one_over: MailBoard, line: str, told: str) -> None:
    refused = ask(one_over.one, f"study {one_over.number} ann4 secret", line)
    assert told in refused.words
    assert "study <board> title <title>" in refused.words
    assert "You have no study" in ask(one_over.one, f"study {one_over.number} ann4 secret").words


@pytest.fixture(scope="module")
def one_over(shared: GameServer) -> MailBoard:
    return over(shared, "ann4", "bob4")


def test_a_study_is_its_owners_until_it_is_shared_and_again_when_that_ends(shared: GameServer) -> None:
    table, _ = studied(shared, "ann5", "bob5")
    stranger = shared.person("stranger5")
    assert "You have no study" in ask(table.other, f"study {table.number} bob5 secret").words
    told = ask(table.one, f"study {table.number} ann5 secret share").text
    key = told.split("    study ")[1].split()[0]
    assert key == ask(table.one, f"study {table.number} ann5 secret share").text.split("    study ")[1].split()[0]
    mail = ask(stranger, f"study https://pbem.example.org/studies/{key}")
    assert "A study by ann5 of superbo Board" in mail.words
    assert attached(mail)[2]["study"]["title"] == "The missed corner"
    assert "secret" not in mail.text
    assert (
        "private again: its link and the line that showed it by mail no longer work"
        in ask(table.one, f"study {table.number} ann5 secret unshare").words
    )
    assert "Nobody shares a study under this link" in ask(stranger, f"study {key}").words
    other = ask(table.one, f"study {table.number} ann5 secret share").text.split("    study ")[1].split()[0]
    assert other != key
    assert '"natural"' in ask(table.other, f"study {other}").text
    table.one.answers(ask(table.one, "signoff ann5 secret"), "yes")
    table.one.hears()
    assert "Nobody shares a study under this link" in ask(stranger, f"study {other}").words


def test_a_study_is_made_in_the_words_of_another_language_too(shared: GameServer) -> None:
    table = over(shared, "ann9", "bob9")
    for verb, line in (("studie", "#2 e4,m8"), ("étude", "#2 g8,f10")):
        made = ask(table.one, f"{verb} {table.number} ann9 secret", line)
        assert made.subject == f"superbo Board {table.number} Study"
        assert line.partition(" ")[2].upper() in made.text
    for line, title in (
        ("studie {} ann9 secret titel Der schöne Zug", "Der schöne Zug"),
        ("étude {} titre L'angle", "L'angle"),
    ):
        table.one.says(line.format(table.number), "#2 {gut}")
        named = table.one.hears()
        if named.subject.startswith("Please confirm"):
            table.one.answers(named, "yes")
            named = table.one.hears()
        assert named.text.startswith(f"{title}\n\nYour study of superbo Board")
    table.one.answers(named, "Studie teilen")
    assert "Anyone who sends me this line gets your study" in table.one.hears().words


def test_a_sender_who_is_not_proven_is_asked_and_the_study_is_kept(shared: GameServer) -> None:
    table = over(shared, "ann6", "bob6")
    asked = ask(table.one, f"study {table.number} title Corners", "#2 {natural}")
    assert asked.subject.startswith("Please confirm")
    table.one.answers(asked, "yes")
    assert table.one.hears().text.startswith("Corners\n\nYour study of")


def test_a_study_comes_with_its_record_to_another_server_and_back(shared: GameServer, tmp_path: Path) -> None:
    _, mail = studied(shared, "ann7", "bob7")
    record = attached(mail)[2]
    with in_process_server(tmp_path) as elsewhere:
        ann = elsewhere.player("ann7")
        (elsewhere.folder / "game.json").write_text(json.dumps(record))
        assert json.loads(pbem(elsewhere.folder, "replay", "game.json").stdout)["ok"] is True
        assert imported(elsewhere, record).startswith("imported: 1, board 101\n")
        assert attached(ask(ann, "study 101 ann7 secret"))[2] == record
        changed = ask(ann, "study 101 ann7 secret", "#1 {changed here}")
        assert imported(elsewhere, record).startswith("imported: 0\nalready here: 1")
        assert ask(ann, "study 101 ann7 secret").text == changed.text, "what is here stays"
        assert "study" not in attached(ask(ann, "export 101"))[2]
        assert "missed corner" not in pbem(elsewhere.folder, "export").stdout
        record["study"]["moves"][1]["lines"][0][0]["turn"][0]["q"] = 40
        (elsewhere.folder / "game.json").write_text(json.dumps(record))
        refused = pbem(elsewhere.folder, "import", "game.json")
        assert refused.returncode == 1
        assert "In a variation for move 2" in refused.stderr
        record["study"]["version"] = 2
        assert imported(elsewhere, record).startswith("imported: 0\nalready here: 1"), "what is newer is left out"


def test_a_study_of_mamba_of_three_goes_through_smtp_and_is_no_business_of_others(running: RunningServer) -> None:
    lot = random.Random(5)
    told = game_at_random(MAMBA, 3, 9, lot)
    people = [running.player(f"player{seat}") for seat in range(3)]
    record = {
        "format": "pbem-game/1",
        "game": "mamba",
        "options": {},
        "players": [f"player{seat}" for seat in range(3)],
        "turns": list(told.record.turns),
    }
    assert imported(running, record).startswith("imported: 1, board 101")
    line = line_at_random(MAMBA, told.courses[3].position, lot, depth=0)
    moveno = told.courses[3].position.ply + 1
    mail = ask(people[0], "study 101 player0 secret title Zwetschgen", f"#{moveno} {{Pflaumen}}\n#{moveno} {line}")
    assert mail.text.startswith("Zwetschgen\n")
    assert attached(mail)[2]["study"]["moves"][0]["comment"] == "Pflaumen"
    others = [ask(people[1], line) for line in ("show 101", "export 101", "data player1 secret")]
    assert not any("Pflaumen" in decoded for each in others for decoded in parts(each))
    assert not any("Pflaumen" in line or "Zwetschgen" in line for line in running.lines)
    (mine,) = [json.loads(part) for part in parts(ask(people[0], "data player0 secret")) if part.startswith("{")]
    assert (mine["studies"][0]["title"], mine["studies"][0]["shared"]) == ("Zwetschgen", False)
    people[0].answers(ask(people[0], "signoff player0 secret"), "yes")
    people[0].hears()
    assert running.database.rows("SELECT * FROM studies") == []


def parts(mail: Mail) -> list[str]:
    """The parts of a mail, with their encoding taken off."""
    contents = (part.get_payload(decode=True) for part in mail.parsed.walk())
    return [content.decode("utf-8", "replace") for content in contents if isinstance(content, bytes)]


@pytest.mark.parametrize(
    "copied", ["{}.", "<https://pbem.example.org/studies/{}>.", "https://pbem.example.org/studies/{}/"]
)
def test_a_link_is_read_as_it_is_copied_out_of_a_sentence(shared: GameServer, copied: str) -> None:
    stranger = shared.person("stranger11")
    assert "Nobody shares a study under this link" in ask(stranger, f"study {copied.format('0123' * 8)}").words


def test_a_french_number_in_a_refusal_has_its_narrow_space(shared: GameServer) -> None:
    table = over(shared, "ann10", "bob10")
    ask(table.one, "set ann10 secret language=fr")
    refused = ask(table.one, f"study {table.number} ann10 secret", f"#1 {{{'x' * 1001}}}")
    assert "1\N{NARROW NO-BREAK SPACE}000 caractères" in refused.text


def test_a_player_finds_their_studies_again_the_latest_change_first(shared: GameServer) -> None:
    table, _ = studied(shared, "ann11", "bob11")
    assert "You have no studies yet." in ask(table.other, "studies bob11 secret").words
    later = resigned(shared, "ann11", "cat11")
    ask(table.one, f"study {later} ann11 secret", "#1 {good}")
    key = ask(table.one, f"study {table.number} ann11 secret share").text.split("    study ")[1].split()[0]
    told = ask(table.one, "studies ann11 secret")
    assert told.subject == "Studies of ann11"
    lines = [line.strip() for line in told.text.splitlines() if line.strip()]
    assert lines[1].split() == ["Board", "Game", "Changed", "Players"]
    assert lines[2].split()[:2] == [later, "mamba"]
    assert lines[2].endswith("ann11 - cat11")
    assert lines[3].split()[:2] == [table.number, "superbo"]
    assert lines[4] == '"The missed corner"'
    assert lines[5].endswith(key)
    assert "Only you can read those without a key." in told.words
    assert f"To see one of them:  study {later} ann11 <password>" in told.text
    assert "You have no studies of mambo." in ask(table.one, "mambo studies ann11 secret").words
    assert "The list has no page 2" in ask(table.one, "studies ann11 secret 2").words
    assert "From address" not in ask(table.one, "studies").text, "it is mailed to an address on record"


def test_a_long_list_of_studies_comes_in_pages(tmp_path: Path) -> None:
    with in_process_server(tmp_path, max_boards_shown="1") as server:
        ann = server.player("ann12")
        numbers = [resigned(server, "ann12", "cat12", seed) for seed in range(11)]
        for number in numbers:
            ask(ann, f"study {number} ann12 secret", "#1 {good}")
        first = ask(ann, "studies ann12 secret")
        listed = [line.split()[0] for line in first.text.splitlines() if "ann12 - cat12" in line]
        assert listed == numbers[:0:-1]
        assert "The next ones:  studies ann12 <password> 2" in first.text
        second = ask(ann, "mamba studies ann12 secret 2")
        assert [line.split()[0] for line in second.text.splitlines() if "ann12 - cat12" in line] == numbers[:1]
        assert "more than fit" not in second.text


def test_a_study_of_an_annulled_game_is_no_longer_listed_as_shared(shared: GameServer) -> None:
    table, _ = studied(shared, "ann12", "bob12")
    key = ask(table.one, f"study {table.number} ann12 secret share").text.split("    study ")[1].split()[0]
    command = f"study {table.number} ann12 <password> delete"
    assert pbem(shared.folder, "admin", "boards", "annul", table.number, "--reason", "A mistake.").returncode == 0
    table.hear()
    told = ask(table.one, "studies ann12 secret")
    assert "The game was annulled. To delete the study:" in told.words
    assert f"        {command}\n" in told.text
    assert key not in told.raw.decode()
    assert not any(words in told.words for words in ("can read", "To see one of them"))
    assert "Nobody shares a study under this link" in ask(table.other, f"study {key}").words
    for words in ("", " share"):
        refused = ask(table.one, f"study {table.number} ann12 secret{words}").words
        assert f"has annulled the game on board {table.number}, so it cannot be studied" in refused
    ask(table.one, command.replace("<password>", "secret"))
    assert "You have no studies yet." in ask(table.one, "studies ann12 secret").words
