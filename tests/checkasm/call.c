/* The checked call: what the trampoline needs before, and what it found afterwards. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__FreeBSD__) || defined(__linux__)
#include <sys/auxv.h>
#endif

#include "abi.h"
#include "checkasm.h"

/* Kernels get this much stack: threads of musl have 128 KiB, so a kernel must do with far less. */
#define STACK_BYTES 32768
/* As much below it may not be touched: a large frame must not step over a single page. */
#define STACK_GUARD_BYTES 65536
/* The caller's own frame, above the stack pointer of the call. The first bytes belong to the callee. */
#define FRAME_BYTES 512

struct abi_state checkasm_state __attribute__((aligned(64)));

_Static_assert(offsetof(struct abi_state, after) == ABI_AFTER, "after");
_Static_assert(offsetof(struct abi_state, poison) == ABI_POISON, "poison");
_Static_assert(offsetof(struct abi_state, flags) == ABI_FLAGS, "flags");
_Static_assert(offsetof(struct abi_state, stack) == ABI_STACK, "stack");
_Static_assert(offsetof(struct abi_state, saved) == ABI_SAVED, "saved");

static uint8_t *stack_low;  /* the lowest address of the stack */
static uint8_t *stack_call; /* the stack pointer of the call, before what the trampoline pushes */
static uint8_t frame[FRAME_BYTES];

/* One register, or a run of them with consecutive numbers, that the callee must preserve. */
struct kept {
    const char *name; /* with the number behind it if count > 1 */
    unsigned first;   /* the first one's number */
    unsigned count;
    size_t offset; /* of the first in `before` and `after` */
    size_t width;  /* in bytes, of each */
};

#if defined(__x86_64__)
#define CALLEE_OWNS 0
static const struct kept kept[] = {
    {"rbx", 0, 1, 0, 8},
    {"rbp", 0, 1, 8, 8},
    {"r", 12, 4, 16, 8},
    {"rsp", 0, 1, ABI_RSP, 8},
    {"the x87 control word", 0, 1, ABI_X87, 2},
};
#elif defined(__aarch64__)
#define CALLEE_OWNS 0
static const struct kept kept[] = {
    {"x", 19, 11, 0, 8},
    {"sp", 0, 1, ABI_SP, 8},
    {"fpcr", 0, 1, ABI_FPCR, 8},
    {"d", 8, 8, ABI_D8, 8},
};
#elif defined(__powerpc__)
static const struct kept kept[] = {
    {"the stack pointer r", 1, 1, ABI_GPR, ABI_GPR},
    {"r", 2, 1, 2 * ABI_GPR, ABI_GPR},
    {"r", 13, 19, 13 * ABI_GPR, ABI_GPR},
    {"f", 14, 18, ABI_F14, 8},
    {"v", 20, 12, ABI_V20, 16},
    {"VRSAVE", 0, 1, ABI_VRSAVE, 4},
    {"the back chain", 0, 1, ABI_BACK_CHAIN, ABI_GPR},
};
#if !defined(__powerpc64__)
#define CALLEE_OWNS 8 /* back chain, LR save word */
#elif _CALL_ELF == 2
#define CALLEE_OWNS 24 /* back chain, CR and LR save words */
#else
#define CALLEE_OWNS 112 /* 48 bytes of linkage, of which the TOC word is checked below, and eight parameters */
#endif
#elif defined(__riscv)
#define CALLEE_OWNS 0
static const struct kept kept[] = {
    {"the stack pointer x", 2, 1, 2 * 8, 8},
    {"the global pointer x", 3, 1, 3 * 8, 8},
    {"the thread pointer x", 4, 1, 4 * 8, 8},
    {"s0, that is x", 8, 1, 8 * 8, 8},
    {"s1, that is x", 9, 1, 9 * 8, 8},
    {"a saved register, x", 18, 10, 18 * 8, 8},
    {"fs0, that is f", 8, 1, ABI_F0 + 8 * 8, 8},
    {"fs1, that is f", 9, 1, ABI_F0 + 9 * 8, 8},
    {"a saved register, f", 18, 10, ABI_F0 + 18 * 8, 8},
};
#elif defined(__s390x__)
#define CALLEE_OWNS 184 /* the register save area and the sixth to eighth argument */
static const struct kept kept[] = {
    {"r", 6, 8, 6 * 8, 8},
    {"the stack pointer r", 15, 1, 15 * 8, 8},
    {"f", 8, 8, ABI_F8, 8},
    {"the floating-point control register", 0, 1, ABI_FPC, 4},
    {"a0 and a1, the thread pointer,", 0, 1, ABI_A0, 8},
};
#endif

