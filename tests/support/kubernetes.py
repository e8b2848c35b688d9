"""The objects of ``deploy/kubernetes`` as kustomize makes them: read, and patched by what all pods have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parents[2] / "deploy" / "kubernetes"
SECRET = {
    "PBEM_DATABASE_URL": "postgresql+psycopg://pbem@db.example.org/pbem",
    "PBEM_SECRET_KEY": "a-secret-of-the-operator",
}
"""The Secret, as the guide has it made."""

Manifest = dict[str, Any]
_KEYS = ("name", "mountPath", "topologyKey")
"""The fields by which items of lists are known, and so changed and not replaced."""


@cache
def kustomization() -> Manifest:
    """The file that names all others."""
    found: Manifest = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
    return found


def settings() -> dict[str, str]:
    """The variables of the ConfigMap."""
    lines = (FOLDER / "settings.env").read_text().splitlines()
    pairs = (line.partition("=") for line in lines if line and not line.startswith("#"))
    return {name: value for name, _, value in pairs}


def manifests(kind: str = "") -> list[Manifest]:
    """All objects, or those of a kind; the ConfigMap, which kustomize makes of settings, is none of them."""
    found = [each for name in kustomization()["resources"] for each in documents(FOLDER / name)]
    for patch in kustomization()["patches"]:
        (change,) = documents(FOLDER / patch["path"])
        del change["metadata"]
        found = [_merged(each, change) if each["kind"] == patch["target"]["kind"] else each for each in found]
    return [each for each in found if kind in ("", each["kind"])]


def documents(file: Path) -> list[Manifest]:
    """The objects in a file."""
    return list(yaml.safe_load_all(file.read_text()))


def container_of(deployment: Mapping[str, Any]) -> Manifest:
    """The container of a deployment's pods."""
    (found,) = deployment["spec"]["template"]["spec"]["containers"]
    return dict(found)


def roles_of(deployment: Mapping[str, Any]) -> list[str]:
    """The roles of the processes of a deployment."""
    serve, only, roles = container_of(deployment)["args"]
    assert (serve, only) == ("serve", "--only")
    return str(roles).split(",")


def _merged(one: Any, other: Any) -> Any:
    """A strategic merge."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one | {name: _merged(one[name], each) if name in one else each for name, each in other.items()}
    if isinstance(one, list) and isinstance(other, list) and (key := _key([*one, *other])):
        changes = {each[key]: each for each in other}
        changed = [_merged(each, changes.pop(each[key])) if each[key] in changes else each for each in one]
        return changed + list(changes.values())
    return other


def _key(items: Sequence[Any]) -> str | None:
    return next((key for key in _KEYS if all(isinstance(each, dict) and key in each for each in items)), None)
