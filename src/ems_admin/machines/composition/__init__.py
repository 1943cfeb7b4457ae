"""How the authorities stand to one another: which may move while another is where, and what that comes to."""
