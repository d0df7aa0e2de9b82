"""Matchmaking in the admin: tickets, offers and penalties. One model in each file."""

from matchmaking.admin import offer, penalty, ticket  # noqa: F401
