"""NIST's CAVP vectors for GCM, from PyPI's cryptography-vectors: 6 files of 7875 cases.

A file has 525 sections, one for each combination of lengths, of 15 cases. CAVP_SECTION_CASES in the
environment says how many of each section to take, for processors that are emulated.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cryptography_vectors
import pytest

from kernport import AESGCM, GMAC, InvalidTag

FOLDER = Path(cryptography_vectors.__file__).parent / "ciphers" / "AES" / "GCM"
IN_A_SECTION = 15
TAKEN = int(os.environ.get("CAVP_SECTION_CASES", IN_A_SECTION))
CASES_IN_A_FILE = 525 * TAKEN


def cases(name: str) -> Iterator[dict[str, Any]]:
    """The cases of a file, or of each section some: in each at other places."""
    for number, case in enumerate(all_cases(name)):
        section, position = divmod(number, IN_A_SECTION)
        if (position - section) % IN_A_SECTION < TAKEN:
            yield case


def all_cases(name: str) -> Iterator[dict[str, Any]]:
    case: dict[str, Any] = {}
    for line in (FOLDER / name).read_text(encoding="ascii").splitlines():
        key, _, value = line.partition(" = ")
        if line == "FAIL":
            case["fails"] = True
        elif key.rstrip(" =") == "Count":
            if case:
                yield case
            case = {"fails": False}
        elif case and key.rstrip(" =") in ("Key", "IV", "PT", "AAD", "CT", "Tag"):
            case[key.rstrip(" =")] = bytes.fromhex(value)
    yield case


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_encryption(bits: int, aes_gcm_kernel: str) -> None:
    count = 0
    for case in cases(f"gcmEncryptExtIV{bits}.rsp"):
        aead = AESGCM(case["Key"], tag_length=len(case["Tag"]), any_nonce_length=True, kernel=aes_gcm_kernel)
        assert aead.encrypt(case["IV"], case["PT"], case["AAD"]) == case["CT"] + case["Tag"]
        if not case["PT"]:
            mac = GMAC(case["Key"], tag_length=len(case["Tag"]), any_nonce_length=True, kernel=aes_gcm_kernel)
            assert mac.sign(case["IV"], case["AAD"]) == case["Tag"]
        count += 1
    assert count == CASES_IN_A_FILE


@pytest.mark.parametrize("bits", [128, 192, 256])
def test_decryption(bits: int, aes_gcm_kernel: str) -> None:
    count = failures = 0
    for case in cases(f"gcmDecrypt{bits}.rsp"):
        aead = AESGCM(case["Key"], tag_length=len(case["Tag"]), any_nonce_length=True, kernel=aes_gcm_kernel)
        sealed = case["CT"] + case["Tag"]
        if case["fails"]:
            out = bytearray(b"\xa5" * len(case["CT"]))
            with pytest.raises(InvalidTag):
                aead.decrypt_into(case["IV"], sealed, case["AAD"], out)
            assert not any(out)
            failures += 1
        else:
            assert aead.decrypt(case["IV"], sealed, case["AAD"]) == case["PT"]
        count += 1
    assert count == CASES_IN_A_FILE
    assert 3000 < failures * IN_A_SECTION / TAKEN < 5000