/* Which vector registers there are: the flags of abi.h. */
static uintptr_t vector_state(void) {
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0, low = 0, high = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bit_OSXSAVE) == 0 || (c & bit_AVX) == 0) {
        return 0;
    }
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) {
        return 0;
    }
    if ((low & 0xe6) == 0xe6 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX512F) != 0) {
        return ABI_VECTOR | ABI_WIDE_VECTOR;
    }
    return ABI_VECTOR;
#else
    unsigned long words = 0;
#if defined(__FreeBSD__)
    elf_aux_info(AT_HWCAP, &words, sizeof words);
#else
    words = getauxval(AT_HWCAP);
#endif
#if defined(__powerpc__)
    return ((words >> 28) & 1 ? ABI_VECTOR : 0) | ((words >> 7) & 1 ? ABI_WIDE_VECTOR : 0);
#elif defined(__riscv)
    return (words >> ('V' - 'A')) & 1 ? ABI_VECTOR : 0;
#elif defined(__s390x__)
    return (words >> 11) & 1 ? ABI_VECTOR : 0;
#else
    return words & 0;
#endif
#endif
}

void prepare_calls(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t stack = (STACK_BYTES + page - 1) / page * page;
    uint8_t *low = mmap(NULL, STACK_GUARD_BYTES + stack + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (low == MAP_FAILED || mprotect(low + STACK_GUARD_BYTES, stack, PROT_READ | PROT_WRITE) < 0) {
        perror("checkasm: memory for a stack");
        exit(3);
    }
    stack_low = low + STACK_GUARD_BYTES;
    stack_call = stack_low + stack - FRAME_BYTES;
    register_stack(stack_low, stack_low + stack);
    random_bytes(checkasm_state.poison, sizeof checkasm_state.poison);
    random_bytes(frame, sizeof frame);
    checkasm_state.stack.value = (uintptr_t)stack_call;
    checkasm_state.flags.value = vector_state();
}

static bool is_big_endian(void) {
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 0;
}

static uint64_t number_at(const uint8_t *bytes, size_t width) {
    uint64_t number = 0;
    for (size_t i = 0; i < width; i++) {
        number = number << 8 | bytes[is_big_endian() ? i : width - 1 - i];
    }
    return number;
}

static void check_kept(void) {
    const struct abi_state *state = &checkasm_state;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        size_t bytes = kept[i].count * kept[i].width;
        if (memcmp(state->before + kept[i].offset, state->after + kept[i].offset, bytes) == 0) {
            continue;
        }
        for (unsigned j = 0; j < kept[i].count; j++) {
            const uint8_t *before = state->before + kept[i].offset + j * kept[i].width;
            const uint8_t *after = state->after + kept[i].offset + j * kept[i].width;
            if (memcmp(before, after, kept[i].width) == 0) {
                continue;
            }
            char number[16] = "";
            if (kept[i].count > 1 || kept[i].first != 0) {
                snprintf(number, sizeof number, "%u", kept[i].first + j);
            }
            if (kept[i].width == 16) {
                /* The first doubleword of the register first, wherever memory has it. */
                size_t first = is_big_endian() ? 0 : 8;
                fail("%s%s is not preserved: %016llx %016llx became %016llx %016llx", kept[i].name, number,
                     (unsigned long long)number_at(before + first, 8),
                     (unsigned long long)number_at(before + 8 - first, 8),
                     (unsigned long long)number_at(after + first, 8),
                     (unsigned long long)number_at(after + 8 - first, 8));
            } else {
                fail("%s%s is not preserved: %llx became %llx", kept[i].name, number,
                     (unsigned long long)number_at(before, kept[i].width),
                     (unsigned long long)number_at(after, kept[i].width));
            }
        }
    }
}

