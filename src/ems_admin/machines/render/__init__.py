"""Text made from the declarations, and nothing else: no file is read or written here."""
