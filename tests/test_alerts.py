"""Alerts and dashboards for Prometheus and Grafana: their metrics exist, and the operator is told what to do."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import Counter, Histogram
from prometheus_client.metrics import MetricWrapperBase

from pbem.meters import GAUGES, Meters
from pbem.usecases.attention import LEAST_BYTES, LETTERS_WAIT, MAILS_WAIT, ROBOTS_WAIT
from pbem.workers.alarms import ALARM as LETTERS_ALARM
from pbem.workers.backups import BACKUP_ALARM

DEPLOY = Path(__file__).parents[1] / "deploy"
RULES = DEPLOY / "prometheus" / "pbem.rules.yml"
GUIDE = (DEPLOY.parent / "docs" / "operating.md").read_text()
ALERTS: list[dict[str, Any]] = yaml.safe_load(RULES.read_text())["groups"][0]["rules"]
DASHBOARD: dict[str, Any] = json.loads((DEPLOY / "grafana" / "pbem.json").read_text())
PANELS = {
    f"{panel['title']} {each['refId']}": each["expr"] for panel in DASHBOARD["panels"] for each in panel["targets"]
}
EXPRESSIONS = {each["alert"]: each["expr"] for each in ALERTS} | PANELS
FUNCTIONS = {
    *("sum", "max", "min", "count", "rate", "increase", "histogram_quantile", "topk"),
    *("by", "on", "group_left", "unless"),
}
OF_THE_PROCESS = {"process_resident_memory_bytes": set[str](), "process_cpu_seconds_total": set[str]()}
OF_PROMETHEUS = {"job", "instance"}


def exported() -> dict[str, set[str]]:
    """The labels of everything that can be asked for."""
    known = {"up": set[str](), "pbem_database_up": set[str](), **OF_THE_PROCESS}
    known |= {f"pbem_{name}": set[str]() for name in GAUGES}
    for each in vars(Meters()).values():
        if not isinstance(each, MetricWrapperBase):
            continue
        (family,) = each.describe()
        labels = set(each._labelnames)
        if isinstance(each, Histogram):
            known |= {f"{family.name}_{part}": labels for part in ("sum", "count")}
            known[f"{family.name}_bucket"] = labels | {"le"}
        else:
            known[f"{family.name}_total" if isinstance(each, Counter) else family.name] = labels
    return known


EXPORTED = exported()


@pytest.mark.parametrize("name", sorted(EXPRESSIONS))
def test_every_name_and_label_that_is_asked_for_is_exported(name: str) -> None:
    asked = re.sub(r'"[^"]*"', "", EXPRESSIONS[name])
    grouped = {
        label for found in re.findall(r"\b(?:by|on|group_left)\s*\(([^)]*)\)", asked) for label in found.split(",")
    }
    labels = {each.strip() for each in grouped} | set(re.findall(r"(\w+)\s*=~?", re.sub(r"==", "", asked)))
    words = set(re.findall(r"[a-z_]{2,}", re.sub(r"\{[^}]*\}|\[\w+\]|\b(?:by|on|group_left)\s*\([^)]*\)", " ", asked)))
    metrics = words - FUNCTIONS
    assert metrics
    assert metrics <= set(EXPORTED), "no such metric"
    assert labels <= OF_PROMETHEUS.union(*(EXPORTED[each] for each in metrics)), "no such label"


def test_most_of_what_is_exported_is_looked_at() -> None:
    looked_at = " ".join(EXPRESSIONS.values())
    families = {re.sub("_(bucket|sum|count)$", "", name) for name in EXPORTED}
    assert {name for name in families if name not in looked_at} == set()


@pytest.mark.parametrize("alert", ALERTS, ids=lambda alert: alert["alert"])
def test_every_alert_says_what_to_do(alert: dict[str, Any]) -> None:
    assert set(alert) == {"alert", "expr", "for", "labels", "annotations"}
    assert alert["labels"]["severity"] in ("page", "ticket")
    assert set(alert["annotations"]) == {"summary", "description"}
    assert re.search(r"pbem \w+|journalctl|systemctl|df -h|See ", alert["annotations"]["description"])
    assert f"| `{alert['alert']}` |" in GUIDE


def test_alerts_are_set_by_the_bounds_of_the_status_page() -> None:
    bounds = {
        "PbemLettersWait": LETTERS_WAIT.total_seconds(),
        "PbemMailsWait": MAILS_WAIT.total_seconds(),
        "PbemRobotsSlow": ROBOTS_WAIT.total_seconds(),
        "PbemDiskNearlyFull": LEAST_BYTES,
    }
    assert {name: float(EXPRESSIONS[name].split()[-1]) for name in bounds} == bounds


def test_a_backup_is_too_old_when_the_server_says_so_and_missed_after_its_first_night() -> None:
    old, missing = ([each for each in ALERTS if each["alert"] == f"PbemBackup{what}"] for what in ("Old", "Missing"))
    assert old[0]["expr"] == "min(pbem_backup_age_seconds) > max(pbem_backup_lasts_seconds)"
    assert missing[0]["expr"] == "max(pbem_backup_expected) == 1 unless max(pbem_backup_age_seconds)"
    assert missing[0]["for"] == "26h"


def test_each_alarm_of_the_server_has_an_alert() -> None:
    asked = {name for name in (LETTERS_ALARM, BACKUP_ALARM) if f'pbem_alarm{{name="{name}"}}' in RULES.read_text()}
    assert asked == {LETTERS_ALARM, BACKUP_ALARM}


def test_the_panels_stand_beside_each_other() -> None:
    taken = set[tuple[int, int]]()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert max(x for x, _ in cells) < 24
        assert not cells & taken
        taken |= cells
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def test_prometheus_itself_takes_the_rules_where_it_is_there() -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not here; Debian has it in the package prometheus")
    for words in (["check", "rules", str(RULES)], ["check", "config", str(RULES.with_name("prometheus.yml"))]):
        ended = subprocess.run([promtool, *words], capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stdout + ended.stderr


def test_the_configuration_names_the_rules() -> None:
    assert yaml.safe_load((RULES.with_name("prometheus.yml")).read_text())["rule_files"] == [RULES.name]
