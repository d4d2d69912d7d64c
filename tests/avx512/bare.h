/* What a program has that runs on the emulated processor alone, without an operating system. */
#ifndef AVX512_BARE_H
#define AVX512_BARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Before all else. */
void begin(void);

/* To the first serial port. */
void say(const char *text);
void say_number(uint64_t number);

/* Ends the emulator. */
_Noreturn void stop(void);

/* What is under test, for the sentence of a failure. */
extern const char *family, *kernel;

/* Says what is wrong and stops, unless it is right. */
void check(bool right, const char *what, uint64_t length, uint64_t other);

/* The same numbers each time. */
uint64_t random_word(void);
void random_bytes(uint8_t *bytes, size_t length);

/* Buffers of 30 pages, with pages on both sides that are not mapped: to touch those ends the emulator. */
#define PAGE 4096
#define BUFFERS 7
#define BUFFER_BYTES (30 * PAGE)
uint8_t *start_of(int buffer);
uint8_t *end_of(int buffer);

/* Whether the upper halves of ymm (component 2 of the extended state) and zmm (6) are in their initial state. */
bool upper_halves_are_clear(void);

#endif
