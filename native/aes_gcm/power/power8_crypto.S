/* AES-GCM for ISA 2.07 (POWER8): see stitched.h. */
#define KP_ISA 207
#define KERNEL(entry) kp_aes_gcm_power8_crypto_##entry
#include "stitched.h"
