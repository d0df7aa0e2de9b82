"""Date formats of Korean pages. They show the time zone, because it is not that of Seoul."""

DATETIME_FORMAT = "Y년 n월 j일 H:i e"
SHORT_DATETIME_FORMAT = "Y-n-j H:i e"
