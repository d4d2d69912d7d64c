/* checkasm: calls every kernel through a trampoline that checks the calling convention, with guard
 * pages around every buffer, and compares what it does with the portable kernel and with answers
 * that another implementation computed. docs/checkasm.md is for kernel authors.
 */
#ifndef CHECKASM_H
#define CHECKASM_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dispatch/dispatch.h"

/* What the command line asked for. */
struct checkasm_options {
    bool full;    /* the long sweep */
    bool huge;    /* AAD of 2^29 bytes and more: for a processor, not an emulator */
    bool secrets; /* constant time, under valgrind */
    uint64_t seed;
    unsigned patience; /* seconds of processor time after which a call hangs */
};
extern struct checkasm_options options;

/* ---- One file a family: how its kernels are checked. ---- */

struct checkasm_family {
    const char *name;
    /* Runs every check on `kernel`; `portable` is the family's last kernel. */
    void (*check)(const struct kp_kernel *kernel, const struct kp_kernel *portable);
    /* Calls each entry once with everything secret marked undefined for valgrind. */
    void (*check_secrets)(const struct kp_kernel *kernel);
    /* What bench-loop can run, ended by NULL. */
    const char *const *operations;
    /* Runs `operation` on `bytes` bytes `count` times and does nothing else. */
    void (*loop)(const struct kp_kernel *kernel, const char *operation, size_t bytes, uint64_t count);
};
extern const struct checkasm_family *const checkasm_families[]; /* ended by NULL */

/* The kernels to check: the library's, or the deliberately wrong ones. */
const struct kp_family *checkasm_kernel_table(size_t *count);

/* Whether the kernels in the table are the library's own, so that its public functions reach them. */
extern const bool checkasm_kernels_are_public;

/* ---- report.c: what is being done, and what went wrong. ---- */

/* Names the operation that the next calls and facts belong to. */
void operation(const char *name);
/* Notes a number that a sentence about a failure must tell: a length, an alignment. */
void fact(const char *name, uint64_t value);
/* Writes one sentence: kernel, operation, what is wrong, facts. Gives up on the kernel after a few. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Goes on with the next kernel. */
_Noreturn void give_up(void);
/* Fails unless both are the same, and says where they first differ. */
void expect_same(const char *what, const uint8_t *is, const uint8_t *wanted, size_t length);
/* Says with each failure that signals arrive meanwhile. */
void note_signals(bool arriving);
/* Counts checks for the report. */
extern uint64_t checkasm_calls;

/* Runs `check` for the kernel and returns the number of failures. */
unsigned watch(const char *family, const char *kernel,
               void (*check)(const struct kp_kernel *, const struct kp_kernel *), const struct kp_kernel *first,
               const struct kp_kernel *second);
/* The sentence of the first failure of the last `watch`, or "". */
const char *first_failure(void);

/* ---- buffers.c: memory between two pages that cannot be touched. ---- */

enum edge { AT_START, AT_END };

struct buffer {
    const char *name;
    uint8_t *view; /* what the kernel gets to see; input buffers are read-only there */
    uint8_t *own;  /* the same memory, writable, for the harness */
    size_t room;   /* bytes between the guard pages */
    size_t start;  /* where the placed bytes start */
    size_t length; /* and how many there are */
    uint8_t canary;
    bool writable;
};

/* A buffer for the kernel to read (input) or to read and write (output), of up to `capacity` bytes. */
struct buffer *new_input(const char *name, size_t capacity);
struct buffer *new_output(const char *name, size_t capacity);
/* Makes room for `length` bytes, `offset` bytes away from the guard page before (AT_START) or behind
 * (AT_END), fills it with `content` (with garbage if NULL), surrounds it with canaries, and returns
 * the address for the kernel. */
uint8_t *place(struct buffer *buffer, size_t length, enum edge edge, size_t offset, const void *content);
/* What lies in the placed bytes now. */
const uint8_t *contents(const struct buffer *buffer);
/* Fails when something was written around the placed bytes. */
void expect_untouched(const struct buffer *buffer);
/* Forbids or allows writing to the kernel, for memory that one entry writes and others only read. */
void set_writable(struct buffer *buffer, bool writable);

/* ---- call.c: the checked call. ---- */

typedef void checkasm_function(void);
/* Calls function(arguments...) with at most eight integer or pointer arguments and checks what the
 * calling convention promises to the caller. */
#define CALL(function, ...) checked_call((checkasm_function *)(function), (const uintptr_t[8]){__VA_ARGS__})
/* A pointer as an argument of CALL. */
#define P(pointer) ((uintptr_t)(pointer))
void checked_call(checkasm_function *function, const uintptr_t arguments[8]);
/* What the last call returned, as wide as a register: only the bytes of its type count. */
uintptr_t call_result(void);
void prepare_calls(void);
/* Interrupts the following calls with a signal handler that overwrites the stack below the frame. */
void set_interrupted(bool interrupted);
/* Fails when any 16 bytes of `secret`, taken every `step` bytes, were left on the stack by the last call. */
void expect_not_on_stack(const char *what, const uint8_t *secret, size_t length, size_t step);
/* Clears the stack before a call that expect_not_on_stack will look at. */
void clear_stack(void);

/* ---- count.c ---- */

/* Runs checks->loop() step by step and prints the number of instructions and how often `address` was
 * reached. Returns an exit code. */
int count_instructions(const struct checkasm_family *checks, const struct kp_kernel *kernel, const char *name,
                       size_t bytes, uint64_t runs, uintptr_t address);

/* ---- faults of the processor: signals.c ---- */

void catch_signals(void);
/* Around each checked call. When the call crashes, control comes back through sigsetjmp(call_return). */
extern sigjmp_buf call_return;
void call_begins(checkasm_function *function);
void call_ended(void);
void call_crashed(void);
/* The buffer whose pages contain the address, or NULL. */
struct buffer *buffer_around(const uint8_t *address);
/* Whether the address is in the guard page below the stack that kernels run on. */
bool is_below_stack(const uint8_t *address);

/* ---- random.c ---- */

uint64_t random_word(void);
/* A number below `bound`. */
size_t random_below(size_t bound);
void random_bytes(void *out, size_t length);
void seed_random(uint64_t seed);
/* The bytes that known_answers.py calls pattern(label, length). */
void pattern(uint8_t *out, uint64_t label, size_t length);

/* ---- secrets.c: valgrind's memcheck as the judge of constant time. ---- */

bool under_valgrind(void);
void mark_secret(const void *memory, size_t length);
void mark_public(const void *memory, size_t length);
void register_stack(const void *low, const void *high);
/* How often valgrind complained so far. */
unsigned valgrind_complaints(void);

#endif
