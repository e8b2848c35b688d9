"""Commands in German and French."""

from __future__ import annotations

import unicodedata

import pytest

from pbem.commands.blanking import blanked
from pbem.commands.challenges import ShowHistory
from pbem.commands.command import Command
from pbem.commands.grammar import begins_command, parse
from pbem.commands.line import BoardAnswered
from pbem.commands.playing import ANSWERS_ALONE, MakeMove
from pbem.commands.reading import read_letter
from pbem.commands.replied import words_for
from pbem.commands.secrets import is_known, withheld
from pbem.commands.server import Help
from pbem.commands.userids import COMMAND_WORDS, BadUserid, check_userid, could_be_userid
from pbem.commands.verbs import TRANSLATIONS, VERBS, translation_of, verb_of
from pbem.errors import Unreadable
from pbem.ids import BoardNumber

GAMES = ("superbo", "mambo", "mamba")
ANSWERED = BoardAnswered(BoardNumber(101))

BEHIND: dict[str, tuple[str, ...]] = {
    "signup": ("alice geheim", "alice geheim alice@example.org"),
    "set": ("", "mail=text", "alice geheim mail=text"),
    "vacation": ("", "5", "2026-12-31", "off", "alice geheim 5", "alice geheim"),
    "block": ("bob", "alice geheim bob"),
    "unblock": ("bob", "alice geheim bob"),
    "signoff": ("", "alice geheim"),
    "help": ("", "move", "superbo", "zug", "mambo tactics"),
    "list": ("", "superbo"),
    "puzzle": ("", "superbo", "12", "show 12", "answer 12 b3"),
    "message": ("bob", "to bob carol", "alice geheim bob"),
    "challenge": ("superbo bob", "bob superbo"),
    "again": ("101",),
    "robot": ("",),
    "standings": ("",),
    "history": ("", "bob"),
    "move": ("101 b3", "101 alice geheim b3", "101 b3,c4#7", "101: B3 C4", "101 alice geheim pass", "101#7 lay b2>b3"),
    "confirm": ("101", "101 alice geheim"),
    "preview": ("101 b3", "101#7 a1 b2,c3"),
    "explore": ("superbo", "superbo b3 c4,k5", "101#7", "101"),
    "pass": ("101", "101 alice geheim"),
    "swap": ("101", "101 alice geheim"),
    "propose": ("101", "101 alice geheim", "101#7"),
    "undo": ("101", "101 alice geheim", "101 #7"),
    "accept": ("101", "101 alice geheim"),
    "reject": ("101", "101 alice geheim"),
    "resign": ("101", "101 alice geheim", "101#17"),
    "show": ("101", "101#7", "bob", "next"),
    "games": ("", "all", "bob all", "2"),
    "export": ("101",),
    "analyse": ("101", "101#7"),
    "hint": ("101",),
    "subscribe": ("101", "101 102", "all", "to bob"),
    "unsubscribe": ("101", "101 102", "all", "to bob"),
    "note": ("101", "101 delete", "101 alice geheim", "101 löschen", "101 alice geheim supprimer"),
    "study": (
        *("101", "101 title x", "101 alice geheim share"),
        *("101 teilen", "101 alice geheim partager", "101 löschen #3", "101 titel x"),
    ),
    "studies": ("", "2", "alice geheim 2"),
}
"""The words behind each verb that has translations."""
WITH_A_GAME: dict[str, tuple[str, ...]] = {
    "challenge": ("bob", "-pace=3 bob", "zug", "encore"),
    "seek": ("", "2 -pace=3", "alice geheim 2"),
    "tournament": ("", "show spring", "join spring"),
    **dict.fromkeys(("standings", "history", "robot"), ("",)),
    **dict.fromkeys(("accept", "reject"), ("", "alice geheim")),
    "games": ("", "bob", "next"),
    "explore": ("", "b3 c4,k5"),
    "move": ("101 b3", "101 alice geheim b3"),
    "resign": ("101", "101 alice geheim"),
}
"""The same behind a game."""

LINES = [
    (f"{front} {word} {behind}".strip(), f"{front} {verb} {behind}".strip())
    for front, table in (("", BEHIND), ("superbo", WITH_A_GAME))
    for word, verb in sorted(TRANSLATIONS.items())
    for behind in table.get(verb, ())
]


