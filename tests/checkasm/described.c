/* Any entry that is described: the kernel through the trampoline, between guard pages, against the portable one. */
#include <stdlib.h>
#include <string.h>

#include "tests/checkasm/described.h"

/* In elements; the long sweep goes on to MOST_ELEMENTS by chance. */
#define EVERY_LENGTH_UP_TO 2048
#define MOST_ELEMENTS 65536
#define MOST_ALIGNMENTS 64

/* What one call is given: lengths and scalars, and where each buffer lies. */
struct call {
    const struct described_entry *entry;
    uintptr_t values[MOST_ARGUMENTS];
    enum edge edge;
    size_t offsets[MOST_ARGUMENTS];
};

static struct buffer *inputs[MOST_ARGUMENTS];
static struct buffer *outputs[MOST_ARGUMENTS];
static uint8_t *given[MOST_ARGUMENTS];  /* what buffers hold before */
static uint8_t *wanted[MOST_ARGUMENTS]; /* and, by the portable kernel, afterwards */
static size_t room;

/* Buffers are made once, for the widest elements of all entries. */
static void make_buffers(void) {
    static const char *const names[MOST_ARGUMENTS] = {"argument 1", "argument 2", "argument 3", "argument 4",
                                                      "argument 5", "argument 6", "argument 7", "argument 8"};
    if (room != 0) {
        return;
    }
    room = MOST_ELEMENTS * sizeof(uint64_t);
    for (size_t i = 0; i < MOST_ARGUMENTS; i++) {
        inputs[i] = new_input(names[i], room + MOST_ALIGNMENTS);
        outputs[i] = new_output(names[i], room + MOST_ALIGNMENTS);
        given[i] = malloc(room);
        wanted[i] = malloc(room);
        if (given[i] == NULL || wanted[i] == NULL) {
            fail("no memory for the buffers of a check");
            give_up();
        }
        random_bytes(given[i], room);
    }
}

static bool is_buffer(const struct described_argument *argument) {
    return argument->role >= READS;
}

static bool is_written(const struct described_argument *argument) {
    return argument->role == WRITES || argument->role == UPDATES;
}

static size_t bytes_of(const struct call *call, size_t number) {
    const struct described_argument *argument = &call->entry->arguments[number];
    size_t count = argument->counted_by < 0 ? argument->count : (size_t)call->values[argument->counted_by];
    return count * argument->bytes;
}

/* The number as the calling convention wants it in a register, whose bits beyond the type matter on some. */
static uintptr_t in_register(const struct described_argument *argument, uint64_t number) {
    const unsigned bits = argument->bytes == 0 ? 64 : 8 * (unsigned)argument->bytes;
    if (bits >= 8 * sizeof(uintptr_t)) {
        return (uintptr_t)number;
    }
    const uint64_t type = (UINT64_C(1) << bits) - 1, sign = UINT64_C(1) << (bits - 1);
    bool extends_sign = argument->is_signed;
#if defined(__riscv)
    extends_sign = extends_sign || bits == 32; /* 32 bits are extended by their sign, whatever their type */
#endif
    number &= type;
    if (extends_sign && (number & sign) != 0) {
        number |= ~type;
    }
#if defined(__x86_64__) || defined(__aarch64__)
    number = (number & 0xffffffff) | random_word() << 32; /* not the callee's to rely on */
#endif
    return (uintptr_t)number;
}

static uintptr_t random_scalar(const struct described_argument *argument) {
    uint64_t number = random_word();
    if (argument->least != 0 || argument->most != 0) {
        number = (uint64_t)argument->least + number % ((uint64_t)(argument->most - argument->least) + 1);
    }
    return in_register(argument, number);
}

static uint64_t shown_result(const struct described_entry *entry, uintptr_t result) {
    return entry->result_bytes == 0 || entry->result_bytes >= sizeof result
               ? result
               : result & (((uintptr_t)1 << (8 * entry->result_bytes)) - 1);
}

/* Runs the kernel as the call says, and compares with the portable kernel. */
static void compare(struct call *call, const struct kp_kernel *kernel, const struct kp_kernel *portable) {
    const struct described_entry *entry = call->entry;
    uintptr_t arguments[MOST_ARGUMENTS] = {0}, plain[MOST_ARGUMENTS] = {0};
    operation(entry->name);
    for (size_t i = 0; i < entry->argument_count; i++) {
        const struct described_argument *argument = &entry->arguments[i];
        arguments[i] = plain[i] = call->values[i];
        if (is_buffer(argument)) {
            size_t bytes = bytes_of(call, i), offset = call->offsets[i] / argument->bytes * argument->bytes;
            struct buffer *buffer = is_written(argument) ? outputs[i] : inputs[i];
            buffer->name = argument->name;
            /* What is only written comes with garbage in it. */
            const void *content = argument->role == WRITES ? NULL : given[i];
            arguments[i] = (uintptr_t)place(buffer, bytes, call->edge, offset, content);
            memcpy(wanted[i], given[i], bytes);
            plain[i] = (uintptr_t)wanted[i];
            fact("modulo 64", arguments[i] % 64);
        } else {
            fact(argument->name, arguments[i]);
        }
    }
    checkasm_function *function = NULL;
    memcpy(&function, (const char *)kernel->entries + entry->offset, sizeof function);
    checked_call(function, arguments);
    uint64_t is = shown_result(entry, call_result());
    uint64_t expected = shown_result(entry, entry->call(portable->entries, plain));
    if (entry->result_bytes != 0 && is != expected) {
        fail("returned %llx, the portable kernel %llx", (unsigned long long)is, (unsigned long long)expected);
    }
    for (size_t i = 0; i < entry->argument_count; i++) {
        const struct described_argument *argument = &entry->arguments[i];
        if (is_buffer(argument)) {
            struct buffer *buffer = is_written(argument) ? outputs[i] : inputs[i];
            expect_untouched(buffer);
            if (is_written(argument)) {
                expect_same(argument->name, contents(buffer), wanted[i], bytes_of(call, i));
            }
        }
    }
}

