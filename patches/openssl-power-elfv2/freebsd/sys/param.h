/* Stands before the system's header, so that a Linux compiler builds what FreeBSD 14 would. */
#include_next <sys/param.h>
#define __FreeBSD_version 1400000
