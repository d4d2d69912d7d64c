/* The MD5 of many files.
 *
 * Each thread takes a group of files at a time. It first asks the system to read them ahead. Short files it reads whole
 * into one arena and hashes side by side, longest first, so that the lanes run out at about the same time. Long files
 * go into a queue; when no group is left the threads take from it as many at a time as fill the kernel's lanes, and
 * read and hash them slice by slice. */
#include "native/extension/files.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "native/extension/batch.h"
#include "native/extension/lanes.h"
#include "native/md5/padding.h"

#define GROUP 64
#define MOST_THREADS 8                 /* each may have GROUP files open, and a process usually 1024 */
#define SHORT_BYTES ((size_t)64 << 10) /* a file of at most that many bytes is read whole */
#define SLICE_BYTES ((size_t)64 << 10)
#define MOST_STREAMS 32
#define PADDING_BYTES (KP_MD5_MOST_LAST_BLOCKS * KP_MD5_BLOCK_BYTES)

/* A file for the queue. One that is no regular file may not be opened a second time, for that would be the end of a
 * pipe, so it stays open. */
struct queued {
    size_t file;
    int opened; /* -1 where it was closed */
};

struct job {
    struct kp_file *files;
    size_t count;
    struct kp_files_progress *progress;
    struct kp_lanes lanes;
    pthread_mutex_t mutex; /* guards what follows */
    size_t next;
    struct queued *queue;
    size_t queue_end, next_queued;
};

static bool stopped(const struct job *job) {
    return atomic_load_explicit(&job->progress->stop, memory_order_relaxed) != 0;
}

static void count_bytes(struct job *job, size_t bytes) {
    atomic_fetch_add_explicit(&job->progress->bytes, (unsigned long)bytes, memory_order_relaxed);
}

static void count_files(struct job *job, size_t files) {
    atomic_fetch_add_explicit(&job->progress->files, (unsigned long)files, memory_order_relaxed);
}

/* Reads until `length` bytes or the end of the file; returns how many, or -1 and sets errno. */
static ssize_t read_fully(int file, uint8_t *to, size_t length) {
    size_t done = 0;
    while (done < length) {
        const ssize_t more = read(file, to + done, length - done);
        if (more < 0 && errno == EINTR)
            continue;
        if (more < 0)
            return -1;
        if (more == 0)
            break;
        done += (size_t)more;
    }
    return (ssize_t)done;
}

static int open_file(struct kp_file *file, struct stat *about) {
    const int opened = open(file->path, O_RDONLY | O_CLOEXEC);
    if (opened >= 0 && fstat(opened, about) == 0 && !S_ISDIR(about->st_mode))
        return opened;
    file->error = opened >= 0 && S_ISDIR(about->st_mode) ? EISDIR : errno;
    if (opened >= 0)
        close(opened);
    return -1;
}

static void enqueue(struct job *job, size_t file, int opened) {
    pthread_mutex_lock(&job->mutex);
    job->queue[job->queue_end++] = (struct queued){file, opened};
    pthread_mutex_unlock(&job->mutex);
}

static void hash_contents(struct job *job, struct kp_batch_message *contents, size_t count) {
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += contents[i].length;
    /* That there are kernels was found out before. */
    kp_md5_batch(contents, count, NULL);
    count_bytes(job, bytes);
}

/* Reads and hashes the short files from `first` to `end`, `arena` having room for all. */
static void hash_group(struct job *job, size_t first, size_t end, uint8_t *arena) {
    struct kp_batch_message contents[GROUP];
    int opened[GROUP];
    size_t count = 0, done = 0;
    for (size_t i = first; i < end; i++) {
        struct stat about;
        opened[i - first] = open_file(&job->files[i], &about);
        if (opened[i - first] < 0) {
            done++;
        } else if (!S_ISREG(about.st_mode)) {
            enqueue(job, i, opened[i - first]);
            opened[i - first] = -1;
        } else if (about.st_size > (off_t)SHORT_BYTES) {
            close(opened[i - first]);
            enqueue(job, i, -1);
            opened[i - first] = -1;
        } else {
            posix_fadvise(opened[i - first], 0, 0, POSIX_FADV_WILLNEED);
        }
    }
    for (size_t i = first; i < end; i++) {
        if (opened[i - first] < 0)
            continue;
        /* One byte more than allowed tells whether the file has grown since. */
        const ssize_t length = read_fully(opened[i - first], arena, SHORT_BYTES + 1);
        const int error = errno;
        close(opened[i - first]);
        if (length > (ssize_t)SHORT_BYTES) {
            enqueue(job, i, -1);
            continue;
        }
        done++;
        if (length < 0) {
            job->files[i].error = error;
            continue;
        }
        job->files[i].error = 0;
        contents[count++] = (struct kp_batch_message){arena, (size_t)length, job->files[i].digest};
        arena += length;
    }
    hash_contents(job, contents, count);
    count_files(job, done);
}

/* A long file on its way. */
struct reader {
    size_t file;
    int opened; /* -1 where there is none */
    uint64_t total;
    bool at_end;
};

static bool dequeue(struct job *job, struct queued *next) {
    pthread_mutex_lock(&job->mutex);
    const bool any = job->next_queued < job->queue_end;
    if (any)
        *next = job->queue[job->next_queued++];
    pthread_mutex_unlock(&job->mutex);
    return any;
}

