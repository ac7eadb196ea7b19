"""HTTP: exercises on the real board, answered at once."""

import asyncio
from typing import Any

from litestar import get, post

from quadriga.core.scenario import Scenario
from quadriga.server.practice import answers
from quadriga.server.practice.answers import ExerciseChoice
from quadriga.server.practice.library import exercise_names, find_exercise
from quadriga.server.services import Services

Json = dict[str, Any]


async def ready_exercise(services: Services, collection: str, game: str, name: str) -> Scenario:
    """An exercise of a game whose rules are ready, or a refusal."""
    exercise_names(collection, game)
    await services.preparation.require(game)
    return await asyncio.to_thread(find_exercise, collection, game, name)


def _table(collection: str, game: str, name: str) -> str:
    return f"{collection}-{game}-{name}"


@get("/api/practice/{collection:str}/{game:str}/{name:str}", tags=["practice"])
async def exercise(collection: str, game: str, name: str, services: Services) -> Json:
    """An exercise as it begins."""
    found = await ready_exercise(services, collection, game, name)
    return await asyncio.to_thread(answers.begin, found, _table(collection, game, name))


@post("/api/practice/{collection:str}/{game:str}/{name:str}", tags=["practice"], status_code=200)
async def answer_choice(collection: str, game: str, name: str, data: ExerciseChoice, services: Services) -> Json:
    """Whether a choice in an exercise is right, and what follows it."""
    found = await ready_exercise(services, collection, game, name)
    return await asyncio.to_thread(answers.answer, found, _table(collection, game, name), data)


@post("/api/practice/{collection:str}/{game:str}/{name:str}/try", tags=["practice"], status_code=200)
async def try_choice(collection: str, game: str, name: str, data: ExerciseChoice, services: Services) -> Json:
    """Whether the rules would allow a choice in an exercise."""
    found = await ready_exercise(services, collection, game, name)
    return await asyncio.to_thread(answers.try_choice, found, data)


HANDLERS = [exercise, answer_choice, try_choice]
