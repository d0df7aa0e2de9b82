"""Live events: how they get from the database to those who listen.

* ``frames``     server-sent events as they go over the wire
* ``tokens``     what opens a stream where no header can be sent
* ``responses``  the answers of a stream and of a long poll, as the views give them
* ``listener``   one who listens, waiting to be woken
* ``hub``        all who listen in this process, and what is done for all of them at once
* ``batches``    many small questions to the database made into one
* ``wakeups``    Redis, which says at once whom to wake

A view checks the caller and takes the position; ``config.asgi`` hands the answer to the hub. An idle stream holds no
thread and no connection to the database. Without an event loop (WSGI) the same answers say what there is and end.
"""
