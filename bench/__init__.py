"""Benchmarks, apart from the tests: ``make bench``. Each figure stands beside a limit measured in the same run.

Absolute figures say little on a shared machine; the ratios are what to compare.
"""
