"""Kernels keep the rules of a GPU thread; the source is checked, so that a breach is found before it is compiled."""

import ast
import builtins
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "quadriga"
CALLABLE = {"range", "int", "bool", "min", "max", "abs"}
"""Builtins that kernels may call; anything else they call is a kernel."""
CASTS = {f"np.{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}

Node = type[ast.AST]
FORBIDDEN: dict[str, tuple[Node, ...]] = {
    "allocates": (
        ast.List,
        ast.Dict,
        ast.Set,
        ast.ListComp,
        ast.DictComp,
        ast.SetComp,
        ast.GeneratorExp,
        ast.JoinedStr,
    ),
    "raises": (ast.Raise, ast.Try, ast.TryStar, ast.Assert, ast.With),
    "yields": (ast.Yield, ast.YieldFrom, ast.Await),
    "nests": (ast.Lambda, ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom),
    "reaches out": (ast.Global, ast.Nonlocal),
    "may not end": (ast.While,),
    "divides into floats": (ast.Div, ast.Pow, ast.MatMult),
    "unpacks": (ast.Starred, ast.Delete, ast.Match),
}


def kernels(text: str) -> Iterator[ast.FunctionDef]:
    """The functions of a module that are decorated with `@kernel`."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and any(_name(mark) == "kernel" for mark in node.decorator_list):
            yield node


def breaches(text: str) -> list[str]:
    """Everything in the kernels of a module that a GPU thread could not do."""
    return [f"{kernel.name}, line {line}: {why}" for kernel in kernels(text) for line, why in _breaches(kernel)]


def _breaches(kernel: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    docstring = ast.get_docstring(kernel, clean=False) is not None
    for statement in kernel.body[docstring:]:
        for node in ast.walk(statement):
            if why := _breach(node, kernel.name):
                yield getattr(node, "lineno", statement.lineno), why


def _breach(node: ast.AST, kernel: str) -> str | None:
    for why, kinds in FORBIDDEN.items():
        if isinstance(node, kinds):
            return f"{why} ({type(node).__name__})"
    match node:
        case ast.Constant(value=str() | bytes() | float() | complex()):
            return f"holds a {type(node.value).__name__}"
        case ast.For(iter=over) if not (isinstance(over, ast.Call) and _name(over.func) == "range"):
            return "loops over something that is no range"
        case ast.Call(keywords=[_, *_]):
            return "calls with names"
        case ast.Call(func=called):
            return _bad_call(_name(called), kernel)
    return None


def _bad_call(called: str, kernel: str) -> str | None:
    if called == kernel:
        return "calls itself"
    if "." in called and called not in CASTS:
        return f"calls {called}, which may allocate"
    if hasattr(builtins, called) and called not in CALLABLE:
        return f"calls the builtin {called}"
    return None


def _name(node: ast.expr) -> str:
    return ast.unparse(node)


def sources() -> dict[str, str]:
    return {str(file.relative_to(SOURCE)): file.read_text(encoding="utf-8") for file in sorted(SOURCE.rglob("*.py"))}


def test_kernels_keep_the_rules_of_a_gpu_thread() -> None:
    assert {file: found for file, text in sources().items() if (found := forbidden(file, text))} == {}


def forbidden(file: str, text: str) -> list[str]:
    """The breaches of a module. What learners see and earn is in floats; nothing else is."""
    found = breaches(text)
    for_learners = Path(file).parts[0] in ("envs", "training") or Path(file).name == "observation.py"
    return [why for why in found if "float" not in why] if for_learners else found


def test_only_observations_environments_and_training_may_hold_floats() -> None:
    text = "@kernel\ndef half(n): return n * 0.5"
    assert forbidden("envs/stepping.py", text) == []
    assert forbidden("training/rollouts.py", text) == []
    assert forbidden("games/chariots/observation.py", text) == []
    assert len(forbidden("games/chariots/evaluation.py", text)) == 1
    assert len(forbidden("bots/search.py", text)) == 1


def test_the_check_reads_the_kernels_there_are() -> None:
    found = {file: len(list(kernels(text))) for file, text in sources().items()}
    assert found["core/streams.py"] > 5
    assert found["games/chariots/turn.py"] > 20


@pytest.mark.parametrize(
    "line",
    [
        "out = np.zeros(4)",
        "out = np.empty(4, np.int64)",
        "out = race.copy()",
        "out = [1, 2]",
        "out = {1: 2}",
        "out = {1, 2}",
        "out = max([c for c in range(4)])",
        "out = max({c for c in range(4)})",
        "out = max({c: 1 for c in range(4)})",
        "out = max(c for c in range(4))",
        "out = list(range(4))",
        "out = sorted(codes)",
        "out = len(codes)",
        "out = 'word'",
        "out = b'word'",
        "out = f'{n}'",
        "out = 0.5",
        "out = 1j",
        "out = n / 2",
        "out = n ** 2",
        "n /= 2",
        "n **= 2",
        "out = codes @ codes",
        "out = float(n)",
        "raise ValueError",
        "assert n",
        "try:\n        n\n    except ValueError:\n        pass",
        "with n:\n        pass",
        "yield n",
        "out = lambda: n",
        "def inner() -> int:\n        return 1",
        "global n",
        "while n:\n        n -= 1",
        "for code in codes:\n        pass",
        "for i in reversed(range(4)):\n        pass",
        "import numpy",
        "return rule(n)",
        "return other(n=n)",
        "a, *b = codes",
        "print(n)",
    ],
)
def test_a_breach_is_found(line: str) -> None:
    assert breaches(f'@kernel\ndef rule(n: int) -> None:\n    """A rule."""\n    {line}\n') != []
    assert breaches(f"def no_kernel(n: int) -> None:\n    {line}\n") == []


@pytest.mark.parametrize(
    "line",
    [
        "for i in range(n, 0, -1):\n        codes[i] += 1",
        "a, b = n // 2, n % 2",
        "codes[n] = race.square[n] << 2 | other(n, -1)",
        "return max(int(n), abs(n), min(n, 2))",
        "n = np.int64(n)",
        "return 1 if n else 0",
    ],
)
def test_plain_rules_are_let_through(line: str) -> None:
    assert breaches(f"@kernel\ndef rule(n: int) -> None:\n    {line}\n") == []
