"""Studies on the web: made, changed, shared by a link, and read there and by programs."""

from __future__ import annotations

import httpx
import pytest

from pbem.commands.internal import AnnulBoard
from pbem.ids import BoardNumber
from pbem.usecases.dispatcher import dispatch
from tests.support.web_site import URL, WebClient, WebPage, WebSite
from tests.web.boards.drafting import begun
from tests.web.visiting import fills, has_password, mails, sends, token

TURNS = ("B3", "C4,K5", "G2,H7", "D8,R10")
STUDY = "#0 {A <b>bold</b> game}\r\n#2 {natural}\r\n#2 E4,M8 {forced} (G8,F10 / P1,K2) / K2,Q5\r\n#5 U1,AF2"


def over(site: WebSite) -> tuple[int, str, str]:
    """A board that its first player has resigned, and who won."""
    number, (first, second) = begun(site)
    site.moves(number, *TURNS)
    site.says(first, f"resign {number}")
    return number, first, second


def does(browser: WebClient, number: int, verb: str, **fields: str) -> httpx.Response:
    """Press a button on the page of a study."""
    return sends(browser, f"/boards/{number}/study", {"token": token(browser), "verb": verb, **fields})


def text(page: WebPage) -> list[str]:
    return page.all("//textarea[@name='text']")


def saved(site: WebSite) -> tuple[int, WebClient, str, str]:
    """A board with a study of its first player's, their browser, and the two players."""
    number, first, second = over(site)
    browser = site.browser(first)
    answer = does(browser, number, "save", seen="0", title="The missed corner", text=STUDY)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/boards/{number}/study")
    return number, browser, first, second


def test_a_study_is_written_on_its_page_and_every_move_leads_to_its_board(site: WebSite) -> None:
    number, browser, first, second = saved(site)
    page = browser.opens(f"/boards/{number}/study")
    assert page.all("//h1") == ["The missed corner"]
    assert page.all("//section[@class='table']/blockquote") == ["A <b>bold</b> game", "natural"]
    assert page.all("//h2/a") == [f"Move 2, {second}: C4,K5"]
    assert page.all("//li//q") == ["forced"]
    links = page.all("//section[@class='table']//li//a/@href")
    assert links[:2] == [f"/boards/{number}?move=1&turn={turns}" for turns in ("E4%2CM8", "E4%2CM8+%2F+K2%2CQ5")]
    assert f"{first}: K2,Q5." in browser.opens(links[1]).text
    labels = ["The board before it:", "After E4,M8 / K2,Q5:", "After G8,F10 / P1,K2:", "The board then:"]
    assert page.all("//figure[@class='shown']/div[.//svg]/p") == [*labels, "After U1,AF2:"]
    assert "#2 E4,M8 {forced} / K2,Q5" in text(page)[0]
    assert page.all("//meta[@name='robots']/@content") == ["noindex"]
    assert "Your study" in browser.opens(f"/boards/{number}").all("//a[@class='button']")


def test_a_study_is_shared_by_a_link_until_that_ends(site: WebSite) -> None:
    number, browser, first, second = saved(site)
    assert "missed corner" not in site.browser(second).opens(f"/boards/{number}/study").source
    assert site.guest().asks(f"/boards/{number}/study").headers["location"].startswith("/sign-in")
    does(browser, number, "share")
    (link,) = browser.opens(f"/boards/{number}/study").all("//input[@id='study-link']/@value")
    path = link.removeprefix(URL)
    page = site.guest().opens(path)
    assert page.all("//h1") == ["The missed corner"]
    assert f"A study by {first} of" in page.text
    assert not page.find("//textarea | //form[contains(@action, 'study')]")
    record = site.guest().asks(f"{path}.json").json()
    assert record["study"]["title"] == "The missed corner"
    assert [each["move"] for each in record["study"]["moves"]] == [0, 2, 5]
    does(browser, number, "unshare")
    assert site.guest().asks(path).status_code == 404
    gone = site.guest().asks(f"{path}.json")
    assert (gone.status_code, gone.json()["detail"]) == (404, "Nobody shares a study under this link, or not any more.")


def test_lines_that_were_tried_become_a_study_and_an_incomplete_turn_is_left_out(site: WebSite) -> None:
    number, first, _ = over(site)
    browser = site.browser(first)
    lines = "#2 E4 M8 / K2 Q5\n#2 E4 M8 / K2\n#3 E10 V4 / Y3\n#4 D8"
    assert does(browser, number, "add", title="Tried", lines=lines).status_code == 303
    page = browser.opens(f"/boards/{number}/study")
    assert text(page) == ["#2 E4,M8 / K2,Q5 #3 E10,V4"]
    does(browser, number, "add", title="", lines="#5 U1 AF2")
    page = browser.opens(f"/boards/{number}/study")
    assert page.all("//h1") == ["Tried"]
    assert "#5 U1,AF2" in text(page)[0]


