/* Deliberately wrong kernels, each with one fault, made of the portable ones: how checkasm is tested.
 * tests/checkasm/faults/expected.yaml says by which sentence each is caught. */
#include <string.h>

#include "tests/checkasm/checkasm.h"

#include "native/aes_gcm/aes_gcm.h"
#include "native/aes_gcm/portable.h"
#include "native/ghash/portable.h"
#include "native/md5/portable.h"

#define PREPARE kp_aes_gcm_portable_prepare
#define ENCIPHER kp_aes_gcm_portable_encipher
#define HASH kp_aes_gcm_portable_hash
#define ENCRYPT kp_aes_gcm_portable_encrypt
#define DECRYPT kp_aes_gcm_portable_decrypt

/* ---- Memory ---- */

static void encrypt_reads_before(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                 uint8_t *out, size_t length) {
    (void)((const volatile uint8_t *)in)[-1];
    ENCRYPT(prepared, counter, y, in, out, length);
}

static void encrypt_reads_past(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                               uint8_t *out, size_t length) {
    if (length % 16 != 0) {
        (void)((const volatile uint8_t *)in)[(length | 15) - 3];
        (void)((const volatile uint8_t *)in)[length | 15];
    }
    ENCRYPT(prepared, counter, y, in, out, length);
}

static void encrypt_writes_past(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                uint8_t *out, size_t length) {
    ENCRYPT(prepared, counter, y, in, out, length);
    if (length == 37) {
        out[length] = 0;
    }
}

static void encrypt_writes_input(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                 uint8_t *out, size_t length) {
    if (length > 0) {
        volatile uint8_t *input = (volatile uint8_t *)(uintptr_t)in;
        *input = *input;
    }
    ENCRYPT(prepared, counter, y, in, out, length);
}

static void message(const void *prepared, const uint8_t j0[16], const uint8_t *aad, size_t aad_length,
                    const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16],
                    kp_aes_gcm_kernel_encrypt *either) {
    uint8_t counter[16], y[16] = {0}, lengths[16];
    memcpy(counter, j0, 16);
    for (size_t i = 15; i >= 12 && ++counter[i] == 0; i--) {
    }
    HASH(prepared, y, aad, aad_length);
    either(prepared, counter, y, in, out, length);
    for (size_t i = 0; i < 8; i++) {
        lengths[i] = (uint8_t)((uint64_t)aad_length * 8 >> (56 - 8 * i));
        lengths[8 + i] = (uint8_t)((uint64_t)length * 8 >> (56 - 8 * i));
    }
    HASH(prepared, y, lengths, 16);
    ENCIPHER(prepared, j0, tag);
    for (size_t i = 0; i < 16; i++) {
        tag[i] ^= y[i];
    }
}

static void seal_writes_past_tag(const void *prepared, const uint8_t j0[16], const uint8_t *aad, size_t aad_length,
                                 const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]) {
    message(prepared, j0, aad, aad_length, in, out, length, tag, ENCRYPT);
    *(volatile uint8_t *)((uintptr_t)tag + 16) = 0;
}

static void seal_skips_aad(const void *prepared, const uint8_t j0[16], const uint8_t *aad, size_t aad_length,
                           const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]) {
    message(prepared, j0, aad, aad_length % 16 == 0 && aad_length > 0 ? aad_length - 16 : aad_length, in, out, length,
            tag, ENCRYPT);
}

static void open_well(const void *prepared, const uint8_t j0[16], const uint8_t *aad, size_t aad_length,
                      const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]) {
    message(prepared, j0, aad, aad_length, in, out, length, tag, DECRYPT);
}

/* ---- Results ---- */

static void encrypt_carries(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in, uint8_t *out,
                            size_t length) {
    for (size_t done = 0; done < length; done += 16) {
        bool wraps = counter[12] == 0xff && counter[13] == 0xff && counter[14] == 0xff && counter[15] == 0xff;
        ENCRYPT(prepared, counter, y, in + done, out + done, length - done < 16 ? length - done : 16);
        for (size_t i = 11; wraps && i >= 8 && ++counter[i] == 0; i--) {
        }
    }
}

/* Wraps as it must until 33 blocks are taken at once, which its "wide loop" adds to 32 bits wrongly. */
static void encrypt_wide_carry(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                               uint8_t *out, size_t length) {
    bool wraps = counter[12] == 0xff && counter[13] == 0xff && counter[14] == 0xff && counter[15] > 0xff - 32;
    ENCRYPT(prepared, counter, y, in, out, length);
    if (wraps && length >= 33 * 16) {
        out[32 * 16] ^= 1;
    }
}

static void encrypt_short_only(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                               uint8_t *out, size_t length) {
    ENCRYPT(prepared, counter, y, in, out, length);
    if (length >= 128) {
        out[127] ^= 1;
    }
}

