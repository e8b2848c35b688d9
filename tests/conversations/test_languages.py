"""Help in English and in French, by mail: as somebody asks for it, or has set it."""

from __future__ import annotations

import pytest

from pbem.wording.layout import WIDTH
from tests.conversations.playing import begin
from tests.support.mail import Mail
from tests.support.server import GameServer

ENGLISH = "by Christophe Berg (2002), for two, three or four players"
FRENCH = "de Christophe Berg (2002), pour deux, trois ou quatre joueurs"
LONGEST_ENCODED = 76


def lines(mail: Mail) -> list[str]:
    """The lines of the body as they travel."""
    return mail.raw.partition(b"\r\n\r\n")[2].decode("ascii").split("\r\n")


def test_anybody_may_ask_for_a_page_in_french(shared: GameServer) -> None:
    passer_by = shared.person("passer-by")
    for words in ("help mamba fr", "help fr mamba", "Help MAMBA Fr"):
        passer_by.says(words)
        answer = passer_by.hears()
        assert answer.subject == f"pbem help: {words.partition(' ')[2]}"
        assert FRENCH in answer.text
        assert "Une pièce qui part n'en sauve" in answer.words
    passer_by.says("help mamba")
    assert ENGLISH in passer_by.hears().text


@pytest.mark.parametrize("page", ["mamba", "mamba notation", "mamba options", "mamba example", ""])
def test_a_french_page_travels_as_a_mail_must_and_an_english_one_as_it_is(shared: GameServer, page: str) -> None:
    reader = shared.person("reader")
    reader.says(f"help {page} fr")
    french = reader.hears()
    assert french.parsed["Content-Transfer-Encoding"] == "quoted-printable"
    assert french.parsed.get_content_charset() == "utf-8"
    assert max(map(len, lines(french))) <= LONGEST_ENCODED
    assert not [line for line in lines(french) if line.endswith(" ") or line.startswith(("From ", "--"))]
    assert not [line for line in french.text.split("\n") if line.endswith(" ") or len(line) > WIDTH]
    assert "é" in french.text
    reader.says(f"help {page}")
    english = reader.hears()
    assert english.parsed["Content-Transfer-Encoding"] == "7bit"
    assert "\n".join(lines(english)).isascii()


def test_who_has_set_french_gets_it_without_saying(shared: GameServer) -> None:
    claire = shared.player("claire")
    claire.says("set claire secret language=FR")
    assert "\n  language=fr " in claire.hears().text
    claire.says("help mamba")
    assert FRENCH in claire.hears().text
    claire.says("help mamba notation superbo")
    answer = claire.hears().text
    assert "LES DÉCISIONS DES AUTRES" in answer
    assert "\nSUPERBO\n" in answer
    assert "aide sur" not in answer
    claire.says("help mamba en")
    assert ENGLISH in claire.hears().text
    claire.says("help")
    assert "un serveur de jeux de société par courriel" in claire.hears().text
    claire.says("set claire secret language=en")
    claire.hears()
    claire.says("help mamba")
    assert ENGLISH in claire.hears().text


def test_boards_come_in_the_language_that_is_set_and_their_subjects_in_english(shared: GameServer) -> None:
    table = begin(shared, "denis", "dora")
    table.one.says("set denis secret language=fr")
    table.one.hears()
    table.play("b3")
    assert table.one_mail.subject == f"superbo Board {table.number} dora"
    assert table.one_mail.text.startswith(f"Summary of superbo Board {table.number}\n\n")
    assert "Vous avez joué B3." in table.one_mail.text
    assert '<html lang="fr">' in table.one_mail.html
    assert "denis played B3." in table.other_mail.text
    table.one.says(f"move {table.number} denis secret c4,k5")
    table.one.hears()
    table.other.says("set dora secret language=de")
    table.other.hears()
    table.other.says(f"move {table.number} dora secret a3")
    assert "An der Ecke Südost brauchen die Nachbarn von Feld A ein o" in table.other.hears().words


def test_strangers_are_answered_in_the_language_of_their_letters_and_sign_up_with_it(shared: GameServer) -> None:
    jana = shared.person("jana")
    jana.says("help nonsense", headers={"Accept-Language": "de-DE"})
    assert "habe ich keine Hilfeseite" in jana.hears().words
    jana.says("signup jana secret", headers={"Accept-Language": "de-CH, en;q=0.5"})
    question = jana.hears()
    assert "hat sich als jana" in question.words
    jana.answers(question, "yes")
    assert "Willkommen" in jana.hears().words
    jana.says("help mamba")
    assert jana.hears().text.startswith("MAMBA\n\nvon Christophe Berg")


def test_a_letter_that_is_not_understood_is_answered_in_the_language_that_its_sender_has_set(
    shared: GameServer,
) -> None:
    greta = shared.player("greta-de")
    greta.says("set greta-de secret language=de")
    greta.hears()
    greta.says("jump over the fence")
    assert "habe ich keinen Befehl gefunden" in greta.hears().words
    greta.says("")
    assert greta.hears().text.startswith("Deine Mail ist leer.")


def test_the_forms_of_a_command_are_told_in_the_readers_language(shared: GameServer) -> None:
    fritz = shared.player("fritz")
    fritz.says("set fritz secret language=de")
    fritz.hears()
    fritz.says("help resign")
    assert "    resign                         als Antwort auf die Mail mit dem Brett\n" in fritz.hears().text


def test_a_page_that_there_is_not_leads_to_those_that_there_are_in_the_readers_language(shared: GameServer) -> None:
    emile = shared.player("emile")
    emile.says("help mamba xx")
    answer = emile.hears()
    assert 'There is no help about "xx".' in answer.text
    near = ("example", "notation", "options", "tactics")
    assert f"Did you mean: {', '.join(f'help mamba {each}' for each in near)}?" in answer.words
    assert max(map(len, answer.text.split("\n"))) <= WIDTH
    assert ENGLISH in answer.text
    emile.says("set emile secret language=fr")
    emile.hears()
    emile.says("help mamba xx")
    french = emile.hears().text
    assert "Il n'y a pas d'aide sur \"xx\"." in french
    assert FRENCH in french


def test_a_french_page_beside_a_board_is_marked_as_french_in_html(shared: GameServer) -> None:
    table = begin(shared, "gael", "greta")
    table.one.says("multiple", f"show {table.number}\nhelp mamba fr\nend")
    html = table.one.hears().html
    before, marked, behind = html.partition('<div lang="fr">')
    assert marked
    assert '<html lang="en">' in before
    assert ">Mamba</h2>" in behind or ">MAMBA</h2>" in behind
    assert "&#233;" in behind
    assert "&#233;" not in before


def test_a_gathered_answer_brings_each_page_in_the_language_asked_for(shared: GameServer) -> None:
    flore = shared.player("flore")
    flore.says("set flore secret language=fr")
    flore.hears()
    flore.says("multiple", "help mamba\nhelp mamba en\nend")
    text = flore.hears().text
    assert text.index(FRENCH) < text.index(ENGLISH)


def test_a_language_that_there_is_not_is_refused(shared: GameServer) -> None:
    gerd = shared.player("gerd")
    gerd.vouched = True
    gerd.says("set gerd secret language=it")
    assert '"it" is not a language that I know. Use en, de or fr.' in gerd.hears().words
