/* Checks of the family md5-many: several streams at once. */
#include <string.h>

#include "families.h"
#include "kernport.h"
#include "known_answers.h"
#include "native/md5/md5.h"
#include "tests/checkasm/checkasm.h"

#define MOST_BLOCKS 64
#define MOST_LANES KP_MD5_MOST_LANES

static struct buffer *state_buffer;
static struct buffer *pointers_buffer;
static struct buffer *lane_buffers[3]; /* lanes use them in turn: the rest lies in `shared` */
static uint8_t shared[MOST_LANES][MOST_BLOCKS * 64 + 64];

static const struct kp_md5_many_kernel *entries(const struct kp_kernel *kernel) {
    return kernel->entries;
}

static void make_buffers(void) {
    if (state_buffer == NULL) {
        static const char *const names[] = {"the data of a lane (first guarded one)",
                                            "the data of a lane (second guarded one)",
                                            "the data of a lane (third guarded one)"};
        state_buffer = new_output("state", 16 * MOST_LANES);
        pointers_buffer = new_input("data", sizeof(uint8_t *) * MOST_LANES);
        for (size_t i = 0; i < 3; i++) {
            lane_buffers[i] = new_input(names[i], MOST_BLOCKS * 64 + 64);
        }
    }
}

/* One call; data[lane] holds `blocks` blocks. Three lanes, starting with `guarded`, lie between guard pages. */
static void compress(const struct kp_kernel *kernel, uint32_t *state, const uint8_t *const data[MOST_LANES],
                     size_t blocks, size_t busy, enum edge edge, size_t offset, size_t guarded) {
    size_t lanes = entries(kernel)->lanes;
    const uint8_t *pointers[MOST_LANES];
    for (size_t lane = 0; lane < lanes; lane++) {
        size_t place_of = (lane + lanes - guarded % lanes) % lanes;
        if (place_of < 3) {
            pointers[lane] = place(lane_buffers[place_of], 64 * blocks, edge, (offset + 13 * lane) % 64, data[lane]);
        } else {
            uint8_t *to = shared[lane] + (offset + 13 * lane) % 64;
            memcpy(to, data[lane], 64 * blocks);
            pointers[lane] = to;
        }
    }
    uint8_t *given = place(state_buffer, 16 * lanes, AT_END, (64 - 16 * lanes % 64) % 64, state);
    uint8_t *table = place(pointers_buffer, sizeof pointers[0] * lanes, AT_END, 0, pointers);
    operation("compress");
    fact("lanes", lanes);
    fact("blocks", blocks);
    fact("busy lanes", busy);
    fact("first guarded lane", guarded % lanes);
    fact("offset", offset);
    CALL(entries(kernel)->compress, P(given), P(table), blocks, busy);
    expect_untouched(state_buffer);
    expect_untouched(pointers_buffer);
    for (size_t i = 0; i < 3 && i < lanes; i++) {
        expect_untouched(lane_buffers[i]);
    }
    memcpy(state, contents(state_buffer), 16 * lanes);
}

static void compare(const struct kp_kernel *kernel, const struct kp_kernel *portable, size_t blocks, size_t busy,
                    enum edge edge, size_t offset, size_t guarded) {
    static uint8_t text[MOST_LANES][MOST_BLOCKS * 64];
    size_t lanes = entries(kernel)->lanes;
    uint32_t is[4 * MOST_LANES], wanted[4 * MOST_LANES];
    const uint8_t *data[MOST_LANES] = {NULL};
    for (size_t lane = 0; lane < lanes; lane++) {
        random_bytes(text[lane], 64 * blocks);
        data[lane] = text[lane];
    }
    random_bytes(wanted, 16 * lanes);
    memcpy(is, wanted, 16 * lanes);
    compress(kernel, is, data, blocks, busy, edge, offset, guarded);
    /* The portable kernel has lanes of its own: each lane here is all of them there. */
    size_t other = entries(portable)->lanes;
    for (size_t lane = 0; lane < busy; lane++) {
        static uint32_t state[4 * MOST_LANES] __attribute__((aligned(64)));
        const uint8_t *same[MOST_LANES];
        for (size_t i = 0; i < other; i++) {
            same[i] = data[lane];
            for (size_t word = 0; word < 4; word++) {
                state[word * other + i] = wanted[word * lanes + lane];
            }
        }
        entries(portable)->compress(state, same, blocks, other);
        for (size_t word = 0; word < 4; word++) {
            fact("lane", lane);
            expect_same("the state", (const uint8_t *)&is[word * lanes + lane], (const uint8_t *)&state[word * other],
                        4);
        }
    }
}

