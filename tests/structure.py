"""Measures how much of the code somebody has to hold in their head.

python -m tests.structure           # the table, and what one move by mail runs through
python -m tests.structure --names   # the same with the names of these modules and shapes of data
python -m tests.structure --check   # fails if something has come back that must not; part of `make lint`
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[1]
FEW_LINES = 40
WIDEST_CONSTRUCTOR = 6
MOST_REQUIRED = 14
"""Members that a new game must provide, at most."""
SMALL_SHARE = 0.06
"""Of all modules, so many may have fewer than `FEW_LINES`."""
INDIRECT = re.compile(r"\s*(What|Whether|Who|Whom|Whose|How|Where)\b")
"""Beginnings of docstrings that name a question instead of a thing or a deed."""
HE = re.compile(r"\b(he|him|his|himself)\b", re.IGNORECASE)
"""A player is "they"."""
WORDS_OF_PLAYERS = ("pbem.commands.doubts", "pbem.games.plans")
"""Modules with patterns for what players write."""
TEXTS = (".html", ".jinja", ".md", ".txt")
"""Suffixes of files with text for people."""


@dataclass(frozen=True)
class Module:
    """A module of pbem."""

    name: str
    path: Path

    @cached_property
    def text(self) -> str:
        """Its source."""
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        """Its syntax."""
        return ast.parse(self.text)

    @property
    def lines(self) -> int:
        """The number of its lines."""
        return self.text.count("\n")

    @cached_property
    def classes(self) -> tuple[ast.ClassDef, ...]:
        """All that it defines, at any depth."""
        return tuple(node for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef))

    def imports(self, known: Mapping[str, Module]) -> Iterator[str]:
        """The modules of pbem that it imports, wherever it does so."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (each.name for each in node.names if each.name in known)
            elif isinstance(node, ast.ImportFrom) and node.module is not None and node.module in known:
                inner = (f"{node.module}.{each.name}" for each in node.names)
                yield from (each if each in known else node.module for each in inner)

    def docstrings(self) -> Iterator[tuple[int, str]]:
        """The line and text of all docstrings, those of attributes included."""
        for node in ast.walk(self.tree):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield node.lineno, node.value.value

    def comments(self) -> Iterator[tuple[int, str]]:
        """The line and text of all comments."""
        lines = iter(self.text.splitlines(keepends=True))
        tokens = tokenize.generate_tokens(lambda: next(lines, ""))
        yield from ((each.start[0], each.string) for each in tokens if each.type == tokenize.COMMENT)

    def unclear_words(self) -> Iterator[str]:
        """The lines of pbem, and elsewhere the docstrings and comments, that break the rules of our English."""
        place = self.path.relative_to(ROOT)
        for line, text in self.docstrings():
            if found := INDIRECT.match(text):
                yield f"{place}:{line}: begins with {found[1]}"
        is_ours = self.name.startswith("pbem") and self.name not in WORDS_OF_PLAYERS
        all_lines = enumerate(self.text.split("\n"), 1)
        for line, text in all_lines if is_ours else [*self.docstrings(), *self.comments()]:
            if found := HE.search(text):
                yield f"{place}:{line}: calls somebody {found[1]}"

    def type_checking_blocks(self) -> Iterator[bool]:
        """For each block that only type checkers read, whether a comment beside it says why."""
        lines = self.text.split("\n")
        for node in ast.walk(self.tree):
            if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
                yield "#" in lines[node.lineno - 1]


