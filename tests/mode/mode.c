/* What the mode code promises at its limits: lengths of SP 800-38D, order of calls, overlap, and totals that no test
 * could feed byte by byte. Prints every promise that is broken; exits with 0 when none is. */
#include <stdio.h>
#include <string.h>

#include "native/aes_gcm/mode.h"
#include "native/md5/padding.h"

/* SP 800-38D, section 5.2.1.1. */
#define MOST_TEXT UINT64_C(68719476704)
#define MOST_AAD UINT64_C(2305843009213693951)
#define MOST_IV MOST_AAD

static int failures;

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                             \
            failures++;                                                                                                \
        }                                                                                                              \
    } while (0)

static const uint8_t zeros[64];

static kp_aes_gcm_stream *new_stream(const kp_aes_gcm_key *key, kp_direction direction) {
    kp_aes_gcm_stream *stream;
    EXPECT(kp_aes_gcm_stream_new(&stream, key, direction, zeros, 12) == KP_OK);
    return stream;
}

static void lengths_have_limits(const kp_aes_gcm_key *key) {
    uint8_t out[64], tag[16];
    kp_aes_gcm_stream *stream = new_stream(key, KP_ENCRYPT);
    stream->aad_length = MOST_AAD - 1;
    EXPECT(kp_aes_gcm_stream_aad(stream, zeros, 2) == KP_TOO_LONG);
    EXPECT(stream->aad_length == MOST_AAD - 1);
    EXPECT(kp_aes_gcm_stream_aad(stream, zeros, 1) == KP_OK);
    EXPECT(kp_aes_gcm_stream_aad(stream, zeros, 1) == KP_TOO_LONG);
    EXPECT(kp_aes_gcm_stream_aad(stream, zeros, 0) == KP_OK);
    stream->text_length = MOST_TEXT - 16;
    EXPECT(kp_aes_gcm_stream_text(stream, zeros, 17, out) == KP_TOO_LONG);
    EXPECT(stream->text_length == MOST_TEXT - 16);
    EXPECT(kp_aes_gcm_stream_text(stream, zeros, 16, out) == KP_OK);
    EXPECT(kp_aes_gcm_stream_text(stream, zeros, 1, out) == KP_TOO_LONG);
    kp_aes_gcm_stream_free(stream);

    EXPECT(kp_aes_gcm_stream_new(&stream, key, KP_ENCRYPT, zeros, 0) == KP_BAD_IV_LENGTH && stream == NULL);
    for (size_t length = 0; length <= 17; length++) {
        const bool allowed = length == 4 || length == 8 || (length >= 12 && length <= 16);
        EXPECT(kp_aes_gcm_seal(key, zeros, 12, NULL, 0, zeros, 1, out, tag, length) ==
               (allowed ? KP_OK : KP_BAD_TAG_LENGTH));
    }
#if SIZE_MAX > 0xffffffff
    EXPECT(kp_aes_gcm_seal(key, zeros, 12, NULL, 0, out, MOST_TEXT + 1, out, tag, 16) == KP_TOO_LONG);
    EXPECT(kp_aes_gcm_open(key, zeros, 12, NULL, 0, out, MOST_TEXT + 1, out, tag, 16) == KP_TOO_LONG);
    EXPECT(kp_aes_gcm_seal(key, zeros, 12, zeros, MOST_AAD + 1, zeros, 1, out, tag, 16) == KP_TOO_LONG);
    EXPECT(kp_aes_gcm_seal(key, zeros, MOST_IV + 1, NULL, 0, zeros, 1, out, tag, 16) == KP_BAD_IV_LENGTH);
#endif
}

/* Tags of nothing but a block of lengths, under a key and an IV of zeros: AES by pyca/cryptography, the product with H
 * by SP 800-38D's algorithm 1. Lengths in bits need more than 32 bits here. */
