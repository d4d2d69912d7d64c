/* What the dispatcher saw, for kernport.h: plain reading of the tables and of this host. */
#include "dispatch/dispatch.h"

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
