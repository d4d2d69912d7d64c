/* Architectures whose facts all stand in AT_HWCAP and AT_HWCAP2. */
#include "dispatch/auxv.h"
#include "dispatch/dispatch.h"

void kp_read_words(uint64_t *words) {
    words[KP_WORD_HWCAP] = kp_auxv(AT_HWCAP);
    words[KP_WORD_HWCAP2] = kp_auxv(AT_HWCAP2);
}
