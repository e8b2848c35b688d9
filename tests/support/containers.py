"""Containers without an engine: images and services of ``deploy/docker``, run in namespaces of their own.

The root of a container is that of this machine below an overlay, in which the steps of the Dockerfile are carried out
but for those that install something; it is as read-only, and its processes as powerless, as the service says. Volumes
are folders. Each container has a network of its own, with nothing but loopback in it, or shares another one's.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.support.mail import PATIENCE
from tests.support.tools import lacking, require_tool

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "docker"
INSIDE = "172.30.80.129"
"""An address out of the containers' part of their network."""
_PROFILE = "(?m)^COMPOSE_PROFILES=(.*)$"
_INSTALLS = re.compile(r"\b(apt-get|pip) ")
_USUAL_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")


def settings_given(profile: str) -> str:
    """The text of ``example.env`` as an operator fills it in for a profile."""
    text = re.sub(_PROFILE, f"COMPOSE_PROFILES={profile}", (FOLDER / "example.env").read_text())
    parts = re.split(r"(?m)^(?=# In \w+:)", text)
    filled = [part for part in parts if part.startswith(f"# In {profile}:")]
    return parts[0] + re.sub("(?m)=$", "=a-secret-of-the-operator", re.sub("(?m)^#([A-Z])", r"\1", "".join(filled)))


def compose(profile: str, folder: Path) -> dict[str, Any]:
    """The file of Compose as it reads it itself for a profile, in an empty folder."""
    shutil.copytree(FOLDER, folder / "deploy" / "docker")
    (folder / "deploy" / "docker" / ".env").write_text(settings_given(profile))
    done = subprocess.run(
        [_installed("docker-compose"), "-f", "deploy/docker/compose.yaml", "config", "--format", "json"],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if not name.startswith(("PBEM_", "COMPOSE_"))},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def dockerfile_linter() -> Path:
    """hadolint."""
    return _installed("hadolint")


def _installed(tool: str) -> Path:
    """A program that the libraries of the tests bring."""
    found = Path(sys.executable).parent / tool
    return found if found.exists() else lacking(tool, "pip install '.[dev]'")


def seconds_to_end(service: Mapping[str, Any]) -> int:
    """The time after which an engine kills a container that it has asked to end."""
    minutes, seconds = re.fullmatch(r"(?:(\d+)m)?(?:(\d+)s)?", service["stop_grace_period"]).groups("0")  # type: ignore[union-attr]
    return 60 * int(minutes) + int(seconds)


@dataclass(frozen=True)
class Image:
    """The last stage of a Dockerfile."""

    name: str
    """The file in ``deploy/docker``."""

    @cached_property
    def _steps(self) -> list[tuple[str, str]]:
        """Its instructions, each with what follows its name."""
        text = re.sub(r"(?m)^#.*\n", "", (FOLDER / self.name).read_text())
        lines = re.sub(r"\\\n\s*", "", text).rpartition("\nFROM ")[2].splitlines()[1:]
        return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines if line)]

    def _last(self, word: str, default: str) -> str:
        return [default, *(rest for name, rest in self._steps if name == word)][-1]

    @property
    def entrypoint(self) -> list[str]:
        """The beginning of the command, which services leave as it is."""
        return [str(word) for word in json.loads(self._last("ENTRYPOINT", "[]"))]

    @property
    def command(self) -> list[str]:
        """The rest of it, unless a service says otherwise."""
        return [str(word) for word in json.loads(self._last("CMD", "[]"))]

    @property
    def health_check(self) -> list[str]:
        """The command that finds out if a container is healthy."""
        return [str(word) for word in json.loads(self._last("HEALTHCHECK", "").partition("CMD ")[2])]

    @property
    def environ(self) -> dict[str, str]:
        """The variables that every process has."""
        given = [pair.partition("=") for name, rest in self._steps if name == "ENV" for pair in shlex.split(rest)]
        return {"PATH": _USUAL_PATH} | {name: value.replace("$PATH", _USUAL_PATH) for name, _, value in given}

    @property
    def user(self) -> str:
        """The account of its processes."""
        return self._last("USER", "0")

    @property
    def folder(self) -> str:
        """The folder in which they begin."""
        return self._last("WORKDIR", "/")

    def building(self) -> str:
        """The steps as lines of a shell in which ``$root`` is the image, without those that install something."""
        lines, arguments = list[str](), list[str]()
        for word, rest in self._steps:
            if word == "ARG":
                arguments.append(rest)
            elif word == "RUN" and not _INSTALLS.search(rest):
                lines.append('chroot "$root" ' + shlex.join(["env", *arguments, "sh", "-ec", rest]))
            elif word == "COPY" and not rest.startswith("--"):
                *sources, target = rest.split()
                lines += [_copying(ROOT / source, target) for source in sources]
        return "\n".join(lines)


