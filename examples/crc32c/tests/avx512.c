/* Compares every x86-64 kernel with the portable one on an emulated processor with AVX-512, at every length that leads
 * to another number of turns and at all alignments, in buffers beside which no memory is. */
#include "tests/avx512/bare.h"

typedef uint32_t update(uint32_t crc, const uint8_t *data, size_t length);

update crc_crc32c_portable_update;
update crc_crc32c_sse42_update;
update crc_crc32c_pclmul_update;
update crc_crc32c_vpclmul_avx2_update;
update crc_crc32c_vpclmul_avx512_update;

static const struct {
    const char *name;
    update *function;
} kernels[] = {
    {"sse42", crc_crc32c_sse42_update},
    {"pclmul", crc_crc32c_pclmul_update},
    {"vpclmul-avx2", crc_crc32c_vpclmul_avx2_update},
    {"vpclmul-avx512", crc_crc32c_vpclmul_avx512_update},
};

static void compare(update *function, const uint8_t *data, size_t length) {
    const uint32_t crc = (uint32_t)random_word();
    check(function(crc, data, length) == crc_crc32c_portable_update(crc, data, length), "the checksum", length,
          (uintptr_t)data % 64);
    check(upper_halves_are_clear(), "the state of the registers", length, 0);
}

int main(void) {
    begin();
    family = "crc32c";
    random_bytes(start_of(0), BUFFER_BYTES);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        kernel = kernels[i].name;
        for (size_t length = 0; length <= 1200; length++) {
            compare(kernels[i].function, end_of(0) - length, length);
            compare(kernels[i].function, start_of(0) + length % 64, length);
        }
        for (size_t length = 1200; length <= BUFFER_BYTES; length += 293)
            compare(kernels[i].function, end_of(0) - length, length);
        say(family), say("/"), say(kernel), say("\n");
    }
    say("passed\n");
    stop();
}
