"""The views: each reads a request, calls a service or a query, and returns the result."""
