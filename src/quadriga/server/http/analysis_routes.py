"""HTTP: analyses of finished races, evaluations, and tables that go on from a position."""

import asyncio
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response, get, post
from litestar.params import QueryParameter

from quadriga.core.match import Moment
from quadriga.core.record import record_of, to_json
from quadriga.server.analysis.hints import evaluation_question, require_helpable
from quadriga.server.analysis.jobs import DONE
from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused
from quadriga.server.http.guest_routes import required
from quadriga.server.output.broadcast import delay_of, last_shown, require_sight, views_of
from quadriga.server.services import Services
from quadriga.server.tables import creation, play_on
from quadriga.server.tables.document import OVER
from quadriga.server.tables.play_on import PlayOn
from quadriga.server.tables.table import LiveTable, require_level

Json = dict[str, Any]


async def _finished(services: Services, table: str, guest: Guest | None) -> LiveTable:
    """A table whose race is over and may be seen by the guest, all moments in memory; or a refusal."""
    live = await services.registry.open(table)
    require_sight(live, guest.id if guest else None)
    live.require_not_stopped()
    if live.match is None or live.doc.state != OVER:
        raise Refused("not_over")
    return live


@post("/api/tables/{table:str}/analysis", tags=["analysis"], status_code=202)
async def ask_analysis(table: str, services: Services, guest: Guest | None) -> Json:
    """Queue the analysis of a finished race."""
    asker = required(guest)
    live = await _finished(services, table, guest)
    if await services.analyses.find(table) is not None:
        return {"state": DONE}
    if services.analyses.status(table)["state"] in ("none", "failed"):
        services.analysis_limit.require(asker.id)
        async with live.lock:
            assert live.match is not None
            record = record_of(live.match)
        services.analyses.add(table, await asyncio.to_thread(to_json, record))
    return services.analyses.status(table)


@get("/api/tables/{table:str}/analysis", tags=["analysis"])
async def analysis(table: str, services: Services, guest: Guest | None) -> Response[Any]:
    """The analysis of a finished race, or how far it is."""
    await _finished(services, table, guest)
    found = await services.analyses.find(table)
    if found is None:
        return Response(services.analyses.status(table), media_type=MediaType.JSON)
    body = msgspec.json.encode({"state": DONE, "analysis": msgspec.Raw(found)})
    return Response(body, media_type=MediaType.JSON)


@get("/api/tables/{table:str}/evaluation", tags=["analysis"])
async def evaluation(
    table: str,
    services: Services,
    guest: Guest | None,
    address: str,
    seq: Annotated[int | None, QueryParameter(ge=0, le=2**31 - 1)] = None,
) -> Json:
    """The chances of all seats, as far as the caller's view tells; of running races only those against bots."""
    services.evaluations.require(guest.id if guest else address)
    live = await services.registry.open(table)
    async with live.lock:
        require_sight(live, guest.id if guest else None)
        live.require_not_stopped()
        if live.match is None:
            raise Refused("not_racing")
        if live.doc.state != OVER:
            require_helpable(live, guest.id if guest else None)
        seat = views_of(live, guest.id if guest else None)[0]
        last = last_shown(live, delay_of(live, [seat]), services.registry.now())
        at = last if seq is None else seq
        if at > last:
            raise Refused("no_step", seq=at)
        question = evaluation_question(live, await _moment(services, live, at), seat)
    return {"seq": at} | await services.advisers.evaluate(question)


async def _moment(services: Services, live: LiveTable, seq: int) -> Moment:
    assert live.match is not None
    if seq == live.match.seq:
        return live.match.moment(seq)
    found = await services.registry.loader.steps(live, seq, seq)
    if not found:
        raise Refused("no_step", seq=seq)
    return found[0][1]


@post("/api/tables/{table:str}/play-on", tags=["analysis"], status_code=201)
async def play_on_from(table: str, data: PlayOn, services: Services, guest: Guest | None) -> Json:
    """A new table that goes on from a position of a finished race, against bots."""
    player = required(guest)
    services.tables.require(player.id)
    live = await _finished(services, table, guest)
    async with live.lock:
        assert live.match is not None
        live.seat(data.seat)
        if data.seq > live.match.seq:
            raise Refused("no_step", seq=data.seq)
        found = await services.registry.loader.steps(live, 0, data.seq)
        level = require_level(data.level)
        match = await asyncio.to_thread(play_on.branch, live, data, [moment for _, moment in found], player, level)
        doc, token = play_on.new_document(live, data, match, player, services.registry.now())
    rows = await asyncio.to_thread(play_on.rows_of, doc, match)
    await creation.write_table(services.store, services.settings, doc, live.edition, rows, play_on.size_of(rows))
    await services.executor.attend(doc.id)
    return {"table": doc.id, "seats": [token]}


HANDLERS = [ask_analysis, analysis, evaluation, play_on_from]
