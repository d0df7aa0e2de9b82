"""LiveResponse events: from the database to the open connections of clients.

* ``frames``     the format of server-sent events
* ``tokens``     tokens for addresses, because a browser cannot send a header with an EventSource
* ``responses``  the responses of an event stream and of a long poll, as the views return them
* ``listener``   one open stream or long poll
* ``hub``        all open streams and long polls of this process
* ``batches``    joins many small queries into one
* ``pubsub``     the subscription to Redis, which says which accounts have new events

A view checks the session and the position. ``config.asgi`` then hands the response to the hub. An idle stream uses no
thread and no database connection. Without an event loop (WSGI) the same responses send what is there and end.
"""
