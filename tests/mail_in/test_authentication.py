"""Authentication-Results: our own MTA is believed, nobody else."""

from __future__ import annotations

from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail_in.authentication import is_authenticated

MTA = "mx.example.org"
ALICE = "alice@Example.org"
PASSED = f"{MTA}; dmarc=pass header.from=example.org"
FAILED = f"{MTA}; dmarc=fail header.from=example.org"
RSPAMD = (
    f"{MTA}; dkim=pass header.d=example.org header.s=2026 header.b=Ab/c+d=;"
    f" spf=pass ({MTA}: domain of alice@example.org designates 192.0.2.1 as permitted sender)"
    " smtp.mailfrom=alice@example.org; dmarc=pass (policy=none) header.from=example.org"
)
OPENDMARC = f"{MTA}; dmarc=pass (p=none dis=none) header.from=EXAMPLE.ORG"


@pytest.mark.parametrize(
    "header",
    [
        PASSED,
        RSPAMD,
        OPENDMARC,
        f"MX.Example.ORG 1; arc=none; {OPENDMARC.partition('; ')[2]}",
        f"{MTA} (our own) ;  dmarc = pass  header.from = example.org",
    ],
)
def test_our_own_mta_is_believed_in_all_its_ways_to_write(header: str) -> None:
    assert is_authenticated([header], MTA, ALICE)
    assert is_authenticated([header, FAILED, PASSED], MTA, ALICE)
    assert is_authenticated(["other.example.net; dmarc=fail header.from=example.org", header], MTA, ALICE)
    assert not is_authenticated([header], None, ALICE)
    assert not is_authenticated([header], MTA, None)
    assert not is_authenticated([header], "mx.example.net", ALICE)
    assert not is_authenticated([header], MTA, "alice@example.net")
    assert not is_authenticated([header], MTA, "alice@mail.example.org")


@pytest.mark.parametrize(
    "header",
    [
        FAILED,
        f"{MTA}; none",
        f"{MTA}; spf=pass smtp.mailfrom=alice@example.org; dkim=pass header.d=example.org",
        f"{MTA}; dmarc=pass",
        f"{MTA}; dmarc=pass (header.from=example.org)",
        f"{MTA}; dmarc=pass header.d=example.org",
        f"{MTA}; dmarc=pass smtp.from=example.org",
        f"{MTA}; dmarc=pass header.from=example.net",
        f"{MTA}; dmarc=pass header.from=example.org.evil.example",
        f"{MTA}; dmarc=pass header.from=alice@example.org",
        f"{MTA}; dmarc=pass header.from=evil.example (header.from=example.org)",
        f"{MTA}; dmarc=pass header.from=example.org header.from=evil.example",
        f"{MTA}; dmarc=passed header.from=example.org",
        f"{MTA}; dmarc=none (dmarc=pass header.from=example.org)",
        f'{MTA}; spf=pass reason="; dmarc=pass header.from=example.org"; dmarc=fail header.from=example.org',
        f"{MTA}; dmarc=fail header.from=example.org; dmarc=pass header.from=example.org",
        f"{MTA}; dmarc=pass header.from=example.org; dmarc=pass header.from=example.org",
        f"{MTA} 2; dmarc=pass header.from=example.org",
        f"{MTA}; dmarc=pass header.from=example.org; (",
        f"{MTA}; x-dmarc=pass header.from=example.org",
        f"{MTA} ; dmarc/2=pass",
        f"{PASSED}{' ' * 2000}",
    ],
)
def test_whatever_else_it_says_is_no_evidence_and_nobody_below_is_asked(header: str) -> None:
    assert not is_authenticated([header, PASSED], MTA, ALICE)


@pytest.mark.parametrize(
    "name",
    [
        "mx.example.orgs",
        "mx.example.org.evil.example",
        "mmx.example.org",
        "mx.example",
        "x",
        "mx-example.org",
        "(mx.example.org)",
    ],
)
def test_a_name_that_is_merely_like_ours_is_not_ours(name: str) -> None:
    forged = PASSED.replace(MTA, name)
    assert not is_authenticated([forged], MTA, ALICE)
    assert not is_authenticated([forged, FAILED, PASSED], MTA, ALICE)
    assert is_authenticated([forged, PASSED], MTA, ALICE)


FROM = "dmarc=pass header.from=example.org"


