/* x86-64: one instruction on twelve registers in turn. Twelve cover the latency of every processor known at two
 * instructions a cycle, so that nothing but the execution ports bounds the loops.
 *
 * What seals a block does rounds and multiplies, which share ports on some processors: two more loops do ten rounds or
 * fourteen beside three multiplies, on registers of their own. */
#include "dispatch/dispatch.h"
#include "native/bench/clock.h"
#include "native/bench/timing.h"

#define REGISTERS 12
#define ROUNDS 4 /* of all registers in one turn of a loop */

#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define FOUR_TIMES(text) text text text text

/* The order of the operands is AT&T's; register 15 is the round key or the other factor. */
#define AES_XMM(n) "aesenc %%xmm15, %%xmm" #n "\n\t"
#define AES_YMM(n) "vaesenc %%ymm15, %%ymm" #n ", %%ymm" #n "\n\t"
#define AES_ZMM(n) "vaesenc %%zmm15, %%zmm" #n ", %%zmm" #n "\n\t"
#define MULTIPLY_XMM(n) "pclmulqdq $0x10, %%xmm15, %%xmm" #n "\n\t"
#define MULTIPLY_YMM(n) "vpclmulqdq $0x10, %%ymm15, %%ymm" #n ", %%ymm" #n "\n\t"
#define MULTIPLY_ZMM(n) "vpclmulqdq $0x10, %%zmm15, %%zmm" #n ", %%zmm" #n "\n\t"

/* One block of a register with a key of 128 bits, and five with one of 256. */
#define TEN(A) A(0) A(1) A(2) A(3) A(4) A(5) A(6) A(7) A(8) A(9)
#define BLOCK(A, M) A(0) A(1) A(2) M(10) A(3) A(4) A(5) M(11) A(6) A(7) A(8) M(12) A(9)
#define FIVE_BLOCKS(A, M) BLOCK(A, M) TEN(A) BLOCK(A, M) BLOCK(A, M) TEN(A) BLOCK(A, M) BLOCK(A, M)

#define LOOP(name, text, end)                                                                                          \
    static void name(size_t repeats) {                                                                                 \
        __asm__ volatile("1:\n\t" text "dec %0\n\tjnz 1b\n\t" end                                                      \
                         : "+r"(repeats)                                                                               \
                         :                                                                                             \
                         : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",       \
                           "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");                                      \
    }

LOOP(aes_xmm, FOUR_TIMES(EACH(AES_XMM)), "")
LOOP(aes_ymm, FOUR_TIMES(EACH(AES_YMM)), "vzeroupper")
LOOP(aes_zmm, FOUR_TIMES(EACH(AES_ZMM)), "vzeroupper")
LOOP(multiply_xmm, FOUR_TIMES(EACH(MULTIPLY_XMM)), "")
LOOP(block_128_xmm, FOUR_TIMES(BLOCK(AES_XMM, MULTIPLY_XMM)), "")
LOOP(block_256_xmm, FIVE_BLOCKS(AES_XMM, MULTIPLY_XMM), "")
LOOP(multiply_ymm, FOUR_TIMES(EACH(MULTIPLY_YMM)), "vzeroupper")
LOOP(block_128_ymm, FOUR_TIMES(BLOCK(AES_YMM, MULTIPLY_YMM)), "vzeroupper")
LOOP(block_256_ymm, FIVE_BLOCKS(AES_YMM, MULTIPLY_YMM), "vzeroupper")
LOOP(multiply_zmm, FOUR_TIMES(EACH(MULTIPLY_ZMM)), "vzeroupper")
LOOP(block_128_zmm, FOUR_TIMES(BLOCK(AES_ZMM, MULTIPLY_ZMM)), "vzeroupper")
LOOP(block_256_zmm, FIVE_BLOCKS(AES_ZMM, MULTIPLY_ZMM), "vzeroupper")

#define NEEDS(feature) ((kp_feature_set)1 << KP_FEATURE_##feature)

#define PASS (REGISTERS * ROUNDS)

static const struct {
    const char *name, *unit;
    size_t vector_bytes, vectors; /* in one turn of the loop */
    kp_feature_set needs;
    void (*loop)(size_t repeats);
} limits[] = {
    {"aesenc xmm", "aes-round", 16, PASS, NEEDS(AES), aes_xmm},
    {"vaesenc ymm", "aes-round", 32, PASS, NEEDS(VAES) | NEEDS(AVX2), aes_ymm},
    {"vaesenc zmm", "aes-round", 64, PASS, NEEDS(VAES) | NEEDS(AVX512F), aes_zmm},
    {"pclmulqdq xmm", "multiply", 16, PASS, NEEDS(PCLMULQDQ), multiply_xmm},
    {"vpclmulqdq ymm", "multiply", 32, PASS, NEEDS(VPCLMULQDQ) | NEEDS(AVX2), multiply_ymm},
    {"vpclmulqdq zmm", "multiply", 64, PASS, NEEDS(VPCLMULQDQ) | NEEDS(AVX512F), multiply_zmm},
    {"xmm", "10 rounds, 3 multiplies", 16, 4, NEEDS(AES) | NEEDS(PCLMULQDQ), block_128_xmm},
    {"ymm", "10 rounds, 3 multiplies", 32, 4, NEEDS(VAES) | NEEDS(VPCLMULQDQ) | NEEDS(AVX2), block_128_ymm},
    {"zmm", "10 rounds, 3 multiplies", 64, 4, NEEDS(VAES) | NEEDS(VPCLMULQDQ) | NEEDS(AVX512F), block_128_zmm},
    {"xmm", "14 rounds, 3 multiplies", 16, 5, NEEDS(AES) | NEEDS(PCLMULQDQ), block_256_xmm},
    {"ymm", "14 rounds, 3 multiplies", 32, 5, NEEDS(VAES) | NEEDS(VPCLMULQDQ) | NEEDS(AVX2), block_256_ymm},
    {"zmm", "14 rounds, 3 multiplies", 64, 5, NEEDS(VAES) | NEEDS(VPCLMULQDQ) | NEEDS(AVX512F), block_256_zmm},
};

size_t kp_limit_count(void) {
    return sizeof limits / sizeof limits[0];
}

const char *kp_limit_name(size_t limit) {
    return limits[limit].name;
}

const char *kp_limit_unit(size_t limit) {
    return limits[limit].unit;
}

int kp_limit_may_run(size_t limit) {
    return (kp_usable_features() & limits[limit].needs) == limits[limit].needs;
}

size_t kp_limit_bytes(size_t limit) {
    return limits[limit].vector_bytes * limits[limit].vectors;
}

uint64_t kp_time_limit(size_t limit, size_t repeats) {
    const uint64_t start = kp_nanoseconds();
    if (repeats != 0)
        limits[limit].loop(repeats);
    return kp_nanoseconds() - start;
}
