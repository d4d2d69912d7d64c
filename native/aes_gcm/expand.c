#include "native/aes_gcm/expand.h"

#include "native/bytes.h"

typedef uint32_t kp_slice;
#include "native/aes_gcm/sub_bytes.h"

/* The S-box on each byte of a word: bit i of the four bytes stays where it is in its byte, moved down to bit 0. */
static uint32_t sub_word(uint32_t word) {
    kp_slice q[8];
    for (int i = 0; i < 8; i++)
        q[i] = word >> i & 0x01010101;
    kp_sub_bytes(q);
    uint32_t result = 0x63636363;
    for (int i = 0; i < 8; i++)
        result ^= q[i] << i;
    return result;
}

unsigned kp_aes_expand_key(uint8_t round_keys[KP_AES_ROUND_KEYS_BYTES], const uint8_t *key, size_t key_length) {
    const unsigned key_words = (unsigned)key_length / 4;
    const unsigned rounds = key_words + 6;
    uint32_t constant = 1;
    for (unsigned i = 0; i < 4 * (rounds + 1); i++) {
        if (i < key_words) {
            kp_store_be32(round_keys + 4 * i, kp_load_be32(key + 4 * i));
            continue;
        }
        uint32_t word = kp_load_be32(round_keys + 4 * (i - 1));
        if (i % key_words == 0) {
            word = sub_word(word << 8 | word >> 24) ^ constant << 24;
            constant = constant << 1 ^ (constant >> 7) * 0x11b;
        } else if (key_words > 6 && i % key_words == 4) {
            word = sub_word(word);
        }
        kp_store_be32(round_keys + 4 * i, word ^ kp_load_be32(round_keys + 4 * (i - key_words)));
    }
    return rounds;
}
