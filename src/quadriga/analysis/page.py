"""Analyses as one HTML page with plots, in English or Spanish; it needs nothing from elsewhere."""

from collections.abc import Sequence
from html import escape

from quadriga.analysis.moments import Moment, decisive_moments
from quadriga.analysis.reasons import say_reasons
from quadriga.analysis.results import Analysis, Decision
from quadriga.core.game import Game
from quadriga.core.text import Catalogue

WIDTH, HEIGHT = 880, 260
COLOURS = ("#b3402a", "#2c6e8f", "#c79a2b", "#4f7f3f", "#7a4e8a", "#5b5b5b")
SHOWN = 10
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 920px; margin: 2rem auto; padding: 0 1rem;
  color-scheme: light dark }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem }
td, th { text-align: left; padding: .3rem .5rem; border-bottom: 1px solid #8884; vertical-align: top }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
svg { width: 100%; height: auto; background: #8881; border-radius: 6px }
.key span { display: inline-block; margin-right: 1rem }
.key i { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px; margin-right: .3rem }
"""


def page(analyses: Sequence[tuple[str, Analysis, Game]], language: str) -> str:
    """The page of some analyses, each with its file's name and its game."""
    words = analyses[0][2].words(language)
    title = ", ".join(dict.fromkeys(words.say("analysis.title", game=game.meta.title) for _, _, game in analyses))
    sections = "".join(_section(file, analysis, game, language) for file, analysis, game in analyses)
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>'
        f"<body>{sections}</body></html>\n"
    )


def _section(file: str, analysis: Analysis, game: Game, language: str) -> str:
    words = game.words(language)
    said = words.say("analysis.depth", depth=analysis.depth, seed=analysis.seed)
    return (
        f"<h1>{escape(words.say('analysis.title', game=game.meta.title))}</h1><p>{escape(file)}. {escape(said)}"
        f"{' ' + escape(analysis.notice) if analysis.notice else ''}</p>"
        f"<h2>{escape(words.say('analysis.chances'))}</h2>{_key(analysis)}{_areas(analysis, words)}"
        f"<h2>{escape(words.say('analysis.accounts'))}</h2>{_accounts(analysis, words)}"
        f"<h2>{escape(words.say('analysis.moments'))}</h2>{_moments(analysis, words)}"
        f"<h2>{escape(words.say('analysis.decisions'))}</h2>{_decisions(analysis, game, language)}"
    )


def _key(analysis: Analysis) -> str:
    names = (
        f'<span><i style="background:{COLOURS[seat % len(COLOURS)]}"></i>{escape(name)}</span>'
        for seat, name in enumerate(analysis.players)
    )
    return f'<p class="key">{"".join(names)}</p>'


def _areas(analysis: Analysis, words: Catalogue) -> str:
    """The chances to win, one area on top of the other."""
    positions = analysis.positions
    across = [WIDTH * i / max(1, len(positions) - 1) for i in range(len(positions))]
    below = [0.0] * len(positions)
    drawn = []
    for seat in range(len(analysis.players)):
        above = [low + position.chances[seat][0] for low, position in zip(below, positions, strict=True)]
        edge = [f"{x:.1f},{HEIGHT * (1 - min(y, 1)):.1f}" for x, y in zip(across, above, strict=True)]
        back = [f"{x:.1f},{HEIGHT * (1 - min(y, 1)):.1f}" for x, y in zip(across, below, strict=True)][::-1]
        drawn.append(f'<polygon points="{" ".join(edge + back)}" fill="{COLOURS[seat % len(COLOURS)]}"/>')
        below = above
    label = escape(words.say("analysis.chances"))
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">{"".join(drawn)}</svg>'


def _accounts(analysis: Analysis, words: Catalogue) -> str:
    parts = ("start", "skill", "luck", "rivals", "result")
    heads = _heads(words, ("seat",), (*parts, "accuracy"))
    rows = []
    for account in analysis.accounts:
        cells = [f'<td class="n">{_points(getattr(account, part), part)}</td>' for part in parts]
        accuracy = "" if account.accuracy is None else f"{account.accuracy:.1f}"
        rows.append(f'<tr><td>{escape(account.name)}</td>{"".join(cells)}<td class="n">{accuracy}</td></tr>')
    return f"<table>{heads}{''.join(rows)}</table><p>{escape(words.say('analysis.account_note'))}</p>"


def _moments(analysis: Analysis, words: Catalogue) -> str:
    rows = "".join(_moment(moment, analysis, words) for moment in decisive_moments(analysis))
    return f"<table>{_heads(words, ('step', 'seat', 'what'), ('chance',))}{rows}</table>"


def _moment(moment: Moment, analysis: Analysis, words: Catalogue) -> str:
    what = moment.choice or words.say("analysis.chance")
    name = escape(analysis.players[moment.seat])
    change = _points(moment.change, "change")
    return f'<tr><td>{moment.step}</td><td>{name}</td><td>{escape(what)}</td><td class="n">{change}</td></tr>'


def _decisions(analysis: Analysis, game: Game, language: str) -> str:
    words = game.words(language)
    costly = sorted((d for d in analysis.decisions if d.counts), key=lambda d: (-d.cost, d.step, d.seat))[:SHOWN]
    if not costly:
        return f"<p>{escape(words.say('analysis.none'))}</p>"
    rows = "".join(_decision(decision, analysis, game, language) for decision in costly)
    return f"<table>{_heads(words, ('step', 'seat', 'chosen', 'better', 'why', 'grade'), ('cost',))}{rows}</table>"


def _decision(decision: Decision, analysis: Analysis, game: Game, language: str) -> str:
    cells = (
        str(decision.step), analysis.players[decision.seat], decision.choice, decision.best.choice,
        say_reasons(game, decision.reasons, language), game.words(language).say(f"analysis.grades.{decision.grade}"),
    )  # fmt: skip
    shown = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    return f'<tr>{shown}<td class="n">{_points(-decision.cost, "cost")} ± {100 * decision.error:.1f}</td></tr>'


def _heads(words: Catalogue, left: Sequence[str], right: Sequence[str]) -> str:
    cells = [f"<th>{escape(words.say(f'analysis.{name}'))}</th>" for name in left]
    cells += [f'<th class="n">{escape(words.say(f"analysis.{name}"))}</th>' for name in right]
    return f"<tr>{''.join(cells)}</tr>"


def _points(chance: float, part: str) -> str:
    return f"{100 * chance:.1f}" if part in ("start", "result") else f"{100 * chance:+.1f}"
