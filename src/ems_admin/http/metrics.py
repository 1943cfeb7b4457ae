"""What a Prometheus reads: requests, their time, what runs, and whether the start-up check has passed.

Source: `http.md` 5.3 (GET /metrics).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from attrs import frozen
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


@frozen(kw_only=True, eq=False)
class Metrics:
    """The counters of one server."""

    registry: CollectorRegistry
    requests: Counter
    seconds: Histogram
    jobs: Gauge
    ready: Gauge
    machine: Gauge

    @classmethod
    def fresh(cls) -> Metrics:
        """Begin to count."""
        registry = CollectorRegistry()
        return cls(
            registry=registry,
            requests=Counter(
                "ems_admin_requests", "Requests answered.", ("route", "method", "status"), registry=registry
            ),
            seconds=Histogram("ems_admin_request_seconds", "Time to the answer.", ("route",), registry=registry),
            jobs=Gauge("ems_admin_jobs_running", "Jobs that run.", registry=registry),
            ready=Gauge("ems_admin_startup_passed", "1 once the start-up check has passed.", registry=registry),
            machine=Gauge(
                "ems_admin_machine_state", "1 for the state of each machine.", ("machine", "state"), registry=registry
            ),
        )

    def answered(self, *, route: str, method: str, status: int, took: timedelta) -> None:
        """Count one answer; `route` is the path of the table, so that ids make no series of their own."""
        self.requests.labels(route, method, str(status)).inc()
        self.seconds.labels(route).observe(took.total_seconds())

    def text(self, *, jobs: int, ready: bool, machines: Mapping[str, str | None]) -> bytes:
        """Give everything in the text format of Prometheus."""
        self.jobs.set(jobs)
        self.ready.set(int(ready))
        self.machine.clear()
        for name, state in machines.items():
            if state is not None:
                self.machine.labels(name, str(state)).set(1)
        return generate_latest(self.registry)
