"""Logs that a person can read: one line an event, a plain traceback below a fault, never the values of variables.

Values would carry passwords and drafts into the log.
"""

from __future__ import annotations

import logging
import sys

import structlog


def configure_logs() -> None:
    """Write every event that a person may want to know to standard error, with colours only on a terminal."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%Y-%m-%d %H:%M:%S", utc=False),
            structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=True,
    )
