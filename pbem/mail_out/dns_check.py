"""The findings of a look at the DNS: letters must find the server, and others must believe the mails that it sends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ipaddress import ip_address

import dns.exception
import dns.resolver
import dns.reversename

from pbem.config import Listen
from pbem.domain.administration import Finding, Level

_SECONDS = 5.0
"""The time for each question."""
_SPF, _DKIM, _DMARC = "SPF", "DKIM", "DMARC"
_GUIDE = "docs/operating.md shows the record"


class Dns:
    """Asks a resolver.

    Args:
        server: the resolver; None: that of this machine.

    Raises:
        DNSException: this machine has none.
    """

    def __init__(self, server: Listen | None = None) -> None:
        self._resolver = dns.resolver.Resolver(configure=server is None)
        if server is not None:
            self._resolver.nameservers, self._resolver.port = [server.host], server.port
        self._resolver.lifetime = _SECONDS

    def ask(self, name: str, kind: str) -> list[str] | None:
        """The records of a kind, as text; None if there is no such name.

        Raises:
            DNSException: nobody knows just now, or this is no name.
        """
        try:
            found = self._resolver.resolve(name, kind, raise_on_no_answer=False, search=False)
        except dns.resolver.NXDOMAIN:
            return None
        if kind == "TXT":
            return [b"".join(record.strings).decode("utf-8", "replace") for record in found]
        return [record.to_text() for record in found]

    def addresses(self, name: str) -> list[str]:
        """The addresses of a host.

        Raises:
            DNSException: as above.
        """
        return [each for kind in ("A", "AAAA") for each in self.ask(name, kind) or []]

    def names(self, address: str) -> list[str]:
        """The names of an address (PTR).

        Raises:
            DNSException: as above.
        """
        return self.ask(str(dns.reversename.from_address(address)), "PTR") or []


def check_dns(domain: str, server: Listen | None, selector: str, *, leaves_from_here: bool) -> Iterator[Finding]:
    """Look up what mail to and from a domain depends on.

    Args:
        domain: of our address.
        server: the resolver; None: that of this machine.
        selector: of the key by which our mails are signed.
        leaves_from_here: mails reach the mail servers of others from this machine.
    """
    if domain == "localhost" or domain.endswith(".localhost"):
        yield Finding("DNS", Level.OK, f"nothing to look up: {domain} is this machine alone")
        return
    try:
        resolver = Dns(server)
        hosts = resolver.ask(domain, "MX")
        yield from _mx(resolver, domain, hosts)
        yield _spf(resolver, domain)
        yield _dkim(resolver, domain, selector)
        yield _dmarc(resolver, domain)
        if leaves_from_here:
            yield from _ptr(resolver, _hosts(hosts or []))
    except dns.resolver.NoResolverConfiguration:
        yield Finding("DNS", Level.WARNING, "not looked up: this machine has no resolver; name one with --resolver")
    except dns.exception.Timeout:
        said = "not looked up any further: the resolver does not answer; name another one with --resolver"
        yield Finding("DNS", Level.WARNING, said)
    except dns.exception.DNSException as failed:
        said = " ".join(str(failed).split()) or type(failed).__name__
        yield Finding("DNS", Level.WARNING, f"not looked up any further: {said}; is PBEM_ADDRESS right?")


def _hosts(records: Sequence[str]) -> list[str]:
    """The mail servers of MX records, the preferred first."""
    pairs = sorted((int(preference), host) for preference, host in (each.split() for each in records))
    return [host for _, host in pairs]


def _mx(resolver: Dns, domain: str, records: list[str] | None) -> Iterator[Finding]:
    if records is None:
        yield Finding(
            "MX", Level.WRONG, f"the DNS does not know {domain}, so no letter finds it: is PBEM_ADDRESS right?"
        )
        return
    hosts = _hosts(records)
    if hosts == ["."]:
        yield Finding(
            "MX", Level.WRONG, f"{domain} says that it takes no mail (RFC 7505): let its MX name your mail server"
        )
        return
    if not hosts:
        if not resolver.addresses(domain):
            said = f"{domain} has neither MX nor address, so no letter finds it; {_GUIDE}"
            yield Finding("MX", Level.WRONG, said)
        else:
            yield Finding("MX", Level.WARNING, f"{domain} has none, so its address is used: some senders refuse that")
        return
    yield from (_host(resolver, host) for host in hosts)


def _host(resolver: Dns, host: str) -> Finding:
    """The finding about the name of a mail server."""
    name = host.rstrip(".")
    if resolver.ask(host, "CNAME"):
        said = f"{name} is an alias (CNAME), which an MX must not name (RFC 2181 s 10.3): name the host itself"
        return Finding("MX", Level.WRONG, said)
    found = resolver.addresses(host)
    if not found:
        return Finding("MX", Level.WRONG, f"{name} has no address, so letters cannot reach it: add A or AAAA")
    if not any(ip_address(each).is_global for each in found):
        said = f"{name} is {found[0]}, which only its own network can reach: is it another address outside?"
        return Finding("MX", Level.WARNING, said)
    return Finding("MX", Level.OK, f"{name} is {', '.join(found)}")


def _spf(resolver: Dns, domain: str) -> Finding:
    found = [each for each in resolver.ask(domain, "TXT") or [] if each.lower().split(" ")[0] == "v=spf1"]
    if not found:
        return Finding(_SPF, Level.WRONG, f"{domain} has none, so many refuse our mails; {_GUIDE}")
    if len(found) > 1:
        return Finding(
            _SPF, Level.WRONG, f"{domain} has {len(found)} records, so none of them counts: make one of them"
        )
    terms = found[0].lower().split()[1:]
    if "+all" in terms or "all" in terms:
        return Finding(_SPF, Level.WRONG, f"{found[0]} lets anybody send in our name: end it in -all")
    if not any(each.endswith("all") or each.startswith("redirect=") for each in terms):
        return Finding(_SPF, Level.WARNING, f"{found[0]} does not say what of others is: end it in -all")
    return Finding(_SPF, Level.OK, found[0])


def _tags(record: str) -> dict[str, str]:
    """The tags of a record (RFC 6376 s 3.2)."""
    pairs = (each.partition("=") for each in record.split(";"))
    return {name.strip().lower(): "".join(value.split()) for name, _, value in pairs}


def _dkim(resolver: Dns, domain: str, selector: str) -> Finding:
    name = f"{selector}._domainkey.{domain}"
    keys = [_tags(each) for each in resolver.ask(name, "TXT") or []]
    found = [each for each in keys if each.get("v", "DKIM1") == "DKIM1" and "p" in each]
    if found and not found[0]["p"]:
        return Finding(_DKIM, Level.WRONG, f"{name} says that the key is no longer valid: publish the one that signs")
    if found:
        return Finding(_DKIM, Level.OK, f"there is a key at {name}")
    if resolver.ask(f"_domainkey.{domain}", "TXT") is None:  # then there is nothing below it, either (RFC 8020)
        return Finding(_DKIM, Level.WRONG, f"{domain} has no key, so nobody can check who signs our mails; {_GUIDE}")
    said = f"there is no key at {name}, but there are others: name yours with --selector (s= in DKIM-Signature)"
    return Finding(_DKIM, Level.WARNING, said)


def _dmarc(resolver: Dns, domain: str) -> Finding:
    labels = domain.split(".")
    for first in range(max(1, len(labels) - 1)):  # that of a domain above is valid for ours, too
        name = "_dmarc." + ".".join(labels[first:])
        found = [each for each in resolver.ask(name, "TXT") or [] if _tags(each).get("v") == "DMARC1"]
        if len(found) > 1:
            return Finding(
                _DMARC, Level.WRONG, f"{name} has {len(found)} records, so none of them counts: make one of them"
            )
        if found:
            return _policy(name, _tags(found[0]), is_own=first == 0)
    return Finding(
        _DMARC, Level.WARNING, f"{domain} has none: anybody can write in our name, and some refuse us; {_GUIDE}"
    )


def _policy(name: str, tags: dict[str, str], *, is_own: bool) -> Finding:
    policy = tags.get("p", "none") if is_own else tags.get("sp", tags.get("p", "none"))
    if policy == "none":
        said = f"{name} asks nobody to refuse what others write in our name: with p=reject it does"
        return Finding(_DMARC, Level.WARNING, said)
    return Finding(_DMARC, Level.OK, f"{name} says {policy}")


def _ptr(resolver: Dns, hosts: Sequence[str]) -> Iterator[Finding]:
    """Look if the addresses of our mail servers have names that lead back: many refuse mails from others."""
    for address in (each for host in hosts for each in resolver.addresses(host) if ip_address(each).is_global):
        names = resolver.names(address)
        if not names:
            said = f"{address} has none, so many refuse its mails: the provider of the address sets it"
            yield Finding("PTR", Level.WARNING, said)
        elif not any(address in resolver.addresses(name) for name in names):
            said = f"{address} is called {names[0].rstrip('.')}, which does not lead back to it: the two must agree"
            yield Finding("PTR", Level.WARNING, said)
        else:
            yield Finding("PTR", Level.OK, f"{address} is {names[0].rstrip('.')}")
