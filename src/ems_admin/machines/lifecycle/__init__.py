"""What stands around the owner of the console: claims, fingerprint, switch and recovery."""
