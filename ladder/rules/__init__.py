"""The rules of the ladder, as pure functions: no Django, no database, no clock. Each rule has a file of its own:

* ``systems``      how a match changes the ratings of its two players; one file for each rating system
* ``tiers``        the tier of a rating
* ``rule_sets``    the constants of a ladder, under a name and a version
* ``match_life``   the states of a match, and which events change them
* ``ranked``       which matches are rated, and the reasons why the others are not
* ``decay``        what a high rating loses when its player stops playing
* ``match_length`` the allowed match lengths
* ``age``          which players are juniors
* ``calendar``     calendar days in a time zone
* ``record``       the streak of a player
* ``ruling``       the reasons of moderators
* ``rounding``     how computed points and ratings are rounded
"""
