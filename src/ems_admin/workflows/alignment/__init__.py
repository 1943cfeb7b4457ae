"""The operation under a Setup or an upgrade: its status, its resources, its resumption, its success."""
