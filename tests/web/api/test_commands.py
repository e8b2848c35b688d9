from __future__ import annotations

import time
from datetime import timedelta

import pytest

from pbem.commands.internal import BanPlayer, FreezePlayer
from pbem.domain.credentials import MOST_POSTS
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.signing_in import MOST_TOKENS
from pbem.web.api.commands import MOST_BYTES
from tests.support.web_site import WebClient, WebSite
from tests.web.api.requests import make, post


def revoke(browser: WebClient, name: str) -> None:
    token = browser.opens("/settings/tokens").all("//input[@name='token']/@value")[0]
    assert browser.asks("/settings/tokens", "POST", data={"token": token, "revoke": name}).status_code == 303


@pytest.fixture
def site(site: WebSite) -> WebSite:
    site.joins("alice", "bob")
    return site


def test_a_program_plays_with_a_token(site: WebSite) -> None:
    secret = make(site.browser("alice"))
    tool = site.guest()
    begun = post(tool, secret, "mambo challenge bob").json()
    assert begun["answers"][0]["name"] == "new_board"
    assert begun["mailed"] == 1
    board = tool.asks("/boards/101.json").json()
    first = board["players"][board["state"]["to_act"]]["userid"]
    if first == "bob":
        site.moves(101, "A1")
        site.moves(101)
    moves = len(tool.asks("/boards/101.json").json()["record"]["turns"])
    step = tool.asks("/boards/101.json").json()["state"]["legal"][0]
    told = post(tool, secret, f"move 101 {step}#{moves + 1}\nGood luck!")
    assert told.status_code == 200
    assert step in told.json()["answers"][0]["text"]
    assert len(tool.asks("/boards/101.json").json()["record"]["turns"]) == moves + 1


def test_a_refusal_is_a_problem_with_the_words_of_the_mail(site: WebSite) -> None:
    tool, secret = site.guest(), make(site.browser("alice"))
    answer = post(tool, secret, "move 999 A1")
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_board")
    assert "999" in answer.json()["answers"][0]["text"]
    assert post(tool, secret, "frobnicate 101").status_code == 400
    assert post(tool, secret, "").status_code == 400


@pytest.mark.parametrize("shown", ["", "pbem_guess", "x" * 5000])
def test_without_a_good_token_nothing_is_done(site: WebSite, shown: str) -> None:
    answer = post(site.guest(), shown, "mambo challenge bob")
    assert (answer.status_code, answer.json()["code"]) == (401, "no_such_token")
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert site.guest().asks("/boards.json").json()["boards"] == []


def test_a_cookie_is_no_token(site: WebSite) -> None:
    assert post(site.browser("alice"), "", "mambo challenge bob").status_code == 401


def test_another_player_cannot_be_named_without_his_password(site: WebSite) -> None:
    secret = make(site.browser("alice"))
    site.begins("mambo", "alice", "bob")
    answer = post(site.guest(), secret, "mambo resign 101 bob guessed")
    assert answer.status_code == 403
    assert "guessed" not in answer.text
    assert site.guest().asks("/boards/101.json").json()["result"] is None


def test_what_a_player_must_agree_to_is_asked_by_mail(site: WebSite) -> None:
    secret = make(site.browser("alice"))
    told = post(site.guest(), secret, "signoff").json()
    assert told["mailed"] == 1
    assert site.guest().asks("/players/alice.json").json()["standing"] == "active"
    told = post(site.guest(), secret, "data").json()
    assert told["mailed"] == 1
    assert "@" not in str(told)


def test_a_post_that_comes_again_is_carried_out_once(site: WebSite) -> None:
    secret, tool = make(site.browser("alice")), site.guest()
    first = post(tool, secret, "mambo challenge bob", idempotency_key="one")
    site.waits(timedelta(minutes=5))
    again = post(tool, secret, "mambo challenge bob", idempotency_key="one")
    assert again.json() == first.json()
    assert again.headers["idempotency-replayed"] == "true"
    assert len(tool.asks("/boards.json").json()["boards"]) == 1
    other = post(tool, secret, "superbo challenge bob", idempotency_key="one")
    assert (other.status_code, other.json()["code"]) == (422, "key_used")
    assert post(tool, secret, "superbo challenge bob", idempotency_key="two").status_code == 200
    assert post(tool, secret, "move 999 A1", idempotency_key="three").status_code == 404
    assert post(tool, secret, "move 999 A1", idempotency_key="three").headers["idempotency-replayed"] == "true"


def test_a_key_is_forgotten_after_a_day(site: WebSite) -> None:
    secret, tool = make(site.browser("alice")), site.guest()
    post(tool, secret, "mambo challenge bob", idempotency_key="one")
    site.waits(timedelta(days=1, minutes=1))
    post(tool, secret, "mambo challenge bob", idempotency_key="one")
    assert len(tool.asks("/boards.json").json()["boards"]) == 2
    assert post(tool, secret, "games", idempotency_key="k" * 256).status_code == 400


