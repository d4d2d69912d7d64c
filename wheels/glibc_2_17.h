/* Included before each C file of a wheel for 64-bit big-endian POWER, so that it runs on glibc 2.17.
 *
 * The other targets link with a glibc as old as their tag says. This one's compiler comes with a new one,
 * and takes the newest version of each symbol: these are the ones that have been given a new version since.
 * `kernport audit` names any other. */
#if !defined(__ASSEMBLER__)

/* In libc since 2.32 and 2.34, with the version they had in libpthread before, which every Python has loaded. */
#define KP_OLD(name) __asm__(".symver " #name ", " #name "@GLIBC_2.3")
KP_OLD(pthread_create);
KP_OLD(pthread_join);
KP_OLD(pthread_mutex_trylock);
KP_OLD(pthread_once);
KP_OLD(pthread_sigmask);
#undef KP_OLD

/* A function since 2.33; older headers call this one, and say by 1 how struct stat is laid out. */
struct stat64;
int __fxstat64(int version, int file, struct stat64 *status);
__asm__(".symver __fxstat64, __fxstat64@GLIBC_2.3");
__attribute__((weak, visibility("hidden"))) int fstat64(int file, struct stat64 *status) {
    return __fxstat64(1, file, status);
}

#endif
