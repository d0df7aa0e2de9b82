"""A population with hidden skill that queues, plays, reports and rests, in simulated time, through the real services.

* ``ladders``     the ladder that a story has to itself
* ``population``  who plays: skill, keenness, coming and going
* ``clock``       letting the services take a moment of the past for the present
* ``endings``     how matches end
* ``evening``     one day's play: tickets, waves, offers, matches
* ``story``       day by day until now, with the nights of decay between: :func:`~matchmaking.simulation.story.tell`
* ``records``     what is kept of it for those who draw
"""
