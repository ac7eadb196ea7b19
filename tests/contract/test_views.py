"""What a seat sees: views that imagination agrees with, and twins that no view can tell apart."""

from dataclasses import replace
from random import Random
from typing import Any
from zlib import crc32

import pytest

from quadriga import games
from quadriga.core.game import Game
from quadriga.core.streams import new_stream, stream_key
from tests.contract.cases import CASES, Case, Moment, every_case, every_game, lookers, walk
from tests.contract.twins import betrayed, twins_of


@every_case
def test_an_imagined_state_looks_the_same_and_holds_together(case: Case) -> None:
    game, key = case.game, stream_key(b"imagined")
    for moment in walk(case).sample():
        for seat in lookers(moment.state):
            view = game.view(moment.state, seat)
            imagined = game.imagine(view, new_stream(key, moment.seq))
            assert game.view(imagined, seat).tobytes() == view.tobytes()
            assert game.check(imagined) is None
            assert game.to_act(imagined) == game.to_act(moment.state)
            assert game.places(imagined) == game.places(moment.state)
            if seat is not None:
                assert (game.legal_codes(imagined, seat) == game.legal_codes(moment.state, seat)).all()


@every_case
def test_an_imagined_race_can_be_played_on(case: Case) -> None:
    game, key = case.game, stream_key(b"played on")
    for moment in walk(case).sample()[::4]:
        state = game.imagine(game.view(moment.state, 0), new_stream(key, moment.seq))
        for seq in range(20):
            owing = game.to_act(state)
            if not owing:
                break
            choices = {seat: game.legal_actions(state, seat)[0] for seat in owing}
            state = game.apply(state, choices, new_stream(key, seq)).state
            assert game.check(state) is None


@every_case
def test_why_not_agrees_with_the_refusal(case: Case) -> None:
    """Someone who has only his view is told the same as the match would tell him."""
    game = case.game
    for moment in walk(case).sample()[::4]:
        for seat in game.to_act(moment.state):
            view = game.view(moment.state, seat)
            for other in walk(case).sample()[::4]:
                for action in other.choices.values():
                    assert game.why_not(view, seat, action) == game.refusal(moment.state, seat, action)


@every_game
def test_every_game_has_twins(name: str) -> None:
    assert callable(twins_of(name).deal_anew)


@every_case
def test_twins_look_the_same(case: Case) -> None:
    random = Random(str(case))
    for moment in walk(case).sample():
        for seat in lookers(moment.state):
            assert betrayed(case.game, walk(case), moment, seat, random) == []


@every_game
def test_twins_differ_where_something_is_hidden(name: str) -> None:
    """A generator that copies would prove nothing."""
    assert unlike(name) == twins_of(name).HIDES


def unlike(name: str) -> bool:
    random, twins = Random(1), twins_of(name)
    for case in some_cases(name):
        for moment in walk(case).sample():
            twin = twins.deal_anew(case.game, moment.state, None, random)
            if twin.tobytes() != moment.state.tobytes():
                return True
    return False


def some_cases(name: str) -> list[Case]:
    """The first case of each number of seats."""
    first = {case.setting.seats: case for case in reversed(CASES) if case.name == name}
    return list(first.values())


def test_a_game_without_twins_fails() -> None:
    with pytest.raises(ModuleNotFoundError):
        twins_of("quoits")


def leaking(game: Game) -> Game:
    """The game with a view that tells a little of everything: a checksum of the whole state, in its first field."""
    observe = game.kernels.observe

    def tell_all(race: Any, tables: Any, seat: int, view: Any) -> None:
        observe(race, tables, seat, view)
        view[0] = checksum(race) % 101

    return with_kernels(game, observe=tell_all)


def checksum(race: Any) -> int:
    """A number that says something of the whole state; cards that change places change it."""
    return crc32(race.tobytes())


def with_kernels(game: Game, **kernels: Any) -> Game:
    changed = Game(game.definition, game.edition)
    changed.kernels = replace(game.kernels, **kernels)
    return changed


@pytest.mark.parametrize("name", [name for name in games.NAMES if twins_of(name).HIDES])
def test_a_leak_planted_in_the_view_is_found(name: str) -> None:
    assert any("view" in told for told in told_by(leaking(games.load(name))))


@pytest.mark.parametrize("name", [name for name in games.NAMES if twins_of(name).HIDES])
def test_a_leak_planted_in_the_list_is_found(name: str) -> None:
    game = games.load(name)
    legal = game.kernels.legal

    def hint(race: Any, tables: Any, seat: int, out: Any, scratch: Any) -> int:
        """Leaves out the last choice when the checksum of the whole state says so."""
        return int(legal(race, tables, seat, out, scratch)) - checksum(race) % 2

    assert any("list" in told for told in told_by(with_kernels(game, legal=hint)))


@pytest.mark.parametrize("name", [name for name in games.NAMES if twins_of(name).HIDES])
def test_a_leak_planted_in_the_events_is_found(name: str) -> None:
    game = games.load(name)
    apply = game.kernels.apply

    def gossip(race: Any, tables: Any, codes: Any, stream: Any, log: Any, scratch: Any) -> None:
        """Forgets the last event when the checksum of the whole state says so."""
        odd = checksum(race) % 2
        apply(race, tables, codes, stream, log, scratch)
        log[0, 0] -= odd and log[0, 0] > 0

    assert any("events" in told for told in told_by(with_kernels(game, apply=gossip)))


def told_by(game: Game) -> list[str]:
    """What twins find in a game that was tampered with."""
    random = Random(2)
    return [
        told
        for case in some_cases(game.meta.name)
        for moment in walk(case).sample()
        for seat in lookers(moment.state)
        for told in betrayed(game, walk(case), moment, seat, random)
    ]


def test_a_rivals_plot_copied_into_the_view_is_found() -> None:
    game = games.load("chariots")
    observe = game.kernels.observe

    def peek(race: Any, tables: Any, seat: int, view: Any) -> None:
        observe(race, tables, seat, view)
        view.plot[:] = race.plot

    assert any("view" in told for told in told_by(with_kernels(game, observe=peek)))
    assert told_by(game) == []


def test_coins_that_a_state_opens_too_early_are_found() -> None:
    """The state's own field says that the coins of the phase lie open, while swaps are still being chosen (CT-12 c)."""
    game, random = games.load("chariots"), Random(3)
    swaps = [
        (case, moment)
        for case in CASES
        if case.name == "chariots" and case.setting.options.get("special_actions")
        for moment in walk(case).moments
        if game.names.name("stage", int(moment.state.stage)) == "swap"
    ]
    assert swaps
    assert any("view" in told for case, moment in swaps for told in betrayed_by(game, case, moment, random))


def betrayed_by(game: Game, case: Case, moment: Moment, random: Random) -> list[str]:
    early = moment.state.copy()
    early.exposed = early.phase
    return betrayed(game, walk(case), replace(moment, state=early), None, random)
