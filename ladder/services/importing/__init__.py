"""History that an operator brings in: matches from a CSV file, settled as if they were confirmed one after another.

``check`` reads the whole file and writes nothing; ``run`` then writes in batches, each of them one transaction. What
is already there stays as it is, so an import that was broken off is simply started again.
"""

from ladder.services.importing.plan import Plan, check
from ladder.services.importing.problems import FileRefused
from ladder.services.importing.sheet import COLUMNS, OPTIONAL_COLUMNS, Row
from ladder.services.importing.writing import Report, run

__all__ = ["COLUMNS", "OPTIONAL_COLUMNS", "FileRefused", "Plan", "Report", "Row", "check", "run"]
