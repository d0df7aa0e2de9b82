"""The rules of usernames.

A name is stored in its compatibility form (Unicode NFKC). Names that differ only in case are the same: the database
keeps ``lower(name)`` unique. All letters must be from one script, because a Latin name with a Cyrillic ``а`` looks the
same as another name (Unicode Technical Standard 39, "single script"). East Asian scripts may be mixed with Latin, as in
the "highly restrictive" level of that standard.
"""

from __future__ import annotations

import unicodedata

import regex

from accounts.limits import MAX_USERNAME, MIN_USERNAME

# The prefix of the names of closed accounts.
RESERVED = "deleted-"

# Marks a text for the catalogue of translations. It is translated where it is shown.
_ = str

# Some letters and marks are invisible, such as U+1160. A name with one looks like the name without it.
_CHARACTERS = regex.compile(r"[[\p{L}\p{M}0-9_.-]--\p{Default_Ignorable_Code_Point}]+", regex.V1)
_EDGES = regex.compile(r"[\p{L}0-9].*[\p{L}\p{M}0-9]")

# The scripts in common use (Unicode Standard Annex 31, table 5), and the sets that may be mixed.
_SCRIPTS = (
    "Arabic", "Armenian", "Bengali", "Cyrillic", "Devanagari", "Ethiopic", "Georgian", "Greek", "Gujarati", "Gurmukhi",
    "Hebrew", "Kannada", "Khmer", "Lao", "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu", "Thaana",
    "Thai", "Tibetan",
)  # fmt: skip
_MIXED = ("Latin Han Hangul", "Latin Han Hiragana Katakana", "Latin Han Bopomofo")
# The Latin letters of languages. Phonetic letters such as ɡ and ɑ are excluded, because they look like other letters.
_LATIN = r"A-Za-zÀ-ſƠơƯưǍ-ǜȘ-ț\u1e00-\u1eff"
# Marks without a script are excluded: they are accents that NFKC could not combine with their letter.
_ONE_SCRIPT = [
    regex.compile(
        "["
        + "".join(_LATIN if script == "Latin" else rf"\p{{Script={script}}}" for script in scripts.split())
        + r"\p{Common}]+"
    )
    for scripts in (*_MIXED, *_SCRIPTS)
]

# Letters of other scripts that look like Latin ones (from the confusables data of the same standard). A name of only
# these letters, such as Cyrillic "сосо", looks like a Latin name.
_LOOKS_LATIN = frozenset("аеорсухіјѕһӏгԁԛԝԍьѵԌАВЕЅІЈКМНОРСТУХӀԐԚԜѴ" + "αοινρυϲϳκΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" + "օսոցհոսԱՕՍ")


class BadUsername(ValueError):
    """The name breaks a rule.

    ``code`` is stable: ``length``, ``characters``, ``edges``, ``reserved`` or ``look_alike``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def normal_form(name: str) -> str:
    """The form in which a name is stored and looked up: NFKC, without surrounding white space."""
    return unicodedata.normalize("NFKC", name).strip()


def check_username(name: str) -> None:
    """Raise :class:`BadUsername` if the name, in its normal form, breaks a rule."""
    if not MIN_USERNAME <= len(name) <= MAX_USERNAME:
        raise BadUsername("length", _("A username has 2 to 30 characters."))
    if not _CHARACTERS.fullmatch(name):
        raise BadUsername("characters", _("A username can contain only letters, digits, and the characters _ . -"))
    if not _EDGES.fullmatch(name):
        raise BadUsername("edges", _("A username starts and ends with a letter or a digit."))
    if normal_form(name) != name:
        raise BadUsername("characters", _("A username cannot contain compatibility characters."))
    if name.lower().startswith(RESERVED):
        raise BadUsername("reserved", _("A username cannot start with deleted-, which is for closed accounts."))
    if not any(scripts.fullmatch(name) for scripts in _ONE_SCRIPT):
        raise BadUsername("look_alike", _("A username cannot mix scripts, because it could look like another name."))
    letters = [char for char in name if char.isalpha()]
    if letters and all(char in _LOOKS_LATIN for char in letters):
        raise BadUsername("look_alike", _("A username cannot contain only letters that look like Latin letters."))
