"""A DNS server of our own for the tests, which knows a few records and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
from typing import Any

from dnslib import CLASS, QTYPE, RCODE, RR, DNSRecord
from dnslib.server import BaseResolver, DNSLogger, DNSServer


class DnsServer(BaseResolver):  # type: ignore[misc]
    """Answers from records, and says of every name below which there are others that it exists (RFC 8020)."""

    def __init__(self, zone: str) -> None:
        self.records: Sequence[Any] = RR.fromZone(zone)
        self.fails = False
        """It answers SERVFAIL to everything."""
        self.asked: list[str] = []
        self._server = DNSServer(self, address="127.0.0.1", port=0, logger=DNSLogger("-request,-reply"))

    @property
    def address(self) -> str:
        """Its address and port, as an operator writes it."""
        host, port = self._server.server.server_address
        return f"{host}:{port}"

    def resolve(self, request: DNSRecord, _handler: object) -> DNSRecord:
        """The answer to a question."""
        reply = request.reply()
        self.asked.append(f"{request.q.qname} {QTYPE[request.q.qtype]}")
        if self.fails:
            reply.header.rcode = RCODE.SERVFAIL
            return reply
        of_name = [each for each in self.records if each.rname == request.q.qname and each.rclass == CLASS.IN]
        for each in of_name:
            if each.rtype in (request.q.qtype, QTYPE.CNAME):
                reply.add_answer(each)
        if not of_name and not any(each.rname.matchSuffix(request.q.qname) for each in self.records):
            reply.header.rcode = RCODE.NXDOMAIN
        return reply


@contextmanager
def dns_server(zone: str) -> Iterator[DnsServer]:
    """A server that knows the records of a zone, on a port of its own."""
    server = DnsServer(zone)
    with server._server.server as listening:
        thread = Thread(target=listening.serve_forever, args=(0.01,))
        thread.start()
        yield server
        listening.shutdown()
        thread.join()
