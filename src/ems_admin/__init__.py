"""The admin authority of a self-hosted home energy management system."""

__version__ = "0.1.0"
