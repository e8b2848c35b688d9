"""Ports that are kept for one server."""

import socket

import pytest

from tests.support.ports import free_port


def test_a_server_may_listen_there_again_and_again_and_nobody_else_gets_the_port() -> None:
    port = free_port()
    for _ in range(2):
        with socket.create_server(("127.0.0.1", port)) as server:
            socket.create_connection(("127.0.0.1", port)).close()
            server.accept()[0].close()
    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind(("127.0.0.1", port))
    assert free_port() != port
