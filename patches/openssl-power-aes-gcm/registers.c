/*
 * Calls OpenSSL's stitched POWER AES-GCM through checkasm's trampoline, compares its answers with another
 * implementation's, and lists each register that it should have preserved and did not.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "../../tests/checkasm/abi.h"

struct answer {
    int key_bits;
    size_t length;
    const char *cipher;
    const char *tag;
};
#include "answers.h"

struct abi_state checkasm_state __attribute__((aligned(64)));

/* OpenSSL's, from aesp8-ppc.pl, ghashp8-ppc.pl and aes-gcm-ppc.pl. */
int aes_p8_set_encrypt_key(const unsigned char *key, int bits, void *schedule);
void aes_p8_encrypt(const unsigned char *in, unsigned char *out, const void *schedule);
void gcm_init_p8(void *table, const uint64_t h[2]);
void gcm_gmult_p8(void *xi, const void *table);
size_t ppc_aes_gcm_encrypt(const void *in, void *out, size_t length, const void *key, void *iv, void *xi);
size_t ppc_aes_gcm_decrypt(const void *in, void *out, size_t length, const void *key, void *iv, void *xi);

/* As in OpenSSL's GCM128_CONTEXT: the hash, the hash key and its table follow each other. */
static struct {
    unsigned char xi[16], h[16], table[256];
} hash __attribute__((aligned(16)));

static unsigned char stack[65536] __attribute__((aligned(16)));
static unsigned char schedule[256] __attribute__((aligned(16)));
static unsigned char text[1024], out[1024] __attribute__((aligned(16)));

static void pattern(unsigned char *to, unsigned seed, size_t length) {
    for (size_t i = 0; i < length; i++) {
        to[i] = (unsigned char)(seed + 7 * i + (i >> 3) * 13);
    }
}

static int compare(const char *name, unsigned first, unsigned count, size_t offset, size_t width) {
    int changed = 0;
    for (unsigned i = 0; i < count; i++) {
        if (memcmp(checkasm_state.before + offset + i * width, checkasm_state.after + offset + i * width, width) != 0) {
            printf("%s%u is not preserved\n", name, first + i);
            changed++;
        }
    }
    return changed;
}

static int call(void *function, const void *in, size_t length, unsigned char *iv) {
    uint32_t condition[2];
    const uintptr_t arguments[8] = {(uintptr_t)in, (uintptr_t)out,     length, (uintptr_t)schedule,
                                    (uintptr_t)iv, (uintptr_t)hash.xi, 0,      0};
    pattern(checkasm_state.before, 5, sizeof checkasm_state.before);
    pattern(checkasm_state.poison, 99, sizeof checkasm_state.poison);
    checkasm_state.flags.value = ABI_VECTOR | ABI_WIDE_VECTOR;
    checkasm_state.stack.value = (uintptr_t)(stack + sizeof stack - 1024);
#if defined(_CALL_ELF) && _CALL_ELF == 2
    checkasm_checked_call((void (*)(void))function, arguments);
#else
    /* The kernel's symbol is its code, not a descriptor, which the trampoline wants. */
    uintptr_t descriptor[3] = {(uintptr_t)function, 0, 0};
    __asm__("mr %0, 2" : "=r"(descriptor[1]));
    checkasm_checked_call((void (*)(void))descriptor, arguments);
#endif
    memcpy(&condition[0], checkasm_state.before + ABI_CR, 4);
    memcpy(&condition[1], checkasm_state.after + ABI_CR, 4);
    int changed = compare("r", 1, 2, ABI_GPR, 8) + compare("r", 13, 19, 13 * ABI_GPR, 8) +
                  compare("f", 14, 18, ABI_F14, 8) + compare("v", 20, 12, ABI_V20, 16);
    if (((condition[0] ^ condition[1]) & 0x00fff000) != 0) {
        puts("CR2 to CR4 are not preserved");
        changed++;
    }
    return changed;
}

static void finish(size_t length, const unsigned char *iv, unsigned char *tag) {
    unsigned char first[16] = {0}, mask[16];
    for (int i = 0; i < 8; i++) {
        hash.xi[8 + i] ^= (unsigned char)((uint64_t)length * 8 >> (56 - 8 * i));
    }
    gcm_gmult_p8(hash.xi, hash.table);
    memcpy(first, iv, 12);
    first[15] = 1;
    aes_p8_encrypt(first, mask, schedule);
    for (int i = 0; i < 16; i++) {
        tag[i] = hash.xi[i] ^ mask[i];
    }
}

int main(void) {
    int changed = 0, wrong = 0;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const struct answer *answer = &answers[i];
        unsigned char key[32], iv[16] = {0}, tag[16];
        uint64_t h[2];
        pattern(key, 1, sizeof key);
        pattern(text, 3, sizeof text);
        aes_p8_set_encrypt_key(key, answer->key_bits, schedule);
        memset(hash.h, 0, 16);
        aes_p8_encrypt(hash.h, hash.h, schedule);
        for (int half = 0; half < 2; half++) {
            h[half] = 0;
            for (int byte = 0; byte < 8; byte++) {
                h[half] = h[half] << 8 | hash.h[8 * half + byte];
            }
        }
        gcm_init_p8(hash.table, h);
        for (int decrypt = 0; decrypt < 2; decrypt++) {
            const void *wanted = decrypt ? (const void *)text : answer->cipher;
            memset(hash.xi, 0, 16);
            pattern(iv, 2, 12);
            memcpy(iv + 12, "\0\0\0\2", 4);
            changed += decrypt ? call(ppc_aes_gcm_decrypt, answer->cipher, answer->length, iv)
                               : call(ppc_aes_gcm_encrypt, text, answer->length, iv);
            finish(answer->length, iv, tag);
            if (memcmp(out, wanted, answer->length) != 0 || memcmp(tag, answer->tag, 16) != 0) {
                printf("%s %d bits, %zu bytes: wrong\n", decrypt ? "decrypt" : "encrypt", answer->key_bits,
                       answer->length);
                wrong++;
            }
        }
    }
    printf("%d registers changed, %d answers wrong\n", changed, wrong);
    return changed != 0 || wrong != 0;
}
