/* The families that have checks. */
#include "families.h"
#include "tests/checkasm/checkasm.h"

const struct checkasm_family *const checkasm_families[] = {&checks_aes_gcm, &checks_ghash, &checks_md5,
                                                           &checks_md5_many, NULL};
