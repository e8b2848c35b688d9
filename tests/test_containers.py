"""The files of `deploy/docker`: Compose and hadolint find nothing wrong, and they agree with all other files."""

from __future__ import annotations

import re
import subprocess
import tomllib
from functools import cache
from ipaddress import IPv4Address, ip_address, ip_network
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from pbem.bootstrap.loops import ROLES
from pbem.config import Settings
from tests.support.containers import FOLDER, ROOT, Image, compose, dockerfile_linter, seconds_to_end, settings_given
from tests.support.mail import PATIENCE

PROFILES = {
    "sqlite": {"pbem", "mail"},
    "mailbox": {"mailbox"},
    "postgresql": {"web", "worker", "delivery", "clock", "bots", "mail", "postgresql"},
}
OURS = [(profile, name) for profile, names in PROFILES.items() for name in sorted(names - {"mail", "postgresql"})]
IMAGE = Image("Dockerfile")
each_of_ours = pytest.mark.parametrize(("profile", "name"), OURS)


@cache
def project(profile: str) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        return compose(profile, Path(folder))


def service(profile: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = project(profile)["services"][name]
    return found


def settings(profile: str, name: str) -> Settings:
    """The settings of a container, those of its image among them."""
    environ = IMAGE.environ | service(profile, name)["environment"]
    return Settings.read({key: value for key, value in environ.items() if key.startswith("PBEM_")})


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*Dockerfile")), ids=lambda file: file.name)
def test_hadolint_finds_nothing(file: Path) -> None:
    done = subprocess.run([dockerfile_linter(), file], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("profile", PROFILES)
def test_a_profile_has_its_services_and_no_others(profile: str) -> None:
    assert project(profile)["services"].keys() == PROFILES[profile]
    assert f"#   {profile} " in (FOLDER / "compose.yaml").read_text()
    assert re.findall("(?m)^COMPOSE_PROFILES=(.*)$", settings_given(profile)) == [profile]


@each_of_ours
def test_settings_are_read_and_what_an_operator_gives_is_used(profile: str, name: str) -> None:
    read = settings(profile, name)
    assert read.address == "pbem@pbem.example.org"
    assert read.smtp_listen is None
    assert (read.lmtp_listen is None) == (profile == "mailbox")
    assert (read.mailbox_url is None) == (profile != "mailbox")
    assert (read.secret_key is None) == (profile != "postgresql")
    assert read.database_url.startswith(
        {"postgresql": "postgresql+psycopg://"}.get(profile, "sqlite:////var/lib/pbem/")
    )
    assert read.relay_url.startswith("smtps://pbem" if profile == "mailbox" else "smtp://mail:10025")


def test_everything_in_the_pattern_is_a_setting_or_used_by_compose() -> None:
    text = (FOLDER / "example.env").read_text()
    named = set(re.findall("(?m)^#?([A-Z_]+)=", text)) - {"COMPOSE_PROFILES"}
    used = set(re.findall(r"\$\{([A-Z_]+)-\}", (FOLDER / "compose.yaml").read_text()))
    assert {each for each in named if not each.startswith("PBEM_")} == used
    assert named - used <= {each for each, _, _ in Settings().rows()}


def test_two_containers_answer_letters_and_somebody_does_each_kind_of_work() -> None:
    commands = {name: service("postgresql", name).get("command") for name in PROFILES["postgresql"]}
    roles = [role for words in commands.values() if words for role in words[-1].split(",")]
    assert all(words[:2] == ["serve", "--only"] for words in commands.values() if words)
    assert sorted(roles) == sorted({*ROLES} - {"smtp", "mailbox"})
    assert service("postgresql", "worker")["deploy"]["replicas"] == 2
    assert settings("postgresql", "delivery").secret_key == settings("postgresql", "web").secret_key


@each_of_ours
def test_containers_of_ours_are_locked_up_and_drained(profile: str, name: str) -> None:
    found = service(profile, name)
    assert found["read_only"]
    assert found["cap_drop"] == ["ALL"]
    assert "cap_add" not in found
    assert found["security_opt"] == ["no-new-privileges:true"]
    assert "user" not in found
    assert int(IMAGE.user) > 0
    read = settings(profile, name)
    assert seconds_to_end(found) > read.drain_seconds + read.idle_seconds
    assert int(found["mem_limit"]) <= _mebibytes("pbem.service")
    mounted = {each["target"]: each["source"] for each in found["volumes"]}
    assert mounted.pop("/var/lib/pbem") == "pbem"
    assert mounted == ({"/run/pbem": "socket"} if name in ("pbem", "web") else {})


def _mebibytes(unit: str) -> int:
    (found,) = re.findall(r"(?m)^MemoryMax=(\d+)M$", (ROOT / "deploy/systemd" / unit).read_text())
    return int(found) * 1024 * 1024


@pytest.mark.parametrize("profile", PROFILES)
def test_only_the_web_and_the_port_for_mail_are_opened(profile: str) -> None:
    opened = [
        (name, each["host_ip"], each["published"], str(each["target"]))
        for name, found in project(profile)["services"].items()
        for each in found.get("ports", ())
    ]
    web = {"sqlite": "pbem", "mailbox": "mailbox", "postgresql": "web"}[profile]
    mail = [] if profile == "mailbox" else [("mail", str(IPv4Address(0)), "25", "25")]
    assert sorted(opened) == sorted([(web, "127.0.0.1", "8080", "8080"), *mail])


def test_only_containers_are_trusted() -> None:
    (network,) = project("sqlite")["networks"]["default"]["ipam"]["config"]
    (trusted,) = re.findall(r"(?m)^ARG CONTAINERS=(.*)$", (FOLDER / "mail.Dockerfile").read_text())
    assert network["ip_range"] == trusted
    assert ip_network(trusted).subnet_of(ip_network(network["subnet"]))  # type: ignore[arg-type]
    assert ip_address(network["gateway"]) not in ip_network(trusted)
    assert settings("sqlite", "pbem").web_proxies == (network["gateway"],)


def test_what_is_changed_for_containers_is_there() -> None:
    changed = re.findall(r"sed -i ['\"]s(.)(.*?)\1.*?\1g?['\"] (\S+)", (FOLDER / "mail.Dockerfile").read_text())
    files = {"master.cf": "postfix", "options.inc": "rspamd/override.d", "settings.conf": "rspamd/local.d"}
    assert {Path(path).name for _, _, path in changed} == files.keys()
    for _, pattern, path in changed:
        name = Path(path).name
        text = (ROOT / "deploy" / files[name] / name).read_text()
        assert len(re.findall(f"(?m){pattern}".replace('\\"', '"'), text)) == 1


def test_the_socket_for_letters_is_where_postfix_looks_and_open_to_its_group() -> None:
    (transport,) = re.findall(r"(?m)^virtual_transport = pbem:(.*)$", (ROOT / "deploy/postfix/main.cf").read_text())
    for profile, name in (("sqlite", "pbem"), ("postgresql", "web")):
        assert service(profile, name)["environment"]["PBEM_LMTP_LISTEN"] == transport
    for image in ("Dockerfile", "mail.Dockerfile"):
        assert re.search(r"groupadd --gid 10001 pbem\b", (FOLDER / image).read_text())


def test_the_image_has_what_the_package_is_built_from() -> None:
    image = (FOLDER / "Dockerfile").read_text()
    copied = {word for line in re.findall(r"(?m)^COPY (?!--)(.+) \S+$", image) for word in line.split()}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {
        *wheel["packages"],
        *wheel["force-include"],
        project["project"]["readme"],
        *project["project"]["license-files"],
    }
    assert needed | {"pyproject.toml"} <= copied
    assert all((ROOT / name).exists() for name in copied)
    installed = re.findall(r"pip install .*'\.\[([\w,]+)\]'", image)
    assert installed == ["robots,postgresql"]
    guide = (ROOT / "docs/operating.md").read_text()
    assert re.findall(r"pip install (?:--upgrade )?'\.\[([\w,]+)\]'", guide) == ["robots", "robots", *installed]
    assert set(installed[0].split(",")) <= project["project"]["optional-dependencies"].keys()
