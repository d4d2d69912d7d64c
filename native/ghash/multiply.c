#include "native/ghash/multiply.h"

#include "native/ghash/carryless.h"
#include "native/wipe.h"

void kp_ghash_multiply(uint8_t z[16], const uint8_t x[16], const uint8_t y[16]) {
    struct kp_factor factor;
    struct kp_product product;
    const struct kp_element element = kp_element_load(x);
    kp_factor_set(&factor, kp_element_load(y));
    kp_product_set(&product, &element, &factor, 1);
    kp_element_store(z, kp_product_reduce(&product));
    kp_wipe(&factor, sizeof factor);
    kp_wipe(&product, sizeof product);
}
