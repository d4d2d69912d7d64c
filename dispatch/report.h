/* What the dispatcher saw and chose. Families, kernels (best first), features and words are numbered from 0.
 *
 * Every function is safe to call from any thread. */
#ifndef KP_REPORT_H
#define KP_REPORT_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define KP_PUBLIC __attribute__((visibility("default")))
#else
#define KP_PUBLIC
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library, as in its package: "1.2.3". */
KP_PUBLIC const char *kp_version(void);

typedef enum kp_kernel_state {
    KP_CHOSEN = 0, /* the dispatcher's choice */
    KP_ELIGIBLE,   /* could run here, but a better one was chosen */
    KP_MISSING,    /* the processor or the system lacks a feature */
    KP_DISABLED,   /* the administrator disabled it or a feature it needs */
    KP_FAILED      /* it gave a wrong answer in its self-test */
} kp_kernel_state;

KP_PUBLIC size_t kp_family_count(void);
KP_PUBLIC const char *kp_family_name(size_t family);
KP_PUBLIC size_t kp_kernel_count(size_t family);
KP_PUBLIC const char *kp_kernel_name(size_t family, size_t kernel);
KP_PUBLIC kp_kernel_state kp_kernel_get_state(size_t family, size_t kernel);
/* Whether the kernel needs the feature. */
KP_PUBLIC int kp_kernel_requires(size_t family, size_t kernel, size_t feature);
/* Whether the kernel, which runs without the feature, is only chosen where it is. */
KP_PUBLIC int kp_kernel_prefers(size_t family, size_t kernel, size_t feature);
/* Whether the administrator disabled the kernel by its own name. */
KP_PUBLIC int kp_kernel_is_disabled(size_t family, size_t kernel);

KP_PUBLIC const char *kp_architecture(void);
KP_PUBLIC size_t kp_feature_count(void);
KP_PUBLIC const char *kp_feature_name(size_t feature);
/* The number of the word that the feature is read off. */
KP_PUBLIC size_t kp_feature_word(size_t feature);
KP_PUBLIC int kp_feature_is_detected(size_t feature);
KP_PUBLIC int kp_feature_is_disabled(size_t feature);
KP_PUBLIC size_t kp_word_count(void);
KP_PUBLIC const char *kp_word_name(size_t word);
KP_PUBLIC uint64_t kp_word_value(size_t word);

/* Remarks on the overrides: names that mean nothing here, a configuration that was refused. */
KP_PUBLIC size_t kp_remark_count(void);
KP_PUBLIC const char *kp_remark(size_t remark);

/* All of the above as a text of lines, for a log. Writes at most `size` bytes with the final NUL, as
 * snprintf does, and returns the length of the whole text; `text` may be NULL where `size` is 0. */
KP_PUBLIC size_t kp_dispatch_report(char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
