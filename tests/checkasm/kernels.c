/* The kernels to check: the library's own. */
#include "checkasm.h"

const bool checkasm_kernels_are_public = true;

const struct kp_family *checkasm_kernel_table(size_t *count) {
    *count = KP_FAMILY_COUNT;
    return kp_families;
}
