"""The page of a simulation: what wins, and what winners did, drawn from the rows one at a time."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from html import escape
from importlib import resources

from quadriga import __version__, games
from quadriga.arena.comparisons import LEVEL, holm, share_chance
from quadriga.arena.drawing import Share, bars, columns, dots, percent, stripes
from quadriga.arena.ratings import wilson
from quadriga.arena.simulation import Simulation
from quadriga.arena.tally import Seats, Tally
from quadriga.core.meta import OptionValue

BINS = 12
KEY = (
    "Whiskers and the fainter figures are 95 % intervals, each for itself; a dashed line is the fair share, or what "
    "the bot won in all. Counts stand beside bars and below columns. A star marks a share of a bar chart that differs "
    "from the dashed line with all such shares of the page looked at together (Holm's method, 5 %)."
)


def share(name: str, wins: int, games: int, is_clear: bool = False) -> Share:
    """A share with its interval."""
    return Share(name, wins / max(games, 1), *wilson(wins, games), games, is_clear)


def bins(counts: Counter[int]) -> list[tuple[str, range]]:
    """Up to a dozen ranges over nearly all that was counted, with their names; the rare ends are lumped together."""
    total, seen, ends = sum(counts.values()), 0, []
    for value in sorted(counts):
        before, seen = seen, seen + counts[value]
        if seen > total * 0.005 and before < total * 0.995:
            ends.append(value)
    low, high = ends[0], ends[-1]
    step = -(-(high - low + 1) // BINS)
    starts = range(low, high + 1, step)
    found = [(_range_name(start, start + step - 1), range(start, start + step)) for start in starts]
    if min(counts) < low:
        found[0] = f"≤{_signed(found[0][1][-1])}", range(min(counts), found[0][1].stop)
    if max(counts) > found[-1][1][-1]:
        found[-1] = f"≥{_signed(found[-1][1][0])}", range(found[-1][1].start, max(counts) + 1)
    return found


def _range_name(low: int, high: int) -> str:
    return _signed(low) if low == high else f"{_signed(low)}…{_signed(high)}"


def _signed(number: int) -> str:
    return str(number).replace("-", "−")


def _card(title: str, drawn: str, words: str = "") -> str:
    told = f"<p>{escape(words)}</p>" if words else ""
    return f"<section><h2>{escape(title)}</h2>{told}{drawn}</section>"


def _chances(tally: Tally) -> dict[tuple[str, str, str], float]:
    """How likely each share of the page is by accident, corrected by Holm for all of them; by bot, column and value."""
    found = {
        (bot, name, value): share_chance(seats.split[name][value], count, seats.fair)
        for bot, seats in _groups(tally)
        for name, sat in seats.sat.items()
        if len(sat) > 1
        for value, count in sat.items()
    }
    return dict(zip(found, holm(list(found.values())), strict=True))


def _groups(tally: Tally) -> Iterator[tuple[str, Seats]]:
    """All seats, and where there are several bots the seats of each."""
    yield "", tally.all
    if len(tally.bots) > 1:
        yield from tally.bots.items()


def _of(bot: str) -> str:
    return f": {bot}" if bot else ""


def _split_cards(tally: Tally) -> Iterator[str]:
    """Who wins: seats, bots, and what a seat was dealt."""
    chances = _chances(tally)
    for bot, seats in _groups(tally):
        for name, sat in seats.sat.items():
            if len(sat) > 1:
                title, words = tally.notes.words.get(name, (name, ""))
                prefix = "seat " if name == "seat" else ""
                shares = [
                    share(prefix + value, seats.split[name][value], sat[value], chances[bot, name, value] < LEVEL)
                    for value in sorted(sat)
                ]
                if name != "seat" and not sorted(sat)[0].isdigit():
                    shares.sort(key=lambda one: -one.share)
                heading = f"Wins by {title}{_of(bot)}"
                yield _card(heading, bars(heading, shares, seats.fair, fair_name="in all" if bot else "fair"), words)


def _spread_cards(tally: Tally) -> Iterator[str]:
    """How long races are, and how open."""
    told = {
        "stretches": ("Length", f"Races by their number of {tally.notes.stretch}.", tally.notes.stretch),
        "steps": ("Length in steps", "Races by their number of steps: points at which somebody chose.", "steps"),
        "lead_changes": ("Lead changes", "Races by how often another seat took the lead.", "lead changes"),
    }
    for name, counts in tally.spread.items():
        title, words, axis = told[name]
        spread = [(label, sum(counts[v] for v in values)) for label, values in bins(counts)]
        yield _card(title, columns(title, spread, axis, "share of races"), words)


def _counted_cards(tally: Tally) -> Iterator[str]:
    """How wins depend on what was counted of seats, such as damage, and how that is spread."""
    for bot, seats in _groups(tally):
        for name in seats.had:
            title, words = tally.notes.words[name]
            ranges = bins(seats.had[name])
            had = [sum(seats.had[name][v] for v in values) for _, values in ranges]
            won = [sum(seats.won[name][v] for v in values) for _, values in ranges]
            shares = [share(label, w, h) for (label, _), w, h in zip(ranges, won, had, strict=True)]
            spread = [(label, h) for (label, _), h in zip(ranges, had, strict=True)]
            heading, plain = f"Wins by {title}{_of(bot)}", f"{title.capitalize()}{_of(bot)}"
            yield _card(heading, dots(heading, shares, seats.fair, title), words)
            over = f"the seats of {bot}" if bot else "all seats"
            yield _card(plain, columns(plain, spread, title, "share of seats"), f"How it is spread over {over}.")


def _parts_card(tally: Tally) -> Iterator[str]:
    """Parts of one sum, such as the spaces that were made with each colour of move."""
    parts = tally.notes.parts
    if not parts:
        return
    names, rows = [part.rpartition("_")[2] for part in parts], []
    for bot, seats in _groups(tally):
        for who, won in (("winners", True), ("others", False)):
            means = [max(seats.mean(part, won), 0.0) for part in parts]
            if sum(means) > 0:  # a bot that won no race has no winners
                whose = f"{bot}, {who}" if bot else who
                rows.append((whose, [(n, mean / sum(means)) for n, mean in zip(names, means, strict=True)]))
    title, words = tally.notes.words["parts"]
    yield _card(title, stripes(title, rows), words)


def _ending_card(tally: Tally) -> str:
    shares = [share(reason.replace("_", " "), count, tally.races) for reason, count in tally.reasons.most_common()]
    return _card("How races ended", bars("How races ended", shares, axis="share of races"))


def _means_cards(tally: Tally) -> Iterator[str]:
    names = tally.all.numbers
    rows = "".join(
        f"<tr><th>{escape(tally.title(name))}<td>{tally.all.mean(name, True):.2f}<td>{tally.all.mean(name, False):.2f}"
        for name in names
    )
    yield _card("Winners and others, on average", f"<table><tr><th><td>winners<td>others{rows}</table>")
    if len(tally.bots) > 1:
        heads = "".join(f"<td>{escape(bot)}" for bot in tally.bots)
        rows = "".join(
            f"<tr><th>{escape(tally.title(name))}" + "".join(f"<td>{s.mean(name):.2f}" for s in tally.bots.values())
            for name in names
        )
        counts = "".join(f"<td>{seats.seats:,}" for seats in tally.bots.values())
        table = f"<table><tr><th>{heads}<tr><th>seats{counts}{rows}</table>"
        yield _card("Bots, on average", table)


def _mean_of(counts: Counter[int]) -> float:
    return sum(value * count for value, count in counts.items()) / max(sum(counts.values()), 1)


def said_options(plan: Simulation) -> str:
    """The options of a simulation, in words."""
    return ", ".join(f"{name.replace('_', ' ')} {_said(value)}" for name, value in plan.options.items())


def _said(value: OptionValue) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def document(title: str, head: str, cards: Iterable[str]) -> str:
    """A whole page, with nothing fetched from elsewhere, and by which version it was written when."""
    style = (resources.files("quadriga.arena") / "report.css").read_text(encoding="utf-8")
    today = datetime.now(UTC).date().isoformat()
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}</title><style>{style}</style><header>{head}"
        f"<p>Written by Quadriga {__version__} on {today}.</p></header><main>{''.join(cards)}</main></html>\n"
    )


def page(plan: Simulation, rows: Iterable[dict[str, str]]) -> str:
    """The page of a simulation."""
    tally = Tally(plan, rows)
    meta = games.meta(plan.game)
    facts = (
        (f"{tally.races:,}", "races"),
        (f"{_mean_of(tally.spread['stretches']):.1f}", f"{tally.notes.stretch} a race"),
        (f"{_mean_of(tally.spread['lead_changes']):.1f}", "lead changes a race"),
        (percent(tally.all.winners / max(tally.races, 1)), "had a winner"),
    )
    told = "".join(f"<li><b>{figure}</b> {escape(name)}" for figure, name in facts)
    head = (
        f"<h1>{escape(meta.title)}</h1><p>{plan.seats} seats · {escape(', '.join(plan.bots))} · "
        f"{escape(said_options(plan))} · seed {plan.seed} · rules version {meta.rules_version}</p>"
        f"<ul>{told}</ul><p>{KEY}</p>"
    )
    cards = [*_split_cards(tally), *_parts_card(tally), *_spread_cards(tally), *_counted_cards(tally)]
    return document(f"{meta.title}: {tally.races:,} races", head, [*cards, _ending_card(tally), *_means_cards(tally)])
