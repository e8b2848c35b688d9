"""The files and instructions for operators: files, commands, settings and limits exist and agree with each other."""

from __future__ import annotations

import configparser
import re
import shutil
import stat
import subprocess
import time
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import make_url

from pbem.bootstrap.loops import ROLES
from pbem.bootstrap.parts import usual_thinkers
from pbem.cli.main import main
from pbem.config import Settings, UnixListen
from pbem.storage.engine import make_engine
from pbem.workers.search_processes import SearchProcess, make_slots
from tests.cli.running import pbem, serving
from tests.reliability.behind_postfix import running_behind_postfix
from tests.support.commands_shown import command_exists, commands_in
from tests.support.mail import PATIENCE
from tests.support.postfix import ADDRESS, DOMAIN, HOSTNAME
from tests.support.tools import require_tool

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
GUIDE = (ROOT / "docs" / "operating.md").read_text()
FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file())
UNITS = sorted((DEPLOY / "systemd").glob("pbem*.*"))
A_DATABASE = b"SQLite format 3\0 with all that is in it"
RESTORE, RUNS = DEPLOY / "backup/pbem-restore", DEPLOY / "systemd/pbem"
SETTINGS = {name for name, _, _ in Settings().rows()} | {"PBEM_CONFIG"}


def blocks(kind: str) -> list[str]:
    return re.findall(rf"(?ms)^```{kind}\n(.*?)^```$", GUIDE)


def postfix_settings() -> dict[str, str]:
    """Every parameter of main.cf, continued lines joined."""
    text = re.sub(r"\n[ \t]+", " ", re.sub(r"(?m)^#.*\n", "", (DEPLOY / "postfix/main.cf").read_text()))
    return {name: value.strip() for name, value in re.findall(r"(?m)^(\w+) *=(.*)$", text)}


@pytest.mark.parametrize("file", [*FILES, ROOT / "docs/operating.md"], ids=lambda file: str(file.relative_to(ROOT)))
def test_settings_that_are_named_exist(file: Path) -> None:
    assert set(re.findall(r"\bPBEM_[A-Z_]+\b", file.read_text())) <= SETTINGS


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(DEPLOY)))
def test_files_fit_a_terminal_and_are_plain(file: Path) -> None:
    text = file.read_text()
    assert text.isascii()
    assert text.endswith("\n")
    assert not re.search(r"[ \t]$", text, re.MULTILINE)


def test_commands_that_are_named_exist() -> None:
    named = commands_in(GUIDE)
    for unit in UNITS:
        named += commands_in("\n".join(re.findall(r"(?m)^Exec\w+=(.*)$", unit.read_text())))
    assert ["serve"] in named
    assert ["db", "backup"] in named
    for words in named:
        assert command_exists(words), words
    assert ["admin", "robots", "list", "--shunted"] in named
    assert not command_exists(["db", "delete"])
    assert not command_exists(["db", "check", "--slow"])


def test_one_line_puts_names_of_ones_own_into_all_files(tmp_path: Path) -> None:
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    (line,) = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("sed -i ")]
    operator = guided_settings()["operator"]
    for name, own in ((HOSTNAME, "mail.club.test"), (DOMAIN, "games.club.test"), (operator, "you@club.test")):
        assert f"/{name}/g" in line
        line = line.replace(f"/{name}/g", f"/{own}/g")
    subprocess.run(["bash", "-euc", line], cwd=tmp_path, check=True, timeout=60)
    written = "".join((tmp_path / "deploy" / file.relative_to(DEPLOY)).read_text() for file in FILES)
    assert not [name for name in (HOSTNAME, DOMAIN, operator) if name in written]
    assert "postmaster@games.club.test   you@club.test" in written


def test_files_that_the_guide_names_exist() -> None:
    copied = re.findall(r"(?m)^cp deploy/\S+ (deploy/\S+)$", GUIDE)
    for pattern in {*re.findall(r"\bdeploy/[\w./*-]+", GUIDE)} - {*copied}:
        assert list(ROOT.glob(pattern.rstrip("/."))), pattern
    for name in re.findall(r"`(\w+\.(?:md|yaml|service|timer))`", GUIDE):
        assert list(ROOT.rglob(name)), name


def test_the_guide_is_linked_and_its_lines_are_short_outside_of_blocks() -> None:
    assert "docs/operating.md" in (ROOT / "README.md").read_text()
    prose = re.sub(r"(?ms)^```.*?^```$", "", GUIDE)
    assert max(map(len, prose.splitlines())) <= 120


