"""The thin HTTP adapter: a table of routes, and the one place that knows statuses."""
