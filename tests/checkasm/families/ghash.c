/* Checks of the family ghash. */
#include <string.h>

#include "families.h"
#include "kernport.h"
#include "known_answers.h"
#include "native/ghash/ghash.h"
#include "tests/checkasm/checkasm.h"

#define MOST_BYTES 65536
#define SWEEP_BYTES 2048

static struct buffer *prepared_buffer;
static struct buffer *subkey_buffer;
static struct buffer *y_buffer;
static struct buffer *data_buffer;
static uint8_t text[MOST_BYTES];
static uint8_t *prepared;
static uint8_t reference[KP_GHASH_PREPARED_BYTES] __attribute__((aligned(64)));

static const struct kp_ghash_kernel *entries(const struct kp_kernel *kernel) {
    return kernel->entries;
}

static void make_buffers(void) {
    if (y_buffer == NULL) {
        prepared_buffer = new_output("prepared", KP_GHASH_PREPARED_BYTES);
        subkey_buffer = new_input("subkey", 64 + 16);
        y_buffer = new_output("y", 64 + 16);
        data_buffer = new_input("data", MOST_BYTES + 64);
    }
}

static void prepare(const struct kp_kernel *kernel, const uint8_t subkey[16], enum edge edge, size_t offset) {
    uint8_t *given = place(subkey_buffer, 16, edge, offset, subkey);
    set_writable(prepared_buffer, true);
    prepared = place(prepared_buffer, KP_GHASH_PREPARED_BYTES, edge, 0, NULL);
    operation("prepare");
    fact("subkey modulo 64", (uintptr_t)given % 64);
    CALL(entries(kernel)->prepare, P(prepared), P(given));
    expect_untouched(prepared_buffer);
    expect_untouched(subkey_buffer);
    set_writable(prepared_buffer, false);
}

static void update(const struct kp_kernel *kernel, uint8_t y[16], const uint8_t *data, size_t length, enum edge edge,
                   size_t offset, size_t y_offset) {
    uint8_t *seen = place(data_buffer, length, edge, offset, data);
    uint8_t *given = place(y_buffer, 16, edge, y_offset, y);
    operation("update");
    fact("length", length);
    fact("data modulo 64", (uintptr_t)seen % 64);
    fact("y modulo 64", (uintptr_t)given % 64);
    CALL(entries(kernel)->update, P(prepared), P(given), P(seen), length);
    expect_untouched(data_buffer);
    expect_untouched(y_buffer);
    memcpy(y, contents(y_buffer), 16);
}

static void check_known(const struct kp_kernel *kernel) {
    static uint8_t data[KNOWN_LONGEST + 32];
    for (size_t i = 0; i < known_ghash_count; i++) {
        size_t length = known_ghash[i].length;
        size_t padded = (length + 15) / 16 * 16;
        uint8_t y[16] = {0};
        memset(data, 0, padded + 16);
        pattern(data, 9, length);
        for (size_t j = 0; j < 8; j++) {
            data[padded + j] = (uint8_t)((uint64_t)length * 8 >> (56 - 8 * j));
        }
        prepare(kernel, known_ghash[i].subkey, i % 2 == 0 ? AT_START : AT_END, i % 64);
        update(kernel, y, data, padded + 16, AT_END, i % 64, i % 64);
        expect_same("GHASH as OpenSSL computes it", y, known_ghash[i].result, 16);
        /* The same in two parts, the first of which ends within a block. */
        memset(y, 0, 16);
        update(kernel, y, data, length, AT_START, i % 64, i % 64);
        update(kernel, y, data + padded, 16, AT_END, i % 64, i % 64);
        expect_same("GHASH in two parts", y, known_ghash[i].result, 16);
    }
}

static void compare(const struct kp_kernel *kernel, const struct kp_kernel *portable, size_t length, enum edge edge,
                    size_t offset, size_t y_offset) {
    uint8_t is[16], wanted[16];
    random_bytes(wanted, 16);
    memcpy(is, wanted, 16);
    update(kernel, is, text, length, edge, offset, y_offset);
    entries(portable)->update(reference, wanted, text, length);
    expect_same("y", is, wanted, 16);
}

static void new_subkey(const struct kp_kernel *kernel, const struct kp_kernel *portable, enum edge edge,
                       size_t offset) {
    uint8_t subkey[16];
    random_bytes(subkey, 16);
    entries(portable)->prepare(reference, subkey);
    prepare(kernel, subkey, edge, offset);
}

static void check_stack(const struct kp_kernel *kernel) {
    uint8_t y[16], subkey[16];
    random_bytes(subkey, 16);
    clear_stack();
    prepare(kernel, subkey, AT_END, 0);
    expect_not_on_stack("the hash subkey", subkey, 16, 16);
    expect_not_on_stack("what prepare wrote", contents(prepared_buffer), KP_GHASH_PREPARED_BYTES, 16);
    clear_stack();
    random_bytes(y, 16);
    update(kernel, y, text, 1000, AT_END, 0, 0);
    expect_not_on_stack("the hash subkey", subkey, 16, 16);
    expect_not_on_stack("what prepare wrote", contents(prepared_buffer), KP_GHASH_PREPARED_BYTES, 16);
}