def guided_settings() -> dict[str, str]:
    """The settings of the guide's third step, as they would be read from the file."""
    return {name: str(value) for name, value in tomllib.loads(blocks("toml")[0]).items()}


def test_the_settings_of_the_guide_are_read_and_fit_the_other_files(tmp_path: Path) -> None:
    for block in blocks("toml"):
        file = tmp_path / "pbem.toml"
        file.write_text(block)
        settings = Settings.read({"PBEM_CONFIG": str(file)})
        assert settings.sources
    given = guided_settings()
    transport = postfix_settings()["virtual_transport"]
    assert transport == f"pbem:{given['lmtp_listen']}"
    assert re.search(
        rf"(?m)^{given['relay_url'].removeprefix('smtp://')} +inet", (DEPLOY / "postfix/master.cf").read_text()
    )
    assert given["authserv_id"] == postfix_settings()["myhostname"] == HOSTNAME
    assert given["address"] == ADDRESS
    assert postfix_settings()["pbem_domain"] == DOMAIN


def test_the_limits_of_postfix_fit_ours() -> None:
    ours, postfix = Settings(), postfix_settings()
    assert int(postfix["message_size_limit"]) == ours.max_letter_bytes - 16 * 1024
    assert int(postfix["smtpd_recipient_limit"]) == ours.max_recipients
    assert int(postfix["pbem_destination_recipient_limit"]) >= int(postfix["smtpd_recipient_limit"])
    assert int(postfix["pbem_destination_concurrency_limit"]) < ours.max_connections_per_host


def test_nginx_lets_the_largest_letter_through() -> None:
    (size,) = re.findall(r"client_max_body_size (\d+)k;", GUIDE)
    assert int(size) * 1024 > Settings().max_letter_bytes, "/inbound takes letters"


def test_postfix_knows_the_parameters_that_are_set() -> None:
    known = set(
        subprocess.run(
            [require_tool("postconf"), "-dH"], capture_output=True, text=True, check=True, timeout=60
        ).stdout.split()
    )
    own = {name for name in postfix_settings() if name.startswith("pbem_")}
    assert set(postfix_settings()) - own <= known
    overridden = set(re.findall(r"-o (\w+)=", (DEPLOY / "postfix/master.cf").read_text()))
    assert overridden <= known


def unit(name: str) -> configparser.ConfigParser:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(DEPLOY / "systemd" / name)
    return parser


def test_the_unit_gives_the_server_what_its_settings_want() -> None:
    service = unit("pbem.service")["Service"]
    settings = Settings()
    assert int(service["TimeoutStopSec"].removesuffix("s")) > settings.drain_seconds + settings.idle_seconds
    server, thinker = 300, 300
    thinkers = make_slots(usual_thinkers(processors=64), lambda: SearchProcess(()))
    needed = server + settings.reader_memory_mib + thinker * len(thinkers)
    assert needed < int(service["MemoryMax"].removesuffix("M")) < needed + 2 * thinker
    socket = Settings.read({"PBEM_LMTP_LISTEN": guided_settings()["lmtp_listen"]}).lmtp_listen
    assert isinstance(socket, UnixListen)
    assert Path(socket.path).parent == Path("/run") / service["RuntimeDirectory"]
    assert service["RuntimeDirectoryMode"] == "0750"
    assert guided_settings()["database_url"].startswith(f"sqlite:////var/lib/{service['StateDirectory']}/")


@pytest.mark.parametrize("name", ["pbem.service", "pbem@.service"])
def test_the_units_are_locked_up(name: str) -> None:
    service = unit(name)["Service"]
    assert service["User"] == "pbem"
    assert service["NoNewPrivileges"] == "yes"
    assert service["ProtectSystem"] == "strict"
    assert service["CapabilityBoundingSet"] == ""
    assert "MemoryMax" in service


def test_one_of_several_processes_is_what_the_only_one_is_but_for_what_it_does() -> None:
    one, several = unit("pbem.service")["Service"], unit("pbem@.service")["Service"]
    assert several["ExecStart"] == f"{one['ExecStart']} --only %i"
    assert several["RuntimeDirectoryPreserve"] == "yes", "the others' sockets stay when one of them ends"
    own = {"execstart", "environmentfile", "runtimedirectorypreserve"}
    assert {name: value for name, value in several.items() if name.lower() not in own} == {
        name: value for name, value in one.items() if name.lower() not in own
    }


