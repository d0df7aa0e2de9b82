"""Invites and tickets in the answers of the API."""
