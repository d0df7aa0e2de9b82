"""Writing an import, in batches. Each batch is one transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from common import sql
from common.errors import Conflict
from ladder.limits import MATCHES_PER_IMPORT_BATCH, STANDINGS_PER_IMPORT_BATCH
from ladder.models import Ladder, Match, RatingEntry
from ladder.rules.match_life import ConfirmedBy
from ladder.rules.ranked import Origin
from ladder.services import settlement
from ladder.services.importing.csv_file import Row
from ladder.services.importing.existing import content_of, difference, existing_matches, played_at
from ladder.services.importing.plan import Plan
from ladder.services.importing.players import Roster, create_missing
from ladder.services.ladders import ensure_ladder
from ladder.services.ledger import appending
from ladder.services.ledger.locking import lock_standings
from ladder.services.matches.offers import ensure_standings
from ladder.services.settlement import Result


@dataclass(frozen=True, slots=True)
class Report:
    """The numbers of an import. ``already_there`` are matches that another import had added."""

    imported: int
    already_there: int
    refused: int
    players_created: int


def run(plan: Plan, *, progress: Callable[[int], object] = lambda _: None) -> Report:
    """Import a checked plan. ``progress`` is called with the number of rows of each finished batch.

    Raises ``Conflict`` if another import has meanwhile added one of the ids with other values. Earlier batches remain.
    """
    names = [name for row in plan.rows for name in (row.winner, row.loser)]
    ladder = ensure_ladder(plan.ladder.slug, rules=plan.ladder.rule_set, options=plan.ladder.rule_options)
    players_created = create_missing(plan.roster, names)
    players = sorted({plan.roster[name] for name in names})
    for start in range(0, len(players), STANDINGS_PER_IMPORT_BATCH):
        ensure_standings(ladder, players[start : start + STANDINGS_PER_IMPORT_BATCH])
    imported = 0
    for start in range(0, len(plan.rows), MATCHES_PER_IMPORT_BATCH):
        batch = plan.rows[start : start + MATCHES_PER_IMPORT_BATCH]
        imported += _import_batch(ladder, batch, plan.roster)
        progress(len(batch))
    return Report(
        imported=imported,
        already_there=plan.already_there + len(plan.rows) - imported,
        refused=len(plan.self_matches),
        players_created=players_created,
    )


@transaction.atomic
def _import_batch(ladder: Ladder, rows: list[Row], roster: Roster) -> int:
    """Add and settle the rows that do not exist yet, in their order. Returns their number."""
    # Only one import at a time writes on a ladder. Other matches are not blocked, because they do not lock the ladder.
    ladder = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
    new = _new_rows(ladder, rows, roster)
    if not new:
        return 0
    matches = [_match(row, ladder, roster) for row in new]
    players = {player for match in matches for player in (match.player_one_id, match.player_two_id)}
    ladders = [ladder] if ladder.overall is None else [ladder, ladder.overall]
    standings = lock_standings([each.pk for each in ladders], sorted(players))
    now = timezone.now()
    entries: list[RatingEntry] = []
    for match, row in zip(matches, new, strict=True):
        result = Result(winner=1, ending=row.ending, loser_score=row.loser_score, confirmed_by=ConfirmedBy.IMPORT)
        settlement.apply_result(match, result, now=now, finished_at=match.created_at)
        entries += settlement.settle(match, ladders, standings, now=now)
    sql.copy_in(matches)
    appending.append(entries, standings.values())
    return len(new)


def _new_rows(ladder: Ladder, rows: list[Row], roster: Roster) -> list[Row]:
    existing = existing_matches(ladder, rows)
    new = []
    for row in rows:
        if row.external_id not in existing:
            new.append(row)
        elif not existing[row.external_id].is_same_as(content_of(row, roster, ladder)):
            raise Conflict("imported_meanwhile", f"line {row.line}: {difference(row)}")
    return new


def _match(row: Row, ladder: Ladder, roster: Roster) -> Match:
    return Match(
        ladder=ladder,
        origin=Origin.IMPORT,
        external_id=row.external_id,
        player_one_id=roster[row.winner],
        player_two_id=roster[row.loser],
        match_length=row.match_length,
        created_at=played_at(row.played_on, ladder),
    )
