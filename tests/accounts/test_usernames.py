"""The rules of usernames: no two names look the same."""

from __future__ import annotations

import pytest
import regex
from hypothesis import assume, given
from hypothesis import strategies as st

from accounts.usernames import BadUsername, check_username, normal_form

GOOD = [
    "player01", "Anna-Maria", "x.y_z", "42", "a1", "Łukasz", "José", "Ångström", "Straße", "Nguyễn", "Ștefan", "Işık",
    "deletedfile", "a" * 30,
    "다이아몬드", "Alice다이아", "周杰伦", "Alice周", "さくら", "タロウ",
    "Сергей", "Ελένη", "גלעד", "محمد", "สมชาย", "हिन्दी", "Հայկ",
]  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_allowed(name: str) -> None:
    check_username(normal_form(name))


BAD = {
    # too short, too long
    "": "length", "a": "length", "a" * 31: "length",
    # signs, spaces, symbols, digits of other scripts, control and format characters
    "a b": "characters", "a@b": "characters", "a+b": "characters", "a/b": "characters", "naïve?": "characters",
    "a\nb": "characters", "a\x00b": "characters", "a\u200bb": "characters", "a\u200db": "characters",
    "a\u202eb": "characters", "\u0661\u0662": "characters", "ab😀": "characters", "a,b": "characters",
    # invisible letters and marks
    "alice\u1160": "characters", "al\u115fice": "characters", "al\ufe0fice": "characters", "al\u034fice": "characters",
    "ali\U000e0101ce": "characters",
    # accents that cannot be combined, phonetic letters, names of closed accounts
    "p\u0331layer": "look_alike", "player01\u0332": "look_alike", "á\u0301b": "look_alike",
    "l\u0338l": "look_alike",
    "ɡoogle": "look_alike", "ɑdmin": "look_alike", "ǀan": "look_alike",
    "deleted-0123456789abcdef": "reserved", "DELETED-me": "reserved",
    # starts or ends with a sign, starts with a mark
    ".ab": "edges", "ab-": "edges", "_ab": "edges", "-_-": "edges", "\u0301ab": "edges",
    # scripts mixed: Cyrillic а, Greek ο, Armenian օ, Cherokee Ꭺ among Latin letters; two foreign ones
    "аlice": "look_alike", "bοb": "look_alike", "bօb": "look_alike", "Ꭺnna": "look_alike", "Сεрγей": "look_alike",
    "さくら다": "look_alike", "ᏟᎻ": "look_alike",
    # one script, but it looks like a Latin name
    "сосо": "look_alike", "РЕТЕР1": "look_alike", "хо_хо": "look_alike", "ΑΝΝΑ": "look_alike", "сӏау": "look_alike",
    "рӏауег01": "look_alike",
}  # fmt: skip


@pytest.mark.parametrize(("name", "code"), BAD.items(), ids=ascii)
def test_refused(name: str, code: str) -> None:
    with pytest.raises(BadUsername) as refused:
        check_username(name)
    assert refused.value.code == code


@pytest.mark.parametrize("name", ["Ａｌｉｃｅ", "ﬁnn", "x²y", "ｶﾀｶﾅ", "e\u0301mile", "\u212angstrom"])
def test_a_name_outside_its_normal_form_is_refused_but_its_normal_form_is_fine(name: str) -> None:
    with pytest.raises(BadUsername):
        check_username(name)
    check_username(normal_form(name))


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("  Anna ", "Anna"),
        ("Ａｌｉｃｅ", "Alice"),
        ("ﬁnn", "finn"),
        ("\u3000周杰伦\u3000", "周杰伦"),
        ("e\u0301mile", "émile"),
    ],
)
def test_normal_form(name: str, stored: str) -> None:
    assert normal_form(name) == stored


@given(st.text(max_size=40))
def test_normal_form_is_idempotent(name: str) -> None:
    once = normal_form(name)
    assert normal_form(once) == once


def is_accepted(name: str) -> bool:
    try:
        check_username(name)
    except BadUsername:
        return False
    return True


@given(st.text(st.characters(categories=["L", "M", "Nd", "Pd", "Pc", "Cf"]), min_size=1, max_size=35))
def test_an_accepted_name_is_visible_and_in_normal_form(name: str) -> None:
    assume(is_accepted(name))
    assert normal_form(name) == name
    assert 2 <= len(name) <= 30
    assert name.isprintable()


@given(st.sampled_from(GOOD), st.integers(1, 60), st.characters(categories=["L", "M", "N", "P", "S", "Z", "C"]))
def test_no_invisible_letter_is_accepted(name: str, place: int, char: str) -> None:
    """A character that is added to a valid name is visible or refused."""
    longer = name[:place] + char + name[place:]
    if is_accepted(longer):
        assert not regex.search(r"\p{Default_Ignorable_Code_Point}", longer)
