/* One line a family that has checks. */
#ifndef CHECKASM_FAMILIES_H
#define CHECKASM_FAMILIES_H

#include "tests/checkasm/checkasm.h"

extern const struct checkasm_family checks_aes_gcm;
extern const struct checkasm_family checks_ghash;
extern const struct checkasm_family checks_md5;
extern const struct checkasm_family checks_md5_many;

#endif