/* The next file of the queue that can be opened; false if there is none. */
static bool next_long_file(struct job *job, struct reader *reader, struct kp_lane_stream *stream) {
    struct queued next;
    do {
        if (!dequeue(job, &next))
            return false;
        struct stat about;
        reader->file = next.file;
        reader->opened = next.opened >= 0 ? next.opened : open_file(&job->files[next.file], &about);
        if (reader->opened < 0)
            count_files(job, 1);
    } while (reader->opened < 0);
    posix_fadvise(reader->opened, 0, 0, POSIX_FADV_SEQUENTIAL);
    reader->total = 0;
    reader->at_end = false;
    memcpy(stream->words, kp_md5_start, sizeof stream->words);
    return true;
}

/* Reads the next slice; at the end of the file, the padding follows it. False if the file cannot be read. */
static bool read_slice(struct job *job, struct reader *reader, struct kp_lane_stream *stream, uint8_t *room) {
    const ssize_t length = read_fully(reader->opened, room, SLICE_BYTES);
    if (length < 0) {
        job->files[reader->file].error = errno;
        return false;
    }
    const size_t rest = (size_t)length % KP_MD5_BLOCK_BYTES;
    reader->total += (uint64_t)length;
    stream->data = room;
    stream->blocks = (size_t)length / KP_MD5_BLOCK_BYTES;
    reader->at_end = (size_t)length < SLICE_BYTES;
    if (reader->at_end) {
        uint8_t last[PADDING_BYTES];
        const size_t blocks = kp_md5_pad(last, room + length - rest, reader->total);
        memcpy(room + length - rest, last, blocks * KP_MD5_BLOCK_BYTES);
        stream->blocks += blocks;
    }
    count_bytes(job, (size_t)length);
    return true;
}

static void end_long_file(struct job *job, struct reader *reader, const struct kp_lane_stream *stream) {
    for (int i = 0; i < 4; i++)
        kp_store_le32(job->files[reader->file].digest + 4 * i, stream->words[i]);
    job->files[reader->file].error = 0;
    close(reader->opened);
    reader->opened = -1;
    count_files(job, 1);
}

static void hash_long_files(struct job *job, uint8_t *rooms) {
    struct reader readers[MOST_STREAMS];
    struct kp_lane_stream streams[MOST_STREAMS];
    const size_t lanes = job->lanes.many->lanes, most = lanes < MOST_STREAMS ? lanes : MOST_STREAMS;
    for (size_t i = 0; i < most; i++)
        readers[i].opened = -1;
    for (size_t busy = most; busy != 0 && !stopped(job);) {
        busy = 0;
        for (size_t i = 0; i < most; i++) {
            streams[i].blocks = 0;
            if (readers[i].opened < 0 && !next_long_file(job, &readers[i], &streams[i]))
                continue;
            busy++;
            if (!read_slice(job, &readers[i], &streams[i], rooms + i * (SLICE_BYTES + PADDING_BYTES))) {
                close(readers[i].opened);
                readers[i].opened = -1;
                count_files(job, 1);
            }
        }
        kp_lanes_run(&job->lanes, streams, most);
        for (size_t i = 0; i < most; i++) {
            if (readers[i].opened >= 0 && readers[i].at_end)
                end_long_file(job, &readers[i], &streams[i]);
        }
    }
    for (size_t i = 0; i < most; i++) {
        if (readers[i].opened >= 0)
            close(readers[i].opened);
    }
}

static void *work(void *argument) {
    struct job *job = argument;
    const size_t arena_bytes = GROUP * SHORT_BYTES + 1, rooms_bytes = MOST_STREAMS * (SLICE_BYTES + PADDING_BYTES);
    uint8_t *memory = malloc(arena_bytes > rooms_bytes ? arena_bytes : rooms_bytes);
    if (memory == NULL)
        return (void *)job;
    while (!stopped(job)) {
        pthread_mutex_lock(&job->mutex);
        const size_t first = job->next;
        const size_t end = job->count - first < GROUP ? job->count : first + GROUP;
        job->next = end;
        pthread_mutex_unlock(&job->mutex);
        if (first == end)
            break;
        hash_group(job, first, end, memory);
    }
    hash_long_files(job, memory);
    free(memory);
    return NULL;
}

/* Starts up to `count` threads, which leave signals to others; returns how many there are. */
static size_t start(pthread_t *threads, size_t count, struct job *job) {
    sigset_t all, before;
    size_t started = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started < count && pthread_create(&threads[started], NULL, work, job) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

kp_status kp_md5_files(struct kp_file *files, size_t count, size_t threads, struct kp_files_progress *progress) {
    struct job job = {.files = files, .count = count, .progress = progress};
    kp_status status = kp_lanes_choose(&job.lanes);
    if (status != KP_OK || count == 0)
        return status;
    job.queue = calloc(count, sizeof job.queue[0]);
    if (job.queue == NULL)
        return KP_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        files[i].error = ECANCELED;
    pthread_mutex_init(&job.mutex, NULL);
    const size_t groups = (count + GROUP - 1) / GROUP, wanted = threads < MOST_THREADS ? threads : MOST_THREADS;
    pthread_t helpers[MOST_THREADS];
    /* This thread works too. Where memory lacks for another, this one does its part; where it lacks here, all fails. */
    const size_t started = start(helpers, (wanted < groups ? wanted : groups) - 1, &job);
    if (work(&job) != NULL)
        status = KP_NO_MEMORY;
    for (size_t i = 0; i < started; i++)
        pthread_join(helpers[i], NULL);
    for (struct queued left; dequeue(&job, &left);) {
        if (left.opened >= 0)
            close(left.opened);
    }
    pthread_mutex_destroy(&job.mutex);
    free(job.queue);
    return status;
}
