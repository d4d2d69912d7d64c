/* Checks of the family aes-gcm: each entry of a kernel alone, and messages made of them.
 *
 * Counter mode of a longer text begins with that of a shorter one, and GHASH of n blocks is a step
 * of GHASH of more. So the portable kernel runs once over the longest text, and every length is
 * compared with a part of that.
 */
#include <string.h>

#include "aes_gcm.h"
#include "families.h"
#include "known_answers.h"
#include "tests/checkasm/checkasm.h"

#define MOST_BYTES 65536
#define SWEEP_BYTES 2048
/* Farther than the widest loop of any kernel, 48 blocks, goes. */
#define WRAP_BLOCKS 70

typedef const struct kp_kernel kernel_t;

static struct buffer *prepared_buffer, *key_buffer, *counter_buffer, *y_buffer, *in_buffer, *out_buffer, *aad_buffer,
    *tag_buffer;
static uint8_t *prepared;
static size_t key_length;
static uint8_t key_bytes[32];

/* What the portable kernel makes of `text` under the key: the text, its ciphertext, and GHASH of the
 * first blocks of both, from the same first counter and y. */
static struct {
    uint8_t prepared[KP_AES_GCM_PREPARED_BYTES] __attribute__((aligned(64)));
    const struct kp_aes_gcm_kernel *portable;
    size_t length;
    uint8_t text[MOST_BYTES];
    uint8_t cipher[MOST_BYTES];
    uint8_t counter[16];
    uint8_t text_y[MOST_BYTES / 16 + 1][16];
    uint8_t cipher_y[MOST_BYTES / 16 + 1][16];
} reference;

enum way { ENCRYPT, DECRYPT };

static const struct kp_aes_gcm_kernel *entries(kernel_t *kernel) {
    return kernel->entries;
}

static void make_buffers(void) {
    if (prepared_buffer == NULL) {
        prepared_buffer = new_output("prepared", KP_AES_GCM_PREPARED_BYTES);
        key_buffer = new_input("key", 96);
        counter_buffer = new_output("counter", 80);
        y_buffer = new_output("y", 80);
        in_buffer = new_input("in", MOST_BYTES + 64);
        out_buffer = new_output("out", MOST_BYTES + 64);
        aad_buffer = new_input("aad", MOST_BYTES + 64);
        tag_buffer = new_output("tag", 80);
    }
}

/* ---- Keys ---- */

static void prepare(kernel_t *kernel, const uint8_t *key, size_t length, enum edge edge, size_t offset) {
    uint8_t *given = place(key_buffer, length, edge, offset, key);
    set_writable(prepared_buffer, true);
    prepared = place(prepared_buffer, KP_AES_GCM_PREPARED_BYTES, edge, 0, NULL);
    operation("prepare");
    fact("key length", length);
    fact("key modulo 64", (uintptr_t)given % 64);
    CALL(entries(kernel)->prepare, P(prepared), P(given), length);
    expect_untouched(prepared_buffer);
    expect_untouched(key_buffer);
    set_writable(prepared_buffer, false);
}

static void new_key(kernel_t *kernel, kernel_t *portable, size_t length, enum edge edge, size_t offset) {
    key_length = length;
    random_bytes(key_bytes, length);
    reference.portable = entries(portable);
    reference.portable->prepare(reference.prepared, key_bytes, length);
    prepare(kernel, key_bytes, length, edge, offset);
}

/* ---- Text ---- */

/* GHASH states after each block of `data`, by the portable kernel. */
static void make_states(uint8_t (*states)[16], const uint8_t *data, size_t length) {
    for (size_t i = 0; i < length / 16; i++) {
        memcpy(states[i + 1], states[i], 16);
        reference.portable->hash(reference.prepared, states[i + 1], data + 16 * i, 16);
    }
}

