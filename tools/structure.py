"""Draw the structure: `python -m tools.structure` draws the imports of src/ as rooms and files; `--check` looks only.

| file                        | what it shows                                                        |
|-----------------------------|----------------------------------------------------------------------|
| docs/structure.txt          | the same as text: what a reviewer reads as a diff, and `--check` asks |
| docs/structure.svg          | the house: one box a room with its files, arrows counting imports    |
| docs/structure/<room>.svg   | one sheet a room: its files, who comes in and where it looks         |

An arrow points from the importer to what it needs, so the plan reads from the roof down to the cellar.
"""

import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path

from tools.imports import PACKAGE, Tree, read, room

ROOT = Path(__file__).resolve().parent.parent
TEXT = ROOT / "docs/structure.txt"
HOUSE = ROOT / "docs/structure.svg"
SHEETS = ROOT / "docs/structure"

INK, PAPER, FAINT = "#22303c", "#f6f8fa", "#8795a1"
LOOK = (
    f'graph [fontname="DejaVu Sans" fontcolor="{INK}" bgcolor="white" nodesep=0.3 ranksep=0.6]',
    f'node [fontname="DejaVu Sans" fontsize=10 fontcolor="{INK}" color="{FAINT}" fillcolor="{PAPER}"]',
    'node [shape=box style="rounded,filled"]',
    f'edge [fontname="DejaVu Sans" fontsize=9 fontcolor="{INK}" color="{FAINT}" arrowsize=0.7]',
)


@cache
def edges(tree: Tree) -> list[tuple[str, str]]:
    """Give every pair (importer, imported) once; what a package imports from itself is left out."""
    return sorted(
        {(one.importer, one.imported) for name in tree.modules for one in tree.own(name)} - {(PACKAGE, PACKAGE)}
    )


def place(tree: Tree, module: str) -> str:
    """Give the path of a module below src/ems_admin/."""
    path = module.removeprefix(PACKAGE).removeprefix(".").replace(".", "/")
    return f"{path}/__init__.py".removeprefix("/") if module in tree.packages else f"{path}.py"


def title(name: str) -> str:
    """Give the name of a room as people say it."""
    return name or PACKAGE


@cache
def rooms(tree: Tree) -> dict[str, list[str]]:
    """Give the modules of every room, both sorted."""
    return {
        name: sorted(m for m in tree.modules if room(m) == name) for name in sorted({room(m) for m in tree.modules})
    }


@cache
def doors(tree: Tree) -> dict[tuple[str, str], int]:
    """Count the imports from room to room."""
    counted = Counter((room(a), room(b)) for a, b in edges(tree))
    return {pair: number for pair, number in sorted(counted.items()) if pair[0] != pair[1]}


def text(tree: Tree) -> str:
    """Tell the structure in words: the rooms with their counts, then every file with what it imports."""
    lines = ["The imports of src/ems_admin, made by `make structure`.", "", "Rooms", ""]
    for name, modules in rooms(tree).items():
        into = ", ".join(f"{title(b)} {number}" for (a, b), number in doors(tree).items() if a == name)
        lines.append(f"{title(name)} ({len(modules)})" + (f" → {into}" if into else ""))
    for name, modules in rooms(tree).items():
        lines += ["", title(name), ""]
        for module in modules:
            needs = [place(tree, b) for a, b in edges(tree) if a == module]
            lines += [place(tree, module), *(f"    → {need}" for need in needs)]
    return "\n".join(lines) + "\n"


def listed(tree: Tree, name: str) -> list[str]:
    """Give what stands in a room, a folder as one line with the number of its files."""
    inner = [
        place(tree, module).removeprefix(f"{name}/") for module in rooms(tree)[name] if module != f"{PACKAGE}.{name}"
    ]
    folders = Counter(path.split("/")[0] for path in inner if "/" in path)
    return sorted([path for path in inner if "/" not in path] + [f"{folder}/ ({n})" for folder, n in folders.items()])


