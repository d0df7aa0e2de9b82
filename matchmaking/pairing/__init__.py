"""Who plays whom: tickets in, pairs and left-over tickets out, each with its reason.

Nothing in this package knows Django, the database or the clock. Each rule is one short file:

* ``types``      a ticket, a pair, a left-over ticket
* ``window``     how uneven a match a player takes, by waiting time and experience
* ``lengths``    at which length two players meet
* ``opponents``  who must not meet whom, and when a rematch is allowed again
* ``objective``  which pairing is the best one

and then how the best pairing is found:

* ``queue``      the tickets as columns in rating order, and which two may meet
* ``plan``       how thoroughly a queue is searched
* ``neighbours`` the pairs that are worth looking at
* ``matching``   the best choice among them
* ``reasons``    why a ticket stays
* ``wave``       all of it together: :func:`~matchmaking.pairing.wave.pair`
"""
