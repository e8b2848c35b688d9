"""``pbem doctor``, as an operator runs it: with a mail server, a resolver and a database of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import pbem
from tests.support.databases import KEY
from tests.support.dns_server import dns_server
from tests.support.mail import Postbox
from tests.support.pgbouncer import PgBouncer
from tests.support.postgresql import Cluster

ADDRESS = "pbem@example.org"
ZONE = """
example.org. IN MX 10 mx.example.org.
example.org. IN TXT "v=spf1 mx -all"
mx.example.org. IN A 198.41.0.4
club._domainkey.example.org. IN TXT "v=DKIM1; p=MIIB"
_dmarc.example.org. IN TXT "v=DMARC1; p=reject"
4.0.41.198.in-addr.arpa. IN PTR mx.example.org.
"""


@pytest.mark.parametrize("is_selector_named", [True, False])
def test_one_list_says_what_is_well_and_what_is_not(
    tmp_path: Path, database_url: str, *, is_selector_named: bool
) -> None:
    given = {"database_url": database_url, "secret_key": KEY, "web_listen": "off", "operator": "admin@example.org"}
    words = ["--selector", "club"] if is_selector_named else []
    with Postbox() as relay, dns_server(ZONE) as dns:
        given |= {"address": ADDRESS, "relay_url": f"smtp://127.0.0.1:{relay.port}"}
        done = pbem(tmp_path, "doctor", "--resolver", dns.address, *words, **given)
        assert not relay.mails
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    unwell = [line.partition(" (")[0] for line in lines if not line.startswith("ok ")]
    backup, *dkim = (line for line in unwell if not line.startswith("warning  clock: not compared"))
    assert backup == "warning  backup: none that pbem knows of, so nobody notices if they fail: set PBEM_BACKUP_FOLDER"
    said = "there is no key at pbem._domainkey.example.org, but there are others: name yours with --selector"
    assert dkim == ([] if is_selector_named else [f"warning  DKIM: {said}"])
    assert "ok       settings" in lines
    assert "ok       database, schema" in lines
    assert f"ok       relay: it takes mails from {ADDRESS}" in lines
    assert "ok       MX: mx.example.org is 198.41.0.4" in lines
    assert "ok       PTR: 198.41.0.4 is mx.example.org" in lines


def test_what_is_wrong_changes_the_exit_code_and_warnings_do_not(tmp_path: Path) -> None:
    done = pbem(tmp_path, "doctor")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("warning  address: nobody outside of this machine can write to pbem@localhost")
    assert not list(tmp_path.iterdir())
    done = pbem(tmp_path, "doctor", "--json", smtp_listen="off")
    assert (done.returncode, done.stderr) == (1, "")
    told = json.loads(done.stdout)
    assert {"check": "letters", "level": "wrong"}.items() <= told[2].items()
    assert {each["level"] for each in told} == {"ok", "warning", "wrong"}


def test_settings_that_cannot_be_used_are_told_each_on_a_line(tmp_path: Path) -> None:
    done = pbem(tmp_path, "doctor", smtp_listen="nowhere", nag_days="none", database_url="postgresql+psycopg://a@b/c")
    assert (done.returncode, done.stderr) == (1, "")
    assert [line.partition(" (")[0] for line in sorted(done.stdout.splitlines())] == [
        "wrong    settings: PBEM_NAG_DAYS: must be a whole number from 1 to 366",
        "wrong    settings: PBEM_SECRET_KEY: must be set when the database is not SQLite, the same for all processes",
        "wrong    settings: PBEM_SMTP_LISTEN: must be host:port, such as 127.0.0.1:8025, or off",
    ]


@pytest.mark.parametrize("resolver", ["nobody", "off", "dns.example.org:53", "127.0.0.1:99999"])
def test_a_resolver_is_an_address(tmp_path: Path, resolver: str) -> None:
    done = pbem(tmp_path, "doctor", "--resolver", resolver)
    assert done.returncode == 2
    assert f"'{resolver}' is not an address like 9.9.9.9 or 127.0.0.1:5353." in done.stderr


def test_a_machine_without_resolver_is_told_of_and_nothing_else_is_left_out(tmp_path: Path) -> None:
    with dns_server(ZONE) as dns:
        dns.fails = True
        done = pbem(tmp_path, "doctor", "--resolver", dns.address, address=ADDRESS, web_listen="off")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith("warning  DNS: not looked up any further: All nameservers failed")
    assert "warning  relay: " in done.stdout


def test_the_ways_around_a_pooler_and_to_a_replica_are_tried(
    tmp_path: Path, pgbouncer: PgBouncer, clusters: tuple[Cluster, Cluster]
) -> None:
    given = {"database_url": pgbouncer.url, "secret_key": KEY, "web_listen": "off"}

    def told(**more: str) -> list[str]:
        with dns_server(ZONE) as dns:
            lines = pbem(tmp_path, "doctor", "--resolver", dns.address, **given, **more).stdout.splitlines()
        return [line for line in lines if "database, listening" in line or "database, replica" in line]

    shared = "must lead around the pooler, which gives one session to several connections"
    assert told() == [f"wrong    database, listening: PBEM_DATABASE_LISTEN_URL: {shared}"]
    given["database_listen_url"] = pgbouncer.database
    assert told() == ["ok       database, listening"]
    without = "meanwhile all pages come from the database itself"
    assert told(database_read_url=clusters[1].server.url("postgres"))[1] == (
        f"warning  database, replica: it is no replica of the database; {without}"
    )
    first, second = (cluster.server.url("postgres") for cluster in clusters)
    given |= {"database_url": first, "database_listen_url": first}
    assert told(database_read_url=second) == ["ok       database, listening", f"ok       database, replica: {second}"]