static void encrypt_keeps_counter(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                  uint8_t *out, size_t length) {
    uint8_t kept = counter[15];
    ENCRYPT(prepared, counter, y, in, out, length);
    if (length % 16 != 0 && length < 16) {
        counter[15] = kept;
    }
}

static void decrypt_hashes_text(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                uint8_t *out, size_t length) {
    uint8_t unused[16] = {0};
    DECRYPT(prepared, counter, unused, in, out, length);
    HASH(prepared, y, in, length);
}

static void encrypt_wants_alignment(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                    uint8_t *out, size_t length) {
    const uint8_t *rounded = in - (uintptr_t)in % 16;
    ENCRYPT(prepared, counter, y, in, out, length);
    if (length >= 32 && length % 16 == 0 && rounded != in && (uintptr_t)out % 16 != 0) {
        out[0] ^= 1;
    }
}

static void hash_skips_last(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length) {
    HASH(prepared, y, data, length >= 48 && length % 16 == 0 ? length - 16 : length);
}

static void prepare_ignores_192(void *prepared, const uint8_t *key, size_t length) {
    uint8_t copy[32];
    memcpy(copy, key, length);
    if (length == 24) {
        copy[23] = 0;
    }
    PREPARE(prepared, copy, length);
}

static void update_wrong_beyond_8(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length) {
    kp_ghash_portable_update(prepared, y, data, length);
    if (length / 16 % 8 == 1 && length > 128) {
        y[0] ^= 1;
    }
}

static void compress_one_only(uint32_t state[4], const uint8_t *data, size_t blocks) {
    kp_md5_portable_compress(state, data, blocks > 1 ? 1 : blocks);
}

#define LANES 4

/* Four lanes by the portable kernel, whose own number of lanes is `PORTABLE_LANES`. */
static void compress_lanes(uint32_t *state, const uint8_t *const *data, size_t blocks, size_t count, bool mixed) {
    for (size_t lane = 0; lane < count; lane++) {
        uint32_t one[4];
        size_t from = mixed && blocks > 2 && lane == 3 ? 2 : lane;
        for (size_t word = 0; word < 4; word++) {
            one[word] = state[word * LANES + lane];
        }
        kp_md5_portable_compress(one, data[from], blocks);
        for (size_t word = 0; word < 4; word++) {
            state[word * LANES + lane] = one[word];
        }
    }
}

static void compress_mixes_lanes(uint32_t *state, const uint8_t *const *data, size_t blocks, size_t busy) {
    (void)busy;
    compress_lanes(state, data, blocks, LANES, true);
}

static void compress_leaves_out_a_lane(uint32_t *state, const uint8_t *const *data, size_t blocks, size_t busy) {
    compress_lanes(state, data, blocks, busy == 3 ? 2 : busy, false);
}

/* ---- Stack, processor ---- */

static void prepare_leaves_key(void *prepared, const uint8_t *key, size_t length) {
    volatile uint8_t spilled[64];
    PREPARE(prepared, key, length);
    for (size_t i = 0; i < length; i++) {
        spilled[i] = key[i];
    }
    (void)spilled[0];
}

static void encrypt_deep_stack(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                               uint8_t *out, size_t length) {
    volatile uint8_t room[40000];
    for (size_t i = sizeof room; i > 0; i -= 500) {
        room[i - 1] = 1;
    }
    ENCRYPT(prepared, counter, y, in, out, length);
}

static void compress_illegal(uint32_t state[4], const uint8_t *data, size_t blocks) {
    kp_md5_portable_compress(state, data, blocks);
#if defined(__x86_64__)
    __asm__ volatile("ud2");
#elif defined(__s390x__)
    __asm__ volatile(".short 0");
#elif defined(__riscv)
    __asm__ volatile(".4byte 0");
#else
    __asm__ volatile(".long 0");
#endif
}

static void compress_never_returns(uint32_t state[4], const uint8_t *data, size_t blocks) {
    volatile size_t left = blocks;
    kp_md5_portable_compress(state, data, blocks);
    while (left > 4) {
    }
}

/* ---- Time ---- */

static volatile uint8_t sink;
static const uint8_t table[256] = {1, 2, 3};

static void prepare_branches(void *prepared, const uint8_t *key, size_t length) {
    if (key[3] & 1) {
        sink = 1;
    }
    PREPARE(prepared, key, length);
}

static void encrypt_loads_by_secret(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                    uint8_t *out, size_t length) {
    ENCRYPT(prepared, counter, y, in, out, length);
    if (length > 0) {
        sink = table[in[0]];
    }
}

static void update_branches(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length) {
    if (y[0] & 0x80) {
        sink = 2;
    }
    kp_ghash_portable_update(prepared, y, data, length);
}

