"""A race through the public interface: made, asked, played, copied, undone, watched, ended, saved and opened."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import quadriga
from quadriga import games
from quadriga.core.edition import TomlFile
from quadriga.envs import seat_env

GAMES = games.NAMES


@pytest.mark.parametrize("name", GAMES)
def test_a_race_is_played_saved_and_opened(name: str, tmp_path: Path) -> None:
    race = quadriga.Race(name, seed=3)
    race.run("greedy", steps=5)
    assert race.step == 5
    race.save(tmp_path / "half.json")
    half = quadriga.Race.open(tmp_path / "half.json")
    assert (half.step, half.to_act, half.view(0).to_dict()) == (race.step, race.to_act, race.view(0).to_dict())
    assert race.run("greedy").is_over
    assert half.run("greedy").standings == race.standings
    assert quadriga.Race.from_json(race.to_json()).standings == race.standings


@pytest.mark.parametrize("name", GAMES)
def test_a_finished_race_tells_its_end(name: str) -> None:
    race = quadriga.Race(name, players=["Ana", "Ben"], seed=1).run("greedy")
    assert race.to_act == ()
    assert race.choices() == []
    assert race.reason in games.definition(name).reasons
    assert [standing.place for standing in race.standings] == sorted(standing.place for standing in race.standings)
    if race.winner is not None:
        assert race.standings[0] == (1, race.winner, race.players[race.winner])
    with pytest.raises(quadriga.IllegalAction, match="the race is over"):
        race.play("pass")


def test_a_running_race_has_standings_but_no_winner() -> None:
    race = quadriga.Race("chariots", players=4, seed=1)
    assert (race.winner, race.reason, len(race.standings)) == (None, None, 4)


def test_choices_print_as_notation_and_parse_from_it() -> None:
    race = quadriga.Race("chariots", players=4, seed=1)
    choice = race.choices(0)[0]
    assert choice == "plot 2+3+4"
    assert (choice.kind, choice.fields) == ("plot", {"coins": ["2", "3", "4"]})
    assert race.play({0: choice, 1: "plot 2+3+4", 2: "plot 5+4+3", 3: race.choices(3)[-1]})
    assert race.step == 1
    assert race.last_choices[1] == "plot 2+3+4"


def test_secret_choices_wait_for_each_other() -> None:
    race = quadriga.Race("chariots", players=2, options={"two_chariots": False}, seed=1)
    assert race.play("plot 2+3+4", seat=1) == []
    assert (race.step, race.to_act) == (0, (0,))
    assert race.copy().to_act == (0,)
    assert race.play("plot 3+4+5")  # only one seat is left: it need not be named
    assert race.step == 1


def test_errors_say_what_is_allowed() -> None:
    race = quadriga.Race("chariots", players=4, seed=1)
    with pytest.raises(quadriga.NotYourTurn, match="several seats are to act: say which of 0, 1, 2, 3"):
        race.play("plot 2+3+4")
    with pytest.raises(quadriga.InvalidAction, match=r"'jump' is no action.*allowed: plot 2\+3\+4 \| .* and 16 more"):
        race.play("jump 3", seat=0)
    with pytest.raises(quadriga.IllegalAction, match=r"plot 2\+2\+5: .*allowed: plot 2\+3\+4"):
        race.play("plot 2+2+5", seat=0)
    with pytest.raises(quadriga.InvalidOption, match="there is no seat 4; there are seats 0 to 3"):
        race.choices(4)
    race.play(dict.fromkeys(range(4), "plot 2+3+4"))
    acting = race.to_act[0]
    with pytest.raises(quadriga.NotYourTurn, match=f"owes no choice now; seat {acting} is to act"):
        race.play("step 6,1", seat=(acting + 1) % 4)


def test_why_not_gives_a_sentence_in_both_languages_or_none() -> None:
    race = quadriga.Race("chariots", players=4, seed=1)
    assert race.why_not("plot 2+3+4", seat=0) is None
    english, spanish = race.why_not("plot 2+2+5", 0), race.why_not("plot 2+2+5", 0, language="es")
    assert english
    assert spanish
    assert english != spanish
    assert "is no action" in str(race.why_not("jump 3", 0))


def test_undo_removes_steps_and_dice_stay_the_same() -> None:
    race = quadriga.Race("chariot_race", players=3, seed=9).run("greedy", steps=6)
    before, chosen = race.at(5).view().to_dict(), race.last_choices
    after = race.view().to_dict()
    race.undo()
    assert (race.step, race.view().to_dict()) == (5, before)
    race.play(chosen)
    assert race.view().to_dict() == after
    race.run("greedy").undo(2)
    assert not race.is_over
    with pytest.raises(quadriga.IllegalAction, match="cannot be undone"):
        race.undo(race.step + 1)


def test_a_copy_is_played_on_by_itself() -> None:
    race = quadriga.Race("charioteer", players=3, seed=9).run("greedy", steps=2)
    copy = race.copy()
    copy.run("greedy")
    assert (race.step, copy.is_over) == (2, True)


def test_views_hide_what_a_seat_cannot_see() -> None:
    race = quadriga.Race("charioteer", players=3, seed=9)
    hands = [race.view(seat).hand for seat in range(3)]
    assert all(any(card is not None for card in hand) for hand in hands)
    assert hands[0] != hands[1]
    assert all(card is None for card in race.view().hand)
    assert race.view(1).seat == 1
    assert race.view(1)["turn"] == 1
    with pytest.raises(AttributeError, match="this view has no 'wings'"):
        _ = race.view(1).wings


def test_events_are_told_by_step_and_in_both_languages() -> None:
    race = quadriga.Race("chariots", players=2, seed=4).run("greedy", steps=8)
    events = race.events()
    assert [event.step for event in events] == sorted(event.step for event in events)
    assert race.events(since=race.step - 1) == [event for event in events if event.step == race.step]
    assert race.log() == [str(event) for event in events]
    assert race.log("es") == [event.text("es") for event in events] != race.log()
    assert set(map(str, events)) <= set(map(str, race.events(seat=0)))


def test_bots_take_some_seats_and_people_the_others() -> None:
    race = quadriga.Race("chariot_race", players=2, seed=2)
    race.run({1: "veteran"})
    assert race.to_act == (0,)
    asked: list[int | None] = []

    def first(view: quadriga.View, choices: Sequence[quadriga.Choice]) -> str:
        asked.append(view.seat)
        return str(choices[0])

    race.run([first, quadriga.bot("novice")])
    assert race.is_over
    assert set(asked) == {0}


def test_a_level_is_reproducible_by_its_seed() -> None:
    race = quadriga.Race("charioteer", players=2, seed=2)
    chosen = [quadriga.bot("champion", seed=5, iterations=40)(race.view(0), race.choices(0)) for _ in range(2)]
    assert chosen[0] == chosen[1]
    assert race.why_not(chosen[0], 0) is None
    with pytest.raises(quadriga.InvalidOption, match="there is no bot 'master'; there are wanderer"):
        quadriga.bot("master")


def test_a_scenario_gives_a_position_without_a_record(tmp_path: Path) -> None:
    folder = Path(__file__).parents[1] / "scenarios" / "chariots"
    for file in sorted(folder.glob("*.toml"))[:5]:
        assert quadriga.run_scenario(file) == []
        race = quadriga.Race.from_scenario(file.read_text(encoding="utf-8"))
        assert race.step == 0
        with pytest.raises(quadriga.IllegalAction, match="did not begin with a set-up"):
            race.save(tmp_path / "no.json")


def test_an_edition_goes_with_the_race_and_its_record() -> None:
    text = quadriga.Game("chariots").edition.replace("control = 6", "control = 5")
    game = quadriga.Game("chariots", edition=text)
    assert not game.is_standard
    race = quadriga.Race.from_json(quadriga.Race(game, players=2, seed=1).run("greedy").to_json())
    assert race.game.fingerprint == game.fingerprint != quadriga.Game("chariots").fingerprint
    assert quadriga.tournament(game, ["greedy", "novice"], races=4, players=2)["greedy"].wins >= 2
    with pytest.raises(quadriga.InvalidFile, match="line "):
        quadriga.Game("chariots", edition=text.replace("control = 5", "control = 77"))


def test_a_program_is_warned_of_champion_without_its_networks() -> None:
    """In a race, in a tournament and beside a learner; not where the networks fit: tests take warnings for errors."""
    text = quadriga.Game("chariots").edition.replace("control = 6", "control = 5")
    game, own = quadriga.Game("chariots", edition=text), games.load("chariots", TomlFile("own.toml", text))
    said, champion = "champion plays as searcher does: .* the standard edition", quadriga.bot("champion", iterations=1)
    with pytest.warns(UserWarning, match=said):
        quadriga.Race(game, 2, seed=1).run(champion, steps=1)
    with pytest.warns(UserWarning, match=said):
        quadriga.tournament(game, ["champion", "wanderer"], races=1, options={"laps": 1}, iterations=1)
    with pytest.warns(UserWarning, match=said):
        seat_env(own, ["champion"])
    quadriga.Race("chariots", 2, seed=1).run(champion, steps=1)


@pytest.mark.parametrize("seed", [-1, "7", 1 << 256])
def test_a_wrong_seed_is_refused(seed: int | str) -> None:
    with pytest.raises(quadriga.InvalidOption, match=r"a seed (is|has)"):
        quadriga.Race("chariots", seed=seed)


def test_resigning_ends_a_race_of_two() -> None:
    race = quadriga.Race("chariots", players=2, seed=1)
    race.resign(0)
    assert (race.winner, race.reason) == (1, "resigned")


def test_a_race_is_shown_in_a_shell() -> None:
    race = quadriga.Race("chariots", players=2, seed=1)
    assert repr(race) == "<Race of chariots, 2 players, step 0, to act: 0, 1>"
    assert "lap 1 of 3" in str(race)
    assert repr(race.view(1)) == "<View of chariots for seat 1>"
    assert repr(quadriga.Game("chariots")) == "Game('chariots')"


@pytest.mark.parametrize("name", GAMES)
def test_a_race_imagined_from_a_view_looks_the_same_to_its_seat(name: str) -> None:
    race = quadriga.Race(name, players=3, seed=6).run("greedy", steps=4)
    seat = race.to_act[0]
    imagined = [race.view(seat).imagine(seed) for seed in range(3)]
    for other in imagined:
        assert other.view(seat).to_dict() == race.view(seat).to_dict()
        assert other.choices(seat) == race.choices(seat)
        assert (other.options, other.to_act) == (race.options, race.to_act)
    assert imagined[0].run("greedy").is_over


def test_what_a_view_hides_is_imagined_anew() -> None:
    race = quadriga.Race("charioteer", players=3, seed=6)
    hands = {str(race.view(0).imagine(seed).view(1).hand) for seed in range(5)}
    assert len(hands) == 5


def test_a_seat_that_is_not_there_is_refused_everywhere() -> None:
    race = quadriga.Race("chariots", players=2, seed=1)
    asked = (race.view, race.events, race.choices, race.svg, race.resign, lambda seat: race.log(seat=seat))
    for ask in asked:
        for seat in (2, -1):
            with pytest.raises(quadriga.InvalidOption, match=rf"there is no seat {seat}; there are seats 0 to 1"):
                ask(seat)


def test_what_is_no_text_is_no_choice() -> None:
    race = quadriga.Race("chariots", players=2, seed=1)
    with pytest.raises(quadriga.InvalidAction, match="text in the game's notation, not 5; allowed: plot 2"):
        race.play(5, 0)  # type: ignore[arg-type]
    assert race.why_not(None, 0) == "a choice is text in the game's notation, not None"  # type: ignore[arg-type]


def test_one_name_is_no_list_of_players() -> None:
    with pytest.raises(quadriga.InvalidOption, match="a number or a list of names, not the text 'Ana'"):
        quadriga.Race("chariots", players="Ana")


@pytest.mark.parametrize("name", [game.name for game in quadriga.all_games()])
def test_a_printed_board_bears_the_names_of_the_players(name: str) -> None:
    race = quadriga.Race(name, players=["Ana", "Ben"], seed=1)
    text = str(race)
    assert "Player 1" not in text
