"""The command line: as thin as HTTP. A command gathers words, asks once, and prints what comes back."""
