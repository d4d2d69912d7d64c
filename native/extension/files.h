/* The MD5 of many files, by several threads. cffi reads this header too. */
#ifndef KP_FILES_H
#define KP_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "kernport.h"

/* What becomes of a file. */
struct kp_file {
    const char *path;
    uint8_t digest[16];
    int error; /* an errno, or 0; ECANCELED if it was not reached */
};

/* Fills in digests and errors, by up to `threads` threads, of which there is at least one. `progress` are three numbers
 * that another thread may look at meanwhile: how many files and bytes are done, which are counted up, and whether to
 * stop before all are, which is the other's to set. */
kp_status kp_md5_files(struct kp_file *files, size_t count, size_t threads, unsigned long *progress);

#endif
