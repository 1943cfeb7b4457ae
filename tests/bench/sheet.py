"""The figures as a person reads them."""

from __future__ import annotations

from statistics import median, quantiles

from rich.console import Console as Terminal
from rich.table import Table

from tests.bench.decision import Decisions
from tests.bench.durable import Durable
from tests.bench.pages import Pages
from tests.bench.pairs import microseconds

DURABLE_TARGET = 1.35
DECISION_TARGET = 3.0


def show(durable: Durable, decisions: Decisions, pages: Pages) -> None:
    """Print one table of ratios, and what the parts of a durable step cost."""
    table = Table(title="One run; medians, every pair timed in turns")
    for heading in ("what", "ours", "bare", "ratio", "quartiles", "target"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    compared = durable.compared
    table.add_row(
        f"a durable step of a {durable.record_bytes} byte record ÷ write, fsync, replace, fsync",
        _time(microseconds(compared.ours)),
        _time(microseconds(compared.bare)),
        f"{compared.ratio:.2f}",
        "{:.2f} … {:.2f}".format(*compared.spread),
        _verdict(compared.ratio, DURABLE_TARGET),
    )
    low, _, high = quantiles(decisions.ratios)
    table.add_row(
        f"decide() ÷ one `transitions` step ({len(decisions.ratios)} steps, {decisions.guards:.1f} guards each)",
        _time(decisions.ours),
        _time(decisions.bare),
        f"{decisions.ratio:.2f}",
        f"{low:.2f} … {high:.2f}",
        _verdict(decisions.ratio, DECISION_TARGET),
    )
    table.add_row(
        f"GET console read model ÷ a bare handler of the same {pages.answer_bytes} bytes",
        _time(microseconds(pages.compared.ours)),
        _time(microseconds(pages.compared.bare)),
        f"{pages.compared.ratio:.2f}",
        "{:.2f} … {:.2f}".format(*pages.compared.spread),
        "",
    )
    table.add_row(
        "requests per second, one client after the other",
        f"{1 / median(pages.compared.ours):.0f}",
        f"{1 / median(pages.compared.bare):.0f}",
        "",
        "",
        "",
    )
    terminal = Terminal()
    terminal.print(table)
    terminal.print("Of a durable step, each part measured alone: " + _listed(durable.parts))


def _time(value: float) -> str:
    return f"{value:.0f} µs"


def _listed(parts: tuple[tuple[str, float], ...]) -> str:
    return ", ".join(f"{name} {value:.0f} µs" for name, value in parts)


def _verdict(ratio: float, target: float) -> str:
    return f"≤ {target} {'met' if ratio <= target else 'missed'}"
