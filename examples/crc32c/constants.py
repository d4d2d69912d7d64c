"""The constants of the CRC-32C kernels, derived from the polynomial.

`python constants.py powers` prints native/asm/powers.h, `python constants.py tables` the rows of the tables
in native/portable.c. Source of the polynomial: RFC 3720, section 12.1 (Castagnoli and others, 1993).

In a reflected CRC the first bit of the data is the lowest bit of the first byte and has the highest power of
x. So in a 32-bit number bit i stands for x^(31 - i).
"""

import sys
from collections.abc import Iterable, Iterator

POLYNOMIAL = 0x11EDC6F41  # bit i is the coefficient of x^i
WORDS = 512  # how far the table of powers reaches
STREAM_BYTES = (128, 1024)  # what the kernels without carry-less multiplication give to a stream
LANES = 4  # of the portable kernel
BLOCKS = (8, 4, 2, 1)  # of 16 bytes, that a kernel with two products at once folds over
ORDER = 2**31 - 1  # of x: the polynomial is x + 1 times a primitive one

HEADER = """\
/* Powers of x modulo the polynomial of CRC-32C, for assembly of any architecture. Printed by constants.py.
 *
 * CRC_POLYNOMIAL, 33 bits, and CRC_INVERSE: q = the low half of word * CRC_INVERSE is the multiple of the
 * polynomial that clears a word of 64 bits; the high half of q * CRC_POLYNOMIAL is the checksum of the word.
 *
 * crc_word_shifts: 32-bit numbers, the m-th (from 1) is x^(64 m - 33): a 64-bit word times it, a carry-less
 * product of 96 bits, has moved on by m words. Two neighbours, m + 1 and m, move the two words of a block.
 *
 * crc_block_shifts: the second and the first of such two in 64 bits each, for a block to move on by 8, 4, 2
 * and 1 blocks of 16 bytes.
 *
 * CRC_BACK: x^-97. The product of a checksum, in the low half of a word, by it is the last word of a block of
 * 16 bytes that has this checksum.
 *
 * crc_stream_shifts: tables of 8 times 16 32-bit numbers for a checksum to move on by so many bytes: the
 * first 16 for its lowest nibble, and so on; the sum is the product.
 */"""


def times_x(value: int) -> int:
    """The product of a polynomial of degree below 32 and x, modulo the polynomial."""
    value <<= 1
    return value ^ POLYNOMIAL if value >> 32 else value


def times(a: int, b: int) -> int:
    """The product of two polynomials of degree below 32, modulo the polynomial."""
    product = 0
    for bit in reversed(range(32)):
        product = times_x(product) ^ (a if b >> bit & 1 else 0)
    return product


def power(exponent: int) -> int:
    """x^exponent modulo the polynomial, exponent >= 0."""
    result, square = 1, 2
    while exponent:
        if exponent & 1:
            result = times(result, square)
        square = times(square, square)
        exponent >>= 1
    return result


def reflected(value: int) -> int:
    """The 32 bits of a number in the opposite order."""
    return int(f"{value:032b}"[::-1], 2)


def word_shift(words: int) -> int:
    """What a reflected carry-less product needs to move a word on by so many words of 64 bits.

    The product of a 64-bit word by a 32-bit number, taken for 128 bits, has one factor x too many, and a
    number in the lower half of its word has 32.
    """
    return reflected(power(64 * words - 33))


def nibble_shift(length: int) -> Iterator[int]:
    """The products of x^(8 length) by each value of each nibble of a checksum, lowest nibble first."""
    basis = [reflected(power(8 * length + 31 - bit)) for bit in range(32)]
    for nibble in range(8):
        for value in range(16):
            total = 0
            for bit in range(4):
                if value >> bit & 1:
                    total ^= basis[4 * nibble + bit]
            yield total


def table_rows(lanes: int) -> Iterator[list[int]]:
    """For each byte of a word what each of its bits becomes when the word moves on by so many words.

    The result goes into the first 32 bits of the word there.
    """
    for byte in range(8):
        yield [reflected(power(64 * lanes - 32 + 63 - (8 * byte + bit))) for bit in range(8)]


def reflected_polynomial() -> int:
    """The 33 bits of the polynomial in the opposite order: bit 0 stands for x^32."""
    return reflected(POLYNOMIAL & 0xFFFFFFFF) << 1 | 1


def inverse() -> int:
    """The 64-bit number whose carry-less product by the reflected polynomial has 1 as its low 64 bits."""
    result, product = 0, 0
    for bit in range(64):
        if (product >> bit & 1) != (bit == 0):
            result |= 1 << bit
            product ^= reflected_polynomial() << bit
    return result


def lines(numbers: Iterable[int], prefix: str) -> Iterator[str]:
    """The numbers in hexadecimal, eight a line."""
    row: list[str] = []
    for number in numbers:
        row.append(f"0x{number:08x}")
        if len(row) == 8:
            yield prefix + ", ".join(row)
            row.clear()


def powers() -> Iterator[str]:
    """The lines of native/asm/powers.h."""
    yield from HEADER.splitlines()
    yield "#ifndef CRC_ASM_POWERS_H"
    yield "#define CRC_ASM_POWERS_H"
    yield ""
    yield f"#define CRC_POLYNOMIAL 0x{reflected_polynomial():x}"
    yield f"#define CRC_INVERSE 0x{inverse():016x}"
    yield f"#define CRC_BACK 0x{reflected(power(ORDER - 97)):08x}"
    yield ""
    yield f"#define CRC_WORD_SHIFTS {WORDS}"
    yield ""
    yield ".macro crc_word_shifts"
    yield from lines((word_shift(words) for words in range(1, WORDS + 1)), "    .long ")
    yield ".endm"
    yield ""
    yield ".macro crc_block_shifts"
    for blocks in BLOCKS:
        yield f"    .quad 0x{word_shift(2 * blocks):08x}, 0x{word_shift(2 * blocks + 1):08x}"
    yield ".endm"
    for length in STREAM_BYTES:
        yield ""
        yield f".macro crc_stream_shifts_{length}"
        yield from lines(nibble_shift(length), "    .long ")
        yield ".endm"
    yield ""
    yield "#endif"


def tables() -> Iterator[str]:
    """The rows of the tables in native/portable.c: those of one word, then those of all lanes."""
    for lanes in (1, LANES):
        for row in table_rows(lanes):
            yield f"TABLE({', '.join(f'0x{number:08x}' for number in row)}),"


if __name__ == "__main__":
    kinds = {"powers": powers, "tables": tables}
    if len(sys.argv) != 2 or sys.argv[1] not in kinds:
        sys.exit(f"usage: {sys.argv[0]} {'|'.join(kinds)}")
    print("\n".join(kinds[sys.argv[1]]()))