static void totals_are_counted_in_64_bits(const kp_aes_gcm_key *key) {
    static const struct {
        uint64_t aad, text;
        uint8_t tag[16];
    } totals[] = {
        {UINT64_C(1) << 29,
         0,
         {0xa2, 0x8c, 0x44, 0x87, 0x8f, 0xac, 0xa7, 0xc8, 0xe9, 0x6b, 0x45, 0x20, 0xb4, 0x7e, 0xb1, 0xe9}},
        {(UINT64_C(1) << 61) - 16,
         (UINT64_C(1) << 36) - 32,
         {0xab, 0x64, 0x3b, 0x48, 0xd9, 0x9f, 0xb6, 0x11, 0xc2, 0x3a, 0xfb, 0xbe, 0x2c, 0x75, 0xea, 0x9f}},
        {0,
         UINT64_C(1) << 32,
         {0xe3, 0xc8, 0xab, 0xc3, 0x6c, 0xec, 0x31, 0x1f, 0xd5, 0x0a, 0xdf, 0x1c, 0x0a, 0x73, 0xf8, 0x14}},
    };
    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++) {
        uint8_t tag[16];
        kp_aes_gcm_stream *stream = new_stream(key, KP_ENCRYPT);
        stream->aad_length = totals[i].aad;
        stream->text_length = totals[i].text;
        EXPECT(kp_aes_gcm_stream_tag(stream, tag, 16) == KP_OK);
        EXPECT(memcmp(tag, totals[i].tag, 16) == 0);
        kp_aes_gcm_stream_free(stream);
    }
    static const struct {
        uint64_t total;
        uint8_t bits[8];
    } ends[] = {
        {UINT64_C(1) << 28, {0, 0, 0, 0x80, 0, 0, 0, 0}},
        {UINT64_C(1) << 29, {0, 0, 0, 0, 1, 0, 0, 0}},
        {UINT64_C(1) << 32, {0, 0, 0, 0, 8, 0, 0, 0}},
        {UINT64_C(1) << 61, {0, 0, 0, 0, 0, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        uint8_t last[KP_MD5_MOST_LAST_BLOCKS * KP_MD5_BLOCK_BYTES];
        EXPECT(kp_md5_pad(last, zeros, ends[i].total) == 1);
        EXPECT(memcmp(last + 56, ends[i].bits, 8) == 0);
    }
}

static void calls_have_an_order(const kp_aes_gcm_key *key) {
    uint8_t out[64], tag[16];
    kp_aes_gcm_stream *stream = new_stream(key, KP_ENCRYPT);
    EXPECT(kp_aes_gcm_stream_text(stream, NULL, 0, NULL) == KP_OK);
    EXPECT(kp_aes_gcm_stream_aad(stream, zeros, 1) == KP_OUT_OF_ORDER);
    EXPECT(kp_aes_gcm_stream_verify(stream, zeros, 16) == KP_OUT_OF_ORDER);
    EXPECT(kp_aes_gcm_stream_tag(stream, tag, 5) == KP_BAD_TAG_LENGTH);
    EXPECT(kp_aes_gcm_stream_tag(stream, tag, 16) == KP_OK);
    EXPECT(kp_aes_gcm_stream_tag(stream, tag, 16) == KP_OUT_OF_ORDER);
    EXPECT(kp_aes_gcm_stream_text(stream, zeros, 1, out) == KP_OUT_OF_ORDER);
    EXPECT(kp_aes_gcm_stream_aad(stream, zeros, 1) == KP_OUT_OF_ORDER);
    kp_aes_gcm_stream_free(stream);
    stream = new_stream(key, KP_DECRYPT);
    EXPECT(kp_aes_gcm_stream_tag(stream, tag, 16) == KP_OUT_OF_ORDER);
    EXPECT(kp_aes_gcm_stream_verify(stream, zeros, 16) == KP_INVALID_TAG);
    EXPECT(kp_aes_gcm_stream_verify(stream, zeros, 16) == KP_OUT_OF_ORDER);
    kp_aes_gcm_stream_free(stream);
}

static void overlap_is_refused(const kp_aes_gcm_key *key) {
    uint8_t memory[64] = {0}, tag[16];
    EXPECT(kp_aes_gcm_seal(key, zeros, 12, NULL, 0, memory, 20, memory + 1, tag, 16) == KP_OVERLAP);
    EXPECT(kp_aes_gcm_seal(key, zeros, 12, NULL, 0, memory + 19, 20, memory, tag, 16) == KP_OVERLAP);
    EXPECT(kp_aes_gcm_seal(key, zeros, 12, NULL, 0, zeros, 20, memory, memory + 19, 16) == KP_OVERLAP);
    EXPECT(kp_aes_gcm_open(key, zeros, 12, memory, 1, zeros, 20, memory, tag, 16) == KP_OVERLAP);
    EXPECT(memcmp(memory, zeros, 64) == 0);
    EXPECT(kp_aes_gcm_seal(key, zeros, 12, NULL, 0, memory + 20, 20, memory, tag, 16) == KP_OK);
    EXPECT(kp_aes_gcm_seal(key, zeros, 12, NULL, 0, memory, 20, memory, memory + 20, 16) == KP_OK);
}

int main(void) {
    kp_aes_gcm_key *key;
    EXPECT(kp_aes_gcm_key_new(&key, zeros, 15, NULL) == KP_BAD_KEY_LENGTH && key == NULL);
    EXPECT(kp_aes_gcm_key_new(&key, zeros, 16, NULL) == KP_OK);
    lengths_have_limits(key);
    totals_are_counted_in_64_bits(key);
    calls_have_an_order(key);
    overlap_is_refused(key);
    kp_aes_gcm_key_free(key);
    return failures == 0 ? 0 : 1;
}
