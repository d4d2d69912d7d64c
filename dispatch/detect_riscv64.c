/* RISC-V: the single letters of AT_HWCAP. */
#include "dispatch/auxv.h"
#include "dispatch/dispatch.h"

void kp_read_words(uint64_t *words) {
    words[KP_WORD_HWCAP] = kp_auxv(AT_HWCAP);
}
