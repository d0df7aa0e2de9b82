"""Which names a player may carry.

A name is stored in its compatibility form (Unicode NFKC), and two names are the same when they differ only in
case: the database keeps them unique by ``lower(name)``. Letters come from one script, because a Cyrillic ``а`` in a
Latin name makes a different account that reads the same (Unicode Technical Standard 39, "single script"; East Asian
scripts may stand beside Latin, as that standard's "highly restrictive" level allows).
"""

from __future__ import annotations

import unicodedata

import regex

MIN_LENGTH = 2
MAX_LENGTH = 30
# What the names of closed accounts begin with.
RESERVED = "deleted-"

# Marks a text for the catalogue of translations; whoever shows it translates it.
_ = str

# Some letters and marks show nothing at all, such as U+1160: a name with one reads like the name without it.
_CHARACTERS = regex.compile(r"[[\p{L}\p{M}0-9_.-]--\p{Default_Ignorable_Code_Point}]+", regex.V1)
_EDGES = regex.compile(r"[\p{L}0-9].*[\p{L}\p{M}0-9]")

# The scripts in everyday use (Unicode Standard Annex 31, table 5), and the sets that are written together.
_SCRIPTS = (
    "Arabic", "Armenian", "Bengali", "Cyrillic", "Devanagari", "Ethiopic", "Georgian", "Greek", "Gujarati", "Gurmukhi",
    "Hebrew", "Kannada", "Khmer", "Lao", "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil", "Telugu", "Thaana",
    "Thai", "Tibetan",
)  # fmt: skip
_TOGETHER = ("Latin Han Hangul", "Latin Han Hiragana Katakana", "Latin Han Bopomofo")
# Of Latin the letters that languages are written with; phonetic ones such as ɡ and ɑ only look like others.
_LATIN = r"A-Za-zÀ-ſƠơƯưǍ-ǜȘ-ț\u1e00-\u1eff"
# Marks that belong to no script are accents that NFKC could not join to their letter: they pile up on any letter.
_ONE_SCRIPT = [
    regex.compile(
        "["
        + "".join(_LATIN if script == "Latin" else rf"\p{{Script={script}}}" for script in scripts.split())
        + r"\p{Common}]+"
    )
    for scripts in (*_TOGETHER, *_SCRIPTS)
]

# Letters of other scripts that a reader takes for a Latin one (from the confusables data of the same standard). A
# name made of them alone, such as Cyrillic "сосо", is a Latin name in disguise.
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
    """Accept a name in its normal form, or raise :class:`BadUsername` naming the rule it breaks."""
    if not MIN_LENGTH <= len(name) <= MAX_LENGTH:
        raise BadUsername("length", _("A username has 2 to 30 characters."))
    if not _CHARACTERS.fullmatch(name):
        raise BadUsername("characters", _("A username holds letters, digits, and the signs _ . - only."))
    if not _EDGES.fullmatch(name):
        raise BadUsername("edges", _("A username starts and ends with a letter or a digit."))
    if normal_form(name) != name:
        raise BadUsername("characters", _("A username holds no compatibility characters."))
    if name.lower().startswith(RESERVED):
        raise BadUsername("reserved", _("A username does not begin with deleted-: closed accounts do."))
    if not any(scripts.fullmatch(name) for scripts in _ONE_SCRIPT):
        raise BadUsername("look_alike", _("A username does not mix scripts: such names look like other names."))
    letters = [char for char in name if char.isalpha()]
    if letters and all(char in _LOOKS_LATIN for char in letters):
        raise BadUsername("look_alike", _("A username is not made only of letters that look like Latin ones."))
