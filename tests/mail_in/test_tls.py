"""STARTTLS with real certificates, and the PROXY protocol, on real ports."""

from __future__ import annotations

import ssl
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import trustme

from pbem.config import BadSetting
from pbem.mail_in.doors import DoorOptions, SmtpDoor, tls_context
from tests.support.doors import ANY_PORT, LETTER, LIMITS, OURS, OpenDoor, opened, raw, talk


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def files(authority: trustme.CA, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A certificate and its key, as an operator has them."""
    folder = tmp_path_factory.mktemp("tls")
    issued = authority.issue_cert("localhost", "127.0.0.1")
    for blob in issued.cert_chain_pems:
        blob.write_to_path(str(folder / "chain.pem"), append=True)
    issued.private_key_pem.write_to_path(str(folder / "key.pem"))
    return str(folder / "chain.pem"), str(folder / "key.pem")


@pytest.fixture
def trusting(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


@pytest.fixture
def door(files: tuple[str, str]) -> Iterator[OpenDoor]:
    with opened(SmtpDoor, options=DoorOptions(tls=tls_context(*files))) as door:
        yield door


def test_a_letter_comes_in_within_tls(door: OpenDoor, trusting: ssl.SSLContext) -> None:
    with door.client() as client:
        client.ehlo()
        assert "starttls" in client.esmtp_features
        assert client.starttls(context=trusting)[0] == 220
        client.ehlo()
        assert "starttls" not in client.esmtp_features
        assert "auth" not in client.esmtp_features
        assert client.docmd("AUTH PLAIN AGEAYg==")[0] == 502
        assert client.docmd("STARTTLS")[0] == 503
        assert client.sendmail("a@example.org", [OURS], LETTER) == {}
    assert [letter for _, letter in door.letters] == [LETTER]


def test_nobody_need_use_it(door: OpenDoor) -> None:
    with door.client() as client:
        client.sendmail("a@example.org", [OURS], LETTER)
    assert len(door.letters) == 1


def test_without_a_certificate_it_is_not_offered() -> None:
    with opened() as door, door.client() as client:
        client.ehlo()
        assert "starttls" not in client.esmtp_features
        assert client.docmd("STARTTLS")[0] == 454


def test_what_was_said_in_the_clear_does_not_count_within_tls(door: OpenDoor, trusting: ssl.SSLContext) -> None:
    with raw(door) as (connection, said):
        talk(connection, said, "HELO test", "MAIL FROM:<a@example.org>")
        connection.sendall(b"STARTTLS\r\nRCPT TO:<pbem@localhost>\r\n")
        assert said().startswith("220 ")
        with trusting.wrap_socket(connection, server_hostname="localhost") as secure:
            secure.sendall(b"DATA\r\n")
            assert secure.recv(100).startswith(b"503 ")


def test_a_client_that_breaks_the_handshake_is_sent_away_and_others_are_served(door: OpenDoor) -> None:
    for nonsense in (b"\x16\x03\x01 no TLS at all" * 10, b""):
        with raw(door) as (connection, said):
            talk(connection, said, "EHLO test")
            while said()[3] == "-":
                pass
            connection.sendall(b"STARTTLS\r\n")
            assert said().startswith("220 ")
            connection.sendall(nonsense)
    with door.client() as client:
        assert client.noop()[0] == 250


def test_closing_says_goodbye_within_tls(door: OpenDoor, trusting: ssl.SSLContext) -> None:
    with door.client() as client:
        client.starttls(context=trusting)
        client.ehlo()
        door.close(5)
        assert client.getreply()[0] == 421


@pytest.mark.parametrize(
    ("certificate", "key", "named"),
    [
        ("nowhere", "key", "PBEM_SMTP_CERTIFICATE: {folder}/nowhere.pem cannot be read: No such file"),
        ("chain", "nowhere", "PBEM_SMTP_PRIVATE_KEY: {folder}/nowhere.pem cannot be read: No such file"),
        ("key", "key", "PBEM_SMTP_CERTIFICATE: {folder}/key.pem and {folder}/key.pem cannot be used together"),
        ("chain", "other", "PBEM_SMTP_CERTIFICATE: {folder}/chain.pem and {folder}/other.pem cannot be used together"),
    ],
)
def test_files_that_cannot_be_used_are_named(
    files: tuple[str, str], authority: trustme.CA, tmp_path: Path, certificate: str | None, key: str | None, named: str
) -> None:
    for name, file in zip(("chain", "key"), files, strict=True):
        (tmp_path / f"{name}.pem").symlink_to(file)
    authority.issue_cert("localhost").private_key_pem.write_to_path(str(tmp_path / "other.pem"))
    paths = [None if name is None else str(tmp_path / f"{name}.pem") for name in (certificate, key)]
    with pytest.raises(BadSetting) as wrong:
        tls_context(*paths)
    assert str(wrong.value).startswith(named.format(folder=tmp_path))
    assert tls_context(None, None) is None


def proxy_v2(command: int, family: int, addresses: bytes) -> bytes:
    """A PROXY header of version 2 (haproxy's proxy-protocol.txt s 2.2)."""
    return b"\r\n\r\n\0\r\nQUIT\n" + struct.pack("!BBH", 0x20 | command, family, len(addresses)) + addresses


IPV4 = bytes([192, 0, 2, 1, 127, 0, 0, 1]) + struct.pack("!HH", 1234, 25)
GOOD = {
    "v1 tcp4": b"PROXY TCP4 192.0.2.1 127.0.0.1 1234 25\r\n",
    "v1 tcp6": b"PROXY TCP6 2001:db8::1 ::1 1234 25\r\n",
    "v1 unknown": b"PROXY UNKNOWN\r\n",
    "v2 tcp4": proxy_v2(1, 0x11, IPV4),
    "v2 tcp6": proxy_v2(1, 0x21, bytes(32) + struct.pack("!HH", 1234, 25)),
    "v2 local": proxy_v2(0, 0x00, b""),
}
BAD = {
    "none": b"EHLO test\r\n",
    "words missing": b"PROXY TCP4\r\n",
    "no address": b"PROXY TCP4 here there 1 2\r\n",
    "no end": b"PROXY " + b"x" * 3000,
    "v2 truncated": proxy_v2(1, 0x11, IPV4[:6]),
    "v2 wrong version": b"\r\n\r\n\0\r\nQUIT\n\x31\x11\0\0",
}


@pytest.mark.parametrize("header", GOOD.values(), ids=GOOD)
def test_a_connection_behind_a_balancer_begins_with_its_line(header: bytes) -> None:
    with opened(SmtpDoor, options=DoorOptions(wants_proxy=True)) as door, raw(door) as (connection, said):
        connection.sendall(header + b"HELO test\r\n")
        assert said().startswith("220 ")
        assert said().startswith("250 ")


@pytest.mark.parametrize("header", BAD.values(), ids=BAD)
def test_a_connection_without_such_a_line_is_closed_without_a_word(header: bytes) -> None:
    with opened(SmtpDoor, options=DoorOptions(wants_proxy=True)) as door, raw(door) as (connection, said):
        connection.sendall(header)
        with suppress(ConnectionResetError):
            assert said() == ""


def test_a_balancer_that_says_nothing_is_not_waited_for() -> None:
    limits = replace(LIMITS, idle_seconds=0.1)
    with opened(SmtpDoor, ANY_PORT, limits, options=DoorOptions(wants_proxy=True)) as door, raw(door) as (_, said):
        assert said().startswith("421 ")
        assert said() == ""


def test_connections_are_counted_for_the_hosts_that_the_balancer_names() -> None:
    limits = replace(LIMITS, connections_per_host=1)
    other = GOOD["v1 tcp4"].replace(b"192.0.2.1", b"192.0.2.2")
    options = DoorOptions(wants_proxy=True)
    with opened(SmtpDoor, ANY_PORT, limits, options=options) as door, raw(door) as (first, said_to_first):
        first.sendall(GOOD["v1 tcp4"])
        assert said_to_first().startswith("220 ")
        for header, answer in ((GOOD["v2 tcp4"], "421 4.7.0"), (other, "220 "), (GOOD["v1 unknown"], "220 ")):
            with raw(door) as (connection, said):
                connection.sendall(header)
                assert said().startswith(answer)


def test_without_the_setting_such_a_line_is_no_command() -> None:
    with opened() as door, raw(door) as (connection, said):
        assert talk(connection, said, GOOD["v1 tcp4"].decode().strip()).startswith("500 ")


def test_a_client_from_elsewhere_cannot_say_that_it_is_another() -> None:
    with opened(SmtpDoor, options=DoorOptions(wants_proxy=True)) as door, raw(door) as (connection, said):
        connection.sendall(GOOD["v1 tcp4"] + b"EHLO test\r\nXFORWARD ADDR=198.51.100.1\r\n")
        lines = [said() for _ in range(6)]
        assert not any("XFORWARD" in line for line in lines)
        while not (line := said()).startswith("502 "):
            assert line.startswith("250")
        connection.sendall(f"MAIL FROM:<a@example.org>\r\nRCPT TO:<{OURS}>\r\nDATA\r\n".encode() + LETTER + b".\r\n")
        assert [said()[:3] for _ in range(4)] == ["250", "250", "354", "250"]
    assert door.letters[0][0].client == "192.0.2.1"
