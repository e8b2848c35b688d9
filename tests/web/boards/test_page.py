"""The page of a board: looked at, stepped through, drafted and played on, without a script."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from lxml import html

from pbem.bootstrap.parts import policy
from pbem.domain.records import record_of
from pbem.games.plans import MOST_OF_PLAN
from pbem.games.records import to_json
from pbem.usecases.imports import GamesHere, import_line
from pbem.usecases.opponents import open_robots
from pbem.web.security import TOKEN
from tests.conversations.mamba import OPENINGS
from tests.storage.stock import WON
from tests.support.web_site import WebPage, WebSite
from tests.web.boards.drafting import begun, sends
from tests.web.visiting import fills, shown, with_robots


def buttons(page: WebPage) -> list[str]:
    return page.all("//aside//button | //aside//a[contains(@class, 'danger')]")


def test_a_guest_looks_and_is_offered_nothing(site: WebSite) -> None:
    number, (first, second) = begun(site)
    page = site.guest().opens(f"/boards/{number}")
    assert f"It's {first}'s move." in page.text
    assert page.find("//svg//a[@aria-label='Space A: 3 states can be laid']")
    assert buttons(page) == ["Show it"]
    assert second in page.text


def test_a_turn_is_put_together_step_by_step_by_links_alone(site: WebSite) -> None:
    number, (first, _) = begun(site)
    browser = site.browser(first)
    page = browser.opens(f"/boards/{number}?pick=B")
    assert [each.split()[-1] for each in page.all("//ul[@class='choices']/li")] == [f"B{n}" for n in (2, 3, 4)]
    page = browser.opens(page.all("//a[@data-step='B3']/@href")[0])
    assert page.find("//*[@class='ghost']")
    assert "The whole turn: B3." in page.text
    assert page.all("//div[@class='by-mail']/pre") == [
        f"move {number} B3#1",
        f"superbo move {number} {first} <password> B3#1",
    ]
    assert page.all("//p[@class='back']/a[1]/@href") == [f"/boards/{number}"]
    answer = sends(page, browser, "Play B3", comment="Good luck!\r\nHave fun.")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/boards/{number}")
    assert f"Last: move 1 by {first}, B3." in browser.opens(f"/boards/{number}").text


def test_a_draft_is_said_to_be_unsent_and_one_that_was_sent_to_be_played(site: WebSite) -> None:
    number, (first, second) = begun(site)
    browser, turn = site.browser(first), "B3"
    page = browser.opens(f"/boards/{number}?turn={turn}")
    assert "Not sent yet." in page.text
    assert page.all("//p[@id='in-words']")[0].startswith("Not sent yet.")
    sends(page, browser, f"Play {turn}")
    back = browser.opens(f"/boards/{number}?turn={turn.lower()}")
    assert back.all("//p[@class='toast']") == ["You have already played that turn."]
    assert not back.find("//*[@role='alert']")
    other = site.browser(second).opens(f"/boards/{number}?turn={turn}")
    assert other.find("//*[@role='alert']"), "it is somebody else's"


def test_what_a_tile_would_bring_about_is_seen_and_told_before_it_is_laid(site: WebSite) -> None:
    number, (first, _) = begun(site)
    site.moves(number, "b3", "c4,k5")
    page = site.browser(first).opens(f"/boards/{number}?pick=H")
    drawn = page.find("//svg//*[@class='turning']/a")
    steps = [link.get("data-step") for link in drawn]
    assert steps[:2] == ["H2", "H3"]
    assert [len(link.xpath(".//*[@class='by-itself']")) for link in drawn] == [1] * len(steps)
    told = "H3: orange bridge from left to upper right, blue tip lower right"
    assert drawn[1].get("aria-label") == f"{told}, then automatically J6"
    assert f"{told}, then automatically J6" in page.all("//ul[@class='choices']//a/@aria-label")
    assert "H3 brings J6" in page.all("//ul[@class='choices']//a")
    laid = site.browser(first).opens(f"/boards/{number}?turn=H3")
    assert "H3, then automatically J6." in laid.text


def test_one_step_is_taken_back_at_a_time(site: WebSite) -> None:
    number, (_first, second) = begun(site)
    site.moves(number, "b3")
    page = site.browser(second).opens(f"/boards/{number}?turn=c4")
    assert "One more tile must be laid: choose its space." in page.text
    assert f"By mail: move {number} C4, followed by the rest of the turn." in page.text
    assert "Play C4" not in buttons(page)
    page = site.browser(second).opens(f"/boards/{number}?turn=c4,k5")
    assert page.all("//p[@class='back']/a/@href")[:2] == [f"/boards/{number}?turn=C4", f"/boards/{number}"]
    assert "Play C4,K5" in buttons(page)


def test_what_fits_and_is_forbidden_is_shown_with_the_rule(site: WebSite) -> None:
    number, (first, _) = begun(site)
    page = site.browser(first).opens(f"/boards/{number}?pick=B")
    assert page.all("//*[@class='forbidden']//li") == ["B7", "B8", "B9"]
    assert not page.find("//*[@class='forbidden']//a")


def test_one_sentence_says_of_all_that_it_forbids_why(site: WebSite) -> None:
    number, (first, _) = begun(site)
    page = site.browser(first).opens(f"/boards/{number}?pick=B")
    (why,) = page.all("//*[@class='forbidden']/small")
    assert why.startswith("B7, B8, B9: x is missing. This turn is a single tile, so it must show both colours")


def test_a_space_where_nothing_may_be_laid_shows_what_would_fit_and_why_not(site: WebSite) -> None:
    number, (_, second) = begun(site)
    site.moves(number, "b3")
    browser = site.browser(second)
    closed = browser.opens(f"/boards/{number}?turn=c4").all("//a[@class='place closed']//@data-label")
    assert closed
    for place in closed:
        page = browser.opens(f"/boards/{number}?turn=c4&pick={place}")
        reasons = page.all("//*[@class='forbidden']/small")
        assert reasons
        assert len(reasons) == len(set(reasons)) < len(page.find("//*[@class='forbidden']//li"))


def test_what_cannot_be_read_or_played_is_refused_and_the_board_stands(site: WebSite) -> None:
    number, (first, _) = begun(site)
    browser = site.browser(first)
    for typed in ("zz99", "<script>", "b99", "b3/" * 100):
        page = browser.opens(f"/boards/{number}?turn={typed}")
        assert page.find("//*[@role='alert']")
        assert page.all("//input[@id='turn']/@value") == [typed]
        assert not page.find("//*[contains(@class, 'ghost')]")


def test_several_turns_can_be_tried_out_by_anybody(site: WebSite) -> None:
    number, (first, second) = begun(site)
    page = site.guest().opens(f"/boards/{number}?turn=b3/c4+k5/")
    assert f"{first}: B3" in page.text
    assert f"{second}: C4,K5" in page.text
    assert f"What could {first} play then? Nothing of this is sent." in page.text
    assert page.all("//div[@class='by-mail']/pre")[0] == f"preview {number} B3 / C4,K5"
    assert not page.find("//form[contains(@action, '/move')]")
    further = site.browser(first).opens(f"/boards/{number}?turn=b3/c4+k5")
    assert "Play B3" in buttons(further)
    assert f"/boards/{number}?turn=B3+%2F+C4" in further.all("//p[@class='back']/a/@href")
    assert site.board(number).event_number == 0


def test_the_options_of_a_board_are_told_one_by_one(site: WebSite) -> None:
    number, _ = begun(site, "mamba", "-size=11 -inorder")
    page = site.guest().opens(f"/boards/{number}")
    (options,) = page.find("//details[@class='options']")
    words = ["-size=11", "-inorder"]
    assert sorted(page.all("//details[@class='options']/summary/code")) == sorted(words)
    assert sorted(page.all("//details[@class='options']//dt")) == sorted(words)
    explained = " ".join(options.find("dl").text_content().split())
    variant = site.guest().opens("/games/mamba/variant?options=-size%3D11+-inorder")
    for meaning in variant.all("//dt[code='-size=11' or code='-inorder']/following-sibling::dd[1]"):
        assert len(meaning) > 10
        assert meaning in explained
    assert options.get("open") is None
    plain = site.begins("superbo", "alice", "bob")
    assert not site.guest().opens(f"/boards/{plain}").find("//details[@class='options']")


def test_a_move_is_queued_seen_by_its_owner_alone_and_cancelled(site: WebSite) -> None:
    number, (first, second) = begun(site)
    browser = site.browser(second)
    answer = sends(browser.opens(f"/boards/{number}?turn=b3/c4+k5"), browser, "Queue C4,K5 whatever is played")
    assert answer.status_code == 303
    page = browser.opens(f"/boards/{number}")
    assert "Queued for your turn, and seen by nobody else: C4,K5" in page.text
    assert "C4,K5" not in site.browser(first).opens(f"/boards/{number}").text
    assert "C4,K5" not in site.guest().opens(f"/boards/{number}").text
    sends(page, browser, "Cancel it")
    assert "Queued for your turn" not in browser.opens(f"/boards/{number}").text


def test_a_plan_is_typed_added_to_from_tried_moves_and_dropped(site: WebSite) -> None:
    number, (first, second) = begun(site)
    site.moves(number, "b3")
    browser, address = site.browser(first), f"/boards/{number}"
    typed = shown(sends(browser.opens(address), browser, "Keep this plan", plan="if c4,k5 then g2,h70"), 409)
    assert typed.all("//details[@open]//textarea[@id='plan']") == ["if c4,k5 then g2,h70"]
    sends(browser.opens(address), browser, "Keep this plan", plan="if c4,k5 then g2,h7\r\nelse k7,m2")
    page = browser.opens(f"{address}?planned=yes")
    assert page.all("//p[@class='toast']") == ["Your plan is kept."]
    assert planned(page) == "if c4,k5 then g2,h7\nelse k7,m2"
    assert page.all("//details[@open]/summary")[0] == "Your plan"
    sends(browser.opens(f"{address}?turn=c4+k5/g2+h7/d8+r10/a1+f4"), browser, "Plan this line")
    drawn = "if C4,K5 then G2,H7 (\n if D8,R10 then A1,F4)\nelse k7,m2"
    page = browser.opens(address)
    assert planned(page) == drawn
    sends(page, browser, "Keep this plan", plan=drawn)
    for other in (site.browser(second), site.guest()):
        assert "G2" not in other.opens(address).text
    refused = sends(browser.opens(address), browser, "Keep this plan", plan="if c4,k5 then g2,g2\n" + "x" * 5000)
    assert refused.status_code == 409
    assert planned(browser.opens(address)) == drawn
    answer = sends(browser.opens(address), browser, "Cancel it")
    page = browser.opens(answer.headers["location"])
    assert planned(page) == ""
    assert page.all("//p[@class='toast']") == ["Cancelled. You make your next move yourself."]
    assert browser.opens(f"{address}?planned=yes").all("//p[@class='toast']") == []
    assert "Plan your replies" in page.all("//details[not(@open)]/summary")


def test_a_plan_that_was_made_elsewhere_meanwhile_is_not_replaced_unseen(site: WebSite) -> None:
    number, (first, _) = begun(site)
    site.moves(number, "b3")
    browser, address = site.browser(first), f"/boards/{number}"
    old, draft = browser.opens(address), browser.opens(f"{address}?turn=c4+k5/g2+h7")
    sends(browser.opens(address), browser, "Keep this plan", plan="if c4,k5 then g2,h7")
    refused = shown(sends(old, browser, "Keep this plan", plan="if c4,* then k7,m2"), 409)
    assert "has changed since this page was made" in refused.text
    assert planned(refused) == "if c4,* then k7,m2"
    assert "Your plan, seen by nobody else: if c4,k5 then g2,h7" in refused.text
    queued = shown(sends(old, browser, "Queue it", move="k7,m2"), 409)
    assert queued.all("//input[@id='queue']/@value") == ["k7,m2"]
    told = shown(sends(draft, browser, "Queue G2,H7 whatever is played"), 409).text
    assert "has changed since this page was made" in told
    assert "it replaces that one" in told
    assert planned(browser.opens(address)) == "if c4,k5 then g2,h7"
    assert sends(refused, browser, "Keep this plan", plan="if c4,* then k7,m2").status_code == 303
    assert planned(browser.opens(address)) == "if c4,* then k7,m2"
    sends(browser.opens(address), browser, "Queue it", move="k7,m2")
    assert "has changed" in shown(sends(queued, browser, "Queue it", move="k7,m5"), 409).text
    assert "Queued for your turn, and seen by nobody else: k7,m2." in browser.opens(address).text


def test_what_is_left_of_a_plan_is_shown_where_a_reply_of_it_has_outdated_the_page(site: WebSite) -> None:
    number, (first, _) = begun(site)
    site.moves(number, "b3")
    browser, address = site.browser(first), f"/boards/{number}"
    sends(browser.opens(address), browser, "Keep this plan", plan="if c4,k5 then g2,h7 (if d8,r10 then a7,v6)")
    old = browser.opens(address)
    site.moves(number, "c4,k5")
    refused = shown(sends(old, browser, "Keep this plan", plan="else k7,m2"), 409)
    assert "Your plan, seen by nobody else: if D8,R10 then A7,V6" in refused.text


def test_one_tile_behind_else_is_pointed_out(site: WebSite) -> None:
    number, (first, _) = begun(site)
    site.moves(number, "b3")
    browser, address = site.browser(first), f"/boards/{number}"
    for button, fields in (
        ("Keep this plan", {"plan": "if c4,k5 then g2,h7\r\nelse k7"}),
        ("Queue it", {"move": "k7"}),
    ):
        sends(browser.opens(address), browser, button, **fields)
        assert "k7 is one tile, and a turn has two." in browser.opens(address).text


def test_words_below_a_move_stay_with_it_when_a_plan_replies(site: WebSite) -> None:
    number, (first, second) = begun(site)
    site.moves(number, "b3")
    browser = site.browser(first)
    sends(browser.opens(f"/boards/{number}"), browser, "Queue it", move="g2,h7")
    site.says(second, f"move {number} c4,k5", "Ha!")
    assert "with move 2 Ha!" in browser.opens(f"/boards/{number}").text


def test_a_line_that_is_planned_again_from_an_old_page_is_said_to_be_added(site: WebSite) -> None:
    number, (first, _) = begun(site)
    site.moves(number, "b3")
    browser, address = site.browser(first), f"/boards/{number}"
    sends(browser.opens(address), browser, "Keep this plan", plan="else k7,m2")
    draft = browser.opens(f"{address}?turn=c4+k5/g2+h7")
    assert sends(draft, browser, "Plan this line").status_code == 303
    refused = shown(sends(draft, browser, "Plan this line"), 409)
    assert "If you send this line again, it is added there" in refused.text
    assert "replaces" not in refused.text
    assert sends(refused, browser, "Plan this line").status_code == 303
    assert planned(browser.opens(address)) == "if C4,K5 then G2,H7\nelse k7,m2"


def test_a_queued_move_that_is_added_to_on_the_page_stays_made_for_the_move_that_was_named(site: WebSite) -> None:
    number, (first, second) = begun(site)
    site.moves(number, "b3")
    browser, address, told = site.browser(first), f"/boards/{number}", "Your reply is made only as move 3."
    site.says(first, f"queue {number} k7,m2#3")
    assert "Queued for your turn, and seen by nobody else: k7,m2, as move 3." in browser.opens(address).text
    sends(browser.opens(f"{address}?turn=c4+k5/g2+h7"), browser, "Plan this line")
    page = browser.opens(address)
    assert planned(page) == "if C4,K5 then G2,H7\nelse k7,m2"
    assert told in page.text
    sends(page, browser, "Keep this plan", plan="if C4,K5 then G2,H7\nelse k7,m5")
    assert told in browser.opens(address).text
    sends(browser.opens(address), browser, "Keep this plan", plan="else k7,m5")
    assert "k7,m5, as move 3." in browser.opens(address).text
    sends(browser.opens(address), browser, "Keep this plan", plan="if C4,K5 then G2,H7")
    assert told not in browser.opens(address).text
    site.says(first, f"queue {number} k7,m2#3")
    sends(browser.opens(f"{address}?turn=c4+k5/g2+h7"), browser, "Plan this line")
    site.says(first, f"undo {number}")
    site.says(second, f"accept {number}")
    site.moves(number, "b3")
    page = browser.opens(address)
    assert planned(page) == ""
    assert told not in page.text


@pytest.mark.parametrize(
    ("game", "options", "example"), [("superbo", "", "if C4,K5 then G2,H7"), ("mamba", "-inorder", "if … then …")]
)
def test_the_field_of_a_plan_shows_no_move_of_another_game(
    site: WebSite, game: str, options: str, example: str
) -> None:
    first, second = f"{game}-one", f"{game}-two"
    site.joins(first, second)
    page = site.browser(second).opens(f"/boards/{site.begins(game, first, second, options=options)}")
    assert page.all("//textarea[@id='plan']/@placeholder") == [example]


def planned(page: WebPage) -> str:
    """The plan as it stands in its field."""
    return page.find("//textarea[@id='plan']")[0].text or ""


def test_a_page_says_that_a_plan_has_replied_and_to_what(site: WebSite) -> None:
    number, (first, second) = begun(site)
    site.moves(number, "b3")
    browser, other, address = site.browser(first), site.browser(second), f"/boards/{number}"
    sends(browser.opens(address), browser, "Keep this plan", plan="if c4,k5 then g2,h7")
    site.moves(number, "c4,k5")
    told = f"{second} played C4,K5, and your plan replied with G2,H7."
    assert told in browser.opens(address).all("//p[@class='toast']")
    assert told not in other.opens(address).text
    for earlier in range(3):
        assert not browser.opens(f"{address}?move={earlier}").all("//p[@class='toast']"), earlier
    assert told in browser.opens(f"{address}?move=3").all("//p[@class='toast']")
    site.moves(number, "d8,r10")
    site.moves(number, "a1,f4")
    assert not browser.opens(address).all("//p[@class='toast']")


def test_a_page_of_a_game_that_is_over_no_longer_says_that_a_plan_has_replied(site: WebSite) -> None:
    number, (first, second) = begun(site)
    site.moves(number, "b3")
    browser, address = site.browser(first), f"/boards/{number}"
    sends(browser.opens(address), browser, "Keep this plan", plan="if c4,k5 then g2,h7")
    site.moves(number, "c4,k5")
    assert "your plan replied" in browser.opens(address).text
    other = site.browser(second)
    sends(other.opens(f"{address}/resign"), other, "Resign")
    over = browser.opens(address)
    assert "Rematch" in over.text
    assert "your plan replied" not in over.text


@pytest.mark.parametrize(
    ("button", "field", "words"),
    [("Keep this plan", "plan", "if C4,K5 then G2,H7"), ("Queue it", "move", "d1,p2")],
)
def test_a_plan_that_was_dropped_is_shown_to_its_owner_alone_until_they_move(
    site: WebSite, button: str, field: str, words: str
) -> None:
    number, (first, second) = begun(site)
    site.moves(number, "b3")
    browser, other, address = site.browser(first), site.browser(second), f"/boards/{number}"
    assert sends(browser.opens(address), browser, button, **{field: words}).status_code == 303
    site.moves(number, "d1,p2")
    told = "What you had planned no longer fitted the game"
    page = browser.opens(address)
    assert told in page.text
    assert page.all("//div[@class='toast']/pre") == [words]
    assert told not in browser.opens(f"{address}?move=1").text
    assert told not in other.opens(address).text
    site.moves(number, "g2,h7")
    assert told not in browser.opens(address).text


def test_a_plan_that_an_undo_has_overtaken_is_shown_until_another_is_made(site: WebSite) -> None:
    number, (first, second) = begun(site)
    site.moves(number, "b3")
    site.says(first, f"plan {number} if C4,K5 then G2,H7")
    site.says(first, f"undo {number}")
    site.says(second, f"accept {number}")
    browser, told = site.browser(second), "What you had planned no longer fitted the game"
    assert told not in browser.opens(f"/boards/{number}").text
    browser = site.browser(first)
    assert told in browser.opens(f"/boards/{number}").text
    site.moves(number, "b3")
    assert told not in browser.opens(f"/boards/{number}").text


def test_no_plan_is_said_to_have_replied_at_an_imported_board(site: WebSite) -> None:
    number, (_, second) = begun(site)
    site.moves(number, "b3", "c4,k5")
    board, parts = site.board(number), site.server.parts
    line = json.dumps(to_json(record_of(board, site.course(board)))).encode()
    with site.server.unit_of_work() as uow:
        decided = policy(parts.settings)
        copied = import_line(line, parts.games, GamesHere((), parts.courses), uow, site.now, policy=decided).board
        uow.commit()
    page = site.browser(second).opens(f"/boards/{copied.number}")
    assert "C4,K5" in page.text
    assert not page.all("//p[@class='toast']")


def test_a_line_behind_an_opponents_move_is_planned_first_of_all(site: WebSite) -> None:
    number, (first, _) = begun(site)
    site.moves(number, "b3")
    browser, address = site.browser(first), f"/boards/{number}"
    tried = browser.opens(f"{address}?turn=c4+k5/g2+h7")
    assert tried.all("//*[@class='send buttons']/button") == ["Plan this line", "Queue G2,H7 whatever is played"]
    assert tried.all("//*[@class='send buttons']/button[@class='main']") == ["Plan this line"]
    assert tried.all("//div[@class='by-mail']/pre")[0] == f"plan {number} add if C4,K5 then G2,H7"
    sends(tried, browser, "Plan this line")
    tried = browser.opens(f"{address}?turn=c4+k5/g2+h7")
    sends(tried, browser, "Queue G2,H7 whatever is played, and drop your plan")
    assert "Queued for your turn, and seen by nobody else: G2,H7" in browser.opens(address).text


def test_a_plan_below_a_move_stays_with_its_writer(site: WebSite) -> None:
    number, (first, second) = begun(site)
    browser, other, address = site.browser(first), site.browser(second), f"/boards/{number}"
    words = "Good luck!\r\nif c4,k5 then g2,h7\r\nelse k7,m2"
    answer = sends(browser.opens(f"{address}?turn=B3"), browser, "Play B3", comment=words)
    page = browser.opens(answer.headers["location"])
    assert page.all("//p[@class='toast']") == ["Your plan is kept."]
    assert planned(page) == "if c4,k5 then g2,h7\nelse k7,m2"
    assert "Good luck!" in other.opens(address).text
    assert "g2,h7" not in other.opens(address).text


@pytest.mark.parametrize(
    ("typed", "why", "left"),
    [
        ("if c4,k5 then g2,h70", "g2,h70", "if c4,k5 then g2,h70"),
        ("plan #9 if c4,k5 then g2,h7", "number 2", "if c4,k5 then g2,h7"),
    ],
)
def test_a_plan_below_a_move_that_is_not_kept_is_shown_to_be_mended(
    site: WebSite, typed: str, why: str, left: str
) -> None:
    number, (first, second) = begun(site)
    browser, other, address = site.browser(first), site.browser(second), f"/boards/{number}"
    answer = sends(browser.opens(f"{address}?turn=B3"), browser, "Play B3", comment=typed)
    assert answer.status_code == 303, "a reload does not send the move again"
    page = browser.opens(answer.headers["location"])
    (told,) = page.all("//*[@role='alert']")
    assert told.startswith("Your move is made, but I couldn't keep the plan below it.")
    assert why in told
    assert page.all("//details[@open]//textarea[@id='plan']") == [left]
    assert page.all("//p[@class='toast']") == []
    assert "1. B3" in page.text
    assert left not in other.opens(address).text
    mended = sends(page, browser, "Keep this plan", plan=left.replace("h70", "h7"))
    page = browser.opens(mended.headers["location"])
    assert page.all("//p[@class='toast']") == ["Your plan is kept."]
    assert page.all("//*[@role='alert']") == []


@pytest.mark.parametrize("words", ["note\r\nThey are weak on the left.", "Hello!\r\nmove 102 ann secret b3"])
def test_words_for_nobody_else_below_a_move_are_refused(site: WebSite, words: str) -> None:
    number, (first, second) = begun(site)
    browser, other, address = site.browser(first), site.browser(second), f"/boards/{number}"
    page = shown(sends(browser.opens(f"{address}?turn=B3"), browser, "Play B3", comment=words), 409)
    assert "I pass none of these on" in page.text
    assert "1. B3" not in other.opens(address).text


@pytest.mark.parametrize("words", ["if C4,K5, G2,H7", "S'il joue C4,K5, G2,H7", "Note to self: G2,H7 is strong"])
def test_words_that_may_be_a_plan_are_refused_below_a_move(site: WebSite, words: str) -> None:
    number, (first, second) = begun(site)
    browser, other, address = site.browser(first), site.browser(second), f"/boards/{number}"
    page = shown(sends(browser.opens(f"{address}?turn=B3"), browser, "Play B3", comment=words), 409)
    (told,) = page.all("//section[contains(@class, 'sheet')]//*[@role='alert']")
    assert told.startswith("Your words may hold a plan or a private note, and I pass neither on.")
    assert "G2,H7" not in other.opens(address).text
    sends(page, browser, "Play B3", comment=words)
    assert "G2,H7" in other.opens(address).text


def test_several_plans_below_a_move_stay_with_their_writer(site: WebSite) -> None:
    number, (first, second) = begun(site)
    browser, other, address = site.browser(first), site.browser(second), f"/boards/{number}"
    words = "Nice.\r\nif c4,k5 then g2,h7\r\nWell!\r\nif d8,r10 then a1,f4"
    sends(browser.opens(f"{address}?turn=B3"), browser, "Play B3", comment=words)
    text = other.opens(address).text
    assert "Well!" in text
    assert not {"g2,h7", "a1,f4"} & set(text.split())


def test_what_is_left_of_a_plan_is_shown_to_all_once_after_the_end_with_its_move(site: WebSite) -> None:
    number, (first, second) = begun(site)
    site.moves(number, "b3", "c4,k5", "g2,h7")
    browser, other, address = site.browser(first), site.browser(second), f"/boards/{number}"
    sends(browser.opens(address), browser, "Keep this plan", plan="if d8,r10 then a1,f4")
    assert "Show it to everyone here" not in buttons(browser.opens(address))
    sends(other.opens(f"{address}/resign"), other, "Resign")
    page = browser.opens(address)
    assert "What is left of your plan: if d8,r10 then a1,f4" in page.text
    assert "a1,f4" not in other.opens(address).text
    assert "Delete it" in buttons(page)
    sends(page, browser, "Show it to everyone here")
    for each in (browser, other):
        page = each.opens(address)
        (head,) = page.all("//p[@class='said-by']")
        assert head.endswith(": what was left of the plan after move 3")
        assert page.all("//p[@class='said-by']/a/@href")[-1] == "?move=3"
        assert page.all("//p[@class='words']") == ["if d8,r10 then a1,f4"]
        assert "What is left of your plan" not in page.text, "all have it now"


def deep(branches: int, condition: str) -> str:
    """A plan with so many branches behind 25 others; behind a ``*``, all may be possible."""
    return "if * then c3,d4 (" * 25 + "; ".join([f"if {condition} then g2,h7"] * branches) + ")" * 25


def test_a_long_plan_fits_its_field_and_is_shared_as_a_whole(site: WebSite) -> None:
    number, (first, second) = begun(site)
    site.moves(number, "b3", "c4,k5", "g2,h7")
    browser, other, address = site.browser(first), site.browser(second), f"/boards/{number}"
    typed = deep(175, "c4,k5 / d8,r10 / e2,aa1")
    sends(browser.opens(address), browser, "Keep this plan", plan=typed)
    page = browser.opens(address)
    drawn = planned(page)
    assert (len(typed) < len(drawn), len(drawn.split("\n"))) == (True, 200)
    assert len(drawn) <= int(page.all("//textarea[@id='plan']/@maxlength")[0])
    sends(other.opens(f"{address}/resign"), other, "Resign")
    sends(browser.opens(address), browser, "Show it to everyone here")
    assert other.opens(f"{address}?all=yes").all("//p[@class='words']") == [" ".join(drawn.split())]


def test_a_plan_that_no_field_could_hold_is_refused(site: WebSite) -> None:
    number, (first, _) = begun(site)
    site.moves(number, "b3")
    browser, address, typed = site.browser(first), f"/boards/{number}", deep(175, "c4,k5 / " * 8 + "b2")
    assert len(typed) < MOST_OF_PLAN
    refused = shown(sends(browser.opens(address), browser, "Keep this plan", plan=typed), 409)
    (told,) = refused.all("//*[@role='alert']")
    assert told.endswith("and at most 16,000 characters as I draw it.")
    assert planned(refused) == typed
    assert planned(browser.opens(address)) == ""


def test_buttons_stand_only_where_they_would_do_something(site: WebSite) -> None:
    number, (first, second) = begun(site)
    one, other = site.browser(first), site.browser(second)
    assert "Offer a draw" not in buttons(one.opens(f"/boards/{number}"))
    site.moves(number, "b3", "c4,k5")
    page = one.opens(f"/boards/{number}")
    assert {"Offer a draw", "Ask to take your last move back", "Resign \u2026"} <= set(buttons(page))
    sends(page, one, "Offer a draw")
    assert "Withdraw the offer" in buttons(one.opens(f"/boards/{number}"))
    asked = other.opens(f"/boards/{number}")
    assert {"Agree to the draw", "Refuse"} <= set(buttons(asked))
    assert "Please answer." in asked.text
    sends(asked, other, "Agree to the draw")
    page = other.opens(f"/boards/{number}")
    assert "The game is a draw: the players agreed on it." in page.text
    assert not {"Offer a draw", "Resign \u2026"} & set(buttons(page))


def test_who_resigns_is_asked_whether_he_means_it(site: WebSite) -> None:
    number, (first, second) = begun(site)
    site.moves(number, "b3", "c4,k5")
    browser = site.browser(second)
    page = browser.opens(f"/boards/{number}/resign")
    assert "It is not your turn" in page.text
    sends(page, browser, "Announce it")
    assert "Take your announced resignation back" in buttons(browser.opens(f"/boards/{number}"))
    sends(browser.opens(f"/boards/{number}"), browser, "Take your announced resignation back")
    one = site.browser(first)
    sends(one.opens(f"/boards/{number}/resign"), one, "Resign")
    assert "You resigned." in one.opens(f"/boards/{number}").text
    assert site.guest().asks(f"/boards/{number}/resign").status_code == 303


def test_words_are_shown_as_text_and_to_those_who_were_told(site: WebSite) -> None:
    number, (first, second) = begun(site)
    one, other = site.browser(first), site.browser(second)
    sends(one.opens(f"/boards/{number}?turn=b3"), one, "Play B3", comment="<script>alert(1)</script>")
    sends(other.opens(f"/boards/{number}"), other, "Send", comment="Hello\r\n<b>you</b>")
    page = one.opens(f"/boards/{number}")
    assert page.all("//p[@class='words']") == ["Hello <b>you</b>", "<script>alert(1)</script>"]
    assert not page.find("//p[@class='words']/*")
    assert page.all("//p[@class='said-by']/a[contains(@href, 'move=')]") == ["move 1"]
    assert "alert(1)" not in site.guest().opens(f"/boards/{number}").source
    site.says(first, f"block to {second}")
    assert one.opens(f"/boards/{number}").all("//p[@class='words']") == ["<script>alert(1)</script>"]


def test_a_page_stays_small_however_much_was_said(site: WebSite) -> None:
    number, (first, _) = begun(site)
    browser = site.browser(first)
    for count, turn in enumerate(("b3", "c4,k5", "g2,h7", "d8,r10")):
        site.moves(number, turn)
        sends(browser.opens(f"/boards/{number}"), browser, "Send", comment=f"{count} " + "x" * 3500)
    page = browser.opens(f"/boards/{number}")
    assert [each[0] for each in page.all("//p[@class='words']")] == ["3", "2"]
    whole = browser.opens(f"/boards/{number}" + page.all("//a[text()='2 older messages']/@href")[0])
    assert [each[0] for each in whole.all("//p[@class='words']")] == ["3", "2", "1", "0"]


def test_who_only_watches_subscribes_and_unsubscribes(site: WebSite) -> None:
    number, _ = begun(site)
    browser = site.browser("eve")
    sends(browser.opens(f"/boards/{number}"), browser, "Subscribe: mail me what happens here")
    page = browser.opens(f"/boards/{number}")
    assert "Subscribers: eve" in page.text
    sends(page, browser, "Unsubscribe")
    assert "Subscribers" not in browser.opens(f"/boards/{number}").text


def test_a_form_from_before_the_last_move_changes_nothing(site: WebSite) -> None:
    number, (first, _second) = begun(site)
    browser = site.browser(first)
    stale = browser.opens(f"/boards/{number}?turn=b3")
    site.moves(number, "b3")
    answer = sends(stale, browser, "Play B3")
    assert answer.status_code == 409
    (refusal,) = html.document_fromstring(answer.text).xpath('//*[@role="alert"]')
    assert "since you saw it" in refusal.text_content()
    assert "letter" not in refusal.text_content()
    assert site.board(number).event_number == 1


@pytest.mark.parametrize("path", ["move", "act"])
def test_a_form_of_another_site_changes_nothing(site: WebSite, path: str) -> None:
    number, (first, _) = begun(site)
    browser = site.browser(first)
    fields = {"turn": "b3", "verb": "resign", "event": "0"}
    assert browser.asks(f"/boards/{number}/{path}", "POST", data=fields).status_code == 403
    wrong = {**fields, TOKEN: "0" * 64}
    assert browser.asks(f"/boards/{number}/{path}", "POST", data=wrong).status_code == 403
    assert site.board(number).event_number == 0


def test_somebody_elses_board_is_not_his_to_play(site: WebSite) -> None:
    number, _ = begun(site)
    browser = site.browser("eve")
    page = browser.opens(f"/boards/{number}?turn=b3")
    assert "Play B3" not in buttons(page)
    token = page.all(f"//input[@name='{TOKEN}']/@value")[0]
    answer = browser.asks(f"/boards/{number}/move", "POST", data={"turn": "b3", TOKEN: token})
    assert answer.status_code == 409
    assert site.board(number).event_number == 0


def test_who_is_to_move_is_told_his_colour_and_how_many_tiles_he_lays(site: WebSite) -> None:
    number, (first, second) = begun(site)
    assert "O is your colour, and you lay one tile this turn." in site.browser(first).opens(f"/boards/{number}").text
    site.moves(number, "b3")
    assert "X is your colour, and you lay two tiles this turn." in site.browser(second).opens(f"/boards/{number}").text
    for other in (site.browser(first), site.guest()):
        assert "is your colour" not in other.opens(f"/boards/{number}").text


def test_who_is_asked_for_a_draw_answers_by_buttons_and_is_told_of_no_command(site: WebSite) -> None:
    number, (first, second) = begun(site)
    site.moves(number, "b3", "c4,k5")
    site.says(second, f"propose {number}")
    page = site.browser(first).opens(f"/boards/{number}")
    assert f"{second} offers a draw. Please answer." in page.text
    assert buttons(page)[:2] == ["Agree to the draw", "Refuse"]
    assert f"accept {number}" not in page.text
    assert buttons(site.browser(second).opens(f"/boards/{number}"))[:1] == ["Withdraw the offer"]


def test_the_players_of_a_board_that_is_over_are_led_to_another_game(site: WebSite) -> None:
    number, (first, _) = begun(site, options="-single")
    site.moves(number, "b3", "c4")
    site.says(first, f"resign {number}")
    assert "Rematch" not in site.browser("eve").opens(f"/boards/{number}").text
    browser = site.browser(first)
    assert "Rematch" in browser.opens(f"/boards/{number}").text
    answer = fills(browser, f"/boards/{number}", f"/boards/{number}/act", verb="again")
    begun_anew = site.board(number + 1)
    assert answer.headers["location"] == f"/boards/{number + 1}"
    assert dict(begun_anew.options) == {"single": True}


def test_whose_move_it_is_is_seen_once(site: WebSite) -> None:
    number, (first, second) = begun(site)
    told = "//div[@class='status']/p/text()"
    page = site.browser(first).opens(f"/boards/{number}")
    assert page.all(told) == page.all("//div[@class='status']/p[@class='unseen']/text()") == [f"Your move, {first}."]
    assert page.all("//h2[@id='draft-title']/text()") == ["Your move"]
    roomy = "//div[@class='status']/div/p/text()"
    assert site.browser(second).opens(f"/boards/{number}").all(roomy) == [f"It's {first}'s move."]
    site.moves(number, WON[0])
    page = site.browser(second).opens(f"/boards/{number}")
    assert page.all("//h2[@id='draft-title']/following-sibling::p[1]/text()") == [f"{first} played {WON[0]}."]


def test_there_is_nothing_to_step_through_before_the_first_move(site: WebSite) -> None:
    number, _ = begun(site)
    assert site.guest().opens(f"/boards/{number}").all("//nav[@class='steps']/a") == ["Larger"]
    site.moves(number, WON[0])
    assert "1 of 1" in site.guest().opens(f"/boards/{number}").text


def test_a_past_position_is_said_to_be_one_above_the_board(site: WebSite) -> None:
    number, _ = begun(site)
    site.moves(number, *WON[:3])
    (said,) = site.guest().opens(f"/boards/{number}?move=1").all("//p[@class='brief']")
    assert said == "The board after move 1 of 3. Go to the current position"


def test_the_end_of_a_game_is_the_heading_of_its_panel(site: WebSite) -> None:
    number, (first, second) = begun(site)
    title, told = "//h2[@id='now-title']", "//div[@class='status']"
    address = f"/boards/{number}"
    assert site.guest().opens(address).all(f"{title}/@class") == ["unseen"]
    site.moves(number, *WON)
    for browser, headed in ((site.browser(first), "You won!"), (site.browser(second), "You lost.")):
        page = browser.opens(address)
        assert [each.text_content() for each in page.find(f"{told}/h2[@id='now-title']")] == [headed]
        assert page.find(told)[0].text_content().count(headed) == 1, "screen readers hear it once"
    assert site.guest().opens(f"{address}?move=1").all(f"{title}/@class") == ["unseen"]


def test_one_steps_through_the_game(site: WebSite) -> None:
    number, _ = begun(site)
    site.moves(number, "b3", "c4,k5")
    guest = site.guest()
    page = guest.opens(f"/boards/{number}?move=1")
    assert "The board after move 1 of 2." in page.text
    assert {f"/boards/{number}?move=0", f"/boards/{number}"} <= set(page.all("//nav[@class='steps']/a/@href"))
    guest.opens(f"/boards/{number}?move=3", 404)
    guest.opens("/boards/999", 404)


def test_the_list_has_all_moves_whatever_position_is_shown(site: WebSite) -> None:
    number, _ = begun(site)
    site.moves(number, "b3", "c4,k5", "g2,h7")
    pages = {move: site.guest().opens(f"/boards/{number}?move={move}") for move in (0, 2, 3)}
    for move, page in pages.items():
        listed = page.all("//table[@class='moves']//a[contains(@href, 'move=')]")
        assert [each.split()[0] for each in listed] == ["1.", "2.", "3."]
        shown, later = page.all("//table[@class='moves']//a[@aria-current]"), page.all("//a[@class='later']")
        assert [each.split()[0] for each in shown] == [f"{move}."] * bool(move)
        assert [each.split()[0] for each in later] == [f"{each}." for each in range(move + 1, 4)]
    (last,) = pages[0].all("//a[@class='later'][last()]/@href")[-1:]
    assert "The board after move" not in site.guest().opens(last).text


def test_moves_are_tried_from_a_past_position_and_never_sent(site: WebSite) -> None:
    number, (first, _) = begun(site)
    site.moves(number, "b3", "c4,k5")
    past = f"/boards/{number}?move=0"
    browser = site.browser(first)
    page = browser.opens(past)
    assert "Try a move Nothing of this is sent." in page.text
    page = browser.opens(f"{past}&pick=B")
    (laid,) = page.all("//ul[@class='choices']//a[@data-step='B2']/@href")
    assert laid == f"{past}&turn=B2"
    page = browser.opens(laid)
    assert f"{first}: B2." in page.text
    assert not page.find("//form[contains(@action, '/move') or contains(@action, '/act')][.//input[@name='turn']]")
    assert buttons(page) == ["Show it", "Save"]
    assert page.all("//p[@class='back']/a[1]/@href") == [past]
    assert page.all("//form[@class='typed']//input[@name='move']/@value") == ["0"]
    assert page.all("//div[@class='by-mail']/pre")[0] == f"preview {number}#0 B2"
    assert not browser.opens(f"{laid}/c4 c4").find("//*[@class='ghost']")
    assert site.board(number).event_number == 2


def test_moves_are_tried_at_a_finished_board_as_if_nobody_had_left_it(site: WebSite) -> None:
    number, (first, second) = begun(site)
    site.moves(number, "b3")
    site.says(second, f"resign {number}")
    page = site.browser(second).opens(f"/boards/{number}?turn=c4+k5")
    assert "Nothing of this is sent." in page.text
    assert f"It would then be {first}'s turn." in page.text
    assert "Queue" not in page.text
    assert not page.find("//*[@class='by-mail']")
    assert not page.find("//*[contains(@href, '/sign-in')]")


def test_nothing_comes_after_a_move_that_has_won(site: WebSite) -> None:
    number, _ = begun(site)
    site.moves(number, *WON)
    assert not site.guest().opens(f"/boards/{number}").find("//*[@id='draft-title']")
    assert not site.guest().opens(f"/boards/{number}?move={len(WON)}").find("//*[@id='draft-title']")
    assert site.guest().opens(f"/boards/{number}?move={len(WON) - 1}").find("//*[@id='draft-title']")


def test_fair_play_is_told_of_where_moves_are_tried_in_a_game_between_people(site: WebSite) -> None:
    number, (first, _) = begun(site)
    for address in ("", "?move=0"):
        page = site.guest().opens(f"/boards/{number}{address}")
        assert page.find("//section[@aria-labelledby='draft-title']//a[@href='/help/fairplay']")
    site.says(first, f"resign {number}")
    assert not site.guest().opens(f"/boards/{number}").find("//a[@href='/help/fairplay']")
    assert "annul the game" in site.guest().opens("/help/fairplay").text


def test_a_move_under_way_is_counted_apart(site: WebSite) -> None:
    number, _ = begun(site, "mamba", "-inorder")
    opening = OPENINGS[2]
    site.moves(number, *opening)
    moves = len(opening) - 1
    guest = site.guest()
    page = guest.opens(f"/boards/{number}")
    assert page.all("//nav[@class='steps']/span") == [f"{moves} of {moves}, move {moves + 1} under way"]
    assert page.all("//a[@rel='prev']/@href") == [f"/boards/{number}?move={moves}"]
    assert page.all("//table[@class='moves']//a[@aria-current]/@href") == [f"/boards/{number}"]
    page = guest.opens(f"/boards/{number}?move={moves}")
    assert page.all("//nav[@class='steps']/span") == [f"{moves} of {moves}"]
    assert page.all("//a[@rel='next']/@href") == [f"/boards/{number}"]
    assert page.all("//a[@class='later']/@href") == [f"/boards/{number}"]


def test_the_size_of_the_drawing_stays_whatever_link_is_followed(site: WebSite) -> None:
    number, (first, _) = begun(site)
    site.moves(number, "b3", "c4,k5")
    browser = site.browser(first)
    for address in ("?", "?turn=H3", "?pick=H", "?move=1"):
        page = browser.opens(f"/boards/{number}{address}&large=yes")
        assert page.find("//*[@class='frame large']//svg")
        own = [link for link in page.links if link.startswith(f"/boards/{number}") and not link.endswith("/resign")]
        (smaller,) = page.all("//a[@class='size']/@href")
        assert smaller == f"/boards/{number}{address}".rstrip("?")
        assert [link for link in own if "large=yes" not in link] == [smaller]
    page = browser.opens(f"/boards/{number}?turn=G2+H7&large=yes")
    answer = sends(page, browser, "Play G2,H7")
    assert answer.headers["location"] == f"/boards/{number}?large=yes"
    assert not browser.opens(smaller).find("//*[@class='frame large']")


def test_the_clock_is_told_in_the_timezone_of_its_reader(site: WebSite) -> None:
    number, (first, _) = begun(site)
    site.says(first, "set timezone=Asia/Tokyo")
    site.waits(timedelta(hours=5))
    page = site.browser(first).opens(f"/boards/{number}")
    assert page.all("//time/@title")[0].startswith("Sun 22 Mar 2026, 21:")
    assert re.search(r"No move by 22 Mar, 21:\d\d declines the challenge\.", page.text)
    assert f"{first}, not rated yet, has used 5 hours" in page.text
    assert "UTC" in site.guest().opens(f"/boards/{number}").source


def test_the_page_of_guests_is_made_once_for_each_state(site: WebSite) -> None:
    number, _ = begun(site)
    site.waits(timedelta(seconds=-site.now.second))
    seen = {site.guest().opens(f"/boards/{number}").source for _ in range(3)}
    assert len(seen) == 1
    site.moves(number, "b3")
    assert "Last: move 1" in site.guest().opens(f"/boards/{number}").text


def test_a_link_asks_for_the_analysis_of_a_game_that_is_over(site: WebSite) -> None:
    number, (first, _) = begun(site)
    with site.server.unit_of_work() as uow:
        open_robots(uow, site.now)
        uow.commit()
    link = f"/command?line=analyse%20{number}&back=/boards/{number}"
    site.moves(number, "b3", "c4,k5")
    assert link not in site.guest().opens(f"/boards/{number}").links
    site.says(first, f"resign {number}")
    assert link in site.guest().opens(f"/boards/{number}").links
    page = site.browser(first).opens(link)
    assert page.all("//input[@name='line']/@value") == [f"analyse {number}"]
    assert page.all("//input[@name='back']/@value") == [f"/boards/{number}"]


@pytest.mark.parametrize("game", ["superbo", "mamba"])
def test_who_does_not_see_a_declined_board_hears_of_nobodys_turn(site: WebSite, game: str) -> None:
    number, (first, _) = begun(site, game)
    site.says(first, f"resign {number}")
    (words,) = site.guest().opens(f"/boards/{number}").all("//*[@id='in-words']")
    assert "The game is over: one of the players declined to play." in words
    assert "turn" not in words


def test_a_board_against_the_computer_is_closed_if_nobody_begins_and_no_challenge_is_declined(site: WebSite) -> None:
    with_robots(site)
    site.joins("ann")
    site.says("ann", "superbo challenge ann robot1")
    path = f"/boards/{site.numbers[-1]}"
    for browser in (site.browser("ann"), site.guest()):
        text = browser.opens(path).text
        assert re.search(r"No move by \d+ [A-Z][a-z]{2}, \d\d:\d\d closes this board\.", text)
        assert "decline" not in text


def test_what_comes_on_which_day_and_the_usual_rules_are_said_shortly(site: WebSite) -> None:
    number, _ = begun(site)
    text = site.guest().opens(f"/boards/{number}").text
    assert re.search(r"No move by \d+ [A-Z][a-z]{2}, \d\d:\d\d declines the challenge\.", text)
    assert "The usual rules, without options." in text


def test_the_ratings_after_a_game_stand_at_the_names_with_what_has_changed(site: WebSite) -> None:
    number, players = begun(site)
    site.moves(number, *WON)
    told = " ".join(site.browser(players[1]).opens(f"/boards/{number}").all("//p[@class='strip']"))
    assert told == f"O {players[0]} 1800 (+200) X {players[1]} 1400 (\N{MINUS SIGN}200)"
    page = site.guest().opens(f"/boards/{number}")
    assert "provisional)." not in page.all("//div[@class='status']")[0]
    assert "(+200)" not in site.guest().opens(f"/boards/{number}?move=1").all("//p[@class='strip']")[0]
