"""Pods of ``deploy/kubernetes``, one of each deployment, run in namespaces in place of a cluster."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pbem.storage.schema import newest
from tests.support.containers import Container, Image, folder_of_volumes
from tests.support.databases import Database
from tests.support.kubernetes import SECRET, Manifest, container_of, manifests, roles_of, settings
from tests.support.maildir import nth_mail
from tests.support.postgresql import SERVER_OPTIONS, running_cluster

IMAGE = Image("Dockerfile")
SOCKET = "/run/postgresql"
MAILS = "maildir:/var/lib/pbem/mail"
ACCOUNT = 10001
SENDS = """
import smtplib
letter = "From: alice@example.org\\r\\nSubject: signup alice secret\\r\\nMessage-ID: <1@example.org>\\r\\n\\r\\n"
with smtplib.LMTP("127.0.0.1", {port}) as client:
    client.sendmail("alice@example.org", ["{to}"], letter)
"""
ASKS = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:{port}{path}', timeout=4).read().decode())"


class Pods:
    """One pod of each deployment, on a database that the others share."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.all = {each["metadata"]["name"]: self.pod(each) for each in manifests("Deployment")}

    def pod(self, deployment: Manifest) -> Container:
        """The container of a pod."""
        return self._container(deployment, container_of(deployment), deployment["metadata"]["name"])

    def upgrading(self, deployment: Manifest) -> Container:
        """The container that runs before it."""
        (before,) = deployment["spec"]["template"]["spec"]["initContainers"]
        return self._container(deployment, before, before["name"])

    def _container(self, deployment: Manifest, container: Manifest, name: str) -> Container:
        """A container, described as Compose would."""
        pod, secure = deployment["spec"]["template"]["spec"], container["securityContext"]
        assert str(pod["securityContext"]["runAsUser"]) == IMAGE.user
        url = f"postgresql+psycopg://pbem@/club?host={SOCKET}"
        own = {"PBEM_DATABASE_URL": url, "PBEM_RELAY_URL": MAILS, "PBEM_RETRY_LETTER_SECONDS": "0"}
        volumes = [
            {"source": f"{name}-{each['name']}", "target": each["mountPath"]} for each in container["volumeMounts"]
        ]
        service: dict[str, Any] = {
            "command": container["args"],
            "environment": settings() | SECRET | own,
            "volumes": [*volumes, {"source": "postgresql", "target": SOCKET}],
            "tmpfs": [],
            "read_only": secure["readOnlyRootFilesystem"],
            "cap_drop": secure["capabilities"]["drop"],
            "security_opt": [f"no-new-privileges:{str(not secure['allowPrivilegeEscalation']).lower()}"],
            "stop_grace_period": f"{pod['terminationGracePeriodSeconds']}s",
        }
        for each in volumes:  # as fsGroup has it
            place = self.folder / each["source"]
            place.mkdir(exist_ok=True)
            os.chown(place, 0, pod["securityContext"]["fsGroup"])
            place.chmod(0o2770)
        return Container(name, IMAGE, service, self.folder)

    def start(self) -> None:
        for each in self.all.values():
            each.start("pbem: ready")

    def discard(self) -> None:
        for each in self.all.values():
            each.discard()


def answer(pod: Container, deployment: Manifest, probe: str) -> str:
    """The answer to a probe."""
    container = container_of(deployment)
    asked = container[f"{probe}Probe"]["httpGet"]
    (port,) = [port["containerPort"] for port in container["ports"] if port["name"] == asked["port"]]
    return pod.run("python", "-c", ASKS.format(port=port, path=asked["path"])).stdout.strip()


@pytest.fixture
def database() -> Iterator[tuple[Path, Database]]:
    """The volumes, one of which leads to a PostgreSQL with an empty database."""
    with ExitStack() as stack:
        volumes = stack.enter_context(folder_of_volumes())
        server = stack.enter_context(running_cluster(SERVER_OPTIONS)).server
        server.create("club")
        os.chown(server.folder, -1, ACCOUNT)  # no account of this machine is in that group
        server.folder.chmod(0o710)
        (volumes / "postgresql").symlink_to(server.folder)
        yield volumes, Database(server.url("club"))


def test_a_letter_passes_through_a_pod_of_each_kind_and_they_end_in_order(database: tuple[Path, Database]) -> None:
    volumes, club = database
    pods, deployments = Pods(volumes), {each["metadata"]["name"]: each for each in manifests("Deployment")}
    upgrading = pods.upgrading(deployments["pbem-worker"])
    upgrading.start("schema: ")
    assert upgrading.wait() == 0
    assert club.rows("SELECT version_num FROM alembic_version") == [(newest(),)]
    try:
        pods.start()
        for name, pod in pods.all.items():
            probes = {probe: answer(pod, deployments[name], probe) for probe in ("startup", "liveness", "readiness")}
            ready = '{"status":"ready"}'
            assert probes == {"startup": '{"status":"live"}', "liveness": '{"status":"live"}', "readiness": ready}
            assert "Read-only file system" in pod.run("touch", "/etc/file").stderr
        (door,) = [name for name, each in deployments.items() if "lmtp" in roles_of(each)]
        (port,) = [each["containerPort"] for each in container_of(deployments[door])["ports"] if each["name"] == "lmtp"]
        sent = pods.all[door].run("python", "-c", SENDS.format(port=port, to=settings()["PBEM_ADDRESS"]))
        assert sent.returncode == 0, sent.stderr
        mail = nth_mail(volumes / "pbem-delivery-state" / "mail", 1)
        assert mail["Subject"] == "Please confirm your pbem account alice"
        assert settings()["PBEM_WEB_URL"] in str(mail.get_body(("plain",)))
        page = pods.all["pbem-web"].run("python", "-c", ASKS.format(port=8080, path="/")).stdout
        assert re.search("<title>[^<]+</title>", page)
        assert [pod.stop() for pod in pods.all.values()] == [0] * len(pods.all)
    finally:
        pods.discard()
        upgrading.discard()
    assert club.rows("SELECT count(*) FROM inbox WHERE state <> 'done'") == [(0,)]