def test_units_that_reach_only_this_machine_are_named_where_the_database_is_elsewhere() -> None:
    restricted = {path.name for path in UNITS if "IPAddress" in path.read_text()}
    (told,) = re.findall(r"remove the lines with `IPAddress` from ([^.]*(?:\.service[^.]*)+)\.", GUIDE)
    assert set(re.findall(r"`([\w@-]+\.service)`", told)) == restricted


def test_the_units_may_write_where_the_guide_has_backups_made() -> None:
    for name in ("pbem.service", "pbem@.service"):
        assert unit(name)["Service"]["ReadWritePaths"] == f"-{guided_settings()['backup_folder']}"


def test_databases_of_the_guide_are_reached_and_no_password_stands_in_a_command() -> None:
    urls = re.findall(r"postgresql\+psycopg://[^\s'\"`]+", GUIDE)
    assert len(urls) > 3
    for url in urls:
        assert make_url(url).password is None
        make_engine(url).dispose()
    ini = configparser.ConfigParser(interpolation=None)
    ini.read(DEPLOY / "pgbouncer" / "pgbouncer.ini")
    pooler = "@{listen_addr}:{listen_port}/".format(**ini["pgbouncer"])
    assert [make_url(url).database for url in urls if pooler in url] == list(ini["databases"])
    local = [make_url(url) for url in urls if ".example.org" not in url and pooler not in url]
    assert {(url.host, url.query["host"]) for url in local} == {(None, "/var/run/postgresql")}


def test_a_password_to_the_database_stands_in_one_file() -> None:
    services = [unit(path.name)["Service"].get("Environment") for path in UNITS if path.suffix == ".service"]
    (written,) = re.findall(r"(?m)^install -m 600 -o pbem -g pbem /dev/null (\S+)$", GUIDE)
    assert set(services) == {f"PGPASSFILE={written}"}, "the last of the lines that are called so"
    assert f" PGPASSFILE={written} " in RUNS.read_text()
    asked = CliRunner().invoke(main, ["db", "copy", "--help"])
    assert "PGPASSFILE" in asked.output


def test_processes_that_are_named_have_roles() -> None:
    guided = "".join(line for line in GUIDE.splitlines() if line.startswith("systemctl enable"))
    said = guided + (DEPLOY / "systemd/pbem@.service").read_text().partition("[Unit]")[0]
    named = re.findall(r"\bpbem@([a-z][a-z:0-9-]*)", said)
    assert len(named) > 5
    done = {role for name in named for role in re.split("[,-]", name.partition(":")[0])}
    assert done | {"smtp", "lmtp", "mailbox"} == set(ROLES), "somebody does each kind of work"


