/* What a kernel of the family ghash provides: see aes_gcm/aes_gcm.h for the rules, which are the same. */
#ifndef KP_GHASH_H
#define KP_GHASH_H

#include <stddef.h>
#include <stdint.h>

/* 48 powers of H, with room for a second layout. */
#define KP_GHASH_PREPARED_BYTES 2048

/* Derives what `update` needs from the hash subkey H. */
typedef void kp_ghash_kernel_prepare(void *prepared, const uint8_t h[16]);

/* y takes in `length` bytes, any number; a last part of a block counts as filled up with zeros. */
typedef void kp_ghash_kernel_update(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length);

struct kp_ghash_kernel {
    kp_ghash_kernel_prepare *prepare;
    kp_ghash_kernel_update *update;
};

#endif
