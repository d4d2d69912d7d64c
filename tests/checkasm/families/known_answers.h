/* Answers that another implementation gave: known_answers.c, written by known_answers.py. */
#ifndef CHECKASM_KNOWN_ANSWERS_H
#define CHECKASM_KNOWN_ANSWERS_H

#include <stddef.h>
#include <stdint.h>

#define KNOWN_LONGEST 4096

/* key = pattern(key_length, key_length), AAD = pattern(7, aad_length), text = pattern(8, text_length). */
struct known_aes_gcm {
    uint16_t key_length, aad_length, text_length, iv_length;
    uint8_t iv[16], j0[16], tag[16];
    uint32_t cipher_crc32;
};
extern const struct known_aes_gcm known_aes_gcm[];
extern const size_t known_aes_gcm_count;

/* data = pattern(9, length); the result takes in the data and the block of its length in bits. */
struct known_ghash {
    uint16_t length;
    uint8_t subkey[16], result[16];
};
extern const struct known_ghash known_ghash[];
extern const size_t known_ghash_count;

/* message = pattern(10, length) */
struct known_md5 {
    uint16_t length;
    uint8_t digest[16];
};
extern const struct known_md5 known_md5[];
extern const size_t known_md5_count;

#endif