def test_systemd_understands_the_units(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze") or pytest.skip("systemd-analyze is not here")
    for file in UNITS:
        text = re.sub(r"(?m)^ExecStart=\S+", "ExecStart=/bin/true", file.read_text())
        (tmp_path / file.name).write_text(text)
    done = subprocess.run(
        [analyze, "verify", "--man=no", *(str(tmp_path / file.name) for file in UNITS)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, [line for line in done.stderr.splitlines() if str(tmp_path) in line]) == (
        0,
        "",
        [],
    )


def restored(*words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Restore a backup."""
    return subprocess.run(
        [RESTORE, *words],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("path", [RESTORE, RUNS], ids=lambda path: path.name)
def test_scripts_can_be_run(path: Path) -> None:
    assert path.stat().st_mode & stat.S_IXUSR
    assert subprocess.run(["sh", "-n", path], check=False).returncode == 0


def test_a_backup_is_made_kept_and_restored(tmp_path: Path) -> None:
    (kept := tmp_path / "kept").mkdir()
    with serving(tmp_path, backup_folder=str(kept)):
        until = time.monotonic() + 10 * PATIENCE  # the process that makes it gives way to everything else
        while not (made := list(kept.glob("pbem-*Z.db"))):
            assert time.monotonic() < until, "the server makes no backup"
            time.sleep(0.05)
        (backup,) = made
        busy = restored(backup, tmp_path / "pbem.db", folder=tmp_path)
        assert (busy.returncode, "a server is running" in busy.stderr) == (1, True)
    (tmp_path / "pbem.db").write_bytes(b"broken")
    (tmp_path / "pbem.db-wal").write_bytes(b"of the broken one")
    (tmp_path / "pbem.db.key").write_text("another key of sixteen letters\n")
    done = restored(backup, tmp_path / "pbem.db", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "set another one before the start, without the key of before" in done.stdout
    assert (tmp_path / "pbem.db.before").read_bytes() == b"broken"
    assert (tmp_path / "pbem.db.key.before").read_text() == "another key of sixteen letters\n"
    new_key = (tmp_path / "pbem.db.key").read_text()
    assert new_key not in backup.with_name(backup.name + ".key").read_text()
    assert len(new_key) == 64
    assert stat.S_IMODE((tmp_path / "pbem.db").stat().st_mode) == 0o600
    assert pbem(tmp_path, "db", "check").returncode == 0
    with serving(tmp_path) as server:
        assert server.address_of("smtp")


def test_a_server_that_moves_takes_its_key_with_it(tmp_path: Path) -> None:
    (backup := tmp_path / "kept.db").write_bytes(A_DATABASE)
    moved = restored("--same-key", backup, tmp_path / "pbem.db", folder=tmp_path)
    assert (moved.returncode, "no key beside the backup" in moved.stderr) == (0, True)
    (tmp_path / "kept.db.key").write_text("a key of sixteen letters\n")
    moved = restored("--same-key", backup, tmp_path / "pbem.db", folder=tmp_path)
    assert (moved.returncode, moved.stderr, "key" in moved.stdout) == (0, "", False)
    assert (tmp_path / "pbem.db").read_bytes() == A_DATABASE
    assert (tmp_path / "pbem.db.key").read_text() == "a key of sixteen letters\n"
    assert stat.S_IMODE((tmp_path / "pbem.db.key").stat().st_mode) == 0o600


def test_restoring_once_more_takes_nothing_away(tmp_path: Path) -> None:
    (backup := tmp_path / "kept.db").write_bytes(A_DATABASE)
    for number in range(3):
        (tmp_path / "pbem.db").write_text(f"database {number}")
        (tmp_path / "pbem.db.key").write_text(f"key {number}")
        assert restored(backup, tmp_path / "pbem.db", folder=tmp_path).returncode == 0
    for number, end in enumerate((".before", ".before-2", ".before-3")):
        assert (tmp_path / f"pbem.db{end}").read_text() == f"database {number}"
        assert (tmp_path / f"pbem.db.key{end}").read_text() == f"key {number}"


def test_what_is_no_backup_is_not_put_in_the_place_of_anything(tmp_path: Path) -> None:
    (tmp_path / "pbem.db").write_text("the database")
    (tmp_path / "kept.db.key").write_text("a key of sixteen letters\n")
    for words in ((tmp_path / "kept.db.key", tmp_path / "pbem.db"), (tmp_path / "kept.db", tmp_path / "pbem.db"), ()):
        done = restored(*words, folder=tmp_path)
        assert (done.returncode in (1, 2), "parameter not set" in done.stderr) == (True, False)
        assert done.stderr.startswith("pbem-restore: " if words else "usage: ")
    assert (tmp_path / "pbem.db").read_text() == "the database"
    assert not (tmp_path / "pbem.db.before").exists()


def test_a_backup_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = restored(tmp_path / "none", tmp_path / "pbem.db", folder=tmp_path)
    assert (done.returncode, "there is no backup" in done.stderr) == (1, True)


def test_the_first_signup_goes_as_the_guide_tells(tmp_path: Path) -> None:
    require_tool("swaks")
    (command,) = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("swaks ")]
    with running_behind_postfix(tmp_path) as behind:
        command = command.replace(HOSTNAME, f"127.0.0.1:{behind.postfix.port}")
        done = subprocess.run(
            ["bash", "-euc", f"{command} --helo test"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        (promised,) = re.findall(r"`(250 2\.0\.0 Ok: queued)`", GUIDE)
        assert promised in done.stdout
        you = behind.person("you")
        you.address = "you@example.net"
        subjects = re.findall(r"\*((?:Please confirm|Welcome)[^*]+)\*", " ".join(GUIDE.split()))
        question = you.hears()
        you.answers(question, "yes")
        assert [question.subject, you.hears().subject] == subjects
        assert any(re.search("letter accepted", line) for line in behind.server.lines)