def read(line: str, answered: BoardAnswered | None = None) -> Command | None:
    try:
        return parse(line, GAMES, answered)
    except Unreadable:
        return None


def test_every_verb_with_translations_is_tested() -> None:
    assert {verb.word for verb in VERBS.values() if verb.translations} == {*BEHIND, *WITH_A_GAME}


@pytest.mark.parametrize(("line", "english"), LINES)
def test_a_line_means_the_same_as_in_english(line: str, english: str) -> None:
    assert parse(line, GAMES) == parse(english, GAMES)
    assert parse(line.upper(), GAMES).form == parse(english, GAMES).form
    assert parse(unicodedata.normalize("NFD", line), GAMES) == parse(english, GAMES)
    assert begins_command(line, GAMES)
    assert withheld(line, GAMES) == withheld(english, GAMES)
    assert blanked(line, GAMES) == blanked(english, GAMES)


def test_words_are_declared_beside_the_verb_and_understood_in_all_spellings() -> None:
    assert VERBS["resign"].translations == {"de": ("aufgeben",), "fr": ("abandonner",)}
    assert {language for verb in VERBS.values() for language in verb.translations} == {"de", "fr"}
    assert {translation_of(word) for word in ("bestätigen", "bestaetigen", "Bestatigen", "BESTÄTIGEN")} == {"confirm"}
    assert {translation_of(word) for word in ("désabonner", "desabonner")} == {"unsubscribe"}
    assert [word for word in TRANSLATIONS if verb_of(word) is not None or word in GAMES] == []
    assert {translation_of("bob"), translation_of("")} == {None}


ALONE = sorted(word for word, verb in TRANSLATIONS.items() if verb in ANSWERS_ALONE)


@pytest.mark.parametrize("word", ALONE)
@pytest.mark.parametrize("end", ["", ".", "!"])
def test_a_word_alone_answers_the_mail_of_a_board(word: str, end: str) -> None:
    english = parse(TRANSLATIONS[word], GAMES, ANSWERED)
    assert parse(word.title() + end, GAMES, ANSWERED) == english
    assert parse(f"{word} #7", GAMES, ANSWERED) == parse(f"{TRANSLATIONS[word]} #7", GAMES, ANSWERED)
    assert read_letter("Re: superbo Board 101 alice", (word, "", "Gruß"), GAMES, most=9).lines == (word,)
    assert read_letter(word, (), GAMES, most=9, answered=ANSWERED).lines == (word,)


@pytest.mark.parametrize("word", ALONE)
def test_a_word_alone_needs_its_board_elsewhere(word: str) -> None:
    assert read(word) is None
    assert not begins_command(word, GAMES)


@pytest.mark.parametrize(
    ("line", "english"),
    [
        *(("bestätigen", "confirm"), ("confirmer", "confirm"), ("nochmal", "again"), ("Encore!", "again")),
        *(("zeigen", "show"), ("abbestellen", "unsubscribe"), ("Hilfe", "help"), ("aide move", "help move")),
        *(("zug 101 b3", "move 101 b3"), ("coup 102 alice secret b3", "move 102 alice secret b3")),
        *(("superbo défier bob", "superbo challenge bob"), ("urlaub 5", "vacation 5")),
    ],
)
def test_other_commands_in_an_answer_to_a_board(line: str, english: str) -> None:
    assert parse(line, GAMES, ANSWERED) == parse(english, GAMES, ANSWERED)


FINAL = [
    *(
        "aufgeben 101 jetzt",
        "aufgeben in 101",
        "aufgeben: 101",
        "aufgeben?",
        "aufgeben 101?",
        "Aufgeben ist keine Option",
    ),
    *("aufgeben 101 oder nicht", "abandonner 101 pas encore", "abandonner la partie", "abandonner 101 jamais ou si"),
    *("remis?", "Remis 101?", "Remis wäre fair", "remis bitte", "nulle part", "nulle 101 d'accord ?"),
    *("accepter 101 peut-être demain", "annehmen oder ablehnen", "refuser 101 non merci", "abmelden von 101"),
    *("abmelden bitte", "désinscription svp", "désinscription alice", "superbo abmelden", "101 aufgeben"),
    *(
        "passer le tour",
        "passen wir",
        "tauschen wir?",
        "superbo aufgeben",
        "zug aufgeben",
        "aufgeben 99",
        "aufgeben 102",
    ),
]


