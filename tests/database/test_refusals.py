"""Each constraint and trigger of the database, with SQL that it must refuse."""

from __future__ import annotations

import re
from collections.abc import Iterator

import psycopg
import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.db.models import Model

from tests.database.world import Statement, World, change, copy, delete, make_world, truncate

pytestmark = pytest.mark.django_db

NIGHT = {
    "kind": "'decay'", "match_id": "NULL", "day": "'2026-02-01'", "idle_since": "'2026-01-01'", "won": "NULL",
    "basis": "'{{}}'", "sequence": "90", "delta": "-1",
    "after": "before - 1", "experience_after": "experience_before", "follows_id": "NULL",
}  # fmt: skip
"""A copied settlement as a valid entry of another kind."""

OPPOSITE = {
    "kind": "'reversal'", "reverses_id": "id", "sequence": "91", "delta": "-delta", "before": "after",
    "after": "before", "experience_before": "experience_after", "experience_after": "experience_before",
    "reason": "'a mistake'", "follows_id": "NULL",
}  # fmt: skip

NEXT = {
    "kind": "'adjustment'", "sequence": "sequence + 1", "before": "after", "delta": "-1", "after": "after - 1",
    "experience_before": "experience_after", "reverses_id": "NULL", "match_id": "NULL", "reason": "'a mistake'",
}  # fmt: skip
"""A copy of a standing's last entry as a valid next one."""

NEXT_NIGHT = NEXT | NIGHT | {
    "sequence": "sequence + 1", "before": "after", "after": "after - 1", "experience_after": "experience_after",
}  # fmt: skip
"""The same as a day of decay."""

_STANDING = "(SELECT {} FROM ladder_standing s WHERE s.id = standing_id)"
NEXT_OPPOSITE = OPPOSITE | {
    "sequence": _STANDING.format("last_sequence + 1"), "before": _STANDING.format("rating"),
    "after": _STANDING.format("rating") + " - delta", "experience_before": _STANDING.format("experience"),
    "experience_after": _STANDING.format("experience") + " - experience_after + experience_before",
}  # fmt: skip