def test_keys_of_one_token_are_none_of_another(site: WebSite) -> None:
    browser, tool = site.browser("alice"), site.guest()
    for name in ("one", "two"):
        post(tool, make(browser, name), "mambo challenge bob", idempotency_key="k")
    assert len(tool.asks("/boards.json").json()["boards"]) == 2


def test_a_token_brings_so_many_commands_a_minute(site: WebSite) -> None:
    secret, tool = make(site.browser("alice")), site.guest()
    for _ in range(MOST_POSTS):
        assert tool.asks(
            "/commands", "POST", content=b"standings", headers={"authorization": f"Bearer {secret}"}
        ).is_success
    answer = post(tool, secret, "standings")
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= 61
    site.waits(timedelta(minutes=1, seconds=1))
    assert post(tool, secret, "standings").status_code == 200


def test_too_much_at_once_is_refused(site: WebSite) -> None:
    secret = make(site.browser("alice"))
    assert post(site.guest(), secret, "x" * (MOST_BYTES + 1)).status_code == 413


def test_a_line_that_is_too_long_costs_nothing(site: WebSite) -> None:
    secret, began = make(site.browser("alice")), time.monotonic()
    answer = post(site.guest(), secret, "mamba preview new " + "> " * 31_900 + " x")
    assert time.monotonic() - began < 1
    assert (answer.status_code, answer.json()["code"]) == (400, "line_too_long")


@pytest.mark.parametrize(
    "text", ["\0", "\ud7ff\n" * 50, "multiple\nmove 101 A1\ngames", "end", "#", "- - -", "yes", "é\u202e"]
)
def test_strange_words_are_answered_kindly(site: WebSite, text: str) -> None:
    assert post(site.guest(), make(site.browser("alice")), text).status_code in (200, 400, 403, 404)


def test_a_page_shows_a_secret_once_and_nobody_keeps_it(site: WebSite) -> None:
    browser = site.browser("alice")
    secret = make(browser)
    page = browser.asks("/settings/tokens")
    assert secret not in page.text
    assert page.headers["cache-control"] == "no-store"
    with site.server.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM tokens").all()
    assert secret not in str(rows)
    post(site.guest(), secret, "standings")
    assert "never" not in browser.opens("/settings/tokens").all("//td")


def test_names_are_words_and_there_are_not_too_many(site: WebSite) -> None:
    browser = site.browser("alice")
    token = browser.opens("/settings/tokens").all("//input[@name='token']/@value")[0]
    for name in ("", " ", "<b>bold</b>", "x" * 41, "\x07\u202e", "-robot"):
        answer = browser.asks("/settings/tokens", "POST", data={"token": token, "name": name})
        assert answer.status_code == 409, name
        assert "<b>bold" not in answer.text
    make(browser, "robot")
    assert browser.asks("/settings/tokens", "POST", data={"token": token, "name": "Robot"}).status_code == 409
    for number in range(1, MOST_TOKENS):
        make(browser, f"robot {number}")
    assert browser.asks("/settings/tokens", "POST", data={"token": token, "name": "one more"}).status_code == 409
    assert "the most you can have" in browser.opens("/settings/tokens").text


def test_a_revoked_token_is_none(site: WebSite) -> None:
    browser = site.browser("alice")
    secret = make(browser)
    post(site.guest(), secret, "standings", idempotency_key="k")
    revoke(browser, "robot")
    assert post(site.guest(), secret, "standings").status_code == 401
    revoke(browser, "robot")


def test_nobody_revokes_tokens_of_others(site: WebSite) -> None:
    secret = make(site.browser("alice"))
    revoke(site.browser("bob"), "robot")
    assert post(site.guest(), secret, "standings").status_code == 200


def test_a_form_of_another_site_makes_no_token(site: WebSite) -> None:
    browser = site.browser("alice")
    assert browser.asks("/settings/tokens", "POST", data={"name": "evil"}).status_code == 403
    answer = site.guest().asks("/settings/tokens")
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/sign-in")


def test_tokens_end_with_the_account(site: WebSite) -> None:
    secret = make(site.browser("alice"))
    post(site.guest(), secret, "standings", idempotency_key="k")
    site.does(None, lambda context: dispatch(BanPlayer("alice"), context))
    assert post(site.guest(), secret, "standings").status_code == 401
    with site.server.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM token_posts").scalar() == 0


def test_who_is_frozen_looks_on(site: WebSite) -> None:
    secret = make(site.browser("alice"))
    site.does(None, lambda context: dispatch(FreezePlayer("alice"), context))
    answer = post(site.guest(), secret, "mambo challenge bob")
    assert (answer.status_code, answer.json()["code"]) == (403, "account_frozen")
    assert post(site.guest(), secret, "standings").status_code == 200


def test_a_command_whose_question_is_not_mailed_any_more_is_refused(site: WebSite) -> None:
    secret, tool = make(site.browser("alice")), site.guest()
    statuses = [post(tool, secret, "signoff").status_code for _ in range(20)]
    assert statuses == [200] * 20
    answer = post(tool, secret, "signoff")
    assert answer.status_code == 403
    assert answer.json()["code"] == "too_many_questions"
    assert answer.json()["answers"][-1]["name"] == "no_more_questions"