@pytest.mark.parametrize("line", FINAL)
@pytest.mark.parametrize("ends", ["", ".", " danke", " merci"])
def test_nothing_is_given_up_unless_the_line_is_exactly_the_form(line: str, ends: str) -> None:
    for answered in (None, ANSWERED) if line != "aufgeben 102" else (ANSWERED,):
        command = read(line + ends, answered)
        assert command is None or command.form == "move", line


TALK = [
    *("Zug 17: b3", "Zug um Zug", "zug geheim b3", "Coup de maître", "Coup 12 : b3", "spiele b3", "spiele gegen bob"),
    *(
        "spiele weiter",
        "Partie gegen bob",
        "Jeux vidéo",
        "Urlaub bis Sonntag",
        "Vacances de Pâques",
        "Encore une partie",
    ),
    *(
        "Nochmal danke",
        "Hilfe ich habe mein Passwort vergessen",
        "Hilfe, wo bin ich?",
        "Aide svp avec mon mot de passe",
    ),
    *("Inscription au tournoi", "anmelden zum turnier", "inscription svp", "Registrieren bitte", "anmelden"),
    *("Montrer que je joue bien", "zeigen wir es ihm", "jouer avec bob", "jouer 101 fois", "Zug 101 war stark"),
    *("zug 101 b3?", "Zug 101 b3 oder c4", "coup 101 b3 (pas c4)", "ziehen wir die partie vor", "zug 101 ist gespielt"),
    *("Nachricht für dich", "message d'alice", "Liste der Spiele", "refuser bob", "zurücknehmen kann ich nicht"),
    *("Erkunden wir", "Eröffnungen super", "Ouvertures bob", "Ouvertures supebo et mambo"),
    *("herausfordern bob", "défi relevé", "Merci encore", "un coup 101 b3", "Mein zug 101 b3"),
]


@pytest.mark.parametrize("line", TALK)
def test_talk_stays_talk(line: str) -> None:
    assert read(line) is None or verb_of(line.split()[0])
    command = read(line, ANSWERED)
    assert command is None or command.form in ("move", "message"), line
    assert getattr(command, "board", 101) in (101, None)


def test_a_number_that_is_not_that_of_the_board_answered_may_be_that_of_the_move() -> None:
    for line in ("Zug 17: b3", "Zug 102: b3", "coup 5 b3"):
        assert parse(line, GAMES, ANSWERED) == MakeMove(BoardNumber(101), line)


@pytest.mark.parametrize(
    "word", sorted({"".join(filter(str.isalnum, each)) for each in TRANSLATIONS if each.isascii()})
)
def test_an_old_player_may_be_called_so_and_a_new_one_may_not(word: str) -> None:
    assert word not in COMMAND_WORDS
    assert not is_known(word, GAMES)
    assert could_be_userid(word, GAMES)
    for userid in (word, word.title(), f"{word[:1]}_{word[1:]}"):
        with pytest.raises(BadUserid) as refused:
            check_userid(userid, GAMES)
        assert refused.value.facts["reason"] == "reserved"


@pytest.mark.parametrize("userid", ["zug", "coup", "encore"])
def test_an_old_player_with_this_name_is_read_everywhere(userid: str) -> None:
    for line in (
        f"move 101 {userid} secret b3",
        f"zug 101 {userid} secret b3",
        f"resign 101 {userid} secret",
        f"aufgeben 101 {userid} secret",
        f"vacation {userid} secret 5",
    ):
        assert read(line).speaker.userid == userid  # type: ignore[union-attr]
    assert read(f"superbo challenge {userid}").userids == (userid,)  # type: ignore[union-attr]
    assert read(f"superbo herausfordern {userid}").userids == (userid,)  # type: ignore[union-attr]
    assert read(f"message {userid}").to == (userid,)  # type: ignore[union-attr]
    assert read(f"nachricht {userid}").to == (userid,)  # type: ignore[union-attr]
    assert read(f"show {userid}").userids == (userid,)  # type: ignore[union-attr]


