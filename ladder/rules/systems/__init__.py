"""The rating systems that a ladder can be played by.

* ``system``      what every system must answer, and the values it takes and gives
* ``each_side``   what all systems do alike around their rule
* ``logistic``    the chance to win that FIBS, Elo and FIDE share
* ``fibs``        the First Internet Backgammon Server's ratings
* ``elo``         Elo's ratings, with any K and scale
* ``fide``        the chess federation's ratings, by its formula
* ``fide_table``  the same by its published table
* ``fide_event``  the same for a whole event
* ``counter``     fixed points for a win and a loss
* ``recall``      a player as the ledger keeps them, so that a change can be worked out again

Which of them a ladder can choose, and with which constants, is said in :mod:`ladder.rules.rule_sets`.
"""
