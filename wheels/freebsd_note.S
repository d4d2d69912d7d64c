/* The note by which FreeBSD knows a shared object as its own, ABI tag 1: the system's version.
 *
 * FreeBSD's crti.o has had it since 13.0 (revision 363263), and ldd looks for it where the header names
 * no system; a linker for another system brings no crti.o along. The group is that of crti.o's own, so that
 * one of them stays. */
#ifndef __FreeBSD_version
#include <sys/param.h>
#endif
    .section .note.tag, "aGR", %note, .freebsd.noteG, comdat
    .p2align 2
    .4byte 8, 4, 1
    .asciz "FreeBSD"
    .4byte __FreeBSD_version

    .section .note.GNU-stack, "", %progbits
