#!/usr/bin/python3
"""The installed Python package, beside nothing but what it depends on: known answers and the command."""

import hashlib
import json
import subprocess

import kernport

# McGrew and Viega, The Galois/Counter Mode of Operation, appendix B, test case 4.
KEY = bytes.fromhex("feffe9928665731c6d6a8f9467308308")
NONCE = bytes.fromhex("cafebabefacedbaddecaf888")
HEADER = bytes.fromhex("feedfacedeadbeeffeedfacedeadbeefabaddad2")
TEXT = bytes.fromhex(
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
    "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
)
SEALED = bytes.fromhex(
    "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
    "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
    "5bc94fbc3221a5db94fae95ae7121a47"
)

assert kernport.AESGCM(KEY).encrypt(NONCE, TEXT, HEADER) == SEALED
assert kernport.AESGCM(KEY).decrypt(NONCE, SEALED, HEADER) == TEXT
assert kernport.md5(TEXT * 100).digest() == hashlib.md5(TEXT * 100, usedforsecurity=False).digest()
shown = subprocess.run(["kernport", "show", "--json"], capture_output=True, text=True, check=True)
print(f"{kernport.__file__}: version {json.loads(shown.stdout)['version']}")
