/* FreeBSD's <sys/auxv.h> as far as processor features go: its numbers, and its one function. */
#ifndef FREEBSD_SYS_AUXV_H
#define FREEBSD_SYS_AUXV_H

#define AT_HWCAP 25
#define AT_HWCAP2 26

int elf_aux_info(int entry, void *buffer, int length);

#endif
