/* The s390x kernels of AES-GCM and GHASH against the portable ones, whatever the processor knows: the model stands in
 * for the functions that it lacks, and the last line says for how many executions it did. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "native/aes_gcm/portable.h"
#include "native/ghash/portable.h"
#include "tests/cpacf/model.h"

#define MOST 9000 /* more than two rounds of counters */
#define MARGIN 16

struct kernel {
    const char *name;
    kp_aes_gcm_kernel_prepare *prepare;
    kp_aes_gcm_kernel_encipher *encipher;
    kp_aes_gcm_kernel_hash *hash;
    kp_aes_gcm_kernel_encrypt *encrypt, *decrypt;
};

#define DECLARE(kernel)                                                                                                \
    kp_aes_gcm_kernel_prepare kp_aes_gcm_##kernel##_prepare;                                                           \
    kp_aes_gcm_kernel_encipher kp_aes_gcm_##kernel##_encipher;                                                         \
    kp_aes_gcm_kernel_hash kp_aes_gcm_##kernel##_hash;                                                                 \
    kp_aes_gcm_kernel_encrypt kp_aes_gcm_##kernel##_encrypt;                                                           \
    kp_aes_gcm_kernel_decrypt kp_aes_gcm_##kernel##_decrypt
DECLARE(cpacf_ctr);
DECLARE(cpacf_kimd);
kp_aes_gcm_kernel_seal_message kp_aes_gcm_cpacf_kma_seal_message;
kp_aes_gcm_kernel_open_message kp_aes_gcm_cpacf_kma_open_message;
kp_ghash_kernel_prepare kp_ghash_kimd_prepare;
kp_ghash_kernel_update kp_ghash_kimd_update;

#define KERNEL(name)                                                                                                   \
    {#name,                                                                                                            \
     kp_aes_gcm_##name##_prepare,                                                                                      \
     kp_aes_gcm_##name##_encipher,                                                                                     \
     kp_aes_gcm_##name##_hash,                                                                                         \
     kp_aes_gcm_##name##_encrypt,                                                                                      \
     kp_aes_gcm_##name##_decrypt}

static const struct kernel kernels[] = {KERNEL(cpacf_ctr), KERNEL(cpacf_kimd)};

static _Alignas(64) uint8_t prepared[KP_AES_GCM_PREPARED_BYTES], expected_prepared[KP_AES_GCM_PREPARED_BYTES];
static uint8_t key[32], text[MOST + MARGIN], got[MOST + MARGIN], expected[MOST + MARGIN], aad[MOST];
static int failures;

static void fill(uint8_t *bytes, size_t count) {
    static uint64_t state = 1;
    while (count-- != 0) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        *bytes++ = (uint8_t)(state >> 56);
    }
}

static void compare(const char *kernel, const char *what, const void *a, const void *b, size_t bytes, size_t length) {
    if (memcmp(a, b, bytes) == 0)
        return;
    printf("%s: %s of %zu bytes is wrong\n", kernel, what, length);
    failures++;
}

static void test_text(const struct kernel *kernel, size_t length, uint32_t counter) {
    uint8_t start[16], y[16], mine[2][16], theirs[2][16];
    fill(start, 12);
    for (int i = 0; i < 4; i++)
        start[12 + i] = (uint8_t)(counter >> (24 - 8 * i));
    fill(y, 16);
    fill(text, length + MARGIN);
    for (int decrypt = 0; decrypt < 2; decrypt++) {
        memcpy(mine[0], start, 16);
        memcpy(theirs[0], start, 16);
        memcpy(mine[1], y, 16);
        memcpy(theirs[1], y, 16);
        memcpy(got, text, length + MARGIN); /* in place, and what lies behind stays */
        memcpy(expected, text, length + MARGIN);
        (decrypt ? kernel->decrypt : kernel->encrypt)(prepared, mine[0], mine[1], got, got, length);
        (decrypt ? kp_aes_gcm_portable_decrypt : kp_aes_gcm_portable_encrypt)(expected_prepared, theirs[0], theirs[1],
                                                                              text, expected, length);
        compare(kernel->name, decrypt ? "decrypt" : "encrypt", got, expected, length + MARGIN, length);
        compare(kernel->name, "the counter", mine[0], theirs[0], 16, length);
        compare(kernel->name, "the hash", mine[1], theirs[1], 16, length);
    }
    memcpy(mine[1], y, 16);
    memcpy(theirs[1], y, 16);
    kernel->hash(prepared, mine[1], text, length);
    kp_aes_gcm_portable_hash(expected_prepared, theirs[1], text, length);
    compare(kernel->name, "hash", mine[1], theirs[1], 16, length);
}

