"""``pbem serve``: what it says at the start, and what keeps it from starting."""

from __future__ import annotations

import json
import os
import smtplib
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from time import monotonic

import pytest

from pbem.cli.serve import wait_for_others
from tests.cli.running import pbem, serving
from tests.support.mail import PATIENCE


@contextmanager
def taken_port() -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"127.0.0.1:{listening.getsockname()[1]}"


def get(url: str) -> tuple[int, str, str]:
    with urllib.request.urlopen(url, timeout=60) as answer:  # noqa: S310 - our own server
        return answer.status, str(answer.headers["Content-Type"]), answer.read().decode()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"adress": "pbem@example.org"}, "PBEM_ADRESS: there is no such setting (from the environment)"),
        ({"smtp_listen": "8025"}, "PBEM_SMTP_LISTEN: must be host:port"),
        ({"confirm_signup": "maybe"}, "PBEM_CONFIRM_SIGNUP: must be true or false"),
        ({"address": "not an address"}, "PBEM_ADDRESS: must be an address"),
        ({"database_url": "mysql://x"}, "PBEM_DATABASE_URL: must begin with sqlite:///"),
        ({"config": "nowhere.toml"}, "PBEM_CONFIG: nowhere.toml cannot be read"),
        ({"secret_key": "short"}, "PBEM_SECRET_KEY: must be"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_wrong_setting_stops_the_start_with_a_sentence(
    tmp_path: Path, settings: dict[str, str], sentence: str
) -> None:
    ended = pbem(tmp_path, "serve", **settings)
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"pbem: {sentence}")
    assert len(ended.stderr.splitlines()) == 1
    assert "short" not in ended.stderr.replace("shorter", "")
    assert list(tmp_path.iterdir()) == []


def test_a_role_that_there_is_not_is_misuse(tmp_path: Path) -> None:
    ended = pbem(tmp_path, "serve", "--only", "smtp,robots")
    assert ended.returncode == 2
    assert "must be some of smtp,lmtp,web,worker,delivery,clock,bots,mailbox" in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_name_of_a_process_says_its_roles(tmp_path: Path) -> None:
    ended = pbem(tmp_path, "serve", "--only", "lmtp-robots:2")
    assert (ended.returncode, "must be some of" in ended.stderr) == (2, True)
    with taken_port() as taken:  # the role web alone would want it
        ended = pbem(tmp_path, "serve", "--only", "clock-web:2", web_listen=taken)
    assert (ended.returncode, "PBEM_WEB_LISTEN: cannot listen" in ended.stderr) == (1, True)


@pytest.mark.parametrize("part", ["smtp", "web", "monitor"])
def test_a_port_in_use_stops_the_start_with_a_sentence(tmp_path: Path, part: str) -> None:
    with taken_port() as taken:
        settings = {"smtp_listen": "127.0.0.1:0", "web_listen": "127.0.0.1:0", f"{part}_listen": taken}
        ended = pbem(tmp_path, "serve", **settings)
    assert ended.returncode == 1
    last = ended.stderr.splitlines()[-1]
    assert last.startswith(f"pbem: PBEM_{part.upper()}_LISTEN: cannot listen on {taken}")
    assert "Traceback" not in ended.stderr


def test_a_socket_in_use_stops_the_start_with_a_sentence_and_a_stale_one_does_not(tmp_path: Path) -> None:
    path = tmp_path / "lmtp"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        ended = pbem(tmp_path, "serve", smtp_listen="127.0.0.1:0", web_listen="off", lmtp_listen="unix:lmtp")
    assert ended.returncode == 1
    last = ended.stderr.splitlines()[-1]
    assert last.startswith("pbem: PBEM_LMTP_LISTEN: cannot listen on unix:lmtp: ")
    assert last.endswith("another server listens there")
    with serving(tmp_path, lmtp_listen="unix:lmtp", lmtp_socket_mode="600") as server:
        assert server.address_of("lmtp") == "unix:lmtp"
        assert path.stat().st_mode & 0o777 == 0o600
    assert not path.exists()


@pytest.mark.parametrize("name", ["file", "nowhere/lmtp", "x" * 200])
def test_a_socket_that_cannot_be_made_stops_the_start_with_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("no socket")
    ended = pbem(tmp_path, "serve", smtp_listen="127.0.0.1:0", web_listen="off", lmtp_listen=f"unix:{name}")
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].startswith("pbem: PBEM_LMTP_LISTEN: cannot listen on unix:")
    assert "Traceback" not in ended.stderr
    assert (tmp_path / "file").read_text() == "no socket"


def test_lmtp_may_have_a_port(tmp_path: Path) -> None:
    with serving(tmp_path, smtp_listen="off", lmtp_listen="127.0.0.1:0") as server:
        host, _, port = server.address_of("lmtp").partition(":")
        with smtplib.LMTP(host, int(port)) as client:
            assert client.noop()[0] == 250


