/* A kernel of the family aes-gcm behind the public functions: streams in any pieces, short tags, wrong tags, and
 * lengths whose bits do not fit into 32 bits. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "aes_gcm.h"
#include "kernport.h"
#include "tests/checkasm/checkasm.h"

#define MOST_TEXT 2048
#define MOST_AAD 256

static struct buffer *tag_buffer, *out_buffer;
static kp_aes_gcm_key *key;
static uint8_t iv[12], aad[MOST_AAD], text[MOST_TEXT], cipher[MOST_TEXT], tag[16];

static void expect_status(const char *what, kp_status is, kp_status wanted) {
    checkasm_calls++;
    if (is != wanted) {
        fail("%s: %s", what, kp_status_text(is));
    }
}

/* Seals by the portable kernel: what the stream and the one call must give. */
static void seal_portably(const struct kp_aes_gcm_kernel *portable, const void *prepared, size_t aad_length,
                          size_t length) {
    uint8_t j0[16] = {0};
    memcpy(j0, iv, 12);
    j0[15] = 1;
    compose_message(portable, prepared, j0, aad, aad_length, true, text, cipher, length, tag);
}

/* One stream over the AAD in pieces that end at `aad_ends`, and the text likewise. */
static void stream(bool encrypts, const size_t aad_ends[3], const size_t text_ends[3]) {
    kp_aes_gcm_stream *made = NULL;
    const uint8_t *in = encrypts ? text : cipher;
    size_t done = 0;
    operation(encrypts ? "a stream that encrypts" : "a stream that decrypts");
    fact("AAD ends at", aad_ends[0]);
    fact("then at", aad_ends[1]);
    fact("and at", aad_ends[2]);
    fact("text ends at", text_ends[0]);
    fact("then again at", text_ends[1]);
    fact("and finally at", text_ends[2]);
    uint8_t *out = place(out_buffer, text_ends[2], AT_END, 0, NULL);
    expect_status("kp_aes_gcm_stream_new",
                  kp_aes_gcm_stream_new(&made, key, encrypts ? KP_ENCRYPT : KP_DECRYPT, iv, 12), KP_OK);
    for (size_t i = 0; i < 3; i++) {
        expect_status("kp_aes_gcm_stream_aad", kp_aes_gcm_stream_aad(made, aad + done, aad_ends[i] - done), KP_OK);
        done = aad_ends[i];
    }
    done = 0;
    for (size_t i = 0; i < 3; i++) {
        expect_status("kp_aes_gcm_stream_text",
                      kp_aes_gcm_stream_text(made, in + done, text_ends[i] - done, out + done), KP_OK);
        done = text_ends[i];
    }
    if (encrypts) {
        uint8_t *given = place(tag_buffer, 16, AT_END, 0, NULL);
        expect_status("kp_aes_gcm_stream_tag", kp_aes_gcm_stream_tag(made, given, 16), KP_OK);
        expect_same("the tag", contents(tag_buffer), tag, 16);
    } else {
        expect_status("kp_aes_gcm_stream_verify", kp_aes_gcm_stream_verify(made, tag, 16), KP_OK);
    }
    expect_same("the text", contents(out_buffer), encrypts ? cipher : text, text_ends[2]);
    expect_untouched(out_buffer);
    kp_aes_gcm_stream_free(made);
}

static void check_pieces(const struct kp_aes_gcm_kernel *portable, const void *prepared, bool thrifty) {
    static const size_t lengths[] = {1, 15, 16, 17, 33, 64, 131, 300, 1100};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        size_t length = lengths[i];
        size_t aad_length = lengths[(i + 3) % 6];
        size_t step = options.full || length < 150 ? 1 : thrifty ? 29 : 7;
        seal_portably(portable, prepared, aad_length, length);
        for (size_t at = 0; at <= length; at += step) {
            size_t aad_at = at % (aad_length + 1);
            stream(true, (size_t[3]){aad_at, aad_at, aad_length}, (size_t[3]){at, at, length});
            stream(false, (size_t[3]){aad_at, aad_at, aad_length}, (size_t[3]){at, length, length});
        }
        for (size_t at = 0; at <= aad_length; at++) {
            stream(true, (size_t[3]){at, at, aad_length}, (size_t[3]){length, length, length});
        }
    }
    for (size_t i = 0; i < (options.full ? 2000 : thrifty ? 20 : 100); i++) {
        size_t length = random_below(MOST_TEXT + 1), aad_length = random_below(MOST_AAD + 1);
        size_t first = random_below(length + 1), aad_first = random_below(aad_length + 1);
        size_t second = first + random_below(length - first + 1);
        size_t aad_second = aad_first + random_below(aad_length - aad_first + 1);
        seal_portably(portable, prepared, aad_length, length);
        stream(i % 2 == 0, (size_t[3]){aad_first, aad_second, aad_length}, (size_t[3]){first, second, length});
    }
}

