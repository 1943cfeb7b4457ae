"""The replacement of the Admin on the native engine: a detached updater, a pointer, two processes."""
