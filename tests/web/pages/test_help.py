"""The help as pages of the web."""

from __future__ import annotations

import pytest

from tests.support.web_site import WebPage, WebSite


def test_the_help_begins_with_its_index_and_all_subjects(site: WebSite) -> None:
    page = site.guest().opens("/help")
    pages = site.server.parts.wording.help
    listed = page.all("//section[@aria-labelledby='subjects']//a/@href")
    english = [each for each in pages.subjects if each != "index" and pages.language_of(each) == "en"]
    assert sorted(listed) == sorted(f"/help/{each.replace(' ', '/')}" for each in english)
    rows = {row.xpath("string(th)"): row.xpath("td/a/text()") for row in page.find("//table//tr")}
    assert rows["Superbo"] == ["Rules", "Example", "Options", "Tactics"]
    assert {"Mamba: notation", "Mambo: variants", "Mamboa"} <= set(
        page.all("//section[@aria-labelledby='subjects']//li")
    )
    assert set(page.links) > {"/help/superbo", "/help/mambo/tactics"}


def test_pages_are_called_by_their_titles(site: WebSite) -> None:
    page = site.guest().opens("/help/superbo")
    assert page.all("//h1") == ["Rules of Superbo"]
    links = dict(zip(page.all("//article//a/@href"), page.all("//article//a"), strict=True))
    assert links["/help/superbo/options"] == "Superbo: options"
    assert links["/help/tiles"] == "How to read the tiles"
    german = site.guest().opens("/help/mambo/de")
    assert "Mambo: Optionen" in german.all("//article//a")
    for subject in site.server.parts.wording.help.subjects:
        page = site.guest().opens(f"/help/{subject.replace(' ', '/')}")
        assert not [each for each in page.all("//article//a[starts-with(@href, '/help')]") if each.startswith("help ")]


def test_boards_before_and_after_a_move_say_so(site: WebSite) -> None:
    page = site.guest().opens("/help/mamba")
    assert page.all("//figure[2]/div/small") == ["Before", "After"]
    assert page.all("//figure[2]/div/@aria-label") == ["Before", "After"]
    assert page.all("//figure[1]/div/small") == []
    assert site.guest().opens("/help/mambo/variants").all("//figure[1]/div/small") == ["Before", "After"]


def test_a_long_page_begins_with_links_to_its_headings(site: WebSite) -> None:
    page = site.guest().opens("/help/mamba")
    links = page.all("//nav[@aria-label='On this page']//a/@href")
    assert [f"#{each}" for each in page.all("//h2/@id")] == links
    assert "#alignments-and-overpopulation" in links
    assert page.all("//nav[@aria-label='On this page']//a") == page.all("//h2")
    assert site.guest().opens("/help/move").all("//nav[@aria-label='On this page']") == []


def test_every_subject_has_a_page_with_one_title(site: WebSite) -> None:
    guest = site.guest()
    for subject in site.server.parts.wording.help.subjects:
        page = guest.opens(f"/help/{subject.replace(' ', '/')}")
        assert len(page.find("//h1")) == 1, subject


@pytest.mark.parametrize("address", ["/help/mambo/tactics", "/help/mambo%20tactics", "/help/MAMBO/Tactics/"])
def test_a_subject_of_two_words_is_found(site: WebSite, address: str) -> None:
    page = site.guest().opens(address)
    assert page.all("//h1") == ["Mambo: tactics"]
    assert page.all("//title") == ["Mambo: tactics - help - pbem"]


def test_a_page_has_headings_examples_and_links_to_other_subjects(site: WebSite) -> None:
    page = site.guest().opens("/help/superbo")
    assert "A turn" in page.all("//h2")
    assert len(page.find("//figure//pre[@tabindex='0']")) == 3
    assert "/help/superbo/options" in page.links


@pytest.mark.parametrize(
    ("subject", "drawings"),
    [("superbo", (1, 12)), ("mambo/example", (2,)), ("mamba", (2,) * 6), ("mamba/fr", (2,) * 6), ("tiles", (3,))],
)
def test_boards_are_drawn_and_can_be_had_in_letters(site: WebSite, subject: str, drawings: tuple[int, ...]) -> None:
    page = site.guest().opens(f"/help/{subject}")
    figures = page.find("//figure")
    assert (
        tuple(len(each.xpath("./div[@role='img']/*[local-name()='svg']")) for each in figures)[: len(drawings)]
        == drawings
    )
    assert all(each.xpath("./details[not(@open)]/pre") for each in figures)
    assert all(each.xpath("./div/@aria-label") for each in figures)


def test_no_board_of_the_help_is_left_in_letters_alone(site: WebSite) -> None:
    """Whatever else stays as it is are commands, lists and mails."""
    guest, found = site.guest(), 0
    for subject in site.server.parts.wording.help.subjects:
        page = guest.opens(f"/help/{subject.replace(' ', '/')}")
        found += len(page.find("//figure/details/pre"))
        for text in page.all("//article//pre[not(ancestor::details)]"):
            assert "___" not in text, subject
            assert "a b c d e f g" not in text, subject
    assert found > 80


