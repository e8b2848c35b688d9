"""The base for Kubernetes: its schemas know it, and it says of the server what is true."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from pbem.bootstrap.loops import ROLES
from pbem.config import Listen, Settings
from pbem.meters import GAUGES
from tests.support.commands_shown import command_exists
from tests.support.kubernetes import (
    FOLDER,
    SECRET,
    Manifest,
    container_of,
    documents,
    kustomization,
    manifests,
    roles_of,
    settings,
)

GUIDE = (FOLDER.parents[1] / "docs" / "operating.md").read_text()
OLDEST = "1.27"
DEPLOYMENTS = manifests("Deployment")
PODS = [each["spec"]["template"]["spec"] for each in DEPLOYMENTS]
NAMES = [each["metadata"]["name"] for each in DEPLOYMENTS]


def served() -> Settings:
    return Settings.read(settings() | SECRET, serving=True)


@pytest.mark.parametrize("version", [OLDEST, kubernetes_validate.latest_version()])
@pytest.mark.parametrize("found", manifests(), ids=lambda found: f"{found['kind']}-{found['metadata']['name']}")
def test_the_schemas_know_every_object(found: Manifest, version: str) -> None:
    assert kubernetes_validate.validate(found, version, strict=True)


def test_a_mistake_would_be_found() -> None:
    (found, *_) = manifests("Deployment")
    container_of(found)["readinessProbe"]["httpGet"]["prot"] = "monitor"
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(found, OLDEST, strict=True)


def test_every_file_is_used() -> None:
    used = {*kustomization()["resources"], *(each["path"] for each in kustomization()["patches"])}
    used |= {name for each in kustomization()["configMapGenerator"] for name in each["envs"]}
    apart = {"kustomization.yaml", "prometheus-adapter.yaml"}
    assert used | apart == {each.name for each in FOLDER.iterdir()}
    assert f"Kubernetes {OLDEST}" in GUIDE


def kustomized(folder: Path) -> list[Manifest]:
    """The objects that kubectl makes of a folder; nothing is asked of a cluster."""
    kubectl = shutil.which("kubectl") or pytest.skip("kubectl is not here")
    done = subprocess.run([kubectl, "kustomize", folder], capture_output=True, text=True, check=True, timeout=60)
    return list(yaml.safe_load_all(done.stdout))


def plain(found: list[Manifest]) -> list[Any]:
    """Objects without their namespace, the marks of generated names, and the order of ports."""
    text = re.sub(r"pbem-settings-\w+", "pbem-settings", yaml.safe_dump_all(found))
    read = list(yaml.safe_load_all(text))
    for each in read:
        each["metadata"].pop("namespace", None)
        for container in each["spec"]["template"]["spec"]["containers"] if each["kind"] == "Deployment" else ():
            container["ports"].sort(key=lambda port: port["name"])
    return sorted(read, key=lambda each: (each["kind"], each["metadata"]["name"]))


def test_kustomize_makes_the_same_objects() -> None:
    made = kustomized(FOLDER)
    (generated,) = [each for each in made if each["kind"] == "ConfigMap"]
    assert generated["data"] == settings()
    made.remove(generated)
    assert plain(made) == plain(manifests())


def test_the_overlay_of_the_guide_names_an_image_and_settings(tmp_path: Path) -> None:
    (block,) = re.findall(r"(?ms)^```yaml\n(.*?)^```$", GUIDE)
    overlay = yaml.safe_load(block)
    changed = dict(each.split("=", 1) for each in overlay["configMapGenerator"][0]["literals"])
    assert Settings.read(settings() | changed | SECRET, serving=True).sources
    shutil.copytree(FOLDER, tmp_path / "pbem" / "deploy" / "kubernetes")
    (tmp_path / "club").mkdir()
    (tmp_path / "club" / "kustomization.yaml").write_text(block)
    made = kustomized(tmp_path / "club")
    (generated,) = [each for each in made if each["kind"] == "ConfigMap"]
    assert generated["data"] == settings() | changed
    for each in (each for each in made if each["kind"] == "Deployment"):
        pod = each["spec"]["template"]["spec"]
        for container in (*pod["initContainers"], *pod["containers"]):
            (image,) = overlay["images"]
            assert container["image"] == f"{image['newName']}:{image['newTag']}"
            assert container["envFrom"][0]["configMapRef"]["name"] == generated["metadata"]["name"]


def test_settings_are_read_and_the_secret_is_made_as_the_guide_says() -> None:
    assert served().sources.keys() == {name.removeprefix("PBEM_").lower() for name in settings() | SECRET}
    assert set(re.findall(r"--from-literal=(\w+)=", GUIDE)) == set(SECRET)
    assert set(SECRET).isdisjoint(settings())
    names = {name for pod in PODS for each in pod["containers"] + pod["initContainers"] for name in envs(each)}
    assert names == {"configMapRef:pbem-settings", "secretRef:pbem"}
    assert [each["name"] for each in kustomization()["configMapGenerator"]] == ["pbem-settings"]


def envs(container: Manifest) -> list[str]:
    return [f"{kind}:{where['name']}" for each in container["envFrom"] for kind, where in each.items()]


def test_no_variable_of_kubernetes_looks_like_a_setting() -> None:
    assert any(each["metadata"]["name"].startswith("pbem-") for each in manifests("Service"))
    assert {pod["enableServiceLinks"] for pod in PODS} == {False}


def test_together_they_have_every_role_once() -> None:
    assert sorted(role for each in DEPLOYMENTS for role in roles_of(each)) == sorted(ROLES)
    for pod in PODS:
        assert command_exists(["serve"])
        assert command_exists(pod["initContainers"][0]["args"])


def test_ports_are_those_of_the_settings() -> None:
    ports = {port["name"]: port["containerPort"] for each in DEPLOYMENTS for port in container_of(each)["ports"]}
    listens = served().web_listen, served().lmtp_listen, served().monitor_listen
    assert listens == tuple(Listen("0.0.0.0", ports[name]) for name in ("web", "lmtp", "monitor"))  # noqa: S104
    for each in DEPLOYMENTS:
        opened = {port["name"] for port in container_of(each)["ports"]}
        assert opened == {"monitor"} | {name for name in ("web", "lmtp") if name in roles_of(each)}
        annotations = each["spec"]["template"]["metadata"]["annotations"]
        assert int(annotations["prometheus.io/port"]) == ports["monitor"]
    for service in manifests("Service"):
        (target,) = [each for each in DEPLOYMENTS if labels(each) == service["spec"]["selector"]]
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= {
            port["name"] for port in container_of(target)["ports"]
        }


def labels(deployment: Manifest) -> Manifest:
    found: Manifest = deployment["spec"]["template"]["metadata"]["labels"]
    assert deployment["spec"]["selector"]["matchLabels"] == found
    return found


@pytest.mark.parametrize("pod", PODS, ids=NAMES)
def test_pods_have_no_power(pod: Manifest) -> None:
    (namespace,) = manifests("Namespace")
    assert namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"
    own = pod["securityContext"]
    assert (own["runAsNonRoot"], own["seccompProfile"]) == (True, {"type": "RuntimeDefault"})
    image = (FOLDER.parent / "docker" / "Dockerfile").read_text()
    assert {f"USER {own[name]}" for name in ("runAsUser", "runAsGroup", "fsGroup")} <= set(image.splitlines())
    assert pod["automountServiceAccountToken"] is False
    for container in (*pod["initContainers"], *pod["containers"]):
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert "memory" in container["resources"]["limits"]
        folders = {each["mountPath"]: each["name"] for each in container["volumeMounts"]}
        assert set(folders) == {*re.findall(r"(?m)^WORKDIR (/var.+)$", image), "/tmp"}  # noqa: S108 - in a container
        assert set(folders.values()) == {each["name"] for each in pod["volumes"]}


@pytest.mark.parametrize("deployment", DEPLOYMENTS, ids=NAMES)
def test_pods_are_asked_and_ended_as_the_server_is_meant_to_be(deployment: Manifest) -> None:
    container, pod = container_of(deployment), deployment["spec"]["template"]["spec"]
    asked = {name: container[f"{name}Probe"]["httpGet"] for name in ("startup", "liveness", "readiness")}
    assert {name: each["path"] for name, each in asked.items()} == {
        "startup": "/live",
        "liveness": "/live",
        "readiness": "/ready",
    }
    assert {each["port"] for each in asked.values()} == {"monitor"}
    stops = container.get("lifecycle", {}).get("preStop", {}).get("exec", {}).get("command", ["sleep", "0"])
    assert (stops[0], int(stops[1]) > 0) == ("sleep", {"web", "lmtp"} & set(roles_of(deployment)) != set())
    needed = int(stops[1]) + served().drain_seconds + served().idle_seconds
    assert pod["terminationGracePeriodSeconds"] > needed


def test_what_people_wait_for_is_never_all_away() -> None:
    budgets = [each["spec"] for each in manifests("PodDisruptionBudget")]
    (scaler,) = manifests("HorizontalPodAutoscaler")
    scaled = scaler["spec"]["scaleTargetRef"]["name"]
    for each in DEPLOYMENTS:
        name, spec = each["metadata"]["name"], each["spec"]
        assert ("replicas" in spec) == (name != scaled), "two would pull at the number"
        count = scaler["spec"]["minReplicas"] if name == scaled else spec["replicas"]
        found = [budget for budget in budgets if budget["selector"]["matchLabels"] == labels(each)]
        assert [budget["maxUnavailable"] for budget in found] == ([1] if count > 1 else [])
        assert spec["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
    assert len(budgets) == len(DEPLOYMENTS) - 1


def test_workers_follow_the_letters_that_wait() -> None:
    (scaler,) = manifests("HorizontalPodAutoscaler")
    (metric,) = scaler["spec"]["metrics"]
    name = metric["external"]["metric"]["name"]
    assert name.removeprefix("pbem_") in GAUGES
    ((adapter,),) = [each["rules"]["external"] for each in documents(FOLDER / "prometheus-adapter.yaml")]
    assert adapter["seriesQuery"] == name
    assert adapter["metricsQuery"] == f"max({name})"
    (workers,) = [each for each in DEPLOYMENTS if each["metadata"]["name"] == scaler["spec"]["scaleTargetRef"]["name"]]
    assert roles_of(workers) == ["worker"]


def test_computer_opponents_have_the_memory_that_they_have_under_systemd() -> None:
    (bots,) = [each for each in DEPLOYMENTS if roles_of(each) == ["bots"]]
    service = (FOLDER.parent / "systemd" / "pbem.service").read_text()
    assert f"MemoryMax={container_of(bots)['resources']['limits']['memory']}\n" in service


def test_only_mail_servers_reach_the_door_and_nobody_but_prometheus_the_metrics() -> None:
    opened = {
        (port["port"], str(rule.get("from", "anybody")))
        for each in manifests("NetworkPolicy")
        for rule in each["spec"]["ingress"]
        for port in rule["ports"]
    }
    assert dict(opened).keys() == {"web", "lmtp", "monitor"}
    assert [port for port, whom in opened if whom == "anybody"] == ["web"]
    chosen = [each["spec"]["podSelector"]["matchLabels"] for each in manifests("NetworkPolicy")]
    for each in DEPLOYMENTS:
        assert any(selected.items() <= labels(each).items() for selected in chosen)
