"""The table of the cases, in the order of the page."""