static void test_message(size_t length, size_t aad_length) {
    uint8_t j0[16], tag[16], expected_tag[16];
    fill(j0, 16);
    fill(aad, aad_length);
    fill(text, length + MARGIN);
    for (int open = 0; open < 2; open++) {
        memcpy(got, text, length + MARGIN);
        memcpy(expected, text, length + MARGIN);
        (open ? kp_aes_gcm_cpacf_kma_open_message : kp_aes_gcm_cpacf_kma_seal_message)(prepared, j0, aad, aad_length,
                                                                                       got, got, length, tag);
        (open ? kp_aes_gcm_portable_open_message : kp_aes_gcm_portable_seal_message)(
            expected_prepared, j0, aad, aad_length, text, expected, length, expected_tag);
        compare("cpacf_kma", open ? "open" : "seal", got, expected, length + MARGIN, length);
        compare("cpacf_kma", "the tag", tag, expected_tag, 16, length);
    }
}

static void test_ghash(size_t length) {
    static _Alignas(64) uint8_t mine[KP_GHASH_PREPARED_BYTES], theirs[KP_GHASH_PREPARED_BYTES];
    uint8_t h[16], y[16], expected_y[16];
    fill(h, 16);
    fill(y, 16);
    memcpy(expected_y, y, 16);
    fill(text, length);
    kp_ghash_kimd_prepare(mine, h);
    kp_ghash_portable_prepare(theirs, h);
    kp_ghash_kimd_update(mine, y, text, length);
    kp_ghash_portable_update(theirs, expected_y, text, length);
    compare("kimd", "update", y, expected_y, 16, length);
}

int main(void) {
    model_install();
    for (size_t key_length = 16; key_length <= 32; key_length += 8) {
        fill(key, sizeof key);
        kp_aes_gcm_portable_prepare(expected_prepared, key, key_length);
        for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
            uint8_t mine[16], theirs[16];
            fill(prepared, sizeof prepared);
            kernels[i].prepare(prepared, key, key_length);
            fill(mine, 16);
            kp_aes_gcm_portable_encipher(expected_prepared, mine, theirs);
            kernels[i].encipher(prepared, mine, mine);
            compare(kernels[i].name, "encipher", mine, theirs, 16, 16);
            for (size_t length = 0; length <= 300; length++)
                test_text(&kernels[i], length, length % 3 == 0 ? UINT32_C(0xffffffff) - (uint32_t)length / 32 : 1);
            for (size_t length = 4090; length <= MOST; length += 701)
                test_text(&kernels[i], length, UINT32_C(0xffffffff) - (uint32_t)length / 20);
        }
        /* cpacf_kma borrows the prepare of cpacf_kimd. */
        for (size_t length = 0; length <= 300; length++) {
            test_message(length, length * 7 % 131);
            test_message(length * 7 % 131, length);
        }
        test_message(MOST, 0);
        test_message(0, MOST);
        for (size_t length = 0; length <= 300; length++)
            test_ghash(length);
    }
    printf("%s; the model executed %lu instructions\n", failures == 0 ? "passed" : "failed", model_count());
    return failures != 0;
}
