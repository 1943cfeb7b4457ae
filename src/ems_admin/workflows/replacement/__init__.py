"""The replacement of the running Admin: its launch, the walk of its updater, and what is done when nobody is left."""
