/* AES-GCM in pieces. The kernel sees whole blocks; what a piece leaves of a block is dealt with here byte by byte:
 * its bytes are added to y at once, and y is multiplied by H, by taking in a block of zeros, when the block is full. */
#include "native/aes_gcm/mode.h"

#include <stdlib.h>

#include "native/bytes.h"
#include "native/timing.h"
#include "native/wipe.h"

kp_status kp_aes_gcm_stream_new(kp_aes_gcm_stream **stream, const kp_aes_gcm_key *key, kp_direction direction,
                                const uint8_t *iv, size_t iv_length) {
    *stream = NULL;
    if (!kp_aes_gcm_is_iv_length(iv_length))
        return KP_BAD_IV_LENGTH;
    kp_aes_gcm_stream *made = calloc(1, sizeof *made);
    if (made == NULL)
        return KP_NO_MEMORY;
    made->key = key;
    made->direction = direction;
    made->iv_length = iv_length;
    made->phase = KP_STREAM_AAD;
    const uint64_t timing = kp_timing_begin();
    kp_aes_gcm_derive_j0(key, made->counter, iv, iv_length);
    key->kernel->encipher(key->prepared, made->counter, made->mask);
    kp_timing_end(timing);
    kp_aes_gcm_increment(made->counter);
    *stream = made;
    return KP_OK;
}

void kp_aes_gcm_stream_free(kp_aes_gcm_stream *stream) {
    if (stream == NULL)
        return;
    kp_wipe(stream, sizeof *stream);
    free(stream);
}

static void multiply_y(kp_aes_gcm_stream *stream) {
    static const uint8_t zeros[16];
    stream->key->kernel->hash(stream->key->prepared, stream->y, zeros, 16);
}

/* How many of `length` bytes go into a block of which `used` bytes are there. */
static size_t bytes_for_block(size_t used, size_t length) {
    const size_t room = 16 - used;
    return length < room ? length : room;
}

static kp_status take_aad(kp_aes_gcm_stream *stream, const uint8_t *aad, size_t length) {
    if (stream->phase != KP_STREAM_AAD)
        return KP_OUT_OF_ORDER;
    if (!kp_aes_gcm_fits(stream->aad_length, length, KP_AES_GCM_MOST_AAD))
        return KP_TOO_LONG;
    size_t used = stream->aad_length % 16;
    stream->aad_length += length;
    if (used != 0) {
        const size_t taken = bytes_for_block(used, length);
        for (size_t i = 0; i < taken; i++)
            stream->y[used + i] ^= aad[i];
        if (used + taken < 16)
            return KP_OK;
        multiply_y(stream);
        aad += taken;
        length -= taken;
    }
    const size_t rest = length % 16, whole = length - rest;
    if (whole != 0)
        stream->key->kernel->hash(stream->key->prepared, stream->y, aad, whole);
    for (size_t i = 0; i < rest; i++)
        stream->y[i] ^= aad[whole + i];
    return KP_OK;
}

kp_status kp_aes_gcm_stream_aad(kp_aes_gcm_stream *stream, const uint8_t *aad, size_t length) {
    const uint64_t timing = kp_timing_begin();
    const kp_status status = take_aad(stream, aad, length);
    kp_timing_end(timing);
    return status;
}

/* No AAD after this. */
static void begin_text(kp_aes_gcm_stream *stream) {
    if (stream->phase == KP_STREAM_AAD && stream->aad_length % 16 != 0)
        multiply_y(stream);
    stream->phase = KP_STREAM_TEXT;
}

/* Text within one block, after its first `used` bytes. */
static void cipher_bytes(kp_aes_gcm_stream *stream, size_t used, const uint8_t *in, size_t length, uint8_t *out) {
    for (size_t i = 0; i < length; i++) {
        const uint8_t from = in[i], to = from ^ stream->key_stream[used + i];
        stream->y[used + i] ^= stream->direction == KP_ENCRYPT ? to : from;
        out[i] = to;
    }
}

static kp_status take_text(kp_aes_gcm_stream *stream, const uint8_t *in, size_t length, uint8_t *out) {
    const struct kp_aes_gcm_kernel *kernel = stream->key->kernel;
    const void *prepared = stream->key->prepared;
    if (stream->phase == KP_STREAM_DONE)
        return KP_OUT_OF_ORDER;
    if (!kp_aes_gcm_fits(stream->text_length, length, KP_AES_GCM_MOST_TEXT))
        return KP_TOO_LONG;
    if (kp_overlaps(in, out, length))
        return KP_OVERLAP;
    begin_text(stream);
    const size_t used = stream->text_length % 16;
    stream->text_length += length;
    if (used != 0) {
        const size_t taken = bytes_for_block(used, length);
        cipher_bytes(stream, used, in, taken, out);
        if (used + taken < 16)
            return KP_OK;
        multiply_y(stream);
        in += taken;
        out += taken;
        length -= taken;
    }
    const size_t rest = length % 16, whole = length - rest;
    kp_aes_gcm_crypt(stream->key, stream->direction, stream->iv_length, stream->counter, stream->y, in, out, whole);
    if (rest != 0) {
        kernel->encipher(prepared, stream->counter, stream->key_stream);
        kp_aes_gcm_increment(stream->counter);
        cipher_bytes(stream, 0, in + whole, rest, out + whole);
    }
    return KP_OK;
}

kp_status kp_aes_gcm_stream_text(kp_aes_gcm_stream *stream, const uint8_t *in, size_t length, uint8_t *out) {
    const uint64_t timing = kp_timing_begin();
    const kp_status status = take_text(stream, in, length, out);
    kp_timing_end(timing);
    return status;
}

/* Leaves the tag in y. */
static void finish(kp_aes_gcm_stream *stream) {
    const uint64_t timing = kp_timing_begin();
    begin_text(stream);
    if (stream->text_length % 16 != 0)
        multiply_y(stream);
    kp_aes_gcm_finish(stream->key, stream->y, stream->aad_length, stream->text_length, stream->mask);
    stream->phase = KP_STREAM_DONE;
    kp_timing_end(timing);
}

static kp_status check_finish(const kp_aes_gcm_stream *stream, kp_direction direction, size_t tag_length) {
    if (stream->phase == KP_STREAM_DONE || stream->direction != direction)
        return KP_OUT_OF_ORDER;
    return kp_aes_gcm_is_tag_length(tag_length) ? KP_OK : KP_BAD_TAG_LENGTH;
}

kp_status kp_aes_gcm_stream_tag(kp_aes_gcm_stream *stream, uint8_t *tag, size_t tag_length) {
    const kp_status status = check_finish(stream, KP_ENCRYPT, tag_length);
    if (status != KP_OK)
        return status;
    finish(stream);
    memcpy(tag, stream->y, tag_length);
    return KP_OK;
}

kp_status kp_aes_gcm_stream_verify(kp_aes_gcm_stream *stream, const uint8_t *tag, size_t tag_length) {
    const kp_status status = check_finish(stream, KP_DECRYPT, tag_length);
    if (status != KP_OK)
        return status;
    finish(stream);
    return kp_equal(stream->y, tag, tag_length) ? KP_OK : KP_INVALID_TAG;
}
