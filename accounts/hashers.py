"""Password hashers that normalize passwords first: the same letters may be typed as different code points."""

import unicodedata
from typing import Any

from django.contrib.auth import hashers


class NormalizingHasher(hashers.BasePasswordHasher):
    """Hashes the NFKC form of a password; verifies the form as typed, too, for passwords set before."""

    def encode(self, password: str, salt: str, *options: Any) -> str:
        encoded: str = super().encode(normalize_password(password), salt, *options)
        return encoded

    def verify(self, password: str, encoded: str) -> bool:
        normalized = normalize_password(password)
        if super().verify(normalized, encoded):
            return True
        return normalized != password and super().verify(password, encoded)


def normalize_password(password: str) -> str:
    return unicodedata.normalize("NFKC", password)


class Argon2PasswordHasher(NormalizingHasher, hashers.Argon2PasswordHasher):
    """Argon2 over the normalized password."""


class PBKDF2PasswordHasher(NormalizingHasher, hashers.PBKDF2PasswordHasher):
    """PBKDF2 over the normalized password."""


class MD5PasswordHasher(NormalizingHasher, hashers.MD5PasswordHasher):
    """MD5 over the normalized password, for tests: it is fast."""
