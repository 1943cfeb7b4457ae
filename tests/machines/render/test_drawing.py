"""What is drawn and written of a small machine, compared with what a person would draw."""

import json
import re
from typing import Any

import pytest

from ems_admin.machines.catalogue import CATALOGUE, Declared, Projected
from ems_admin.machines.deployment import DEPLOYMENT
from ems_admin.machines.kernel import Machine
from ems_admin.machines.render.data import data
from ems_admin.machines.render.dot import dot
from ems_admin.machines.render.graph import Arrow, Label, graph
from ems_admin.machines.render.matrix import checks, matrix, rules
from ems_admin.machines.render.mermaid import mermaid
from ems_admin.machines.system_alignment import TRANSITION
from tests.machines.kernel.boiler import ENGINE_ROOM, HEAT, WHISTLE
from tests.machines.recorder import can_be_taken


def boiler(name: str) -> Declared:
    machines: dict[str, Machine[Any, Any]] = {"heat": HEAT, "whistle": WHISTLE}
    return Declared(
        name=name, title="T", summary="S.", record="R", module="boiler.py", machine=machines[name], regions=ENGINE_ROOM
    )


def test_what_stays_is_said_in_the_state_and_what_moves_is_an_arrow() -> None:
    drawn = graph(HEAT)
    assert [(node.name, node.initial, node.final, node.stays) for node in drawn.nodes] == [
        ("cold", True, False, ("cool",)),
        ("hot", False, False, ()),
        ("scrapped", False, True, ("scrap",)),
    ]
    assert drawn.arrows == (
        Arrow(("cold",), ("hot",), (Label("light", None),)),
        Arrow(("hot",), ("cold",), (Label("cool", None),)),
        Arrow(("cold",), ("scrapped",), (Label("scrap", None),)),
        Arrow(("hot",), ("scrapped",), (Label("scrap", None),)),
    )


def test_a_refusal_that_moves_carries_its_code() -> None:
    assert graph(WHISTLE).arrows == (
        Arrow(("blowing",), ("quiet",), (Label("light", None),)),
        Arrow(("quiet",), ("blowing",), (Label("light", "overpressure"),)),
    )


def test_what_leads_somewhere_from_every_open_state_is_one_arrow() -> None:
    anywhere = [arrow for arrow in graph(TRANSITION).arrows if arrow.from_anywhere]
    assert {(arrow.targets, arrow.labels) for arrow in anywhere} == {
        (("failed_recoverable",), (Label("mark_failed", None),)),
        (("cancelled",), (Label("cancel", None),)),
    }
    assert all("completed" not in arrow.sources for arrow in anywhere)


def test_one_trigger_to_many_states_is_one_arrow() -> None:
    (retry,) = (arrow for arrow in graph(TRANSITION).arrows if len(arrow.targets) > 1)
    assert retry.sources == ("failed_recoverable",)
    assert retry.labels == (Label("retry", None),)
    assert len(retry.targets) == 5


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.name)
def test_no_move_of_a_machine_is_missing_in_its_drawing(entry: Declared | Projected) -> None:
    if isinstance(entry, Projected):
        assert {f"state-{row.answer}" for row in entry.tables[0].rows} <= set(re.findall(r'id="([^"]+)"', dot(entry)))
        return
    declared = {
        (str(source), str(edge.target), edge.trigger.name)
        for edge in entry.machine.edges
        for source in edge.sources
        if source is not edge.target and can_be_taken(edge)
    }
    drawn = {
        (source, target, label.trigger)
        for arrow in graph(entry.machine).arrows
        for source in arrow.sources
        for target in arrow.targets
        for label in arrow.labels
    }
    assert drawn == declared
    assert set(re.findall(r'id="([^"]+)"', dot(entry))) == {f"state-{state}" for state in entry.states}


def test_mermaid_draws_the_boiler() -> None:
    assert mermaid(boiler("heat")).splitlines()[1:] == [
        "stateDiagram-v2",
        '  state "cold" as s_cold',
        '  state "hot" as s_hot',
        '  state "scrapped" as s_scrapped',
        "  [*] --> s_cold: build",
        "  s_cold --> s_hot: light",
        "  s_hot --> s_cold: cool",
        "  s_cold --> s_scrapped: scrap",
        "  s_hot --> s_scrapped: scrap",
        "  s_cold: stays by cool",
        "  s_scrapped: stays by scrap",
        "  s_scrapped --> [*]",
    ]


