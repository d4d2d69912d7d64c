/* kernport: AES-GCM, GHASH and MD5 by the fastest kernel of the processor it runs on.
 *
 * Every function is safe to call from any thread. Objects (keys, streams, MD5 states) may be
 * shared between threads as long as nobody changes one while another uses it: a key never
 * changes after it was made. Lengths are in bytes. A pointer may be NULL where its length is 0.
 * Text is enciphered in place when `in == out`; any other overlap is KP_OVERLAP.
 */
#ifndef KERNPORT_H
#define KERNPORT_H

#include <stddef.h>
#include <stdint.h>

#include "kernport_dispatch.h" /* what the dispatcher saw and chose */

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kp_status {
    KP_OK = 0,
    KP_BAD_KEY_LENGTH, /* AES keys have 16, 24 or 32 bytes */
    KP_BAD_IV_LENGTH,  /* an IV has 1 to 2^61 - 1 bytes */
    KP_BAD_TAG_LENGTH, /* a tag has 4, 8 or 12 to 16 bytes */
    KP_TOO_LONG,       /* beyond SP 800-38D: 2^36 - 32 bytes of text, 2^61 - 1 of AAD */
    KP_OVERLAP,        /* input and output overlap without being the same */
    KP_INVALID_TAG,    /* the tag does not match: the output was wiped */
    KP_OUT_OF_ORDER,   /* AAD after text, text after the tag, or the other direction's call */
    KP_NO_MEMORY,
    KP_UNKNOWN_KERNEL,     /* no kernel of that name in this build */
    KP_UNAVAILABLE_KERNEL, /* the kernel is there but may not run on this host */
    KP_NO_KERNEL           /* not one kernel of the family passed its self-test */
} kp_status;

/* One sentence, in English, for a status; never NULL. */
KP_PUBLIC const char *kp_status_text(kp_status status);

/* AES-GCM (NIST SP 800-38D). `kernel` names the kernel to use; NULL means the dispatcher's choice. */

typedef struct kp_aes_gcm_key kp_aes_gcm_key;

KP_PUBLIC kp_status kp_aes_gcm_key_new(kp_aes_gcm_key **key, const uint8_t *bytes, size_t length, const char *kernel);
KP_PUBLIC void kp_aes_gcm_key_free(kp_aes_gcm_key *key);
KP_PUBLIC const char *kp_aes_gcm_key_kernel(const kp_aes_gcm_key *key);

/* Writes `length` bytes to `out` and `tag_length` bytes to `tag`. */
KP_PUBLIC kp_status kp_aes_gcm_seal(const kp_aes_gcm_key *key, const uint8_t *iv, size_t iv_length, const uint8_t *aad,
                                    size_t aad_length, const uint8_t *in, size_t length, uint8_t *out, uint8_t *tag,
                                    size_t tag_length);

/* Writes `length` bytes to `out`. When the tag does not match, `out` is all zero. */
KP_PUBLIC kp_status kp_aes_gcm_open(const kp_aes_gcm_key *key, const uint8_t *iv, size_t iv_length, const uint8_t *aad,
                                    size_t aad_length, const uint8_t *in, size_t length, uint8_t *out,
                                    const uint8_t *tag, size_t tag_length);

/* The same in pieces of any size: all AAD, then all text, then the tag. The key must outlive the
 * stream. A decrypting stream hands out text that nobody has verified yet: the caller must not act
 * on it before kp_aes_gcm_stream_verify has returned KP_OK. */

typedef struct kp_aes_gcm_stream kp_aes_gcm_stream;

typedef enum kp_direction { KP_ENCRYPT, KP_DECRYPT } kp_direction;

KP_PUBLIC kp_status kp_aes_gcm_stream_new(kp_aes_gcm_stream **stream, const kp_aes_gcm_key *key, kp_direction direction,
                                          const uint8_t *iv, size_t iv_length);
KP_PUBLIC void kp_aes_gcm_stream_free(kp_aes_gcm_stream *stream);
KP_PUBLIC kp_status kp_aes_gcm_stream_aad(kp_aes_gcm_stream *stream, const uint8_t *aad, size_t length);
KP_PUBLIC kp_status kp_aes_gcm_stream_text(kp_aes_gcm_stream *stream, const uint8_t *in, size_t length, uint8_t *out);
KP_PUBLIC kp_status kp_aes_gcm_stream_tag(kp_aes_gcm_stream *stream, uint8_t *tag, size_t tag_length);
KP_PUBLIC kp_status kp_aes_gcm_stream_verify(kp_aes_gcm_stream *stream, const uint8_t *tag, size_t tag_length);

/* GHASH (SP 800-38D, section 6.4) under a hash subkey of 16 bytes. */

typedef struct kp_ghash_key kp_ghash_key;

KP_PUBLIC kp_status kp_ghash_key_new(kp_ghash_key **key, const uint8_t *subkey, const char *kernel);
KP_PUBLIC void kp_ghash_key_free(kp_ghash_key *key);
/* y (16 bytes, zero at first) takes in the data; a last part of a block is filled up with zeros. */
KP_PUBLIC void kp_ghash_update(const kp_ghash_key *key, uint8_t *y, const uint8_t *data, size_t length);

/* MD5 (RFC 1321): for checksums that exist, not for new designs: it is broken as a secure hash. */

typedef struct kp_md5_state kp_md5_state;

KP_PUBLIC kp_status kp_md5_new(kp_md5_state **state, const char *kernel);
KP_PUBLIC kp_status kp_md5_copy(kp_md5_state **copy, const kp_md5_state *state);
KP_PUBLIC void kp_md5_free(kp_md5_state *state);
KP_PUBLIC void kp_md5_update(kp_md5_state *state, const uint8_t *data, size_t length);
/* Writes the 16 bytes for what was taken in so far; the state can go on. */
KP_PUBLIC void kp_md5_digest(const kp_md5_state *state, uint8_t *digest);
/* Hashes `count` independent messages; digest i is written at digests + 16 * i. */
KP_PUBLIC kp_status kp_md5_many(const uint8_t *const *data, const size_t *lengths, size_t count, uint8_t *digests,
                                const char *kernel);

#ifdef __cplusplus
}
#endif
#endif
