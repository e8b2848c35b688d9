"""Ports of 127.0.0.1 for servers that have to know theirs before they start."""

import socket

_KEPT: list[socket.socket] = []


def free_port() -> int:
    """A port that is for one server of this run alone, however often it stops and starts again.

    Until this process ends a socket that does not listen stays bound to it. The system gives such a port to nobody,
    not even to a connection, but a server may listen there, since servers set ``SO_REUSEADDR`` as that socket does.
    """
    kept = socket.socket()
    kept.bind(("127.0.0.1", 0))
    kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # after bind(): the port is nobody else's
    _KEPT.append(kept)
    return int(kept.getsockname()[1])
