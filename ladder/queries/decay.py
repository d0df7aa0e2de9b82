"""What decay has done, and what lies ahead: for all ladders or standings at once, in a fixed number of queries."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from ladder.models import DecayPause, DecayRun, Ladder, Standing
from ladder.queries import decay_progress
from ladder.rules import calendar
from ladder.rules import decay as rule
from ladder.rules.calendar import ONE_DAY


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a ladder's decay has come. ``last_run`` is the newest finished one, ``failed`` why the next one did."""

    ladder: Ladder
    through: date
    lag_days: int
    last_run: DecayRun | None
    failed: str

    @property
    def is_behind(self) -> bool:
        """Whether somebody should look: a new day is one day of lag until the job has got to it."""
        return self.lag_days > 1


def progress() -> list[Progress]:
    """How far each ladder has come whose rules know decay, in four queries."""
    ladders = [ladder for ladder in Ladder.objects.order_by("slug") if decay_progress.decays(ladder)]
    runs = DecayRun.objects.filter(ladder__in=ladders).order_by("ladder_id", "-day").distinct("ladder_id")
    finished = {run.ladder_id: run for run in runs.exclude(state=DecayRun.State.RUNNING)}
    running = {run.ladder_id: run for run in runs.filter(state=DecayRun.State.RUNNING)}
    following = decay_progress.next_days(ladders)
    return [
        Progress(
            ladder=ladder,
            through=following[ladder.pk] - ONE_DAY,
            lag_days=decay_progress.lag_days(ladder, following[ladder.pk]),
            last_run=finished.get(ladder.pk),
            failed=running[ladder.pk].error if ladder.pk in running else "",
        )
        for ladder in ladders
    ]


def forecasts(standings: Sequence[Standing]) -> dict[int, rule.Forecast]:
    """What lies ahead of standings that are left alone, by their ids; those that decay will not touch are not in it.

    The standings come with their ladders. Two queries, and none where nobody stands high enough.
    """
    exposed = [standing for standing in standings if _is_exposed(standing)]
    if not exposed:
        return {}
    ladders = {standing.ladder_id: standing.ladder for standing in exposed}
    following = decay_progress.next_days(ladders.values())
    spared = pauses(following)
    return {standing.pk: forecast for standing in exposed if (forecast := _forecast(standing, following, spared))}


def pauses(since: Mapping[int, date]) -> dict[int, list[DecayPause]]:
    """By the id of each ladder, the pauses that spare that ladder's day or a later one, the first one first."""
    found: dict[int, list[DecayPause]] = {ladder: [] for ladder in since}
    earliest = min(since.values(), default=date.max)
    for pause in DecayPause.objects.filter(ladder__in=since, last_day__gte=earliest).order_by("first_day", "pk"):
        if pause.last_day >= since[pause.ladder_id]:
            found[pause.ladder_id].append(pause)
    return found


def coming_pauses(ladders: Collection[Ladder]) -> dict[int, list[DecayPause]]:
    """By the id of each ladder, the pauses that are not over, in one query."""
    return pauses({ladder.pk: decay_progress.today(ladder) for ladder in ladders if decay_progress.decays(ladder)})


def _is_exposed(standing: Standing) -> bool:
    return standing.last_ranked_at is not None and rule.nightly_step(standing.ladder.rules.tiers, standing.rating) > 0


def _forecast(
    standing: Standing, following: Mapping[int, date], spared: Mapping[int, list[DecayPause]]
) -> rule.Forecast | None:
    ladder, played = standing.ladder, standing.last_ranked_at
    next_day = following[ladder.pk]
    if standing.decayed_through is not None:
        # The day under way may have charged this one already.
        next_day = max(next_day, standing.decayed_through + ONE_DAY)
    return rule.forecast(
        ladder.rules.tiers,
        standing.rating,
        calendar.day_of(played, ladder.zone) if played else None,
        next_day,
        is_charged=lambda day: not any(pause.first_day <= day <= pause.last_day for pause in spared[ladder.pk]),
    )