/* Faults that only assembly can have: abi_<architecture>.S. */
#if defined(__x86_64__)
kp_md5_kernel_compress fault_clobbers_rbx, fault_clobbers_r15, fault_leaves_upper, fault_sets_direction,
    fault_rounds_otherwise, fault_leaves_x87, fault_writes_frame, fault_below_stack;
#define FAULTS_IN_ASSEMBLY                                                                                             \
    {"clobbers-rbx", 0, 0, MD5(fault_clobbers_rbx)}, {"clobbers-r15", 0, 0, MD5(fault_clobbers_r15)},                  \
        {"leaves-upper-halves", UINT64_C(1) << KP_FEATURE_AVX, 0, MD5(fault_leaves_upper)},                            \
        {"sets-direction-flag", 0, 0, MD5(fault_sets_direction)},                                                      \
        {"rounds-otherwise", 0, 0, MD5(fault_rounds_otherwise)}, {"leaves-x87-stack", 0, 0, MD5(fault_leaves_x87)},    \
        {"writes-callers-frame", 0, 0, MD5(fault_writes_frame)},                                                       \
        {"uses-256-bytes-below-stack", 0, 0, MD5(fault_below_stack)},
#elif defined(__aarch64__)
kp_md5_kernel_compress fault_clobbers_x19, fault_clobbers_d8, fault_writes_frame, fault_below_stack;
#define FAULTS_IN_ASSEMBLY                                                                                             \
    {"clobbers-x19", 0, 0, MD5(fault_clobbers_x19)}, {"clobbers-d8", 0, 0, MD5(fault_clobbers_d8)},                    \
        {"writes-callers-frame", 0, 0, MD5(fault_writes_frame)},                                                       \
        {"uses-bytes-below-stack", 0, 0, MD5(fault_below_stack)},
#elif defined(__powerpc__)
kp_md5_kernel_compress fault_clobbers_r14, fault_clobbers_f20, fault_clobbers_v20_high, fault_saves_vs20,
    fault_clobbers_cr3, fault_breaks_back_chain, fault_writes_frame, fault_below_stack;
#define FAULTS_IN_ASSEMBLY                                                                                             \
    {"clobbers-r14", 0, 0, MD5(fault_clobbers_r14)}, {"clobbers-f20", 0, 0, MD5(fault_clobbers_f20)},                  \
        {"clobbers-v20-high-half", UINT64_C(1) << KP_FEATURE_VSX, 0, MD5(fault_clobbers_v20_high)},                    \
        {"saves-vs20-for-v20", UINT64_C(1) << KP_FEATURE_VSX, 0, MD5(fault_saves_vs20)},                               \
        {"clobbers-cr3", 0, 0, MD5(fault_clobbers_cr3)}, {"breaks-back-chain", 0, 0, MD5(fault_breaks_back_chain)},    \
        {"writes-callers-frame", 0, 0, MD5(fault_writes_frame)},                                                       \
        {"uses-512-bytes-below-stack", 0, 0, MD5(fault_below_stack)},
#elif defined(__riscv)
kp_md5_kernel_compress fault_clobbers_s3, fault_clobbers_fs2, fault_writes_frame, fault_below_stack;
#define FAULTS_IN_ASSEMBLY                                                                                             \
    {"clobbers-s3", 0, 0, MD5(fault_clobbers_s3)}, {"clobbers-fs2", 0, 0, MD5(fault_clobbers_fs2)},                    \
        {"writes-callers-frame", 0, 0, MD5(fault_writes_frame)},                                                       \
        {"uses-bytes-below-stack", 0, 0, MD5(fault_below_stack)},
#elif defined(__s390x__)
kp_md5_kernel_compress fault_clobbers_r9, fault_clobbers_f9, fault_rounds_otherwise, fault_writes_frame,
    fault_below_stack;
#define FAULTS_IN_ASSEMBLY                                                                                             \
    {"clobbers-r9", 0, 0, MD5(fault_clobbers_r9)}, {"clobbers-f9", 0, 0, MD5(fault_clobbers_f9)},                      \
        {"rounds-otherwise", 0, 0, MD5(fault_rounds_otherwise)},                                                       \
        {"writes-callers-frame", 0, 0, MD5(fault_writes_frame)},                                                       \
        {"uses-bytes-below-stack", 0, 0, MD5(fault_below_stack)},
#endif

/* ---- The table ---- */

#define AES_GCM(prepare, hash, encrypt, decrypt)                                                                       \
    .entries = (&(const struct kp_aes_gcm_kernel){prepare, ENCIPHER, hash, encrypt, decrypt, NULL, NULL})
#define AES_GCM_SEAL(seal)                                                                                             \
    .entries = (&(const struct kp_aes_gcm_kernel){PREPARE, ENCIPHER, HASH, ENCRYPT, DECRYPT, seal, open_well})