@pytest.mark.parametrize(
    "header",
    [
        f'"{MTA}"; {FROM}',
        f'"mx.\\example.org"; {FROM}',
        f"{MTA} 1; {FROM}",
        f"{MTA} (a) 1 (b); {FROM}",
        f"(a (nested \\) remark)) {MTA}; {FROM}",
        f"{MTA}; dmarc/1=pass header.from=example.org",
        f"{MTA}; dmarc / 1 (v) = (r) pass (p) header (h) . (d) from (f) = (e) example.org (end)",
        f"{MTA};{FROM}",
        f"{MTA}; {FROM};",
        f"{MTA};\r\n\tdmarc=pass\r\n\theader.from=example.org",
        f'{MTA}; dmarc=pass reason="all; is (well" header.from=example.org',
        f"{MTA}; dmarc=pass reason=fine header.from=example.org policy.dmarc=none",
        f"{MTA}; {FROM.replace('example.org', chr(34) + 'example.org' + chr(34))}",
        f'{MTA}; spf=pass smtp.mailfrom="a b; dmarc=fail"@example.org; {FROM}',
        f"{MTA}; spf=pass smtp.mailfrom=@example.org; iprev=pass policy.iprev=2001:db8::1; {FROM}",
        f"{MTA}; dkim=pass header.i=@example.org header.b=a/b+c==; arc=none; {FROM}",
        f"{MTA}; DMARC=Pass Header.From=Example.Org",
        f"{MTA}; x-none=none; dkim=none; {FROM}",
        f"{MTA}; spf=pass smtp.mailfrom=\u00e4@example.org; {FROM}",
    ],
)
def test_whatever_the_grammar_allows_is_read(header: str) -> None:
    assert is_authenticated([header], MTA, ALICE)


@pytest.mark.parametrize(
    "header",
    [
        f"{MTA} {FROM}",
        f"{MTA}, {FROM}",
        f"{MTA}; {FROM} spf=pass",
        f"{MTA}; none; {FROM}",
        f"{MTA}; {FROM}; none",
        f"{MTA} x; {FROM}",
        f"{MTA}1; {FROM}",
        f"{MTA}; ; {FROM}",
        f"{MTA}; dmarc=pass header.from=",
        f"{MTA}; dmarc=pass header=example.org",
        f"{MTA}; dmarc=pass .from=example.org",
        f"{MTA}; dmarc= header.from=example.org",
        f"{MTA}; =pass header.from=example.org",
        f"{MTA}; dmarc=pass header.from=example.org <x>",
        f'{MTA}; dmarc=pass reason="x"header.from=example.org',
        f'{MTA}; dmarc=pass header.from="example.org',
        f"{MTA}; dmarc=pass (header.from=example.org",
        f"{MTA}; dmarc=pass ) header.from=example.org",
        f"{MTA}; dmarc/x=pass header.from=example.org",
        f"{MTA}; dmarc/2=pass header.from=example.org",
        f"{MTA} 99999999999999999999; {FROM}",
        f"{MTA}; dmarc=pass header.from=example.org\\",
        f"{MTA}; dmarc=pass header.from=example.org,evil.example",
        f"{MTA}; dmarc=pass header.from=alice@example.org",
        f"{MTA}; {'(' * 1000}",
        f"{MTA}; {'(' * 900}{')' * 900} x",
        MTA,
        f"{MTA};",
    ],
)
def test_what_the_grammar_has_not_is_no_evidence(header: str) -> None:
    assert not is_authenticated([header], MTA, ALICE)


def test_no_header_takes_long_to_read() -> None:
    before = perf_counter()
    for piece in ("(", ")", "()", '"', "\\", ";", "; a=b", "a", " ", "=", ".", "(\\", '"\\', "@", "a=b c.d=e "):
        for start in ("", f"{MTA};", f"{MTA}; dmarc=pass reason="):
            assert not is_authenticated([(start + piece * 2000)[:1999]], MTA, ALICE)
    assert perf_counter() - before < 2


@given(
    st.lists(
        st.text(max_size=80) | st.text('();=." dmarcpshe', max_size=40).map(lambda text: f"{MTA};{text}"), max_size=3
    )
)
def test_any_headers_are_read_without_complaint(headers: list[str]) -> None:
    assert not is_authenticated(headers, MTA, ALICE)
