"""Importing matches from a CSV file. They settle in the order of the file.

``check`` reads the whole file and writes nothing. Then ``run`` writes batches, each in one transaction. Existing
matches do not change, so an interrupted import can be started again.
"""

from ladder.services.importing.csv_file import COLUMNS, OPTIONAL_COLUMNS, FileRefused, Row
from ladder.services.importing.plan import Plan, check
from ladder.services.importing.writing import Report, run

__all__ = ["COLUMNS", "OPTIONAL_COLUMNS", "FileRefused", "Plan", "Report", "Row", "check", "run"]
