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


def rooms(tree: Tree) -> dict[str, list[str]]:
    """Give the modules of every room, both sorted."""
    return {
        name: sorted(m for m in tree.modules if room(m) == name) for name in sorted({room(m) for m in tree.modules})
    }


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


def house(tree: Tree) -> str:
    """Draw the whole house: a box a room, its files listed inside."""
    lines = ["digraph house {", *LOOK, "rankdir=TB"]
    for name, modules in rooms(tree).items():
        files = [place(tree, module).removeprefix(f"{name}/") for module in modules]
        listed = "".join(f'<BR ALIGN="LEFT"/>{escape(file)}' for file in files if file != f"{name}.py")
        lines.append(
            f'"{title(name)}" [label=<<FONT POINT-SIZE="13"><B>{escape(title(name))}</B></FONT>'
            f'<FONT POINT-SIZE="8" COLOR="{FAINT}">{listed}<BR ALIGN="LEFT"/></FONT>>]'
        )
    for (a, b), number in doors(tree).items():
        lines.append(f'"{title(a)}" -> "{title(b)}" [label="{number}" penwidth={1 + min(number, 40) / 15:.2f}]')
    return "\n".join([*lines, "}"])


def boxes(tree: Tree, modules: list[str], depth: int) -> Iterator[str]:
    """Draw files as boxes, each inner folder as a frame around its own."""
    inner = sorted({m.split(".")[depth] for m in modules if len(m.split(".")) > depth + (m not in tree.packages)})
    for module in modules:
        parts = module.split(".")
        if len(parts) <= depth or parts[depth] not in inner:
            yield f'"{module}" [label="{place(tree, module).split("/")[-1]}"]'
    for folder in inner:
        below = [m for m in modules if len(m.split(".")) > depth and m.split(".")[depth] == folder]
        yield f'subgraph "cluster_{depth}_{folder}" {{ label="{folder}" style=rounded color="{FAINT}"'
        yield from boxes(tree, below, depth + 1)
        yield "}"


def sheet(tree: Tree, name: str) -> str:
    """Draw one room: its files with their imports; the other rooms as one box each."""
    modules = rooms(tree)[name]
    lines = ["digraph room {", *LOOK, "rankdir=LR compound=true"]
    lines += [f'subgraph cluster_room {{ label="{title(name)}" fontsize=14 style="rounded,bold" color="{INK}"']
    lines += [*boxes(tree, modules, 2 if name else 1), "}"]
    outside = Counter[tuple[str, str]]()
    for a, b in edges(tree):
        if room(a) == room(b) == name:
            lines.append(f'"{a}" -> "{b}"')
        elif name in {room(a), room(b)}:
            outside[
                a if room(a) == name else f"from {title(room(a))}", b if room(b) == name else f"to {title(room(b))}"
            ] += 1
    for end in sorted({end for pair in outside for end in pair if " " in end}):
        lines.append(f'"{end}" [label="{end.split()[1]}" shape=plaintext style="" fontcolor="{FAINT}" fontsize=12]')
    for (a, b), number in sorted(outside.items()):
        lines.append(f'"{a}" -> "{b}" [style=dashed label="{number if number > 1 else ""}"]')
    return "\n".join([*lines, "}"])


def draw(graph: str, target: Path) -> None:
    """Let Graphviz draw a graph into an SVG file."""
    drawn = subprocess.run(["dot", "-Tsvg"], input=graph, check=True, capture_output=True, text=True).stdout
    target.write_text(drawn, encoding="utf-8")


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
    draw(house(tree), HOUSE)
    for name, modules in rooms(tree).items():
        if len(modules) > 1:
            draw(sheet(tree, name), SHEETS / f"{name}.svg")


if __name__ == "__main__":
    main()
