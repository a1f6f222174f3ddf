"""Checkpoints of a transparency log: the Merkle tree of RFC 6962 and the signed notes of C2SP tlog-checkpoint."""

import base64
import binascii
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519 = b"\x01"  # the algorithm's number in a signed note
KEY_HASH_BYTES = 4
SIGNATURE_PREFIX = "— "


class InvalidNote(ValueError):
    """Raised for a text that is no checkpoint, or a key that is no verifier key."""


@dataclass(frozen=True)
class Checkpoint:
    """The head of a log: the number of its lines and the root hash of their tree."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{_encode(self.root)}\n"


def compute_root(lines: Iterable[bytes]) -> tuple[int, bytes]:
    """Return the number of lines and the root hash of their tree (RFC 6962, section 2.1)."""
    subtrees: list[tuple[int, bytes]] = []  # complete ones, the largest first, with their sizes
    for line in lines:
        size, digest = 1, sha256(b"\x00" + line).digest()
        while subtrees and subtrees[-1][0] == size:
            size, digest = 2 * size, _hash_node(subtrees.pop()[1], digest)
        subtrees.append((size, digest))
    if not subtrees:
        return 0, sha256(b"").digest()
    number, root = subtrees.pop()
    while subtrees:
        size, digest = subtrees.pop()
        number, root = number + size, _hash_node(digest, root)
    return number, root


def _hash_node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def verifier_key(name: str, private_key: bytes) -> str:
    """Return the public key, with its name, as verifiers of signed notes take it."""
    public = _public_bytes(private_key)
    return f"{name}+{_key_hash(name, public).hex()}+{_encode(ED25519 + public)}"


def sign(checkpoint: Checkpoint, private_key: bytes) -> str:
    """Return the checkpoint as a note signed by the key, 32 bytes, under the log's origin."""
    signature = Ed25519PrivateKey.from_private_bytes(private_key).sign(checkpoint.text.encode())
    key_hash = _key_hash(checkpoint.origin, _public_bytes(private_key))
    return f"{checkpoint.text}\n{SIGNATURE_PREFIX}{checkpoint.origin} {_encode(key_hash + signature)}\n"


def read_note(note: str, verifier: str) -> Checkpoint:
    """Return the checkpoint of a note that is signed by the verifier key, and perhaps by others.

    Raise `InvalidNote`.
    """
    name, public = _parse_verifier_key(verifier)
    text, blank, signatures = note.rpartition("\n\n")
    if not blank:
        raise InvalidNote("it has no signature")
    text += "\n"
    for line in signatures.splitlines():
        signer, _space, encoded = line.removeprefix(SIGNATURE_PREFIX).partition(" ")
        if signer == name and _is_signed(text, _decode(encoded), name, public):
            return _parse_checkpoint(text)
    raise InvalidNote(f"it is not signed by {name}")


def _is_signed(text: str, signature: bytes, name: str, public: bytes) -> bool:
    if signature[:KEY_HASH_BYTES] != _key_hash(name, public):
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature[KEY_HASH_BYTES:], text.encode())
    except InvalidSignature:
        return False
    return True


def _parse_checkpoint(text: str) -> Checkpoint:
    try:
        origin, size, root = text.splitlines()[:3]
        return Checkpoint(origin, int(size), _decode(root))
    except ValueError:
        raise InvalidNote("it is no checkpoint") from None


def _parse_verifier_key(verifier: str) -> tuple[str, bytes]:
    name, _plus, rest = verifier.strip().partition("+")
    key_hash, _plus, encoded = rest.partition("+")
    key = _decode(encoded)
    if not name or key[:1] != ED25519 or len(key) != 33 or key_hash != _key_hash(name, key[1:]).hex():
        raise InvalidNote("this is no verifier key")
    return name, key[1:]


def _key_hash(name: str, public: bytes) -> bytes:
    return sha256(name.encode() + b"\n" + ED25519 + public).digest()[:KEY_HASH_BYTES]


def _public_bytes(private_key: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(private_key).public_key().public_bytes_raw()


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidNote("it has no base64") from None
