"""The import law: which room may look into which, and which may touch the world.

Each rule takes a parsed tree and gives its violations as sentences that begin with the place.
"""

import ast
from collections.abc import Callable, Iterator

from tools.imports import PACKAGE, Import, Tree, circles, room

Rule = Callable[[Tree], list[str]]

# Who may import whom, never back. `workflows.ports` opens that one package and not the rest of its room.
ADAPTER = ("workflows.ports", "machines", "codec")
ENGINE = (*ADAPTER, "engines")
DIRECTIONS: dict[str, tuple[str, ...]] = {
    "machines": (),
    "codec": ("machines",),
    "workflows": ("machines",),
    "stores": ADAPTER,
    "builds": ADAPTER,
    "engines": ADAPTER,  # what both engines stand on
    "docker": ENGINE,
    "native": ENGINE,
    "demo": (*ADAPTER, "builds"),  # the packed demo builds
    "fleet": ("workflows.ports", "machines"),
    "http": ("workflows", "machines", "codec"),
    "cli": ("workflows", "machines"),
    "updater": ("composition", "machines", "codec", "workflows", "stores", "builds", "docker", "native"),
    "library": ("machines", "workflows"),
    "composition": (
        "machines",
        "codec",
        "workflows",
        "stores",
        "builds",
        "docker",
        "native",
        "fleet",
        "demo",
    ),
    "site": (
        "composition",
        "library",
        "machines",
        "codec",
        "workflows",
        "stores",
        "builds",
        "docker",
        "native",
        "fleet",
        "demo",
        "updater",
    ),
    "foreground": (
        *("machines", "codec", "workflows", "stores", "builds", "docker", "native", "fleet", "demo"),
        *("updater", "composition", "library", "site", "http", "cli"),
    ),
    "errands": ("machines", "workflows", "stores", "composition", "library", "site", "http", "cli"),
    "app": (
        *("machines", "codec", "workflows", "stores", "builds", "docker", "native", "fleet", "demo"),
        *("updater", "composition", "library", "site", "foreground", "errands", "http", "cli"),
    ),
    "__main__": ("app",),
}

# The parts of the standard library that neither read the world nor change it.
PURE_PARTS = """
    __future__ abc base64 binascii bisect collections collections.abc contextlib copy dataclasses datetime decimal
    difflib enum fractions functools graphlib hashlib heapq hmac html inspect ipaddress itertools json keyword math
    numbers operator re string struct textwrap types typing unicodedata urllib.parse
"""
PURE = frozenset(PURE_PARTS.split())
PURE_OUT_OF = {"pathlib": frozenset({"PurePath", "PurePosixPath"})}  # some names of an impure part
MACHINES_MAY = PURE | {"attr", "attrs", "transitions", "transitions.core"}
WORKFLOWS_MAY = PURE | {"attr", "attrs", "jsonschema", "jsonschema.exceptions"}

# Calls that need no import and are no pure part either.
IMPURE_BUILTINS = frozenset({"open", "print", "input", "exec", "eval", "__import__", "breakpoint"})
CLOCKS = frozenset({"now", "utcnow", "today"})


def every_import(tree: Tree) -> Iterator[Import]:
    """Give the imports of all modules."""
    for module in tree.modules:
        yield from tree.imports(module)


def inside(module: str, place: str) -> bool:
    """Tell whether a module is `place` or lies below it; both without the name of the package."""
    short = module.removeprefix(PACKAGE + ".")
    return short == place or short.startswith(place + ".")


def belongs(imported: str) -> bool:
    """Tell whether an imported name is the project's own, even if no such module exists."""
    return imported == PACKAGE or imported.startswith(PACKAGE + ".")


def told(one: Import, why: str) -> str:
    """Give the sentence of a violation."""
    return f"{one.importer}:{one.line} imports {one.imported}: {why}"


