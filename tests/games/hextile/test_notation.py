import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games.hextile.grid import DIRECTIONS
from pbem.games.hextile.notation import LETTERS, UnreadablePlacement, Word, label, label_index, read_words


def test_labels_run_over_twenty_letters_and_then_over_pairs() -> None:
    assert "".join(label(index) for index in range(20)) == "ABCDEFGHJKMPQRTUVWYZ"
    assert [label(index) for index in (20, 21, 39, 40, 419, 420)] == ["AA", "AB", "AZ", "BA", "ZZ", "AAA"]


@given(st.integers(0, 20_000))
def test_a_label_leads_back_to_its_space(index: int) -> None:
    assert label_index(label(index)) == index


@pytest.mark.parametrize("text", ["I", "L", "NO", "X", "a", "A1"])
def test_other_letters_make_no_label(text: str) -> None:
    assert label_index(text) is None


def test_no_direction_can_be_taken_for_a_label() -> None:
    assert all(label_index(direction.upper()) is None for direction in DIRECTIONS)
    assert not {"I", "L", "N", "O", "S", "X"} & set(LETTERS)


@pytest.mark.parametrize(
    "text",
    ["a1,j12", "A1,J12", "a1 j12", "a1;j12", "a1+j12", " a1 , j12 ", "a1\tj12", "a1,;j12", "A1\n\nj12"],
)
def test_a_turn_may_be_written_in_many_ways(text: str) -> None:
    assert [(word.label, word.state) for word in read_words(text)] == [("A", 1), ("J", 12)]


def test_a_direction_is_known_in_either_case() -> None:
    assert Word("NE9", "NE", 9).direction == "ne"
    assert Word("j9", "j", 9).direction is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        ",",
        "a",
        "1",
        "1a",
        "a-1",
        "a1.",
        "a01",
        "a\uff11",
        "a\u00b2",
        "a\u0663",
        "\u00e41",
        "\uff411",
        "a1\x00",
        "abcde1",
    ],
)
def test_anything_else_cannot_be_read(text: str) -> None:
    with pytest.raises(UnreadablePlacement) as refused:
        read_words(text)
    assert refused.value.facts["which"] == 1


def test_the_piece_that_cannot_be_read_is_named_and_cut_short() -> None:
    with pytest.raises(UnreadablePlacement) as refused:
        read_words("a1," + "?" * 10_000)
    assert refused.value.facts == {"word": "?" * 20, "which": 2}


@given(st.text(alphabet=st.sampled_from("aAzZnesw0129,;+ \t\n\u00b2\uff11\u00e9"), max_size=60) | st.text(max_size=60))
def test_any_text_gives_words_or_a_refusal(text: str) -> None:
    try:
        words = read_words(text)
    except UnreadablePlacement:
        return
    assert words
    assert all(word.typed in text for word in words)
