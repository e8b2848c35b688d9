"""The settings, and the example file that explains them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbem.config import BadSetting, Folder, ImapUrl, Listen, Settings, UnixListen, Webhook

EXAMPLE = Path(__file__).parents[2] / "deploy" / "pbem.example.toml"
NAMES = [each.name for each in fields(Settings) if each.name != "sources"]
KEY = "a key of sixteen letters"


def read(**settings: str) -> Settings:
    return Settings.read({f"PBEM_{name.upper()}": value for name, value in settings.items()})


def from_file(tmp_path: Path, content: str, **environment: str) -> Settings:
    file = tmp_path / "pbem.toml"
    file.write_text(content)
    return Settings.read({"PBEM_CONFIG": str(file)} | environment)


def shown(settings: Settings) -> dict[str, tuple[str, str]]:
    return {name: (value, source) for name, value, source in settings.rows()}


def explained() -> dict[str, tuple[str, list[str]]]:
    """Each setting of the example file: its value as it stands there, and the lines that explain it."""
    found: dict[str, tuple[str, list[str]]] = {}
    comment: list[str] = []
    for line in EXAMPLE.read_text().split("\n"):
        if match := re.fullmatch(r"#([a-z_]+) = (.+)", line):
            assert match[1] not in found
            found[match[1]] = (match[2], comment)
        comment = [*comment, line] if line.startswith("# ") else []
    return found


def test_an_empty_environment_gives_the_defaults() -> None:
    settings = Settings.read({})
    assert settings.address == "pbem@localhost"
    assert settings.database_url == "sqlite:///pbem.db"
    assert settings.smtp_listen == Listen("127.0.0.1", 8025)
    assert settings.lmtp_listen is None
    assert settings.web_listen == Listen("127.0.0.1", 8080)
    assert settings.relay_url == "maildir:mail"
    assert settings.secret_key is None
    assert (settings.confirm_signup, settings.trust_from) == (True, False)
    assert (settings.authserv_id, settings.operator) == (None, None)
    assert settings.give_up_after == timedelta(days=5)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("address", " Games@Example.org ", "Games@Example.org"),
        ("smtp_listen", "0.0.0.0:25", Listen("0.0.0.0", 25)),  # noqa: S104 - nothing listens there
        ("smtp_listen", "[::1]:0", Listen("::1", 0)),
        ("smtp_listen", "OFF", None),
        ("lmtp_listen", "off", None),
        ("lmtp_listen", "127.0.0.1:8024", Listen("127.0.0.1", 8024)),
        ("lmtp_listen", "unix:/run/pbem/lmtp", UnixListen("/run/pbem/lmtp")),
        ("lmtp_socket_mode", "0600", 0o600),
        ("alarm_webhook", "off", None),
        ("alarm_webhook", "ntfy:https://ntfy.sh/club", Webhook("ntfy", "https://ntfy.sh/club")),
        (
            "alarm_webhook",
            "matrix:https://token@matrix.org/!room:matrix.org",
            Webhook("matrix", "https://token@matrix.org/!room:matrix.org"),
        ),
        ("mailbox_url", "off", None),
        ("mailbox_url", "imap://u:p@localhost", ImapUrl("imap", "localhost", 143, "u", "p", "INBOX")),
        (
            "mailbox_url",
            "imaps://a%40x.org:p%20%2F@imap.x.org:1993/My%20games",
            ImapUrl("imaps", "imap.x.org", 1993, "a@x.org", "p /", "My games"),
        ),
        ("mailbox_taken", "folder:Old letters", Folder("Old letters")),
        ("mailbox_taken", "Flag", "flag"),
        ("web_url", "https://x.example.org/", "https://x.example.org"),
        ("web_proxies", "off", None),
        ("web_proxies", "10.0.0.0/8, ::1", ("10.0.0.0/8", "::1")),
        ("database_listen_url", "postgresql+psycopg://u@h/db", "postgresql+psycopg://u@h/db"),
        ("database_listen_url", "", None),
        ("database_prepared_statements", "no", False),
        ("relay_url", "lmtp+unix:/run/mta", "lmtp+unix:/run/mta"),
        ("relay_url", "smtps://u:p@mail.example.org", "smtps://u:p@mail.example.org"),
        ("secret_key", f"{KEY},  another {KEY} ", (KEY, f"another {KEY}")),
        ("confirm_signup", "No", False),
        ("trust_from", "1", True),
        ("authserv_id", "", None),
        ("authserv_id", "MX.example.org", "mx.example.org"),
        ("operator", "first.lastname.quite.long+pbem@example.org", "first.lastname.quite.long+pbem@example.org"),
        ("max_commands", "7", 7),
        ("retry_mail_seconds", "1, 2,3", (1, 2, 3)),
        ("log_level", "WARNING", "warning"),
        ("log_format", "JSON", "json"),
    ],
)
def test_a_setting_is_read_from_the_environment(name: str, text: str, value: object) -> None:
    assert getattr(read(**{name: text}), name) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("address", "pbem"),
        ("address", "pbem@"),
        ("address", "a-name-of-more-than-twenty@example.org"),
        ("address", "p+b@example.org"),
        ("address", "p\u00e4@example.org"),
        ("address", "a@b\nX: y"),
        ("database_url", "mysql://x"),
        ("database_url", ""),
        ("database_listen_url", "sqlite:///pbem.db"),
        ("smtp_listen", "8025"),
        ("smtp_listen", "localhost:"),
        ("smtp_listen", ":8025"),
        ("smtp_listen", "localhost:65536"),
        ("smtp_listen", "localhost:\u0661"),
        ("lmtp_listen", "unix:"),
        ("lmtp_listen", "/run/pbem"),
        ("alarm_webhook", "https://ntfy.sh/club"),
        ("alarm_webhook", "ntfy:file:///etc/passwd"),
        ("alarm_webhook", "ntfy:http://ntfy.sh/club"),
        ("alarm_webhook", "matrix:https://matrix.org/!room:matrix.org"),
        ("alarm_webhook", "irc:https://example.org/"),
        ("lmtp_socket_mode", "888"),
        ("web_listen", "on"),
        ("web_url", "pbem.example.org"),
        ("web_url", "https://pbem.example.org/games"),
        ("web_url", "https://me@pbem.example.org"),
        ("web_proxies", ""),
        ("web_proxies", "proxy.example.org"),
        ("web_proxies", "10.0.0.1/8"),
        ("session_days", "0"),
        ("relay_url", "mail.example.org:25"),
        ("relay_url", "smtp://mail.example.org:smtp"),
        ("relay_url", "smtp://mail.example.org:99999"),
        ("relay_url", "smtp:///x"),
        ("relay_url", "maildir:"),
        ("secret_key", "short"),
        ("push_private_key", "short"),
        ("push_private_key", "+" * 43),
        ("push_services", "https://push.example.org"),
        ("push_services", "*"),
        ("secret_key", f"{KEY},short"),
        ("secret_key", ","),
        ("confirm_signup", "maybe"),
        ("trust_from", ""),
        ("authserv_id", "mx.example.org; mx2.example.org"),
        ("operator", "admin"),
        ("operator", "[admin]@example.org"),
        ("operator", "admin@example..org"),
        ("operator", "a@example.org, b@example.org"),
        ("max_letter_bytes", "0"),
        ("max_letter_bytes", "256k"),
        ("max_commands", "-1"),
        ("max_commands", "\u0662"),
        ("confirm_days", "7.5"),
        ("retry_mail_seconds", ""),
        ("retry_mail_seconds", "60,,120"),
        ("retry_mail_seconds", "60;120"),
        ("password_rounds", "9" * 5000),
        ("log_level", "loud"),
        ("log_format", "xml"),
    ],
)
def test_a_malformed_setting_is_refused_with_a_sentence_that_names_it(name: str, text: str) -> None:
    with pytest.raises(BadSetting) as refused:
        read(**{name: text})
    said = str(refused.value)
    assert said.startswith(f"PBEM_{name.upper()}: ")
    assert said.endswith("(from the environment)")
    assert len(said) < 200


@pytest.mark.parametrize("name", ["PBEM_ADRESS", "PBEM_SOURCES", "PBEM_", "PBEM_CONFIGURATION", "PBEM_TESTS"])
def test_an_unknown_setting_is_refused_by_name(name: str) -> None:
    with pytest.raises(BadSetting, match=f"^{name}: there is no such setting"):
        Settings.read({name: "x"})


def test_other_variables_and_those_for_tests_are_no_settings() -> None:
    assert (
        Settings.read({"PBEM_TEST_REQUIRE_TOOLS": "1", "PBEMX": "1", "PATH": "/bin", "PBEM_CONFIG": ""}) == Settings()
    )


def test_a_file_gives_settings_in_their_own_types(tmp_path: Path) -> None:
    settings = from_file(
        tmp_path, 'address = "a@b.org"\ntrust_from = true\nmax_commands = 3\nretry_mail_seconds = [1, 2]\n'
    )
    assert (settings.address, settings.trust_from, settings.max_commands) == ("a@b.org", True, 3)
    assert settings.retry_mail_seconds == (1, 2)
    assert settings.sources["address"] == f"file {tmp_path / 'pbem.toml'}"


def test_the_environment_goes_before_the_file(tmp_path: Path) -> None:
    settings = from_file(tmp_path, "max_commands = 3\nmax_boards_shown = 4", PBEM_MAX_COMMANDS="5")
    assert (settings.max_commands, settings.max_boards_shown) == (5, 4)
    assert shown(settings)["PBEM_MAX_COMMANDS"] == ("5", "environment")
    assert shown(settings)["PBEM_MAX_BOARDS_SHOWN"] == ("4", f"file {tmp_path / 'pbem.toml'}")
    assert shown(settings)["PBEM_CONFIRM_DAYS"] == ("7", "default")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("adress = 'x'", "^PBEM_ADRESS: there is no such setting .from the file "),
        ("max_commands = 1.5", "^PBEM_MAX_COMMANDS: must be a whole number from 1 to 100 .from the file "),
        ("max_commands = true", "^PBEM_MAX_COMMANDS: "),
        ("address = ['a@b', 'c@d']", "^PBEM_ADDRESS: "),
        ("[address]\nx = 1", "^PBEM_ADDRESS: must be a single value"),
        ("retry_mail_seconds = [[1]]", "^PBEM_RETRY_MAIL_SECONDS: must be a single value"),
        ("address = ", "^PBEM_CONFIG: .*pbem.toml cannot be read: "),
    ],
)
def test_a_wrong_file_is_refused_with_a_sentence_that_names_the_setting(
    tmp_path: Path, content: str, said: str
) -> None:
    with pytest.raises(BadSetting, match=said):
        from_file(tmp_path, content)


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "pbem.toml"
    file.write_text("[address]\nx = 1\n[operator]\n")
    environ = {"PBEM_ADRESS": "x", "PBEM_MAX_COMMANDS": "many", "PBEM_LOG_LEVEL": "loud", "PBEM_OPERATOR": "a@b.org"}
    with pytest.raises(BadSetting) as refused:
        Settings.read({"PBEM_CONFIG": str(file), **environ})
    named = [line.partition(": ")[0] for line in str(refused.value).splitlines()]
    assert sorted(named) == ["PBEM_ADDRESS", "PBEM_ADRESS", "PBEM_LOG_LEVEL", "PBEM_MAX_COMMANDS", "PBEM_OPERATOR"]
    with pytest.raises(BadSetting, match=r"^PBEM_CONFIG: .*\nPBEM_LOG_LEVEL: "):
        Settings.read({"PBEM_CONFIG": "/nowhere", "PBEM_LOG_LEVEL": "loud"})


def test_what_is_missing_beside_another_setting_is_told_with_all_that_is_wrong() -> None:
    given = {
        "PBEM_NAG_DAYS": "never",
        "PBEM_SMTP_CERTIFICATE": "chain.pem",
        "PBEM_DATABASE_URL": "postgresql+psycopg://pbem@localhost/pbem",
    }
    with pytest.raises(BadSetting) as raised:
        Settings.read(given, serving=True)
    assert [line.partition(" (")[0] for line in str(raised.value).splitlines()][1:] == [
        "PBEM_SMTP_PRIVATE_KEY: must be set, too, when PBEM_SMTP_CERTIFICATE is",
        "PBEM_SECRET_KEY: must be set when the database is not SQLite, the same for all processes",
    ]
    with pytest.raises(BadSetting, match=r"^PBEM_SMTP_CERTIFICATE: must be set, too, when PBEM_SMTP_PRIVATE_KEY is$"):
        read(smtp_private_key="key.pem", database_url=given["PBEM_DATABASE_URL"])


def test_statements_are_prepared_unless_another_way_to_listen_tells_of_a_pooler() -> None:
    listens = "postgresql+psycopg://pbem@localhost/pbem"
    assert Settings().prepares_statements
    assert not read(database_prepared_statements="no").prepares_statements
    assert not read(database_listen_url=listens).prepares_statements
    assert read(database_listen_url=listens, database_prepared_statements="yes").prepares_statements


@pytest.mark.parametrize("name", ["PBEM_DATABASE_LISTEN_URL", "PBEM_DATABASE_READ_URL"])
def test_a_server_on_sqlite_has_no_other_way_to_its_database(name: str) -> None:
    given = {name: "postgresql+psycopg://pbem@localhost/pbem"}
    assert Settings.read(given).sources, "a backup is copied with the settings of the server"
    with pytest.raises(BadSetting, match=rf"^{name}: is for PostgreSQL, but PBEM_DATABASE_URL is not$"):
        Settings.read(given, serving=True)


def test_what_is_set_wrongly_is_not_called_missing() -> None:
    given = {"PBEM_SECRET_KEY": "short", "PBEM_DATABASE_URL": "postgresql+psycopg://pbem@localhost/pbem"}
    with pytest.raises(BadSetting) as raised:
        Settings.read(given, serving=True)
    assert len(str(raised.value).splitlines()) == 1


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"^PBEM_CONFIG: .*cannot be read"):
        Settings.read({"PBEM_CONFIG": str(tmp_path / "none.toml")})
    (tmp_path / "latin.toml").write_bytes(b"address = '\xff'")
    with pytest.raises(BadSetting, match=r"^PBEM_CONFIG: .*cannot be read"):
        Settings.read({"PBEM_CONFIG": str(tmp_path / "latin.toml")})


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+psycopg://pbem:hush@127.0.0.1:54x2/pbem",
        "postgresql+psycopg://pbem:hush@[::/x",
        "postgresql+psycopg://pbem:54x2/pbem",
    ],
)
def test_a_database_url_that_nobody_can_read_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(BadSetting, match=r"^PBEM_DATABASE_URL: must be like ") as raised:
        read(database_url=url)
    assert "hush" not in str(raised.value)
    assert "54x2" not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "text", "masked"),
    [
        ("secret_key", f"{KEY},another {KEY}", "***,***"),
        ("push_private_key", "hunter2" + "a" * 36, "***"),
        ("relay_url", "smtp://user:hunter2@mail.example.org:587", "smtp://user:***@mail.example.org:587"),
        ("relay_url", "smtp://user:hun@ter2@mail.example.org", "smtp://user:***@mail.example.org"),
        ("database_url", "postgresql+psycopg://u:hun/ter2@h/db", "postgresql+psycopg://u:***@h/db"),
        ("database_url", "postgresql+psycopg:///db?password=hunter2&x=y", "postgresql+psycopg:///db?password=***&x=y"),
        ("database_listen_url", "postgresql+psycopg://u:hun/ter2@h/db", "postgresql+psycopg://u:***@h/db"),
        ("database_read_url", "postgresql+psycopg://u:hun/ter2@h/db", "postgresql+psycopg://u:***@h/db"),
        ("alarm_webhook", "slack:https://hooks.slack.com/hunter2", "slack:***"),
        ("relay_url", "smtp://mail.example.org", "smtp://mail.example.org"),
    ],
)
def test_secrets_are_masked(name: str, text: str, masked: str) -> None:
    more = {"push_contact": "admin@example.org"} if name == "push_private_key" else {}
    settings = read(**{name: text}, **more)
    assert shown(settings)[f"PBEM_{name.upper()}"] == (masked, "environment")
    for secret in ("hun", "ter2", KEY):
        assert secret not in repr(settings)
        assert secret not in str(settings.rows())


def test_every_setting_is_shown_once() -> None:
    assert [name for name, _, _ in Settings().rows()] == [f"PBEM_{name.upper()}" for name in NAMES]


@pytest.mark.parametrize("name", NAMES)
def test_the_example_file_explains_the_setting_and_shows_its_default(name: str) -> None:
    value, comment = explained()[name]
    assert 1 <= len(comment) <= 4, comment
    written: Any = tomllib.loads(f"{name} = {value}")[name]
    default, _ = shown(Settings())[f"PBEM_{name.upper()}"]
    says_no_default = "No default" in " ".join(comment)
    assert says_no_default == default.startswith("(")
    if not says_no_default:
        assert (str(written).lower() if isinstance(written, bool) else str(written)) == default


def test_the_example_file_knows_no_other_setting_and_fits_a_terminal() -> None:
    assert sorted(explained()) == sorted(NAMES)
    lines = EXAMPLE.read_text().split("\n")
    assert max(map(len, lines)) <= 79
    assert EXAMPLE.read_text().isascii()


def test_the_example_file_loads_as_it_is_and_with_every_line_taken_in(tmp_path: Path) -> None:
    assert Settings.read({"PBEM_CONFIG": str(EXAMPLE)}) == Settings()
    content = re.sub(r"(?m)^#(?=[a-z_]+ = )", "", EXAMPLE.read_text())
    settings = from_file(tmp_path, content)
    assert set(settings.sources) == set(NAMES)
    assert settings.operator == "admin@example.org"


def test_doors_are_shown_as_they_are_written() -> None:
    settings = read(lmtp_listen="unix:/run/pbem/lmtp", smtp_listen="[::1]:25", lmtp_socket_mode="660")
    told = shown(settings)
    assert told["PBEM_LMTP_LISTEN"][0] == "unix:/run/pbem/lmtp"
    assert told["PBEM_SMTP_LISTEN"][0] == "[::1]:25"
    assert told["PBEM_LMTP_SOCKET_MODE"][0] == "660"


def test_the_password_of_a_mailbox_is_never_shown() -> None:
    settings = read(mailbox_url="imaps://club:apple-pie@imap.example.org/INBOX", mailbox_password="apple-tart")
    assert "apple" not in str(settings)
    assert shown(settings)["PBEM_MAILBOX_URL"][0] == "imaps://club:***@imap.example.org:993/INBOX"
    assert shown(settings)["PBEM_MAILBOX_PASSWORD"][0] == "***"
    for wrong in (
        "imaps://apple-pie",
        "imaps://club:apple-pie@host:x/",
        "pop://club:apple-pie@host/",
        "imaps://:apple-pie@h/",
    ):
        with pytest.raises(BadSetting) as refused:
            read(mailbox_url=wrong)
        assert "apple" not in str(refused.value)
