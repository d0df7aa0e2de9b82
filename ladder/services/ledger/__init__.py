"""The ledger and what follows from it.

* ``facts``      what a standing says, worked out from its entries
* ``locking``    standings whose rows a transaction holds
* ``appending``  the one writer of entries: it appends them and moves the standings
* ``adjusting``  entries without a match: a rating brought from elsewhere, a correction by an operator
"""
