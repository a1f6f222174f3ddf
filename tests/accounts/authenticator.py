"""An authenticator without a browser: it answers the options of a sign-up with a passkey of its own."""

import json
import os
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from fido2 import cbor
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData

AAGUID = bytes(16)
Flags = AuthenticatorData.FLAG


def make_passkey(options: dict[str, Any], credential_id: bytes = b"") -> dict[str, Any]:
    """Return the credential that a browser would send for `creation_options`; by default with a random id."""
    asked = options["publicKey"]
    credential_id = credential_id or os.urandom(16)
    public_key = ES256.from_cryptography_key(ec.generate_private_key(ec.SECP256R1()).public_key())
    attested = AttestedCredentialData.create(AAGUID, credential_id, public_key)
    flags = Flags.UP | Flags.UV | Flags.AT
    data = AuthenticatorData.create(sha256(asked["rp"]["id"].encode()).digest(), flags, 0, attested)
    client_data = {
        "type": "webauthn.create",
        "challenge": asked["challenge"],
        "origin": f"https://{asked['rp']['id']}",
    }
    attestation = cbor.encode({"fmt": "none", "attStmt": {}, "authData": bytes(data)})
    assert AttestationObject(attestation).auth_data == data
    return {
        "id": websafe_encode(credential_id),
        "rawId": websafe_encode(credential_id),
        "type": "public-key",
        "response": {
            "clientDataJSON": websafe_encode(json.dumps(client_data).encode()),
            "attestationObject": websafe_encode(attestation),
            "transports": ["internal"],
        },
        "clientExtensionResults": {"credProps": {"rk": True}},
    }
