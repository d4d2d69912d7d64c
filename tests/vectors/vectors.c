/* Other people's test vectors through the C API, by every kernel that runs here; with the argument "chosen", by the
 * dispatcher's choice alone, asked for as a program does that names no kernel.
 *
 * Reads lines of words, hexadecimal but for the first and "valid", "-" for nothing:
 *     aes-gcm KEY IV AAD TEXT SEALED TAG valid|invalid
 *     md5 DATA DIGEST
 * and prints a line a kernel: family/name, how many cases, how many of them wrong. Exit code 0 means that none was
 * wrong, 1 that one was, 2 that the input is none. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernport.h"

#define MOST_WORDS 8
#define MOST_BYTES 4096
#define MOST_FAMILIES 8
#define MOST_KERNELS 64

struct word {
    size_t length;
    uint8_t bytes[MOST_BYTES];
};

static struct word words[MOST_WORDS];
static unsigned long cases[MOST_FAMILIES][MOST_KERNELS], wrong[MOST_FAMILIES][MOST_KERNELS];

static bool parse(struct word *word, const char *text) {
    size_t digits = strcmp(text, "-") == 0 ? 0 : strlen(text);
    if (digits % 2 != 0 || digits / 2 > MOST_BYTES)
        return false;
    word->length = digits / 2;
    for (size_t i = 0; i < word->length; i++) {
        unsigned value;
        if (sscanf(text + 2 * i, "%2x", &value) != 1)
            return false;
        word->bytes[i] = (uint8_t)value;
    }
    return true;
}

static bool is(const uint8_t *bytes, const struct word *word) {
    return memcmp(bytes, word->bytes, word->length) == 0;
}

static bool aes_gcm(const char *kernel, bool is_valid) {
    static uint8_t out[MOST_BYTES];
    const struct word *key = &words[0], *iv = &words[1], *aad = &words[2], *text = &words[3], *sealed = &words[4],
                      *tag = &words[5];
    kp_aes_gcm_key *made;
    uint8_t computed[16];
    if (kp_aes_gcm_key_new(&made, key->bytes, key->length, kernel) != KP_OK)
        return false;
    memset(out, 0xa5, sizeof out);
    kp_status status = kp_aes_gcm_open(made, iv->bytes, iv->length, aad->bytes, aad->length, sealed->bytes,
                                       sealed->length, out, tag->bytes, tag->length);
    bool is_right;
    if (is_valid) {
        is_right = status == KP_OK && is(out, text);
        status = kp_aes_gcm_seal(made, iv->bytes, iv->length, aad->bytes, aad->length, text->bytes, text->length, out,
                                 computed, tag->length);
        is_right = is_right && status == KP_OK && is(out, sealed) && is(computed, tag);
    } else {
        is_right = status == (iv->length == 0 ? KP_BAD_IV_LENGTH : KP_INVALID_TAG);
        for (size_t i = 0; is_right && status == KP_INVALID_TAG && i < sealed->length; i++)
            is_right = out[i] == 0;
    }
    kp_aes_gcm_key_free(made);
    return is_right;
}

static bool md5(const char *kernel) {
    kp_md5_state *state;
    uint8_t digest[16];
    if (kp_md5_new(&state, kernel) != KP_OK)
        return false;
    kp_md5_update(state, words[0].bytes, words[0].length);
    kp_md5_digest(state, digest);
    kp_md5_free(state);
    return is(digest, &words[1]);
}

static bool md5_many(const char *kernel) {
    const uint8_t *data[3] = {words[0].bytes, words[1].bytes, words[0].bytes};
    const size_t lengths[3] = {words[0].length, 0, words[0].length};
    uint8_t digests[3][16];
    return kp_md5_many(data, lengths, 3, digests[0], kernel) == KP_OK && is(digests[0], &words[1]) &&
           is(digests[2], &words[1]);
}

/* Whether the family knows this kind of case. */
static bool run(const char *kind, const char *family, const char *kernel, bool is_valid, bool *is_right) {
    if (strcmp(kind, "aes-gcm") == 0 && strcmp(family, "aes-gcm") == 0)
        *is_right = aes_gcm(kernel, is_valid);
    else if (strcmp(kind, "md5") == 0 && strcmp(family, "md5") == 0)
        *is_right = md5(kernel);
    else if (strcmp(kind, "md5") == 0 && strcmp(family, "md5-many") == 0)
        *is_right = md5_many(kernel);
    else
        return false;
    return true;
}

static bool runs_here(size_t family, size_t kernel, bool only_chosen) {
    const kp_kernel_state state = kp_kernel_get_state(family, kernel);
    return state == KP_CHOSEN || (state == KP_ELIGIBLE && !only_chosen);
}

int main(int argument_count, char **arguments) {
    const bool only_chosen = argument_count == 2 && strcmp(arguments[1], "chosen") == 0;
    static char line[2 * MOST_WORDS * MOST_BYTES];
    unsigned long number = 0;
    bool any_wrong = false;
    while (fgets(line, sizeof line, stdin) != NULL) {
        number++;
        const char *kind = strtok(line, " \n");
        bool is_valid = true;
        size_t count = 0;
        for (char *text = strtok(NULL, " \n"); kind != NULL && text != NULL; text = strtok(NULL, " \n")) {
            if (strcmp(text, "valid") == 0 || strcmp(text, "invalid") == 0) {
                is_valid = text[0] == 'v';
            } else if (count == MOST_WORDS || !parse(&words[count++], text)) {
                fprintf(stderr, "line %lu: '%.20s' is not a word of a vector\n", number, text);
                return 2;
            }
        }
        if (kind == NULL || count != (strcmp(kind, "md5") == 0 ? 2 : 6)) {
            fprintf(stderr, "line %lu is no vector\n", number);
            return 2;
        }
        for (size_t family = 0; family < kp_family_count(); family++) {
            for (size_t kernel = 0; kernel < kp_kernel_count(family); kernel++) {
                bool is_right;
                const char *name = only_chosen ? NULL : kp_kernel_name(family, kernel);
                if (!runs_here(family, kernel, only_chosen) ||
                    !run(kind, kp_family_name(family), name, is_valid, &is_right))
                    continue;
                cases[family][kernel]++;
                wrong[family][kernel] += !is_right;
            }
        }
    }
    for (size_t family = 0; family < kp_family_count(); family++) {
        for (size_t kernel = 0; kernel < kp_kernel_count(family); kernel++) {
            if (cases[family][kernel] == 0)
                continue;
            printf("%s/%s %lu %lu\n", kp_family_name(family), kp_kernel_name(family, kernel), cases[family][kernel],
                   wrong[family][kernel]);
            any_wrong = any_wrong || wrong[family][kernel] != 0;
        }
    }
    return any_wrong;
}