/* Tags of every allowed length, and not a byte more; every wrong bit is an error and leaves no text behind. */
static void check_tags(const struct kp_aes_gcm_kernel *portable, const void *prepared) {
    static const size_t tag_lengths[] = {4, 8, 12, 13, 14, 15, 16};
    static const size_t lengths[] = {0, 1, 16, 45, 300};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        size_t length = lengths[i];
        seal_portably(portable, prepared, 20, length);
        for (size_t j = 0; j < sizeof tag_lengths / sizeof tag_lengths[0]; j++) {
            size_t tag_length = tag_lengths[j];
            operation("kp_aes_gcm_seal");
            fact("length", length);
            fact("tag length", tag_length);
            uint8_t *out = place(out_buffer, length, AT_END, 0, NULL);
            uint8_t *given = place(tag_buffer, tag_length, j % 2 == 0 ? AT_END : AT_START, 0, NULL);
            expect_status("the status", kp_aes_gcm_seal(key, iv, 12, aad, 20, text, length, out, given, tag_length),
                          KP_OK);
            expect_same("the tag", contents(tag_buffer), tag, tag_length);
            expect_same("the text", contents(out_buffer), cipher, length);
            expect_untouched(tag_buffer);
            expect_untouched(out_buffer);
            operation("kp_aes_gcm_open");
            fact("length", length);
            fact("tag length", tag_length);
            for (size_t bit = 0; bit < 8 * tag_length; bit += options.full ? 1 : 3) {
                static const uint8_t zeros[300];
                uint8_t wrong[16];
                memcpy(wrong, tag, 16);
                wrong[bit / 8] ^= (uint8_t)(1 << bit % 8);
                out = place(out_buffer, length, AT_END, 0, bit % 2 == 0 ? cipher : NULL);
                fact("wrong bit of the tag", bit);
                expect_status(
                    "the status",
                    kp_aes_gcm_open(key, iv, 12, aad, 20, bit % 2 == 0 ? out : cipher, length, out, wrong, tag_length),
                    KP_INVALID_TAG);
                expect_same("what is left of the text", contents(out_buffer), zeros, length);
                expect_untouched(out_buffer);
            }
        }
    }
}

#if !defined(MAP_NORESERVE)
#define MAP_NORESERVE 0 /* FreeBSD reserves nothing for what is only read */
#endif

/* AAD of 2^29 bytes and more, whose length in bits needs more than 32: zeros, so that GHASH of them is zero. */
static void check_long_aad(const struct kp_aes_gcm_kernel *portable, const void *prepared) {
    static const uint64_t lengths[] = {(UINT64_C(1) << 29) - 1, (UINT64_C(1) << 29) + 16, (UINT64_C(1) << 32) + 5};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        if (lengths[i] > SIZE_MAX / 4) {
            continue;
        }
        size_t length = (size_t)lengths[i];
        uint8_t block[16], mask[16], j0[16] = {0}, y[16] = {0}, is[16];
        uint8_t *zeros = mmap(NULL, length, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (zeros == MAP_FAILED) {
            continue;
        }
        memset(block, 0, 16);
        for (size_t j = 0; j < 8; j++) {
            block[j] = (uint8_t)(lengths[i] * 8 >> (56 - 8 * j));
        }
        memcpy(j0, iv, 12);
        j0[15] = 1;
        portable->hash(prepared, y, block, 16);
        portable->encipher(prepared, j0, mask);
        for (size_t j = 0; j < 16; j++) {
            y[j] ^= mask[j];
        }
        operation("kp_aes_gcm_seal");
        fact("AAD length", lengths[i]);
        expect_status("the status", kp_aes_gcm_seal(key, iv, 12, zeros, length, NULL, 0, NULL, is, 16), KP_OK);
        expect_same("the tag", is, y, 16);
        munmap(zeros, length);
    }
}

void check_aes_gcm_public(const struct kp_kernel *kernel, const struct kp_kernel *portable) {
    static uint8_t prepared[KP_AES_GCM_PREPARED_BYTES] __attribute__((aligned(64)));
    const struct kp_aes_gcm_kernel *entries = portable->entries;
    uint8_t bytes[32];
    bool thrifty = kernel == portable;
    if (out_buffer == NULL) {
        out_buffer = new_output("out", MOST_TEXT);
        tag_buffer = new_output("tag", 16);
    }
    for (size_t length = 16; length <= 32; length += 8) {
        random_bytes(bytes, sizeof bytes);
        random_bytes(iv, sizeof iv);
        random_bytes(aad, sizeof aad);
        random_bytes(text, sizeof text);
        operation("kp_aes_gcm_key_new");
        kp_status status = kp_aes_gcm_key_new(&key, bytes, length, kernel->name);
        expect_status("the status", status, KP_OK);
        if (status != KP_OK) {
            return;
        }
        if (strcmp(kp_aes_gcm_key_kernel(key), kernel->name) != 0) {
            fail("another kernel was taken: %s", kp_aes_gcm_key_kernel(key));
        }
        entries->prepare(prepared, bytes, length);
        if (length == 16 || options.full) {
            check_pieces(entries, prepared, thrifty);
        }
        check_tags(entries, prepared);
        if (options.huge && length == 32 && !thrifty) {
            check_long_aad(entries, prepared);
        }
        kp_aes_gcm_key_free(key);
    }
}
