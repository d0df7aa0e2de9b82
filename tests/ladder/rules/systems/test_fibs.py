"""FIBS: right to the hundredth, against values that were worked out without any of its code."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ladder.rules.rule_sets import QUEUE_LENGTHS, rule_set
from ladder.rules.systems.fibs import Fibs
from ladder.rules.systems.system import Change, Match, Player, Score
from tests.ladder.rules.calculator import evaluate


def fibs(name: str) -> Fibs:
    system = rule_set(name, 1).system
    assert isinstance(system, Fibs)
    return system


OURS = fibs("fibs-600")
CLASSIC = fibs("fibs-classic")
FLAT = fibs("fibs-flat-1800")
SYSTEMS = {"fibs-600": OURS, "fibs-classic": CLASSIC, "fibs-flat-1800": FLAT}

EXPERIENCED = 400  # from here on K is 1 whatever the match length


class Golden(NamedTuple):
    winner: str
    loser: str
    winner_experience: int
    loser_experience: int
    match_length: int
    probability: str
    winner_k: str
    loser_k: str
    winner_delta: str
    loser_delta: str


# Worked out with 60 decimal places.
GOLDEN = {
    "fibs-600": [
        # two new accounts: the match being settled counts towards experience
        Golden("600.00", "600.00", 0, 0, 5, "0.500000", "4.95", "4.95", "44.27", "-44.27"),
        Golden("600.00", "600.00", 0, 0, 1, "0.500000", "4.99", "4.99", "19.96", "-19.96"),
        # 395 + 5 is 400: K is 1; a point less is not enough
        Golden("600.00", "600.00", 395, 0, 5, "0.500000", "1.00", "4.95", "8.94", "-44.27"),
        Golden("600.00", "600.00", 394, 0, 5, "0.500000", "1.01", "4.95", "9.03", "-44.27"),
        # equal established players: 4 points over 1, 20 over 25
        Golden("600.00", "600.00", 400, 400, 1, "0.500000", "1.00", "1.00", "4.00", "-4.00"),
        Golden("600.00", "600.00", 400, 400, 25, "0.500000", "1.00", "1.00", "20.00", "-20.00"),
        Golden("900.00", "900.00", 1000, 1000, 7, "0.500000", "1.00", "1.00", "10.58", "-10.58"),
        # K is each player's own
        Golden("700.00", "650.00", 120, 80, 7, "0.538002", "3.73", "4.13", "36.47", "-40.39"),
        Golden("650.00", "700.00", 80, 120, 7, "0.461998", "4.13", "3.73", "47.03", "-42.47"),
        Golden("812.34", "655.67", 250, 31, 11, "0.645251", "2.39", "4.58", "22.50", "-43.11"),
        Golden("655.67", "812.34", 31, 250, 11, "0.354749", "4.58", "2.39", "78.41", "-40.92"),
        Golden("598.17", "1013.50", 0, 2750, 9, "0.192399", "4.91", "1.00", "95.17", "-19.38"),
        Golden("-35.20", "12.00", 55, 410, 3, "0.476487", "4.42", "1.00", "32.06", "-7.25"),
        Golden("1000.00", "600.00", 0, 0, 1, "0.613137", "4.99", "4.99", "15.44", "-15.44"),
        Golden("1200.00", "400.00", 600, 0, 25, "0.990099", "1.00", "4.75", "0.40", "-1.88"),
        Golden("400.00", "1200.00", 0, 600, 25, "0.009901", "4.75", "1.00", "188.12", "-39.60"),
        # the cap: 25 points move 190 at most, 28 still stay below 200, 29 do not
        Golden("600.00", "2600.00", 0, 0, 25, "0.000010", "4.75", "4.75", "190.00", "-190.00"),
        Golden("600.00", "3600.00", 0, 0, 28, "0.000000", "4.72", "4.72", "199.81", "-199.81"),
        Golden("600.00", "3600.00", 0, 0, 29, "0.000000", "4.71", "4.71", "200.00", "-200.00"),
        Golden("600.00", "3600.00", 0, 0, 99, "0.000000", "4.01", "4.01", "200.00", "-200.00"),
        Golden("600.00", "600.00", 0, 0, 99, "0.500000", "4.01", "4.01", "159.60", "-159.60"),
        # worked out independently
        Golden("600.00", "600.00", 0, 0, 7, "0.500000", "4.93", "4.93", "52.17", "-52.17"),
        Golden("600.00", "600.00", 0, 0, 25, "0.500000", "4.75", "4.75", "95.00", "-95.00"),
        Golden("600.00", "600.00", 400, 400, 5, "0.500000", "1.00", "1.00", "8.94", "-8.94"),
        Golden("600.00", "600.00", 0, 400, 5, "0.500000", "4.95", "1.00", "44.27", "-8.94"),
        Golden("600.00", "600.00", 394, 400, 5, "0.500000", "1.01", "1.00", "9.03", "-8.94"),
        Golden("600.00", "600.00", 399, 400, 1, "0.500000", "1.00", "1.00", "4.00", "-4.00"),
        Golden("600.00", "800.00", 400, 400, 1, "0.442688", "1.00", "1.00", "4.46", "-4.46"),
        Golden("600.00", "800.00", 400, 400, 7, "0.352240", "1.00", "1.00", "13.71", "-13.71"),
        Golden("600.00", "800.00", 400, 400, 25, "0.240253", "1.00", "1.00", "30.39", "-30.39"),
        Golden("800.00", "600.00", 400, 400, 1, "0.557312", "1.00", "1.00", "3.54", "-3.54"),
        Golden("800.00", "600.00", 400, 400, 7, "0.647760", "1.00", "1.00", "7.46", "-7.46"),
        Golden("800.00", "600.00", 400, 400, 25, "0.759747", "1.00", "1.00", "9.61", "-9.61"),
        Golden("600.00", "1200.00", 0, 400, 7, "0.138522", "4.93", "1.00", "89.89", "-18.23"),
        Golden("1200.00", "600.00", 400, 0, 7, "0.861478", "1.00", "4.93", "2.93", "-14.45"),
        Golden("600.00", "2000.00", 0, 400, 25, "0.000316", "4.75", "1.00", "189.94", "-39.99"),
        Golden("600.00", "3000.00", 0, 400, 28, "0.000000", "4.72", "1.00", "199.81", "-42.33"),
        Golden("600.00", "3000.00", 0, 400, 29, "0.000000", "4.71", "1.00", "200.00", "-43.08"),
        Golden("600.00", "3000.00", 0, 400, 64, "0.000000", "4.36", "1.00", "200.00", "-64.00"),
        Golden("1000.00", "1000.00", 200, 50, 9, "0.500000", "2.91", "4.41", "34.92", "-52.92"),
        Golden("644.27", "555.73", 5, 5, 5, "0.556738", "4.90", "4.90", "38.85", "-38.85"),
        Golden("180.57", "883.45", 400, 400, 11, "0.063931", "1.00", "1.00", "24.84", "-24.84"),
    ],
    "fibs-classic": [
        Golden("1500.00", "1500.00", 0, 0, 5, "0.500000", "4.95", "4.95", "22.14", "-22.14"),
        Golden("1500.00", "1500.00", 400, 400, 1, "0.500000", "1.00", "1.00", "2.00", "-2.00"),
        Golden("1620.50", "1480.25", 90, 700, 9, "0.618788", "4.01", "1.00", "18.34", "-4.57"),
        Golden("1480.25", "1620.50", 700, 90, 9, "0.381212", "1.00", "4.01", "7.43", "-29.78"),
    ],
    "fibs-flat-1800": [
        Golden("1800.00", "1800.00", 0, 0, 1, "0.500000", "1.00", "1.00", "2.00", "-2.00"),
        Golden("1800.00", "1800.00", 0, 0, 9, "0.500000", "1.00", "1.00", "6.00", "-6.00"),
        Golden("1856.00", "1744.00", 0, 350, 7, "0.584471", "1.00", "1.00", "4.40", "-4.40"),
        Golden("1744.00", "1856.00", 350, 0, 7, "0.415529", "1.00", "1.00", "6.19", "-6.19"),
    ],
}


class Settled(NamedTuple):
    winner: Change
    loser: Change

    @property
    def winner_probability(self) -> float:
        return float(self.winner.basis["win_probability"])


def settle(
    system: Fibs, winner: str | Decimal, loser: str | Decimal, winner_experience: int, loser_experience: int,
    match_length: int,
) -> Settled:  # fmt: skip
    one, two = Player(Decimal(winner), winner_experience), Player(Decimal(loser), loser_experience)
    return Settled(*system.settle(one, two, Score.WIN, Match(match_length)))


def k(change: Change) -> Decimal:
    return Decimal(change.basis["k"])


@pytest.mark.parametrize(("name", "row"), [(name, row) for name, rows in GOLDEN.items() for row in rows])
def test_golden_numbers(name: str, row: Golden) -> None:
    settled = settle(SYSTEMS[name], *row[:5])
    assert f"{settled.winner_probability:.6f}" == row.probability
    assert (k(settled.winner), k(settled.loser)) == (Decimal(row.winner_k), Decimal(row.loser_k))
    assert (settled.winner.delta, settled.loser.delta) == (Decimal(row.winner_delta), Decimal(row.loser_delta))


def test_two_new_accounts_over_five_points() -> None:
    settled = settle(OURS, "600.00", "600.00", 0, 0, 5)
    assert (settled.winner.after, settled.loser.after) == (Decimal("644.27"), Decimal("555.73"))
    assert (settled.winner.experience_after, settled.loser.experience_after) == (5, 5)


def test_ours_has_twice_the_classic_stake() -> None:
    for match_length in QUEUE_LENGTHS:
        ours = settle(OURS, "700.00", "640.00", 500, 500, match_length).winner.delta
        classic = settle(CLASSIC, "700.00", "640.00", 500, 500, match_length).winner.delta
        assert abs(ours - 2 * classic) <= Decimal("0.01")


ratings = st.decimals("-500", "3500", places=2)
experiences = st.integers(0, 5000)
lengths = st.integers(1, 99)
systems = st.sampled_from(list(SYSTEMS.values()))
matches = st.tuples(ratings, ratings, experiences, experiences, lengths)


@given(matches, systems)
def test_agrees_with_the_formula_at_60_decimal_places(match, system: Fibs) -> None:
    winner, loser, winner_experience, loser_experience, length = match
    settled = settle(system, *match)
    with localcontext(prec=60):
        probability = 1 / (1 + Decimal(10) ** ((loser - winner) * Decimal(length).sqrt() / 2000))
        for change, experience, sign in ((settled.winner, winner_experience, 1), (settled.loser, loser_experience, -1)):
            own_k = max(Decimal(1), 5 - Decimal(experience + length) / 100) if system.k_start == 5 else Decimal(1)
            points = system.stake * Decimal(length).sqrt() * (1 - probability) * own_k
            points = points if system.cap is None else min(points, Decimal(system.cap))
            # A float may fall on the other side of half a cent only when the true value is next to it.
            rounded = {(points + nudge).quantize(Decimal("0.01"), ROUND_HALF_EVEN) for nudge in NUDGES}
            assert sign * change.delta in rounded


NUDGES = (Decimal("-1e-9"), Decimal(0), Decimal("1e-9"))


@given(matches, systems)
def test_what_every_settlement_keeps(match, system: Fibs) -> None:
    settled = settle(system, *match)
    assert 0 <= settled.winner_probability <= 1
    for change in (settled.winner, settled.loser):
        assert change.after == change.before + change.delta
        assert change.after.as_tuple().exponent == -2
        assert change.experience_after - change.experience_before == match[4]
        assert 1 <= k(change) <= 5
        assert system.cap is None or abs(change.delta) <= system.cap
    assert settled.winner.delta >= 0 >= settled.loser.delta


@given(ratings, ratings, experiences, lengths, systems)
def test_equal_k_makes_the_deltas_exactly_opposite(winner, loser, experience, length, system) -> None:
    settled = settle(system, winner, loser, experience, experience, length)
    assert settled.winner.delta == -settled.loser.delta


@given(matches, st.decimals("0", "2000", places=2), systems)
def test_the_further_the_winner_stands_above_the_fewer_points_move(match, lead: Decimal, system: Fibs) -> None:
    """At any length and experience the winner's delta falls (weakly) with their lead; so does the loser's loss."""
    near = settle(system, *match)
    far = settle(system, match[0] + lead, *match[1:])
    assert far.winner.delta <= near.winner.delta
    assert far.loser.delta >= near.loser.delta


@given(ratings, st.decimals("0", "1500", places=2), lengths, lengths)
def test_longer_matches_move_more_while_k_stands_still(winner, behind, length, other) -> None:
    """Where the winner was no favourite and K is flat: √n and 1 - P both grow with n.

    A favourite's win is different: over a long enough match it is so certain that it moves less.
    """
    short, long = sorted((length, other))
    moved = [settle(OURS, winner, winner + behind, EXPERIENCED, EXPERIENCED, n).winner.delta for n in (short, long)]
    assert moved[0] <= moved[1]


@given(ratings, st.decimals("0", "1500", places=2), experiences, st.sampled_from(QUEUE_LENGTHS))
def test_over_the_lengths_of_the_queue_longer_matches_move_more_at_any_experience(winner, behind, e, length) -> None:
    """K falls within the match too, but up to 25 points √n × K(e + n) still grows at every experience."""
    longer = [n for n in QUEUE_LENGTHS if n >= length]
    moved = [settle(OURS, winner, winner + behind, e, e, n).winner.delta for n in longer]
    assert moved == sorted(moved)


@given(ratings, st.decimals("0.01", "2500", places=2), experiences, lengths, systems)
def test_the_favourite_gains_less_than_the_underdog_would(low, lead, experience, length, system) -> None:
    favourite = settle(system, low + lead, low, experience, experience, length).winner.delta
    underdog = settle(system, low, low + lead, experience, experience, length).winner.delta
    assert favourite <= underdog
    assume(lead >= 10 and underdog != system.cap)
    assert favourite < underdog


@given(experiences, lengths)
def test_k_falls_from_5_to_1_with_experience_alone(experience: int, length: int) -> None:
    assert 1 <= OURS.k(experience + 1, length) <= OURS.k(experience, length) < 5
    assert OURS.k(experience, length) == OURS.k(experience + length - 1, 1)
    assert (OURS.k(experience, length) == 1) == (experience + length >= 400)
    assert FLAT.k(experience, length) == 1


@given(st.integers(1, 28), ratings, ratings, experiences)
def test_the_cap_never_bites_up_to_28_points(length, winner, loser, experience) -> None:
    uncapped = Fibs(stake=8, cap=None)
    match = (winner, loser, experience, experience, length)
    assert settle(uncapped, *match) == settle(OURS, *match)


@given(ratings, experiences)
def test_the_multiplier_is_k_of_a_match_over_one_point(rating, experience) -> None:
    for system in SYSTEMS.values():
        assert system.multiplier(Player(rating, experience)) == float(system.k(experience, 1))
    assert OURS.multiplier(Player(rating, 0)) == 4.99
    assert Fibs(stake=8, cap=None, k_start=6, k_floor=2).multiplier(Player(rating, 0)) == pytest.approx(5.99 / 2)


def test_the_basis_says_what_a_change_was_made_of() -> None:
    winner, loser = settle(OURS, "700.00", "650.00", 120, 80, 7)
    assert (winner.basis["k"], winner.basis["opponent_rating"]) == ("3.73", "650.00")
    assert (loser.basis["k"], loser.basis["opponent_rating"]) == ("4.13", "700.00")
    assert winner.basis["win_probability"] == pytest.approx(0.538002, abs=5e-7)
    assert loser.basis["win_probability"] == pytest.approx(0.461998, abs=5e-7)


def test_the_constants_have_names() -> None:
    constants = {"stake": 8, "cap": 200, "k_start": 5, "k_floor": 1, "k_points": 100, "scale": 2000}
    assert OURS.parameters == constants
    assert CLASSIC.parameters == constants | {"stake": 4, "cap": None}


def test_the_formula_without_numbers() -> None:
    assert OURS.formula() == {
        "winner_probability": "P = 1 / (1 + 10^((loser - winner) × √length / 2000))",
        "k": "K = max(1, 5 - (experience + length) / 100)",
        "delta": "±min(200, 8 × √length × (1 - P) × K)",
    }
    assert CLASSIC.formula()["delta"] == "±4 × √length × (1 - P) × K"
    assert FLAT.formula()["k"] == "K = 1"


def test_the_worked_example() -> None:
    one = two = Player(Decimal("600.00"))
    won, lost = OURS.settle(one, two, Score.WIN, Match(5))
    steps = {
        "winner_probability": "1 / (1 + 10^((600.00 - 600.00) × √5 / 2000)) = 0.500000",
        "k": "max(1, 5 - (0 + 5) / 100) = 4.95",
    }
    assert OURS.explain(won, one, two, Score.WIN, Match(5)) == steps | {
        "delta": "+min(200, 8 × √5 × (1 - 0.500000) × 4.95) = +44.27",
        "after": "600.00 + 44.27 = 644.27",
    }
    assert OURS.explain(lost, two, one, Score.LOSS, Match(5)) == steps | {
        "delta": "-min(200, 8 × √5 × (1 - 0.500000) × 4.95) = -44.27",
        "after": "600.00 - 44.27 = 555.73",
    }


def test_the_worked_example_without_cap_and_with_flat_k() -> None:
    one, two = Player(Decimal("1856.00")), Player(Decimal("1744.00"), 350)
    _, lost = FLAT.settle(two, one, Score.WIN, Match(7))
    assert FLAT.explain(lost, one, two, Score.LOSS, Match(7)) == {
        "winner_probability": "1 / (1 + 10^((1856.00 - 1744.00) × √7 / 2000)) = 0.415529",
        "k": "1.00",
        "delta": "-4 × √7 × (1 - 0.415529) × 1.00 = -6.19",
        "after": "1856.00 - 6.19 = 1849.81",
    }


@given(systems, ratings, ratings, st.integers(0, 900), st.integers(0, 900), lengths)
def test_every_explanation_evaluates_to_what_was_settled(system, winner, loser, winner_e, loser_e, length) -> None:
    one, two, match = Player(winner, winner_e), Player(loser, loser_e), Match(length)
    won, lost = system.settle(one, two, Score.WIN, match)
    for change, player, opponent, score in ((won, one, two, Score.WIN), (lost, two, one, Score.LOSS)):
        steps = system.explain(change, player, opponent, score, match)
        value, stated = evaluate(steps["winner_probability"])
        assert value == pytest.approx(won.basis["win_probability"], abs=1e-9)
        assert float(stated) == pytest.approx(won.basis["win_probability"], abs=5.1e-7)
        value, stated = evaluate(steps["k"])
        assert value == pytest.approx(float(k(change)))
        assert stated == k(change)
        value, stated = evaluate(steps["delta"])
        assert stated == change.delta
        # half a cent of rounding, and the probability is printed with six places
        assert value == pytest.approx(float(change.delta), abs=0.0053)


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS)
@pytest.mark.parametrize("length", [1, 99])
@pytest.mark.parametrize("gap", ["32500.00", "9999999.99", "123456789012.34"])
def test_absurd_ratings_do_not_overflow(system: Fibs, length: int, gap: str) -> None:
    underdog = settle(system, f"-{gap}", gap, 0, 0, length)
    favourite = settle(system, gap, f"-{gap}", 0, 0, length)
    assert (underdog.winner_probability, favourite.winner_probability) == pytest.approx((0.0, 1.0))
    assert favourite.winner.delta == favourite.loser.delta == 0
    assert underdog.winner.delta == -underdog.loser.delta > 0
