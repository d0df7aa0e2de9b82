"""The tables. Database constraints and triggers are in the file of their model."""

from ladder.models.decay import DecayPause, DecayRun
from ladder.models.ladder import Ladder
from ladder.models.match import Match
from ladder.models.rating_entry import RatingEntry
from ladder.models.report import MatchReport
from ladder.models.ruling import Ruling
from ladder.models.standing import Standing

__all__ = ["DecayPause", "DecayRun", "Ladder", "Match", "MatchReport", "RatingEntry", "Ruling", "Standing"]