/* Fills the reference for texts of up to `length` bytes from the given counter block on. */
static void make_reference(const uint8_t counter[16], size_t length) {
    uint8_t running[16], y[16];
    reference.length = length;
    random_bytes(reference.text, length);
    memcpy(reference.counter, counter, 16);
    memcpy(running, counter, 16);
    random_bytes(y, 16);
    memcpy(reference.text_y[0], y, 16);
    memcpy(reference.cipher_y[0], y, 16);
    reference.portable->encrypt(reference.prepared, running, y, reference.text, reference.cipher, length);
    make_states(reference.text_y, reference.text, length);
    make_states(reference.cipher_y, reference.cipher, length);
}

static void state_after(uint8_t y[16], uint8_t (*states)[16], const uint8_t *data, size_t length) {
    memcpy(y, states[length / 16], 16);
    if (length % 16 != 0) {
        reference.portable->hash(reference.prepared, y, data + length / 16 * 16, length % 16);
    }
}

/* The counter block `blocks` later. */
static void advance(uint8_t counter[16], size_t blocks) {
    uint32_t low = (uint32_t)counter[12] << 24 | (uint32_t)counter[13] << 16 | (uint32_t)counter[14] << 8 | counter[15];
    low += (uint32_t)blocks;
    for (size_t i = 0; i < 4; i++) {
        counter[12 + i] = (uint8_t)(low >> (24 - 8 * i));
    }
}

struct layout {
    enum edge edge;
    size_t in, out, small; /* offsets from the edge: input, output, counter and y */
    bool in_place;
};

/* Runs encrypt or decrypt over bytes [from, from + length) of the reference's text and checks what comes out.
 * `from` is a multiple of 16. */
static void compare_text(kernel_t *kernel, enum way way, size_t from, size_t length, struct layout layout) {
    const uint8_t *in = (way == ENCRYPT ? reference.text : reference.cipher) + from;
    const uint8_t *wanted = (way == ENCRYPT ? reference.cipher : reference.text) + from;
    uint8_t counter[16], y[16];
    memcpy(counter, reference.counter, 16);
    advance(counter, from / 16);
    uint8_t *given_counter = place(counter_buffer, 16, layout.edge, layout.small, counter);
    uint8_t *given_y = place(y_buffer, 16, layout.edge, (layout.small * 7) % 64, reference.cipher_y[from / 16]);
    uint8_t *given_out = place(out_buffer, length, layout.edge, layout.out, layout.in_place ? in : NULL);
    uint8_t *given_in = layout.in_place ? given_out : place(in_buffer, length, layout.edge, layout.in, in);
    operation(way == ENCRYPT ? "encrypt" : "decrypt");
    fact("key length", key_length);
    fact("length", length);
    fact("in place", layout.in_place);
    fact("in modulo 64", (uintptr_t)given_in % 64);
    fact("out modulo 64", (uintptr_t)given_out % 64);
    fact("counter modulo 64", (uintptr_t)given_counter % 64);
    fact("y modulo 64", (uintptr_t)given_y % 64);
    fact("counter's last four bytes",
         (uint32_t)counter[12] << 24 | (uint32_t)counter[13] << 16 | (uint32_t)counter[14] << 8 | counter[15]);
    CALL(way == ENCRYPT ? (checkasm_function *)entries(kernel)->encrypt : (checkasm_function *)entries(kernel)->decrypt,
         P(prepared), P(given_counter), P(given_y), P(given_in), P(given_out), length);
    expect_untouched(out_buffer);
    expect_untouched(counter_buffer);
    expect_untouched(y_buffer);
    if (!layout.in_place) {
        expect_untouched(in_buffer);
    }
    expect_same("the text", contents(out_buffer), wanted, length);
    state_after(y, reference.cipher_y, reference.cipher, from + length);
    expect_same("y", contents(y_buffer), y, 16);
    advance(counter, (length + 15) / 16);
    expect_same("the counter block left behind", contents(counter_buffer), counter, 16);
}

