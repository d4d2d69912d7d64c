/* The auxiliary vector's hardware capabilities, by the system's own call.
 *
 * The numbers differ (AT_HWCAP is 16 on Linux and 25 on FreeBSD and OpenBSD), so they come from the
 * system's header; elf_aux_info() writes nothing unless the size is exactly that of unsigned long. */
#ifndef KP_AUXV_H
#define KP_AUXV_H

#if defined(__linux__) || defined(__FreeBSD__) || defined(__OpenBSD__)
#include <sys/auxv.h>
#endif

static inline unsigned long kp_auxv(int type) {
#if defined(__linux__)
    return getauxval((unsigned long)type);
#elif defined(__FreeBSD__) || defined(__OpenBSD__)
    unsigned long value = 0;
    return elf_aux_info(type, &value, (int)sizeof value) == 0 ? value : 0;
#else
    (void)type;
    return 0;
#endif
}

#if !defined(AT_HWCAP)
#define AT_HWCAP 0
#endif
#if !defined(AT_HWCAP2)
#if defined(__linux__)
#define AT_HWCAP2 26 /* missing in some old headers */
#else
#define AT_HWCAP2 0
#endif
#endif

#endif
