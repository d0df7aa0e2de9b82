"""The read side: what doors show. Nothing here writes.

* ``keyset``     a page of an ordered list, which neither loses nor repeats a row while others move
* ``players``    accounts by name, and where they stand
* ``boards``     leaderboards and ranks
* ``matches``    matches with their reports and rating changes
* ``histories``  a player's ledger
* ``events``     what an account has not heard yet
* ``preview``    both outcomes of a match that nobody has played
* ``decay``      how far the nightly job has come, and what lies ahead of a standing
"""
