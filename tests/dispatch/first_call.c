/* The first call of a process, made in the ways that break dispatchers.
 *
 *     first_call report         prints the choice of each family and every remark
 *     first_call describe       prints the library's own text, and checks that no size writes too far
 *     first_call threads N      N threads begin together; each must get the same kernels and right answers
 *     first_call fork           forks while another thread is inside the first call; the child makes its own
 *     first_call time           prints the nanoseconds of the first call
 *     first_call deny           reports under a seccomp filter that forbids to open files and to ask the system
 *     first_call kill           the same under one that kills at every call that reading one file does not take, and
 *                               then makes one to show it
 */
#define _GNU_SOURCE /* pthread_barrier_t, syscall() */
#include <kernport.h>

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

static pthread_barrier_t start;

/* Seals one byte; the tag tells whether all is well. */
static bool seal(uint8_t tag[16]) {
    static const uint8_t zeros[16];
    kp_aes_gcm_key *key;
    uint8_t out;
    bool done = kp_aes_gcm_key_new(&key, zeros, sizeof zeros, NULL) == KP_OK;
    if (done) {
        done = kp_aes_gcm_seal(key, zeros, 12, NULL, 0, zeros, 1, &out, tag, 16) == KP_OK;
        kp_aes_gcm_key_free(key);
    }
    return done;
}

static void *seal_with_the_others(void *tag) {
    pthread_barrier_wait(&start);
    return seal(tag) ? tag : NULL;
}

static int race(unsigned count) {
    pthread_t *threads = calloc(count, sizeof *threads);
    uint8_t (*tags)[16] = calloc(count, sizeof *tags);
    int faults = 0;
    pthread_barrier_init(&start, NULL, count);
    for (unsigned i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, seal_with_the_others, tags[i]);
    for (unsigned i = 0; i < count; i++) {
        void *result;
        pthread_join(threads[i], &result);
        faults += result == NULL || memcmp(tags[i], tags[0], sizeof tags[0]) != 0;
    }
    for (unsigned i = 0; i < sizeof tags[0]; i++)
        printf("%02x", tags[0][i]);
    printf("\n");
    free(tags);
    free(threads);
    return faults != 0;
}

static int fork_in_the_middle(void) {
    pthread_t thread;
    uint8_t tag[16], child_tag[16];
    int status = 0;
    pthread_barrier_init(&start, NULL, 2);
    pthread_create(&thread, NULL, seal_with_the_others, tag);
    pthread_barrier_wait(&start);
    pid_t child = fork();
    if (child == 0)
        _exit(seal(child_tag) ? 0 : 1);
    waitpid(child, &status, 0);
    pthread_join(thread, NULL);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int report(void) {
    for (size_t family = 0; family < kp_family_count(); family++)
        for (size_t kernel = 0; kernel < kp_kernel_count(family); kernel++)
            printf("%s/%s %d\n", kp_family_name(family), kp_kernel_name(family, kernel),
                   (int)kp_kernel_get_state(family, kernel));
    for (size_t remark = 0; remark < kp_remark_count(); remark++)
        printf("remark: %s\n", kp_remark(remark));
    return 0;
}

static int describe(void) {
    const size_t length = kp_dispatch_report(NULL, 0);
    char *text = malloc(length + 2);
    int faults = text == NULL;
    for (size_t size = 0; faults == 0 && size <= length + 1; size++) {
        memset(text, '~', length + 2);
        faults += kp_dispatch_report(text, size) != length;
        faults += text[size] != '~';
        faults += size > 0 && strlen(text) != (size <= length ? size - 1 : length);
    }
    if (faults == 0)
        fputs(text, stdout);
    free(text);
    return faults;
}

#if defined(__linux__)
/* What loading and reading a file, getting memory and printing take. */
static const unsigned harmless[] = {
#if defined(__NR_newfstatat)
    __NR_newfstatat,
#endif
    __NR_openat,     __NR_read,   __NR_fstat,    __NR_close, __NR_write,     __NR_lseek,
    __NR_mmap,       __NR_munmap, __NR_mprotect, __NR_brk,   __NR_getrandom, __NR_exit_group,
};
/* What a container's filter may refuse: files, and whatever tells of the machine (258 is riscv_hwprobe on RISC-V). */
static const unsigned refused[] = {
    __NR_openat, __NR_prctl, __NR_uname, __NR_sched_getaffinity,
#if defined(__riscv)
    258,
#endif
};

#define MOST_RULES 64

static bool filter(const unsigned *calls, size_t count, unsigned listed, unsigned other) {
    struct sock_filter rules[MOST_RULES];
    unsigned short length = 0;
    rules[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < count; i++) {
        rules[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i], 0, 1);
        rules[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, listed);
    }
    rules[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, other);
    const struct sock_fprog program = {length, rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int report_under_filter(bool kills) {
    const bool is_on =
        kills ? filter(harmless, sizeof harmless / sizeof *harmless, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS)
              : filter(refused, sizeof refused / sizeof *refused, SECCOMP_RET_ERRNO | EPERM, SECCOMP_RET_ALLOW);
    if (!is_on) {
        fprintf(stderr, "this system has no seccomp filters: %s\n", strerror(errno));
        return 3;
    }
    report();
    fflush(stdout);
    /* Neither filter lets this through. */
    return syscall(__NR_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == -1 && errno == EPERM ? 0 : 1;
}
#else
static int report_under_filter(bool kills) {
    (void)kills;
    fprintf(stderr, "seccomp filters are Linux's\n");
    return 3;
}
#endif

static int measure(void) {
    struct timespec before, after;
    uint8_t tag[16];
    clock_gettime(CLOCK_MONOTONIC, &before);
    bool done = seal(tag);
    clock_gettime(CLOCK_MONOTONIC, &after);
    printf("%lld\n", (after.tv_sec - before.tv_sec) * 1000000000LL + after.tv_nsec - before.tv_nsec);
    return !done;
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "report") == 0)
        return report();
    if (count == 2 && strcmp(arguments[1], "describe") == 0)
        return describe();
    if (count == 3 && strcmp(arguments[1], "threads") == 0)
        return race((unsigned)strtoul(arguments[2], NULL, 10));
    if (count == 2 && strcmp(arguments[1], "fork") == 0)
        return fork_in_the_middle();
    if (count == 2 && (strcmp(arguments[1], "deny") == 0 || strcmp(arguments[1], "kill") == 0))
        return report_under_filter(strcmp(arguments[1], "kill") == 0);
    if (count == 2 && strcmp(arguments[1], "time") == 0)
        return measure();
    return 2;
}
