"""The folder of a training run: whose it is, and that nothing in it is lost."""

from pathlib import Path
from typing import Any

import msgspec

from quadriga.core.errors import InvalidOption
from quadriga.training.learning import CHECKPOINT, WEIGHTS
from quadriga.training.plots import LOG

PLAN = "training.json"


def claim(plan: Any, folder: Path, resume: bool) -> None:
    """Make the folder this plan's, or raise InvalidOption. A plan says its `game` and `rules_version`."""
    told = folder / PLAN
    if not told.exists():
        _refuse_files_of_others(folder)
        folder.mkdir(parents=True, exist_ok=True)
        beside = told.with_suffix(".part")
        beside.write_bytes(msgspec.json.encode(plan))
        beside.replace(told)
        return
    if not resume:
        raise InvalidOption(f"{folder} holds a training run: go on with --resume, or name another folder")
    try:
        before = msgspec.json.decode(told.read_bytes(), type=type(plan))
    except msgspec.ValidationError:
        raise InvalidOption(f"{folder} holds another training run: {told.read_text(encoding='utf-8')}") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise InvalidOption(f"{told} cannot be read: name another folder") from None
    if before.rules_version != plan.rules_version and before.game == plan.game:
        raise InvalidOption(
            f"{folder} belongs to rules version {before.rules_version} of {plan.game}, not to {plan.rules_version}: "
            "name another folder"
        )
    if before != plan:
        raise InvalidOption(f"{folder} holds another training run: {told.read_text(encoding='utf-8')}")


def _refuse_files_of_others(folder: Path) -> None:
    """Raise InvalidOption where a folder that no plan has claimed holds files that a run would take for its own."""
    for name in (CHECKPOINT, WEIGHTS, LOG):
        if (folder / name).exists():
            raise InvalidOption(f"{folder} holds {name} and no {PLAN}: name another folder")
