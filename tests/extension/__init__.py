"""An app that exists only here. It serves lunch, and shows the one way in which an app extends those below it."""
