"""Date formats of English pages: ISO dates, which are read the same everywhere, and the time zone."""

DATE_FORMAT = SHORT_DATE_FORMAT = "Y-m-d"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "Y-m-d H:i e"
