"""The EMS itself: prepared, started, checked, and what is seen of it."""
