"""``pbem send`` against a running server that delivers into a Maildir."""

from __future__ import annotations

import socket
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli import send as pbem_send
from tests.cli.running import environment, pbem, serving
from tests.support.maildir import nth_mail, text_of


def test_a_game_is_begun_by_sending_and_replying(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        listen = {"smtp_listen": server.address_of("smtp")}

        def send(*words: str) -> None:
            sent = pbem(tmp_path, "send", *words, **listen)
            assert (sent.returncode, sent.stdout, sent.stderr) == (0, "sent\n", "")

        hear: Callable[[int], EmailMessage] = lambda number: nth_mail(tmp_path / "mail", number)  # noqa: E731
        send("--as", "alice@example.org", "signup alice secret")
        assert hear(1)["Subject"] == "Please confirm your pbem account alice"
        send("--as", "ALICE@example.org", "--reply", "yes")
        assert hear(2)["Subject"] == "Welcome to pbem, alice"
        send("--as", "alice@example.org", "superbo challenge alice alice")
        assert hear(3)["Subject"] == "New superbo Board 101 alice"
        send("--as", "alice@example.org", "--reply", "b3", "--body", "Let me see.\nWell.")
        second = hear(4)
        assert second["Subject"] == "superbo Board 101 alice **"
        assert "You wrote:\n\n  Let me see.\n  Well.\n" in text_of(second)
        reply_to = str(second["Reply-To"].addresses[0].addr_spec)
        send("--as", "alice@example.org", "--to", reply_to, "c4,k5")
        assert "2. C4,K5" in text_of(hear(5))
        send("--as", "zo\u00eb <zoe@example.org>", "help r\u00e9sign")
        assert hear(6)["To"] == "zoe@example.org"


def test_where_nobody_listens_it_says_to_try_later(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    sent = pbem(tmp_path, "send", "--as", "alice@example.org", "help", smtp_listen=f"127.0.0.1:{port}")
    assert sent.returncode == 75
    assert "the letter was not accepted" in sent.stderr
    assert "Traceback" not in sent.stderr


def test_where_no_door_is_opened_trying_later_is_of_no_use(tmp_path: Path) -> None:
    sent = pbem(tmp_path, "send", "--as", "alice@example.org", "help", smtp_listen="off")
    assert (sent.returncode, sent.stderr) == (1, "pbem: the letter cannot be sent: PBEM_SMTP_LISTEN is off\n")


def test_an_address_that_is_not_the_servers_is_refused_for_good(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        listen = server.address_of("smtp")
        sent = pbem(tmp_path, "send", "--as", "a@example.org", "--to", "b@example.org", "help", smtp_listen=listen)
        assert sent.returncode == 1
        assert sent.stderr == "pbem: the letter was not accepted: 550 5.1.1 No such mailbox here\n"
        large = pbem(tmp_path, "send", "--as", "a@example.org", "help", "--body", "x\n" * 60_000, smtp_listen=listen)
        assert large.returncode == 0
    with serving(tmp_path, max_letter_bytes="1024") as server:
        listen = server.address_of("smtp")
        sent = pbem(tmp_path, "send", "--as", "a@example.org", "help", "--body", "x\n" * 2_000, smtp_listen=listen)
        assert sent.returncode == 1
        assert "552" in sent.stderr


def test_a_reply_needs_a_mail_to_answer(tmp_path: Path) -> None:
    nothing = pbem(tmp_path, "send", "--as", "alice@example.org", "--reply", "yes")
    assert nothing.returncode == 1
    assert nothing.stderr == "pbem: there is no mail to alice@example.org in the server's Maildir\n"
    with serving(tmp_path) as server:
        listen = server.address_of("smtp")
        assert pbem(tmp_path, "send", "--as", "alice@example.org", "help", smtp_listen=listen).returncode == 0
        nth_mail(tmp_path / "mail", 1)
        bob = pbem(tmp_path, "send", "--as", "bob@example.org", "--reply", "yes", smtp_listen=listen)
    assert bob.returncode == 1
    assert bob.stderr == "pbem: there is no mail to bob@example.org in the server's Maildir\n"


@pytest.mark.parametrize("option", ["--reply", "--wait"])
def test_who_answers_or_waits_needs_a_maildir(tmp_path: Path, option: str) -> None:
    sent = pbem(tmp_path, "send", "--as", "a@example.org", option, "yes", relay_url="smtp://127.0.0.1:25")
    assert sent.returncode == 1
    assert "PBEM_RELAY_URL does not name one" in sent.stderr


def test_who_waits_reads_the_answer_and_can_answer_it_at_once_even_if_a_reader_has_moved_it(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        listen = {"smtp_listen": server.address_of("smtp")}

        def read(*words: str) -> str:
            sent = pbem(tmp_path, "send", "--wait", *words, **listen)
            assert (sent.returncode, sent.stderr) == (0, "")
            assert sent.stdout.startswith("sent\n\nSubject: ")
            return sent.stdout.removeprefix("sent\n\nSubject: ")

        for name in ("alice", "bob"):
            assert read("--as", f"{name}@example.org", f"signup {name}").startswith("Please confirm your pbem account ")
            for mail in (tmp_path / "mail" / "new").iterdir():
                mail.rename(tmp_path / "mail" / "cur" / f"{mail.name}:2,S")
            assert read("--as", f"{name}@example.org", "--reply", "yes").startswith(f"Welcome to pbem, {name}\n\nWelc")
        assert read("--as", "Alice <alice@example.org>", "superbo challenge bob").startswith("New superbo Board 101 al")
        assert read("--as", "alice@example.org", "--reply", "b3").startswith("superbo Board 101 bob\n\nSummary of ")
        assert read("--as", "bob@example.org", "--reply", "c4,k5").startswith("superbo Board 101 alice\n\nSummary of ")
        assert read("--as", "alice@example.org", "--reply", "z1").startswith("superbo Board 101 Error\n")


def test_who_waits_in_vain_is_told_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pbem_send, "_PATIENCE", 0.5)
    with serving(tmp_path) as server:
        listen = {"smtp_listen": server.address_of("smtp"), "relay_url": f"maildir:{tmp_path / 'elsewhere'}"}
        runner = CliRunner(env=environment(listen))
        sent = runner.invoke(pbem_send.send, ["--as", "alice@example.org", "--wait", "help"])
    assert (sent.exit_code, sent.stdout) == (75, "sent\n")
    assert sent.stderr == "pbem: the letter was accepted, but no answer came within 0.5 seconds\n"


@pytest.mark.parametrize(
    "words",
    [
        ["send"],
        ["send", "help"],
        ["send", "--as", "a@example.org"],
        ["send", "--as", "a@example.org", "help", "list"],
        ["send", "--as", "a@example.org", "--colour", "help"],
        ["send", "--as", "a@example.org", "--reply", "--to", "b@example.org", "help"],
        ["send", "--as", "a@example.org", "help\nBcc: b@example.org"],
        ["send", "--as", "a@example.org\nBcc: b@example.org", "help"],
        ["frobnicate"],
    ],
    ids=" ".join,
)
def test_misuse_is_told_apart_from_failure(tmp_path: Path, words: list[str]) -> None:
    sent = pbem(tmp_path, *words)
    assert sent.returncode == 2
    assert sent.stderr
    assert "Traceback" not in sent.stderr
