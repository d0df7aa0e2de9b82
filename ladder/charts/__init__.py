"""Pictures for documents and operators.

One description of a chart becomes a picture (PNG, SVG) or a page to look around in (HTML, with all that it needs
inside). Altair and its renderer are large and only needed here, so they are loaded when something is drawn.

* ``drawing``    loading the library, saving a chart
* ``decay``      one rating that nobody attends to
"""