static void compare_hash(kernel_t *kernel, size_t from, size_t length, enum edge edge, size_t offset, size_t small) {
    uint8_t y[16];
    uint8_t *given_y = place(y_buffer, 16, edge, small, reference.text_y[from / 16]);
    uint8_t *data = place(aad_buffer, length, edge, offset, reference.text + from);
    operation("hash");
    fact("key length", key_length);
    fact("length", length);
    fact("data modulo 64", (uintptr_t)data % 64);
    fact("y modulo 64", (uintptr_t)given_y % 64);
    CALL(entries(kernel)->hash, P(prepared), P(given_y), P(data), length);
    expect_untouched(aad_buffer);
    expect_untouched(y_buffer);
    state_after(y, reference.text_y, reference.text, from + length);
    expect_same("y", contents(y_buffer), y, 16);
}

static void compare_encipher(kernel_t *kernel, enum edge edge, size_t in, size_t out, bool in_place) {
    uint8_t block[16], wanted[16];
    random_bytes(block, 16);
    reference.portable->encipher(reference.prepared, block, wanted);
    uint8_t *given_out = place(out_buffer, 16, edge, out, in_place ? block : NULL);
    uint8_t *given_in = in_place ? given_out : place(in_buffer, 16, edge, in, block);
    operation("encipher");
    fact("key length", key_length);
    fact("in place", in_place);
    fact("in modulo 64", (uintptr_t)given_in % 64);
    fact("out modulo 64", (uintptr_t)given_out % 64);
    CALL(entries(kernel)->encipher, P(prepared), P(given_in), P(given_out));
    expect_untouched(out_buffer);
    expect_same("the block", contents(out_buffer), wanted, 16);
}

/* ---- Messages: from J0 to the tag ---- */

static void length_block(uint8_t block[16], uint64_t aad_length, uint64_t length) {
    for (size_t i = 0; i < 8; i++) {
        block[i] = (uint8_t)(aad_length * 8 >> (56 - 8 * i));
        block[8 + i] = (uint8_t)(length * 8 >> (56 - 8 * i));
    }
}

void compose_message(const struct kp_aes_gcm_kernel *with, const void *key, const uint8_t j0[16], const uint8_t *aad,
                     size_t aad_length, bool encrypts, const uint8_t *in, uint8_t *out, size_t length,
                     uint8_t tag[16]) {
    uint8_t counter[16], y[16] = {0}, lengths[16], mask[16];
    memcpy(counter, j0, 16);
    advance(counter, 1);
    with->hash(key, y, aad, aad_length);
    (encrypts ? with->encrypt : with->decrypt)(key, counter, y, in, out, length);
    length_block(lengths, aad_length, length);
    with->hash(key, y, lengths, 16);
    with->encipher(key, j0, mask);
    for (size_t i = 0; i < 16; i++) {
        tag[i] = y[i] ^ mask[i];
    }
}

/* The message entries, where a kernel has them, against the portable kernel's parts. */
static void compare_message(kernel_t *kernel, enum way way, const uint8_t j0[16], size_t aad_length, size_t length,
                            struct layout layout) {
    static uint8_t text[MOST_BYTES], wanted[MOST_BYTES], aad[MOST_BYTES];
    uint8_t tag[16];
    random_bytes(text, length);
    random_bytes(aad, aad_length);
    compose_message(reference.portable, reference.prepared, j0, aad, aad_length, way == ENCRYPT, text, wanted, length,
                    tag);
    uint8_t *given_j0 = place(key_buffer, 16, layout.edge, layout.small, j0);
    uint8_t *given_aad = place(aad_buffer, aad_length, layout.edge, (layout.in * 5) % 64, aad);
    uint8_t *given_out = place(out_buffer, length, layout.edge, layout.out, layout.in_place ? text : NULL);
    uint8_t *given_in = layout.in_place ? given_out : place(in_buffer, length, layout.edge, layout.in, text);
    uint8_t *given_tag = place(tag_buffer, 16, layout.edge, (layout.small * 3) % 64, NULL);
    operation(way == ENCRYPT ? "seal_message" : "open_message");
    fact("key length", key_length);
    fact("AAD length", aad_length);
    fact("length", length);
    fact("in place", layout.in_place);
    fact("in modulo 64", (uintptr_t)given_in % 64);
    fact("out modulo 64", (uintptr_t)given_out % 64);
    fact("AAD modulo 64", (uintptr_t)given_aad % 64);
    fact("tag modulo 64", (uintptr_t)given_tag % 64);
    fact("J0's last four bytes", (uint32_t)j0[12] << 24 | (uint32_t)j0[13] << 16 | (uint32_t)j0[14] << 8 | j0[15]);
    CALL(way == ENCRYPT ? (checkasm_function *)entries(kernel)->seal_message
                        : (checkasm_function *)entries(kernel)->open_message,
         P(prepared), P(given_j0), P(given_aad), aad_length, P(given_in), P(given_out), length, P(given_tag));
    expect_untouched(out_buffer);
    expect_untouched(tag_buffer);
    expect_untouched(aad_buffer);
    expect_untouched(key_buffer);
    if (!layout.in_place) {
        expect_untouched(in_buffer);
    }
    expect_same("the text", contents(out_buffer), wanted, length);
    expect_same("the tag", contents(tag_buffer), tag, 16);
}

