/* The clock of all measurements. */
#ifndef KP_CLOCK_H
#define KP_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t kp_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
