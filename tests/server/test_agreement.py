"""Who must agree to what in a race: a table of cases, then the same through commands."""

from pathlib import Path

import pytest

from quadriga.server import agreement
from quadriga.server import commands as c
from quadriga.server.documents import Clock, Participant, Proposal, Seat, TableDocument, TableSettings
from quadriga.server.refused import Refused
from tests.server.house import House, run

NOW = 10 * agreement.AWAY_MS


def document(seats: str, former: str = "", clock: str = "none", take_back: str = "ask") -> TableDocument:
    """A race: `a` a person, `A` while a bot sits in, `A-` after leaving, `.` a bot; former `b`, or `b!` if kicked."""
    made = []
    for text in seats.split():
        guest = None if text == "." else text[0].lower()
        playing = guest is not None and text[0].islower()
        made.append(Seat("person" if playing else "wanderer", text, guest, was_left=text.endswith("-")))
    gone = [Participant(text[0], 0, text, kicked=text.endswith("!")) for text in former.split()]
    settings = TableSettings(clock=Clock(clock), take_back=take_back)  # type: ignore[arg-type]
    return TableDocument(
        id="t", game="chariots", rules_version=1, fingerprint="", standard=True, host="a", host_name="a", seed="",
        options={}, settings=settings, seats=made, created=0, changed=0, state="racing", participants=gone,
    )  # fmt: skip


def allowed(check: object, *arguments: object) -> str | None:
    try:
        check(*arguments)  # type: ignore[operator]
    except Refused as error:
        return error.code
    return None


@pytest.mark.parametrize(
    ("seats", "former", "alone"),
    [
        ("a .", "", True),
        ("a a .", "", True),  # hot seat: one guest
        ("a b", "", False),
        ("a B", "", False),  # a bot sits in
        ("a B-", "", False),  # left
        ("a .", "b!", False),  # kicked
        ("a .", "b", False),  # gave the seat to somebody else
        ("a .", "-", False),  # forgotten
    ],
)
def test_who_took_part_counts_and_not_who_sits_there(seats: str, former: str, alone: bool) -> None:
    doc = document(seats, former, take_back="never")
    assert agreement.is_alone(doc, "a") is alone
    assert allowed(agreement.require_take_back_allowed, doc, "a") == (None if alone else "no_take_back")


@pytest.mark.parametrize(
    ("seats", "out", "what", "clock", "asked"),
    [
        ("a b", set(), "take_back", "none", [0, 1]),
        ("a a b", set(), "abandon", "none", [0, 1, 2]),
        ("a B", set(), "abandon", "none", [0, 1]),  # replaced or out of time: still asked
        ("a B-", set(), "abandon", "none", [0]),  # left: gave the vote up
        ("a B", {1}, "abandon", "none", [0]),  # resigned
        ("a b c", {2}, "take_back", "none", [0, 1]),
        ("a b .", set(), "pause", "none", []),
        ("a b .", set(), "pause", "bank", [0, 1]),
        ("a B .", set(), "resume", "bank", [0]),  # whose clock does not run is not asked
        ("a b c", set(), "kick", "none", [0, 2]),  # all but whom it concerns
        ("a b b c", set(), "replace", "none", [0, 3]),
        ("a b C-", set(), "kick", "none", [0]),
    ],
)
def test_seats_that_are_asked(seats: str, out: set[int], what: str, clock: str, asked: list[int]) -> None:
    target = 1 if what in ("kick", "replace") else None
    proposal = Proposal(1, what, 0, 5, None, target)  # type: ignore[arg-type]
    assert agreement.seats_asked(document(seats, clock=clock), out, proposal) == asked


@pytest.mark.parametrize(
    ("seats", "seen", "may"),
    [
        ("a b", NOW, False),
        ("a b", NOW - agreement.AWAY_MS + 1, False),
        ("a b", NOW - agreement.AWAY_MS, True),
        ("a B", NOW, True),  # out of time: a bot sits in
        ("a B-", NOW, True),
        ("a b B-", NOW, False),  # left one seat, plays another
    ],
)
def test_the_host_alone_removes_only_who_is_away(seats: str, seen: int, may: bool) -> None:
    assert agreement.may_remove_alone(document(seats), "a", "b", seen, NOW) is may


@pytest.mark.parametrize(
    ("seats", "out", "code"),
    [
        ("a b", set(), "present"),
        ("a a b", set(), "present"),  # the host's seats are one guest's
        ("b a a", set(), "present"),
        ("a b .", set(), "present"),
        ("a b c", set(), None),
        ("a b c", {2}, "present"),  # the third has resigned
        ("a b C-", set(), "present"),  # or left
        ("a b C", set(), None),
        (". b c", set(), None),  # a host who plays no seat
        (". b .", set(), "present"),
    ],
)
def test_a_present_person_is_removed_only_where_a_third_could_agree(
    seats: str, out: set[int], code: str | None
) -> None:
    doc = document(seats)
    target = next(i for i, seat in enumerate(doc.seats) if seat.guest == "b")
    assert allowed(agreement.require_others_to_ask, doc, out, "a", target) == code


@pytest.mark.parametrize(
    ("seats", "former", "code"),
    [
        ("a .", "", None),
        ("a B-", "", None),
        ("a .", "b!", "others_played"),
        ("a a", "b!", "others_played"),
        ("a c .", "b!", None),  # two agree
        ("a C- .", "b!", "others_played"),
    ],
)
def test_one_person_alone_voids_no_race_from_which_another_was_kicked(
    seats: str, former: str, code: str | None
) -> None:
    assert allowed(agreement.require_abandon_allowed, document(seats, former), set(), "a") == code


# ---------------------------------------------------------------- through commands