@pytest.mark.parametrize("lines", ["#2 ZZ9", "#2 E4"])
def test_a_line_of_which_nothing_can_be_kept_is_refused(site: WebSite, lines: str) -> None:
    number, first, _ = over(site)
    browser = site.browser(first)
    refused = does(browser, number, "add", title="", lines=lines)
    assert refused.status_code == 409
    assert f"In a variation for move 2, {lines.removeprefix('#2 ')} cannot be played" in refused.text
    assert text(browser.opens(f"/boards/{number}/study")) == [""]


def test_what_cannot_be_kept_stays_in_the_form(site: WebSite) -> None:
    number, first, _ = over(site)
    browser = site.browser(first)
    refused = does(browser, number, "save", seen="0", title="Mine", text="#2 ZZ9")
    assert refused.status_code == 409
    assert "In a variation for move 2, ZZ9 cannot be played" in refused.text
    assert ">#2 ZZ9</textarea>" in refused.text
    assert 'value="Mine"' in refused.text
    does(browser, number, "save", seen="0", title="", text="#1 {one}")
    late = does(browser, number, "save", seen="0", title="", text="#1 {two}")
    assert late.status_code == 409
    assert "has changed since this page was made" in late.text
    assert text(browser.opens(f"/boards/{number}/study")) == ["#1 {one}"]


def test_a_study_changed_in_two_windows_keeps_the_words_and_the_title_of_both(site: WebSite) -> None:
    number, first, _ = over(site)
    browser = site.browser(first)
    does(browser, number, "save", seen="0", title="Mine", text="#1 {one}\n#2 E4,M8 {forced}\n#3 {same}")
    late = WebPage(does(browser, number, "save", seen="0", title="", text="#1 {two}\n#2 E4,M8 {weak}\n#3 {same}"))
    (field,), (seen,) = late.find("//textarea[@name='text']"), late.all("//input[@name='seen']/@value")
    (title,) = late.all("//input[@name='title']/@value")
    assert does(browser, number, "save", seen=seen, title=title, text=field.text or "").status_code == 303
    page = browser.opens(f"/boards/{number}/study")
    assert text(page) == ["#1 {one two} #2 E4,M8 {forced weak} #3 {same}"]
    assert page.all("//h1") == ["Mine"]


def test_a_study_is_mailed_and_deleted_by_buttons(site: WebSite) -> None:
    number, browser, first, _ = saved(site)
    mailed = does(browser, number, "mail")
    assert mailed.headers["location"] == f"/boards/{number}/study?mailed=yes"
    assert "It is on its way to you." in browser.opens(mailed.headers["location"]).text
    subject, words = mails(site, f"{first}@example.org")[-1]
    assert subject == f"superbo Board {number} Study"
    assert words.startswith("The missed corner\r\n")
    page = browser.opens(f"/boards/{number}/study")
    (asks,) = page.all("//a[text()='Delete it …']/@href")
    assert not page.find("//button[@value='delete']"), "it asks first"
    page = browser.opens(asks)
    assert "The missed corner" in page.text
    assert "Its link will no longer work." not in page.text
    (verb,) = page.all("//main//button/@value")
    assert text(browser.opens(f"/boards/{number}/study")) != [""]
    deleted = does(browser, number, verb).headers["location"]
    assert "Your study has been deleted." in browser.opens(deleted).text
    assert "has been deleted" not in browser.opens("/studies").text
    assert text(browser.opens(f"/boards/{number}/study")) == [""]


def test_a_game_that_is_on_has_no_study(site: WebSite) -> None:
    number, (first, _) = begun(site)
    browser = site.browser(first)
    answer = browser.asks(f"/boards/{number}/study")
    assert answer.status_code == 403
    assert "is still on" in answer.text
    assert "Make a study" not in browser.opens(f"/boards/{number}").text


def test_lines_that_are_refused_stand_below_the_study_that_is_there(site: WebSite) -> None:
    number, browser, _, _ = saved(site)
    (before,) = text(browser.opens(f"/boards/{number}/study"))
    refused = does(browser, number, "add", lines="#2 ZZ9 / A1")
    assert refused.status_code == 409
    (now,) = text(WebPage(refused))
    assert now == f"{before} #2 ZZ9 / A1"
    stale = does(browser, number, "save", seen="0", title="T", text="#1 {mine}")
    assert text(WebPage(stale)) == [f"{before} #1 {{mine}}"]


