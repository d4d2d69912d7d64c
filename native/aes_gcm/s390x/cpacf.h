/* What the CPACF kernels of AES-GCM share: the prepared key, single blocks, counter mode. */
#ifndef KP_AES_GCM_S390X_CPACF_H
#define KP_AES_GCM_S390X_CPACF_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "native/aes_gcm/aes_gcm.h"
#include "native/asm/s390x_cpacf.h"
#include "native/bytes.h"
#include "native/ghash/ghash.h"
#include "native/wipe.h"

struct kp_cpacf_key {
    unsigned function; /* of KM, KMCTR and KMA alike */
    uint8_t key[32];
    uint8_t h[16];
    _Alignas(64) uint8_t ghash[KP_GHASH_PREPARED_BYTES]; /* of the family ghash's kernel */
};

_Static_assert(sizeof(struct kp_cpacf_key) <= KP_AES_GCM_PREPARED_BYTES, "the prepared key must fit");

/* Counter blocks made at a time, so that KMCTR's start does not show: 4 KiB of stack. */
#define KP_CPACF_COUNTERS 256

static inline void kp_cpacf_encipher(const struct kp_cpacf_key *key, const uint8_t in[16], uint8_t out[16]) {
    uint64_t length = 16;
    while (kp_cpacf_km(key->function, key->key, &out, &in, &length) == KP_CPACF_PARTIAL)
        ;
}

static inline void kp_cpacf_prepare(struct kp_cpacf_key *key, const uint8_t *bytes, size_t length) {
    key->function = KP_CPACF_AES_128 + (unsigned)(length - 16) / 8;
    memset(key->key, 0, sizeof key->key);
    memcpy(key->key, bytes, length);
    memset(key->h, 0, sizeof key->h);
    kp_cpacf_encipher(key, key->h, key->h);
}

/* Up to KP_CPACF_COUNTERS blocks of text, the last of which may be part of one. */
static inline void kp_cpacf_counter_mode(const struct kp_cpacf_key *key, uint8_t counter[16], const uint8_t *in,
                                         uint8_t *out, size_t length) {
    uint8_t counters[16 * KP_CPACF_COUNTERS];
    const uint8_t *next = counters;
    const size_t rest = length % 16;
    const uint32_t first = kp_load_be32(counter + 12), blocks = (uint32_t)(length / 16);
    uint64_t whole = length - rest;
    for (uint32_t i = 0; i < blocks; i++) {
        memcpy(counters + 16 * i, counter, 12);
        kp_store_be32(counters + 16 * i + 12, first + i);
    }
    if (blocks != 0) {
        while (kp_cpacf_kmctr(key->function, key->key, &out, &in, &whole, &next) == KP_CPACF_PARTIAL)
            ;
    }
    kp_store_be32(counter + 12, first + blocks);
    if (rest != 0) {
        uint8_t stream[16];
        kp_cpacf_encipher(key, counter, stream);
        for (size_t i = 0; i < rest; i++)
            out[i] = in[i] ^ stream[i];
        kp_wipe(stream, sizeof stream);
        kp_store_be32(counter + 12, first + blocks + 1);
    }
}

/* Both directions: pieces of text that stay in the cache from the one pass to the other. */
static inline void kp_cpacf_text(const struct kp_cpacf_key *key, kp_aes_gcm_kernel_hash *hash, int decrypt,
                                 uint8_t counter[16], uint8_t y[16], const uint8_t *in, uint8_t *out, size_t length) {
    while (length != 0) {
        const size_t piece = length < 16 * KP_CPACF_COUNTERS ? length : 16 * KP_CPACF_COUNTERS;
        if (decrypt)
            hash(key, y, in, piece);
        kp_cpacf_counter_mode(key, counter, in, out, piece);
        if (!decrypt)
            hash(key, y, out, piece);
        in += piece;
        out += piece;
        length -= piece;
    }
}

#endif
