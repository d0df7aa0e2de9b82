"""What every app's API, admin and commands share, and what belongs to no subject of its own.

* ``points``       how an app adds itself to the apps below it
* ``errors``       why a service refuses
* ``sql``          the statements that are written by hand
* ``idempotency``  requests that may arrive twice
* ``keyset``       pages of ordered lists
* ``cache``        the Redis-compatible server, which may be away
* ``background``   work for a worker, to be done soon
* ``api``          problem details, throttles, pages, OpenAPI
* ``admin``        the pages' base classes, navigation and dashboard
"""