def test_a_study_of_a_game_that_no_longer_counts_is_deleted_all_the_same(site: WebSite) -> None:
    number, browser, first, _ = saved(site)
    does(browser, number, "share")
    site.does(None, lambda context: dispatch(AnnulBoard(BoardNumber(number), "a mistake"), context))
    site.says(first, f"study {number} unshare")
    (told,) = site.says(first, f"study {number} delete")
    assert told.name == "study_deleted"
    with site.server.unit_of_work() as uow:
        player = uow.players.by_userid(first)
        assert player is not None
        assert uow.studies.find(player.id, BoardNumber(number)) is None


def test_a_player_finds_their_studies_again(site: WebSite) -> None:
    number, browser, first, second = saved(site)
    later = site.begins("superbo", first, second)
    site.moves(later, *TURNS)
    (board,) = [site.board(later)]
    site.says(board.seats[site.course(board).to_act].userid, f"resign {later}")
    does(browser, later, "save", seen="0", title="", text="#1 {one}")
    does(browser, number, "share")
    page = browser.opens("/studies")
    rows = page.table("Your studies")
    titles = [(row[0], row[1], row[-1]) for row in rows]
    assert titles == [("without a title", str(later), "private"), ("The missed corner", str(number), "shared")]
    assert rows[1][3] in (f"{first} \N{EN DASH} {second}", f"{second} \N{EN DASH} {first}")
    ways = [f"/boards/{each}/study" for each in (later, number)]
    assert page.all("//th[@scope='row']/a/@href") == ways
    (shared,) = page.all("//a[text()='shared']/@href")
    assert "The missed corner" in site.guest().opens(shared).text
    for path in ("/", ways[0], f"/players/{first}"):
        assert "/studies" in browser.opens(path).all("//a/@href"), path
    assert "You have no studies yet." in site.browser(second).opens("/studies").text
    assert site.guest().asks("/studies").headers["location"] == "/sign-in?then=/studies"
    browser.opens("/studies?page=2", 404)


def test_a_study_of_an_annulled_game_is_no_longer_listed_as_shared_and_can_be_deleted(site: WebSite) -> None:
    number, browser, _, _ = saved(site)
    does(browser, number, "share")
    site.annuls(number)
    page = browser.opens("/studies")
    (row,) = page.table("Your studies")
    assert row[0] == "The missed corner"
    assert row[-1].startswith("The game was annulled.")
    assert not page.find("//table//a[starts-with(@href, '/studies/')] | //table//th/a")
    (asks,) = page.all("//table//a[text()='Delete it …']/@href")
    asked = browser.opens(asks)
    assert "Its link will no longer work." in asked.text
    does(browser, number, asked.all("//main//button/@value")[0])
    assert "You have no studies yet." in browser.opens("/studies").text


def test_an_empty_study_is_refused_in_words_that_fit_its_page(site: WebSite) -> None:
    number, first, _ = over(site)
    refused = does(site.browser(first), number, "save", seen="0", title=" ", text="")
    assert refused.status_code == 409
    assert "There is nothing to save yet." in refused.text
    assert "below the command" not in refused.text


def test_a_study_of_somebody_who_was_signed_out_is_kept_until_they_have_signed_in(site: WebSite) -> None:
    number, _, first, _ = saved(site)
    page, guest = f"/boards/{number}/study", site.guest()
    has_password(site, first, "a good word")
    answer = sends(guest, page, {"verb": "save", "seen": "1", "title": "Mine", "text": "#2 {a < b}\r\n#3 {c}"})
    way = answer.headers["location"]
    assert way == f"/sign-in?then={page}"
    assert "What you wrote there is kept, but has not been sent yet." in guest.opens(way).text
    assert fills(guest, way, "/sign-in/password", userid=first, password="a good word").headers["location"] == page
    kept = guest.opens(page)
    assert (text(kept), kept.all("//input[@name='title']/@value")) == (["#2 {a < b} #3 {c}"], ["Mine"])
    assert kept.all("//h1") == ["The missed corner"], "nothing has been saved yet"
    (seen,) = kept.all("//input[@name='seen']/@value")
    assert does(guest, number, "save", seen=seen, title="Mine", text="#2 {a < b}").status_code == 303
    assert text(guest.opens(page)) == ["#2 {a < b}"]
    assert "unsent" not in guest.client.cookies


