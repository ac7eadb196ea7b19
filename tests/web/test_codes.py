"""The page turns codes into the choices that the server means."""

import json
import random
import subprocess
from pathlib import Path

import pytest

from quadriga import games
from quadriga.core.codec import message_to_json
from quadriga.core.match import Match, Sitter
from quadriga.core.messages import Action
from quadriga.server.output.game_description import describe_game

ROOT = Path(__file__).parents[2]
SCRIPT = """
const { readFileSync } = require('node:fs')
const { ModuleKind, transpileModule } = require('./web/node_modules/typescript')
const source = readFileSync('web/src/app/codes.ts', 'utf8')
const module_ = { exports: {} }
const compiled = transpileModule(source, { compilerOptions: { module: ModuleKind.CommonJS, target: 'es2022' } })
new Function('module', 'exports', compiled.outputText)(module_, module_.exports)
const { game, codes } = JSON.parse(readFileSync(0, 'utf8'))
const view = { seat: 0, codes: codes.join(' ') }
process.stdout.write(JSON.stringify(module_.exports.withChoices(view, game).legal))
"""


@pytest.mark.parametrize("name", games.NAMES)
def test_codes_become_choices(name: str) -> None:
    game, dice = games.load(name), random.Random(7)
    match = Match(game, [Sitter(letter) for letter in "abcd"], seed=bytes(32))
    actions: dict[str, Action] = {}
    for _ in range(60):
        if match.over:
            break
        listed = {seat: match.legal_actions(seat) for seat in match.to_act()}
        actions |= {f"{action.pack():x}": action for some in listed.values() for action in some}
        match.step({seat: dice.choice(some) for seat, some in listed.items()})
    asked = {"game": json.loads(json.dumps(describe_game(game), default=list)), "codes": list(actions)}
    done = subprocess.run(
        ["node", "-e", SCRIPT], input=json.dumps(asked), cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == [message_to_json(action, game.names) for action in actions.values()]
