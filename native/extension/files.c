/* The MD5 of many files.
 *
 * Each thread has a file open for each of the kernel's lanes, and reads and hashes them slice by slice, side by side.
 * A lane whose file has ended takes the next file of the list, so that all lanes have work until the list ends, be the
 * files long or short. While reads are slow, so that files seem not to be in memory, each thread opens files before
 * their turn and asks the system to read them ahead. */
#include "native/extension/files.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "native/extension/lanes.h"
#include "native/md5/padding.h"

#define MOST_THREADS 8
#define SLICE_BYTES ((size_t)64 << 10)
#define PADDING_BYTES (KP_MD5_MOST_LAST_BLOCKS * KP_MD5_BLOCK_BYTES)
#define ROOM_BYTES (SLICE_BYTES + PADDING_BYTES)
#define AHEAD 32
#define SLOW_NANOSECONDS 100000 /* far more than it takes to copy a slice */

/* How the caller's three numbers are looked at. */
struct progress {
    _Atomic(unsigned long) files, bytes, stop;
};

struct job {
    struct kp_file *files;
    size_t count;
    struct progress *progress;
    struct kp_lanes lanes;
    size_t most_open; /* files a thread */
    size_t lanes_a_thread;
    _Atomic(size_t) next;
};

struct reader {
    struct kp_file *file; /* NULL where there is none */
    int opened;
    uint64_t size; /* as the system says; 0 where it does not know */
    uint64_t total;
    bool at_end;
};

struct worker {
    struct job *job;
    uint8_t *rooms; /* ROOM_BYTES a lane */
    struct reader readers[KP_MD5_MOST_LANES];
    /* Files that are open and being read ahead, in the order of the list: `waiting` of them, from `first` on. */
    struct reader ahead[AHEAD];
    size_t first, waiting;
    size_t unsure; /* so many files more are opened ahead */
    size_t held;   /* open files */
};

static bool stopped(const struct job *job) {
    return atomic_load_explicit(&job->progress->stop, memory_order_relaxed) != 0;
}