def modules(package: Path = ROOT / "pbem") -> dict[str, Module]:
    """All modules of a package, by name."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        name = ".".join(path.relative_to(package.parent).with_suffix("").parts).removesuffix(".__init__")
        found[name] = Module(name, path)
    return found


def cycles(known: Mapping[str, Module]) -> list[tuple[str, ...]]:
    """Modules that import each other, directly or by way of others (Tarjan, 1972)."""
    graph = {name: sorted(set(module.imports(known)) - {name}) for name, module in known.items()}
    found: list[tuple[str, ...]] = []
    index: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []

    def visit(name: str) -> None:
        index[name] = lowest[name] = len(index)
        stack.append(name)
        for other in graph[name]:
            if other not in index:
                visit(other)
                lowest[name] = min(lowest[name], lowest[other])
            elif other in stack:
                lowest[name] = min(lowest[name], index[other])
        if lowest[name] == index[name]:
            at = stack.index(name)
            group = tuple(sorted(stack[at:]))
            del stack[at:]
            if len(group) > 1:
                found.append(group)

    for name in graph:
        if name not in index:
            visit(name)
    return found


def _bases(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        yield ast.unparse(base).partition("[")[0].rpartition(".")[2]


def single_protocols(known: Mapping[str, Module]) -> list[str]:
    """Protocols that one class or none implements by all its methods."""
    classes = {node.name: node for module in known.values() for node in module.classes}
    members = {name: _members(node, classes) for name, node in classes.items()}
    protocols = [name for name, node in classes.items() if "Protocol" in _bases(node) and members[name]]
    others = classes.keys() - set(protocols)
    return sorted(name for name in protocols if sum(members[name] <= members[each] for each in others) < 2)


def _members(node: ast.ClassDef, classes: Mapping[str, ast.ClassDef]) -> frozenset[str]:
    """The methods and fields of a class, its own and those of its bases."""
    functions = {each.name for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
    fields = (each.target for each in node.body if isinstance(each, ast.AnnAssign))
    own = functions | {each.id for each in fields if isinstance(each, ast.Name)}
    bases = (classes[each] for each in _bases(node) if each in classes and each != node.name)
    return frozenset(own - {"__init__"}).union(*(_members(each, classes) for each in bases))


def forwarding_constructors(known: Mapping[str, Module]) -> list[str]:
    """Exceptions and others whose constructor hands its arguments on and does nothing else."""
    return sorted(
        node.name
        for module in known.values()
        for node in module.classes
        for each in node.body
        if isinstance(each, ast.FunctionDef) and each.name == "__init__" and _only_forwards(each)
    )


def _only_forwards(function: ast.FunctionDef) -> bool:
    body = [each for each in function.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    if len(body) != 1 or not isinstance(body[0], ast.Expr) or not isinstance(body[0].value, ast.Call):
        return False
    call = body[0].value
    if ast.unparse(call.func) != "super().__init__":
        return False
    return all(isinstance(each, ast.Name) for each in call.args) and all(
        isinstance(each.value, ast.Name) and each.arg in (None, each.value.id) for each in call.keywords
    )


def constructor_widths(known: Mapping[str, Module]) -> Counter[str]:
    """The number of parameters of each constructor that is written by hand."""
    found: Counter[str] = Counter()
    for module in known.values():
        for node in module.classes:
            for each in node.body:
                if isinstance(each, ast.FunctionDef) and each.name == "__init__":
                    found[node.name] = max(found[node.name], len(each.args.args) - 1 + len(each.args.kwonlyargs))
    return found


def required_of_a_game(known: Mapping[str, Module]) -> int:
    """The members of `Game` and `Position` that a new game must have: the abstract ones."""
    return sum(
        "abstractmethod" in map(ast.unparse, each.decorator_list)
        for node in known["pbem.games.game"].classes
        if node.name in ("Game", "Position")
        for each in node.body
        if isinstance(each, ast.FunctionDef)
    )


def table(known: Mapping[str, Module]) -> list[tuple[str, str]]:
    """The measures and their values."""
    sizes = [module.lines for module in known.values()]
    blocks = [list(module.type_checking_blocks()) for module in known.values()]
    widths = constructor_widths(known)
    (widest, width), *_ = widths.most_common(1)
    small, few = sum(size < FEW_LINES for size in sizes), sum(size < 2 * FEW_LINES for size in sizes)
    return [
        ("modules in pbem/", f"{len(sizes)}; {small} under {FEW_LINES} lines, {few} under {2 * FEW_LINES}"),
        ("lines in pbem/", str(sum(sizes))),
        ("modules with a TYPE_CHECKING block", str(sum(map(bool, blocks)))),
        ("import cycles", str(len(cycles(known)))),
        ("protocols with one implementation", str(len(single_protocols(known)))),
        ("constructors that only forward", str(len(forwarding_constructors(known)))),
        ("members that a new game must provide", str(required_of_a_game(known))),
        ("parameters of the widest constructor", f"{width} ({widest})"),
    ]


def wrong(known: Mapping[str, Module]) -> Iterator[str]:
    """Yield what must never come back."""
    for group in cycles(known):
        yield f"import each other: {', '.join(group)}"
    for module in known.values():
        if not all(module.type_checking_blocks()):
            yield f"{module.path.relative_to(ROOT)}: TYPE_CHECKING without a reason beside it"
        yield from module.unclear_words()
    for name in forwarding_constructors(known):
        yield f"{name}: its constructor only forwards"
    required = required_of_a_game(known)
    if required > MOST_REQUIRED:
        yield f"a new game must provide {required} members, {MOST_REQUIRED} at most"
    for name, width in constructor_widths(known).items():
        if width > WIDEST_CONSTRUCTOR:
            yield f"{name}: its constructor has {width} parameters, more than {WIDEST_CONSTRUCTOR}"


def wrong_in_tests(known: Mapping[str, Module]) -> Iterator[str]:
    """Yield what must never come back to the tests."""
    for name, module in known.items():
        for other in sorted(set(module.imports(known))):
            if _is_of_tests(other) and other != name:
                yield f"{name}: imports from the test module {other}"
        yield from module.unclear_words()
    for name, where in repeated_names(known):
        yield f"{name}: a class of this name stands in {', '.join(where)}"


def wrong_in_texts() -> Iterator[str]:
    """The lines of documents and English templates that do not call a player "they"."""
    translated = ("fr", "de", "locale")
    folders = (ROOT / "docs", *(each for each in (ROOT / "templates").iterdir() if each.name not in translated))
    files = (each for folder in folders for each in folder.rglob("*") if each.suffix in TEXTS)
    for path in sorted([*ROOT.glob("*.md"), *files]):
        for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if found := HE.search(text):
                yield f"{path.relative_to(ROOT)}:{line}: calls somebody {found[1]}"


def repeated_names(known: Mapping[str, Module]) -> Iterator[tuple[str, list[str]]]:
    """Yield the names that several top-level classes bear, and their modules; those of private ones may repeat."""
    found: dict[str, list[str]] = {}
    for name, module in known.items():
        for each in module.tree.body:
            if isinstance(each, ast.ClassDef) and not each.name.startswith("_"):
                found.setdefault(each.name, []).append(name)
    yield from ((name, where) for name, where in found.items() if len(where) > 1)


def _is_of_tests(name: str) -> bool:
    return name.rpartition(".")[2].startswith("test_")


def main() -> int:
    """Print the table, or with ``--check`` what is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.structure", description=main.__doc__)
    parser.add_argument("--check", action="store_true", help="say what must never come back and has, and fail if any")
    parser.add_argument("--names", action="store_true", help="name the modules and shapes of data of one move")
    options = parser.parse_args()
    known = modules()
    if options.check:
        migrations = modules(ROOT / "migrations").values()
        found = [*wrong(known), *wrong_in_tests(modules(ROOT / "tests")), *wrong_in_texts()]
        found += [each for module in migrations for each in module.unclear_words()]
        print(*found, sep="\n", end="\n" if found else "")
        return 1 if found else 0
    for what, much in [*table(known), *_way_of_a_move(names=options.names)]:
        print(f"{what:40} {much}")
    return 0


def _way_of_a_move(*, names: bool) -> Iterator[tuple[str, str]]:
    from tests.support.way_of_a_move import way_of_a_move  # here: the check need not load the server

    way = way_of_a_move()
    yield "modules on the way of one move", f"{len(way.modules)}{_listed(way.modules, names=names)}"
    yield "lines of the functions on its way", str(way.lines)
    yield "shapes of data on its way", f"{len(way.shapes)}{_listed(way.shapes, names=names)}"


def _listed(each: Sequence[str], *, names: bool) -> str:
    return "".join(f"\n    {name}" for name in each) if names else ""


if __name__ == "__main__":
    sys.exit(main())
