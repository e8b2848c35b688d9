"""``pbem admin players`` beside a running server."""

from __future__ import annotations

import pytest

from tests.cli.admin import admin, done, in_a_process, refused, told
from tests.conversations.playing import begin
from tests.support.server import GameServer


def test_who_is_frozen_can_do_nothing_until_he_is_free_again(shared: GameServer) -> None:
    table = begin(shared, "fay", "gus")
    ended = in_a_process(shared.folder, "players", "freeze", "FAY", "--reason", "Please answer my letter first.")
    assert (ended.returncode, ended.stdout) == (0, "FAY is frozen; 2 mails are on the way\n")
    mail, other = table.one.hears(), table.other.hears()
    assert mail.subject == "Your account is frozen"
    assert "Please answer my letter first." in mail.text
    assert f"Your boards: {table.number}" in mail.text
    assert "fay cannot play at present; until that changes, the clocks of this board are stopped." in other.words
    assert "I'll tell you when the game goes on." in other.words
    assert "Please answer" not in other.text
    assert [each["userid"] for each in told(shared.folder, "boards", "show", table.number)["clocks_stand"]] == ["fay"]
    table.one.answers(table.one_mail, "B3")
    assert "frozen" in table.one.hears().words
    assert told(shared.folder, "boards", "show", table.number)["moves"] == 0

    done(shared.folder, "players", "unfreeze", "fay")
    assert table.one.hears().subject == "Your account is free again"
    assert "fay can play again" in table.other.hears().words
    table.one.answers(table.one_mail, "B3")
    assert table.other.hears().subject == f"superbo Board {table.number} gus"
    assert told(shared.folder, "boards", "show", table.number)["clocks_stand"] == []


def test_who_is_banned_forfeits_what_he_plays_and_declines_what_he_has_not_begun(shared: GameServer) -> None:
    table = begin(shared, "hal", "ida")
    table.play("B3", "C4,K5")
    table.other.says("superbo challenge ida hal")
    fresh = table.other.hears().subject.split()[3]
    table.one.hears()
    done(shared.folder, "players", "ban", "hal", "--reason", "You were warned.")
    mails = {mail.subject: mail for mail in (table.one.hears(), table.one.hears(), table.one.hears())}
    assert "You were warned." in mails["Your account is closed"].text
    opponents = [table.other.hears(), table.other.hears()]
    assert {mail.subject for mail in opponents} == {f"superbo Board {table.number}", f"superbo Board {fresh}"}
    lost = next(mail for mail in opponents if mail.subject.endswith(table.number))
    assert "You won! The operator of this server ended the game." in lost.words
    shown = told(shared.folder, "boards", "show", table.number)
    assert (shown["ending"], shown["winners"]) == ("forfeited", ["ida"])
    assert told(shared.folder, "boards", "show", fresh)["ending"] == "declined"
    table.one.says("superbo challenge ida")
    assert "Nothing has changed." in table.one.hears().words

    done(shared.folder, "players", "unban", "hal")
    assert table.one.hears().subject == "Your account is open again"
    assert told(shared.folder, "boards", "show", table.number)["ending"] == "forfeited"


def test_who_gets_no_mail_stops_the_clocks_of_his_boards(shared: GameServer) -> None:
    table = begin(shared, "jan", "kit")
    done(shared.folder, "players", "stop-mail", "jan")
    assert table.one.hears().subject == "No more mail from me"
    assert "My mails do not reach jan at present." in table.other.hears().words
    shown = told(shared.folder, "players", "show", "jan")
    assert (shown["mail_stopped"], shown["unreachable"]) == (True, True)
    assert shown["clocks_stand"] == [int(table.number)]
    assert done(shared.folder, "players", "address", "jan", "jan@example.org").endswith("; no mail is on the way\n")
    table.one.says(f"move {table.number} jan secret B3")
    table.other.hears()
    assert table.one.hears_nothing()

    done(shared.folder, "players", "allow-mail", "jan")
    mail = table.one.hears()
    assert mail.subject == "You get mail from me again"
    assert f"Your boards: {table.number}" in mail.words
    assert "come back" not in mail.words
    assert table.one.hears_nothing()
    assert told(shared.folder, "players", "show", "jan")["clocks_stand"] == []


def test_an_address_is_replaced_and_old_and_new_are_told(shared: GameServer) -> None:
    old = shared.player("lea")
    new = shared.person("lea.new")
    done(shared.folder, "players", "address", "lea", "Lea.New@example.org", "--reason", "As you asked by telephone.")
    taken, given = old.hears(), new.hears()
    assert taken.subject == given.subject == "Your address has been changed"
    assert "I no longer write to this one" in taken.words
    assert "lea.new" not in taken.text.lower()
    assert "As you asked by telephone." in given.text
    shown = told(shared.folder, "players", "show", "lea")["addresses"]
    assert [(each["address"], each["state"]) for each in shown] == [("Lea.New@example.org", "confirmed")]
    new.says("set")
    assert new.hears().subject == "Preferences of lea"
    old.says("set")
    assert old.hears().subject == "pbem error"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("freeze", "nobody"), 'Nobody here is called "nobody". (Upper and lower case make no difference in userids.)'),
        (("unfreeze", "max"), "The account max is active, so you cannot do this to it."),
        (("unban", "max"), "The account max is active, so you cannot do this to it."),
        (("allow-mail", "max"), "Mail to max is not stopped."),
        (("address", "max", "max@"), '"max@"'),
        (("address", "max", "pbem+x@localhost"), "pbem+x@localhost"),
        (("freeze", "max", "--reason", "a\x1b[2J"), "There are control characters in the reason."),
        (("freeze", "max", "--reason", "x" * 2001), "The reason has more than 2000 characters."),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_is_refused_in_one_sentence(shared: GameServer, words: tuple[str, ...], said: str) -> None:
    if not told(shared.folder, "players", "list", "max"):
        shared.player("max")
    before = told(shared.folder, "deeds")
    assert said in refused(shared.folder, "players", *words)
    assert told(shared.folder, "deeds") == before


