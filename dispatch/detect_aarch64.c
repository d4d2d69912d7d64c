/* AArch64: AT_HWCAP and AT_HWCAP2.
 *
 * macOS has neither: there sysctlbyname says for each feature whether it is there (Apple, "Determining
 * instruction set characteristics"), and the answers are put where Linux has them in AT_HWCAP. */
#include "dispatch/auxv.h"
#include "dispatch/dispatch.h"

#if defined(__APPLE__)
#include <sys/sysctl.h>

static uint64_t bit_if_there(const char *name, unsigned bit) {
    int there = 0;
    size_t size = sizeof there;
    return sysctlbyname(name, &there, &size, NULL, 0) == 0 && there != 0 ? UINT64_C(1) << bit : 0;
}

void kp_read_words(uint64_t *words) {
    words[KP_WORD_HWCAP] = bit_if_there("hw.optional.AdvSIMD", 1) | bit_if_there("hw.optional.arm.FEAT_AES", 3) |
                           bit_if_there("hw.optional.arm.FEAT_PMULL", 4) | bit_if_there("hw.optional.armv8_crc32", 7) |
                           bit_if_there("hw.optional.arm.FEAT_SHA3", 17) | bit_if_there("hw.optional.arm.FEAT_DIT", 24);
}
#else
void kp_read_words(uint64_t *words) {
    words[KP_WORD_HWCAP] = kp_auxv(AT_HWCAP);
    words[KP_WORD_HWCAP2] = kp_auxv(AT_HWCAP2);
}
#endif
