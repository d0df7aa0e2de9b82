"""Decay: the days that were run and are due, pauses, and forecasts."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Max
from django.utils import timezone

from ladder.models import DecayPause, DecayRun, Ladder, Standing
from ladder.rules import decay
from ladder.rules.calendar import ONE_DAY, day_of


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of decay on a ladder.

    ``through`` is the last day that was run, ``last_run`` the newest finished run, and ``failed`` the error of the run
    that is not finished.
    """

    ladder: Ladder
    through: date
    lag_days: int
    last_run: DecayRun | None
    failed: str

    @property
    def is_behind(self) -> bool:
        """Whether the nightly job is late. One day of lag is normal until the job has run the new day."""
        return self.lag_days > 1


def progress() -> list[Progress]:
    """The state of decay on each ladder with decay, in four queries."""
    ladders = [ladder for ladder in Ladder.objects.order_by("slug") if has_decay(ladder)]
    runs = DecayRun.objects.filter(ladder__in=ladders).order_by("ladder_id", "-day").distinct("ladder_id")
    finished = {run.ladder_id: run for run in runs.exclude(state=DecayRun.State.RUNNING)}
    running = {run.ladder_id: run for run in runs.filter(state=DecayRun.State.RUNNING)}
    following = next_days(ladders)
    return [
        Progress(
            ladder=ladder,
            through=following[ladder.pk] - ONE_DAY,
            lag_days=lag_days(ladder, following[ladder.pk]),
            last_run=finished.get(ladder.pk),
            failed=running[ladder.pk].error if ladder.pk in running else "",
        )
        for ladder in ladders
    ]


def has_decay(ladder: Ladder) -> bool:
    """Whether the rules of the ladder have a tier with decay."""
    return decay.floor(ladder.rules.tiers) is not None


def today(ladder: Ladder) -> date:
    """The present day in the ladder's time zone: the last day that is due."""
    return day_of(timezone.now(), ladder.zone)


def first_day(ladder: Ladder) -> date:
    """The first day of decay of the ladder: the day when it was created."""
    return day_of(ladder.created_at, ladder.zone)


def next_day(ladder: Ladder) -> date:
    """The first day that has not been run. Days are run in order, so all days before it were run."""
    return next_days([ladder])[ladder.pk]


def next_days(ladders: Collection[Ladder]) -> dict[int, date]:
    """``next_day`` of several ladders, by ladder id, in one query."""
    finished = DecayRun.objects.filter(ladder__in=ladders).exclude(state=DecayRun.State.RUNNING)
    last = dict(finished.order_by().values_list("ladder").annotate(last=Max("day")))
    return {
        ladder.pk: last[ladder.pk] + ONE_DAY if ladder.pk in last else first_day(ladder)
        for ladder in ladders
    }  # fmt: skip


def lag_days(ladder: Ladder, following: date | None = None) -> int:
    """The number of days that are due: 0 if decay is up to date, 1 in the minutes after midnight.

    ``following`` is the ladder's ``next_day``, if the caller has it.
    """
    if not has_decay(ladder):
        return 0
    return max((today(ladder) - (following or next_day(ladder))).days + 1, 0)


def is_paused(ladder: Ladder, day: date) -> bool:
    """Whether the day is in a decay pause."""
    return DecayPause.objects.filter(ladder=ladder, first_day__lte=day, last_day__gte=day).exists()


def forecasts(standings: Sequence[Standing]) -> dict[int, decay.Forecast]:
    """The decay to expect of these standings, by id; standings without any are left out.

    The standings come with their ladders. Two queries, and none if no standing is in a tier with decay.
    """
    exposed = [standing for standing in standings if _is_exposed(standing)]
    if not exposed:
        return {}
    ladders = {standing.ladder_id: standing.ladder for standing in exposed}
    following = next_days(ladders.values())
    paused = pauses(following)
    return {standing.pk: forecast for standing in exposed if (forecast := _forecast(standing, following, paused))}


def pauses(since: Mapping[int, date]) -> dict[int, list[DecayPause]]:
    """The pauses that end on or after a day, the earliest first, by ladder id. ``since`` has the day of each ladder."""
    found: dict[int, list[DecayPause]] = {ladder: [] for ladder in since}
    earliest = min(since.values(), default=date.max)
    for pause in DecayPause.objects.filter(ladder__in=since, last_day__gte=earliest).order_by("first_day", "pk"):
        if pause.last_day >= since[pause.ladder_id]:
            found[pause.ladder_id].append(pause)
    return found


def coming_pauses(ladders: Collection[Ladder]) -> dict[int, list[DecayPause]]:
    """The present and future pauses, by ladder id, in one query."""
    return pauses({ladder.pk: today(ladder) for ladder in ladders if has_decay(ladder)})


def _is_exposed(standing: Standing) -> bool:
    return standing.last_ranked_at is not None and decay.nightly_step(standing.ladder.rules.tiers, standing.rating) > 0


def _forecast(
    standing: Standing, following: Mapping[int, date], paused: Mapping[int, list[DecayPause]]
) -> decay.Forecast | None:
    ladder, played = standing.ladder, standing.last_ranked_at
    next_day = following[ladder.pk]
    if standing.decayed_through is not None:
        # A run that is not finished can have changed this standing already.
        next_day = max(next_day, standing.decayed_through + ONE_DAY)
    return decay.forecast(
        ladder.rules.tiers,
        standing.rating,
        day_of(played, ladder.zone) if played else None,
        next_day,
        is_charged=lambda day: not any(pause.first_day <= day <= pause.last_day for pause in paused[ladder.pk]),
    )
