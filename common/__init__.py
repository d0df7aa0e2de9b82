"""What all apps share.

* ``limits``        limits that all apps share
* ``points``        extension points: how an app adds to the apps below it
* ``errors``        exceptions of the services
* ``sql``           prepared SQL statements
* ``transactions``  dry runs, snapshots and advisory locks
* ``idempotency``   requests that may arrive twice
* ``keyset``        pages of ordered lists
* ``cache``         the Redis cache
* ``background``    starting background tasks
* ``api``           errors, limits, pages and OpenAPI of the REST API
* ``admin``         base classes, navigation and dashboard of the admin
"""