/* ---- The checks ---- */

static uint32_t crc32(const uint8_t *data, size_t length) {
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < length; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (0xedb88320 & (0 - (crc & 1)));
        }
    }
    return ~crc;
}

/* Messages whose tags OpenSSL computed, by the kernel's own entries alone. */
static void check_known(kernel_t *kernel) {
    static uint8_t text[KNOWN_LONGEST] __attribute__((aligned(64))), aad[KNOWN_LONGEST] __attribute__((aligned(64)));
    static uint8_t cipher[KNOWN_LONGEST] __attribute__((aligned(64))),
        again[KNOWN_LONGEST] __attribute__((aligned(64)));
    for (size_t i = 0; i < known_aes_gcm_count; i++) {
        const struct known_aes_gcm *known = &known_aes_gcm[i];
        uint8_t j0[16] = {0}, tag[16], key[32], block[16];
        pattern(key, known->key_length, known->key_length);
        pattern(aad, 7, known->aad_length);
        pattern(text, 8, known->text_length);
        prepare(kernel, key, known->key_length, AT_END, i % 64);
        operation("a whole message");
        fact("key length", known->key_length);
        fact("AAD length", known->aad_length);
        fact("length", known->text_length);
        fact("IV length", known->iv_length);
        if (known->iv_length == 12) {
            memcpy(j0, known->iv, 12);
            j0[15] = 1;
        } else {
            length_block(block, 0, known->iv_length);
            entries(kernel)->hash(prepared, j0, known->iv, known->iv_length);
            entries(kernel)->hash(prepared, j0, block, 16);
        }
        expect_same("J0", j0, known->j0, 16);
        compose_message(entries(kernel), prepared, j0, aad, known->aad_length, true, text, cipher, known->text_length,
                        tag);
        if (crc32(cipher, known->text_length) != known->cipher_crc32) {
            fail("the ciphertext is not the one OpenSSL computes");
        }
        expect_same("the tag OpenSSL computes", tag, known->tag, 16);
        compose_message(entries(kernel), prepared, j0, aad, known->aad_length, false, cipher, again, known->text_length,
                        tag);
        expect_same("the text deciphered again", again, text, known->text_length);
        expect_same("the tag OpenSSL computes, when deciphering,", tag, known->tag, 16);
        if (entries(kernel)->seal_message != NULL) {
            operation("seal_message");
            entries(kernel)->seal_message(prepared, j0, aad, known->aad_length, text, again, known->text_length, tag);
            expect_same("the ciphertext", again, cipher, known->text_length);
            expect_same("the tag OpenSSL computes", tag, known->tag, 16);
        }
    }
}

