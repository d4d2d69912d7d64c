/* RISC-V, 64 bits: hwprobe, the control of vector use, and the length of a vector register.
 *
 * hwprobe is called by its number, so that every libc has it; a kernel before Linux 6.4 has none, and a key that
 * a kernel does not know comes back as -1. AT_HWCAP has single letters only, and its V was also set by systems for
 * cores with the draft 0.7.1 of the vector extension: it never counts alone. FreeBSD has nothing but these letters.
 *
 * hwprobe answers for the machine and not for the thread, which may be forbidden to use vectors (and then traps), so
 * that is asked for as well, and vlenb is read only where a vector instruction is allowed. */
#if defined(__linux__)
#define _GNU_SOURCE /* syscall() */
#endif

#include "dispatch/auxv.h"
#include "dispatch/dispatch.h"

#if defined(__linux__)
#include <sys/prctl.h>
#include <unistd.h>

/* Linux Documentation/arch/riscv/hwprobe.rst and vector.rst; older headers lack them. */
#define HWPROBE_CALL 258
#define HWPROBE_IMA_EXT_0 4
#define HWPROBE_CPUPERF_0 5
#define HWPROBE_MISALIGNED_SCALAR_PERF 9
#define HWPROBE_V (UINT64_C(1) << 2)
#define MISALIGNED_MASK 7
#define VECTOR_GET_CONTROL 70 /* PR_RISCV_V_GET_CONTROL */
#define VECTOR_CURRENT_MASK 3
#define VECTOR_CURRENT_OFF 1

struct hwprobe_pair {
    int64_t key;
    uint64_t value;
};

static void read_hwprobe(uint64_t *words) {
    struct hwprobe_pair pairs[] = {
        {HWPROBE_IMA_EXT_0, 0},
        {HWPROBE_MISALIGNED_SCALAR_PERF, 0},
        {HWPROBE_CPUPERF_0, 0},
    };
    /* No set of processors: what all of them have. */
    if (syscall(HWPROBE_CALL, pairs, sizeof pairs / sizeof pairs[0], (size_t)0, NULL, 0U) != 0) {
        return;
    }
    if (pairs[0].key == HWPROBE_IMA_EXT_0) {
        words[KP_WORD_HWPROBE_IMA_EXT_0] = pairs[0].value;
    }
    if (pairs[1].key == HWPROBE_MISALIGNED_SCALAR_PERF) {
        words[KP_WORD_HWPROBE_MISALIGNED_SCALAR_PERF] = pairs[1].value;
    } else if (pairs[2].key == HWPROBE_CPUPERF_0) {
        /* Before Linux 6.11, with the same meaning. */
        words[KP_WORD_HWPROBE_MISALIGNED_SCALAR_PERF] = pairs[2].value & MISALIGNED_MASK;
    }
}

static void read_vector(uint64_t *words) {
    /* An error: there is no such control, so nothing is forbidden. */
    int control = prctl(VECTOR_GET_CONTROL, 0L, 0L, 0L, 0L);
    words[KP_WORD_VECTOR_CONTROL] = control < 0 ? 0 : (uint64_t)control;
    bool is_off = (words[KP_WORD_VECTOR_CONTROL] & VECTOR_CURRENT_MASK) == VECTOR_CURRENT_OFF;
    if ((words[KP_WORD_HWPROBE_IMA_EXT_0] & HWPROBE_V) != 0 && !is_off) {
        uint64_t vlenb;
        __asm__ volatile("csrr %0, 0xc22" : "=r"(vlenb)); /* by its number: the assembler need not know V */
        words[KP_WORD_VLENB] = vlenb;
    }
}
#endif

void kp_read_words(uint64_t *words) {
    words[KP_WORD_HWCAP] = kp_auxv(AT_HWCAP);
#if defined(__linux__)
    read_hwprobe(words);
    read_vector(words);
#endif
}
