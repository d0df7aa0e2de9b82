#!/usr/bin/env python
"""Django's commands, with this checkout's servers at hand: the running ones, or started for as long as it takes."""

import os
import sys

from django.core.management import execute_from_command_line

from config.embedded.command import environment_for

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with environment_for(sys.argv[1:]):
        execute_from_command_line(sys.argv)
