"""Times on Korean pages say the clock they go by, as on English ones: it is not that of Seoul."""

DATETIME_FORMAT = "Y년 n월 j일 H:i e"
SHORT_DATETIME_FORMAT = "Y-n-j H:i e"