def _copying(source: Path, target: str) -> str:
    into = target if source.is_dir() or target.endswith("/") else str(Path(target).parent)
    return f'mkdir -p "$root{into}"\ncp -R {source}{"/." if source.is_dir() else ""} "$root{target}"'


_MAKING_ROOT = """
set -eu
mount --make-rprivate /
ip link set lo up
ip address show dev lo to {inside} | grep -q . || ip address add {inside} dev lo
layer={folder}.image root={folder}.image/root
mkdir -p $layer
mount -t tmpfs tmpfs $layer
mkdir $layer/changed $layer/work $root
mount -t overlay -o lowerdir=/,upperdir=$layer/changed,workdir=$layer/work overlay $root
umask 022
"""

_STANDING_IN = """
rm -rf "$root/opt/pbem"
mkdir -p $root/opt/pbem/bin
for name in pbem python; do
  printf '#!/bin/sh\\nexec {python} %s"$@"\\n' "$(test $name = python || echo '-m pbem ')" >$root/opt/pbem/bin/$name
  chmod 755 $root/opt/pbem/bin/$name
done
"""
"""In place of an installation in the image of pbem: programs that run the code of the tests."""

_MOUNTING = """
mkdir -p $root/proc $root/dev
mount -t proc proc $root/proc
mount -t tmpfs -o mode=755 tmpfs $root/dev
for name in {devices}; do touch $root/dev/$name; mount --bind /dev/$name $root/dev/$name; done
ln -s /proc/self/fd $root/dev/fd
for number in 0:stdin 1:stdout 2:stderr; do ln -s /proc/self/fd/${{number%:*}} $root/dev/${{number#*:}}; done
mkdir $root/dev/shm
mount -t tmpfs -o mode=1777,size=64m tmpfs $root/dev/shm
new_volume() {{
  mkdir -p "$root$2"
  if [ ! -e "$1" ]; then cp -a "$root$2" "$1"; fi
}}
mounted() {{
  mkdir -p "$root$1"
  shift && mount "$@"
}}
needed() {{
  if [ ! -e "$root$1/$2" ]; then mkdir -p "$root$1"; mount --bind "$1" "$root$1"; mount -o remount,bind,ro "$root$1"; fi
  path=$root$1
  while [ "$path" != "$root" ]; do chmod a+rx "$path" 2>/dev/null || true; path=${{path%/*}}; done
}}
"""


