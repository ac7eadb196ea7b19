"""Bots of every level: legal, blind to what is hidden, the same for the same seed, better than the last."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from dash.game import load as load_toy
from quadriga import games
from quadriga.arena.results import summary
from quadriga.arena.tournament import Plan, play
from quadriga.bots import LEVELS, make_bot, set_budget
from quadriga.bots.evaluation import BRAWLER, DAREDEVIL, GREEDY, QUICK, SAVER, VETERAN, score
from quadriga.bots.evaluator import Evaluator
from quadriga.bots.levels import TIES, Brawler, Daredevil, Greedy, Novice, Saver, Veteran
from quadriga.bots.network import Networks, networks_of, no_network
from quadriga.bots.random_play import RandomBot
from quadriga.bots.search import FEWEST_CHOICES, Champion, Searcher
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.core.streams import new_stream, stream_key
from quadriga.core.text import LANGUAGES, catalogue
from quadriga.games.chariot_race.actions import Keep, Repair, Roll, Turn
from quadriga.games.charioteer.actions import Move
from quadriga.games.charioteer.state import RED
from quadriga.games.chariots.actions import Plot, Step
from tests.contract.cases import CASES, Case, walk
from tests.contract.twins import twins_of

every_game = pytest.mark.parametrize("name", games.NAMES)
every_level = pytest.mark.parametrize("level", LEVELS)
FEW = 6
FASTEST = 3
"""The coin 5, as the fourth of 2 to 5."""


def first_case(name: str) -> Case:
    return next(case for case in CASES if case.name == name)


def begin(game: Game, seats: int = 2) -> Any:
    return game.setup(seats, {}, new_stream(stream_key(bytes(32)), 0)).state


def chosen(game: Game, level: str, state: Any, seat: int, seed: int) -> str:
    bot = make_bot(level, game, seed)
    set_budget(bot, iterations=FEW)
    return game.describe(bot.choose(game.view(state, seat), seat, game.legal_actions(state, seat)))


@every_game
@every_level
def test_a_level_plays_whole_races(level: str, name: str) -> None:
    plan = Plan(name, (level, "wanderer"), 2, 2 if level == "champion" else 4, FEW, options={"limit": 10})
    outcomes = list(play(plan, range(plan.games), 1))
    assert [outcome.faults for outcome in outcomes] == [[], []]
    assert all(min(outcome.choices) > 0 for outcome in outcomes)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("chariots", {"special_actions": True, "faster_recovery": True, "laps": 1}),
        ("chariot_race", {"alternate": True, "track": "B-B"}),
        ("charioteer", {"crowd_wild": True, "laps": 1}),
    ],
)
def test_options_are_played_too(name: str, options: dict[str, Any]) -> None:
    plan = Plan(name, ("champion", "veteran", "greedy"), 1, 3, FEW, options=options)
    (outcome,) = play(plan, [0], 1)
    assert outcome.faults == []


@every_game
@every_level
def test_twins_get_the_same_choice(level: str, name: str) -> None:
    game, random = games.load(name), Random(level)
    for moment in walk(first_case(name)).sample()[::3]:
        for seat in game.to_act(moment.state):
            twin = twins_of(name).deal_anew(game, moment.state, seat, random)
            assert chosen(game, level, moment.state, seat, 7) == chosen(game, level, twin, seat, 7)


@every_game
@every_level
def test_a_seed_decides_what_a_level_does(level: str, name: str) -> None:
    game = games.load(name)
    for moment in walk(first_case(name)).sample()[::5]:
        for seat in game.to_act(moment.state):
            assert chosen(game, level, moment.state, seat, 1) == chosen(game, level, moment.state, seat, 1)


@every_game
def test_levels_without_search_take_what_they_score_highest(name: str) -> None:
    game = games.load(name)
    for moment in walk(first_case(name)).sample()[::3]:
        for seat in game.to_act(moment.state):
            view, choices = game.view(moment.state, seat), game.legal_actions(moment.state, seat)
            for bot in (kind(game, 3) for kind in (Greedy, Saver, Brawler, Daredevil, Veteran)):
                worths = Evaluator(game, 3).score(view, seat, game.legal_codes(moment.state, seat), bot.level)
                picked = choices.index(Greedy.choose(bot, view, seat, choices))
                assert worths[picked] >= max(worths) - TIES


def liking(name: str, level: int, kinds: Any, is_such: Any) -> int:
    """How much more the best choice of a sort is worth to a level than the best other of its kinds, over states."""
    game, total, met = games.load(name), 0, 0
    evaluator = Evaluator(game, 3)
    for state in [begin(game), *(moment.state for moment in walk(first_case(name)).sample())]:
        for seat in game.to_act(state):
            worths = evaluator.score(game.view(state, seat), seat, game.legal_codes(state, seat), level).tolist()
            listed = list(zip(game.legal_actions(state, seat), worths, strict=True))
            such = [worth for choice, worth in listed if isinstance(choice, kinds) and is_such(choice)]
            others = [worth for choice, worth in listed if isinstance(choice, kinds) and not is_such(choice)]
            if such and others:
                total, met = total + max(such) - max(others), met + 1
    assert met > 0, "no state has such a choice"
    return total


def is_red(move: Move) -> bool:
    tables: Any = games.load("charioteer").tables
    return bool(tables.symbol_colour[move.symbol] == RED)


@pytest.mark.parametrize(
    ("name", "more", "less", "kinds", "is_such"),
    [
        ("chariots", DAREDEVIL, VETERAN, Plot, lambda plot: FASTEST in plot.coins),
        ("charioteer", BRAWLER, VETERAN, Move, is_red),
        ("chariots", VETERAN, SAVER, Step, lambda step: step.null >= 0),
        ("charioteer", VETERAN, SAVER, Move, lambda move: move.token >= 0),
        ("chariot_race", VETERAN, SAVER, (Turn, Keep, Repair, Roll), lambda choice: isinstance(choice, Turn | Repair)),
    ],
)
def test_tastes_show_in_what_choices_are_worth(name: str, more: int, less: int, kinds: Any, is_such: Any) -> None:
    assert liking(name, more, kinds, is_such) > liking(name, less, kinds, is_such)


def test_novice_looks_at_a_few_choices_only() -> None:
    game = games.load("charioteer")
    state = begin(game)
    choices = game.legal_actions(state, 0)
    picked = {game.describe(Novice(game, seed).choose(game.view(state, 0), 0, choices)) for seed in range(20)}
    assert len(choices) > 20
    assert len(picked) > 5


@every_game
@pytest.mark.parametrize("iterations", [60, 240])
def test_champion_keeps_to_its_playouts(iterations: int, name: str) -> None:
    game = games.load(name)
    state = begin(game)
    seat = game.to_act(state)[0]
    champion = Champion(game, 0, iterations=iterations)
    champion.choose(game.view(state, seat), seat, game.legal_actions(state, seat))
    assert champion.searches == 1
    assert iterations / 2 <= champion.playouts <= iterations


@every_game
def test_champion_looks_into_more_choices_where_it_has_more_playouts(name: str) -> None:
    """With guided playouts, with a value network alone, and without any network."""
    game = games.load(name)
    champion, (value, policy, critic) = Champion(game, 0, iterations=12), networks_of(game)[0]
    champion.evaluator.evaluation = evaluation = replace(champion.evaluator.evaluation, guided=True, mixed=False)
    champion.use(Networks(value, policy, critic))
    assert champion._width() == FEWEST_CHOICES
    champion.set_budget(iterations=100_000)
    assert champion._width() == evaluation.guided_width
    champion.set_budget(seconds=1.0)
    assert champion._width() == evaluation.guided_width
    champion.use(Networks(value, no_network(), no_network()))
    assert champion._width() == max(evaluation.search_width, evaluation.network_width)
    assert champion.ways[0].horizon == max(evaluation.network_horizon, evaluation.champion_horizon)
    champion.use(Networks(no_network(), no_network(), no_network()))
    assert champion._width() == Searcher(game, 0)._width() == evaluation.search_width


def test_a_forced_choice_takes_no_thought() -> None:
    game = games.load("chariots")
    state = begin(game)
    champion = Champion(game, 0, seconds=60)
    only = game.legal_actions(state, 0)[:1]
    assert champion.choose(game.view(state, 0), 0, only) is only[0]
    assert (champion.searches, champion.playouts) == (0, 0)


def test_champion_thinks_as_long_as_it_may() -> None:
    import time

    game = games.load("chariots")
    state = begin(game)
    champion = Champion(game, 0, iterations=1)
    choices = game.legal_actions(state, 0)
    champion.choose(game.view(state, 0), 0, choices)
    champion.set_budget(seconds=0.3)
    start = time.perf_counter()
    champion.choose(game.view(state, 0), 0, choices)
    assert 0.2 <= time.perf_counter() - start < 3


@every_game
def test_champion_answers_within_three_tenths_of_a_second(name: str) -> None:
    """The quickest of some answers counts, for other programs may hold the processor."""
    import time

    game = games.load(name)
    state, champion = begin(game), Champion(game, 0)
    seat = game.to_act(state)[0]
    view, choices = game.view(state, seat), game.legal_actions(state, seat)
    assert len(choices) > 1
    took = []
    for _ in range(5):
        start = time.perf_counter()
        champion.choose(view, seat, choices)
        took.append(time.perf_counter() - start)
    assert 0.2 < min(took) <= 0.3


@pytest.mark.parametrize("name", games.NAMES)
@pytest.mark.parametrize(("better", "worse"), [("greedy", "novice"), ("veteran", "wanderer")])
def test_a_short_ladder(better: str, worse: str, name: str) -> None:
    plan = Plan(name, (better, worse), 24, 2, FEW, seed=5)
    figures = summary(plan, play(plan, range(plan.games), 1))
    assert figures["bots"][better]["wins"] >= 15


@every_level
@pytest.mark.parametrize("language", LANGUAGES)
def test_players_read_who_a_bot_is(level: str, language: str) -> None:
    words = catalogue(language)
    assert words.say(f"bots.{level}.name")
    assert words.say(f"bots.{level}.character").endswith(".")


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(InvalidOption, match="no bot 'emperor'; there are wanderer, novice"):
        make_bot("emperor", games.load("chariots"), 0)


def test_a_name_from_outside_imports_nothing() -> None:
    with pytest.raises(InvalidOption):
        make_bot("tests.arena.strangers:Fair", games.load("chariots"), 0)


def test_a_game_without_an_evaluation_has_only_random_play() -> None:
    toy = load_toy()
    bare = Game(replace(toy.definition, package="tests"), toy.edition)
    with pytest.raises(InvalidOption, match="wanderer plays every game"):
        make_bot("greedy", bare, 0)
    assert isinstance(make_bot("wanderer", bare, 0), RandomBot)


@every_level
def test_the_toy_is_played_by_every_level(level: str) -> None:
    toy = load_toy()
    state = begin(toy)
    for seat in toy.to_act(state):
        assert chosen(toy, level, state, seat, 0) in map(toy.describe, toy.legal_actions(state, seat))


@every_game
@pytest.mark.parametrize("level", [GREEDY, VETERAN, QUICK])
def test_weighing_never_peeks(level: int, name: str) -> None:
    """Playouts score for rivals in the imagined race itself: only what that rival sees may count."""
    game, random = games.load(name), Random(level)
    evaluator = Evaluator(game, 0)
    for moment in walk(first_case(name)).sample()[::2]:
        for seat in game.to_act(moment.state):
            codes = game.legal_codes(moment.state, seat)
            worths = []
            for state in (moment.state, twins_of(name).deal_anew(game, moment.state, seat, random)):
                score(
                    state,
                    game.tables,
                    evaluator.work,
                    seat,
                    level,
                    codes,
                    len(codes),
                    evaluator.scores,
                    evaluator.scratch,
                )
                worths.append(list(evaluator.scores[: len(codes)]))
            assert worths[0] == worths[1]
