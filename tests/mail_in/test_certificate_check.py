"""A look at the certificate of the SMTP door."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from pbem.domain.administration import Level
from pbem.mail_in.certificate_check import check_certificate


def files(folder: Path, lasts: timedelta | None = None) -> tuple[str, str]:
    """A certificate that lasts so long from now on, with its chain and its key."""
    until = None if lasts is None else datetime.now(UTC) + lasts
    issued = trustme.CA().issue_cert("localhost", not_after=until)
    for blob in issued.cert_chain_pems:
        blob.write_to_path(str(folder / "chain.pem"), append=True)
    issued.private_key_pem.write_to_path(str(folder / "key.pem"))
    return str(folder / "chain.pem"), str(folder / "key.pem")


@pytest.mark.parametrize(
    ("lasts", "level", "said"),
    [
        (timedelta(days=40), Level.OK, "valid until "),
        (timedelta(days=3), Level.WARNING, "chain.pem expires on "),
        (timedelta(days=-1), Level.WRONG, "chain.pem: certificate has expired; renew it"),
    ],
    ids=["fresh", "old", "expired"],
)
def test_the_end_of_a_certificate_is_told(tmp_path: Path, lasts: timedelta, level: Level, said: str) -> None:
    found = check_certificate(*files(tmp_path, lasts))
    assert found is not None
    assert found.level == level
    assert said in found.said
    if level is not Level.WRONG:
        assert f"{datetime.now(UTC) + lasts:%Y-%m-%d}" in found.said


def test_the_key_of_another_one_is_told(tmp_path: Path) -> None:
    certificate, key = files(tmp_path)
    trustme.CA().issue_cert("localhost").private_key_pem.write_to_path(key)
    found = check_certificate(certificate, key)
    assert found is not None
    assert found.level is Level.WRONG
    assert "cannot be used together: KEY_VALUES_MISMATCH" in found.said


def test_a_door_without_certificate_has_none_to_look_at() -> None:
    assert check_certificate(None, None) is None
