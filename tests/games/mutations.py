"""Rules that no scenario can show well, broken on purpose; each names the test that states the rule.

python -m tests.games.mutations [one in so many]
"""

import sys

from tests.mutations import Planted, main_planted, step_of  # isort: skip  (first: it turns the JIT off)

from quadriga.games.chariot_race import rounds
from quadriga.games.chariot_race import setup as chariot_race_setup
from quadriga.games.charioteer import choices, piles, setup, turn

MODULES = (turn, choices, setup, piles, rounds, chariot_race_setup)
"""Where the functions below are looked for, in this order."""

CH, CR = "games/charioteer/test_rules.py", "games/chariot_race/test_rules.py"

PLANTED: list[Planted] = [
    ("CH-1: no two players have the same skills card", "deal_skills", "scratch[other] = scratch[seat]", "pass",
     f"{CH}::test_ch_1_no_two_players_have_the_same_skills_card"),
    ("CH-1: every skills card can be dealt", "deal_skills", "draw(stream, int(tables.skills_cards) - seat)", "0",
     f"{CH}::test_ch_1_every_skills_card_can_be_dealt"),
    ("CH-17: the last card is drawn without a reshuffle", "draw_card", "if race.pile_count == 0:\n        reshuffle",
     "if race.pile_count == 1:\n        reshuffle", f"{CH}::test_ch_17_the_last_card_may_be_drawn_without_a_reshuffle"),
    ("CH-17: a reshuffle is random", "reshuffle", "shuffle(stream, race.pile, race.pile_count)", "pass",
     f"{CH}::test_ch_17_a_reshuffle_is_random"),
    ("CH-17: all discards go into the new pile", "reshuffle", "race.pile_count = race.discard_count",
     "race.pile_count = race.discard_count - 1", f"{CH}::test_ch_17_an_empty_pile_is_made_from_the_discards"),
    ("CH-18: nobody chooses after the end", "owing", "if race.over == RUNNING else 0", "",
     f"{CH}::test_ch_18_nobody_chooses_after_the_end"),
    ("CR-1: any chariot gets any place", "fill_grid", "draw(stream, count - place)", "0",
     f"{CR}::test_cr_1_every_chariot_gets_every_place"),
    ("CR-1: any player may draft first", "chariot_race.setup.setup", "draw(stream, int(race.seats))", "0",
     f"{CR}::test_cr_1_any_player_may_draft_first"),
    ("CR-2: the first round goes by grid place", "goes_before", "if race.rounds == 1:", "if False:",
     f"{CR}::test_cr_2_the_first_round_goes_by_grid_place"),
]  # fmt: skip


if __name__ == "__main__":
    sys.exit(main_planted(PLANTED, MODULES, step_of()))
