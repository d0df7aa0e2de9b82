"""What a rating is and how it moves: values in, values out.

Nothing in this package knows Django, the database or the clock. Each rule is one short file:

* ``systems``      how a match between two players moves their ratings: a rating system is one file
* ``tiers``        which tier a rating stands in
* ``rule_sets``    the numbers a ladder plays by, under a name and a version
* ``match_life``   what each report, confirmation, ruling or deadline does to a match
* ``ranked``       which matches count, and the reasons why the others do not
* ``usernames``    which names a player may carry
* ``decay``        what a high rating loses when nobody plays it
* ``match_length`` how long a match may be
* ``rounding``     how computed points and ratings are rounded
"""
