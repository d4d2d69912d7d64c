"""Run by another architecture's Python: uses an installed kernport, and prints what happened as JSON.

The first argument is a JSON file: GCM cases with the fields that Wycheproof gives them, MD5 cases as
pairs of a message and a digest, and batches of AES-GCM as a key and lists of IVs, AADs, texts and
sealed texts; all bytes are in hexadecimal.
"""

import json
import platform
import sys
from pathlib import Path

import kernport

cases = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
kernels = [kernel for kernel in kernport.host().kernels if kernel.state in ("chosen", "eligible")]
checked = 0
for kernel in kernels:
    for case in cases["gcm"] if kernel.family == "aes-gcm" else []:
        key, iv, aad, text, sealed, tag = (
            bytes.fromhex(case[name]) for name in ("key", "iv", "aad", "msg", "ct", "tag")
        )
        aead = kernport.AESGCM(key, tag_length=len(tag), any_nonce_length=True, kernel=kernel.name)
        if case["result"] == "invalid":
            try:
                aead.decrypt(iv, sealed + tag, aad)
            except kernport.InvalidTag:
                pass
            else:
                sys.exit(f"{kernel.name}: took the wrong tag of case {case['tcId']}")
        elif aead.encrypt(iv, text, aad) != sealed + tag or aead.decrypt(iv, sealed + tag, aad) != text:
            sys.exit(f"{kernel.name}: wrong answer to case {case['tcId']}")
        checked += 1
    for batch in cases["batches"] if kernel.family == "aes-gcm" else []:
        ivs, aads, texts, answers = (
            [bytes.fromhex(each) for each in batch[name]] for name in ("ivs", "aads", "texts", "sealed")
        )
        aead = kernport.AESGCM(bytes.fromhex(batch["key"]), kernel=kernel.name)
        if aead.encrypt_many(ivs, texts, aads) != answers or aead.decrypt_many(ivs, answers, aads) != texts:
            sys.exit(f"{kernel.name}: wrong answer to a batch of {len(texts)}")
        answers[-1] = answers[-1][:-1] + bytes([answers[-1][-1] ^ 1])
        try:
            aead.decrypt_many(ivs, answers, aads)
        except kernport.InvalidTags as error:
            if error.indices != (len(texts) - 1,):
                sys.exit(f"{kernel.name}: the wrong messages of a batch: {error.indices}")
        else:
            sys.exit(f"{kernel.name}: took a wrong tag in a batch")
        checked += 1
    if kernel.family == "md5-many":
        messages, digests = zip(*cases["md5"], strict=True)
        said = kernport.md5_many([bytes.fromhex(message) for message in messages], kernel=kernel.name)
        if [digest.hex() for digest in said] != list(digests):
            sys.exit(f"{kernel.name}: wrong digests")
        checked += 1
for message, digest in cases["md5"]:
    if kernport.md5(bytes.fromhex(message)).hexdigest() != digest:
        sys.exit(f"md5: wrong answer to {message}")
    checked += 1
print(
    json.dumps(
        {
            "machine": platform.machine(),
            "byteorder": sys.byteorder,
            "chosen": {kernel.family: kernel.name for kernel in kernels if kernel.state == "chosen"},
            "kernels": [f"{kernel.family}/{kernel.name}" for kernel in kernels],
            "checked": checked,
        }
    )
)
