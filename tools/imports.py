"""Read who imports whom below src/, without running any of it.

The import law (tests/house) and the picture of the structure both stand on this.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PACKAGE = "ems_admin"
BY_NAME = re.compile(rf"({PACKAGE}(?:\.\w+)+):\w+")  # `package.module:name` in a string is an import that waits


@dataclass(frozen=True, kw_only=True)
class Import:
    """One import: `importer` needs `imported`, a module of the tree or the dotted name of somebody else's."""

    importer: str
    imported: str
    names: tuple[str, ...]  # what is taken out of it; empty for a whole module
    line: int
    lazy: bool  # inside a function, or for the type checker alone: not loaded with the importer


@dataclass(frozen=True, eq=False)
class Tree:
    """The parsed modules of a package by dotted name; a package is named like its folder."""

    modules: Mapping[str, ast.Module]
    packages: frozenset[str]

    def imports(self, module: str) -> tuple[Import, ...]:
        """Give the imports of one module in the order they stand."""
        return _imports(self, module)

    def own(self, module: str) -> tuple[Import, ...]:
        """Give the imports of one module that stay inside the tree."""
        return tuple(one for one in self.imports(module) if one.imported in self.modules)

    def read(self, module: str) -> Iterator[Import]:
        """Walk through one module and give its imports."""
        return self._read(module, self.modules[module], lazy=False)

    def _read(self, module: str, node: ast.AST, *, lazy: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            match child:
                case ast.Import(names=names):
                    for alias in names:
                        yield Import(importer=module, imported=alias.name, names=(), line=child.lineno, lazy=lazy)
                case ast.ImportFrom(names=names):
                    source = self._absolute(module, child)
                    taken = {f"{source}.{alias.name}": alias.name for alias in names}
                    for submodule in sorted(taken.keys() & self.modules.keys()):
                        yield Import(importer=module, imported=submodule, names=(), line=child.lineno, lazy=lazy)
                    rest = tuple(name for dotted, name in taken.items() if dotted not in self.modules)
                    if rest:
                        yield Import(importer=module, imported=source, names=rest, line=child.lineno, lazy=lazy)
                case ast.Constant(value=str(text)) if found := BY_NAME.fullmatch(text):
                    name = text.partition(":")[2]
                    yield Import(importer=module, imported=found[1], names=(name,), line=child.lineno, lazy=True)
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                    yield from self._read(module, child, lazy=True)
                case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
                    yield from self._read(module, child, lazy=True)
                case _:
                    yield from self._read(module, child, lazy=lazy)

    def _absolute(self, module: str, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = module.split(".")
        base = parts[: len(parts) - node.level + (module in self.packages)]
        return ".".join([*base, *([node.module] if node.module else [])])


@cache
def _imports(tree: Tree, module: str) -> tuple[Import, ...]:
    return tuple(tree.read(module))  # walked once, asked for again and again


def parse(sources: Mapping[str, str]) -> Tree:
    """Parse sources by their path below src/, such as `ems_admin/stores/files.py`."""
    modules, packages = {}, set()
    for path, text in sources.items():
        parts = Path(path).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
            packages.add(".".join(parts))
        modules[".".join(parts)] = ast.parse(text, filename=path)
    return Tree(modules, frozenset(packages))


def read(src: Path) -> Tree:
    """Parse every Python file of the package below `src`, leaving out what Node installed."""
    files = (path for path in sorted((src / PACKAGE).rglob("*.py")) if "node_modules" not in path.parts)
    return parse({path.relative_to(src).as_posix(): path.read_text() for path in files})


def room(module: str) -> str:
    """Give the room of a module: `stores` for `ems_admin.stores.files`, empty for the package itself."""
    return module.removeprefix(PACKAGE).removeprefix(".").split(".")[0]


def circles(tree: Tree) -> list[list[str]]:
    """Give every group of modules that import one another in a circle, lazily or not, each sorted.

    The lazy facade in the package's own `__init__` is not counted: it is resolved when a name is first asked for.
    """
    needs = {
        module: sorted({one.imported for one in tree.own(module)} - {module}) if room(module) else []
        for module in tree.modules
    }
    return [sorted(group) for group in strongly_connected(needs) if len(group) > 1]


def strongly_connected(needs: Mapping[str, list[str]]) -> list[list[str]]:
    """Give the strongly connected groups of a graph (Tarjan)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(node: str) -> None:
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in needs[node]:
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            cut = stack.index(node)
            groups.append(stack[cut:])
            del stack[cut:]

    for node in needs:
        if node not in order:
            visit(node)
    return groups
