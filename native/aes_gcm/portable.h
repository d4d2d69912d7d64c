/* The portable kernel of the family aes-gcm, for those who call it by name. */
#ifndef KP_AES_GCM_PORTABLE_H
#define KP_AES_GCM_PORTABLE_H

#include "native/aes_gcm/aes_gcm.h"

kp_aes_gcm_kernel_prepare kp_aes_gcm_portable_prepare;
kp_aes_gcm_kernel_encipher kp_aes_gcm_portable_encipher;
kp_aes_gcm_kernel_hash kp_aes_gcm_portable_hash;
kp_aes_gcm_kernel_encrypt kp_aes_gcm_portable_encrypt;
kp_aes_gcm_kernel_decrypt kp_aes_gcm_portable_decrypt;
kp_aes_gcm_kernel_seal_message kp_aes_gcm_portable_seal_message;
kp_aes_gcm_kernel_open_message kp_aes_gcm_portable_open_message;

#endif
