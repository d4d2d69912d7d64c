/* Checks of the family md5: one stream. */
#include <string.h>

#include "families.h"
#include "kernport.h"
#include "known_answers.h"
#include "native/md5/md5.h"
#include "tests/checkasm/checkasm.h"

#define MOST_BYTES 65536

static struct buffer *state_buffer;
static struct buffer *data_buffer;
static uint8_t text[MOST_BYTES + 1] __attribute__((aligned(64)));

static const struct kp_md5_kernel *entries(const struct kp_kernel *kernel) {
    return kernel->entries;
}

static void make_buffers(void) {
    if (state_buffer == NULL) {
        state_buffer = new_output("state", 16);
        data_buffer = new_input("data", MOST_BYTES + 64);
    }
}

/* One call on `blocks` blocks of text; state words are uint32_t, so the state keeps their alignment. */
static void compress(const struct kp_kernel *kernel, uint32_t state[4], const uint8_t *data, size_t blocks,
                     enum edge edge, size_t offset) {
    uint32_t *given = (void *)place(state_buffer, 16, edge, offset / 4 * 4, state);
    uint8_t *seen = place(data_buffer, 64 * blocks, edge, offset, data);
    operation("compress");
    fact("blocks", blocks);
    fact("data modulo 64", (uintptr_t)seen % 64);
    fact("state modulo 64", (uintptr_t)given % 64);
    CALL(entries(kernel)->compress, P(given), P(seen), blocks);
    expect_untouched(state_buffer);
    expect_untouched(data_buffer);
    memcpy(state, contents(state_buffer), 16);
}

static void compare(const struct kp_kernel *kernel, const struct kp_kernel *portable, size_t blocks, enum edge edge,
                    size_t offset) {
    uint32_t is[4], wanted[4];
    random_bytes(wanted, sizeof wanted);
    memcpy(is, wanted, sizeof is);
    compress(kernel, is, text, blocks, edge, offset);
    entries(portable)->compress(wanted, text, blocks);
    expect_same("the state", (const uint8_t *)is, (const uint8_t *)wanted, 16);
}

static void check_known(const struct kp_kernel *kernel) {
    static uint8_t message[KNOWN_LONGEST + 128];
    for (size_t i = 0; i < known_md5_count; i++) {
        size_t length = known_md5[i].length;
        size_t padded = (length + 8) / 64 * 64 + 64;
        uint32_t state[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
        uint8_t digest[16];
        memset(message, 0, padded);
        pattern(message, 10, length);
        message[length] = 0x80;
        for (size_t j = 0; j < 8; j++) {
            message[padded - 8 + j] = (uint8_t)((uint64_t)length * 8 >> (8 * j));
        }
        compress(kernel, state, message, padded / 64, i % 2 == 0 ? AT_END : AT_START, i % 64);
        for (size_t j = 0; j < 16; j++) {
            digest[j] = (uint8_t)(state[j / 4] >> (8 * (j % 4)));
        }
        fact("message length", length);
        expect_same("the digest hashlib computes", digest, known_md5[i].digest, 16);
    }
}

/* The kernel behind kp_md5_update: every message of known digest, in two pieces and in three. */
static void check_public(const struct kp_kernel *kernel) {
    static uint8_t message[KNOWN_LONGEST];
    for (size_t i = 0; i < known_md5_count; i++) {
        size_t length = known_md5[i].length;
        pattern(message, 10, length);
        for (size_t turn = 0; turn < 8; turn++) {
            kp_md5_state *state = NULL;
            size_t first = turn == 0 ? length : random_below(length + 1);
            size_t second = first + random_below(length - first + 1);
            uint8_t digest[16];
            operation("kp_md5_update");
            fact("first piece ends at", first);
            fact("second piece ends at", second);
            fact("length", length);
            kp_status status = kp_md5_new(&state, kernel->name);
            if (status != KP_OK) {
                fail("kp_md5_new: %s", kp_status_text(status));
                return;
            }
            kp_md5_update(state, message, first);
            kp_md5_update(state, message + first, second - first);
            kp_md5_update(state, message + second, length - second);
            kp_md5_digest(state, digest);
            expect_same("the digest hashlib computes", digest, known_md5[i].digest, 16);
            kp_md5_free(state);
        }
    }
}

static void check(const struct kp_kernel *kernel, const struct kp_kernel *portable) {
    make_buffers();
    random_bytes(text, sizeof text);
    check_known(kernel);
    for (size_t blocks = 0; blocks <= 32; blocks++) {
        compare(kernel, portable, blocks, AT_START, 0);
        compare(kernel, portable, blocks, AT_END, 0);
    }
    for (size_t offset = 0; offset < 64; offset++) {
        for (size_t blocks = 1; blocks <= (options.full ? 32 : 3); blocks++) {
            compare(kernel, portable, blocks, AT_START, offset);
            compare(kernel, portable, blocks, AT_END, offset);
        }
    }
    for (size_t i = 0; i < (options.full ? 100 : 4); i++) {
        compare(kernel, portable, random_below(MOST_BYTES / 64 + 1), AT_END, random_below(64));
    }
    set_interrupted(true);
    for (size_t i = 0; i < (options.full ? 200 : 10); i++) {
        compare(kernel, portable, MOST_BYTES / 64, AT_START, 0);
    }
    set_interrupted(false);
    if (checkasm_kernels_are_public) {
        check_public(kernel);
    }
}

static void check_secrets(const struct kp_kernel *kernel) {
    make_buffers();
    uint32_t state[4] = {1, 2, 3, 4};
    void *given = place(state_buffer, 16, AT_END, 0, state);
    uint8_t *seen = place(data_buffer, 256, AT_END, 0, text);
    mark_secret(given, 16);
    mark_secret(seen, 256);
    operation("compress");
    CALL(entries(kernel)->compress, P(given), P(seen), 4);
    mark_public(given, 16);
    mark_public(seen, 256);
}

static const char *const operations[] = {"md5", "md5 at an odd address", NULL};

static void loop(const struct kp_kernel *kernel, const char *name, size_t bytes, uint64_t count) {
    uint32_t state[4] = {0};
    const uint8_t *data = text + (strcmp(name, operations[0]) == 0 ? 0 : 1);
    for (uint64_t i = 0; i < count; i++) {
        for (size_t done = 0; done < bytes; done += MOST_BYTES) {
            size_t part = bytes - done < MOST_BYTES ? bytes - done : MOST_BYTES;
            entries(kernel)->compress(state, data, part / 64);
        }
    }
}

const struct checkasm_family checks_md5 = {"md5", check, check_secrets, operations, loop};
