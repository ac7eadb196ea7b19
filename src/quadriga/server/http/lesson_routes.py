"""HTTP: the courses of the games, and which lessons a guest has done."""

import asyncio
from functools import partial
from typing import Annotated, Any

from litestar import get, post
from msgspec import Meta, Struct

from quadriga.server.database import exercise_rows
from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused
from quadriga.server.http.guest_routes import required
from quadriga.server.http.practice_routes import ready_exercise
from quadriga.server.practice.answers import MOST_CHOICES, resume
from quadriga.server.practice.library import LESSONS, exercise_names, find_exercise
from quadriga.server.services import Services
from quadriga.server.tables.commands import AnyAction

Json = dict[str, Any]


class LessonChoices(Struct, forbid_unknown_fields=True):
    """All choices of a learner in a lesson."""

    choices: Annotated[list[AnyAction], Meta(max_length=MOST_CHOICES)]


@get("/api/lessons/{game:str}", tags=["practice"])
async def course(game: str, services: Services, guest: Guest | None) -> Json:
    """The lessons of a game in their order, and which of them I have done."""
    names = exercise_names(LESSONS, game)
    await services.preparation.require(game)
    done: set[str] = set()
    if guest is not None:
        done = await services.store.read(
            partial(exercise_rows.names_done, guest=guest.id, collection=LESSONS, game=game)
        )
    lessons = await asyncio.to_thread(lambda: [_lesson(game, name) for name in names])
    return {"game": game, "lessons": [lesson | {"done": lesson["name"] in done} for lesson in lessons]}


def _lesson(game: str, name: str) -> Json:
    scenario = find_exercise(LESSONS, game, name)
    assert scenario.exercise is not None
    tasks = sum(step.ask is not None for step in scenario.steps)
    return {"name": name, "title": scenario.exercise.title, "rules": scenario.rules, "tasks": tasks}


@post("/api/lessons/{game:str}/{name:str}/done", tags=["practice"], status_code=200)
async def finish_lesson(game: str, name: str, data: LessonChoices, services: Services, guest: Guest | None) -> Json:
    """Keep that I have done a lesson; the choices prove it."""
    who = required(guest)
    scenario = await ready_exercise(services, LESSONS, game, name)
    attempt = await asyncio.to_thread(resume, scenario, data.choices)
    if not attempt.is_done:
        raise Refused("late", seq=attempt.seq)
    now = services.registry.now()
    await services.store.write(lambda connection: exercise_rows.mark_done(connection, who.id, LESSONS, game, name, now))
    return {"done": True}


HANDLERS = [course, finish_lesson]