def table(heading: str, entries: list[str]) -> str:
    """Give a box with a heading and its entries in columns, downwards, as Graphviz takes it."""
    columns = 1 + len(entries) // 12
    rows = -(-len(entries) // columns) if entries else 0
    cells = [
        "".join(
            f'<TD ALIGN="LEFT"><FONT POINT-SIZE="8" COLOR="{FAINT}">{escape(one)}</FONT></TD>'
            for one in entries[n::rows]
        )
        for n in range(rows)
    ]
    head = f'<TR><TD ALIGN="LEFT" COLSPAN="{columns}"><FONT POINT-SIZE="13"><B>{escape(heading)}</B></FONT></TD></TR>'
    body = "".join(f"<TR>{row}</TR>" for row in cells)
    return f'<<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="1">{head}{body}</TABLE>>'


def house(tree: Tree) -> str:
    """Draw the whole house: a box a room, its files listed inside."""
    lines = ["digraph house {", *LOOK, "rankdir=TB"]
    lines += [f'"{title(name)}" [label={table(title(name), listed(tree, name))}]' for name in rooms(tree)]
    for (a, b), number in doors(tree).items():
        lines.append(f'"{title(a)}" -> "{title(b)}" [label="{number}" penwidth={1 + min(number, 40) / 15:.2f}]')
    return "\n".join([*lines, "}"])


@cache
def neighbours(tree: Tree) -> dict[str, str]:
    """Say of every module which other rooms come in, and where it looks out."""
    said: dict[str, Counter[str]] = {module: Counter() for module in tree.modules}
    for a, b in edges(tree):
        if room(a) != room(b):
            said[a][f"→ {title(room(b))}"] += 1
            said[b][f"← {title(room(a))}"] += 1
    return {module: ", ".join(f"{way} {n}" for way, n in sorted(ways.items())) for module, ways in said.items()}


def boxes(tree: Tree, modules: list[str], depth: int) -> Iterator[str]:
    """Draw files as boxes, each inner folder as a frame around its own."""
    inner = sorted({m.split(".")[depth] for m in modules if len(m.split(".")) > depth + (m not in tree.packages)})
    said = neighbours(tree)
    for module in modules:
        parts = module.split(".")
        if len(parts) <= depth or parts[depth] not in inner:
            outside = f'<BR/><FONT POINT-SIZE="7" COLOR="{FAINT}">{said[module]}</FONT>' if said[module] else ""
            yield f'"{module}" [label=<{place(tree, module).split("/")[-1]}{outside}>]'
    for folder in inner:
        below = [m for m in modules if len(m.split(".")) > depth and m.split(".")[depth] == folder]
        yield f'subgraph "cluster_{depth}_{folder}" {{ label="{folder}" style=rounded color="{FAINT}"'
        yield from boxes(tree, below, depth + 1)
        yield "}"


def sheet(tree: Tree, name: str) -> str:
    """Draw one room: its files with their imports, and in each box the other rooms it has to do with."""
    lines = ["digraph room {", *LOOK, f'rankdir=LR label="{title(name)}" labelloc=t fontsize=16']
    lines += boxes(tree, rooms(tree)[name], 2 if name else 1)
    lines += [f'"{a}" -> "{b}"' for a, b in edges(tree) if room(a) == room(b) == name]
    return "\n".join([*lines, "}"])


def graphviz(program: str, graph: str) -> str:
    """Give what a program of Graphviz makes of a graph."""
    return subprocess.run(program.split(), input=graph, check=True, capture_output=True, text=True).stdout


def main() -> None:
    """Draw everything anew, or with `--check` tell whether the text is what the sources say."""
    tree = read(ROOT / "src")
    now = text(tree)
    if "--check" in sys.argv[1:]:
        if not TEXT.exists() or TEXT.read_text(encoding="utf-8") != now:
            sys.exit("docs/structure.txt is stale: make structure")
        return
    shutil.rmtree(SHEETS, ignore_errors=True)
    SHEETS.mkdir(parents=True)
    TEXT.write_text(now, encoding="utf-8")
    HOUSE.write_text(graphviz("dot -Tsvg", house(tree)), encoding="utf-8")
    for name, modules in rooms(tree).items():
        if len(modules) > 1:
            # A sheet shows no arrow that follows from others: no a → c beside a → b → c. The text has them all.
            drawn = graphviz("dot -Tsvg", graphviz("tred", sheet(tree, name)))
            (SHEETS / f"{name}.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