def test_only_the_machine_that_leads_is_begun_by_the_trigger_of_the_record() -> None:
    assert "  [*] --> s_quiet\n" in mermaid(boiler("whistle"))


def test_graphviz_marks_beginning_end_and_refusal() -> None:
    heat, whistle = dot(boiler("heat")), dot(boiler("whistle"))
    assert '"begin cold" -> "cold" [class=begin' in heat
    assert re.search(r'^  "scrapped" \[id="state-scrapped", class="state final".*peripheries=2\]$', heat, re.MULTILINE)
    assert re.search(r'"quiet" -> "blowing" .*class=refused, style=dashed', whistle)
    assert "bgcolor=transparent" in heat


def test_the_matrix_says_what_every_trigger_does_in_every_state() -> None:
    assert matrix(HEAT).splitlines() == [
        "|  | cold | hot | scrapped |",
        "| --- | --- | --- | --- |",
        "| **light** | **hot** | `hot_already` | `scrap` |",
        "| **cool** | **cold** | **cold** | `scrap` |",
        "| **scrap** | **scrapped** | **scrapped** | **scrapped** |",
    ]
    assert "| **light** | **quiet**<br/>**blowing**, `overpressure` |" in matrix(WHISTLE)


def test_the_order_of_checks_is_that_of_the_declaration() -> None:
    assert checks(boiler("heat")).splitlines()[2:] == [
        "| **build** | begins | permit_is_granted |",
        "| **light** | cold → hot | there_is_water |",
        "| **cool** | hot → cold | nothing |",
        "| **cool** | stays cold | nothing |",
        "| **scrap** | cold, hot → scrapped | nothing |",
        "| **scrap** | stays scrapped | nothing |",
    ]
    assert "| **light** | quiet → blowing (or stays), answers overpressure | not pressure_is_low |" in checks(
        boiler("whistle")
    )


def test_every_rule_is_told_once_with_its_codes() -> None:
    assert rules(boiler("heat")).splitlines()[2:] == [
        "| permit_is_granted | The boiler may stand here. | `no_permit` |",
        "| there_is_water | The gauge shows water. | `no_water`, `gauge_broken` |",
    ]


def test_the_data_of_a_machine_says_all_of_it() -> None:
    heat = data(boiler("heat"))
    assert heat["kind"] == "machine"
    assert (heat["states"], heat["initial"], heat["final"]) == (["cold", "hot", "scrapped"], ["cold"], ["scrapped"])
    assert heat["triggers"] == ["build", "light", "cool", "scrap"]
    assert heat["edges"][0] == {  # type: ignore[index]  # data of JSON
        "trigger": "light",
        "sources": ["cold"],
        "target": "hot",
        "guards": ["there_is_water"],
        "unless": [],
        "answers": None,
    }
    assert heat["otherwise"] == {
        "light": {"hot": "hot_already", "scrapped": "scrap"},
        "cool": {"scrapped": "scrap"},
        "scrap": {},
    }


def test_everything_that_is_declared_is_plain_json() -> None:
    for entry in CATALOGUE:
        assert json.loads(json.dumps(data(entry))) == data(entry)


def test_a_table_is_drawn_as_a_ladder_of_questions() -> None:
    (entry,) = (entry for entry in CATALOGUE if entry.name == "deployment")
    ladder = dot(entry)
    assert ladder.count("class=question") == len(DEPLOYMENT.rows)
    assert '"ask 0" -> "ask 1" -> "ask 2"' in ladder
    assert "otherwise" in ladder


def test_an_edge_that_is_there_to_refuse_is_neither_drawn_nor_said_to_move() -> None:
    nodes = {node.name: node.stays for node in graph(TRANSITION).nodes}
    assert nodes["cancelled"] == ("cancel",)
    assert "resume" not in nodes["completed"]
    (line,) = (line for line in matrix(TRANSITION).splitlines() if line.startswith("| **resume** |"))
    assert line.split(" | ")[-2:] == ["`not_resumable`", "`not_resumable` |"]
