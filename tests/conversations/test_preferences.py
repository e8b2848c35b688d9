"""``set``: players say what their mails look like."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.conversations.playing import begin, form
from tests.support.mail import Mail
from tests.support.server import GameServer


def types(mail: Mail) -> list[str]:
    """The kinds of the parts that say something."""
    return [part.get_content_type() for part in mail.parsed.walk() if not part.is_multipart()]


def test_what_is_set_by_password_holds_for_every_mail_from_then_on(shared: GameServer) -> None:
    table = begin(shared, "tex", "hanna")
    assert types(table.one_mail) == types(table.other_mail) == ["text/plain", "text/html", "image/png"]
    table.one.says("set TEX secret mail=text legend=off")
    answer = table.one.hears()
    assert answer.subject == "Preferences of tex"
    assert "Done." in answer.text
    assert "\n  mail=text " in answer.text
    table.other.says("set hanna secret mail=html board=picture describe=on")
    table.other.hears()
    table.play("b3")
    assert types(table.one_mail) == ["text/plain"]
    assert "The states of a tile" not in table.one_mail.text
    assert types(table.other_mail) == ["text/html", "image/png"]
    assert "`--" not in table.other_mail.html.partition("The states of a tile")[0]
    assert "<li" in table.other_mail.html.partition("The groups, the largest first")[2]


def test_without_a_key_it_shows_what_is_chosen_and_what_there_is(shared: GameServer) -> None:
    una = shared.player("una")
    una.says("set")
    shown = una.hears()
    assert shown.subject == "Preferences of una"
    assert "\n  board=both " in shown.text
    assert "\n    set describe=off|on\n" in shown.text


def test_times_are_shown_as_the_clock_of_the_reader_shows_them(shared: GameServer) -> None:
    table = begin(shared, "yuri", "yola")
    table.one.says("set yuri secret timezone=asia/KATHMANDU digest=off broadcast=off")
    answer = table.one.hears()
    assert "\n  timezone=Asia/Kathmandu\n                     timezone of the times in my mails\n" in answer.text
    table.one.says(f"mailed {table.number} yuri secret")
    mailed = table.one.hears()
    assert "Times are in Asia/Kathmandu" in mailed.words
    now = datetime.now(ZoneInfo("Asia/Kathmandu"))
    assert any(f"\n  {each:%Y-%m-%d %H}:" in mailed.text for each in (now, now - timedelta(hours=1)))


def test_without_proof_it_is_asked_back_and_done_after_one_reply(shared: GameServer) -> None:
    vera = shared.player("vera")
    vera.says("set describe=on legend=off")
    question = vera.hears()
    assert question.subject == "Please confirm, vera: set"
    assert "\n    set describe=on legend=off\n" in question.text
    vera.says("set")
    assert "\n  describe=off " in vera.hears().text
    vera.answers(question, "yes")
    assert "\n  describe=on " in vera.hears().text


def test_the_reply_address_of_a_board_proves_nothing_about_the_mails_of_its_player(shared: GameServer) -> None:
    table = begin(shared, "rita", "rob")
    table.one.answers(table.one_mail, "set mail=text")
    assert table.one.hears().subject == "Please confirm, rita: set"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (
            "colour=red",
            (
                'There is no preference "colour". You can set mail, board, legend, layout, describe, language, '
                "digest, timezone and broadcast."
            ),
        ),
        ("legend=off mail=loud", '"loud" is not a value of mail. Use both, text or html.'),
        ("timezone=paris", 'I do not know the timezone "paris". Did you mean Europe/Paris?'),
        ("timezone=UTC timezone=europe/paris", "timezone=UTC contradicts timezone=Europe/Paris"),
        ("mail=html legend=on MAIL=text", "mail=html contradicts mail=text: a preference can have only one"),
        ("mail=loud timezone=paris colour=red", '"loud" is not a value of mail. Use both, text or html.'),
        ("colour=red  timezone=paris mail=loud", 'I do not know the timezone "paris". Did you mean Europe/Paris?'),
        ("legend=maybe timezone=paris colour=red", 'There is no preference "colour".'),
        ("describe", 'I cannot read "describe" as a setting.'),
    ],
)
def test_what_cannot_be_set_is_explained_and_nothing_changes(shared: GameServer, words: str, reason: str) -> None:
    walt = shared.player(f"walt{len(words)}")
    walt.vouched = True
    walt.says(f"set {words}")
    refusal = walt.hears()
    assert reason in refusal.words
    assert form("set") in refusal.text
    walt.says("set")
    assert "\n  legend=first " in walt.hears().text


def test_who_is_unknown_or_has_the_wrong_password_sets_nothing(shared: GameServer) -> None:
    shared.player("xenia")
    mallory = shared.person("mallory")
    mallory.says("set mail=text")
    assert "I do not know the address that you wrote from" in mallory.hears().words
    mallory.says("set xenia hunter2 mail=text")
    refusal = mallory.hears()
    assert "do not match" in refusal.words
    assert "hunter2" not in refusal.raw.decode()