/* Every length, against both edges, in place and not, both ways; the slow portable kernel takes turns. */
static void check_lengths(kernel_t *kernel, kernel_t *portable) {
    static const size_t key_lengths[] = {16, 24, 32};
    bool thrifty = kernel == portable && !options.full;
    uint8_t counter[16];
    for (size_t turn = 0; turn < 3; turn++) {
        new_key(kernel, portable, key_lengths[turn], turn == 1 ? AT_START : AT_END, turn);
        random_bytes(counter, 16);
        make_reference(counter, SWEEP_BYTES);
        for (size_t length = 0; length <= SWEEP_BYTES; length++) {
            if (!options.full && length > 64 && length % 3 != turn) {
                continue;
            }
            if (thrifty && length > 300 && length % 11 != 0) {
                continue;
            }
            for (unsigned combination = 0; combination < 4; combination++) {
                struct layout layout = {combination % 2 == 0 ? AT_END : AT_START, 0, 0, 0, combination >= 2};
                if (!thrifty || length <= 64 || (length / 3 + combination) % 4 == 0) {
                    compare_text(kernel, ENCRYPT, 0, length, layout);
                    compare_text(kernel, DECRYPT, 0, length, layout);
                }
            }
            compare_hash(kernel, 0, length, AT_END, 0, 0);
            compare_hash(kernel, 0, length, AT_START, 0, 0);
        }
    }
}

/* Alignments: all pairs of input and output in the long run, a covering subset otherwise. */
static void check_alignments(kernel_t *kernel, kernel_t *portable) {
    uint8_t counter[16];
    for (size_t in = 0; in < 64; in++) {
        if (in % 8 == 0) {
            new_key(kernel, portable, 16 + 8 * (in / 8 % 3), AT_START, in);
            random_bytes(counter, 16);
            make_reference(counter, SWEEP_BYTES);
        }
        prepare(kernel, key_bytes, key_length, in % 2 == 0 ? AT_START : AT_END, in);
        for (size_t i = 0; i < (options.full ? 64 : 6); i++) {
            size_t out = options.full ? i : (in * (2 * i + 1) + 11 * i) % 64;
            size_t length = 16 + random_below(i % 2 == 0 ? 300 : 1100);
            struct layout layout = {i % 2 == 0 ? AT_START : AT_END, in, out, (in + i) % 64, false};
            compare_text(kernel, i % 4 < 2 ? ENCRYPT : DECRYPT, 0, length, layout);
            layout.in_place = true;
            compare_text(kernel, i % 4 < 2 ? DECRYPT : ENCRYPT, 0, length, layout);
            compare_hash(kernel, 0, length, layout.edge, in, out);
            compare_encipher(kernel, layout.edge, in, out, i % 3 == 0);
        }
    }
}

/* Counters that reach 2^32 at each block up to beyond the widest loop. All ones before the last four
 * bytes would show a carry that must not be. */
static void check_wraps(kernel_t *kernel, kernel_t *portable) {
    for (size_t blocks = 0; blocks <= WRAP_BLOCKS; blocks++) {
        uint8_t counter[16];
        if (blocks % 24 == 0) {
            new_key(kernel, portable, 16 + 8 * (blocks / 24 % 3), AT_END, 0);
        }
        random_bytes(counter, 8);
        memset(counter + 8, 0xff, 8);
        counter[15] = (uint8_t)(0xff - blocks);
        make_reference(counter, 16 * (WRAP_BLOCKS + 50));
        for (size_t i = 0; i < (options.full ? 40 : 3); i++) {
            size_t length = 16 * blocks + random_below(16 * 50);
            struct layout layout = {AT_END, 0, 0, 0, i % 2 == 1};
            compare_text(kernel, ENCRYPT, 0, length, layout);
            compare_text(kernel, DECRYPT, 0, length, layout);
        }
        if (options.full) {
            for (size_t length = 1; length <= 16 * (WRAP_BLOCKS + 50); length += 7) {
                compare_text(kernel, ENCRYPT, 0, length, (struct layout){AT_START, 0, 0, 0, false});
            }
        }
    }
    /* The counter's third and second byte carry, too: every place at which the low byte runs over. */
    for (size_t i = 0; i < (options.full ? 256 : 16); i++) {
        uint8_t counter[16];
        random_bytes(counter, 16);
        counter[13] = counter[14] = 0xff;
        counter[15] = (uint8_t)(options.full ? i : 0xff - 4 * i);
        make_reference(counter, SWEEP_BYTES);
        compare_text(kernel, ENCRYPT, 0, SWEEP_BYTES, (struct layout){AT_END, 0, 0, 0, false});
        compare_text(kernel, DECRYPT, 0, SWEEP_BYTES - i, (struct layout){AT_END, 0, 0, 0, true});
    }
}

