"""A simulation: players with a hidden skill use the real services, in simulated time.

* ``ladders``     the ladder of a simulation
* ``population``  the players: skill, activity, joining and leaving
* ``clock``       the simulated time
* ``endings``     how matches end
* ``day``         one day of play: tickets, waves, offers, matches
* ``run``         all days with their decay: :func:`~matchmaking.simulation.run.simulate`
* ``records``     the data for the summary and the charts
"""
