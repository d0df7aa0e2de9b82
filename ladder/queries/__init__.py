"""Reading for the API and the admin. Nothing here writes."""