/* The kernel behind kp_ghash_update: blocks at a time, and a last part that is filled up. */
static void check_public(const struct kp_kernel *kernel, const struct kp_kernel *portable) {
    uint8_t subkey[16], is[16] = {0}, wanted[16] = {0};
    kp_ghash_key *key = NULL;
    random_bytes(subkey, 16);
    entries(portable)->prepare(reference, subkey);
    operation("kp_ghash_key_new");
    kp_status status = kp_ghash_key_new(&key, subkey, kernel->name);
    if (status != KP_OK) {
        fail("%s", kp_status_text(status));
        return;
    }
    operation("kp_ghash_update");
    for (size_t i = 0; i < 200; i++) {
        size_t length = random_below(600);
        kp_ghash_update(key, is, text + i, length);
        entries(portable)->update(reference, wanted, text + i, length);
        fact("length", length);
        expect_same("y", is, wanted, 16);
    }
    kp_ghash_key_free(key);
}

static void check(const struct kp_kernel *kernel, const struct kp_kernel *portable) {
    /* The portable kernel is slow and C: the full sweep of it is for the long run. */
    size_t step = kernel == portable && !options.full ? 7 : 1;
    make_buffers();
    random_bytes(text, sizeof text);
    check_known(kernel);
    for (size_t length = 0; length <= SWEEP_BYTES; length += length < 300 ? 1 : step) {
        if (length % 64 == 0) {
            new_subkey(kernel, portable, length % 128 == 0 ? AT_START : AT_END, length / 64);
        }
        compare(kernel, portable, length, AT_END, 0, 0);
        compare(kernel, portable, length, AT_START, 0, 0);
    }
    for (size_t offset = 0; offset < 64; offset++) {
        new_subkey(kernel, portable, AT_END, offset);
        for (size_t i = 0; i < (options.full ? 64 : 4); i++) {
            compare(kernel, portable, random_below(1000), AT_START, offset, (offset * 5 + i * 17) % 64);
            compare(kernel, portable, random_below(1000), AT_END, offset, (offset * 3 + i) % 64);
        }
    }
    for (size_t i = 0; i < (options.full ? 200 : 4); i++) {
        compare(kernel, portable, random_below(MOST_BYTES + 1), AT_END, random_below(64), 0);
    }
    if (kernel != portable) {
        check_stack(kernel);
        new_subkey(kernel, portable, AT_END, 0);
    }
    set_interrupted(true);
    for (size_t i = 0; i < (options.full ? 200 : 4); i++) {
        compare(kernel, portable, MOST_BYTES, AT_START, 0, 0);
    }
    set_interrupted(false);
    if (checkasm_kernels_are_public) {
        check_public(kernel, portable);
    }
}

static void check_secrets(const struct kp_kernel *kernel) {
    static const size_t lengths[] = {0, 16, 31, 300, 1600};
    make_buffers();
    random_bytes(text, sizeof text);
    uint8_t *subkey = place(subkey_buffer, 16, AT_END, 0, text);
    set_writable(prepared_buffer, true);
    prepared = place(prepared_buffer, KP_GHASH_PREPARED_BYTES, AT_END, 0, NULL);
    mark_secret(subkey, 16);
    operation("prepare");
    CALL(entries(kernel)->prepare, P(prepared), P(subkey));
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        uint8_t *data = place(data_buffer, lengths[i], AT_END, 0, text);
        uint8_t *y = place(y_buffer, 16, AT_END, 0, text);
        mark_secret(data, lengths[i]);
        mark_secret(y, 16);
        operation("update");
        CALL(entries(kernel)->update, P(prepared), P(y), P(data), lengths[i]);
        mark_public(y, 16);
        mark_public(data, lengths[i]);
    }
    mark_public(subkey, 16);
    mark_public(prepared, KP_GHASH_PREPARED_BYTES);
}

static const char *const operations[] = {"ghash", NULL};

static void loop(const struct kp_kernel *kernel, const char *name, size_t bytes, uint64_t count) {
    uint8_t y[16] = {0};
    (void)name;
    entries(kernel)->prepare(reference, text + 1);
    for (uint64_t i = 0; i < count; i++) {
        for (size_t done = 0; done < bytes; done += MOST_BYTES) {
            size_t part = bytes - done < MOST_BYTES ? bytes - done : MOST_BYTES;
            entries(kernel)->update(reference, y, text, part);
        }
    }
}

const struct checkasm_family checks_ghash = {"ghash", check, check_secrets, operations, loop};
