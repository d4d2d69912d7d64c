/* The blocks around the text: pre-counter block, counter, lengths (SP 800-38D, sections 6.2 and 7.1). */
#include "native/aes_gcm/mode.h"

#include "native/bytes.h"

void kp_aes_gcm_derive_j0(const struct kp_aes_gcm_key *key, uint8_t j0[16], const uint8_t *iv, size_t iv_length) {
    if (kp_aes_gcm_is_counter_public(iv_length)) {
        memcpy(j0, iv, 12);
        kp_store_be32(j0 + 12, 1);
        return;
    }
    uint8_t lengths[16] = {0};
    kp_store_be64(lengths + 8, 8 * (uint64_t)iv_length);
    memset(j0, 0, 16);
    key->kernel->hash(key->prepared, j0, iv, iv_length);
    key->kernel->hash(key->prepared, j0, lengths, 16);
}

void kp_aes_gcm_increment(uint8_t counter[16]) {
    kp_store_be32(counter + 12, kp_load_be32(counter + 12) + 1);
}

void kp_aes_gcm_crypt(const struct kp_aes_gcm_key *key, kp_direction direction, size_t iv_length, uint8_t counter[16],
                      uint8_t y[16], const uint8_t *in, uint8_t *out, size_t length) {
    /* Whole blocks, and too few of them for a table that the counter indexes. */
    static const size_t secret_counter_piece = KP_AES_GCM_PUBLIC_COUNTER_BYTES - 16;
    kp_aes_gcm_kernel_encrypt *crypt = direction == KP_ENCRYPT ? key->kernel->encrypt : key->kernel->decrypt;
    while (!kp_aes_gcm_is_counter_public(iv_length) && length > secret_counter_piece) {
        crypt(key->prepared, counter, y, in, out, secret_counter_piece);
        in += secret_counter_piece;
        out += secret_counter_piece;
        length -= secret_counter_piece;
    }
    if (length != 0)
        crypt(key->prepared, counter, y, in, out, length);
}

void kp_aes_gcm_finish(const struct kp_aes_gcm_key *key, uint8_t y[16], uint64_t aad_length, uint64_t text_length,
                       const uint8_t mask[16]) {
    uint8_t lengths[16];
    kp_store_be64(lengths, 8 * aad_length);
    kp_store_be64(lengths + 8, 8 * text_length);
    key->kernel->hash(key->prepared, y, lengths, 16);
    kp_xor_block(y, y, mask);
}