def test_what_can_be_typed_stands_beside_what_it_does(site: WebSite) -> None:
    page = site.guest().opens("/help")
    listed = dict(
        zip(page.all("//dl[contains(@class, 'typed')]/dt"), page.all("//dl[contains(@class, 'typed')]/dd"), strict=True)
    )
    assert listed["superbo challenge <userid>"] == "start a game against another player"
    assert "/help/tutorial" in page.all("//dl[contains(@class, 'typed')]/dt//a/@href")
    assert "list" in listed


def test_ids_of_the_shapes_of_a_page_are_its_own(site: WebSite) -> None:
    page = site.guest().opens("/help/mamba")
    used = {each.removeprefix("#") for each in page.all("//*[local-name()='use']/@href")}
    ids = page.all("//*[local-name()='g']/@id")
    assert used == set(ids)
    assert len(ids) == len(set(ids))


def test_a_page_in_another_language_says_which(site: WebSite) -> None:
    page = site.guest().opens("/help/mamba/fr")
    assert page.all("//article/@lang") == ["fr"]
    assert page.all("/html/@lang") == ["en"]


def test_who_reads_french_finds_the_french_page(site: WebSite) -> None:
    site.joins("ann")
    site.says("ann", "set language=fr")
    page = site.browser("ann").opens("/help/mamba")
    assert page.all("//article/@lang") == []
    assert page.all("/html/@lang") == ["fr"]


@pytest.mark.parametrize(
    ("address", "near"),
    [
        ("/help/mambo/tactis", ["/help/mambo/tactics"]),
        ("/help/draw", ["/help/propose"]),
        ("/help/mambo/lambo", ["/help/mambo", "/help/lambo"]),
    ],
)
def test_what_has_no_page_names_those_that_are_near(site: WebSite, address: str, near: list[str]) -> None:
    page = site.guest().opens(address, status=404)
    assert page.all("//main//li/a/@href") == near


@pytest.mark.parametrize("word", ["hex", "Reversi"])
def test_a_game_that_is_not_installed_is_said_to_be_so(site: WebSite, word: str) -> None:
    page = site.guest().opens(f"/help/{word}", status=404)
    assert page.all("//h1") == [f"The game {word.lower()} is not installed here."]
    assert page.find("//main//li") == []


def test_what_is_asked_for_is_no_markup(site: WebSite) -> None:
    page = site.guest().opens("/help/%3Cscript%3Ealert(1)%3C/script%3E", status=404)
    assert page.find("//main//script") == []
    assert page.all("//h1") == ["There is no help about “<script>alert(1)< script>”"]


def test_a_page_about_a_command_begins_with_the_way_to_do_it_here_and_folds_the_mail(site: WebSite) -> None:
    page = site.guest().opens("/help/challenge")
    assert page.all("//main//p[@class='toast']//a/@href") == ["/challenge"]
    assert page.all("//main//pre[not(ancestor::details)] | //main//dl[not(ancestor::details)]") == []
    assert "By mail" in page.all("//main/details/summary")
    assert page.find("//main/details[not(@open)]//article//pre") or page.find("//main/details//article//dl")


def test_the_same_is_told_to_those_who_read_german(site: WebSite) -> None:
    site.joins("ann")
    site.says("ann", "set language=de")
    page = site.browser("ann").opens("/help/challenge")
    assert page.all("//main//p[@class='toast']//a/@href") == ["/challenge"]
    assert len(page.find("//h1")) == 1


def test_learning_begins_with_pages_and_not_with_mails(site: WebSite) -> None:
    page = site.guest().opens("/help")
    assert page.all("//h1") == ["Learn"]
    assert page.all("//main/ul//a/@href") == ["/help/tutorial", "/games", "/puzzles", "/help/fairplay"]
    assert page.all("//main//dl[not(ancestor::details)]") == []


def test_the_first_game_is_told_for_pages_with_its_pictures_and_then_for_mails(site: WebSite) -> None:
    page = site.guest().opens("/help/tutorial")
    assert page.all("//article[1]/h2")[0] == "1. Open a board"
    assert len(page.find("//figure/div[@role='img']/*[local-name()='svg']")) == 4
    assert page.all("//main//pre[not(ancestor::details)]") == []
    assert "superbo challenge bob" in " ".join(page.all("//main/details//pre"))
    assert page.find("//form[@action='/play']")


def test_the_rules_of_a_game_have_a_button_that_opens_a_board(site: WebSite) -> None:
    page = site.guest().opens("/help/palago")
    assert page.all("//form[@action='/play']/input[@name='game']/@value") == ["palago"]
    assert page.find("//form[@action='/play'][@id='play-now']")


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_example_at_the_end_of_a_sentence_does_not_tear_its_paragraph(site: WebSite, language: str) -> None:
    page = site.guest().asks("/help/plan", headers={"accept-language": language})
    (told,) = [words for words in WebPage(page).all("//main//p") if 'cut e4 then pass".' in words]
    assert '"/"' in told
