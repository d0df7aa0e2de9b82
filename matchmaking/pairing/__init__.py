"""Pairing: the tickets of a queue in, pairs and unmatched tickets with their reasons out.

This package uses no Django, no database and no clock. The rules:

* ``types``      a ticket, a pair, an unmatched ticket
* ``window``     how unequal the players of a match may be, by waiting time and experience
* ``lengths``    the match length of two players
* ``opponents``  which players may not meet
* ``objective``  which pairing is the best
* ``nominal``    the win probability for rating systems that have none

Finding the best pairing:

* ``queue``      the tickets as columns in rating order, and which two may meet
* ``effort``     how many candidates are searched
* ``neighbours`` the candidate pairs
* ``matching``   the best choice of candidates
* ``reasons``    why a ticket is unmatched
* ``wave``       all of it together: :func:`~matchmaking.pairing.wave.pair`
"""