/* A text in two or three calls, split at whole blocks, is the text in one. */
static void check_splits(kernel_t *kernel, kernel_t *portable) {
    uint8_t counter[16];
    size_t blocks = options.full ? SWEEP_BYTES / 16 : 56;
    new_key(kernel, portable, 32, AT_END, 0);
    random_bytes(counter, 16);
    make_reference(counter, 16 * blocks + 15);
    for (size_t first = 0; first <= blocks; first++) {
        size_t second = first + random_below(blocks - first + 1);
        size_t length = 16 * blocks + random_below(16);
        struct layout layout = {AT_END, 0, 0, 0, first % 2 == 0};
        enum way way = first % 3 == 0 ? DECRYPT : ENCRYPT;
        compare_text(kernel, way, 0, 16 * first, layout);
        compare_text(kernel, way, 16 * first, 16 * (second - first), layout);
        compare_text(kernel, way, 16 * second, length - 16 * second, layout);
        compare_hash(kernel, 0, 16 * first, AT_END, 0, 0);
        compare_hash(kernel, 16 * first, length - 16 * first, AT_END, 0, 0);
    }
}

static void check_long(kernel_t *kernel, kernel_t *portable) {
    for (size_t i = 0; i < (options.full ? 60 : 3); i++) {
        uint8_t counter[16];
        new_key(kernel, portable, 16 + 8 * (i % 3), AT_END, 0);
        random_bytes(counter, 16);
        make_reference(counter, MOST_BYTES);
        for (size_t j = 0; j < (options.full ? 8 : 2); j++) {
            size_t length = random_below(MOST_BYTES + 1);
            struct layout layout = {j % 2 == 0 ? AT_END : AT_START, random_below(64), random_below(64),
                                    random_below(64), random_below(2) == 1};
            compare_text(kernel, ENCRYPT, 0, length, layout);
            compare_text(kernel, DECRYPT, 0, length, layout);
            compare_hash(kernel, 0, length, AT_END, random_below(64), 0);
        }
    }
}

static void check_messages(kernel_t *kernel, kernel_t *portable) {
    static const size_t aad_lengths[] = {0, 16, 20, 32, 13, 48, 64, 1, 128, 255, 768, 1040};
    size_t number = 0;
    if (entries(kernel)->seal_message == NULL) {
        return;
    }
    for (size_t length = 0; length <= (options.full ? SWEEP_BYTES : 1100); length++) {
        uint8_t j0[16];
        if (length % 64 == 0) {
            new_key(kernel, portable, 16 + 8 * (length / 64 % 3), AT_END, 0);
        }
        random_bytes(j0, 16);
        if (length % 2 == 0) {
            memset(j0 + 12, 0xff, 4);
            j0[15] = (uint8_t)(0xff - length % 71);
        }
        for (unsigned i = 0; i < (options.full ? 8 : 2); i++) {
            size_t aad_length = aad_lengths[number++ % (sizeof aad_lengths / sizeof aad_lengths[0])];
            bool flush = number % 3 == 0;
            struct layout layout = {number % 2 == 0 ? AT_END : AT_START, flush ? 0 : random_below(64),
                                    flush ? 0 : random_below(64), flush ? 0 : random_below(64), number % 5 == 0};
            compare_message(kernel, ENCRYPT, j0, aad_length, length, layout);
            compare_message(kernel, DECRYPT, j0, aad_length, length, layout);
        }
    }
    for (size_t aad_length = 0; aad_length <= (options.full ? SWEEP_BYTES : 300); aad_length++) {
        uint8_t j0[16];
        random_bytes(j0, 16);
        compare_message(kernel, ENCRYPT, j0, aad_length, aad_length % 40, (struct layout){AT_END, 0, 0, 0, false});
    }
}

