/* Whether PSTATE.DIT is set while a kernel has the key, and what it was before afterwards, for each call of the C API.
 * Exits with 77, which Meson reports as skipped, where the processor has no such bit. */
#include <stdio.h>
#include <string.h>

#include "dispatch/dispatch.h"
#include "native/aes_gcm/mode.h"

static int failures;
static unsigned calls, calls_without;

static uint64_t read_dit(void) {
    uint64_t value;
    __asm__ volatile("mrs %0, s3_3_c4_c2_5" : "=r"(value));
    return value;
}

static void write_dit(uint64_t value) {
    __asm__ volatile("msr s3_3_c4_c2_5, %0" : : "r"(value));
}

static void observe(void) {
    calls++;
    calls_without += read_dit() == 0;
}

/* A kernel that computes nothing. */
static void encipher(const void *prepared, const uint8_t in[16], uint8_t out[16]) {
    (void)prepared;
    memmove(out, in, 16);
    observe();
}

static void hash(const void *prepared, uint8_t y[16], const uint8_t *data, size_t length) {
    (void)prepared, (void)y, (void)data, (void)length;
    observe();
}

static void text(const void *prepared, uint8_t counter[16], uint8_t y[16], const uint8_t *in, uint8_t *out,
                 size_t length) {
    (void)prepared, (void)counter, (void)y;
    memmove(out, in, length);
    observe();
}

static const struct kp_aes_gcm_kernel watcher = {.encipher = encipher, .hash = hash, .encrypt = text, .decrypt = text};

static void expect(const char *call, uint64_t before) {
    if (calls == 0 || calls_without != 0 || read_dit() != before) {
        printf("%s: %u calls of the kernel, %u of them without DIT; DIT was %d and is %d\n", call, calls, calls_without,
               before != 0, read_dit() != 0);
        failures++;
    }
    calls = calls_without = 0;
}

static void try_all(uint64_t before) {
    static struct kp_aes_gcm_key key = {.kernel = &watcher, .name = "watcher"};
    uint8_t iv[16] = {0}, aad[33] = {0}, block[40] = {0}, tag[16];
    kp_aes_gcm_stream *stream;
    write_dit(before);
    kp_aes_gcm_seal(&key, iv, 12, aad, 16, block, 16, block, tag, 16);
    expect("seal", before);
    kp_aes_gcm_open(&key, iv, 16, aad, 16, block, 16, block, tag, 16);
    expect("open", before);
    for (int direction = KP_ENCRYPT; direction <= KP_DECRYPT; direction++) {
        kp_aes_gcm_stream_new(&stream, &key, (kp_direction)direction, iv, 12);
        expect("stream_new", before);
        kp_aes_gcm_stream_aad(stream, aad, 33);
        expect("stream_aad", before);
        kp_aes_gcm_stream_text(stream, block, 33, block);
        expect("stream_text", before);
        if (direction == KP_ENCRYPT)
            kp_aes_gcm_stream_tag(stream, tag, 16);
        else
            kp_aes_gcm_stream_verify(stream, tag, 16);
        expect("the end of a stream", before);
        kp_aes_gcm_stream_free(stream);
    }
    write_dit(0);
}

int main(void) {
    if (!kp_feature_is_detected(KP_FEATURE_DIT)) {
        puts("skipped: this processor has no DIT; QEMU's neoverse-v1 and max have it");
        return 77;
    }
    try_all(0);
    try_all(UINT64_C(1) << 24);
    return failures != 0;
}
