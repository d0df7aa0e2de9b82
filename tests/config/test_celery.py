"""Each process sends tasks to the configured broker."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.conf import settings

PRINT_BROKER = "from celery import current_app; print(current_app.conf.broker_url)"


@pytest.mark.parametrize("module", ["config.wsgi", "config.asgi", "django.core.management"])
def test_processes_use_the_configured_broker(module: str) -> None:
    setup = "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; import django; django.setup()"
    code = f"import {module}; {setup}; {PRINT_BROKER}"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == settings.CELERY_BROKER_URL
