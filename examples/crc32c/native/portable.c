/* CRC-32C (RFC 3720, section 12.1) in plain C.
 *
 * uint32_t crc_crc32c_portable_update(uint32_t crc, const uint8_t *data, size_t length);
 *
 * A word of 64 bits goes into the checksum by eight look-ups, one a byte (M. Kounavis and F. Berry, "A Systematic
 * Approach to Building High Performance, Software-based, CRC Generators", 2005). In a loop over single words each waits
 * for the one before. So four checksums take turns, each over every fourth word, and tables that move a word on by four
 * words lead from one turn to the next (an idea of K. Adler's for zlib, 2018); the last turn joins the four, word by
 * word. The tables are indexed by data: a checksum has no secrets.
 */
#include <stddef.h>
#include <stdint.h>

/* The sums of all subsets of eight numbers, which are what each bit of a byte becomes. */
#define SUMS_1(sum, a) (sum), (sum) ^ UINT32_C(a)
#define SUMS_2(sum, a, b) SUMS_1(sum, a), SUMS_1((sum) ^ UINT32_C(b), a)
#define SUMS_3(sum, a, b, c) SUMS_2(sum, a, b), SUMS_2((sum) ^ UINT32_C(c), a, b)
#define SUMS_4(sum, a, b, c, d) SUMS_3(sum, a, b, c), SUMS_3((sum) ^ UINT32_C(d), a, b, c)
#define SUMS_5(sum, a, b, c, d, e) SUMS_4(sum, a, b, c, d), SUMS_4((sum) ^ UINT32_C(e), a, b, c, d)
#define SUMS_6(sum, a, b, c, d, e, f) SUMS_5(sum, a, b, c, d, e), SUMS_5((sum) ^ UINT32_C(f), a, b, c, d, e)
#define SUMS_7(sum, a, b, c, d, e, f, g) SUMS_6(sum, a, b, c, d, e, f), SUMS_6((sum) ^ UINT32_C(g), a, b, c, d, e, f)
#define SUMS_8(a, b, c, d, e, f, g, h)                                                                                 \
    SUMS_7(UINT32_C(0), a, b, c, d, e, f, g), SUMS_7(UINT32_C(h), a, b, c, d, e, f, g)
#define TABLE(...) {SUMS_8(__VA_ARGS__)}

#define LANES 4
#define WORD_BYTES 8

typedef uint32_t shift_tables[WORD_BYTES][256];

/* What each byte of a word, the first byte first, becomes when the word has moved on by one word: x^95 to x^32. The
 * rows of both are printed by constants.py. */
static const shift_tables by_word = {
    TABLE(0x493c7d27, 0x9278fa4e, 0x211d826d, 0x423b04da, 0x847609b4, 0x0d006599, 0x1a00cb32, 0x34019664),
    TABLE(0x68032cc8, 0xd0065990, 0xa5e0c5d1, 0x4e2dfd53, 0x9c5bfaa6, 0x3d5b83bd, 0x7ab7077a, 0xf56e0ef4),
    TABLE(0xef306b19, 0xdb8ca0c3, 0xb2f53777, 0x6006181f, 0xc00c303e, 0x85f4168d, 0x0e045beb, 0x1c08b7d6),
    TABLE(0x38116fac, 0x7022df58, 0xe045beb0, 0xc5670b91, 0x8f2261d3, 0x1ba8b557, 0x37516aae, 0x6ea2d55c),
    TABLE(0xdd45aab8, 0xbf672381, 0x7b2231f3, 0xf64463e6, 0xe964b13d, 0xd725148b, 0xaba65fe7, 0x52a0c93f),
    TABLE(0xa541927e, 0x4f6f520d, 0x9edea41a, 0x38513ec5, 0x70a27d8a, 0xe144fb14, 0xc76580d9, 0x8b277743),
    TABLE(0x13a29877, 0x274530ee, 0x4e8a61dc, 0x9d14c3b8, 0x3fc5f181, 0x7f8be302, 0xff17c604, 0xfbc3faf9),
    TABLE(0xf26b8303, 0xe13b70f7, 0xc79a971f, 0x8ad958cf, 0x105ec76f, 0x20bd8ede, 0x417b1dbc, 0x82f63b78),
};