@dataclass
class Container:
    """A container of one service."""

    name: str
    image: Image
    service: Mapping[str, Any]
    folder: Path
    """The folder of its volumes, which have their names there; several containers can share them."""
    environ: Mapping[str, str] = field(default_factory=dict)
    """Variables that are other than the service says."""
    network: Container | None = None
    """One whose network it shares, and which it finds by its name."""
    change: str = ""
    """Lines of a shell that change the image, whose root is ``$root``, before it is used."""
    lines: list[str] = field(default_factory=list)
    """All lines that it has printed so far."""
    _process: subprocess.Popen[str] | None = None
    _reading: Thread | None = None

    @property
    def process(self) -> int:
        """The number of its first process, as it is known outside."""
        assert self._process is not None
        deadline = time.monotonic() + PATIENCE
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        while not (found := children.read_text().split()):
            assert time.monotonic() < deadline, "\n".join(self.lines)
            time.sleep(0.01)
        return int(found[0])

    def start(self, begun: str) -> None:
        """Start it, and wait until a line begins with these words."""
        command = ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--fork", "--ipc", "--uts"]
        network = ["--net"] if self.network is None else []
        joining = [] if self.network is None else ["nsenter", "--target", str(self.network.process), "--net"]
        self._process = subprocess.Popen(
            [*joining, *command, *network, "bash", "-c", self._script()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd="/",
        )
        self._reading = Thread(target=self._read, args=(self._process,))
        self._reading.start()
        deadline = time.monotonic() + 3 * PATIENCE
        while not any(line.startswith(begun) for line in self.lines):
            assert self._process.poll() is None, "\n".join(self.lines)
            assert time.monotonic() < deadline, "\n".join(self.lines)
            time.sleep(0.02)

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                self.lines.append(line.rstrip("\n"))

    def _script(self) -> str:
        """All that is done in the namespaces, up to the beginning of its first process."""
        code = (Path(sys.base_prefix), "bin"), (Path(sys.prefix), "pyvenv.cfg"), (ROOT, "pyproject.toml")
        volumes = {each["target"]: self._volume(each) for each in self.service["volumes"]}
        mounts = {target: f"--bind {source}" for target, source in volumes.items()}
        mounts |= dict.fromkeys(self.service["tmpfs"], "-t tmpfs -o mode=1777,noexec,nosuid,nodev tmpfs")
        files = self.service.get("ulimits", {}).get("nofile")
        command = self.image.entrypoint + list(self.service.get("command") or self.image.command)
        return "\n".join(
            [
                _MAKING_ROOT.format(folder=self.folder / self.name, inside=f"{INSIDE}/32"),
                _STANDING_IN.format(python=sys.executable) if self.image.entrypoint else "",
                self.image.building(),
                self.change,
                "" if self.network is None else f"echo {INSIDE} {self.network.name} >>$root/etc/hosts",
                _MOUNTING.format(devices=" ".join(_DEVICES)),
                *(f"new_volume {source} {target}" for target, source in volumes.items()),
                *(f"mounted {target} {how} $root{target}" for target, how in sorted(mounts.items())),
                *(f"needed {path} {file}" for path, file in code),
                "mount -o remount,ro $root" if self.service.get("read_only") else "",
                f"ulimit -n {files}" if files else "",
                f"user=$(chroot $root id -u {self.image.user}) group=$(chroot $root id -g {self.image.user})",
                'exec chroot "$root" ' + self._within(command),
            ]
        )

    def _volume(self, mounted: Mapping[str, str]) -> Path:
        """The folder that a volume is; another one in place of a folder of the machine."""
        return self.folder / mounted["source"].strip("/").replace("/", "-")

    def _within(self, command: list[str]) -> str:
        """A command with the variables, the account and the powers of the service."""
        given = self.image.environ | {"HOME": self.image.folder} | self.service.get("environment", {}) | self.environ
        environ = [f"{name}={each}" for name, each in given.items()]
        assert self.service["cap_drop"] == ["ALL"]
        kept = "".join(f",+{each.lower()}" for each in self.service.get("cap_add", ()))
        secure = "no-new-privileges:true" in self.service["security_opt"]
        return " ".join(
            [
                shlex.join(["env", "-i", "-C", self.image.folder, *environ]),
                "setpriv --pdeathsig KILL --reuid=$user --regid=$group --clear-groups --inh-caps=-all",
                f"--bounding-set=-all{kept}",
                "--no-new-privs" if secure else "",
                shlex.join(command),
            ]
        )

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a command in it, as ``docker compose exec`` does."""
        entering = ["nsenter", "--target", str(self.process), "--mount", "--net", "--pid", "--ipc", "--uts", "--root"]
        user = f"user=$(id -u {self.image.user}) group=$(id -g {self.image.user}); exec "
        return subprocess.run(
            [*entering, "sh", "-c", user + self._within([*command])],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
            cwd="/",
        )

    @property
    def is_healthy(self) -> bool:
        """The verdict of its health check."""
        return self.run(*self.image.health_check).returncode == 0

    def ask_to_end(self) -> None:
        """Signal its first process, as ``docker compose stop`` does."""
        os.kill(self.process, signal.SIGTERM)

    def wait(self) -> int:
        """Wait until it has ended; return its exit code."""
        assert self._process is not None
        assert self._reading is not None
        code = self._process.wait(seconds_to_end(self.service))
        self._reading.join()
        return code

    def stop(self) -> int:
        """Ask it to end and wait; return its exit code."""
        self.ask_to_end()
        return self.wait()

    def discard(self) -> None:
        """End it, unless it has ended."""
        if self._process is not None and self._process.poll() is None:
            os.kill(self.process, signal.SIGKILL)
            self._process.wait(PATIENCE)
        if self._reading is not None:
            self._reading.join()


@contextmanager
def folder_of_volumes() -> Iterator[Path]:
    """A folder with a short name, as sockets need it, that is gone afterwards; skip where there are no namespaces."""
    for tool in ("unshare", "nsenter", "setpriv"):
        require_tool(tool, "apt-get install util-linux")
    require_tool("ip", "apt-get install iproute2")
    if os.geteuid() != 0:
        pytest.skip("needs root: nobody else can run a process as another account")
    tried = subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "--net", "--ipc", "--uts", "true"],
        capture_output=True,
        text=True,
        check=False,
    )
    if tried.returncode:
        pytest.skip(f"no namespaces here: {tried.stderr.strip()}")
    folder = Path(tempfile.mkdtemp(prefix="pbem-containers-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