REFUSED: dict[str, dict[str, Statement]] = {
    # --- accounts ---
    "user.username_unique_without_case": {
        "another case": copy("one", username="upper(username)"),
        "renamed to another case": change(
            "two", username="(SELECT upper(username) FROM accounts_user WHERE id = {one})"
        ),
    },
    "user.accounts_user_birth_year_check": {"negative": change("one", birth_year="-1")},
    "user.username_in_normal_form": {
        "a ligature": copy("one", username="'ﬁnn'"),
        "full-width letters": copy("one", username="'Ａｌｉｃｅ'"),
        "a letter and its accent apart": change("one", username="U&'e\\0301mile'"),
    },
    # --- ladders ---
    "ladder.ladder_ladder_slug_key": {"the same slug": copy("ladder")},
    "ladder.ladder_ladder_rule_set_version_check": {"negative": copy("ladder", slug="'x'", rule_set_version="-1")},
    "ladder.a_queue_offers_1_to_50_lengths": {
        "none": change("ladder", match_lengths="'{{}}'"),
        "51": change("ladder", match_lengths="array_fill(5, ARRAY[51])"),
    },
    "ladder.overall_is_another_ladder": {"itself": change("inner", overall_id="id")},
    "ruling.rulings_are_numbered": {"a number twice": copy("ruling")},
    "ruling.a_ruling_says_why": {"without a text": copy("ruling", number="9", text="''")},
    "ruling.a_void_ruling_has_no_score": {
        "a score": copy("ruling", number="9", loser_score="3"),
        "a winner without an ending": copy("ruling", number="9", winner_id="{one}"),
    },
    "ruling.ladder_ruling_number_check": {"negative": copy("ruling", number="-1")},
    "ruling.ladder_ruling_loser_score_check": {
        "negative": copy("ruling", number="9", winner_id="{one}", ending="'played'", loser_score="-1")
    },
    "ruling.append_only": {"changed": change("ruling", text="'no'"), "deleted": delete("ruling")},
    "ruling.append_only_truncate": {"emptied": lambda world: truncate("ruling")(world) + " CASCADE"},
    "ladder.rules_of_a_ladder_in_use_never_change": {
        "other rules": change("ladder", rule_set="'fibs-classic'"),
        "another version": change("ladder", rule_set_version="2"),
    },
    # --- matches ---
    "match.two_players": {"a player against themselves": copy("offered", player_two_id="player_one_id")},
    "match.match_length_1_to_99": {
        "0 points": copy("offered", match_length="0"),
        "100 points": copy("offered", match_length="100"),
    },
    "match.winner_is_a_player": {"a stranger wins": copy("confirmed", winner_id="{stranger}")},
    "match.loser_score_below_match_length": {"the loser has it all": change("confirmed", loser_score="match_length")},
    "match.confirmed_means_a_winner": {
        "confirmed without a winner": change("confirmed", winner_id="NULL"),
        "confirmed by nobody": change("confirmed", confirmed_by="NULL"),
        "a winner before the end": change("offered", winner_id="{one}", confirmed_by="'server'"),
    },
    "match.finished_means_a_time": {
        "finished at no time": change("confirmed", finished_at="NULL"),
        "a time before the end": change("offered", finished_at="now()"),
    },
    "match.voided_means_a_reason": {
        "cancelled for nothing": change("cancelled", void_reason="NULL"),
        "a reason without a void": change("confirmed", void_reason="'cheating'"),
    },
    "match.awaiting_means_a_deadline": {"no deadline": change("awaiting", confirm_by="NULL")},
    "match.only_ranked_matches_settle": {
        "a challenge": change("challenge", settled_at="now()"),
        "a bye": copy("confirmed", unrated_reason="'bye'"),
        "before it is confirmed": change("awaiting", settled_at="now()"),
        "a void": change("cancelled", settled_at="now()"),
    },
    "match.confirmed_is_settled_or_says_why_not": {"not settled, no reason": change("confirmed", settled_at="NULL")},
    "match.arranged_play_is_unrated": {
        "a rated challenge": copy("offered", origin="'challenge'"),
        "a challenge for another reason": change("challenge", unrated_reason="'voided'"),
    },
    "match.known_unrated_reason": {"unheard of": change("offered", unrated_reason="'because'")},
    "match.known_state": {"unheard of": change("offered", state="'adjourned'")},
    "match.known_origin": {"unheard of": copy("offered", origin="'street'", unrated_reason="'street'")},
    "match.known_ending": {"unheard of": change("confirmed", ending="'flipped'")},
    "match.known_confirmed_by": {"unheard of": change("confirmed", confirmed_by="'rumour'")},
    "match.says_a_seat": {
        "says 0": change("awaiting", one_reported_winner="0"),
        "says 3": change("awaiting", two_reported_winner="3"),
    },
    "match.one_match_per_imported_id": {
        "imported twice": lambda world: "; ".join([copy("offered", origin="'import'", external_id="'7'")(world)] * 2)
    },
    "match.ladder_match_match_length_check": {"negative": copy("offered", match_length="-1")},
    "match.ladder_match_loser_score_check": {"negative": change("confirmed", loser_score="-1")},
    "match.ladder_match_one_reported_winner_check": {"negative": change("awaiting", one_reported_winner="-1")},
    "match.ladder_match_two_reported_winner_check": {"negative": change("awaiting", two_reported_winner="-1")},
    "match.pairing_never_changes": {
        "ladder": change("offered", ladder_id="(SELECT ladder_id FROM ladder_match WHERE id = {elsewhere})"),
        "origin": change("offered", origin="'tournament'"),
        "origin of unrated play": change("challenge", origin="'matchmaking'"),
        "match length": change("offered", match_length="25"),
        "player one": change("offered", player_one_id="{stranger}"),
        "player two": change("offered", player_two_id="{stranger}"),
        "imported id": change("offered", external_id="'8'"),
    },
    "match.unrated_stays_unrated": {
        "a challenge made rated": change("challenge", unrated_reason="NULL"),
        "a bye that was none after all": lambda world: "; ".join(
            change("awaiting", unrated_reason=reason)(world) for reason in ("'bye'", "NULL")
        ),
    },
    "match.what_moved_ratings_stays_rated": {
        "a bye after all": change("confirmed", unrated_reason="'bye'", settled_at="NULL"),
        "a void made unrated": change("voided", unrated_reason="'no_show'"),
    },
    # --- reports ---
    "matchreport.one_report_per_match_reporter_and_winner": {"said twice": copy("report")},
    "matchreport.ladder_matchreport_loser_score_check": {"negative": change("report", loser_score="-1")},
    # --- standings ---
    "standing.one_standing_per_ladder_and_player": {"a second one": copy("standing")},
    "standing.peak_is_the_highest_rating": {"above the peak": change("standing", rating="peak_rating + 0.01")},
    "standing.played_means_a_last_ranked_match": {
        "played, and never": change("standing", last_ranked_at="NULL"),
        "a win from nowhere": change("unplayed", wins="1"),
        "a loss from nowhere": change("unplayed", losses="1"),
    },
    "standing.ladder_standing_experience_check": {"negative": change("standing", experience="-1")},
    "standing.ladder_standing_wins_check": {"negative": change("standing", wins="-1")},
    "standing.ladder_standing_losses_check": {"negative": change("standing", losses="-1")},
    "standing.ladder_standing_last_sequence_check": {"negative": change("standing", last_sequence="-1")},
    # --- the ledger ---
    "ratingentry.append_only": {
        "changed": change("entry", delta="delta + 1", after="after + 1"),
        "explained away": change("entry", reason="'a mistake'"),
        "deleted": delete("entry"),
    },
    "ratingentry.append_only_truncate": {"emptied": truncate("entry")},
    "ratingentry.after_is_before_plus_delta": {"a hundredth too much": copy("entry", **NIGHT | {"after": "before"})},
    "ratingentry.sequence_unique_in_standing": {"a number twice": copy("entry", **NIGHT | {"sequence": "sequence"})},
    "ratingentry.one_settlement_per_match_and_standing": {"settled twice": copy("entry", sequence="90")},
    "ratingentry.one_decay_per_standing_and_day": {
        "two in a night": lambda world: "; ".join(
            copy(
                "last",
                **NEXT_NIGHT | {"sequence": f"sequence + {n}", "before": f"after - {n - 1}", "after": f"after - {n}"},
            )(world)
            for n in (1, 2)
        )
    },
    "ratingentry.one_reversal_per_entry": {"taken back twice": copy("reversal", sequence="90")},
    "ratingentry.one_settlement_per_reversal": {"corrected twice": copy("follower", sequence="90")},
    "ratingentry.entry_is_whole_for_its_kind": {
        "a kind unheard of": copy("entry", kind="'bonus'", sequence="90"),
        "settlement of no match": copy("entry", match_id="NULL", sequence="90"),
        "settlement without its basis": copy("entry", basis="'{{}}'", sequence="90"),
        "settlement that nobody won or lost": copy("entry", won="NULL", sequence="90"),
        "settlement that gives no experience": copy("entry", experience_after="experience_before", sequence="90"),
        "settlement with a day": copy("entry", day="'2026-01-01'", sequence="90"),
        "settlement of an idle player": copy("entry", idle_since="'2026-01-01'", sequence="90"),
        "settlement that takes back": copy("entry", reverses_id="id", sequence="90"),
        "adjustment without a reason": copy("last", **NEXT | {"reason": "''"}),
        "adjustment of a match": copy("last", **NEXT | {"match_id": "match_id"}),
        "adjustment with a day": copy("last", **NEXT | {"day": "'2026-01-01'"}),
        "adjustment that somebody won": copy("last", **NEXT | {"won": "true"}),
        "adjustment that takes back": copy("last", **NEXT | {"reverses_id": "{entry}"}),
        "decay without a day": copy("entry", **NIGHT | {"day": "NULL"}),
        "decay without an idle time": copy("entry", **NIGHT | {"idle_since": "NULL"}),
        "decay of who played since": copy("entry", **NIGHT | {"idle_since": NIGHT["day"]}),
        "decay of a match": copy("entry", **NIGHT | {"match_id": "match_id"}),
        "decay upwards": copy("entry", **NIGHT | {"delta": "1", "after": "before + 1"}),
        "decay of experience": copy("entry", **NIGHT | {"experience_after": "experience_before + 1"}),
        "decay that takes back": copy("entry", **NIGHT | {"reverses_id": "id"}),
        "reversal without a reason": copy("entry", **OPPOSITE | {"reason": "''"}),
        "reversal of an idle player": copy("entry", **OPPOSITE | {"idle_since": "'2026-01-01'"}),
        "reversal that follows": copy("entry", **OPPOSITE | {"follows_id": "{reversal}"}),
    },
    "ratingentry.the_ledger_has_no_gaps": {
        "a number left out": copy("last", **NEXT | {"sequence": "sequence + 2"}),
        "another rating": copy("last", **NEXT | {"before": "after + 1", "after": "after"}),
        "another experience": copy("last", **NEXT | {"experience_before": "experience_after + 1"}),
    },
    "ratingentry.an_import_comes_before_everything_else": {"late": copy("last", **NEXT | {"kind": "'import'"})},
    "ratingentry.only_ranked_matches_move_ratings": {
        "an unrated match": copy("entry", match_id="{challenge}", sequence="90"),
        "a match that waits for its confirmation": copy("entry", match_id="{awaiting}", sequence="90"),
        "a voided match": copy("entry", match_id="{voided}", follows_id="{void_reversal}", sequence="90"),
        "the winner as the loser": copy("entry", won="NOT won", follows_id="{void_reversal}", sequence="90"),
        "a player of no such match": copy("entry", standing_id="{unplayed}", sequence="90"),
        "a match of another ladder": copy("entry", match_id="{elsewhere}", sequence="90"),
        "a standing of another ladder": copy("entry", standing_id="{standing_elsewhere}", sequence="90"),
        "following a settlement": copy("entry", follows_id="id", sequence="90"),
        "following a reversal of another match": copy("entry", follows_id="{void_reversal}", sequence="90"),
    },
    "ratingentry.reversal_is_the_exact_opposite": {
        "of nothing": copy("entry", **OPPOSITE | {"reverses_id": "NULL"}),
        "a hundredth off": copy("entry", **OPPOSITE | {"delta": "-delta - 0.01", "after": "before - 0.01"}),
        "leaving the experience": copy("entry", **OPPOSITE | {"experience_after": "experience_after"}),
        "of another standing": copy("entry", **OPPOSITE | {"standing_id": "{standing_two}"}),
        "naming another match": copy("entry", **OPPOSITE | {"match_id": "{offered}"}),
        "of a reversal": copy("reversal", **OPPOSITE),
    },
    "ratingentry.ladder_ratingentry_sequence_check": {"negative": copy("entry", **NIGHT | {"sequence": "-1"})},
    "ratingentry.ladder_ratingentry_experience_before_check": {
        "negative": copy("entry", experience_before="-1", sequence="90")
    },
    "ratingentry.ladder_ratingentry_experience_after_check": {
        "negative": copy("entry", **OPPOSITE | {"experience_before": "0", "experience_after": "-5"})
    },
    "ratingentry.ladder_ratingentry_rule_set_version_check": {
        "negative": copy("entry", **NIGHT | {"rule_set_version": "-1"})
    },
    # --- decay ---
    "decayrun.one_decay_run_per_ladder_and_day": {"the same day again": copy("run")},
    "decayrun.decay_run_finished_means_a_time": {
        "completed at no time": change("run", finished_at="NULL"),
        "a time before the end": change("run", state="'running'"),
    },
    "decayrun.reversed_decay_run_has_actor_and_reason": {
        "by nobody": change("run", state="'reversed'", reversal_reason="'a mistake'"),
        "for no reason": change("run", state="'reversing'", reversed_by_id="{one}"),
        "by somebody, and it stands": change("run", reversed_by_id="{one}"),
        "for a reason, and it stands": change("run", reversal_reason="'a mistake'"),
        "in no known state": change("run", state="'adjourned'"),
    },
    "decayrun.ladder_decayrun_standings_check": {"negative": change("run", standings="-1")},
    "decaypause.pause_ends_after_it_begins": {"backwards": change("pause", last_day="first_day - 1")},
    # --- events ---
    "event.one_event_per_account_and_key": {"told again": copy("event", number="number + 1")},
    "event.one_event_per_account_and_number": {"the same number again": copy("event", unique_key="NULL")},
    "event.events_event_number_check": {"negative": copy("event", number="-1", unique_key="NULL")},
    "eventstream.events_eventstream_last_number_check": {"negative": change("stream", last_number="-1")},
    "eventstream.events_eventstream_delivered_number_check": {"negative": change("stream", delivered_number="-1")},
    # --- suspensions ---
    "suspension.suspension_ends_after_it_began": {
        "it ends before": change("suspension", until="created_at - interval '1 second'"),
        "it never was": change("suspension", until="created_at"),
    },
    "suspension.lifted_suspension_has_actor_and_reason": {
        "by nobody": change("suspension", lifted_at="now()", lifted_reason="'a mistake'"),
        "for nothing": change("suspension", lifted_at="now()", lifted_by_id="{one}"),
        "not lifted": change("suspension", lifted_reason="'a mistake'"),
    },
    "suspension.one_suspension_at_a_time": {
        "a second one": copy("suspension"),
        "a short one while that for good holds": copy("suspension", until="created_at + interval '1 minute'"),
    },
    # --- the audit trail, service keys, idempotency keys ---
    "auditentry.append_only": {"changed": change("audit", reason="'other'"), "deleted": delete("audit")},
    "auditentry.append_only_truncate": {"emptied": truncate("audit")},
    "servicekey.accounts_servicekey_digest_key": {"the same key": copy("key")},
    "idempotencykey.one_answer_per_caller_and_key": {"a second answer": copy("answer")},
    "idempotencykey.common_idempotencykey_status_check": {"negative": change("answer", status="-1")},
    # --- the queue ---
    "matchmaking_ticket.one_live_ticket_per_account": {
        "a second ticket": copy("waiting"),
        "a closed one comes back": change("closed_ticket", state="'waiting'", closed_at="NULL"),
    },
    "matchmaking_ticket.a_closed_ticket_has_a_time": {
        "closed at no time": change("waiting", state="'cancelled'"),
        "a time while it waits": change("waiting", closed_at="now()"),
        "an unknown state": change("waiting", state="'lost'"),
    },
    "matchmaking_ticket.a_ticket_takes_some_length": {"no length": change("waiting", match_lengths="'{{}}'")},
    # --- offers ---
    "matchmaking_offer.a_closed_offer_has_a_time": {
        "closed at no time": change("offer", outcome="'started'"),
        "a time while it is open": change("offer", closed_at="now()"),
    },
    "matchmaking_offer.win_probability_is_above_0_and_below_1": {
        "impossible": change("offer", win_probability="0"),
        "certain": change("offer", win_probability="1"),
    },
    "matchmaking_offerside.one_side_per_seat": {"the same seat twice": copy("side", ticket_id="{waiting}")},
    "matchmaking_offerside.seat_is_one_or_two": {"a third seat": change("side", seat="3")},
    "matchmaking_offerside.one_open_offer_per_ticket": {
        "a second offer": change("other_side", ticket_id="{side_ticket}"),
    },
    "matchmaking_offerside.matchmaking_offerside_seat_check": {"negative": change("side", seat="-1")},
    "matchmaking_offerside.matchmaking_offerside_window_check": {"negative": change("side", **{'"window"': "-1"})},
    "matchmaking_offerside.matchmaking_offerside_event_number_check": {"negative": change("side", event_number="-1")},
    # --- invites and blocks ---
    "matchmaking_invite.a_used_invite_has_a_match": {
        "used for nothing": change("invite", used_at="now()"),
        "a match without use": change("used_invite", used_at="NULL"),
        "used and withdrawn": change("used_invite", withdrawn_at="now()"),
    },
    "matchmaking_invite.one_to_99_points": {
        "0 points": change("invite", match_length="0"),
        "100 points": change("invite", match_length="100"),
    },
    "matchmaking_invite.an_invite_is_used_once": {
        "another match": change("used_invite", match_id="{offered}"),
        "no match": change("used_invite", match_id="NULL", used_at="NULL"),
    },
    "matchmaking_invite.matchmaking_invite_match_length_check": {"negative": change("invite", match_length="-1")},
    "matchmaking_invite.matchmaking_invite_match_id_key": {
        "two for one match": copy("used_invite", token_hash="'x'"),
    },
    "matchmaking_invite.matchmaking_invite_token_hash_key": {"the same token": copy("invite")},
    "block.one_block_per_pair": {"twice": copy("block")},
    "block.no_block_of_oneself": {"one's own account": change("block", blocked_id="account_id")},
    # --- penalties ---
    "matchmaking_penalty.one_penalty_per_player_and_match": {"twice": copy("penalty")},
    "matchmaking_penalty.a_penalty_ends_after_it_began": {
        "it ends before": change("penalty", until="created_at - interval '1 second'"),
    },
    "matchmaking_penalty.lifted_penalty_has_actor_and_reason": {
        "by nobody": change("penalty", lifted_at="now()", lifted_reason="'a mistake'"),
        "for nothing": change("penalty", lifted_at="now()", lifted_by_id="{one}"),
        "not lifted": change("penalty", lifted_reason="'a mistake'"),
    },
}

