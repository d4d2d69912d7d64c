/* Runs every x86-64 kernel on an emulated processor with AVX-512, without an operating system, and compares each with
 * the portable kernel and with the answers of its self-test. Speaks through the first serial port, and ends the
 * emulator. */
#include "dispatch/dispatch.h"
#include "native/aes_gcm/aes_gcm.h"
#include "native/bytes.h"
#include "native/ghash/ghash.h"
#include "native/md5/md5.h"
#include "tests/avx512/bare.h"

/* The buffers. */
enum buffer { IN, OUT, AAD, COUNTER, Y, TAG, KEY };

/* At the end of a buffer, at its start, or somewhere in it. */
static uint8_t *place(enum buffer buffer, size_t length, unsigned where) {
    if (where == 0)
        return end_of(buffer) - length;
    return start_of(buffer) + (where == 1 ? 0 : PAGE + random_word() % 64);
}

#define MARGIN 64
#define UNTOUCHED 0xa5

static void surround(enum buffer buffer, uint8_t *bytes, size_t length) {
    if (bytes != start_of(buffer))
        memset(bytes - MARGIN, UNTOUCHED, MARGIN);
    if (bytes + length != end_of(buffer))
        memset(bytes + length, UNTOUCHED, MARGIN);
}

static bool is_surrounded(enum buffer buffer, const uint8_t *bytes, size_t length) {
    bool whole = true;
    for (size_t i = 0; i < MARGIN; i++) {
        whole &= bytes == start_of(buffer) || bytes[i - MARGIN] == UNTOUCHED;
        whole &= bytes + length == end_of(buffer) || bytes[length + i] == UNTOUCHED;
    }
    return whole;
}

#define LONGEST 8192

struct message {
    uint8_t j0[16], tag[16], aad[LONGEST], text[LONGEST], cipher[LONGEST];
    size_t aad_length, length;
};

static _Alignas(64) uint8_t prepared[KP_MOST_KERNELS][KP_AES_GCM_PREPARED_BYTES];

static void add_lengths(const struct kp_aes_gcm_kernel *entries, const void *key, uint8_t *y,
                        const struct message *message) {
    uint8_t *lengths = end_of(AAD) - 16;
    kp_store_be64(lengths, 8 * message->aad_length);
    kp_store_be64(lengths + 8, 8 * message->length);
    entries->hash(key, y, lengths, 16);
}

/* Ciphertext and tag by the portable kernel. */
static void answer(const struct kp_aes_gcm_kernel *portable, const void *key, struct message *message) {
    uint8_t counter[16], y[16] = {0}, mask[16];
    memcpy(counter, message->j0, 16);
    kp_store_be32(counter + 12, kp_load_be32(counter + 12) + 1);
    portable->hash(key, y, message->aad, message->aad_length);
    portable->encrypt(key, counter, y, message->text, message->cipher, message->length);
    add_lengths(portable, key, y, message);
    portable->encipher(key, message->j0, mask);
    kp_xor_block(message->tag, y, mask);
}

static void try_at_once(const struct kp_aes_gcm_kernel *entries, const void *key, const struct message *message,
                        bool open, uint8_t *in, uint8_t *out, uint8_t *aad) {
    uint8_t *j0 = end_of(COUNTER) - 16, *tag = end_of(TAG) - 16;
    memcpy(j0, message->j0, 16);
    surround(TAG, tag, 16);
    (open ? entries->open_message : entries->seal_message)(key, j0, aad, message->aad_length, in, out, message->length,
                                                           tag);
    check(upper_halves_are_clear(), "the state of the registers after a message", message->length, open);
    check(memcmp(tag, message->tag, 16) == 0, "the tag of a message", message->length, message->aad_length);
    check(is_surrounded(TAG, tag, 16), "what lies round the tag", message->length, open);
}

static void try_in_parts(const struct kp_aes_gcm_kernel *entries, const void *key, const struct message *message,
                         bool open, uint8_t *in, uint8_t *out, uint8_t *aad) {
    uint8_t *counter = end_of(COUNTER) - 16, *y = end_of(Y) - 16, mask[16];
    const size_t first = random_word() % (message->length / 16 + 1) * 16;
    kp_aes_gcm_kernel_encrypt *cipher = open ? entries->decrypt : entries->encrypt;
    memcpy(counter, message->j0, 16);
    kp_store_be32(counter + 12, kp_load_be32(counter + 12) + 1);
    memset(y, 0, 16);
    surround(COUNTER, counter, 16);
    surround(Y, y, 16);
    entries->hash(key, y, aad, message->aad_length);
    check(upper_halves_are_clear(), "the state of the registers after hash", message->aad_length, 0);
    cipher(key, counter, y, in, out, first);
    cipher(key, counter, y, in + first, out + first, message->length - first);
    check(upper_halves_are_clear(), "the state of the registers after a part", message->length, first);
    add_lengths(entries, key, y, message);
    entries->encipher(key, message->j0, mask);
    kp_xor_block(mask, mask, y);
    check(memcmp(mask, message->tag, 16) == 0, "the tag of parts", message->length, first);
    const uint32_t next = kp_load_be32(message->j0 + 12) + 1 + (uint32_t)((message->length + 15) / 16);
    check(kp_load_be32(counter + 12) == next, "the counter", message->length, first);
    check(is_surrounded(COUNTER, counter, 16) && is_surrounded(Y, y, 16), "what lies round the counter or y", first,
          open);
}

