/* MD5 of many messages: each takes a lane of a kernel that does several at once, and leaves it to the next message as
 * soon as it ends. */
#include "kernport.h"
#include "native/md5/md5.h"
#include "native/md5/padding.h"
#include "native/status.h"
#include "native/wipe.h"

/* A message on its way. */
struct lane {
    bool busy;
    size_t message;
    const uint8_t *data;
    size_t blocks;      /* from `data` on; 0 in a lane that has nothing left to do */
    size_t last_blocks; /* of `last`, after these; 0 once they are the ones at `data` */
    uint8_t last[KP_MD5_MOST_LAST_BLOCKS * KP_MD5_BLOCK_BYTES];
};

struct messages {
    const uint8_t *const *data;
    const size_t *lengths;
    size_t count, next;
    uint8_t *digests;
};

static void begin_last_blocks(struct lane *lane) {
    lane->data = lane->last;
    lane->blocks = lane->last_blocks;
    lane->last_blocks = 0;
}

/* Gives a lane the next message; false where there is none. */
static bool begin_message(struct lane *lane, uint32_t *state, size_t lanes, struct messages *messages) {
    lane->busy = messages->next != messages->count;
    lane->blocks = 0;
    if (!lane->busy)
        return false;
    lane->message = messages->next++;
    const uint8_t *data = messages->data[lane->message];
    const size_t length = messages->lengths[lane->message], whole = length - length % KP_MD5_BLOCK_BYTES;
    for (int i = 0; i < 4; i++)
        state[i * lanes] = kp_md5_start[i];
    lane->last_blocks = kp_md5_pad(lane->last, whole == length ? NULL : data + whole, length);
    lane->data = data;
    lane->blocks = whole / KP_MD5_BLOCK_BYTES;
    if (lane->blocks == 0)
        begin_last_blocks(lane);
    return true;
}

static void write_digest(const struct lane *lane, const uint32_t *state, size_t lanes, struct messages *messages) {
    for (int i = 0; i < 4; i++)
        kp_store_le32(messages->digests + 16 * lane->message + 4 * i, state[i * lanes]);
}

/* Takes a lane to the end of its message by a kernel for one stream. */
static void finish_alone(struct lane *lane, uint32_t *state, size_t lanes, kp_md5_kernel_compress *compress) {
    uint32_t words[4];
    for (int i = 0; i < 4; i++)
        words[i] = state[i * lanes];
    compress(words, lane->data, lane->blocks);
    if (lane->last_blocks != 0)
        compress(words, lane->last, lane->last_blocks);
    for (int i = 0; i < 4; i++)
        state[i * lanes] = words[i];
    lane->blocks = 0;
    lane->last_blocks = 0;
}

/* Takes all lanes on by the smallest number of blocks that is left in one of them; `used` lanes have had messages. */
static void advance(struct lane *lanes, size_t used, uint32_t *state, const struct kp_md5_many_kernel *kernel) {
    const uint8_t *data[KP_MD5_MOST_LANES], *any = NULL;
    size_t blocks = SIZE_MAX, busy = 0;
    for (size_t i = 0; i < used; i++) {
        if (lanes[i].blocks == 0)
            continue;
        busy = i + 1;
        if (lanes[i].blocks < blocks) {
            blocks = lanes[i].blocks;
            any = lanes[i].data;
        }
    }
    /* A lane with nothing to do has to read something: what another one reads. */
    for (size_t i = 0; i < kernel->lanes; i++)
        data[i] = i < used && lanes[i].blocks != 0 ? lanes[i].data : any;
    kernel->compress(state, data, blocks, busy);
    for (size_t i = 0; i < busy; i++) {
        if (lanes[i].blocks == 0)
            continue;
        lanes[i].data += blocks * KP_MD5_BLOCK_BYTES;
        lanes[i].blocks -= blocks;
        if (lanes[i].blocks == 0 && lanes[i].last_blocks != 0)
            begin_last_blocks(&lanes[i]);
    }
}

/* How many lanes take `count` messages in as few rounds as all lanes do: 32 messages are done sooner as twice 16 than
 * as 24 and 8, if a call for 16 is cheaper. */
static size_t lanes_for(const struct kp_md5_many_kernel *kernel, size_t count) {
    if (count == 0)
        return 0;
    const size_t rounds = (count - 1) / kernel->lanes + 1;
    const size_t groups = ((count - 1) / rounds + kernel->group) / kernel->group;
    return groups * kernel->group;
}

/* `alone`: the kernel for a message that has nobody beside it, or NULL to leave that to `kernel` too. */
static void run(const struct kp_md5_many_kernel *kernel, kp_md5_kernel_compress *alone, struct messages *messages) {
    _Alignas(64) uint32_t state[4 * KP_MD5_MOST_LANES];
    struct lane lanes[KP_MD5_MOST_LANES];
    const size_t stride = kernel->lanes, used = lanes_for(kernel, messages->count);
    size_t busy = 0;
    memset(state, 0, sizeof state);
    for (size_t i = 0; i < used; i++)
        busy += begin_message(&lanes[i], state + i, stride, messages);
    while (busy != 0) {
        const bool is_alone = busy == 1 && alone != NULL;
        if (!is_alone)
            advance(lanes, used, state, kernel);
        for (size_t i = 0; i < used; i++) {
            if (!lanes[i].busy)
                continue;
            if (is_alone)
                finish_alone(&lanes[i], state + i, stride, alone);
            if (lanes[i].blocks != 0)
                continue;
            write_digest(&lanes[i], state + i, stride, messages);
            busy -= !begin_message(&lanes[i], state + i, stride, messages);
        }
    }
    kp_wipe(state, sizeof state);
    kp_wipe(lanes, used * sizeof lanes[0]);
}

kp_status kp_md5_many(const uint8_t *const *data, const size_t *lengths, size_t count, uint8_t *digests,
                      const char *kernel) {
    const struct kp_kernel *many, *one;
    const kp_status status = kp_choose(KP_FAMILY_MD5_MANY, kernel, &many);
    if (status != KP_OK)
        return status;
    /* Who names a kernel gets that one to the end. */
    kp_md5_kernel_compress *alone = NULL;
    if (kernel == NULL && kp_choose(KP_FAMILY_MD5, NULL, &one) == KP_OK)
        alone = ((const struct kp_md5_kernel *)one->entries)->compress;
    struct messages messages = {data, lengths, count, 0, digests};
    run(many->entries, alone, &messages);
    return KP_OK;
}
