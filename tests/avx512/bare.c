#include "tests/avx512/bare.h"

#include "native/bytes.h"

#define SERIAL 0x3f8
#define SHUTDOWN 0x8900 /* Bochs ends when the word Shutdown is written there */

static void write_port(uint16_t port, uint8_t byte) {
    __asm__ volatile("outb %0, %1" : : "a"(byte), "Nd"(port));
}

static uint8_t read_port(uint16_t port) {
    uint8_t byte;
    __asm__ volatile("inb %1, %0" : "=a"(byte) : "Nd"(port));
    return byte;
}

void say(const char *text) {
    for (; *text != '\0'; text++) {
        while ((read_port(SERIAL + 5) & 0x20) == 0) {
        }
        write_port(SERIAL, (uint8_t)*text);
    }
}

void say_number(uint64_t number) {
    char digits[21], *end = digits + sizeof digits - 1;
    *end = '\0';
    do
        *--end = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    say(end);
}

_Noreturn void stop(void) {
    while ((read_port(SERIAL + 5) & 0x40) == 0) {
    }
    for (const char *letter = "Shutdown"; *letter != '\0'; letter++)
        write_port(SHUTDOWN, (uint8_t)*letter);
    for (;;)
        __asm__ volatile("cli; hlt");
}

const char *family, *kernel;

void check(bool right, const char *what, uint64_t length, uint64_t other) {
    if (right)
        return;
    say(family), say("/"), say(kernel), say(": "), say(what);
    say(" is wrong (length "), say_number(length), say(", "), say_number(other), say(")\n");
    stop();
}

/* The compiler calls these. */
void *memcpy(void *restrict to, const void *restrict from, size_t length) {
    void *start = to;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(length) : : "memory");
    return start;
}

void *memset(void *to, int byte, size_t length) {
    void *start = to;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(length) : "a"(byte) : "memory");
    return start;
}

int memcmp(const void *left, const void *right, size_t length) {
    const uint8_t *a = left, *b = right;
    for (; length >= 8; length -= 8, a += 8, b += 8)
        if (kp_load_be64(a) != kp_load_be64(b))
            return 1;
    for (; length != 0; length--, a++, b++)
        if (*a != *b)
            return 1;
    return 0;
}

static uint64_t random_state = 1;

/* Splitmix64. */
uint64_t random_word(void) {
    uint64_t word = random_state += UINT64_C(0x9e3779b97f4a7c15);
    word = (word ^ (word >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ (word >> 27)) * UINT64_C(0x94d049bb133111eb);
    return word ^ (word >> 31);
}

void random_bytes(uint8_t *bytes, size_t length) {
    for (; length >= 8; length -= 8, bytes += 8)
        kp_store_le64(bytes, random_word());
    for (; length != 0; length--)
        *bytes++ = (uint8_t)random_word();
}

#define FINE_MAP UINT64_C(0x4000000)

extern uint64_t map_level_2[512];

static void map_buffers(void) {
    static _Alignas(PAGE) uint64_t map_level_1[512];
    for (uint64_t page = 0; page < 32 * BUFFERS; page++)
        map_level_1[page] = page % 32 == 0 || page % 32 == 31 ? 0 : (FINE_MAP + PAGE * page) | 3;
    map_level_2[FINE_MAP >> 21] = (uint64_t)map_level_1 | 3;
    __asm__ volatile("mov %%cr3, %%rax; mov %%rax, %%cr3" : : : "rax", "memory");
}

uint8_t *start_of(int buffer) {
    return (uint8_t *)(FINE_MAP + (32 * (uint64_t)buffer + 1) * PAGE);
}

uint8_t *end_of(int buffer) {
    return start_of(buffer) + BUFFER_BYTES;
}

/* Bits 2 and 6 of the extended state in use. */
bool upper_halves_are_clear(void) {
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(1));
    return (low & (1u << 2 | 1u << 6)) == 0;
}

void begin(void) {
    write_port(SERIAL + 3, 3); /* eight bits a byte */
    map_buffers();
}