def test_who_is_banned_can_take_his_data_along_and_leave_and_never_comes_back(shared: GameServer) -> None:
    vic = shared.player("vic")
    done(shared.folder, "players", "ban", "VIC")
    vic.hears()
    vic.says("data")
    vic.answers(vic.hears(), "yes")
    assert vic.hears().subject == "What this server holds about vic"
    for line in ("signup vic2 secret", "signup vic2 secret vic.new@example.org"):
        vic.says(line)
        assert "cannot be used for an account here" in vic.hears().words
    friend, newcomer = shared.player("vics-friend"), shared.person("vics-other")
    for line in (f"add {vic.address}", f"change address {vic.address}"):
        friend.says(line)
        assert "cannot be used for an account here" in friend.hears().words
    vic.says("set vic secret legend=off")
    assert "closed your account" in vic.hears().words
    vic.says("signoff")
    vic.answers(vic.hears(), "yes")
    assert vic.hears().subject == "Goodbye, vic"
    shown = told(shared.folder, "players", "show", "vic")
    assert (shown["standing"], shown["addresses"], shown["has_password"]) == ("banned", [], False)
    newcomer.says("signup vic secret")
    assert "vic" in newcomer.hears().words
    assert told(shared.folder, "players", "show", "vic")["addresses"] == []
    assert "is gone, so you cannot do this" in refused(shared.folder, "players", "unban", "vic")
    assert "is gone, so you cannot do this" in refused(shared.folder, "players", "address", "vic", "v@example.org")


def test_who_gets_no_mail_is_removed_by_the_operator_and_the_others_are_told(shared: GameServer) -> None:
    table = begin(shared, "wim", "xia")
    table.play("B3", "C4,K5")
    done(shared.folder, "players", "stop-mail", "wim")
    table.hear()
    table.one.says("signoff wim secret")
    assert table.one.hears_nothing()
    assert done(shared.folder, "players", "remove", "wim").startswith("wim is removed; ")
    assert "You won! The operator of this server ended the game." in table.other.hears().words
    assert table.one.hears_nothing()
    shown = told(shared.folder, "players", "show", "wim")
    assert (shown["standing"], shown["addresses"], shown["boards"]) == ("gone", [], [])
    assert told(shared.folder, "deeds", "--limit", "1")[0]["deed"] == "player remove"
    assert "is gone" in refused(shared.folder, "players", "remove", "wim")
    assert "wim@example.org" not in done(shared.folder, "letters", "--limit", "1000")


def test_who_is_removed_and_can_be_told_is_told_why(shared: GameServer) -> None:
    yan = shared.player("yan")
    done(shared.folder, "players", "remove", "yan", "--reason", "As you asked by telephone.")
    mail = yan.hears()
    assert mail.subject == "Your account is removed"
    assert "As you asked by telephone." in mail.text
    assert "have been deleted" in mail.words


def test_players_are_found_by_userid_and_by_address(shared: GameServer) -> None:
    shared.player("nora")
    for text in ("nor", "NORA@EXAMPLE"):
        assert [each["userid"] for each in told(shared.folder, "players", "list", text)] == ["nora"]
    assert told(shared.folder, "players", "list", "nor%") == []
    assert "nora" in done(shared.folder, "players", "list", "--standing", "active")
    assert done(shared.folder, "players", "list", "nora", "--standing", "banned") == "There is no such player.\n"


def test_an_account_is_shown_with_its_last_letters_and_mails_and_no_password(shared: GameServer) -> None:
    ola = shared.player("ola", "hush")
    ola.says("set ola hush mail=text")
    ola.hears()
    shown = told(shared.folder, "players", "show", "ola")
    assert (shown["standing"], shown["has_password"], shown["preferences"]) == ("active", True, {"mail": "text"})
    assert {each["state"] for each in shown["letters"]} == {"done"}
    assert shown["mails"][-1]["recipient"] == "ola@example.org"
    printed = done(shared.folder, "players", "show", "ola")
    assert "hush" not in printed
    assert "mail=text" in printed


def test_every_deed_is_noted_with_who_did_it_and_why(shared: GameServer) -> None:
    shared.player("pam")
    done(shared.folder, "players", "freeze", "PAM", "--reason", "So.")
    last = told(shared.folder, "deeds", "--limit", "1")
    assert [(each["deed"], each["subject"], each["reason"]) for each in last] == [("player freeze", "pam", "So.")]
    assert last[0]["operator"]
    assert "player freeze" in done(shared.folder, "deeds")


def test_misuse_is_told_apart_from_failure(shared: GameServer) -> None:
    assert admin(shared.folder, "players", "address", "max").exit_code == 2
    assert admin(shared.folder, "players", "melt", "max").exit_code == 2
    assert admin(shared.folder, "--json", "players", "list").exit_code == 2