# What the triggers say that have no constraint's name to give.
APPS = ("common", "accounts", "events", "ladder", "matchmaking")

TRIGGERS = {
    "append_only": "Cannot update or delete rows from {} table",
    "append_only_truncate": "cannot truncate rows of {} table",
    "pairing_never_changes": "Cannot update rows from {} table",
}

CASES = [
    pytest.param(rule, statement, id=f"{rule}: {case}")
    for rule, cases in REFUSED.items()
    for case, statement in cases.items()
]


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker) -> Iterator[World]:
    """Made once for all tests, because none of them changes it."""
    with django_db_blocker.unblock(), transaction.atomic():
        made = make_world()
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        yield made
        transaction.set_rollback(True)


@pytest.fixture
def cursor(world: World) -> Iterator[CursorWrapper]:
    with transaction.atomic(), connection.cursor() as cursor:
        yield cursor
        transaction.set_rollback(True)


def our_models() -> list[type[Model]]:
    return [model for app in APPS for model in apps.get_app_config(app).get_models()]


def plain(table: str) -> str:
    """The name of a table without that of its app; only matchmaking's keep it, as the rules above name them."""
    return table if table.startswith("matchmaking_") else table.partition("_")[2]


@pytest.mark.parametrize(("rule", "statement"), CASES)
def test_the_database_refuses(rule: str, statement: Statement, world: World, cursor: CursorWrapper) -> None:
    with pytest.raises(DatabaseError) as refused:
        cursor.execute(statement(world))
    table, name = rule.split(".")
    if name in TRIGGERS:
        (full_name,) = [model._meta.db_table for model in our_models() if plain(model._meta.db_table) == table]
        assert TRIGGERS[name].format(full_name) in str(refused.value)
    else:
        cause = refused.value.__cause__
        assert isinstance(cause, psycopg.Error)
        assert cause.diag.constraint_name == name