def test_a_certificate_without_its_key_stops_the_start_with_a_sentence(tmp_path: Path) -> None:
    ended = pbem(tmp_path, "serve", smtp_listen="127.0.0.1:0", web_listen="off", smtp_certificate="chain.pem")
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1].startswith("pbem: PBEM_SMTP_PRIVATE_KEY: must be set, too, when")


@pytest.mark.sqlite
def test_a_second_server_on_the_same_database_does_not_start(tmp_path: Path) -> None:
    with serving(tmp_path):
        second = pbem(tmp_path, "serve", smtp_listen="127.0.0.1:0", web_listen="off")
        assert second.returncode == 1
        assert second.stderr.startswith("pbem: PBEM_DATABASE_URL: another server is running on ")
    with serving(tmp_path):
        pass


@pytest.mark.sqlite
def test_a_database_that_is_none_stops_the_start_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "pbem.db").write_text("This is a letter to my aunt and no database. " * 100)
    ended = pbem(tmp_path, "serve", smtp_listen="127.0.0.1:0", web_listen="off")
    assert ended.returncode == 1
    assert "PBEM_DATABASE_URL: the database cannot be used: " in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_folder_that_is_not_there_stops_the_start_with_a_sentence(tmp_path: Path) -> None:
    listening = {"smtp_listen": "127.0.0.1:0", "web_listen": "off"}
    ended = pbem(tmp_path, "serve", database_url="sqlite:///nowhere/pbem.db", **listening)
    assert ended.returncode == 1
    assert "PBEM_DATABASE_URL: " in ended.stderr
    assert "cannot be written" in ended.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_stops_the_start_with_a_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        ended = pbem(tmp_path, "serve", smtp_listen="127.0.0.1:0", web_listen="off")
    finally:
        tmp_path.chmod(0o700)
    assert ended.returncode == 1
    assert "cannot be written" in ended.stderr


def test_it_says_where_it_listens_and_where_mails_go(tmp_path: Path) -> None:
    with serving(tmp_path, address="club@example.org") as server:
        assert server.printed[-1] == "pbem: ready; players write to club@example.org, mails go to maildir:mail"
        host, _, port = server.address_of("smtp").partition(":")
        assert host == "127.0.0.1"
        assert int(port) > 0
        assert not [line for line in server.printed if "WARNING" in line]


def test_a_password_of_the_relay_is_not_printed(tmp_path: Path) -> None:
    with serving(tmp_path, relay_url="smtp://club:hush@127.0.0.1:9") as server:
        assert "hush" not in "\n".join(server.printed)


def test_believing_the_from_line_is_warned_of(tmp_path: Path) -> None:
    with serving(tmp_path, trust_from="true") as server:
        assert [line for line in server.printed if line.startswith("pbem: WARNING: PBEM_TRUST_FROM is on")]


def test_a_setting_may_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "pbem.toml").write_text('address = "file@example.org"\ntrust_from = true\n')
    with serving(tmp_path, config="pbem.toml", trust_from="off") as server:
        assert "players write to file@example.org" in server.printed[-1]
        assert not [line for line in server.printed if "WARNING" in line]


def test_the_web_part_shows_a_page_and_its_health(tmp_path: Path) -> None:
    with serving(tmp_path, web_listen="127.0.0.1:0") as server:
        url = server.address_of("web")
        status, kind, page = get(url)
        assert status == 200
        assert kind.startswith("text/html")
        assert "<html" in page
        assert "superbo" in page.lower()
        status, kind, health = get(f"{url}/health")
        assert (status, json.loads(health)) == (200, {"status": "ok"})
        with pytest.raises(urllib.error.HTTPError, match="404") as missing:
            get(f"{url}/no-such-page")
        missing.value.close()


def test_any_process_says_that_it_lives_and_is_ready(tmp_path: Path) -> None:
    with serving(tmp_path, smtp_listen="off", monitor_listen="127.0.0.1:0") as server:
        url = server.address_of("monitor")
        assert json.loads(get(f"{url}/live")[2]) == {"status": "live"}
        assert json.loads(get(f"{url}/ready")[2]) == {"status": "ready"}


def test_parts_can_be_switched_off(tmp_path: Path) -> None:
    with serving(tmp_path, smtp_listen="off", web_listen="off") as server:
        assert not [line for line in server.printed if line.startswith(("pbem: smtp", "pbem: web"))]


@pytest.mark.sqlite
def test_the_secret_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    with serving(tmp_path):
        key = (tmp_path / "pbem.db.key").read_text()
    assert (tmp_path / "pbem.db.key").stat().st_mode & 0o777 == 0o600
    with serving(tmp_path):
        assert (tmp_path / "pbem.db.key").read_text() == key
    assert len(key.strip()) >= 32


def test_threads_that_answer_pages_are_waited_for_but_not_for_ever() -> None:
    may_end = Event()
    answering = Thread(target=may_end.wait, args=(PATIENCE,))
    answering.start()
    wait_for_others(0)
    assert answering.is_alive()
    may_end.set()
    wait_for_others(monotonic() + PATIENCE)
    assert not answering.is_alive()
