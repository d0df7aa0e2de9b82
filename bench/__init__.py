"""Benchmarks (``make bench``). Most figures have a limit that is measured in the same run.

Absolute figures depend on the machine and its load. Compare the ratios.
"""
