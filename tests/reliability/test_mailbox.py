"""Letters that are fetched from a mailbox: a real IMAP server, and a pbem that is killed again and again."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from tests.cli.running import pbem
from tests.reliability.ledger import Ledger, check_exactly_once
from tests.reliability.posts import PASSWORD as PLAYERS_PASSWORD
from tests.reliability.posts import SERVER, MailProgram, Post
from tests.support.databases import KEY
from tests.support.dovecot import PASSWORD, USER, Dovecot, running_dovecot
from tests.support.mail import PATIENCE, Postbox
from tests.support.mail_provider import MailProvider
from tests.support.server import RunningServer
from tests.support.token_server import BEGINNING, CLIENT, running_token_server

TAKEN = "pbem"
"""The folder for letters that were stored."""


def letter(subject: str, number: int = 1, to: str = SERVER, body: str = "") -> bytes:
    head = f"From: alice@example.org\r\nTo: {to}\r\nSubject: {subject}\r\nMessage-ID: <{number}@example.org>\r\n"
    return f"{head}\r\n{body}\r\n".encode()


def wait_for(holds: Callable[[], bool], server: RunningServer | None = None) -> None:
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it never was so:\n" + "\n".join(server.lines if server else [])
        time.sleep(0.05)


@pytest.fixture
def dovecot(monkeypatch: pytest.MonkeyPatch) -> Iterator[Dovecot]:
    with running_dovecot() as dovecot:
        for name, value in dovecot.environ.items():
            monkeypatch.setenv(name, value)
        yield dovecot


@contextmanager
def fetching(folder: Path, dovecot: Dovecot, /, **settings: str) -> Iterator[RunningServer]:
    """A server that fetches from the mailbox."""
    with Postbox() as postbox:
        given = {"mailbox_url": dovecot.url, "confirm_signup": "false"} | settings
        server = RunningServer(folder, postbox, **given).start()
        try:
            yield server
        finally:
            server.stop()
        assert not any(PASSWORD in line or "apple" in line for line in server.lines)


def test_a_letter_in_the_mailbox_is_answered_by_smtp_and_moved(tmp_path: Path, dovecot: Dovecot) -> None:
    with fetching(tmp_path, dovecot) as server:
        server.wait_for_line("mailbox begun")
        dovecot.deliver(letter("help"))
        assert "pbem" in server.postbox.next_for("alice@example.org").text
        wait_for(lambda: dovecot.subjects(TAKEN) == ["help"])
        assert dovecot.subjects() == []
        assert not server.says("mailbox trouble")


def test_a_game_begins_by_letters_to_reply_addresses_in_the_mailbox(tmp_path: Path, dovecot: Dovecot) -> None:
    with fetching(tmp_path, dovecot, confirm_signup="true") as server:
        server.wait_for_line("mailbox begun")
        dovecot.deliver(letter("signup alice"))
        asked = server.postbox.next_for("alice@example.org")
        assert "+" in asked.reply_to
        dovecot.deliver(letter("Re: " + asked.subject, 2, asked.reply_to, "yes"), to=asked.reply_to)
        assert server.postbox.next_for("alice@example.org").subject == "Welcome to pbem, alice"


def test_what_lay_there_before_and_what_is_for_others_stays_untouched(tmp_path: Path, dovecot: Dovecot) -> None:
    dovecot.deliver(letter("help", 1))
    with fetching(tmp_path, dovecot, log_level="debug") as server:
        server.wait_for_line("mailbox begun")
        dovecot.deliver(letter("for somebody else", 2, "bob@example.org"), to="club@example.org")
        dovecot.deliver(letter("games", 3))
        server.postbox.next_for("alice@example.org")
        assert not server.postbox.unread_for("alice@example.org")
        wait_for(lambda: dovecot.subjects(TAKEN) == ["games"])
        assert dovecot.subjects() == ["help", "for somebody else"]
        assert dovecot.flags() == [set(), set()]
        assert not any("for somebody else" in line for line in server.lines)


def test_the_null_sender_is_not_answered(tmp_path: Path, dovecot: Dovecot) -> None:
    with fetching(tmp_path, dovecot) as server:
        server.wait_for_line("mailbox begun")
        dovecot.deliver(letter("help", 1), sender="")
        dovecot.deliver(letter("games", 2))
        server.postbox.next_for("alice@example.org")
        Ledger(server.database).wait_until_idle()
        assert len(server.postbox.mails) == 1
        assert Ledger(server.database).rows("SELECT sender FROM inbox ORDER BY id") == [("",), ("alice@example.org",)]


@pytest.mark.parametrize("taken", ["flag", "delete"])
def test_taken_letters_are_flagged_or_deleted_where_a_setting_says_so(
    tmp_path: Path, dovecot: Dovecot, taken: str
) -> None:
    with fetching(tmp_path, dovecot, mailbox_taken=taken) as server:
        server.wait_for_line("mailbox begun")
        dovecot.deliver(letter("help"))
        server.postbox.next_for("alice@example.org")
        left = {"flag": [{b"\\Seen", b"$pbemTaken"}], "delete": []}[taken]
        wait_for(lambda: dovecot.flags() == left)
        assert dovecot.subjects(TAKEN) == []


@pytest.mark.parametrize("taken", ["folder:pbem", "flag"])
def test_letters_go_on_where_they_were_when_all_numbers_have_changed(
    tmp_path: Path, dovecot: Dovecot, taken: str
) -> None:
    dovecot.deliver(letter("help", 1))
    time.sleep(1.1)  # the mailbox notes when letters come by the second
    with fetching(tmp_path, dovecot, mailbox_taken=taken) as server:
        server.wait_for_line("mailbox begun")
        dovecot.deliver(letter("games", 2))
        server.postbox.next_for("alice@example.org")
        wait_for(lambda: "help" in dovecot.subjects() and len(dovecot.subjects() + dovecot.subjects(TAKEN)) == 2)
        dovecot.kill()
        dovecot.deliver(letter("commands", 3))
        dovecot.renumber()
        dovecot.start()
        assert server.postbox.next_for("alice@example.org", 2 * PATIENCE).text
        server.wait_for_line("mailbox renumbered")
        dovecot.deliver(letter("rules", 4))
        server.postbox.next_for("alice@example.org")
        Ledger(server.database).wait_until_idle()
        assert Ledger(server.database).rows("SELECT count(*) FROM inbox") == [(3,)]
        assert len(server.postbox.mails) == 3


@pytest.mark.parametrize("taken", ["folder:pbem", "flag"])
@pytest.mark.parametrize("rights", ["lrs", "lrwst", "lr"])
def test_letters_that_can_be_neither_moved_nor_marked_are_taken_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, taken: str, rights: str
) -> None:
    with running_dovecot(rights=rights) as dovecot:
        monkeypatch.setenv(*next(iter(dovecot.environ.items())))
        dovecot.deliver(letter("help", 1))
        time.sleep(1.1)  # the mailbox notes when letters come by the second
        with fetching(tmp_path, dovecot, mailbox_taken=taken) as server:
            server.wait_for_line("mailbox begun")
            dovecot.deliver(letter("games", 2))
            server.postbox.next_for("alice@example.org")
            Ledger(server.database).wait_until_idle()
            server.kill()
            dovecot.deliver(letter("commands", 3))
            server.start()
            server.postbox.next_for("alice@example.org")
            dovecot.kill()
            dovecot.renumber()
            dovecot.start()
            server.wait_for_line("mailbox renumbered")
            dovecot.deliver(letter("rules", 4))
            server.postbox.next_for("alice@example.org")
            Ledger(server.database).wait_until_idle()
            assert Ledger(server.database).rows("SELECT count(*) FROM inbox") == [(3,)]
            assert len(server.postbox.mails) == 3
            assert sum("letters not moved" in line for line in server.lines) <= 4, (
                "once for each time they were fetched"
            )
            assert not server.says("step failed")
            assert all(b"$pbemTaken" not in flags or "w" in rights for flags in dovecot.flags())


def test_a_wrong_password_is_told_once_and_tried_again_with_patience(tmp_path: Path, dovecot: Dovecot) -> None:
    url = dovecot.url.replace("apple%20pie", "apple%20tart")
    with fetching(tmp_path, dovecot, mailbox_url=url) as server:
        server.wait_for_line("why='login'")
        time.sleep(3)
        assert sum("mailbox trouble" in line for line in server.lines) == 1
        assert dovecot.log.count("auth failed") <= 2
        assert not server.says("tart")


def test_a_server_that_is_gone_is_found_again_and_nothing_is_lost(tmp_path: Path, dovecot: Dovecot) -> None:
    with fetching(tmp_path, dovecot) as server:
        server.wait_for_line("mailbox begun")
        dovecot.stop()
        server.wait_for_line("mailbox trouble")
        dovecot.deliver(letter("help"))
        dovecot.start()
        server.postbox.next_for("alice@example.org", 2 * PATIENCE)
        server.wait_for_line("mailbox is well again")


def test_a_certificate_that_is_not_trusted_is_told(
    tmp_path: Path, dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/dev/null")
    before = dovecot.log.count("Login: user")
    with fetching(tmp_path, dovecot) as server:
        server.wait_for_line("why='certificate'")
        assert dovecot.log.count("Login: user") == before  # it has not said its password


def test_a_folder_that_is_not_there_is_told(tmp_path: Path, dovecot: Dovecot) -> None:
    with fetching(tmp_path, dovecot, mailbox_url=dovecot.url.replace("INBOX", "Games")) as server:
        server.wait_for_line("why='folder'")


def test_too_many_connections_are_told_and_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running_dovecot(connections=1) as dovecot, dovecot.client() as other:
        monkeypatch.setenv(*next(iter(dovecot.environ.items())))
        with fetching(tmp_path, dovecot) as server:
            server.wait_for_line("why='busy'")
            other.noop()


def test_a_letter_of_fifty_megabytes_is_put_aside_without_being_fetched(tmp_path: Path, dovecot: Dovecot) -> None:
    with fetching(tmp_path, dovecot) as server:
        server.wait_for_line("mailbox begun")
        dovecot.deliver(letter("help", 1, body="x" * 76 + "\r\n") + (b"x" * 76 + b"\r\n") * 670_000)
        dovecot.deliver(letter("games", 2))
        heard = [server.postbox.next_for("alice@example.org") for _ in range(2)]
        assert "pbem could not take your letter" in [mail.subject for mail in heard]
        assert any("your letter is too large for me (more than 262 kB)" in mail.words for mail in heard)
        assert server.says("letter refused")
        wait_for(lambda: dovecot.subjects(TAKEN) == ["help", "games"])
        assert Ledger(server.database).rows("SELECT count(*) FROM inbox") == [(1,)]


def test_of_several_processes_one_fetches_and_another_takes_over_when_it_dies(
    tmp_path: Path, dovecot: Dovecot, postgresql_url: str
) -> None:
    shared = {"database_url": postgresql_url, "secret_key": KEY, "mailbox_url": dovecot.url, "lease_seconds": "60"}
    with Postbox() as postbox:
        servers = []
        for number, roles in enumerate(("mailbox,clock,smtp", "mailbox,worker,delivery,clock,smtp")):
            folder = tmp_path / str(number)
            folder.mkdir()
            servers.append(RunningServer(folder, postbox, roles, **shared).start())
            servers[0].wait_for_line("mailbox begun")
        first, second = servers
        try:
            dovecot.deliver(letter("help", 1))
            postbox.next_for("alice@example.org")
            assert not second.says("letter accepted")
            first.kill()
            dovecot.deliver(letter("games", 2))
            postbox.next_for("alice@example.org")
            assert second.says("letter accepted")
        finally:
            first.stop()
            second.stop()


@pytest.mark.parametrize("token", ["first", "wrong"])
def test_a_mailbox_without_a_password_is_opened_by_oauth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    file = tmp_path / "mailbox.token"
    file.write_text(f"{token}\n")
    with (
        running_token_server(USER) as provider,
        running_dovecot(tokens=f"{provider.url}/info?access_token=") as dovecot,
    ):
        monkeypatch.setenv(*next(iter(dovecot.environ.items())))
        oauth = {"mailbox_token_url": f"{provider.url}/token", "mailbox_client_id": CLIENT}
        without = dovecot.url.replace(":apple%20pie", "")
        with fetching(tmp_path, dovecot, mailbox_url=without, mailbox_refresh_token=f"file:{file}", **oauth) as server:
            if token == "wrong":
                server.wait_for_line("the token server: invalid_grant")
                return
            server.wait_for_line("mailbox begun")
            dovecot.deliver(letter("help"))
            server.postbox.next_for("alice@example.org")
            assert file.read_text() == "second\n"
            assert not server.says(BEGINNING)


def check_mail(folder: Path, dovecot: Dovecot, **settings: str) -> tuple[int, str]:
    done = pbem(folder, "check-mail", **{"mailbox_url": dovecot.url, **settings})
    assert done.stderr == ""
    assert "apple" not in done.stdout
    return done.returncode, done.stdout


def test_check_mail_says_if_all_is_well_and_touches_nothing(tmp_path: Path, dovecot: Dovecot) -> None:
    dovecot.deliver(b"Authentication-Results: mx.example.org; dmarc=none\r\n" + letter("help"))
    code, said = check_mail(tmp_path, dovecot, authserv_id="mx.example.org")
    assert (code, said.splitlines()) == (
        0,
        [
            "mailbox: club@example.org@localhost/INBOX has 1 letters",
            *("IDLE: ok", "MOVE: ok", "UIDPLUS: ok"),
            *("folder for taken letters: ok", "room: ok", "other mail: none"),
            "authentication results: the topmost header of 1 of 1 letters is by mx.example.org",
        ],
    )
    assert (dovecot.subjects(), dovecot.flags()) == (["help"], [set()])


def test_check_mail_warns_of_other_mail_and_of_another_name_of_the_provider(tmp_path: Path, dovecot: Dovecot) -> None:
    dovecot.deliver(
        b"Authentication-Results: mx.google.com; dmarc=none\r\n" + letter("Hi", 1, "bob@example.org"),
        to="club@example.org",
    )
    code, said = check_mail(tmp_path, dovecot, authserv_id="mx.example.org")
    assert code == 1
    assert "other mail: 1 of the newest 1 letters are not addressed to pbem@localhost. pbem leaves them alone" in said
    seen = "the topmost Authentication-Results header of 1 of 1 letters is by mx.google.com"
    helps = "if that is your provider's name, set PBEM_AUTHSERV_ID to mx.google.com"
    assert f"PBEM_AUTHSERV_ID is mx.example.org, but {seen}; {helps}" in said


def test_check_mail_says_which_header_it_has_looked_at(tmp_path: Path, dovecot: Dovecot) -> None:
    fields = (f"Authentication-Results: {name}; dmarc=none\r\n" for name in ("spam.example.net", "mx.example.org"))
    dovecot.deliver("".join(fields).encode() + letter("help"))
    code, said = check_mail(tmp_path, dovecot, authserv_id="mx.example.org")
    assert code == 1
    assert "mx.example.org is only named further down, where senders can write it, too" in said
    assert "header of 1 of 1 letters is by spam.example.net; if that is your provider's name" in said
    code, said = check_mail(tmp_path, dovecot)
    assert code == 0
    assert "PBEM_AUTHSERV_ID is not set, and the topmost Authentication-Results header of 1 of 1 letters" in said
    assert said.rstrip().endswith("set PBEM_AUTHSERV_ID to spam.example.net")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("pie", "tart", "mailbox: login: "),
        ("INBOX", "Games", "mailbox: folder: "),
        ("club%40", "clubs%40", "mailbox: login: "),
    ],
)
def test_check_mail_says_what_is_wrong_and_what_helps(
    tmp_path: Path, dovecot: Dovecot, old: str, new: str, said: str
) -> None:
    code, line = check_mail(tmp_path, dovecot, mailbox_url=dovecot.url.replace("@", "%40", 1).replace(old, new))
    assert code == 1
    assert line.startswith(said)
    assert ";" in line


def test_check_mail_warns_of_a_mailbox_that_is_nearly_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running_dovecot(kilobytes=10) as dovecot:
        monkeypatch.setenv(*next(iter(dovecot.environ.items())))
        dovecot.deliver(letter("help", body="x" * 9400))
        code, said = check_mail(tmp_path, dovecot)
    assert code == 1
    assert re.search(r"room: (9[0-9]|100)% is used", said)


def test_check_mail_tells_of_a_mailbox_where_letters_cannot_be_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_dovecot(rights="lr") as dovecot:
        monkeypatch.setenv(*next(iter(dovecot.environ.items())))
        code, said = check_mail(tmp_path, dovecot)
    assert code == 1
    assert "keyword: $pbemTaken is not allowed here: pbem remembers instead which letters it has taken" in said


def test_check_mail_tells_of_a_server_that_is_gone(tmp_path: Path, dovecot: Dovecot) -> None:
    dovecot.stop()
    code, line = check_mail(tmp_path, dovecot)
    assert (code, line.partition(";")[0]) == (1, "mailbox: unreachable: Connection refused")


def doctor(folder: Path, dovecot: Dovecot, **settings: str) -> list[str]:
    """The lines about the mailbox that `pbem doctor` prints."""
    done = pbem(folder, "doctor", **{"mailbox_url": dovecot.url, "web_listen": "off", **settings})
    assert done.stderr == ""
    assert "apple" not in done.stdout
    lines = done.stdout.splitlines()
    first = next(number for number, line in enumerate(lines) if line[9:].startswith("mailbox: "))
    assert (done.returncode == 1) == any(line.startswith("wrong") for line in lines)
    return lines[first:-1]


def test_the_doctor_says_of_the_mailbox_what_check_mail_says(tmp_path: Path, dovecot: Dovecot) -> None:
    dovecot.deliver(letter("Hi", 1, "bob@example.org"), to="club@example.org")
    assert [line.partition(" are not")[0] for line in doctor(tmp_path, dovecot)] == [
        "ok       mailbox: club@example.org@localhost/INBOX has 1 letters",
        *("ok       IDLE", "ok       MOVE", "ok       UIDPLUS", "ok       folder for taken letters", "ok       room"),
        "warning  other mail: 1 of the newest 1 letters",
        "ok       authentication results: not set",
    ]
    assert (dovecot.subjects(), dovecot.flags()) == (["Hi"], [set()])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("pie", "tart", "login: "),
        ("INBOX", "Games", "folder: "),
        ("localhost", "127.0.0.1", "certificate: IP address mismatch"),
    ],
    ids=["a wrong password", "no such folder", "a certificate for another name"],
)
def test_the_doctor_says_in_one_line_why_the_mailbox_cannot_be_opened(
    tmp_path: Path, dovecot: Dovecot, old: str, new: str, said: str
) -> None:
    url = dovecot.url.replace("@", "%40", 1).replace(old, new)
    (line,) = doctor(tmp_path, dovecot, mailbox_url=url)
    assert line.startswith(f"wrong    mailbox: {said}")
    assert ";" in line


def test_the_doctor_says_that_the_mail_server_is_gone(tmp_path: Path, dovecot: Dovecot) -> None:
    dovecot.stop()
    assert [line.partition(";")[0] for line in doctor(tmp_path, dovecot)] == [
        "wrong    mailbox: unreachable: Connection refused"
    ]


def test_the_doctor_warns_of_a_mailbox_that_is_nearly_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running_dovecot(kilobytes=10) as dovecot:
        monkeypatch.setenv(*next(iter(dovecot.environ.items())))
        dovecot.deliver(letter("help", body="x" * 9400))
        (line,) = (line for line in doctor(tmp_path, dovecot) if line[9:].startswith("room"))
    assert re.fullmatch(r"warning  room: (9[0-9]|100)% is used, and letters to a full mailbox come back: .*", line)


def test_the_doctor_notices_a_clock_that_is_behind_that_of_the_mailbox(tmp_path: Path, dovecot: Dovecot) -> None:
    dovecot.deliver(letter("help"))
    (came,) = (dovecot.inbox / "new").iterdir()
    at = time.time() + 3600  # Dovecot tells by it when a letter came
    os.utime(came, (at, at))
    (line,) = (line for line in doctor(tmp_path, dovecot) if line[9:].startswith("clock"))
    assert re.fullmatch(r"wrong    clock: (59|60) minutes behind that of the mailbox: set it, .*", line)


def test_the_doctor_tells_of_letters_that_are_too_large(tmp_path: Path, dovecot: Dovecot) -> None:
    dovecot.deliver(letter("help", body="x" * 3000))
    dovecot.deliver(letter("help", 2, body="y" * 500))
    (line,) = (line for line in doctor(tmp_path, dovecot, max_letter_bytes="2000") if line[9:].startswith("large"))
    said = (
        r"warning  large letters: 1 over PBEM_MAX_LETTER_BYTES \(2000\), the largest of 3[0-9]{3} bytes: pbem does .*"
    )
    assert re.fullmatch(said, line)
    assert dovecot.flags() == [set(), set()]


def _letters(count: int) -> list[Post]:
    """Letters of newcomers and strangers, whose order does not matter."""
    program = MailProgram("m")
    words = ("signup {0} " + PLAYERS_PASSWORD, "help")
    return [program.letter(f"new{number}", words[number % 2].format(f"new{number}")) for number in range(count)]


def _kill_again_and_again(folder: Path, dovecot: Dovecot, seed: int, count: int, kills: int) -> None:
    random, letters = Random(seed), _letters(count)
    with fetching(folder, dovecot, max_stranger_mails_per_hour="1000000") as server:
        server.wait_for_line("mailbox begun")
        ledger = Ledger(server.database)

        def bring() -> None:
            for each in letters:
                dovecot.deliver(each.raw, each.sender, SERVER)
                time.sleep(random.choice([0, 0, 0.02]))

        bringing = Thread(target=bring)
        bringing.start()
        done = 0
        for stored in sorted(random.sample(range(1, count), kills)):
            wait_for(lambda stored=stored: ledger.rows("SELECT count(*) FROM inbox")[0][0] >= stored)  # type: ignore[misc]
            done = ledger.wait_until_more_is_done_than(done)
            time.sleep(random.choice([0, 0, 0.01, 0.05]))
            server.kill()
            server.start()
        bringing.join()
        wait_for(lambda: ledger.rows("SELECT count(*) FROM inbox")[0][0] >= count, server)
        wait_for(lambda: len(dovecot.subjects(TAKEN)) == count and dovecot.subjects() == [])
        ledger.wait_until_idle()
        server.stop()
        check_exactly_once(server, letters, ())


def test_a_hundred_letters_are_handled_exactly_once_through_three_power_cuts(tmp_path: Path, dovecot: Dovecot) -> None:
    _kill_again_and_again(tmp_path, dovecot, seed=1, count=100, kills=3)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_thousand_letters_are_handled_exactly_once_through_twenty_power_cuts(
    tmp_path: Path, dovecot: Dovecot
) -> None:
    _kill_again_and_again(tmp_path, dovecot, seed=2, count=1000, kills=20)


def sends_around(folder: Path, provider: Postbox, dovecot: Dovecot, **settings: str) -> tuple[int, list[str]]:
    given = {"mailbox_url": dovecot.url, "authserv_id": "mx.example.org", **settings}
    done = pbem(folder, "check-mail", "--send", "--patience=3", relay_url=f"smtp://127.0.0.1:{provider.port}", **given)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()[8:]


def test_check_mail_sends_a_letter_around(tmp_path: Path, dovecot: Dovecot) -> None:
    with MailProvider(dovecot) as provider:
        code, said = sends_around(tmp_path, provider, dovecot)
    assert said[0] == "relay: it has taken a letter to ourselves"
    assert re.fullmatch(r"letter to ourselves: came after [0-3] seconds", said[1])
    assert (code, said[2:]) == (
        0,
        [
            "clock: the same as that of the mailbox",
            *("sub-address: ok", "authentication of what we send: dmarc=pass"),
        ],
    )
    assert (dovecot.subjects(), dovecot.subjects("pbem")) == ([], ["pbem check-mail"])


def test_check_mail_says_what_went_wrong_on_the_way(tmp_path: Path, dovecot: Dovecot) -> None:
    with MailProvider(dovecot, "dmarc=fail header.from=localhost", keeps_sub_addresses=False) as provider:
        code, said = sends_around(tmp_path, provider, dovecot)
        assert (code, said[3:]) == (
            1,
            [
                "sub-address: the letter does not name pbem+check@localhost any more: set PBEM_SUB_ADDRESSES to false",
                "authentication of what we send: no dmarc=pass by mx.example.org: are SPF, DKIM and DMARC set up?",
            ],
        )
        code, said = sends_around(tmp_path, provider, dovecot, authserv_id="mx.example.net", sub_addresses="false")
        name = "mx.example.org, which the topmost Authentication-Results names"
        assert code == 1
        assert (
            said[-1] == f"authentication of what we send: nothing is by mx.example.net: set PBEM_AUTHSERV_ID to {name}"
        )
        provider.answer = lambda _mail: "554 5.7.1 Not from here"
        code, said = sends_around(tmp_path, provider, dovecot)
        assert (code, said) == (1, ["relay: 554 5.7.1 Not from here: nothing was sent"])
    with Postbox() as hole:
        code, said = sends_around(tmp_path, hole, dovecot)
    assert (code, said[1][:53]) == (1, "letter to ourselves: did not come within 3 seconds: i")
