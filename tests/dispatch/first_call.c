/* The first call of a process, made in the ways that break dispatchers.
 *
 *     first_call report         prints the choice of each family and every remark
 *     first_call describe       prints the library's own text, and checks that no size writes too far
 *     first_call threads N      N threads begin together; each must get the same kernels and right answers
 *     first_call fork           forks while another thread is inside the first call; the child makes its own
 *     first_call time           prints the nanoseconds of the first call
 */
#define _GNU_SOURCE /* pthread_barrier_t */
#include <kernport.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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
    if (count == 2 && strcmp(arguments[1], "time") == 0)
        return measure();
    return 2;
}