static void count_file(struct job *job) {
    atomic_fetch_add_explicit(&job->progress->files, 1, memory_order_relaxed);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void end_file(struct worker *worker, struct reader *reader, int error) {
    reader->file->error = error;
    reader->file = NULL;
    close(reader->opened);
    worker->held--;
    count_file(worker->job);
}

/* Opens the next file of the list that can be opened; false if there is none. */
static bool open_next(struct worker *worker, struct reader *reader) {
    struct job *job = worker->job;
    while (!stopped(job)) {
        const size_t number = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
        if (number >= job->count)
            return false;
        struct stat about;
        struct kp_file *file = &job->files[number];
        const int opened = open(file->path, O_RDONLY | O_CLOEXEC);
        if (opened >= 0 && fstat(opened, &about) == 0 && !S_ISDIR(about.st_mode)) {
            *reader = (struct reader){file, opened, S_ISREG(about.st_mode) ? (uint64_t)about.st_size : 0, 0, false};
            worker->held++;
            return true;
        }
        file->error = opened >= 0 && S_ISDIR(about.st_mode) ? EISDIR : errno;
        if (opened >= 0)
            close(opened);
        count_file(job);
    }
    return false;
}

static bool next_file(struct worker *worker, struct reader *reader) {
    while (worker->unsure != 0 && worker->waiting < AHEAD && worker->held < worker->job->most_open) {
        struct reader *last = &worker->ahead[(worker->first + worker->waiting) % AHEAD];
        worker->unsure--;
        if (!open_next(worker, last))
            break;
        posix_fadvise(last->opened, 0, 0, POSIX_FADV_WILLNEED);
        worker->waiting++;
    }
    if (worker->waiting == 0)
        return open_next(worker, reader);
    *reader = worker->ahead[worker->first];
    worker->first = (worker->first + 1) % AHEAD;
    worker->waiting--;
    return true;
}

/* Reads until the slice is full or the file ends; returns how many bytes, or -1 and sets errno. */
static ssize_t read_slice(struct reader *reader, uint8_t *room) {
    size_t done = 0;
    while (done < SLICE_BYTES && !reader->at_end) {
        const ssize_t more = read(reader->opened, room + done, SLICE_BYTES - done);
        if (more < 0 && errno == EINTR)
            continue;
        if (more < 0)
            return -1;
        done += (size_t)more;
        reader->total += (uint64_t)more;
        /* Where the system gave less than was asked for, up to the end that it told, nothing more is to be had. */
        reader->at_end = more == 0 || (done < SLICE_BYTES && reader->total == reader->size);
    }
    return (ssize_t)done;
}

/* Gives the stream the next slice; at the end of the file, the padding follows it. Returns an errno, or 0. */
static int next_slice(struct worker *worker, struct reader *reader, struct kp_lane_stream *stream, uint8_t *room) {
    const int64_t start = now();
    const ssize_t length = read_slice(reader, room);
    if (length < 0)
        return errno;
    if (now() - start > SLOW_NANOSECONDS)
        worker->unsure = 2 * AHEAD;
    stream->data = room;
    stream->blocks = (size_t)length / KP_MD5_BLOCK_BYTES;
    if (reader->at_end) {
        uint8_t last[PADDING_BYTES];
        const size_t rest = (size_t)length % KP_MD5_BLOCK_BYTES;
        const size_t blocks = kp_md5_pad(last, room + length - rest, reader->total);
        memcpy(room + length - rest, last, blocks * KP_MD5_BLOCK_BYTES);
        stream->blocks += blocks;
    }
    atomic_fetch_add_explicit(&worker->job->progress->bytes, (unsigned long)length, memory_order_relaxed);
    return 0;
}

static void refill(void *context, size_t lane, struct kp_lane_stream *stream) {
    struct worker *worker = context;
    struct reader *reader = &worker->readers[lane];
    if (reader->file != NULL && reader->at_end) {
        for (int i = 0; i < 4; i++)
            kp_store_le32(reader->file->digest + 4 * i, stream->words[i]);
        end_file(worker, reader, 0);
    }
    while (!stopped(worker->job)) {
        if (reader->file == NULL) {
            if (!next_file(worker, reader))
                return;
            memcpy(stream->words, kp_md5_start, sizeof stream->words);
        }
        const int error = next_slice(worker, reader, stream, worker->rooms + lane * ROOM_BYTES);
        if (error == 0)
            return;
        end_file(worker, reader, error);
    }
}

static void *work(void *argument) {
    struct job *job = argument;
    struct worker *worker = calloc(1, sizeof *worker);
    uint8_t *rooms = malloc(job->lanes_a_thread * ROOM_BYTES);
    if (worker != NULL && rooms != NULL) {
        worker->job = job;
        worker->rooms = rooms;
        worker->unsure = AHEAD;
        kp_lanes_run(&job->lanes, job->lanes_a_thread, refill, worker);
        /* What is left when all was to stop. */
        for (size_t i = 0; i < job->lanes_a_thread; i++) {
            if (worker->readers[i].file != NULL)
                close(worker->readers[i].opened);
        }
        for (; worker->waiting != 0; worker->waiting--)
            close(worker->ahead[(worker->first + worker->waiting - 1) % AHEAD].opened);
        argument = NULL;
    }
    free(rooms);
    free(worker);
    return argument;
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

/* How many files are opened at most: the other half of what the process may open is for others. */
static size_t room_for_files(void) {
    const long most = sysconf(_SC_OPEN_MAX);
    return most < 0 ? SIZE_MAX : (size_t)most / 2;
}

kp_status kp_md5_files(struct kp_file *files, size_t count, size_t threads, unsigned long *progress) {
    struct job job = {.files = files, .count = count, .progress = (struct progress *)(void *)progress};
    kp_status status = kp_lanes_choose(&job.lanes);
    if (status != KP_OK || count == 0)
        return status;
    for (size_t i = 0; i < count; i++)
        files[i].error = ECANCELED;
    if (threads > MOST_THREADS)
        threads = MOST_THREADS;
    if (threads > count)
        threads = count;
    const size_t lanes = job.lanes.many->lanes, room = room_for_files() / threads;
    /* Its share of the files, so that few are shared out evenly. */
    job.most_open = (count + threads - 1) / threads;
    if (job.most_open > room)
        job.most_open = room != 0 ? room : 1;
    job.lanes_a_thread = job.most_open < lanes ? job.most_open : lanes;
    pthread_t helpers[MOST_THREADS];
    /* This thread works too. Where memory lacks for another, this one does its part; where it lacks here, all fails. */
    const size_t started = start(helpers, threads - 1, &job);
    if (work(&job) != NULL)
        status = KP_NO_MEMORY;
    for (size_t i = 0; i < started; i++)
        pthread_join(helpers[i], NULL);
    return status;
}
