"""One clock for all tables, read once a command."""

import ast
from pathlib import Path

import quadriga.server
from quadriga.server.tables import commands as c
from quadriga.server.tables.document import Clock
from tests.server.house import House, run

SERVER = Path(quadriga.server.__file__).parent
HERE = {"tables/clocks.py", "tables/registry.py"}
"""Where the clock is made, and where it becomes that of all tables."""


def test_nobody_has_a_clock_of_their_own() -> None:
    users = set()
    for file in SERVER.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.ImportFrom) else []
            if "now_ms" in names or (isinstance(node, ast.Attribute) and node.attr in ("time_ns", "now_ms")):
                users.add(file.relative_to(SERVER).as_posix())
    assert users == HERE


def test_a_command_reads_the_clock_once(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"], clock=Clock("move"))
        screen, read = await house.watch("Ana", table), list[int]()

        def now() -> int:
            read.append(house.time + 10 * len(read))
            return read[-1]

        house.tables.now = now
        await house.choose("Ana", table, 0)
        assert len(read) == 1
        live = await house.live(table)
        assert (live.seen[house.guest("Ana").id], live.doc.changed, screen.got[-1]["clock"]["now"]) == (read[0],) * 3
        assert await house.refusal("Ana", c.Kick(table=table, seat=1)) == "present"
        assert len(read) == 2

    run(tmp_path, story)
