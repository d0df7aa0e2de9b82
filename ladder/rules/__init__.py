"""What a rating is and how it moves: values in, values out.

Nothing in this package knows Django, the database or the clock. Each rule is one short file:

* ``fibs``        how a match between two players moves their ratings
* ``tiers``       which tier a rating stands in
* ``rule_sets``   the numbers a ladder plays by, under a name and a version
* ``match_life``  what each report, confirmation, ruling or deadline does to a match
* ``ranked``      which matches count, and the reasons why the others do not
* ``usernames``   which names a player may carry
* ``explain``     a rating change as a formula with its numbers filled in
"""
