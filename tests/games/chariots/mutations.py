"""Rules broken on purpose, one at a time: each must make a scenario fail.

python -m tests.games.chariots.mutations

Runs interpreted: with the JIT off a kernel is a plain function whose code can be exchanged in place.
"""

import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

os.environ["NUMBA_DISABLE_JIT"] = "1"

from quadriga import games
from quadriga.core.errors import QuadrigaError
from quadriga.core.scenario import Scenario, read_scenario, run
from quadriga.games.chariots import choices, course, flow, refusals, standing, view

FILES = Path(__file__).parents[2] / "scenarios" / "chariots"

Mutation = tuple[str, Callable[..., Any], str, str]

MUTATIONS: list[Mutation] = [
    ("CT-1", flow.take_grid, "scores[other] > scores[chariot]", "scores[other] < scores[chariot]"),
    ("CT-1", flow.roll_for_grid, "if has(tied, chariot):", "if True:"),
    ("CT-1", flow.roll_for_grid, "scores[chariot] *= FACES", "scores[chariot] *= 1"),
    ("CT-1", flow.roll_for_grid, "if tied == 0:", "if tied != 15 and tied != 7 and tied != 3:"),
    ("CT-1", flow.setup, "race.seats * 2 if race.two_chariots", "race.seats * 2 if race.seats == 2"),
    ("CT-1", standing.best_of, "max(best, rank_of(race, chariot))", "rank_of(race, chariot)"),
    ("CT-1", standing.best_of, "range(seat, race.chariots, race.seats)", "range(seat, seat + 1)"),
    ("CT-2", choices.list_plots, "first != third", "True"),
    ("CT-2", choices.list_plots, "put(PLOT_COINS, first, 0)", "put(PLOT_COINS, third, 0)"),
    ("CT-2", flow.lay_plot, "race.plot[chariot, phase]", "race.plot[chariot, 2 - phase]"),
    ("CT-2", flow.lay_plot, "chariot % race.seats, chariot", "EVERYONE, chariot"),
    ("CT-2", flow.end_impulse, "race.phase < PHASES", "race.phase < 2"),
    ("CT-2", flow.begin_round, "race.plot[chariot, phase] = 0", "pass"),
    ("CT-3", flow.roll_control, "face >= lowest", "face > lowest"),
    ("CT-3", flow.roll_control, "face >= lowest", "face >= lowest - 1"),
    ("CT-3", flow.roll_control, "1 if lowest == 0 else 0", "1"),
    ("CT-3", flow.expose, "race.phase - 1", "0"),
    ("CT-4", flow.begin_impulse, "tables.moves[race.speed[chariot], race.impulse]", "True"),
    ("CT-4", flow.begin_impulse, "race.impulse]", "race.impulse % IMPULSES + 1]"),
    ("CT-4", flow.end_impulse, "race.impulse < IMPULSES", "race.impulse < 4"),
    ("CT-5", flow.moves_before, "advance(race, chariot) > advance", "advance(race, chariot) < advance"),
    ("CT-5", course.advance, "int(race.lines[chariot]) * SQUARES + ", ""),
    ("CT-5", flow.next_mover, "race.turn += 1", "race.turn += 1; begin_moves(race, log); race.turn = 0"),
    ("CT-6", choices.list_free_steps, "may_enter(race, tables, chariot, to) and ", ""),
    ("CT-6", choices.list_free_steps, " and chariot_on(race, to) < 0", ""),
    ("CT-6", course.may_enter, "tables.inside[square] == 0", "tables.inside[race.square[chariot]] == 1"),
    ("CT-6", course.may_enter, "race.control[chariot] == 1 or", "False or"),
    ("CT-7", course.impulses_left, "race.impulse + 1", "race.impulse"),
    ("CT-7", course.impulses_left, "return False", "return True"),
    ("CT-7", course.impulses_left, "if tables.moves[race.speed[chariot], impulse]:", "if True:"),
    ("CT-7", course.crash, "race.crashed[chariot] = 1", "pass"),
    ("CT-7", course.crash, "race.stunned[chariot] = stunned", "race.stunned[chariot] = 1"),
    ("CT-7", flow.is_laid_up, "race.impulse <= 2", "race.impulse <= 1"),
    ("CT-7", flow.is_laid_up, "race.impulse <= 2", "race.impulse <= 3"),
    ("CT-7", flow.is_laid_up, "race.impulse <= 2", "race.impulse <= 5"),
    ("CT-7", flow.begin_phase, "race.crashed[chariot] = 0", "pass"),
    ("CT-7", flow.begin_phase, "race.stunned[chariot] = 0", "pass"),
    ("CT-7", flow.begin_phase, "race.sits[chariot] = race.stunned[chariot]", "race.sits[chariot] = 0"),
    ("CT-7", flow.begin_round, "race.impulse = 0", "race.impulse = 0; race.stunned[0] = 0"),
    ("CT-7", choices.list_moves, "if free == 0:", "if True:"),
    ("CT-7", choices.list_moves, "if free == 0:", "if n == 0:"),
    ("CT-7", flow.next_mover, "n = list_coin_steps(race, tables, chariot, scratch, 0)", "pass"),
    ("CT-8", choices.list_coin_steps, "has(race.driven, chariot) and may_enter(race, tables, chariot, to)", "False"),
    ("CT-8", choices.list_coin_steps_to, "race.null_coin[chariot] == 0", "False"),
    ("CT-8", course.take_step, "race.null_coin[chariot] = 0", "pass"),
    ("CT-8", choices.list_coin_steps, "-1 if may_enter(race, tables, chariot, to) else INSIDE_USE", "INSIDE_USE"),
    ("CT-8", choices.list_coin_steps, "and may_enter(race, tables, chariot, to)", ""),
    ("CT-9", choices.list_pushes, "chariot_on(race, aside) < 0", "True"),
    ("CT-9", choices.list_pushes, "aside == square or ", ""),
    ("CT-9", choices.list_pushes, "aside >= 0 and", "aside >= 0 and may_enter(race, tables, chariot, aside) and"),
    ("CT-9", choices.list_pushes, "if n == before:", "if null == DIAGONAL_USE:"),
    ("CT-9", choices.list_pushes, "if n == before:", "if n == before and null == DIAGONAL_USE:"),
    ("CT-9", choices.list_pushes, "if n == before:", "if False:"),
    ("CT-9", choices.list_coin_steps_to, "if race.ace_coin[chariot] else n", ""),
    ("CT-9", choices.list_coin_steps_to, "chariot_on(race, to) >= 0", "chariot_on(race, to) % race.seats == 1"),
    ("CT-9", course.take_step, "race.ace_coin[chariot] = 0", "pass"),
    ("CT-9", course.take_step, "[pushed] = pushed_to", "[pushed] = pushed_to; race.side[pushed] = 0"),
    ("CT-9", course.take_step, "cross_line(race, tables, pushed, to, log)", "pass"),
    ("CT-10", flow.setup, "race.lines[chariot] = -1", "race.lines[chariot] = 0"),
    ("CT-10", course.cross_line, "race.lines[chariot] > race.best[chariot]", "True"),
    ("CT-10", course.cross_line, "race.lines[chariot] -= 1", "pass"),
    ("CT-10", course.cross_line, "and tables.gate[to] == AFTER_LINE", ""),
    ("CT-10", course.cross_line, "and tables.gate[to] == BEFORE_LINE", ""),
    ("CT-10", course.finish_lap, "race.ace_coin[chariot] = 1", "pass"),
    ("CT-10", course.finish_lap, "race.null_coin[chariot] = 1", "pass"),
    ("CT-10", course.finish_lap, "race.best[chariot] = race.lines[chariot]", "pass"),
    ("CT-11", course.finish_lap, "race.lines[chariot] == race.laps", "race.lines[chariot] == 3"),
    ("CT-11", course.finish_lap, "race.lines[chariot] == race.laps", "race.lines[chariot] + 1 == race.laps"),
    ("CT-11", course.finish, "race.race_on == 0", "True"),
    ("CT-11", course.finish, "race.race_on == 0", "False"),
    ("CT-11", course.finish, "race.square[chariot] = -1", "pass"),
    ("CT-11", course.finish, "<= 1", "<= 2"),
    ("CT-11", course.finish, "<= 1", "<= 0"),
    ("CT-11", flow.end_impulse, "race.rounds >= int", "race.rounds > int"),
    ("CT-11", flow.end_impulse, "int(race.limit) * int(race.laps)", "int(race.limit)"),
    ("CT-11", standing.rank_of, "race.place[chariot] > 0", "False"),
    ("CT-11", standing.standings, "best_of(race, other) > best_of", "best_of(race, other) < best_of"),
    ("CT-11", flow.is_asked, "not on_track(race, chariot) or", ""),
    ("CT-12 a", choices.may_step_extra, "race.null_coin[chariot] == 0 or", ""),
    ("CT-12 a", choices.may_step_extra, " or has(race.resting, chariot)", ""),
    ("CT-12 a", choices.may_step_extra, "race.crashed[chariot] == 0 and", ""),
    ("CT-12 a", choices.may_step_extra, "race.skips[chariot] == 0 and", ""),
    ("CT-12 a", choices.may_step_extra, "race.impulse <= 2", "False"),
    ("CT-12 a", choices.may_step_extra, "race.impulse <= 2", "True"),
    ("CT-12 a", flow.begin_moves, "has(race.due | race.extra, chariot)", "has(race.due, chariot)"),
    ("CT-12 a", flow.next_mover, "elif has(race.extra, chariot):", "elif False:"),
    ("CT-12 a", choices.list_moves, "if has(race.extra, chariot):", "if False:"),
    ("CT-12 a", flow.reveal_announcement, "race.extra |= 1 << chariot", "race.ahead |= 1 << chariot"),
    ("CT-12 a", flow.moves_before, "has(race.ahead, chariot)", "has(race.ahead | race.extra, chariot)"),
    ("CT-12 b", choices.null_announced, "has(race.due, chariot) and", "True and"),
    ("CT-12 b", flow.moves_before, "if first != second:", "if False:"),
    ("CT-12 b", flow.moves_before, "if first != second:", "if first:"),
    ("CT-12 c", flow.swap_coin, "race.null_coin[chariot] = 0", "pass"),
    ("CT-12 c", flow.swap_coin, "race.phase - 1", "0"),
    ("CT-12 c", flow.is_asked, "return race.null_coin[chariot] == 1", "return True"),
    ("CT-12 c", flow.expose, "race.swapping = 0", "pass"),
    ("CT-12 c", flow.begin_phase, "if race.special_actions:", "if True:"),
    ("CT-12 d", choices.way_open, "race.side[chariot] == side", "True"),
    ("CT-12 d", choices.driven_diagonally, ">= FIRST_DIAGONAL_SIDE", "> FIRST_DIAGONAL_SIDE + 9"),
    ("CT-12 d", choices.list_coin_steps, "not has(race.driven, chariot) and", ""),
    ("CT-12 d", choices.list_coin_steps, "-1 if may_enter(race, tables, chariot, to) else INSIDE_USE", "-1"),
    ("CT-12 d", choices.may_whip, "race.ace_coin[chariot] == 0 or", ""),
    ("CT-12 d", choices.may_whip, "target % race.seats == chariot % race.seats", "False"),
    ("CT-12 d", choices.may_whip, "not has(race.due, target) or", ""),
    ("CT-12 d", choices.may_whip, " or race.side[target] < 0", ""),
    ("CT-12 d", choices.may_whip, "return False\n    if not", "return False\n    return True\n    if not"),
    ("CT-12 d", course.take_step, "race.side[chariot] = direction(tables, start, to)", "pass"),
    ("CT-12 d", flow.reveal_announcement, "ace == DRIVER", "ace != DRIVER"),
    ("CT-12 e", flow.begin_moves, "if has(race.balked, chariot):", "if has(race.balked & ~race.ahead, chariot):"),
    ("CT-12 e", flow.begin_moves, "if has(race.balked, chariot):", "if has(race.balked & ~race.driven, chariot):"),
    ("CT-12 e", flow.reveal_announcement, "if ace >= 0:", "if ace >= 0 and not has(race.balked, chariot):"),
    ("CT-12 e", flow.reveal_announcement, "race.ace_coin[chariot] = 0", "pass"),
    ("CT-12 e", flow.begin_impulse, "race.driven = race.balked = 0", "race.driven = 0"),
    ("CT-12 f", course.crash, "race.skips[chariot] = 1", "pass"),
    ("CT-12 f", course.crash, "race.ace_coin[chariot] = 0", "pass"),
    ("CT-12 f", flow.is_laid_up, "race.skips[chariot] = 0", "pass"),
    ("CT-12 f", flow.begin_phase, "race.crashed[chariot] = 0", "race.crashed[chariot] = 0; race.skips[chariot] = 0"),
    ("CT-12 f", choices.list_moves, "race.special_actions and race.ace_coin[chariot]", "race.special_actions"),
    ("CT-12 f", choices.list_moves, "race.special_actions and race.ace_coin[chariot]", "race.ace_coin[chariot]"),
    ("CT-12 f", flow.next_mover, "race.special_actions and race.ace_coin[chariot]", "0"),
    ("CT-12", flow.reveal_announcement, "race.null_coin[chariot] = 0", "pass"),
    ("CT-12", choices.list_announcements, "announcement(said, DRIVER, target)", "announcement(-1, DRIVER, target)"),
    ("CT-12", choices.has_announcement, "race.quiet[chariot] or", ""),
    ("CT-12", flow.begin_phase, "race.quiet[chariot] = 0", "pass"),
    ("CT-12", flow.begin_impulse, "if race.special_actions:", "if True:"),
    ("CT-12", flow.note_announcement, "race.quiet_said |= 1 << chariot", "race.quiet[chariot] = 1"),
    ("CT-12", flow.reveal_announcements, "forget_announcements(race)", "pass"),
    ("CT-13", course.finish_lap, "race.faster_recovery == 0 and", ""),
    ("CT-13", flow.begin_round, "RECOVER if race.faster_recovery else PLOT", "PLOT"),
    ("CT-13", flow.begin_round, "RECOVER if race.faster_recovery else PLOT", "RECOVER"),
    ("CT-13", choices.list_recoveries, "if race.ace_coin[chariot] == 0:", "if True:"),
    ("CT-13", choices.list_recoveries, "if race.null_coin[chariot] == 0:", "if False:"),
    ("CT-13", flow.take_back_coin, "if coin == ACE:", "if coin >= 0:"),
    ("CT-13", flow.take_back_coin, "if coin == NULL:", "if coin >= 0:"),
    ("CT-14", view.observe, "own or phase < race.exposed", "True"),
    ("CT-14", view.observe, "own or phase < race.exposed", "own or phase <= race.exposed"),
    ("CT-14", view.observe, "own or phase < race.exposed", "phase < race.exposed"),
    ("CT-14", view.observe, "race.null_said[chariot] if own else -1", "race.null_said[chariot]"),
    ("CT-14", view.observe, "race.ace_said[chariot] if own else -1", "race.ace_said[chariot]"),
    ("CT-14", view.observe, "race.target_said[chariot] if own else -1", "race.target_said[chariot]"),
    ("CT-14", view.observe, "if own:", "if True:"),
    ("CT-7", refusals.refuse_other, "return MUST_MOVE", "return NOT_NOW"),
]  # fmt: skip


