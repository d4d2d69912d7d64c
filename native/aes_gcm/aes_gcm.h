/* What a kernel of the family aes-gcm provides.
 *
 * A kernel `some-name` defines kp_aes_gcm_some_name_<entry> for each entry below. Everything a
 * kernel wants to know about a key it writes in `prepare` into memory of its own layout,
 * KP_AES_GCM_PREPARED_BYTES long and aligned to 64. All entries are constant time in the key and
 * the data, allow any alignment, and read and write not one byte beyond what they were given.
 */
#ifndef KP_AES_GCM_H
#define KP_AES_GCM_H

#include <stddef.h>
#include <stdint.h>

/* Fifteen round keys, 48 powers of H and a first-round table of 4 KiB, with room for two layouts of some. */
#define KP_AES_GCM_PREPARED_BYTES 6144

/* Expands an AES key of 16, 24 or 32 bytes and derives what GHASH needs from H. */
typedef void kp_aes_gcm_kernel_prepare(void *prepared, const uint8_t *key, size_t key_length);

/* One AES block: out = AES(in). In place allowed. */
typedef void kp_aes_gcm_kernel_encipher(const void *prepared, const uint8_t in[16], uint8_t out[16]);

/* GHASH: y takes in `length` bytes, any number; a last part of a block counts as filled up with zeros. */
typedef void kp_aes_gcm_kernel_hash(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);

#define KP_AES_GCM_PUBLIC_COUNTER_BYTES 128

/* Counter mode and GHASH of the ciphertext, any length. `counter` is the block to encipher for the
 * first 16 bytes; its last four bytes count, big-endian, modulo 2^32, and it is left advanced by the
 * number of blocks, a last part of a block included. y takes in the ciphertext, such a last part
 * filled up with zeros. `in == out` allowed.
 *
 * Memory may be indexed by the counter only where `length` is KP_AES_GCM_PUBLIC_COUNTER_BYTES or more: the caller gives
 * text in shorter pieces where the counter is a secret, which it is when J0 is a hash of the IV under H. */
typedef void kp_aes_gcm_kernel_encrypt(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                       uint8_t *out, size_t length);
typedef void kp_aes_gcm_kernel_decrypt(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in,
                                       uint8_t *out, size_t length);

/* Optional: a whole message in one call, from the pre-counter block J0 to the tag in full. `open`
 * writes the text and the tag it ought to have; comparing and wiping are the caller's. */
typedef void kp_aes_gcm_kernel_seal_message(const void *prepared, const uint8_t j0[16], const uint8_t *aad,
                                            size_t aad_length, const uint8_t *in, uint8_t *out, size_t length,
                                            uint8_t tag[16]);
typedef void kp_aes_gcm_kernel_open_message(const void *prepared, const uint8_t j0[16], const uint8_t *aad,
                                            size_t aad_length, const uint8_t *in, uint8_t *out, size_t length,
                                            uint8_t tag[16]);

struct kp_aes_gcm_kernel {
    kp_aes_gcm_kernel_prepare *prepare;
    kp_aes_gcm_kernel_encipher *encipher;
    kp_aes_gcm_kernel_hash *hash;
    kp_aes_gcm_kernel_encrypt *encrypt;
    kp_aes_gcm_kernel_decrypt *decrypt;
    kp_aes_gcm_kernel_seal_message *seal_message; /* NULL where the kernel has none, and then both are */
    kp_aes_gcm_kernel_open_message *open_message;
};

#endif
