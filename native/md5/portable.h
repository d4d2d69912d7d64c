/* The portable kernels of the families md5 and md5-many. */
#ifndef KP_MD5_PORTABLE_H
#define KP_MD5_PORTABLE_H

#include "native/md5/md5.h"

kp_md5_kernel_compress kp_md5_portable_compress;
kp_md5_many_kernel_compress kp_md5_many_portable_compress;

#endif
