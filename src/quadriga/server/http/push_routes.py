"""HTTP: browsers that want to be told by push when it is their turn."""

from typing import Annotated, Any

from litestar import delete, get, post
from litestar.params import QueryParameter

from quadriga.server.database import subscriptions
from quadriga.server.database.guests import Guest
from quadriga.server.database.subscriptions import Subscription
from quadriga.server.errors import Refused
from quadriga.server.http.guest_routes import required
from quadriga.server.notifications.push import browser_key
from quadriga.server.notifications.push_services import find_endpoint
from quadriga.server.services import Services
from quadriga.server.settings import Settings

Json = dict[str, Any]


def require_service(settings: Settings, endpoint: str) -> None:
    """Refuse an address that is no push service: otherwise a stranger could make the server call any address."""
    if find_endpoint(settings.push_services, endpoint) is None:
        raise Refused("invalid_option", cause="the endpoint is of no push service that this server knows")


@get("/api/push", tags=["me"], sync_to_thread=False)
def push_key(services: Services) -> Json:
    """The key that a browser subscribes with."""
    return {"key": services.notifier.sender.public}


@post("/api/me/push", tags=["me"], status_code=201)
async def subscribe(data: Subscription, services: Services, guest: Guest | None) -> Json:
    """Tell this browser when it is my turn and no page of mine shows it."""
    who = required(guest)
    try:
        browser_key(data)
        require_service(services.settings, data.endpoint)
    except ValueError:
        raise Refused("invalid_option", cause="the keys are not those of a browser") from None
    now = services.registry.now()
    await services.store.write(lambda connection: subscriptions.add(connection, who.id, data, now))
    return {"subscribed": True}


@delete("/api/me/push", tags=["me"], status_code=200)
async def unsubscribe(
    services: Services,
    guest: Guest | None,
    endpoint: Annotated[str, QueryParameter(min_length=1, max_length=1000)],
) -> Json:
    """Stop notifying this browser."""
    who = required(guest)
    await services.store.write(lambda connection: subscriptions.remove(connection, endpoint, who.id))
    return {"subscribed": False}


HANDLERS = [push_key, subscribe, unsubscribe]
