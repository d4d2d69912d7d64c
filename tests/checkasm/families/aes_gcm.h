/* What the two files with checks of aes-gcm share. */
#ifndef CHECKASM_AES_GCM_H
#define CHECKASM_AES_GCM_H

#include "native/aes_gcm/aes_gcm.h"
#include "tests/checkasm/checkasm.h"

/* A message by the entries that every kernel has, from J0 to the tag; `out` may be `in`. */
void compose_message(const struct kp_aes_gcm_kernel *with, const void *key, const uint8_t j0[16], const uint8_t *aad,
                     size_t aad_length, bool encrypts, const uint8_t *in, uint8_t *out, size_t length, uint8_t tag[16]);

/* The kernel behind the public functions. */
void check_aes_gcm_public(const struct kp_kernel *kernel, const struct kp_kernel *portable);

#endif
