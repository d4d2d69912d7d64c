/* AES-GCM in plain C, constant time: AES on slices (slice.h), GHASH by multiplications with holes
 * (../ghash/carryless.h).
 *
 * ShiftRows costs nothing: the state after round i is kept as it was before the i ShiftRows so far, so that MixColumns
 * in round i looks i columns further for the next row, and the round keys are laid out to match. (Fixslicing:
 * Adomnicai and Peyrin, "Fixslicing AES-like ciphers", TCHES 2021.) */
#include "native/aes_gcm/aes_gcm.h"

#include "native/aes_gcm/expand.h"
#include "native/aes_gcm/portable.h"
#include "native/aes_gcm/slice.h"
#include "native/aes_gcm/sub_bytes.h"
#include "native/bytes.h"
#include "native/ghash/ghash.h"
#include "native/ghash/portable.h"
#include "native/wipe.h"

struct prepared {
    kp_slice round_keys[15][8];
    struct kp_ghash_portable_prepared hash;
    unsigned rounds;
};

_Static_assert(sizeof(struct prepared) <= KP_AES_GCM_PREPARED_BYTES, "the prepared key must fit");

/* MixColumns in a round whose number is `columns` modulo 4, then the round key. With n the next row and m the row
 * after that, a column's row a becomes 2 (a + n) + n + m + (m's next row), and the last two are a + n two rows on. */
KP_INLINE void mix_columns(kp_slice q[8], int columns, const kp_slice round_key[8]) {
    kp_slice next[8], sum[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        next[i] = kp_slice_move(q[i], 1, columns);
        sum[i] = q[i] ^ next[i];
    }
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        q[i] = next[i] ^ kp_slice_move(sum[i], 2, 2 * columns % 4) ^ round_key[i];
    /* Doubling: x^8 = x^4 + x^3 + x + 1. */
    q[0] ^= sum[7];
    q[1] ^= sum[0] ^ sum[7];
    q[2] ^= sum[1];
    q[3] ^= sum[2] ^ sum[7];
    q[4] ^= sum[3] ^ sum[7];
    q[5] ^= sum[4];
    q[6] ^= sum[5];
    q[7] ^= sum[6];
}

/* Enciphers KP_SLICE_BLOCKS blocks. */
static void encipher_blocks(const struct prepared *prepared, const uint8_t *in, uint8_t *out) {
    const kp_slice(*key)[8] = prepared->round_keys, (*const last)[8] = key + prepared->rounds;
    kp_slice q[8];
    kp_slice_load(q, in);
    kp_slice_turn(q);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        q[i] ^= key[0][i];
    for (;; key += 4) {
        kp_sub_bytes(q);
        mix_columns(q, 1, key[1]);
        if (key + 2 == last)
            break;
        kp_sub_bytes(q);
        mix_columns(q, 2, key[2]);
        kp_sub_bytes(q);
        mix_columns(q, 3, key[3]);
        if (key + 4 == last)
            break;
        kp_sub_bytes(q);
        mix_columns(q, 0, key[4]);
    }
    kp_sub_bytes(q);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        q[i] ^= (*last)[i];
    if (prepared->rounds % 4 == 2) {
#pragma GCC unroll 8
        for (int i = 0; i < 8; i++)
            q[i] = kp_slice_shift_rows_twice(q[i]);
    }
    kp_slice_turn(q);
    kp_slice_store(out, q);
}

/* Lays out the round key of a round for slices: as it is before the ShiftRows up to there, with the S-box's 0x63. */
static void slice_round_key(kp_slice sliced[8], const uint8_t round_key[16], unsigned round) {
    uint8_t blocks[KP_SLICE_BYTES];
    for (unsigned column = 0; column < 4; column++)
        for (unsigned row = 0; row < 4; row++)
            blocks[4 * column + row] = round_key[4 * ((column - round * row) % 4) + row] ^ (round == 0 ? 0 : 0x63);
    for (size_t i = 1; i < KP_SLICE_BLOCKS; i++)
        memcpy(blocks + 16 * i, blocks, 16);
    kp_slice_load(sliced, blocks);
    kp_slice_turn(sliced);
    kp_wipe(blocks, sizeof blocks);
}

void kp_aes_gcm_portable_prepare(void *memory, const uint8_t *key, size_t key_length) {
    struct prepared *prepared = memory;
    uint8_t round_keys[KP_AES_ROUND_KEYS_BYTES], h[16] = {0};
    prepared->rounds = kp_aes_expand_key(round_keys, key, key_length);
    for (unsigned i = 0; i <= prepared->rounds; i++)
        slice_round_key(prepared->round_keys[i], round_keys + 16 * i, i);
    kp_aes_gcm_portable_encipher(prepared, h, h);
    kp_ghash_portable_prepare(&prepared->hash, h);
    kp_wipe(round_keys, sizeof round_keys);
    kp_wipe(h, sizeof h);
}