def rooms_import_in_one_direction(tree: Tree) -> list[str]:
    """http, cli → workflows → machines; adapters → ports; site → all but http, cli; app → all."""
    found = [f"{module}: no such room" for module in tree.modules if room(module) not in {"", *DIRECTIONS}]
    for one in every_import(tree):
        source, target = room(one.importer), room(one.imported)
        if not belongs(one.imported) or source not in DIRECTIONS or source == target:
            continue
        if one.imported == PACKAGE:
            if set(one.names) != {"__version__"}:
                found.append(told(one, "the facade is for importers; inside, name the module"))
        elif not any(inside(one.imported, place) for place in DIRECTIONS[source]):
            found.append(told(one, f"{source} may import only {', '.join(DIRECTIONS[source]) or 'itself'}"))
    return found


def the_package_loads_nothing(tree: Tree) -> list[str]:
    """`import ems_admin.machines` loads no adapter: the package gives `Site` only when asked."""
    return [
        told(one, "load it when it is asked for")
        for one in (tree.imports(PACKAGE) if PACKAGE in tree.modules else ())
        if belongs(one.imported) and not (one.lazy and inside(one.imported, "site"))
    ]


def only_the_codec_imports_cattrs(tree: Tree) -> list[str]:
    """Cattrs is fail-open by default; codec.py closes it once for all."""
    return [
        told(one, "decode through codec")
        for one in every_import(tree)
        if one.imported.split(".")[0] == "cattrs" and not inside(one.importer, "codec")
    ]


def only_the_kernel_imports_transitions(tree: Tree) -> list[str]:
    """The engine is one thing inside `decide`; everybody else declares."""
    return [
        told(one, "declare a machine")
        for one in every_import(tree)
        if one.imported.split(".")[0] == "transitions" and not inside(one.importer, "machines.kernel")
    ]


def strangers(tree: Tree, place: str, allowed: frozenset[str]) -> list[str]:
    """Give the imports of a room from outside the project that its list does not name."""
    return [
        told(one, f"{place} may use only pure parts")
        for one in every_import(tree)
        if room(one.importer) == place
        and not (belongs(one.imported) or one.imported in allowed)
        and not (one.names and PURE_OUT_OF.get(one.imported, frozenset()).issuperset(one.names))
    ]


def machines_are_pure(tree: Tree) -> list[str]:
    """Machines import only pure parts, await nothing, and ask no clock and no file."""
    found = strangers(tree, "machines", frozenset(MACHINES_MAY))
    for module, parsed in tree.modules.items():
        if room(module) != "machines":
            continue
        for node in ast.walk(parsed):
            match node:
                case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
                    found.append(f"{module}:{node.lineno} is asynchronous: a decision never awaits")
                case ast.Call(func=ast.Name(id=name)) if name in IMPURE_BUILTINS:
                    found.append(f"{module}:{node.lineno} calls {name}(): facts are gathered beforehand")
                case ast.Call(func=ast.Attribute(attr=name)) if name in CLOCKS:
                    found.append(f"{module}:{node.lineno} calls .{name}(): the time is a fact")
    return found


def workflows_await_nothing_but_ports(tree: Tree) -> list[str]:
    """Workflows import nothing that could be awaited but ports: no asyncio, no I/O, no clock, no dice."""
    found = strangers(tree, "workflows", frozenset(WORKFLOWS_MAY))
    for module, parsed in tree.modules.items():
        if room(module) != "workflows":
            continue
        for node in ast.walk(parsed):
            match node:
                case ast.Call(func=ast.Name(id=name)) if name in IMPURE_BUILTINS:
                    found.append(f"{module}:{node.lineno} calls {name}(): that is what ports are for")
                case ast.Call(
                    func=ast.Attribute(
                        value=ast.Name(id="datetime" | "date") | ast.Attribute(attr="datetime" | "date"), attr=name
                    )
                ) if name in CLOCKS:
                    found.append(f"{module}:{node.lineno} calls .{name}(): the clock is a port")
    return found


def no_import_circle(tree: Tree) -> list[str]:
    """Modules can be put into one order in which each imports only earlier ones."""
    return [f"{group[0]}: imports itself through {', '.join(group[1:])}" for group in circles(tree)]


RULES: tuple[Rule, ...] = (
    rooms_import_in_one_direction,
    the_package_loads_nothing,
    only_the_codec_imports_cattrs,
    only_the_kernel_imports_transitions,
    machines_are_pure,
    workflows_await_nothing_but_ports,
    no_import_circle,
)
