/* An architecture that no recipe knows: there is nothing to detect. */
#include "dispatch/dispatch.h"

void kp_read_words(uint64_t *words) {
    (void)words;
}
