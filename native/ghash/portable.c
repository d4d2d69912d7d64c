/* GHASH in plain C, constant time: four blocks at a time, multiplied as carryless.h says. */
#include "native/ghash/portable.h"

#include "native/ghash/multiply.h"
#include "native/wipe.h"

void kp_ghash_portable_prepare(void *memory, const uint8_t h[16]) {
    struct kp_ghash_portable_prepared *prepared = memory;
    uint8_t power[16];
    memcpy(power, h, 16);
    for (int i = 0; i < KP_GHASH_PORTABLE_BLOCKS; i++) {
        kp_factor_set(&prepared->powers[i], kp_element_load(power));
        kp_ghash_multiply(power, power, h);
    }
    kp_wipe(power, sizeof power);
}

/* y takes in `blocks` blocks, 1 to KP_GHASH_PORTABLE_BLOCKS. */
static inline struct kp_element take(const struct kp_ghash_portable_prepared *prepared, struct kp_element y,
                                     const uint8_t *data, size_t blocks, struct kp_product *product) {
    struct kp_element x[KP_GHASH_PORTABLE_BLOCKS];
    for (size_t i = 0; i < blocks; i++)
        x[i] = kp_element_load(data + 16 * i);
    x[0].high ^= y.high;
    x[0].low ^= y.low;
    kp_product_set(product, x, &prepared->powers[blocks - 1], blocks);
    return kp_product_reduce(product);
}

void kp_ghash_portable_update(const void *memory, uint8_t y[16], const uint8_t *data, size_t length) {
    const struct kp_ghash_portable_prepared *prepared = memory;
    const size_t step = 16 * KP_GHASH_PORTABLE_BLOCKS;
    struct kp_element sum = kp_element_load(y);
    struct kp_product product;
    for (; length >= step; data += step, length -= step)
        sum = take(prepared, sum, data, KP_GHASH_PORTABLE_BLOCKS, &product);
    if (length != 0) {
        uint8_t rest[16 * KP_GHASH_PORTABLE_BLOCKS] = {0};
        memcpy(rest, data, length);
        sum = take(prepared, sum, rest, (length + 15) / 16, &product);
        kp_wipe(rest, sizeof rest);
    }
    kp_element_store(y, sum);
    kp_wipe(&product, sizeof product);
}
