"""No rule of Chariot Race can be broken without a scenario that fails."""

from tests.survivors import survivors_of


def test_every_mutation_is_caught() -> None:
    assert survivors_of("chariot_race") == []