#define GHASH(update) .entries = (&(const struct kp_ghash_kernel){kp_ghash_portable_prepare, update})
#define MD5(compress) .entries = (&(const struct kp_md5_kernel){compress})
#define MD5_MANY(lanes, group, compress) .entries = (&(const struct kp_md5_many_kernel){lanes, group, compress})

static const struct kp_kernel aes_gcm_kernels[] = {
    {"reads-before-input", 0, 0, AES_GCM(PREPARE, HASH, encrypt_reads_before, DECRYPT)},
    {"reads-past-input", 0, 0, AES_GCM(PREPARE, HASH, encrypt_reads_past, DECRYPT)},
    {"writes-past-output", 0, 0, AES_GCM(PREPARE, HASH, encrypt_writes_past, DECRYPT)},
    {"writes-input", 0, 0, AES_GCM(PREPARE, HASH, encrypt_writes_input, DECRYPT)},
    {"writes-past-tag", 0, 0, AES_GCM_SEAL(seal_writes_past_tag)},
    {"skips-last-aad-block", 0, 0, AES_GCM_SEAL(seal_skips_aad)},
    {"carries-into-64-bits", 0, 0, AES_GCM(PREPARE, HASH, encrypt_carries, DECRYPT)},
    {"wide-loop-does-not-wrap", 0, 0, AES_GCM(PREPARE, HASH, encrypt_wide_carry, DECRYPT)},
    {"right-below-128", 0, 0, AES_GCM(PREPARE, HASH, encrypt_short_only, DECRYPT)},
    {"keeps-counter", 0, 0, AES_GCM(PREPARE, HASH, encrypt_keeps_counter, DECRYPT)},
    {"hashes-text-in-place", 0, 0, AES_GCM(PREPARE, HASH, ENCRYPT, decrypt_hashes_text)},
    {"wants-alignment", 0, 0, AES_GCM(PREPARE, HASH, encrypt_wants_alignment, DECRYPT)},
    {"skips-last-block", 0, 0, AES_GCM(PREPARE, hash_skips_last, ENCRYPT, DECRYPT)},
    {"ignores-aes-192", 0, 0, AES_GCM(prepare_ignores_192, HASH, ENCRYPT, DECRYPT)},
    {"leaves-key-on-stack", 0, 0, AES_GCM(prepare_leaves_key, HASH, ENCRYPT, DECRYPT)},
    {"deep-stack", 0, 0, AES_GCM(PREPARE, HASH, encrypt_deep_stack, DECRYPT)},
    {"branches-on-key", 0, 0, AES_GCM(prepare_branches, HASH, ENCRYPT, DECRYPT)},
    {"loads-by-text", 0, 0, AES_GCM(PREPARE, HASH, encrypt_loads_by_secret, DECRYPT)},
    {"right", 0, 0, AES_GCM(PREPARE, HASH, ENCRYPT, DECRYPT)},
};

static const struct kp_kernel ghash_kernels[] = {
    {"wrong-beyond-8-blocks", 0, 0, GHASH(update_wrong_beyond_8)},
    {"branches-on-state", 0, 0, GHASH(update_branches)},
    {"right", 0, 0, GHASH(kp_ghash_portable_update)},
};

static const struct kp_kernel md5_kernels[] = {
    FAULTS_IN_ASSEMBLY{"one-block-only", 0, 0, MD5(compress_one_only)},
    {"illegal-instruction", 0, 0, MD5(compress_illegal)},
    {"never-returns", 0, 0, MD5(compress_never_returns)},
    {"needs-every-feature", KP_FEATURE_COUNT > 0 ? ~(kp_feature_set)0 >> (64 - KP_FEATURE_COUNT) % 64 : 0, 0,
     MD5(compress_illegal)},
    {"right", 0, 0, MD5(kp_md5_portable_compress)},
};

static const struct kp_kernel md5_many_kernels[] = {
    {"mixes-lanes", 0, 0, MD5_MANY(LANES, 1, compress_mixes_lanes)},
    {"leaves-out-a-lane", 0, 0, MD5_MANY(LANES, 1, compress_leaves_out_a_lane)},
    {"has-part-of-a-group", 0, 0, MD5_MANY(LANES, 3, compress_mixes_lanes)},
    {"right", 0, 0, MD5_MANY(1, 1, kp_md5_many_portable_compress)},
};

#define FAMILY(name, kernels) {name, kernels, sizeof kernels / sizeof kernels[0], NULL}

static const struct kp_family families[] = {
    FAMILY("aes-gcm", aes_gcm_kernels),
    FAMILY("ghash", ghash_kernels),
    FAMILY("md5", md5_kernels),
    FAMILY("md5-many", md5_many_kernels),
};

const bool checkasm_kernels_are_public = false;

const struct kp_family *checkasm_kernel_table(size_t *count) {
    *count = sizeof families / sizeof families[0];
    return families;
}
