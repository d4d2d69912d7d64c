/* The portable kernel of the family ghash, which that of aes-gcm uses too. */
#ifndef KP_GHASH_PORTABLE_H
#define KP_GHASH_PORTABLE_H

#include "native/ghash/carryless.h"
#include "native/ghash/ghash.h"

/* Blocks taken in together: they share one reduction. */
#define KP_GHASH_PORTABLE_BLOCKS 4

struct kp_ghash_portable_prepared {
    struct kp_factor powers[KP_GHASH_PORTABLE_BLOCKS]; /* H, H^2, ... */
};

_Static_assert(sizeof(struct kp_ghash_portable_prepared) <= KP_GHASH_PREPARED_BYTES, "the prepared key must fit");

kp_ghash_kernel_prepare kp_ghash_portable_prepare;
kp_ghash_kernel_update kp_ghash_portable_update;

#endif
