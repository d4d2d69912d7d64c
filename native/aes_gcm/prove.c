/* The self-test of an AES-GCM kernel before its first use: each key length, from the IV to the tag and back. */
#include "native/aes_gcm/aes_gcm.h"
#include "native/aes_gcm/known_answers.h"
#include "native/bytes.h"
#include "native/pattern.h"

bool kp_aes_gcm_prove(const void *entries);

struct trial {
    _Alignas(64) uint8_t prepared[KP_AES_GCM_PREPARED_BYTES];
    uint8_t pattern[KP_AES_GCM_KNOWN_BYTES], text[KP_AES_GCM_KNOWN_BYTES];
    uint8_t j0[16], tag[16];
};

static void add_lengths(const struct kp_aes_gcm_kernel *kernel, const struct trial *trial, uint8_t y[16],
                        uint64_t first, uint64_t second) {
    uint8_t lengths[16];
    kp_store_be64(lengths, 8 * first);
    kp_store_be64(lengths + 8, 8 * second);
    kernel->hash(trial->prepared, y, lengths, 16);
}

static void run_in_parts(const struct kp_aes_gcm_kernel *kernel, struct trial *trial,
                         kp_aes_gcm_kernel_encrypt *cipher) {
    const size_t length = KP_AES_GCM_KNOWN_BYTES;
    uint8_t counter[16], mask[16];
    kernel->encipher(trial->prepared, trial->j0, mask);
    memcpy(counter, trial->j0, 16);
    kp_store_be32(counter + 12, kp_load_be32(counter + 12) + 1);
    memset(trial->tag, 0, 16);
    kernel->hash(trial->prepared, trial->tag, trial->pattern, length);
    cipher(trial->prepared, counter, trial->tag, trial->text, trial->text, length);
    add_lengths(kernel, trial, trial->tag, length, length);
    kp_xor_block(trial->tag, trial->tag, mask);
}

static void run_at_once(struct trial *trial, kp_aes_gcm_kernel_seal_message *message) {
    const size_t length = KP_AES_GCM_KNOWN_BYTES;
    message(trial->prepared, trial->j0, trial->pattern, length, trial->text, trial->text, length, trial->tag);
}

bool kp_aes_gcm_prove(const void *entries) {
    const struct kp_aes_gcm_kernel *kernel = entries;
    struct trial trial;
    kp_fill_pattern(trial.pattern, sizeof trial.pattern);
    memcpy(trial.text, trial.pattern, sizeof trial.text);
    for (size_t i = 0; i < sizeof kp_aes_gcm_known_answers / sizeof kp_aes_gcm_known_answers[0]; i++) {
        const uint8_t *iv = kp_aes_gcm_known_answers[i].iv, *tag = kp_aes_gcm_known_answers[i].tag;
        kernel->prepare(trial.prepared, trial.pattern, kp_aes_gcm_known_answers[i].key_length);
        memset(trial.j0, 0, 16);
        kernel->hash(trial.prepared, trial.j0, iv, 16);
        add_lengths(kernel, &trial, trial.j0, 0, 16);

        /* The second run's tag is right only for the right ciphertext, so the first must have made it. */
        run_in_parts(kernel, &trial, kernel->encrypt);
        if (!kp_equal(trial.tag, tag, 16))
            return false;
        run_in_parts(kernel, &trial, kernel->decrypt);
        if (!kp_equal(trial.tag, tag, 16) || !kp_equal(trial.text, trial.pattern, sizeof trial.text))
            return false;
        if (kernel->seal_message == NULL)
            continue;
        run_at_once(&trial, kernel->seal_message);
        if (!kp_equal(trial.tag, tag, 16))
            return false;
        run_at_once(&trial, kernel->open_message);
        if (!kp_equal(trial.tag, tag, 16) || !kp_equal(trial.text, trial.pattern, sizeof trial.text))
            return false;
    }
    return true;
}