static void set_values(struct call *call, size_t length) {
    for (size_t i = 0; i < call->entry->argument_count; i++) {
        const struct described_argument *argument = &call->entry->arguments[i];
        if (argument->role == LENGTH) {
            call->values[i] = length;
        } else if (argument->role == SCALAR) {
            call->values[i] = random_scalar(argument);
        }
    }
}

static bool has_length(const struct described_entry *entry) {
    for (size_t i = 0; i < entry->argument_count; i++) {
        if (entry->arguments[i].role == LENGTH) {
            return true;
        }
    }
    return false;
}

static void check_entry(const struct described_entry *entry, const struct kp_kernel *kernel,
                        const struct kp_kernel *portable) {
    struct call call = {.entry = entry};
    size_t most = has_length(entry) ? EVERY_LENGTH_UP_TO : 8;
    for (size_t length = 0; length <= most; length++) {
        for (enum edge edge = AT_START; edge <= AT_END; edge++) {
            call.edge = edge;
            set_values(&call, length);
            compare(&call, kernel, portable);
        }
    }
    /* Every alignment of each buffer, the others at random: pairs of them come together. */
    for (size_t number = 0; number < entry->argument_count; number++) {
        for (size_t offset = 0; is_buffer(&entry->arguments[number]) && offset < MOST_ALIGNMENTS; offset++) {
            for (unsigned turn = 0; turn < (options.full ? 64U : 6U); turn++) {
                for (size_t i = 0; i < entry->argument_count; i++) {
                    call.offsets[i] = i == number ? offset : random_below(MOST_ALIGNMENTS);
                }
                call.edge = turn % 2 == 0 ? AT_START : AT_END;
                set_values(&call, random_below(turn < 4 ? 300 : EVERY_LENGTH_UP_TO));
                compare(&call, kernel, portable);
            }
        }
    }
    for (unsigned turn = 0; has_length(entry) && turn < (options.full ? 400U : 12U); turn++) {
        for (size_t i = 0; i < entry->argument_count; i++) {
            call.offsets[i] = random_below(MOST_ALIGNMENTS);
        }
        call.edge = AT_END;
        set_values(&call, random_below(MOST_ELEMENTS + 1));
        compare(&call, kernel, portable);
    }
    memset(call.offsets, 0, sizeof call.offsets);
    set_interrupted(true);
    for (unsigned turn = 0; turn < (options.full ? 200U : 10U); turn++) {
        set_values(&call, MOST_ELEMENTS);
        compare(&call, kernel, portable);
    }
    set_interrupted(false);
}

void described_check(const struct described_family *family, const struct kp_kernel *kernel,
                     const struct kp_kernel *portable) {
    make_buffers();
    for (size_t i = 0; i < family->count; i++) {
        check_entry(&family->entries[i], kernel, portable);
    }
    operation("the self-test");
    if (!family->prove(kernel->entries)) {
        fail("an answer is not the known one");
    }
}

void described_check_secrets(const struct described_family *family, const struct kp_kernel *kernel) {
    make_buffers();
    for (size_t i = 0; i < family->count; i++) {
        const struct described_entry *entry = &family->entries[i];
        struct call call = {.entry = entry};
        for (size_t length = 0; length <= 300; length += 23) {
            uintptr_t arguments[MOST_ARGUMENTS] = {0};
            set_values(&call, length);
            operation(entry->name);
            for (size_t j = 0; j < entry->argument_count; j++) {
                const struct described_argument *argument = &entry->arguments[j];
                arguments[j] = call.values[j];
                if (is_buffer(argument)) {
                    struct buffer *buffer = is_written(argument) ? outputs[j] : inputs[j];
                    arguments[j] = (uintptr_t)place(buffer, bytes_of(&call, j), AT_END, 0, given[j]);
                    if (argument->secret) {
                        mark_secret((const void *)arguments[j], bytes_of(&call, j));
                    }
                } else if (argument->secret) {
                    mark_secret(&arguments[j], sizeof arguments[j]);
                }
            }
            checkasm_function *function = NULL;
            memcpy(&function, (const char *)kernel->entries + entry->offset, sizeof function);
            checked_call(function, arguments);
            for (size_t j = 0; j < entry->argument_count; j++) {
                if (is_buffer(&entry->arguments[j])) {
                    mark_public((const void *)arguments[j], bytes_of(&call, j));
                }
            }
        }
    }
}

void described_loop(const struct described_family *family, const struct kp_kernel *kernel, const char *name,
                    size_t bytes, uint64_t count) {
    static uint8_t *memory[MOST_ARGUMENTS];
    for (size_t i = 0; i < family->count; i++) {
        const struct described_entry *entry = &family->entries[i];
        if (strcmp(entry->name, name) != 0) {
            continue;
        }
        struct call call = {.entry = entry};
        uintptr_t arguments[MOST_ARGUMENTS] = {0};
        set_values(&call, bytes);
        for (size_t j = 0; j < entry->argument_count; j++) {
            arguments[j] = call.values[j];
            if (is_buffer(&entry->arguments[j])) {
                memory[j] = calloc(bytes_of(&call, j) + 1, 1);
                arguments[j] = (uintptr_t)memory[j];
            }
        }
        for (uint64_t turn = 0; turn < count; turn++) {
            entry->call(kernel->entries, arguments);
        }
        for (size_t j = 0; j < MOST_ARGUMENTS; j++) {
            free(memory[j]);
            memory[j] = NULL;
        }
    }
}
