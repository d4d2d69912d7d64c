/* What the dispatcher saw, for report.h: plain reading of the tables and of this host. */
#include "dispatch/dispatch.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

const char *kp_version(void) {
    return KP_TREE_VERSION;
}

size_t kp_family_count(void) {
    return KP_FAMILY_COUNT;
}

const char *kp_family_name(size_t family) {
    return kp_families[family].name;
}

size_t kp_kernel_count(size_t family) {
    return kp_families[family].count;
}

const char *kp_kernel_name(size_t family, size_t kernel) {
    return kp_families[family].kernels[kernel].name;
}

int kp_kernel_requires(size_t family, size_t kernel, size_t feature) {
    return (int)(kp_families[family].kernels[kernel].requires >> feature & 1);
}

int kp_kernel_prefers(size_t family, size_t kernel, size_t feature) {
    return (int)(kp_families[family].kernels[kernel].prefers >> feature & 1);
}

int kp_kernel_is_disabled(size_t family, size_t kernel) {
    return (int)(kp_this_host()->overrides.kernels[family] >> kernel & 1);
}

const char *kp_architecture(void) {
    return KP_TREE_ARCHITECTURE;
}

size_t kp_feature_count(void) {
    return KP_FEATURE_COUNT;
}

const char *kp_feature_name(size_t feature) {
    return kp_features[feature].name;
}

size_t kp_feature_word(size_t feature) {
    return kp_features[feature].word;
}

int kp_feature_is_detected(size_t feature) {
    return (int)(kp_this_host()->detected >> feature & 1);
}

int kp_feature_is_disabled(size_t feature) {
    return (int)((kp_this_host()->detected & ~kp_usable_features()) >> feature & 1);
}

size_t kp_word_count(void) {
    return KP_WORD_COUNT;
}

const char *kp_word_name(size_t word) {
    return kp_word_names[word];
}

uint64_t kp_word_value(size_t word) {
    return kp_this_host()->words[word];
}

size_t kp_remark_count(void) {
    return kp_this_host()->overrides.remark_count;
}

const char *kp_remark(size_t remark) {
    return kp_this_host()->overrides.remarks[remark];
}

struct report {
    char *text;
    size_t size;
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct report *report, const char *format, ...) {
    const size_t used = report->length < report->size ? report->length : report->size;
    va_list values;
    va_start(values, format);
    const int length = vsnprintf(used < report->size ? report->text + used : NULL, report->size - used, format, values);
    va_end(values);
    report->length += length > 0 ? (size_t)length : 0;
}

static void add_names(struct report *report, const char *separator, kp_feature_set features) {
    for (size_t i = 0; i < KP_FEATURE_COUNT; i++) {
        if ((features >> i & 1) != 0) {
            add(report, "%s%s", separator, kp_feature_name(i));
            separator = ", ";
        }
    }
}

size_t kp_dispatch_report(char *text, size_t size) {
    static const char *const states[] = {"chosen", "eligible", "missing", "disabled", "failed its self-test"};
    struct report report = {text, size, 0};
    add(&report, "%s %s on %s\n", KP_TREE_NAME, KP_TREE_VERSION, KP_TREE_ARCHITECTURE);
    for (size_t i = 0; i < KP_WORD_COUNT; i++) {
        add(&report, "word %s 0x%" PRIx64 "\n", kp_word_name(i), kp_word_value(i));
    }
    for (size_t i = 0; i < KP_FEATURE_COUNT; i++) {
        const char *state = kp_feature_is_disabled(i) ? "disabled" : kp_feature_is_detected(i) ? "yes" : "no";
        add(&report, "feature %s %s %s\n", kp_feature_name(i), state, kp_word_name(kp_feature_word(i)));
    }
    for (size_t family = 0; family < KP_FAMILY_COUNT; family++) {
        for (size_t kernel = 0; kernel < kp_families[family].count; kernel++) {
            const kp_kernel_state state = kp_kernel_get_state(family, kernel);
            add(&report, "kernel %s/%s %s", kp_families[family].name, kp_kernel_name(family, kernel), states[state]);
            if (state == KP_MISSING) {
                add_names(&report, ": no ", kp_families[family].kernels[kernel].requires & ~kp_this_host()->detected);
            } else if (state == KP_ELIGIBLE) {
                add_names(&report, ": only chosen with ",
                          kp_families[family].kernels[kernel].prefers & ~kp_usable_features());
            }
            add(&report, "\n");
        }
    }
    for (size_t i = 0; i < kp_remark_count(); i++) {
        add(&report, "remark %s\n", kp_remark(i));
    }
    return report.length;
}
