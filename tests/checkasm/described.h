/* Checks of families whose recipes say what each argument of an entry is for: one table an entry. */
#ifndef CHECKASM_DESCRIBED_H
#define CHECKASM_DESCRIBED_H

#include "tests/checkasm/checkasm.h"

#define MOST_ARGUMENTS 8

enum described_role { SCALAR, LENGTH, READS, WRITES, UPDATES };

struct described_argument {
    const char *name;
    enum described_role role;
    size_t bytes;   /* of an element, or of a scalar */
    int counted_by; /* the argument that says how many elements a buffer has, or -1 */
    size_t count;   /* how many, where no argument says so */
    bool is_signed; /* a scalar, or its elements */
    int64_t least;  /* of a scalar; both 0: it may be anything */
    int64_t most;
    bool secret;
};

struct described_entry {
    const char *name;
    size_t offset; /* of its function in the kernel's structure of functions */
    /* Calls it without a trampoline, by the compiler's own idea of its prototype. */
    uintptr_t (*call)(const void *entries, const uintptr_t arguments[MOST_ARGUMENTS]);
    size_t result_bytes;
    size_t argument_count;
    struct described_argument arguments[MOST_ARGUMENTS];
};

struct described_family {
    const struct described_entry *entries;
    size_t count;
    kp_prove *prove;
};

void described_check(const struct described_family *family, const struct kp_kernel *kernel,
                     const struct kp_kernel *portable);
void described_check_secrets(const struct described_family *family, const struct kp_kernel *kernel);
void described_loop(const struct described_family *family, const struct kp_kernel *kernel, const char *operation,
                    size_t bytes, uint64_t count);

#endif