/* No secret stays on the stack: not the key, not what prepare derived from it. */
static void check_stack(kernel_t *kernel, kernel_t *portable) {
    static const size_t lengths[] = {15, 100, 1100};
    uint8_t counter[16];
    for (size_t i = 0; i < 3; i++) {
        clear_stack();
        new_key(kernel, portable, 16 + 8 * i, AT_END, 0);
        expect_not_on_stack("the key", key_bytes, key_length, 8);
        expect_not_on_stack("what prepare wrote", contents(prepared_buffer), KP_AES_GCM_PREPARED_BYTES, 16);
        random_bytes(counter, 16);
        make_reference(counter, lengths[i]);
        for (unsigned way = ENCRYPT; way <= DECRYPT; way++) {
            clear_stack();
            compare_text(kernel, way, 0, lengths[i], (struct layout){AT_END, 0, 0, 0, false});
            expect_not_on_stack("what prepare wrote", contents(prepared_buffer), KP_AES_GCM_PREPARED_BYTES, 16);
            expect_not_on_stack("the text", reference.text, lengths[i], 16);
        }
        clear_stack();
        compare_hash(kernel, 0, lengths[i], AT_END, 0, 0);
        expect_not_on_stack("what prepare wrote", contents(prepared_buffer), KP_AES_GCM_PREPARED_BYTES, 16);
        if (entries(kernel)->seal_message != NULL) {
            for (unsigned way = ENCRYPT; way <= DECRYPT; way++) {
                clear_stack();
                compare_message(kernel, way, counter, 20, lengths[i], (struct layout){AT_END, 0, 0, 0, false});
                expect_not_on_stack("what prepare wrote", contents(prepared_buffer), KP_AES_GCM_PREPARED_BYTES, 16);
                expect_not_on_stack("the text", contents(way == ENCRYPT ? in_buffer : out_buffer), lengths[i], 16);
            }
        }
    }
}

/* Signals may arrive at any instruction, and their frames lie below the stack pointer. */
static void check_interrupted(kernel_t *kernel, kernel_t *portable) {
    uint8_t counter[16];
    new_key(kernel, portable, 16, AT_END, 0);
    random_bytes(counter, 16);
    make_reference(counter, MOST_BYTES);
    set_interrupted(true);
    for (size_t i = 0; i < (options.full ? 200 : 4); i++) {
        compare_text(kernel, ENCRYPT, 0, MOST_BYTES, (struct layout){AT_END, 0, 0, 0, false});
        compare_text(kernel, DECRYPT, 0, MOST_BYTES, (struct layout){AT_END, 0, 0, 0, false});
        compare_hash(kernel, 0, MOST_BYTES, AT_END, 0, 0);
    }
    set_interrupted(false);
}

static void check(kernel_t *kernel, kernel_t *portable) {
    make_buffers();
    check_known(kernel);
    check_lengths(kernel, portable);
    check_alignments(kernel, portable);
    check_wraps(kernel, portable);
    check_splits(kernel, portable);
    check_messages(kernel, portable);
    if (kernel != portable) {
        check_stack(kernel, portable);
    }
    check_long(kernel, portable);
    check_interrupted(kernel, portable);
    if (checkasm_kernels_are_public) {
        check_aes_gcm_public(kernel, portable);
    }
}

