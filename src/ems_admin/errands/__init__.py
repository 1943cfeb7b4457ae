"""What the command line does with a site without a server: looked at, taken for one act, and left again."""