@pytest.mark.parametrize("word", sorted(TRANSLATIONS))
def test_a_word_that_may_be_a_password_is_withheld_and_blanked(word: str) -> None:
    for line in (f"move 101 alice {word} b3 or what", f"resign alice {word}", f"zug 101 alice {word} b3"):
        assert word in withheld(line, GAMES)
    for verb in ("move", "zug", "superbo aufgeben", "anmelden"):
        assert word not in blanked(f"{verb} fsmith {word} 101", GAMES).split()


@pytest.mark.parametrize("verb", sorted(word for word, verb in TRANSLATIONS.items() if VERBS[verb].takes_password))
def test_a_password_is_blanked_behind_a_verb_wherever_it_was_put(verb: str) -> None:
    for line in (
        f"superbo {verb} 101 fsmith hush a2,j12",
        f"{verb} fsmith hush 101",
        f"{verb} 101 fsmith hush",
        f"Subject: {verb} fsmith hush",
        f"{verb} fsmith hush and much more",
    ):
        assert "hush" not in blanked(line, GAMES).split(), line


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (("Guten Tag,", "", "zug 101 alice geheim b3", "", "Viele Grüße", "Alice"), "zug 101 alice geheim b3"),
        (("Bonjour !", "", "coup 101 b3", "", "Merci, à bientôt"), "coup 101 b3"),
        (("Hallo,", "aufgeben 101", "Danke für die Partie!"), "aufgeben 101"),
        (("Bonsoir,", "superbo défier bob", "Cordialement"), "superbo défier bob"),
        (("Hallo lieber Server,", "", "ich bin neu.", "anmelden karl geheim99", "Danke"), "anmelden karl geheim99"),
        (("Salut", "classement"), "classement"),
        (("Moin,", "Hilfe bitte!"), "Hilfe bitte!"),
    ],
)
@pytest.mark.parametrize("subject", ["", "Hallo", "Zug", "Coup", "Vacances", "Remis", "Hilfe"])
def test_greetings_and_thanks_may_stand_around(subject: str, body: tuple[str, ...], line: str) -> None:
    assert read_letter(subject, body, GAMES, most=9).lines == (line,)
    assert begins_command(line, GAMES)


@pytest.mark.parametrize(
    ("subject", "body", "line"),
    [
        ("Zug 101 b3", (), "Zug 101 b3"),
        ("coup 101 b3", ("Salut, bonne chance !",), "coup 101 b3"),
        ("Zug 101", ("b3 c4",), "move 101 b3 c4"),
        ("Hilfe", ("Wie geht das?",), "Hilfe"),
        ("Nachricht bob", ("Wann spielst du?",), "Nachricht bob"),
        ("Urlaub 5", ("vacation 7",), "vacation 7"),
        ("superbo herausfordern bob", ("Lust auf ein Spiel?",), "superbo herausfordern bob"),
    ],
)
def test_a_subject_is_a_command_if_the_body_has_none(subject: str, body: tuple[str, ...], line: str) -> None:
    assert read_letter(subject, body, GAMES, most=9).lines == (line,)


def test_a_title_above_the_answer_to_a_board_is_no_command() -> None:
    for title in ("Remis", "Aufgeben", "Zug 101", "Nulle", "Hilfe"):
        assert read_letter(title, ("b3 c4",), GAMES, most=9, answered=ANSWERED).lines == ("b3 c4",)


@pytest.mark.parametrize(
    "said", ["Remis", "Aufgeben!", "Nachricht angekommen", "Encore !", "Urlaub", "superb", "Nulle."]
)
def test_one_word_in_an_answer_to_words_is_passed_on(said: str) -> None:
    reading = words_for("chat 101", (said,), GAMES, ANSWERED)
    assert reading is not None
    assert reading.comment == said
    assert words_for("chat 101", ("zug 101 b3",), GAMES, ANSWERED) is None


def test_english_goes_first() -> None:
    assert parse("games 101", GAMES) == parse("all games 101", GAMES)
    assert read("help zug") == Help(("zug",))
    assert read("superbo history encore") == ShowHistory("encore", "superbo")


def test_an_offer_is_accepted_in_both_usual_german_words() -> None:
    assert [translation_of(word) for word in ("annehmen", "akzeptieren")] == ["accept", "accept"]
