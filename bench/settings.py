"""The settings of the product, with one more URL and without throttles."""

from config.settings import *  # noqa: F403
from config.settings import REST_FRAMEWORK

ROOT_URLCONF = "bench.urls"
REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] = dict.fromkeys(REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "")