/* Every kernel, at once and in parts, both directions, in place and not. */
static void try_message(struct message *message, size_t length, size_t aad_length, uint32_t last_counter_word) {
    const struct kp_family *all = &kp_families[KP_FAMILY_AES_GCM];
    message->length = length;
    message->aad_length = aad_length;
    random_bytes(message->j0, 12);
    kp_store_be32(message->j0 + 12, last_counter_word);
    random_bytes(message->text, length);
    random_bytes(message->aad, aad_length);
    answer(all->kernels[all->count - 1].entries, prepared[all->count - 1], message);
    for (size_t i = 0; i + 1 < all->count; i++) {
        const struct kp_aes_gcm_kernel *entries = all->kernels[i].entries;
        kernel = all->kernels[i].name;
        for (unsigned way = 0; way < 8; way++) {
            const bool open = way & 1, in_place = way & 2, at_once = way & 4;
            const unsigned where = (unsigned)(random_word() % 3);
            const enum buffer target = in_place ? IN : OUT;
            uint8_t *in = place(IN, length, where), *aad = place(AAD, aad_length, where);
            uint8_t *out = in_place ? in : place(OUT, length, where);
            memcpy(in, open ? message->cipher : message->text, length);
            memcpy(aad, message->aad, aad_length);
            surround(target, out, length);
            (at_once ? try_at_once : try_in_parts)(entries, prepared[i], message, open, in, out, aad);
            check(memcmp(out, open ? message->text : message->cipher, length) == 0, "the text", length, way);
            check(is_surrounded(target, out, length), "what lies round the text", length, way);
        }
    }
}

static void try_aes_gcm(void) {
    static struct message message;
    const struct kp_family *all = &kp_families[KP_FAMILY_AES_GCM];
    for (size_t key_length = 16; key_length <= 32; key_length += 8) {
        const size_t step = key_length == 16 ? 1 : 3;
        uint8_t *key = end_of(KEY) - key_length;
        random_bytes(key, key_length);
        for (size_t i = 0; i < all->count; i++)
            ((const struct kp_aes_gcm_kernel *)all->kernels[i].entries)->prepare(prepared[i], key, key_length);
        for (size_t length = 0; length <= 1300; length += step)
            try_message(&message, length, random_word() % 40, 1);
        for (size_t aad_length = 0; aad_length <= 2500; aad_length += 11 * step)
            try_message(&message, random_word() % 200, aad_length, 1);
        /* Counters that pass 2^32, and multiples of 256, at every block of a loop. */
        for (uint32_t blocks = 0; blocks <= 70; blocks += (uint32_t)step) {
            try_message(&message, 1100 + random_word() % 500, 13, 0 - blocks);
            try_message(&message, 1100 + random_word() % 500, 0, UINT32_C(0x12345700) - blocks);
        }
        for (unsigned i = 0; i < 4; i++)
            try_message(&message, random_word() % LONGEST, random_word() % LONGEST, (uint32_t)random_word());
    }
}

static void try_ghash(void) {
    static _Alignas(64) uint8_t key[KP_GHASH_PREPARED_BYTES], expected_key[KP_GHASH_PREPARED_BYTES];
    static uint8_t data[5000];
    const struct kp_family *all = &kp_families[KP_FAMILY_GHASH];
    const struct kp_ghash_kernel *portable = all->kernels[all->count - 1].entries;
    for (unsigned round = 0; round < 3; round++) {
        uint8_t *subkey = end_of(KEY) - 16, *y = end_of(Y) - 16, start[16], expected[16];
        random_bytes(subkey, 16);
        if (round == 1)
            memset(subkey, 0xff, 16);
        portable->prepare(expected_key, subkey);
        for (size_t i = 0; i + 1 < all->count; i++) {
            const struct kp_ghash_kernel *entries = all->kernels[i].entries;
            kernel = all->kernels[i].name;
            entries->prepare(key, subkey);
            check(upper_halves_are_clear(), "the state of the registers after prepare", 16, round);
            random_bytes(data, sizeof data);
            for (size_t length = 0; length <= sizeof data; length += 7) {
                uint8_t *in = place(IN, length, length % 3);
                memcpy(in, data, length);
                random_bytes(start, 16);
                memcpy(expected, start, 16);
                memcpy(y, start, 16);
                surround(Y, y, 16);
                portable->update(expected_key, expected, data, length);
                entries->update(key, y, in, length);
                check(upper_halves_are_clear(), "the state of the registers after update", length, round);
                check(memcmp(y, expected, 16) == 0 && is_surrounded(Y, y, 16), "y", length, round);
            }
        }
    }
}

