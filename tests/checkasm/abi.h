/* What a checked call agrees on between C (call.c) and the trampolines (call_<convention>.S).
 *
 * The trampoline loads the registers that a callee must preserve from `before`, the others from
 * `poison`, switches to the stack that C prepared, calls, and stores what it finds into `after`.
 * C compares. Offsets are in bytes from checkasm_state, which the trampoline finds relative to its
 * own code, so that even a callee that returns with a wrong stack pointer is caught.
 */
#ifndef CHECKASM_ABI_H
#define CHECKASM_ABI_H

#define ABI_BEFORE 0
#define ABI_AFTER 1024
#define ABI_POISON 2048
#define ABI_FLAGS 4096
#define ABI_STACK 4104
#define ABI_SAVED 4112

#define ABI_REGISTER_BYTES 1024
#define ABI_POISON_BYTES 2048

/* Where `after` has what the call returned, in all conventions. */
#define ABI_RESULT 1016

/* Flags: which vector state there is. */
#define ABI_VECTOR 1      /* AVX; AltiVec; RISC-V V; the s390x vector facility */
#define ABI_WIDE_VECTOR 2 /* AVX-512; VSX */
#define ABI_CLEAN_UPPER 4 /* x86: call with the upper halves zero, and want them zero afterwards */

/* Where each convention keeps a register within `before` and `after`. */
#if defined(__x86_64__)
#define ABI_RSP 48
#define ABI_MXCSR 56
#define ABI_X87 64
#define ABI_RFLAGS 96
#define ABI_UPPER 128
#elif defined(__aarch64__)
#define ABI_SP 88
#define ABI_FPCR 96
#define ABI_D8 128
#elif defined(__powerpc__)
/* r0 to r31, then f14 to f31, then v20 to v31; r1 is the stack pointer. */
#if defined(__powerpc64__)
#define ABI_GPR 8
#else
#define ABI_GPR 4
#endif
#define ABI_F14 256
#define ABI_V20 400
#define ABI_CR 592
#define ABI_VRSAVE 600
#define ABI_BACK_CHAIN 608
#elif defined(__riscv)
/* x0 to x31, then f0 to f31. */
#define ABI_F0 256
#elif defined(__s390x__)
/* r0 to r15, then f8 to f15. */
#define ABI_F8 128
#define ABI_FPC 192
#define ABI_A0 200
#else
#error "checkasm has no trampoline for this architecture: add call_<convention>.S and its registers in call.c"
#endif

#ifndef __ASSEMBLER__
#include <stdint.h>

struct abi_state {
    uint8_t before[ABI_REGISTER_BYTES];
    uint8_t after[ABI_REGISTER_BYTES];
    uint8_t poison[ABI_POISON_BYTES];
    union {
        uintptr_t value;
        uint64_t room;
    } flags, stack, saved;
};

extern struct abi_state checkasm_state __attribute__((visibility("hidden")));

/* Calls `function` with eight integer arguments; see above. */
void checkasm_checked_call(void (*function)(void), const uintptr_t arguments[8]) __attribute__((visibility("hidden")));
#endif
#endif
