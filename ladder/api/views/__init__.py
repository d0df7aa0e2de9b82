"""The doors: each reads a request, calls a service or a query, and shows the outcome."""
