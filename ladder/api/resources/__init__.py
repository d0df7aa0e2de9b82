"""The response bodies: for each noun, a typed dictionary and the function that creates it.

The OpenAPI document is made from the same types (``common.api.schema``), which mypy checks.
"""
