/* Which kernel runs: the best one whose features are there, that nobody disabled, and that passed
 * its self-test.
 *
 * There are no locks. Threads that come first together may do the same work twice and reach the
 * same result; each result is published by one atomic operation. So a fork in the middle of it
 * leaves nothing locked, and the child starts from what was published. */
#include "dispatch/dispatch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(const struct kp_host *) this_host;
/* What each kernel's self-test said. A byte each, since not every 32-bit processor has wider atomics. */
enum { NOT_TRIED, PASSED, FAILED };
static _Atomic unsigned char verdicts[KP_FAMILY_COUNT][KP_MOST_KERNELS];

const struct kp_host *kp_this_host(void) {
    /* Where there is no memory for the facts, nothing is detected and everything is portable. */
    static const struct kp_host nothing;
    const struct kp_host *known = atomic_load_explicit(&this_host, memory_order_acquire);
    if (known != NULL) {
        return known;
    }
    struct kp_host *host = calloc(1, sizeof *host);
    if (host == NULL) {
        return &nothing;
    }
    kp_read_words(host->words);
    host->detected = kp_features_of_words(host->words);
    kp_read_overrides(&host->overrides);
    if (!atomic_compare_exchange_strong_explicit(&this_host, &known, host, memory_order_acq_rel,
                                                 memory_order_acquire)) {
        free(host);
        return known;
    }
    return host;
}

/* Features that are there, and none of whose needs were taken away. */
kp_feature_set kp_usable_features(void) {
    const struct kp_host *host = kp_this_host();
    kp_feature_set usable = 0;
    for (size_t i = 0; kp_features[i].name != NULL; i++) {
        kp_feature_set bit = (kp_feature_set)1 << i;
        bool needs_are_usable = (usable & kp_features[i].needs) == kp_features[i].needs;
        if (needs_are_usable && (host->detected & ~host->overrides.features & bit) != 0) {
            usable |= bit;
        }
    }
    return usable;
}

static bool passes(enum kp_family_id family, size_t number) {
    unsigned char verdict = atomic_load_explicit(&verdicts[family][number], memory_order_acquire);
    if (verdict == NOT_TRIED) {
        verdict = kp_families[family].prove(kp_families[family].kernels[number].entries) ? PASSED : FAILED;
        atomic_store_explicit(&verdicts[family][number], verdict, memory_order_release);
    }
    return verdict == PASSED;
}

static bool may_run(enum kp_family_id family, size_t number) {
    kp_feature_set required = kp_families[family].kernels[number].requires;
    bool disabled = (kp_this_host()->overrides.kernels[family] >> number & 1) != 0;
    return !disabled && (kp_usable_features() & required) == required;
}

static bool is_preferred(enum kp_family_id family, size_t number) {
    kp_feature_set preferred = kp_families[family].kernels[number].prefers;
    return (kp_usable_features() & preferred) == preferred;
}

enum kp_selection kp_dispatch(enum kp_family_id family, const char *name, const struct kp_kernel **kernel) {
    static _Atomic(const struct kp_kernel *) chosen[KP_FAMILY_COUNT];
    const struct kp_family *kin = &kp_families[family];
    if (name == NULL) {
        *kernel = atomic_load_explicit(&chosen[family], memory_order_acquire);
        if (*kernel != NULL) {
            return KP_SELECTED;
        }
    }
    for (size_t i = 0; i < kin->count; i++) {
        if (name == NULL) {
            if (may_run(family, i) && is_preferred(family, i) && passes(family, i)) {
                *kernel = &kin->kernels[i];
                atomic_store_explicit(&chosen[family], *kernel, memory_order_release);
                return KP_SELECTED;
            }
        } else if (strcmp(name, kin->kernels[i].name) == 0) {
            *kernel = &kin->kernels[i];
            return may_run(family, i) && passes(family, i) ? KP_SELECTED : KP_MAY_NOT_RUN;
        }
    }
    *kernel = NULL;
    return name == NULL ? KP_NONE_PASSED : KP_UNKNOWN_NAME;
}

kp_kernel_state kp_kernel_get_state(size_t family, size_t kernel) {
    enum kp_family_id id = (enum kp_family_id)family;
    const struct kp_kernel *asked = &kp_families[family].kernels[kernel];
    if ((kp_this_host()->detected & asked->requires) != asked->requires) {
        return KP_MISSING;
    }
    if (!may_run(id, kernel)) {
        return KP_DISABLED;
    }
    if (!passes(id, kernel)) {
        return KP_FAILED;
    }
    const struct kp_kernel *choice;
    return kp_dispatch(id, NULL, &choice) == KP_SELECTED && choice == asked ? KP_CHOSEN : KP_ELIGIBLE;
}