def changed(function: Callable[..., Any], old: str, new: str) -> Any:
    """The code of a function with its source changed."""
    source = inspect.getsource(function)
    if old not in source:
        raise LookupError(f"{function.__name__} no longer says {old!r}")
    scope = dict(inspect.getmodule(function).__dict__)
    exec(source.replace("@kernel\n", "").replace(old, new), scope)
    return scope[function.__name__].__code__


@contextmanager
def broken(function: Callable[..., Any], old: str, new: str) -> Iterator[None]:
    assert isinstance(function, FunctionType), "the JIT is on"
    code = function.__code__
    function.__code__ = changed(function, old, new)
    try:
        yield
    finally:
        function.__code__ = code


def fails(scenario: Scenario) -> bool:
    """Whether a scenario notices: by a difference, a position that cannot be, or by falling over."""
    try:
        return bool(run(scenario))
    except (QuadrigaError, ArithmeticError, LookupError, ValueError, StopIteration):
        return True


def caught_by(mutation: Mutation, scenarios: dict[str, Scenario]) -> str | None:
    """The first scenario that fails, those of the rule itself first."""
    rule, function, old, new = mutation
    first = f"ct-{int(rule.split()[0][3:]):02}" + (f"-{rule[-1]}-" if " " in rule else "")
    with broken(function, old, new):
        ordered = sorted(scenarios, key=lambda name: (not name.startswith(first), name))
        return next((name for name in ordered if fails(scenarios[name])), None)


def main() -> int:
    scenarios = {path.stem: read_scenario(path, games.load) for path in sorted(FILES.glob("*.toml"))}
    assert not any(map(fails, scenarios.values())), "a scenario fails before anything is broken"
    survivors = 0
    for mutation in MUTATIONS:
        rule, function, old, new = mutation
        catcher = caught_by(mutation, scenarios)
        survivors += catcher is None
        print(f"{rule:8}{function.__name__}: {old!r} -> {new!r}: {catcher or 'NOT CAUGHT'}")
    print(f"{len(MUTATIONS)} mutations, {survivors} not caught")
    return survivors


if __name__ == "__main__":
    sys.exit(min(main(), 1))