def test_a_study_kept_while_signed_out_does_not_replace_one_that_was_changed_since(site: WebSite) -> None:
    number, browser, first, _ = saved(site)
    page, guest = f"/boards/{number}/study", site.guest()
    has_password(site, first, "a good word")
    answer = sends(guest, page, {"verb": "save", "seen": "1", "title": "Mine", "text": "#3 {late}"})
    does(browser, number, "save", seen="1", title="", text="#2 {meanwhile}")
    way = answer.headers["location"]
    fills(guest, way, "/sign-in/password", userid=first, password="a good word")
    (seen,) = guest.opens(page).all("//input[@name='seen']/@value")
    refused = does(guest, number, "save", seen=seen, title="Mine", text="#3 {late}")
    assert refused.status_code == 409
    assert text(WebPage(refused)) == ["#2 {meanwhile} #3 {late}"]


def test_a_study_that_is_too_long_to_be_kept_while_signed_out_is_told_of(site: WebSite) -> None:
    number, _, _, _ = saved(site)
    words = "".join(f"#{ply} {{{hex(ply**900)}}}\n" for ply in range(3, 20))
    guest = site.guest()
    fields = {"verb": "save", "seen": "1", "text": words}
    answer = sends(guest, f"/boards/{number}/study", fields)
    assert "Your text is too long to be kept." in guest.opens(answer.headers["location"]).text


@pytest.mark.parametrize("verb", ["share", "mail"])
def test_what_is_shared_or_mailed_is_the_study_as_its_author_sees_it(site: WebSite, verb: str) -> None:
    number, browser, first, _ = saved(site)
    page = f"/boards/{number}/study"
    buttons = browser.opens(page).all(f"//button[@form=//form[.//textarea[@name='text']]/@id][@value='{verb}']")
    assert len(buttons) == 1, "it is sent with the text"
    answer = does(browser, number, verb, seen="1", title="Mine", text="#3 {typed just now}")
    assert (answer.status_code, answer.headers["location"].partition("?")[0]) == (303, page)
    assert text(browser.opens(page)) == ["#3 {typed just now}"]
    if verb == "mail":
        assert "typed just now" in mails(site, f"{first}@example.org")[-1][1]


def test_a_study_is_made_private_even_if_what_was_typed_cannot_be_saved_and_that_stays(site: WebSite) -> None:
    number, browser, _, _ = saved(site)
    page = f"/boards/{number}/study"
    does(browser, number, "share")
    (link,) = browser.opens(page).all("//input[@id='study-link']/@value")
    assert browser.opens(page).find("//button[@form='study'][@value='unshare']"), "it is sent with the text"
    (before,) = text(browser.opens(page))
    (seen,) = browser.opens(page).all("//input[@name='seen']/@value")
    answer = WebPage(does(browser, number, "unshare", seen=seen, title="Mine", text="#2 ZZ9"))
    assert text(answer) == ["#2 ZZ9"]
    assert answer.all("//input[@name='title']/@value") == ["Mine"]
    assert browser.asks(link.removeprefix(URL)).status_code == 404
    assert text(browser.opens(page)) == [before], "it was not saved"
    (seen,) = answer.all("//input[@name='seen']/@value")
    assert does(browser, number, "save", seen=seen, title="Mine", text="#2 {mine}").status_code == 303
    assert text(browser.opens(page)) == ["#2 {mine}"]


def test_what_was_typed_before_a_study_was_made_private_does_not_replace_what_came_since(site: WebSite) -> None:
    number, browser, _, _ = saved(site)
    page = f"/boards/{number}/study"
    does(browser, number, "share")
    (seen,) = browser.opens(page).all("//input[@name='seen']/@value")
    does(browser, number, "save", seen=seen, title="", text="#2 {meanwhile}")
    answer = WebPage(does(browser, number, "unshare", seen=seen, title="", text="#3 {late}"))
    (seen,) = answer.all("//input[@name='seen']/@value")
    assert does(browser, number, "save", seen=seen, title="", text="#3 {late}").status_code == 409
    assert text(browser.opens(page)) == ["#2 {meanwhile}"]


def test_a_study_without_unsaved_words_is_made_private_and_shown_anew(site: WebSite) -> None:
    number, browser, _, _ = saved(site)
    page = f"/boards/{number}/study"
    does(browser, number, "share")
    shown = browser.opens(page)
    (field,), (seen,) = shown.find("//textarea[@name='text']"), shown.all("//input[@name='seen']/@value")
    (title,) = shown.all("//input[@name='title']/@value")
    answer = does(browser, number, "unshare", seen=seen, title=title, text=field.text or "")
    assert (answer.status_code, answer.headers["location"]) == (303, page)


def test_a_study_that_cannot_be_kept_is_not_shared(site: WebSite) -> None:
    number, browser, _, _ = saved(site)
    refused = does(browser, number, "share", seen="1", title="Mine", text="#2 ZZ9")
    assert refused.status_code == 409
    assert text(WebPage(refused)) == ["#2 ZZ9"]
    assert not browser.opens(f"/boards/{number}/study").find("//input[@id='study-link']")
