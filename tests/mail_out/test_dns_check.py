"""A look at the DNS: a real server on this machine, which was told records."""

from __future__ import annotations

import pytest

from pbem.config import Listen
from pbem.mail_out import dns_check
from pbem.mail_out.dns_check import check_dns
from tests.support.dns_server import DnsServer, dns_server
from tests.support.ports import free_port

DOMAIN = "pbem.example.org"
ADDRESS = "198.41.0.4"
RECORDS = {
    "MX": f"{DOMAIN}. IN MX 10 mx.example.org.",
    "A": f"mx.example.org. IN A {ADDRESS}",
    "PTR": "4.0.41.198.in-addr.arpa. IN PTR mx.example.org.",
    "SPF": f'{DOMAIN}. IN TXT "v=spf1 a:mx.example.org" " -all"',
    "other": f'{DOMAIN}. IN TXT "some-site-verification=1"',
    "DKIM": f'pbem._domainkey.{DOMAIN}. IN TXT "v=DKIM1; k=rsa; p=MIIB"',
    "DMARC": f'_dmarc.{DOMAIN}. IN TXT "v=DMARC1; p=reject; adkim=s"',
}
WELL = {
    "MX": ("ok", f"mx.example.org is {ADDRESS}"),
    "SPF": ("ok", "v=spf1 a:mx.example.org -all"),
    "DKIM": ("ok", f"there is a key at pbem._domainkey.{DOMAIN}"),
    "DMARC": ("ok", f"_dmarc.{DOMAIN} says reject"),
    "PTR": ("ok", f"{ADDRESS} is mx.example.org"),
}


def told(
    server: DnsServer, *, domain: str = DOMAIN, selector: str = "pbem", leaves_from_here: bool = True
) -> dict[str, tuple[str, str]]:
    host, _, port = server.address.partition(":")
    findings = list(check_dns(domain, Listen(host, int(port)), selector, leaves_from_here=leaves_from_here))
    found = {each.what: (each.level.value, each.said) for each in findings}
    assert len(found) == len(findings)
    return found


def looked_up(changed: dict[str, str], **more: bool | str) -> dict[str, tuple[str, str]]:
    """The findings with other records, as far as they are not well."""
    records = RECORDS | changed
    with dns_server("\n".join(records.values())) as server:
        found = told(server, **more)  # type: ignore[arg-type]
    return {what: each for what, each in found.items() if each != WELL.get(what)}


def test_a_domain_as_the_guide_sets_it_up_is_well() -> None:
    with dns_server("\n".join(RECORDS.values())) as server:
        assert told(server) == WELL
        assert "PTR" not in told(server, leaves_from_here=False)


