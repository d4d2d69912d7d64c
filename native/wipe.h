/* Forgetting secrets. */
#ifndef KP_WIPE_H
#define KP_WIPE_H

#include <stddef.h>
#include <string.h>

/* Overwrites memory with zeros. The empty statement claims to read the memory afterwards, so the
 * compiler may not leave the writes out although nothing else reads them. */
static inline void kp_wipe(void *memory, size_t length) {
    if (length != 0)
        memset(memory, 0, length);
    __asm__ volatile("" : : "r"(memory) : "memory");
}

#endif