static void check_state_words(void) {
    const struct abi_state *state = &checkasm_state;
#if defined(__x86_64__)
    uint32_t before = 0, after = 0;
    memcpy(&before, state->before + ABI_MXCSR, 4);
    memcpy(&after, state->after + ABI_MXCSR, 4);
    if (((before ^ after) & ~0x3fU) != 0) {
        fail("the control bits of MXCSR are not preserved: %x became %x", before, after);
    }
    uint16_t tags = 0;
    memcpy(&tags, state->after + ABI_X87 + 8, 2);
    if (tags != 0xffff) {
        fail("the x87 stack is not empty: emms is missing");
    }
    if ((state->after[ABI_RFLAGS + 1] & 4) != 0) {
        fail("the direction flag is set");
    }
    if ((checkasm_state.flags.value & ABI_CLEAN_UPPER) != 0) {
        size_t bytes = (checkasm_state.flags.value & ABI_WIDE_VECTOR) != 0 ? 768 : 256;
        for (size_t i = 0; i < bytes; i++) {
            if (state->after[ABI_UPPER + i] != 0) {
                fail("the upper half of %cmm%zu is not zero: vzeroupper is missing", i < 256 ? 'y' : 'z',
                     i < 256 ? i / 16 : (i - 256) / 32);
                break;
            }
        }
    }
#elif defined(__powerpc__)
    uint32_t before = 0, after = 0;
    memcpy(&before, state->before + ABI_CR, 4);
    memcpy(&after, state->after + ABI_CR, 4);
    for (unsigned field = 2; field <= 4; field++) {
        unsigned shift = 28 - 4 * field;
        if (((before ^ after) >> shift & 15) != 0) {
            fail("CR%u is not preserved: %x became %x", field, before >> shift & 15, after >> shift & 15);
        }
    }
#else
    (void)state;
#endif
}

static void check_frame(void) {
    if (memcmp(stack_call + CALLEE_OWNS, frame + CALLEE_OWNS, FRAME_BYTES - CALLEE_OWNS) == 0) {
        return;
    }
    size_t at = CALLEE_OWNS;
    while (stack_call[at] == frame[at]) {
        at++;
    }
    fail("wrote into the caller's frame, %zu bytes above the stack pointer", at);
}

void checked_call(checkasm_function *function, const uintptr_t arguments[8]) {
    checkasm_calls++;
    random_bytes(checkasm_state.before, 640);
    memcpy(stack_call, frame, FRAME_BYTES);
#if defined(__x86_64__)
    checkasm_state.flags.value &= ~(uintptr_t)ABI_CLEAN_UPPER;
    if ((checkasm_state.flags.value & ABI_VECTOR) != 0 && (random_word() & 1) != 0) {
        checkasm_state.flags.value |= ABI_CLEAN_UPPER;
    }
#endif
    if (sigsetjmp(call_return, 0) != 0) {
        call_crashed();
        return;
    }
    call_begins(function);
    checkasm_checked_call(function, arguments);
    call_ended();
    check_kept();
    check_state_words();
    check_frame();
}

uintptr_t call_result(void) {
    uintptr_t result = 0;
    memcpy(&result, checkasm_state.after + ABI_RESULT, sizeof result);
    return result;
}

bool is_below_stack(const uint8_t *address) {
    return address < stack_low && address >= stack_low - STACK_GUARD_BYTES;
}

void clear_stack(void) {
    memset(stack_low, 0, (size_t)(stack_call - stack_low));
}

