"""The demo: a small real EMS, and System Builds of it that are packed from the project itself."""
