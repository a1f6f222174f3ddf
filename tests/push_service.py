"""A push service for tests: it decrypts as a browser would (RFC 8291), and checks who sends (RFC 8292)."""

import base64
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SALT_BYTES, POINT_BYTES = 16, 65
HANGING_SECONDS = 30.0


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _point_of(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derive(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


class Browser:
    """A browser with a subscription at `endpoint`."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._private = ec.generate_private_key(ec.SECP256R1())
        self._point = _point_of(self._private.public_key())
        self._auth = bytes(range(16))

    @property
    def fields(self) -> dict[str, str]:
        """Return what the page's script sends."""
        return {"endpoint": self.endpoint, "key": encode(self._point), "secret": encode(self._auth)}

    def decrypt(self, body: bytes) -> bytes:
        salt, rest = body[:SALT_BYTES], body[SALT_BYTES + 4 :]  # four bytes are the size of a record
        sender, sealed = rest[1 : 1 + rest[0]], rest[1 + rest[0] :]
        assert len(sender) == POINT_BYTES
        other = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self._private.exchange(ec.ECDH(), other)
        secret = _derive(self._auth, shared, b"WebPush: info\0" + self._point + sender, 32)
        key = _derive(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = _derive(salt, secret, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert padded[-1:] == b"\x02"  # of the last record
        return padded[:-1]


class Delivery(NamedTuple):
    browser: Browser
    headers: dict[str, str]
    payload: dict[str, Any]

    def check_sender(self, public_key: str, origin: str) -> dict[str, Any]:
        """Return the claims of the signed token."""
        scheme, _space, rest = self.headers["authorization"].partition(" ")
        assert scheme.lower() == "vapid"
        fields = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert fields["k"] == public_key
        signed, _dot, signature = fields["t"].rpartition(".")
        raw = decode(signature)
        der = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(public_key))
        point.verify(der, signed.encode(), ec.ECDSA(SHA256()))
        claims = json.loads(decode(signed.partition(".")[2]))
        assert claims["aud"] == origin and claims["exp"] > time.time()
        return claims


class PushService:
    """The service, in threads of this process. `statuses` maps the paths of browsers that it refuses."""

    def __init__(self) -> None:
        self.browsers: dict[str, Browser] = {}
        self.statuses: dict[str, int] = {}
        self.delay_seconds = 0.0
        self.hanging: set[str] = set()  # the paths of browsers to which nothing is answered
        self.deliveries: list[Delivery] = []
        self.times: list[float] = []  # of the deliveries
        self.redirected = 0
        self._lock = threading.Lock()
        self._closed = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = service.take(self.path, {k.lower(): v for k, v in self.headers.items()}, body)
                self.send_response(status)
                if 300 <= status < 400:
                    self.send_header("Location", f"{service.origin}/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def do_GET(self) -> None:
                service.redirected += 1
                self.send_error(404)

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def add_browser(self, name: str = "browser") -> Browser:
        browser = Browser(f"{self.origin}/{name}")
        self.browsers[f"/{name}"] = browser
        return browser

    def take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        if path == "/elsewhere":
            self.redirected += 1
        if status := self.statuses.get(path):
            return status
        if path in self.hanging:
            self._closed.wait(HANGING_SECONDS)
            return 503
        time.sleep(self.delay_seconds)
        browser = self.browsers[path]
        with self._lock:
            self.deliveries.append(Delivery(browser, headers, json.loads(browser.decrypt(body))))
            self.times.append(time.monotonic())
        return 201

    @property
    def titles(self) -> list[str]:
        return [delivery.payload["title"] for delivery in self.deliveries]

    def close(self) -> None:
        self._closed.set()
        self._server.shutdown()
        self._server.server_close()
