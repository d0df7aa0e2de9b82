"""The rating ledger.

* ``standing_state``  computing a standing from its entries
* ``locking``         standings that a transaction has locked
* ``appending``       writing entries and updating their standings
* ``adjusting``       corrections by operators, and imported ratings
"""