def test_a_host_cannot_throw_a_present_rival_out_and_take_back_dice(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"], take_back="never")
        await house.choose("Ana", table, 0)
        await house.choose("Ben", table, 1)
        assert await house.refusal("Ana", c.SetSeat(table=table, seat=1, kind="wanderer")) == "present"
        assert await house.refusal("Ana", c.Kick(table=table, seat=1)) == "present"
        assert await house.refusal("Ana", c.AskTakeBack(table=table, seat=0, to=0)) == "no_take_back"
        assert (await house.act("Ana", c.Abandon(table=table)))["agreed"] is None
        live = await house.live(table)
        assert (live.doc.state, live.doc.seats[1].kind, live.doc.banned) == ("racing", "person", [])

    run(tmp_path, story)


@pytest.mark.parametrize("how", ["set_seat", "kick", "leave", "resign_of_three"])
def test_after_a_rival_is_gone_nothing_is_taken_back_or_voided_alone(tmp_path: Path, how: str) -> None:
    async def story(house: House) -> None:
        seats = ["me", "Ben", "wanderer"] if how == "resign_of_three" else ["me", "Ben"]
        table = await house.race("Ana", seats, take_back="never", pace_ms=60_000)
        if how == "leave":
            await house.act("Ben", c.Leave(table=table, seat=1))
        elif how == "resign_of_three":
            await house.act("Ben", c.Resign(table=table, seat=1))
        else:
            house.time += agreement.AWAY_MS
            kick = c.Kick(table=table, seat=1)
            await house.act("Ana", kick if how == "kick" else c.SetSeat(table=table, seat=1, kind="wanderer"))
        assert await house.refusal("Ana", c.AskTakeBack(table=table, seat=0, to=0)) == "no_take_back"
        live = await house.live(table)
        if how == "kick":
            assert await house.refusal("Ana", c.Abandon(table=table)) == "others_played"
        else:
            agreed = (await house.act("Ana", c.Abandon(table=table)))["agreed"]
            assert agreed is (None if how == "set_seat" else True)
        assert live.doc.state == ("racing" if how in ("kick", "set_seat") else "abandoned")

    run(tmp_path, story)


def test_who_was_replaced_while_away_still_votes(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"], pace_ms=60_000)
        house.time += agreement.AWAY_MS
        await house.act("Ana", c.SetSeat(table=table, seat=1, kind="wanderer"))
        proposal = (await house.act("Ana", c.Abandon(table=table)))["proposal"]
        assert await house.act("Ben", c.Agree(table=table, proposal=proposal, yes=True)) == {
            "proposal": proposal,
            "agreed": True,
        }

    run(tmp_path, story)


@pytest.mark.parametrize("command", ["watch", "choose"])
def test_who_watches_or_acts_is_present(tmp_path: Path, command: str) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"])
        screen = await house.watch("Ben", table)
        house.time += agreement.AWAY_MS
        kick = c.Kick(table=table, seat=1)
        if command == "choose":
            house.look_away(screen, table)
            await house.choose("Ben", table, 1)
            house.time += agreement.AWAY_MS - 1
        assert await house.refusal("Ana", kick) == "present"
        if command == "watch":
            house.look_away(screen, table)
            house.time += agreement.AWAY_MS - 1
            assert await house.refusal("Ana", kick) == "present", "they left the screen a moment ago"
        house.time += 1
        assert await house.refusal("Ana", kick) is None

    run(tmp_path, story)


@pytest.mark.parametrize("yes", [True, False])
def test_three_persons_decide_about_one_of_them(tmp_path: Path, yes: bool) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben", "Cyn"], pace_ms=60_000)
        asked = await house.act("Ana", c.Kick(table=table, seat=1))
        assert asked["agreed"] is None
        live = await house.live(table)
        answer = c.Agree(table=table, proposal=asked["proposal"], yes=False)
        assert await house.refusal("Ben", answer) == "not_asked", "whom it concerns cannot refuse"
        vote = c.Agree(table=table, proposal=asked["proposal"], yes=yes)
        assert (await house.act("Cyn", vote))["agreed"] is yes
        assert (live.doc.seats[1].guest is None) is yes
        assert bool(live.doc.banned) is yes

    run(tmp_path, story)


def test_votes_count_for_ones_own_seats_and_not_for_those_who_had_them_before(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        made = await house.create("Ana", ["me", "me", "open"])
        token = (await house.act("Ben", c.Claim(table=made, seat=2)))["token"]
        await house.act("Ana", c.Start(table=made))
        await house.act("Ben", c.Abandon(table=made))
        live = await house.live(made)
        assert live.doc.proposals[0].yes == [2]
        await house.act("Cyn", c.Sit(table=made, token=token))
        assert live.doc.proposals[0].yes == []
        assert (await house.act("Ana", c.Abandon(table=made)))["agreed"] is None
        assert live.doc.proposals[0].yes == [0, 1]
        assert (await house.act("Cyn", c.Abandon(table=made)))["agreed"] is True

    run(tmp_path, story)


def test_alone_with_bots_everything_is_free(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "me"], take_back="never")
        await house.choose("Ana", table, 0)
        await house.choose("Ana", table, 1)
        assert (await house.act("Ana", c.AskTakeBack(table=table, seat=0, to=0)))["agreed"] is True
        assert (await house.act("Ana", c.Abandon(table=table)))["agreed"] is True

    run(tmp_path, story)


def test_hints_for_those_who_play_alone_are_not_won_by_removing_others(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"], pace_ms=60_000)
        await house.act("Ben", c.Leave(table=table, seat=1))
        live = await house.live(table)
        assert live.match is not None
        assert await house.refusal("Ana", c.Hint(table=table, seat=0, seq=live.match.seq)) == "no_hints"

    run(tmp_path, story)
