/* Features from words: pure, so that words recorded on one machine can be judged on another. */
#include "dispatch/dispatch.h"

kp_feature_set kp_features_of_words(const uint64_t *words) {
    kp_feature_set found = 0;
    /* A feature's needs stand before it in the table, so that one pass settles all. */
    for (size_t i = 0; kp_features[i].name != NULL; i++) {
        const struct kp_feature *feature = &kp_features[i];
        uint64_t word = words[feature->word];
        bool passed = false;
        switch (feature->test) {
        case KP_TEST_ALL_OF:
            passed = (word & feature->operand) == feature->operand;
            break;
        case KP_TEST_ANY_OF:
            passed = (word & feature->operand) != 0;
            break;
        case KP_TEST_NONE_OF:
            passed = (word & feature->operand) == 0;
            break;
        case KP_TEST_AT_LEAST:
            passed = word >= feature->operand;
            break;
        case KP_TEST_EQUALS:
            passed = word == feature->operand;
            break;
        case KP_TEST_NO_MODEL:
            passed = true;
            for (const uint64_t *value = feature->values; *value != 0; value++) {
                passed = passed && (word & feature->operand) != *value;
            }
            break;
        }
        if (passed && (found & feature->needs) == feature->needs) {
            found |= (kp_feature_set)1 << i;
        }
    }
    return found;
}
