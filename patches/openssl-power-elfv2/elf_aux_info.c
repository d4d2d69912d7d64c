/*
 * FreeBSD's elf_aux_info for programs that really run on Linux. It keeps FreeBSD's rules (lib/libc/gen/auxv.c):
 * another entry is ENOENT, and so is a buffer that does not hold exactly an unsigned long.
 */
#include <errno.h>

#define FREEBSD_AT_HWCAP 25
#define FREEBSD_AT_HWCAP2 26
#define LINUX_AT_HWCAP 16
#define LINUX_AT_HWCAP2 26

unsigned long getauxval(unsigned long entry);

int elf_aux_info(int entry, void *buffer, int length);

int elf_aux_info(int entry, void *buffer, int length) {
    if ((entry != FREEBSD_AT_HWCAP && entry != FREEBSD_AT_HWCAP2) || length != (int)sizeof(unsigned long)) {
        return ENOENT;
    }
    *(unsigned long *)buffer = getauxval(entry == FREEBSD_AT_HWCAP ? LINUX_AT_HWCAP : LINUX_AT_HWCAP2);
    return 0;
}
