"""Write answers.h: AES-GCM by pyca/cryptography, for the messages that registers.c makes itself.

python3 answers.py > answers.h
"""

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BITS = (128, 192, 256)
BLOCKS = (8, 9, 16, 31)


def pattern(seed: int, length: int) -> bytes:
    """The bytes that registers.c calls pattern(seed)."""
    return bytes((seed + 7 * number + (number >> 3) * 13) & 0xFF for number in range(length))


def row(bits: int, blocks: int) -> str:
    """One answer: key size, length in bytes, ciphertext, tag."""
    text = pattern(3, 16 * blocks)
    sealed = AESGCM(pattern(1, bits // 8)).encrypt(pattern(2, 12), text, None)
    cipher, tag = sealed[: len(text)], sealed[len(text) :]
    return f'    {{{bits}, {len(text)},\n     "{literal(cipher)}",\n     "{literal(tag)}"}},'


def literal(content: bytes) -> str:
    """The inside of a C string."""
    return "".join(f"\\x{byte:02x}" for byte in content)


print("/* Written by answers.py with pyca/cryptography. */\n/* clang-format off */")
print("static const struct answer answers[] = {")
for key_bits in KEY_BITS:
    for count in BLOCKS:
        print(row(key_bits, count))
print("};")