static void try_md5(void) {
    const struct kp_family *all = &kp_families[KP_FAMILY_MD5];
    const struct kp_md5_kernel *portable = all->kernels[all->count - 1].entries;
    for (size_t i = 0; i + 1 < all->count; i++) {
        const struct kp_md5_kernel *entries = all->kernels[i].entries;
        kernel = all->kernels[i].name;
        for (size_t blocks = 0; blocks <= 40; blocks++) {
            uint32_t state[4], expected[4];
            uint8_t *data = place(IN, 64 * blocks, blocks % 3);
            random_bytes(data, 64 * blocks);
            random_bytes((uint8_t *)state, sizeof state);
            memcpy(expected, state, sizeof state);
            portable->compress(expected, data, blocks);
            entries->compress(state, data, blocks);
            check(memcmp(state, expected, sizeof state) == 0 && upper_halves_are_clear(), "the state", blocks, 0);
        }
    }
}

static void try_md5_many(void) {
    const struct kp_family *all = &kp_families[KP_FAMILY_MD5_MANY], *one = &kp_families[KP_FAMILY_MD5];
    const struct kp_md5_kernel *portable = one->kernels[one->count - 1].entries;
    for (size_t i = 0; i + 1 < all->count; i++) {
        const struct kp_md5_many_kernel *entries = all->kernels[i].entries;
        const size_t lanes = entries->lanes;
        kernel = all->kernels[i].name;
        for (size_t blocks = 0; blocks <= 20; blocks++) {
            static _Alignas(64) uint32_t state[4 * KP_MD5_MOST_LANES], start[4 * KP_MD5_MOST_LANES];
            const uint8_t *data[KP_MD5_MOST_LANES];
            random_bytes((uint8_t *)start, sizeof start);
            memcpy(state, start, sizeof start);
            for (size_t lane = 0; lane < lanes; lane++) {
                uint8_t *bytes = end_of(IN) - (lane + 1) * 64 * blocks - (lane == 0 ? 0 : random_word() % 64);
                random_bytes(bytes, 64 * blocks);
                data[lane] = bytes;
            }
            const size_t busy = blocks % 2 == 0 ? lanes : 1 + random_word() % lanes;
            entries->compress(state, data, blocks, busy);
            check(upper_halves_are_clear(), "the state of the registers", blocks, 0);
            for (size_t lane = 0; lane < busy; lane++) {
                uint32_t words[4] = {start[lane], start[lanes + lane], start[2 * lanes + lane],
                                     start[3 * lanes + lane]};
                portable->compress(words, data[lane], blocks);
                for (size_t word = 0; word < 4; word++)
                    check(state[word * lanes + lane] == words[word], "a lane's state", blocks, lane);
            }
        }
    }
}

/* The emulated processor is a Tiger Lake: it has all that the kernels require, but 512-bit registers slow it down, and
 * it does not multiply as AMD's do. */
static void try_detection(void) {
    uint64_t words[KP_WORD_COUNT] = {0};
    kp_read_words(words);
    const kp_feature_set detected = kp_features_of_words(words);
    check((detected >> KP_FEATURE_FULL_SPEED_ZMM & 1) == 0, "the detection of a Tiger Lake", 0, detected);
    check((detected >> KP_FEATURE_TWO_CYCLE_MULTIPLY & 1) == 0, "the detection of Intel's multiplier", 0, detected);
    for (size_t f = 0; f < KP_FAMILY_COUNT; f++)
        for (size_t i = 0; i < kp_families[f].count; i++) {
            family = kp_families[f].name;
            kernel = kp_families[f].kernels[i].name;
            check((kp_families[f].kernels[i].requires & ~detected) == 0, "the detection of what it requires", 0, i);
        }
}

static void try_self_tests(void) {
    for (size_t f = 0; f < KP_FAMILY_COUNT; f++)
        for (size_t i = 0; i < kp_families[f].count; i++) {
            family = kp_families[f].name;
            kernel = kp_families[f].kernels[i].name;
            check(kp_families[f].prove(kp_families[f].kernels[i].entries), "the self-test", 0, i);
            say(family), say("/"), say(kernel), say("\n");
        }
}

int main(void) {
    begin();
    try_detection();
    try_self_tests();
    family = "aes-gcm", try_aes_gcm();
    family = "ghash", try_ghash();
    family = "md5", try_md5();
    family = "md5-many", try_md5_many();
    say("passed\n");
    stop();
}
