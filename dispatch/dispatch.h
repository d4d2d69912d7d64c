/* How the families ask for a kernel, and what the parts of the dispatcher share.
 *
 * Everything that detection and the overrides found out is one immutable `struct kp_host`, made at
 * the first call and published by one atomic store; nothing runs before that call. */
#ifndef KP_DISPATCH_H
#define KP_DISPATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dispatch/report.h"
#include "tables.h"

/* One bit a feature, as numbered in tables.h. */
typedef uint64_t kp_feature_set;

struct kp_feature {
    const char *name;
    unsigned word;
    enum { KP_TEST_ALL_OF, KP_TEST_ANY_OF, KP_TEST_NONE_OF, KP_TEST_AT_LEAST, KP_TEST_EQUALS, KP_TEST_NO_MODEL } test;
    uint64_t operand;
    const uint64_t *values; /* KP_TEST_NO_MODEL: what the word, masked by the operand, must not be; ended by 0 */
    kp_feature_set needs;
};

struct kp_kernel {
    const char *name;
    kp_feature_set requires;
    kp_feature_set prefers; /* without these it can run, but is not chosen */
    const void *entries;    /* the family's own structure of functions */
};

/* Whether a kernel's entries give the right answers. */
typedef bool kp_prove(const void *entries);

#define KP_MOST_KERNELS 64 /* in a family: the recipes' schema says so too */

struct kp_family {
    const char *name;
    const struct kp_kernel *kernels; /* best first */
    size_t count;
    kp_prove *prove;
};

/* The tables, generated from the recipes. */
extern const char *const kp_word_names[KP_WORD_COUNT + 1];
extern const struct kp_feature kp_features[KP_FEATURE_COUNT + 1];
extern const struct kp_family kp_families[KP_FAMILY_COUNT];

#define KP_MOST_REMARKS 8
#define KP_REMARK_BYTES 160

/* What the administrator took away, and what could not be understood. */
struct kp_overrides {
    kp_feature_set features;
    uint64_t kernels[KP_FAMILY_COUNT]; /* one bit a kernel */
    size_t remark_count;
    char remarks[KP_MOST_REMARKS][KP_REMARK_BYTES];
};

struct kp_host {
    uint64_t words[KP_WORD_COUNT + 1];
    kp_feature_set detected;
    struct kp_overrides overrides;
};

/* Reads the words of this processor and system: one definition an architecture. */
void kp_read_words(uint64_t *words);

/* The features that follow from words, whatever machine they were read on. */
kp_feature_set kp_features_of_words(const uint64_t *words);

/* Reads configuration and environment. */
void kp_read_overrides(struct kp_overrides *overrides);

/* This host, detected at the first call. Never NULL. */
const struct kp_host *kp_this_host(void);

/* Features that are there and not disabled. */
kp_feature_set kp_usable_features(void);

enum kp_selection {
    KP_SELECTED,
    KP_UNKNOWN_NAME, /* no kernel of that name in this build */
    KP_MAY_NOT_RUN,  /* the kernel is there but may not run on this host */
    KP_NONE_PASSED   /* not one kernel of the family passed its self-test */
};

/* The kernel to use: the named one, or, for NULL, the best that may run and passed its self-test. */
enum kp_selection kp_dispatch(enum kp_family_id family, const char *name, const struct kp_kernel **kernel);

#endif
