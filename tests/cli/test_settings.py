"""``pbem settings``, as an operator runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def settings(folder: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pbem", "settings", *words],
        cwd=folder,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_every_setting_is_printed_with_its_source_and_no_secret(tmp_path: Path) -> None:
    (tmp_path / "pbem.toml").write_text("max_commands = 3\n")
    done = settings(
        tmp_path, PBEM_CONFIG="pbem.toml", PBEM_ADDRESS="a@b.org", PBEM_RELAY_URL="smtp://u:hunter2@h", PBEM_TEST_X="y"
    )
    assert (done.returncode, done.stderr) == (0, "")
    rows = {words[0]: words[1:] for words in map(str.split, done.stdout.splitlines()) if words[0].startswith("PBEM_")}
    assert rows["PBEM_ADDRESS"] == ["a@b.org", "environment"]
    assert rows["PBEM_MAX_COMMANDS"] == ["3", "file", "pbem.toml"]
    assert rows["PBEM_SMTP_LISTEN"] == ["127.0.0.1:8025", "default"]
    assert rows["PBEM_RELAY_URL"] == ["smtp://u:***@h", "environment"]
    assert "hunter2" not in done.stdout
    assert sorted(each.name for each in tmp_path.iterdir()) == ["pbem.toml"]


def test_settings_are_printed_as_json_for_programs(tmp_path: Path) -> None:
    done = settings(tmp_path, "--json", PBEM_RELAY_URL="smtp://u:hunter2@h")
    rows = {row["setting"]: row for row in json.loads(done.stdout)}
    assert rows["PBEM_RELAY_URL"] == {"setting": "PBEM_RELAY_URL", "value": "smtp://u:***@h", "from": "environment"}
    assert rows["PBEM_MAX_COMMANDS"]["value"] == "20"


def test_several_wrong_settings_are_told_at_once(tmp_path: Path) -> None:
    done = settings(tmp_path, PBEM_ADRESS="a@b.org", PBEM_LOG_LEVEL="loud")
    assert (done.returncode, done.stdout) == (2, "")
    assert [line.split(": ")[:2] for line in done.stderr.splitlines()] == [
        ["pbem", "PBEM_ADRESS"],
        ["pbem", "PBEM_LOG_LEVEL"],
    ]


def test_a_wrong_setting_is_a_misuse_named_in_one_line(tmp_path: Path) -> None:
    done = settings(tmp_path, PBEM_ADRESS="a@b.org")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "pbem: PBEM_ADRESS: there is no such setting (from the environment)\n"


def test_a_file_that_is_not_there_is_a_misuse(tmp_path: Path) -> None:
    done = settings(tmp_path, PBEM_CONFIG="none.toml")
    assert done.returncode == 2
    assert done.stderr.startswith("pbem: PBEM_CONFIG: none.toml cannot be read: ")
    assert "Traceback" not in done.stderr