@pytest.mark.parametrize(
    ("changed", "what", "level", "said"),
    [
        ({"MX": ""}, "MX", "wrong", "has neither MX nor address"),
        ({"MX": f"{DOMAIN}. IN A {ADDRESS}"}, "MX", "warning", "has none, so its address is used"),
        ({"MX": f"{DOMAIN}. IN MX 0 ."}, "MX", "wrong", "takes no mail (RFC 7505)"),
        ({"A": "mx.example.org. IN TXT x"}, "MX", "wrong", "mx.example.org has no address"),
        ({"A": "mx.example.org. IN CNAME example.org."}, "MX", "wrong", "is an alias (CNAME)"),
        ({"A": "mx.example.org. IN A 10.0.0.1"}, "MX", "warning", "which only its own network can reach"),
        ({"SPF": ""}, "SPF", "wrong", f"{DOMAIN} has none"),
        ({"SPF2": f'{DOMAIN}. IN TXT "v=spf1 -all"'}, "SPF", "wrong", "has 2 records, so none of them counts"),
        ({"SPF": f'{DOMAIN}. IN TXT "v=spf1 mx +all"'}, "SPF", "wrong", "lets anybody send in our name"),
        ({"SPF": f'{DOMAIN}. IN TXT "v=spf1 mx"'}, "SPF", "warning", "end it in -all"),
        ({"DKIM": ""}, "DKIM", "wrong", f"{DOMAIN} has no key"),
        ({"DKIM": f'other._domainkey.{DOMAIN}. IN TXT "p=MIIB"'}, "DKIM", "warning", "name yours with --selector"),
        ({"DKIM": f'pbem._domainkey.{DOMAIN}. IN TXT "v=DKIM1; p="'}, "DKIM", "wrong", "the key is no longer valid"),
        ({"DMARC": ""}, "DMARC", "warning", f"{DOMAIN} has none"),
        ({"DMARC": f'_dmarc.{DOMAIN}. IN TXT "v=DMARC1; p=none"'}, "DMARC", "warning", "with p=reject it does"),
        ({"DMARC": '_dmarc.example.org. IN TXT "v=DMARC1;p=reject;sp=none"'}, "DMARC", "warning", "asks nobody"),
        ({"DMARC2": f'_dmarc.{DOMAIN}. IN TXT "v=DMARC1; p=none"'}, "DMARC", "wrong", "has 2 records"),
        ({"PTR": ""}, "PTR", "warning", f"{ADDRESS} has none"),
        ({"PTR": "4.0.41.198.in-addr.arpa. IN PTR a.example.org."}, "PTR", "warning", "does not lead back to it"),
    ],
)
def test_a_fault_is_told_with_what_helps_and_hides_no_other(
    changed: dict[str, str], what: str, level: str, said: str
) -> None:
    found = looked_up(changed)
    assert found[what][0] == level
    assert said in found[what][1]
    assert set(found) == {what}


def test_the_policy_of_the_domain_above_is_valid_for_ours() -> None:
    found = looked_up({"DMARC": '_dmarc.example.org. IN TXT "v=DMARC1; p=quarantine"'})
    assert found == {"DMARC": ("ok", "_dmarc.example.org says quarantine")}


def test_the_selector_of_another_signer_can_be_named() -> None:
    found = looked_up({"DKIM": f'other._domainkey.{DOMAIN}. IN TXT "p=MIIB"'}, selector="other")
    assert found == {"DKIM": ("ok", f"there is a key at other._domainkey.{DOMAIN}")}


def test_a_domain_that_nobody_knows_is_told() -> None:
    with dns_server("\n".join(RECORDS.values())) as server:
        found = told(server, domain="pbem.example.com")
    assert found["MX"][0] == "wrong"
    assert found["MX"][1].startswith("the DNS does not know pbem.example.com")


def test_a_resolver_that_fails_is_told_once_and_asked_no_more() -> None:
    with dns_server("\n".join(RECORDS.values())) as server:
        server.fails = True
        ((what, (level, said)),) = told(server).items()
        assert {each.split()[0] for each in server.asked} == {f"{DOMAIN}."}
    assert (what, level) == ("DNS", "warning")
    assert "SERVFAIL" in said


def test_without_an_answer_the_rest_is_not_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dns_check, "_SECONDS", 0.2)
    ((what, level, said),) = check_dns(DOMAIN, Listen("127.0.0.1", free_port()), "pbem", leaves_from_here=True)
    assert (what, level) == ("DNS", "warning")
    assert "the resolver does not answer; name another one with --resolver" in said


@pytest.mark.parametrize("domain", ["localhost", "club.localhost"])
def test_a_server_for_this_machine_alone_needs_no_dns(domain: str) -> None:
    ((_, level, said),) = check_dns(domain, None, "pbem", leaves_from_here=True)
    assert (level, said) == ("ok", f"nothing to look up: {domain} is this machine alone")


def test_a_name_that_cannot_be_one_is_told() -> None:
    with dns_server("") as server:
        ((_, (level, said)),) = told(server, domain="pbem..example.org").items()
    assert level == "warning"
    assert "is PBEM_ADDRESS right?" in said
