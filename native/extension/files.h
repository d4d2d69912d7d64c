/* The MD5 of many files, by several threads. */
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

/* What one thread may look at while others work; `stop` is the looker's to set. */
struct kp_files_progress {
    _Atomic(unsigned long) files, bytes, stop;
};

/* Fills in digests and errors. May be told to stop before all are done. */
kp_status kp_md5_files(struct kp_file *files, size_t count, size_t threads, struct kp_files_progress *progress);

#endif
