/* x86-64: CPUID leaves 0, 1 and 7, and XCR0 where the system has switched XSAVE on. */
#include "dispatch/dispatch.h"

#include <cpuid.h>

#define CPUID_1_ECX_OSXSAVE (1u << 27)

void kp_read_words(uint64_t *words) {
    unsigned eax, ebx, ecx, edx;
    __cpuid(0, eax, ebx, ecx, edx);
    words[KP_WORD_CPUID_0_EBX] = ebx;
    if (__get_cpuid_count(1, 0, &eax, &ebx, &ecx, &edx)) {
        words[KP_WORD_CPUID_1_EAX] = eax;
        words[KP_WORD_CPUID_1_ECX] = ecx;
        words[KP_WORD_CPUID_1_EDX] = edx;
        if ((ecx & CPUID_1_ECX_OSXSAVE) != 0) {
            unsigned low, high;
            __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
            words[KP_WORD_XCR0] = (uint64_t)high << 32 | low;
        }
    }
    if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
        words[KP_WORD_CPUID_7_EBX] = ebx;
        words[KP_WORD_CPUID_7_ECX] = ecx;
        words[KP_WORD_CPUID_7_EDX] = edx;
    }
}
