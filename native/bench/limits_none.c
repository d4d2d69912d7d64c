/* An architecture whose limits nobody has written down yet. */
#include "native/bench/timing.h"

size_t kp_limit_count(void) {
    return 0;
}

const char *kp_limit_name(size_t limit) {
    (void)limit;
    return "";
}

const char *kp_limit_unit(size_t limit) {
    (void)limit;
    return "";
}

int kp_limit_may_run(size_t limit) {
    (void)limit;
    return 0;
}

size_t kp_limit_bytes(size_t limit) {
    (void)limit;
    return 0;
}

uint64_t kp_time_limit(size_t limit, size_t repeats) {
    (void)limit;
    (void)repeats;
    return 0;
}