static void check_secrets(kernel_t *kernel) {
    static const size_t lengths[] = {0, 16, 31, 112, 127, 300, 1600};
    static uint8_t text[2048];
    make_buffers();
    random_bytes(text, sizeof text);
    for (size_t size = 16; size <= 32; size += 8) {
        uint8_t *key = place(key_buffer, size, AT_END, 0, text);
        set_writable(prepared_buffer, true);
        prepared = place(prepared_buffer, KP_AES_GCM_PREPARED_BYTES, AT_END, 0, NULL);
        mark_secret(key, size);
        operation("prepare");
        CALL(entries(kernel)->prepare, P(prepared), P(key), size);
        mark_public(key, size);
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            size_t length = lengths[i];
            uint8_t *y = place(y_buffer, 16, AT_END, 0, text);
            uint8_t *counter = place(counter_buffer, 16, AT_END, 0, text + 16);
            uint8_t *in = place(in_buffer, length, AT_END, 0, text);
            uint8_t *out = place(out_buffer, length, AT_END, 0, NULL);
            uint8_t *aad = place(aad_buffer, length, AT_END, 0, text);
            uint8_t *tag = place(tag_buffer, 16, AT_END, 0, NULL);
            mark_secret(in, length);
            mark_secret(y, 16);
            operation("encipher");
            CALL(entries(kernel)->encipher, P(prepared), P(counter), P(tag));
            operation("hash");
            CALL(entries(kernel)->hash, P(prepared), P(y), P(aad), length);
            if (length < KP_AES_GCM_PUBLIC_COUNTER_BYTES)
                mark_secret(counter, 16);
            operation("encrypt");
            CALL(entries(kernel)->encrypt, P(prepared), P(counter), P(y), P(in), P(out), length);
            operation("decrypt");
            CALL(entries(kernel)->decrypt, P(prepared), P(counter), P(y), P(in), P(out), length);
            mark_public(counter, 16);
            if (entries(kernel)->seal_message != NULL) {
                uint8_t *j0 = place(key_buffer, 16, AT_END, 0, text + 16);
                operation("seal_message");
                CALL(entries(kernel)->seal_message, P(prepared), P(j0), P(aad), length, P(in), P(out), length, P(tag));
                operation("open_message");
                CALL(entries(kernel)->open_message, P(prepared), P(j0), P(aad), length, P(in), P(out), length, P(tag));
            }
            mark_public(y, 16);
            mark_public(in, length);
            mark_public(out, length);
            mark_public(tag, 16);
        }
        mark_public(prepared, KP_AES_GCM_PREPARED_BYTES);
    }
}

static const char *const operations[] = {
    "aes-128-gcm seal",
    "aes-192-gcm seal",
    "aes-256-gcm seal",
    "aes-128-gcm open",
    "aes-192-gcm open",
    "aes-256-gcm open",
    "gmac",
    NULL,
};

static void loop(kernel_t *kernel, const char *name, size_t bytes, uint64_t count) {
    const struct kp_aes_gcm_kernel *with = entries(kernel);
    size_t size = strncmp(name, "aes-192", 7) == 0 ? 24 : strncmp(name, "aes-256", 7) == 0 ? 32 : 16;
    uint8_t j0[16] = {1}, tag[16];
    enum way way = strstr(name, "open") != NULL ? DECRYPT : ENCRYPT;
    size_t length = bytes < MOST_BYTES ? bytes : MOST_BYTES;
    size_t aad_length = 0;
    if (strcmp(name, "gmac") == 0) {
        aad_length = length;
        length = 0;
    }
    with->prepare(reference.prepared, reference.text, size);
    for (uint64_t i = 0; i < count; i++) {
        if (with->seal_message != NULL) {
            (way == ENCRYPT ? with->seal_message : with->open_message)(
                reference.prepared, j0, reference.text, aad_length, reference.text, reference.cipher, length, tag);
        } else {
            compose_message(with, reference.prepared, j0, reference.text, aad_length, way == ENCRYPT, reference.text,
                            reference.cipher, length, tag);
        }
    }
}

const struct checkasm_family checks_aes_gcm = {"aes-gcm", check, check_secrets, operations, loop};