@pytest.mark.parametrize(
    "statement",
    [
        copy("last", **NEXT),
        copy("last", **NEXT_NIGHT),
        copy("entry", **NEXT_OPPOSITE),
        copy("offered"),
        change("offered", state="state"),
        change("run", state="'reversed'", reversed_by_id="{one}", reversal_reason="'a mistake'"),
    ],
)
def test_the_same_statements_without_their_fault_are_accepted(statement: Statement, world: World, cursor) -> None:
    cursor.execute(statement(world))
    assert cursor.rowcount == 1


CATALOGUE = """
    SELECT conrelid::regclass::text, conname FROM pg_constraint
    WHERE contype IN ('c', 'u', 'x') AND conrelid::regclass::text = ANY(%(tables)s)
    UNION
    SELECT indrelid::regclass::text, indexrelid::regclass::text FROM pg_index
    WHERE indisunique AND NOT indisprimary AND indrelid::regclass::text = ANY(%(tables)s)
    UNION
    SELECT tgrelid::regclass::text, tgname FROM pg_trigger
    WHERE NOT tgisinternal AND tgrelid::regclass::text = ANY(%(tables)s)
"""


def test_every_constraint_has_a_test(cursor: CursorWrapper) -> None:
    """Every check, unique key and trigger of our tables is attacked above; those that are gone are not."""
    tables = [model._meta.db_table for model in our_models()]
    cursor.execute(CATALOGUE, {"tables": tables})
    trigger = re.compile(r"pgtrigger_(\w+)_[0-9a-f]{5}")
    rules = {plain(table) + "." + trigger.sub(r"\1", name) for table, name in cursor.fetchall()}
    assert rules == set(REFUSED)
