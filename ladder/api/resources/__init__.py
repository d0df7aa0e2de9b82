"""What the API shows: each noun as a typed dictionary beside the function that fills it in.

The same types make the OpenAPI document (``common.api.schema``), so what is promised is what mypy has checked.
"""
