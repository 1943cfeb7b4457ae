"""What is looked at when a site is examined: one file an area, each check a sentence that says what to do."""
