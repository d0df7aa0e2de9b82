"""Matchmaking in the admin: who waits, who was paired and why, and who let offers go. One noun a file."""

from matchmaking.admin import offer, penalty, ticket  # noqa: F401