/* Whether 16 bytes are recognizable: neither constant nor nearly so. */
static bool is_telling(const uint8_t *bytes) {
    unsigned distinct = 0;
    for (size_t i = 0; i < 16; i++) {
        distinct += memchr(bytes, bytes[i], i) == NULL;
    }
    return distinct >= 8;
}

void expect_not_on_stack(const char *what, const uint8_t *secret, size_t length, size_t step) {
    checkasm_calls++;
    for (size_t i = 0; i + 16 <= length; i += step) {
        if (!is_telling(secret + i)) {
            continue;
        }
        for (const uint8_t *word = stack_low; word + 16 <= stack_call; word += 4) {
            if (memcmp(word, secret + i, 4) == 0 && memcmp(word, secret + i, 16) == 0) {
                fail("left %s on the stack, %zu bytes below the stack pointer", what, (size_t)(stack_call - word));
                return;
            }
        }
    }
}

/* The stack pointer of the code that a signal interrupted, and what the ABI lets it keep below. */
#if defined(__x86_64__)
#define RED_ZONE_BYTES 128
static uintptr_t interrupted_stack(const ucontext_t *context) {
#if defined(__FreeBSD__)
    return (uintptr_t)context->uc_mcontext.mc_rsp;
#else
    return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#endif
}
#elif defined(__aarch64__)
#define RED_ZONE_BYTES 0
static uintptr_t interrupted_stack(const ucontext_t *context) {
#if defined(__FreeBSD__)
    return (uintptr_t)context->uc_mcontext.mc_gpregs.gp_sp;
#else
    return (uintptr_t)context->uc_mcontext.sp;
#endif
}
#elif defined(__powerpc64__)
#define RED_ZONE_BYTES 288
static uintptr_t interrupted_stack(const ucontext_t *context) {
#if defined(__FreeBSD__)
    return (uintptr_t)context->uc_mcontext.mc_frame[1];
#else
    return (uintptr_t)context->uc_mcontext.gp_regs[1];
#endif
}
#elif defined(__powerpc__)
#define RED_ZONE_BYTES 0
static uintptr_t interrupted_stack(const ucontext_t *context) {
#if defined(__GLIBC__)
    return (uintptr_t)context->uc_mcontext.uc_regs->gregs[1];
#else
    return (uintptr_t)context->uc_mcontext.gregs[1];
#endif
}
#elif defined(__riscv)
#define RED_ZONE_BYTES 0
static uintptr_t interrupted_stack(const ucontext_t *context) {
#if defined(__FreeBSD__)
    return (uintptr_t)context->uc_mcontext.mc_gpregs.gp_sp;
#else
    return (uintptr_t)context->uc_mcontext.__gregs[2];
#endif
}
#elif defined(__s390x__)
#define RED_ZONE_BYTES 0
static uintptr_t interrupted_stack(const ucontext_t *context) {
    return (uintptr_t)context->uc_mcontext.gregs[15];
}
#endif

/* Overwrites what the interrupted kernel has below its stack pointer, as any signal's frame may. */
static void on_interrupt(int number, siginfo_t *information, void *context) {
    uintptr_t stack = interrupted_stack(context);
    (void)number;
    (void)information;
    if (stack >= (uintptr_t)stack_low + RED_ZONE_BYTES && stack <= (uintptr_t)stack_call) {
        memset(stack_low, 0xee, stack - RED_ZONE_BYTES - (uintptr_t)stack_low);
    }
}

void set_interrupted(bool interrupted) {
    struct sigaction action = {.sa_sigaction = on_interrupt, .sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK};
    struct itimerval timer = {{0, interrupted ? 200 : 0}, {0, interrupted ? 200 : 0}};
    if (sigaction(SIGVTALRM, &action, NULL) < 0 || setitimer(ITIMER_VIRTUAL, &timer, NULL) < 0) {
        perror("checkasm: timer");
        exit(3);
    }
    note_signals(interrupted);
}