void kp_aes_gcm_portable_encipher(const void *prepared, const uint8_t in[16], uint8_t out[16]) {
    uint8_t blocks[KP_SLICE_BYTES] = {0};
    memcpy(blocks, in, 16);
    encipher_blocks(prepared, blocks, blocks);
    memcpy(out, blocks, 16);
    kp_wipe(blocks, sizeof blocks);
}

void kp_aes_gcm_portable_hash(const void *memory, uint8_t y[16], const uint8_t *data, size_t length) {
    const struct prepared *prepared = memory;
    kp_ghash_portable_update(&prepared->hash, y, data, length);
}

/* Counter mode: out = in xor the key stream. */
static void count(const struct prepared *prepared, uint8_t counter[16], const uint8_t *in, uint8_t *out,
                  size_t length) {
    uint8_t counters[KP_SLICE_BYTES], stream[KP_SLICE_BYTES];
    uint32_t number = kp_load_be32(counter + 12);
    for (size_t i = 0; i < KP_SLICE_BLOCKS; i++)
        memcpy(counters + 16 * i, counter, 12);
    while (length != 0) {
        for (uint32_t i = 0; i < KP_SLICE_BLOCKS; i++)
            kp_store_be32(counters + 16 * i + 12, number + i);
        encipher_blocks(prepared, counters, stream);
        if (length < KP_SLICE_BYTES) {
            for (size_t i = 0; i < length; i++)
                out[i] = in[i] ^ stream[i];
            number += (uint32_t)((length + 15) / 16);
            break;
        }
        for (size_t i = 0; i < KP_SLICE_BYTES; i += 16)
            kp_xor_block(out + i, in + i, stream + i);
        number += KP_SLICE_BLOCKS;
        in += KP_SLICE_BYTES;
        out += KP_SLICE_BYTES;
        length -= KP_SLICE_BYTES;
    }
    kp_store_be32(counter + 12, number);
    kp_wipe(stream, sizeof stream);
}

void kp_aes_gcm_portable_encrypt(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                 uint8_t *out, size_t length) {
    count(prepared, counter, in, out, length);
    kp_aes_gcm_portable_hash(prepared, y, out, length);
}

void kp_aes_gcm_portable_decrypt(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                 uint8_t *out, size_t length) {
    kp_aes_gcm_portable_hash(prepared, y, in, length);
    count(prepared, counter, in, out, length);
}

/* The whole text of a message. The first blocks enciphered are J0, for `mask`, and the first counters. */
static void count_message(const struct prepared *prepared, const uint8_t j0[16], const uint8_t *in, uint8_t *out,
                          size_t length, uint8_t mask[16]) {
    uint8_t blocks[KP_SLICE_BYTES], counter[16];
    const uint32_t number = kp_load_be32(j0 + 12);
    for (uint32_t i = 0; i < KP_SLICE_BLOCKS; i++) {
        memcpy(blocks + 16 * i, j0, 12);
        kp_store_be32(blocks + 16 * i + 12, number + i);
    }
    encipher_blocks(prepared, blocks, blocks);
    memcpy(mask, blocks, 16);
    const size_t first = length < KP_SLICE_BYTES - 16 ? length : KP_SLICE_BYTES - 16;
    for (size_t i = 0; i < first; i++)
        out[i] = in[i] ^ blocks[16 + i];
    kp_wipe(blocks, sizeof blocks);
    if (length != first) {
        memcpy(counter, j0, 12);
        kp_store_be32(counter + 12, number + KP_SLICE_BLOCKS);
        count(prepared, counter, in + first, out + first, length - first);
    }
}

/* y becomes the tag. */
static void finish_tag(const struct prepared *prepared, uint8_t y[16], size_t aad_length, size_t length,
                       uint8_t mask[16]) {
    uint8_t lengths[16];
    kp_store_be64(lengths, 8 * (uint64_t)aad_length);
    kp_store_be64(lengths + 8, 8 * (uint64_t)length);
    kp_ghash_portable_update(&prepared->hash, y, lengths, 16);
    kp_xor_block(y, y, mask);
    kp_wipe(mask, 16);
}

void kp_aes_gcm_portable_seal_message(const void *prepared, const uint8_t j0[16], const uint8_t *aad, size_t aad_length,
                                      const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]) {
    uint8_t mask[16], y[16] = {0};
    kp_aes_gcm_portable_hash(prepared, y, aad, aad_length);
    count_message(prepared, j0, in, out, length, mask);
    kp_aes_gcm_portable_hash(prepared, y, out, length);
    finish_tag(prepared, y, aad_length, length, mask);
    memcpy(tag, y, 16);
}

void kp_aes_gcm_portable_open_message(const void *prepared, const uint8_t j0[16], const uint8_t *aad, size_t aad_length,
                                      const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]) {
    uint8_t mask[16], y[16] = {0};
    kp_aes_gcm_portable_hash(prepared, y, aad, aad_length);
    kp_aes_gcm_portable_hash(prepared, y, in, length);
    count_message(prepared, j0, in, out, length, mask);
    finish_tag(prepared, y, aad_length, length, mask);
    memcpy(tag, y, 16);
}