/* The same for as many words as there are lanes: x^287 to x^224. */
static const shift_tables by_lanes = {
    TABLE(0x3da6d0cb, 0x7b4da196, 0xf69b432c, 0xe8daf0a9, 0xd45997a3, 0xad5f59b7, 0x5f52c59f, 0xbea58b3e),
    TABLE(0x78a7608d, 0xf14ec11a, 0xe771f4c5, 0xcb0f9f7b, 0x93f34807, 0x220ae6ff, 0x4415cdfe, 0x882b9bfc),
    TABLE(0x15bb4109, 0x2b768212, 0x56ed0424, 0xadda0848, 0x5e586661, 0xbcb0ccc2, 0x7c8def75, 0xf91bdeea),
    TABLE(0xf7dbcb25, 0xea5be0bb, 0xd15bb787, 0xa75b19ff, 0x4b5a450f, 0x96b48a1e, 0x288562cd, 0x510ac59a),
    TABLE(0xa2158b34, 0x41c76099, 0x838ec132, 0x02f1f495, 0x05e3e92a, 0x0bc7d254, 0x178fa4a8, 0x2f1f4950),
    TABLE(0x5e3e92a0, 0xbc7d2540, 0x7d163c71, 0xfa2c78e2, 0xf1b48735, 0xe685789b, 0xc8e687c7, 0x9421797f),
    TABLE(0x2dae840f, 0x5b5d081e, 0xb6ba103c, 0x68985689, 0xd130ad12, 0xa78d2cd5, 0x4af62f5b, 0x95ec5eb6),
    TABLE(0x2e34cb9d, 0x5c69973a, 0xb8d32e74, 0x744a2a19, 0xe8945432, 0xd4c4de95, 0xac65cbdb, 0x5d27e147),
};

/* Little-endian, at any address. In one expression, of which compilers make one load. */
static inline uint64_t load_word(const uint8_t *data) {
    return (uint64_t)data[7] << 56 | (uint64_t)data[6] << 48 | (uint64_t)data[5] << 40 | (uint64_t)data[4] << 32 |
           (uint64_t)data[3] << 24 | (uint64_t)data[2] << 16 | (uint64_t)data[1] << 8 | data[0];
}

static inline uint32_t shift(const shift_tables tables, uint64_t word) {
    const uint32_t low = (uint32_t)word, high = (uint32_t)(word >> 32);
    return tables[0][low & 0xff] ^ tables[1][low >> 8 & 0xff] ^ tables[2][low >> 16 & 0xff] ^ tables[3][low >> 24] ^
           tables[4][high & 0xff] ^ tables[5][high >> 8 & 0xff] ^ tables[6][high >> 16 & 0xff] ^ tables[7][high >> 24];
}

uint32_t crc_crc32c_portable_update(uint32_t crc, const uint8_t *data, size_t length);

uint32_t crc_crc32c_portable_update(uint32_t crc, const uint8_t *data, size_t length) {
    const size_t turn = LANES * WORD_BYTES;
    crc = ~crc;
    if (length >= 2 * turn) {
        uint32_t a = crc, b = 0, c = 0, d = 0;
        for (; length >= 2 * turn; data += turn, length -= turn) {
            a = shift(by_lanes, load_word(data) ^ a);
            b = shift(by_lanes, load_word(data + WORD_BYTES) ^ b);
            c = shift(by_lanes, load_word(data + 2 * WORD_BYTES) ^ c);
            d = shift(by_lanes, load_word(data + 3 * WORD_BYTES) ^ d);
        }
        crc = shift(by_word, load_word(data) ^ a);
        crc = shift(by_word, load_word(data + WORD_BYTES) ^ b ^ crc);
        crc = shift(by_word, load_word(data + 2 * WORD_BYTES) ^ c ^ crc);
        crc = shift(by_word, load_word(data + 3 * WORD_BYTES) ^ d ^ crc);
        data += turn;
        length -= turn;
    }
    for (; length >= WORD_BYTES; data += WORD_BYTES, length -= WORD_BYTES)
        crc = shift(by_word, load_word(data) ^ crc);
    for (; length != 0; data++, length--)
        crc = crc >> 8 ^ by_word[WORD_BYTES - 1][(crc ^ *data) & 0xff];
    return ~crc;
}
