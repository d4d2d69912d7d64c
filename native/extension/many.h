/* Many messages in one call. */
#ifndef KP_MANY_H
#define KP_MANY_H

#include "native/extension/fast.h"

kp_fast_function kp_encrypt_many, kp_decrypt_many, kp_sign_many;

#endif
