"""What every game offers and refuses: lists, codes, notation, JSON, and sentences for what is not allowed."""

import json
from random import Random
from typing import Any

import pytest

from quadriga import games
from quadriga.core import codec
from quadriga.core.errors import IllegalAction, InvalidAction
from quadriga.core.game import Game
from quadriga.core.messages import Action
from quadriga.core.streams import new_stream, stream_key
from quadriga.core.text import LANGUAGES
from tests.contract.cases import Case, every_case, every_game, walk

FOREIGN = 10
"""Codes made up at a moment, of each sort."""
LISTED = 40
"""Codes of a long list that are looked at."""


@every_case
def test_only_seats_to_act_have_choices_and_each_once(case: Case) -> None:
    game = case.game
    for moment in walk(case).moments:
        owing = game.to_act(moment.state)
        for seat in range(case.setting.seats):
            codes = game.legal_codes(moment.state, seat).tolist()
            assert bool(codes) == (seat in owing)
            assert len(set(codes)) == len(codes) <= game.definition.most_choices
    assert game.to_act(walk(case).end) == ()
    assert not any(len(game.legal_codes(walk(case).end, seat)) for seat in range(case.setting.seats))


@every_case
def test_a_listed_action_survives_its_code_notation_and_json_and_is_not_refused(case: Case) -> None:
    game, random = case.game, Random(str(case))
    for moment in walk(case).sample():
        for seat in game.to_act(moment.state):
            codes = game.legal_codes(moment.state, seat).tolist()
            for code in random.sample(codes, min(LISTED, len(codes))):
                action = game.unpack(code)
                assert action.pack() == code
                assert game.parse(game.describe(action)) == action
                data = json.loads(json.dumps(codec.message_to_json(action, game.names)))
                assert codec.action_from_json(data, game.kinds, game.names) == action
                assert game.refusal(moment.state, seat, action) is None


def made_up(game: Game, listed: list[int], random: Random) -> list[Action]:
    """Actions that can be read, most of them foreign to the moment: random bits, and listed codes with one flipped."""
    wide = [random.getrandbits(63) for _ in range(FOREIGN)]
    kinds = [kind.code | random.getrandbits(20) << 4 for kind in game.definition.actions]
    flipped = [code ^ 1 << random.randrange(40) for code in random.sample(listed, min(FOREIGN, len(listed)))]
    return [action for code in wide + kinds + flipped if (action := readable(game, code))]


def readable(game: Game, code: int) -> Action | None:
    """The action of a code, if all its numbers have names: what can be typed or sent."""
    try:
        action = game.unpack(code)
        return game.parse(game.describe(action))
    except (InvalidAction, IndexError):
        return None


@every_case
def test_a_foreign_action_is_refused_with_a_sentence_and_changes_nothing(case: Case) -> None:
    game, random, told = case.game, Random(str(case)), 0
    for moment in walk(case).sample():
        before = moment.state.tobytes()
        for seat in game.to_act(moment.state):
            refused: list[Action] = []
            listed = game.legal_codes(moment.state, seat).tolist()
            for action in made_up(game, listed, random):
                refusal = game.refusal(moment.state, seat, action)
                if refusal is None:
                    if action.pack() not in listed:
                        play_composed(game, moment.state, seat, action)
                    continue
                refused.append(action)
                for language in LANGUAGES:
                    assert sentence(game.words(language).message("refusals", refusal, game.names))
            if refused:
                with pytest.raises(IllegalAction, match="allowed: "):
                    game.require_one(moment.state, seat, refused[-1])
            told += len(refused)
        assert moment.state.tobytes() == before
    assert told > FOREIGN


def play_composed(game: Game, state: Any, seat: int, action: Action) -> None:
    """An action off the list that is not refused is a whole whose parts alone are listed: it must be playable."""
    assert len(action.slots) > 1
    others = {s: game.unpack(int(game.legal_codes(state, s)[0])) for s in game.to_act(state) if s != seat}
    step = game.apply(state, others | {seat: action}, new_stream(stream_key(b"composed"), 1))
    assert game.check(step.state) is None


def sentence(text: str) -> bool:
    return len(text.split()) > 1 and "{" not in text


@every_case
def test_a_seat_that_owes_nothing_is_told_so(case: Case) -> None:
    game = case.game
    for moment in walk(case).sample():
        action = next(iter(moment.choices.values()))
        for seat in set(range(-1, case.setting.seats + 1)) - set(game.to_act(moment.state)):
            with pytest.raises(IllegalAction, match="owes no choice"):
                game.require_one(moment.state, seat, action)


@every_game
def test_what_is_no_action_is_invalid(name: str) -> None:
    game = games.load(name)
    unused = next(number for number in range(16) if number not in {kind.code for kind in game.definition.actions})
    with pytest.raises(InvalidAction, match="is no action"):
        game.unpack(unused)
    for text in ("", "fly", "fly away", "="):
        with pytest.raises(InvalidAction, match="no action"):
            game.parse(text)
    damaged: tuple[Any, ...] = (None, [], {}, {"kind": 1}, {"kind": "fly"})
    for data in damaged:
        with pytest.raises(InvalidAction):
            codec.action_from_json(data, game.kinds, game.names)
    for kind in game.kinds:
        with pytest.raises(InvalidAction):
            codec.action_from_json({"kind": kind, "wings": 2}, game.kinds, game.names)


@every_game
def test_every_action_event_refusal_and_option_has_words(name: str) -> None:
    game = games.load(name)
    kinds = {"actions": game.definition.actions, "events": game.definition.events, "refusals": game.definition.refusals}
    codes = [f"{section}.{kind.name}" for section, members in kinds.items() for kind in members]
    codes += [f"options.{option.name}" for option in game.meta.options]
    for language in LANGUAGES:
        assert [code for code in ("title", "pitch", *codes) if not game.words(language).has(code)] == []
