"""Browser push: messages only the browser can read, sent to a push service that is played here."""

import asyncio
import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from quadriga.client import Client
from quadriga.server.database.guests import Guest
from quadriga.server.database.subscriptions import PushKeys, Subscription
from quadriga.server.notifications.push import encrypt, from_text, point, to_text
from quadriga.server.output.watchers import Watcher
from quadriga.server.process.run import prepare
from quadriga.server.settings import Settings
from quadriga.server.tables.commands import Claim, Start
from quadriga.server.tables.document import NewTable, WantedSeat
from tests.server.postgres import Postgres
from tests.server.serving import serving
from tests.server.test_tables import refused


@dataclass
class Browser:
    """A browser's side of a subscription."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = bytes(range(16))

    def subscription(self) -> dict[str, Any]:
        keys = {"p256dh": to_text(point(self.key.public_key())), "auth": to_text(self.auth)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def read(self, body: bytes) -> Any:
        """What a message says, read as RFC 8188 and RFC 8291 tell a browser to."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        info = b"WebPush: info\0" + point(self.key.public_key()) + sender
        secret = HKDF(hashes.SHA256(), 32, self.auth, info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        text = AESGCM(key).decrypt(nonce, sealed, None)
        assert text[-1:] == b"\x02"
        return json.loads(text[:-1])


class PushService(http.server.ThreadingHTTPServer):
    """Keeps what it is sent; says that `/gone` is gone."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Door)
        self.heard: list[tuple[str, dict[str, str], bytes]] = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"


class Door(http.server.BaseHTTPRequestHandler):
    server: PushService

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.heard.append((self.path, {name.lower(): text for name, text in self.headers.items()}, body))
        self.send_response(410 if self.path == "/gone" else 201)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def push_service() -> Iterator[PushService]:
    with PushService() as service:
        threading.Thread(target=service.serve_forever, daemon=True).start()
        yield service
        service.shutdown()


def check_signature(service: PushService, headers: dict[str, str], key: str) -> None:
    """The request is signed by the key that the page was given."""
    told = dict(part.strip().split("=", 1) for part in headers["authorization"].removeprefix("vapid ").split(","))
    assert told["k"] == key
    head, claims, signed = told["t"].split(".")
    assert json.loads(from_text(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(from_text(claims))["aud"] == service.url
    raw = from_text(signed)
    r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_text(key))
    public.verify(encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))


def test_the_example_of_the_standard_is_encrypted_as_it_says() -> None:
    """RFC 8291, section 5: fixed keys and salt give exactly these bytes."""
    keys = PushKeys(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    private = int.from_bytes(from_text("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    ours = ec.derive_private_key(private, ec.SECP256R1())
    text = b"When I grow up, I want to be a watermelon"
    found = encrypt(text, Subscription("https://push.example", keys), ours, from_text("DGv6ra1nlYgDCS1FRnbzlw"))
    assert to_text(found) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


async def absent_guest(url: str, name: str) -> Client:
    """A guest without a socket."""
    guest = Client(url)
    guest.token = (await guest.request("POST", "/api/guests", {"name": name}))["token"]
    return guest


async def until(check: Any) -> None:
    while not check():
        await asyncio.sleep(0.02)


def test_who_is_away_is_told_once_by_push_and_can_read_it(tmp_path: Path) -> None:
    with push_service() as service:
        settings = {"QUADRIGA_PUSH_SERVICES": service.url, "QUADRIGA_NOTICE_SECONDS": "0"}
        with serving(str(tmp_path / "t.sqlite"), tmp_path, **settings) as server:

            async def story() -> None:
                browser, gone = Browser(f"{service.url}/b"), Browser(f"{service.url}/gone")
                ben = await absent_guest(server.url, "Ben")
                key = (await ben.request("GET", "/api/push"))["key"]
                for one in (browser, gone):
                    await ben.request("POST", "/api/me/push", one.subscription())
                stranger = Browser("https://10.0.0.1/inside").subscription()
                assert await refused(ben.request("POST", "/api/me/push", stranger)) == "invalid_option"
                broken = browser.subscription() | {"keys": {"p256dh": "AAAA", "auth": "AAAA"}}
                assert await refused(ben.request("POST", "/api/me/push", broken)) == "invalid_option"
                assert len((await ben.request("GET", "/api/me/data"))["pushes"]) == 2
                async with Client(server.url, "Ana") as ana:
                    table = await ana.create("chariots", ["me", "open"])
                    await ben.request("POST", f"/api/tables/{table}/commands", {"type": "claim"})
                    await ana.start(table)
                    await until(lambda: len(service.heard) == 2)
                    ((_, headers, body),) = [one for one in service.heard if one[0] == "/b"]
                    check_signature(service, headers, key)
                    assert headers["content-encoding"] == "aes128gcm"
                    told = browser.read(body)
                    assert (told["table"], told["seat"], told["name"]) == (table, 1, "Ben")
                    while len((await ben.request("GET", "/api/me/data"))["pushes"]) == 2:
                        await asyncio.sleep(0.02)
                    # A new choice is owed, and told to the browser that is left.
                    view = await ben.request("GET", f"/api/tables/{table}/view")
                    order = {"type": "choose", "seat": 1, "seq": 0, "action": view["legal"][0]}
                    await ben.request("POST", f"/api/tables/{table}/commands", order)
                    await ana.until(lambda: bool(ana.watched[table].views))
                    await ana.choose(ana.view(table), ana.view(table)["legal"][0])
                    await until(lambda: len(service.heard) == 3)
                    assert browser.read(service.heard[2][2])["table"] == table
                await ben.request("DELETE", f"/api/me/push?endpoint={browser.endpoint}")
                assert (await ben.request("GET", "/api/me/data"))["pushes"] == []

            asyncio.run(asyncio.wait_for(story(), 60))


@dataclass
class Page:
    """A page that shows a table."""

    guest: Guest
    is_looking: bool = True
    blocked: set[str] = field(default_factory=set)
    watching: dict[str, Watcher] = field(default_factory=dict)
    heard: list[bytes] = field(default_factory=list)

    def send(self, message: bytes) -> None:
        self.heard.append(message)


def test_who_has_the_table_on_any_node_is_not_told(cluster: Postgres) -> None:
    async def story(service: PushService) -> None:
        settings = Settings(database=cluster.new_database(), webhook=f"{service.url}/hook", notice_seconds=0)
        one, two = prepare(settings), prepare(settings)
        ana, ben, eve = (Guest(name.lower(), name) for name in ("Ana", "Ben", "Eve"))
        order = NewTable(game="chariots", seats=[WantedSeat("me"), WantedSeat("open"), WantedSeat("open")])
        table = (await one.registry.create(order, ana))[0].doc.id
        for guest in (ben, eve):
            await one.execute(guest, Claim(table=table))
        await one.broadcaster.watch(Watcher(Page(ana), table), None)
        await two.broadcaster.watch(Watcher(Page(ben), table), None)
        await two.notifier.mark_seen()
        await one.execute(ana, Start(table=table))
        for node in (one, two, one):
            await node.executor.attend(table)
            await node.notifier.close()
        assert [json.loads(body)["name"] for _, _, body in service.heard] == ["Eve"]
        for node in (one, two):
            await asyncio.to_thread(node.store.close)

    with push_service() as service:
        asyncio.run(asyncio.wait_for(story(service), 60))


def test_who_watches_is_not_told_until_the_page_is_closed(tmp_path: Path) -> None:
    async def story(service: PushService) -> None:
        settings = Settings(database=str(tmp_path / "t.sqlite"), webhook=f"{service.url}/hook", notice_seconds=0)
        node, ana = prepare(settings), Guest("ana", "Ana")
        order = NewTable(game="chariots", seats=[WantedSeat("me"), WantedSeat("me", "Ben")])
        table = (await node.registry.create(order, ana))[0].doc.id
        watcher = Watcher(Page(ana), table)
        await node.broadcaster.watch(watcher, None)
        await node.execute(ana, Start(table=table))
        revision = (await node.registry.open(table)).revision
        for _ in range(3):
            await node.background._attend_due()
        assert (await node.registry.open(table)).revision == revision, "nothing is written for those who are there"
        node.broadcaster.unwatch(watcher)
        await asyncio.sleep(0.01)
        await node.background._attend_due()
        await node.notifier.close()
        assert sorted(json.loads(body)["seat"] for _, _, body in service.heard) == [0, 1]
        await asyncio.to_thread(node.store.close)

    with push_service() as service:
        asyncio.run(asyncio.wait_for(story(service), 60))
