"""System Builds on disk and on the network: archives, catalogues, the release cache, the Admin's own identity."""