/* Lane l hashes a message of known digest; messages that need the same number of blocks go together. */
static void check_known(const struct kp_kernel *kernel) {
    static uint8_t messages[MOST_LANES][KNOWN_LONGEST + 128];
    static const uint32_t start[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    size_t lanes = entries(kernel)->lanes;
    for (size_t first = 0; first < known_md5_count; first += 1 + lanes / 4) {
        size_t blocks = (known_md5[first].length + 8U) / 64 + 1;
        if (blocks > MOST_BLOCKS) {
            continue;
        }
        const uint8_t *data[MOST_LANES] = {NULL};
        size_t which[MOST_LANES];
        uint32_t state[4 * MOST_LANES];
        size_t candidate = first;
        for (size_t lane = 0; lane < lanes; lane++) {
            while ((known_md5[candidate].length + 8U) / 64 + 1 != blocks) {
                candidate = (candidate + 1) % known_md5_count;
            }
            size_t length = known_md5[candidate].length;
            memset(messages[lane], 0, 64 * blocks);
            pattern(messages[lane], 10, length);
            messages[lane][length] = 0x80;
            for (size_t j = 0; j < 8; j++) {
                messages[lane][64 * blocks - 8 + j] = (uint8_t)((uint64_t)length * 8 >> (8 * j));
            }
            data[lane] = messages[lane];
            which[lane] = candidate;
            candidate = (candidate + 1) % known_md5_count;
            for (size_t word = 0; word < 4; word++) {
                state[word * lanes + lane] = start[word];
            }
        }
        compress(kernel, state, data, blocks, lanes, AT_END, first % 64, first);
        for (size_t lane = 0; lane < lanes; lane++) {
            uint8_t digest[16];
            for (size_t j = 0; j < 16; j++) {
                digest[j] = (uint8_t)(state[j / 4 * lanes + lane] >> (8 * (j % 4)));
            }
            fact("lane", lane);
            fact("message length", known_md5[which[lane]].length);
            expect_same("the digest hashlib computes", digest, known_md5[which[lane]].digest, 16);
        }
    }
}

/* The kernel behind kp_md5_many: messages of known digest, of any lengths together, of any number. */
static void check_public(const struct kp_kernel *kernel) {
    static uint8_t messages[3 * MOST_LANES][KNOWN_LONGEST];
    for (size_t count = 0; count <= 3 * MOST_LANES; count += 1 + count / 8) {
        const uint8_t *data[3 * MOST_LANES];
        size_t lengths[3 * MOST_LANES], which[3 * MOST_LANES];
        static uint8_t digests[3 * MOST_LANES][16];
        for (size_t i = 0; i < count; i++) {
            which[i] = random_below(known_md5_count);
            lengths[i] = known_md5[which[i]].length;
            pattern(messages[i], 10, lengths[i]);
            data[i] = messages[i];
        }
        operation("kp_md5_many");
        fact("messages", count);
        kp_status status = kp_md5_many(data, lengths, count, digests[0], kernel->name);
        if (status != KP_OK) {
            fail("%s", kp_status_text(status));
            return;
        }
        for (size_t i = 0; i < count; i++) {
            fact("number", i);
            fact("length", lengths[i]);
            expect_same("the digest hashlib computes", digests[i], known_md5[which[i]].digest, 16);
        }
    }
}

static void check(const struct kp_kernel *kernel, const struct kp_kernel *portable) {
    make_buffers();
    size_t lanes = entries(kernel)->lanes;
    if (lanes == 0 || lanes > MOST_LANES || entries(kernel)->group == 0 || lanes % entries(kernel)->group != 0) {
        fail("its %zu lanes are no whole groups of %zu", lanes, entries(kernel)->group);
        return;
    }
    check_known(kernel);
    for (size_t blocks = 0; blocks <= 8; blocks++) {
        for (size_t guarded = 0; guarded < lanes; guarded += 3) {
            compare(kernel, portable, blocks, lanes, AT_START, 0, guarded);
            compare(kernel, portable, blocks, lanes, AT_END, 0, guarded);
        }
    }
    for (size_t offset = 0; offset < 64; offset++) {
        for (size_t blocks = 1; blocks <= (options.full ? 16 : 2); blocks++) {
            compare(kernel, portable, blocks, lanes, AT_START, offset, offset);
            compare(kernel, portable, blocks, lanes, AT_END, offset, offset + blocks);
        }
    }
    for (size_t i = 0; i < (options.full ? 200 : 4); i++) {
        compare(kernel, portable, random_below(MOST_BLOCKS + 1), lanes, AT_END, random_below(64), random_below(lanes));
    }
    for (size_t busy = 1; busy < lanes; busy++) {
        for (size_t blocks = 1; blocks <= 3; blocks++) {
            compare(kernel, portable, blocks, busy, AT_START, busy, 0);
            compare(kernel, portable, blocks, busy, AT_END, 0, busy - 1);
        }
    }
    set_interrupted(true);
    for (size_t i = 0; i < (options.full ? 200 : 10); i++) {
        compare(kernel, portable, MOST_BLOCKS, lanes, AT_START, 0, 0);
    }
    set_interrupted(false);
    if (checkasm_kernels_are_public) {
        check_public(kernel);
    }
}

static void check_secrets(const struct kp_kernel *kernel) {
    make_buffers();
    size_t lanes = entries(kernel)->lanes;
    uint32_t state[4 * MOST_LANES] = {0};
    const uint8_t *pointers[MOST_LANES];
    for (size_t lane = 0; lane < lanes; lane++) {
        pointers[lane] = shared[lane];
    }
    uint8_t *given = place(state_buffer, 16 * lanes, AT_END, (64 - 16 * lanes % 64) % 64, state);
    mark_secret(given, 16 * lanes);
    mark_secret(shared, sizeof shared);
    operation("compress");
    CALL(entries(kernel)->compress, P(given), P(pointers), 4);
    mark_public(given, 16 * lanes);
    mark_public(shared, sizeof shared);
}

static const char *const operations[] = {"md5-many", NULL};

/* Of `bytes` each lane gets its part, in whole blocks. */
static void loop(const struct kp_kernel *kernel, const char *name, size_t bytes, uint64_t count) {
    static uint32_t state[4 * MOST_LANES] __attribute__((aligned(64)));
    size_t lanes = entries(kernel)->lanes;
    const uint8_t *pointers[MOST_LANES];
    (void)name;
    for (size_t lane = 0; lane < lanes; lane++) {
        pointers[lane] = shared[lane];
    }
    for (uint64_t i = 0; i < count; i++) {
        for (size_t done = 0; done < bytes / lanes; done += MOST_BLOCKS * 64) {
            size_t part = bytes / lanes - done < MOST_BLOCKS * 64 ? bytes / lanes - done : MOST_BLOCKS * 64;
            entries(kernel)->compress(state, pointers, part / 64, lanes);
        }
    }
}

const struct checkasm_family checks_md5_many = {"md5-many", check, check_secrets, operations, loop};
