"""The page of public names, written from the code and its docstrings: docs/reference/python.md."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import quadriga

HEAD = """# Python reference

Every public name, as `quadriga.NAME`. A test compares this page with the code.
[Versions and deprecations](versions.md) says how long a name lasts.
"""

GROUPS = {
    "Games and races": ("all_games", "Game", "Race", "Choice", "View", "Event", "Standing"),
    "Bots": ("LEVELS", "bot", "BotFunction"),
    "Many races": ("tournament", "Tournament", "BotScore", "simulate", "Simulation"),
    "Analysis": (
        "analyse", "Analysis", "Account", "Decision", "Candidate", "Reason", "Grade", "ChanceEvent", "Position",
        "advise", "Advice",
    ),
    "Files and data": ("load_records", "run_scenario", "to_arrow", "events_to_arrow"),
    "Errors": (
        "QuadrigaError", "InvalidAction", "IllegalAction", "NotYourTurn", "InvalidOption", "InvalidFile",
        "ReplayFailed", "MissingExtra",
    ),
    "The version": ("__version__",),
}  # fmt: skip
CONSTANTS = {
    "LEVELS": "The names of the bots' levels, the weakest first.",
    "__version__": "The version of the package.",
}


def page() -> str:
    """The whole page."""
    return HEAD + "".join(f"\n## {title}\n{_group(names)}" for title, names in GROUPS.items())


def _group(names: tuple[str, ...]) -> str:
    return "".join(f"\n### `{name}`\n\n{_entry(name, getattr(quadriga, name))}" for name in names)


def _entry(name: str, value: Any) -> str:
    if name in CONSTANTS:
        return CONSTANTS[name] + "\n"
    text = _text(value)
    if not inspect.isclass(value):
        return f"```text\n{_call(name, value)}\n```\n\n{text}\n"
    if issubclass(value, Exception):
        return text + "\n"
    members = "".join(f"| `{shown}` | {said} |\n" for shown, said in _members(value))
    table = f"\n| member | |\n|---|---|\n{members}" if members else ""
    return f"{_constructor(name, value)}{text}\n{table}"


def _constructor(name: str, kind: type) -> str:
    made = "__init__" in vars(kind) and name in ("Game", "Race")
    return f"```text\n{_call(name, kind)}\n```\n\n" if made else ""


def _members(kind: type) -> Iterator[tuple[str, str]]:
    """Public methods and properties with their sentences; fields of dataclasses and tuples by name."""
    yield from _fields(kind)
    for name, member in vars(kind).items():
        plain = member.__func__ if isinstance(member, classmethod) else member
        if name.startswith("_") or not (callable(plain) or _is_property(plain)):
            continue
        yield (
            (name if _is_property(plain) else _call(name, plain)),
            _text(plain).replace("\n\n", " ").replace("\n", " "),
        )


def _fields(kind: type) -> Iterator[tuple[str, str]]:
    """Annotated fields with the text that follows each in the source."""
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    assert isinstance(body, ast.ClassDef)
    for statement, following in pairwise(body.body):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            name = statement.target.id
            if not name.startswith("_"):
                assert isinstance(following, ast.Expr), f"{kind.__name__}.{name} has no sentence"
                yield name, inspect.cleandoc(ast.literal_eval(following.value))


def _is_property(member: Any) -> bool:
    return isinstance(member, property) or type(member).__name__ == "cached_property"


def _call(name: str, function: Any) -> str:
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name not in ("self", "cls")]
    return f"{name}({', '.join(map(_parameter, parameters))})"


def _parameter(parameter: inspect.Parameter) -> str:
    return parameter.name if parameter.default is parameter.empty else f"{parameter.name}={parameter.default!r}"


def _text(value: Any) -> str:
    """A docstring without its examples; of a class, that of its constructor follows."""
    text = inspect.cleandoc(value.__doc__ or "")
    made = vars(value).get("__init__") if inspect.isclass(value) else None
    if made is not None and made.__doc__ and value.__name__ == "Race":
        text += "\n\n" + inspect.cleandoc(made.__doc__)
    return re.sub(r"\n*^>>>.*?(\n\n|\Z)", r"\1", text, flags=re.MULTILINE | re.DOTALL).strip()
