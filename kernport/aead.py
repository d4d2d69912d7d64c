"""AES-GCM with the interface of `cryptography.hazmat.primitives.ciphers.aead.AESGCM`, and more."""

import operator
import os
from typing import SupportsIndex

from kernport import calls


class AESGCM(calls.AESGCM):
    """AES-GCM (NIST SP 800-38D) under one key.

    `key` has 16, 24 or 32 bytes. `tag_length` is the length of every tag in bytes: 4, 8 or 12 to 16;
    fewer than 16 only where a protocol asks for it. A nonce has 8 to 128 bytes, 12 being the fast and
    usual length, or any number from 1 on with `any_nonce_length`; no nonce may serve twice under a
    key. `kernel` names the kernel to use instead of the dispatcher's choice.

    Texts, nonces and associated data are contiguous bytes-like objects, read without a copy;
    associated data may also be a list or tuple of them, which counts as their concatenation, or None.
    An instance may be used from several threads at once.
    """

    __slots__ = ()

    @staticmethod
    def generate_key(bit_length: SupportsIndex) -> bytes:
        """Return a fresh random key of 128, 192 or 256 bits, as bytes."""
        if operator.index(bit_length) not in (128, 192, 256):
            raise ValueError("bit_length must be 128, 192, or 256")
        return os.urandom(operator.index(bit_length) // 8)
