"""The writing of an import: batch by batch, each of them one transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from common import sql
from common.errors import Conflict
from ladder.models import Ladder, Match, RatingEntry
from ladder.rules.match_life import ConfirmedBy
from ladder.rules.ranked import Origin
from ladder.services import settlement
from ladder.services.importing.known import content_of, contradiction, known_matches, played_at
from ladder.services.importing.plan import Plan
from ladder.services.importing.players import Roster, create_missing
from ladder.services.importing.sheet import Row
from ladder.services.ladders import ensure_ladder
from ladder.services.ledger import appending
from ladder.services.ledger.locking import lock_standings
from ladder.services.matches.offers import ensure_standings
from ladder.services.settlement import Result

# A batch holds the locks of its players: a match that is being confirmed waits for about a tenth of a second.
BATCH = 200
_STANDINGS_BATCH = 1_000


@dataclass(frozen=True, slots=True)
class Report:
    """What an import did. ``already_there`` counts the matches that an earlier or a simultaneous import added."""

    imported: int
    already_there: int
    refused: int
    players_created: int


def run(plan: Plan, *, progress: Callable[[int], object] = lambda _: None) -> Report:
    """Carry out a checked plan; ``progress`` is told how many rows each batch finished.

    Raises ``Conflict`` when another import meanwhile brought one of the ids with other content; the batches before
    that one stay.
    """
    names = [name for row in plan.rows for name in (row.winner, row.loser)]
    ladder = ensure_ladder(plan.ladder.slug, rules=plan.ladder.rule_set, options=plan.ladder.rule_options)
    players_created = create_missing(plan.roster, names)
    players = sorted({plan.roster[name] for name in names})
    for start in range(0, len(players), _STANDINGS_BATCH):
        ensure_standings(ladder, players[start : start + _STANDINGS_BATCH])
    imported = 0
    for start in range(0, len(plan.rows), BATCH):
        batch = plan.rows[start : start + BATCH]
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
    """Settle the rows that are not there yet, in their order; how many there were."""
    # One import at a time writes on a ladder. Live matches go on: they do not lock the ladder's row.
    ladder = Ladder.objects.select_for_update(no_key=True).get(pk=ladder.pk)
    new = _unknown(ladder, rows, roster)
    if not new:
        return 0
    matches = [_match(row, ladder, roster) for row in new]
    players = {player for match in matches for player in (match.player_one_id, match.player_two_id)}
    ladders = [ladder] if ladder.overall is None else [ladder, ladder.overall]
    standings = lock_standings([each.pk for each in ladders], sorted(players))
    now = timezone.now()
    entries: list[RatingEntry] = []
    for match, row in zip(matches, new, strict=True):
        result = Result(
            winner=1, ending=row.ending, loser_score=row.loser_score, confirmed_by=ConfirmedBy.IMPORT
        )  # fmt: skip
        settlement.apply_result(match, result, now=now, finished_at=match.created_at)
        entries += settlement.settle(match, ladders, standings, now=now)
    sql.copy_in(matches)
    appending.append(entries, standings.values())
    return len(new)


def _unknown(ladder: Ladder, rows: list[Row], roster: Roster) -> list[Row]:
    known = known_matches(ladder, rows)
    new = []
    for row in rows:
        if row.external_id not in known:
            new.append(row)
        elif not known[row.external_id].agrees_with(content_of(row, roster, ladder)):
            raise Conflict("imported_meanwhile", f"line {row.line}: {contradiction(row)}")
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
