/* The memory of a buffer is mapped twice: once for the kernel, between two pages that may not be
 * touched and read-only where it is an input, and once for the harness. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif
#include <unistd.h>

#include "checkasm.h"

#define CANARY_BYTES 128
#define MOST_BUFFERS 64

static struct buffer buffers[MOST_BUFFERS];
static size_t buffer_count;
static uint8_t next_canary = 0xc5;

static void die(const char *what) {
    perror(what);
    exit(3);
}

static size_t page_bytes(void) {
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Memory that can be mapped twice. glibc has had the function only since 2.27. */
static int new_file(const char *name) {
#if defined(__linux__)
    return (int)syscall(SYS_memfd_create, name, 1 /* MFD_CLOEXEC */);
#else
    return memfd_create(name, MFD_CLOEXEC);
#endif
}

static struct buffer *new_buffer(const char *name, size_t capacity, bool writable) {
    if (buffer_count == MOST_BUFFERS) {
        fputs("checkasm: too many buffers: raise MOST_BUFFERS\n", stderr);
        exit(3);
    }
    struct buffer *buffer = &buffers[buffer_count++];
    size_t page = page_bytes();
    buffer->name = name;
    buffer->writable = writable;
    buffer->room = (capacity + 2 * CANARY_BYTES + page - 1) / page * page;
    int file = new_file(name);
    if (file < 0 || ftruncate(file, (off_t)buffer->room) < 0) {
        die("checkasm: memory for a buffer (memfd_create)");
    }
    buffer->own = mmap(NULL, buffer->room, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    uint8_t *reserved = mmap(NULL, buffer->room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer->own == MAP_FAILED || reserved == MAP_FAILED) {
        die("checkasm: memory for a buffer (mmap)");
    }
    buffer->view = mmap(reserved + page, buffer->room, writable ? PROT_READ | PROT_WRITE : PROT_READ,
                        MAP_SHARED | MAP_FIXED, file, 0);
    if (buffer->view == MAP_FAILED) {
        die("checkasm: memory for a buffer (mmap)");
    }
    close(file);
    return buffer;
}

struct buffer *new_input(const char *name, size_t capacity) {
    return new_buffer(name, capacity, false);
}

struct buffer *new_output(const char *name, size_t capacity) {
    return new_buffer(name, capacity, true);
}

void set_writable(struct buffer *buffer, bool writable) {
    if (buffer->writable != writable) {
        buffer->writable = writable;
        if (mprotect(buffer->view, buffer->room, writable ? PROT_READ | PROT_WRITE : PROT_READ) < 0) {
            die("checkasm: mprotect");
        }
    }
}

static size_t canaries_before(const struct buffer *buffer) {
    return buffer->start < CANARY_BYTES ? buffer->start : CANARY_BYTES;
}

static size_t canaries_after(const struct buffer *buffer) {
    size_t left = buffer->room - buffer->start - buffer->length;
    return left < CANARY_BYTES ? left : CANARY_BYTES;
}

uint8_t *place(struct buffer *buffer, size_t length, enum edge edge, size_t offset, const void *content) {
    if (length + offset > buffer->room) {
        fprintf(stderr, "checkasm: %zu bytes at offset %zu do not fit into the buffer %s\n", length, offset,
                buffer->name);
        exit(3);
    }
    buffer->start = edge == AT_START ? offset : buffer->room - length - offset;
    buffer->length = length;
    buffer->canary = next_canary += 2;
    uint8_t *data = buffer->own + buffer->start;
    size_t before = canaries_before(buffer);
    memset(data - before, buffer->canary, before);
    memset(data + length, buffer->canary, canaries_after(buffer));
    if (content != NULL) {
        memcpy(data, content, length);
    } else {
        memset(data, buffer->canary ^ 0x5a, length);
    }
    return buffer->view + buffer->start;
}

const uint8_t *contents(const struct buffer *buffer) {
    return buffer->own + buffer->start;
}

void expect_untouched(const struct buffer *buffer) {
    const uint8_t *data = contents(buffer);
    size_t before = canaries_before(buffer);
    size_t after = canaries_after(buffer);
    for (size_t i = before; i > 0; i--) {
        if (data[-(ptrdiff_t)i] != buffer->canary) {
            fail("wrote %zu bytes before the start of '%s'", i, buffer->name);
            break;
        }
    }
    for (size_t i = after; i > 0; i--) {
        if (data[buffer->length + i - 1] != buffer->canary) {
            fail("wrote up to %zu bytes past the end of '%s'", i, buffer->name);
            break;
        }
    }
}

struct buffer *buffer_around(const uint8_t *address) {
    size_t page = page_bytes();
    for (size_t i = 0; i < buffer_count; i++) {
        if (address >= buffers[i].view - page && address < buffers[i].view + buffers[i].room + page) {
            return &buffers[i];
        }
    }
    return NULL;
}
