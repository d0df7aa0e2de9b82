"""The product with one app more."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS as OURS

INSTALLED_APPS = [*OURS, "tests.extension"]
