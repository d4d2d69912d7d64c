#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checkasm.h"

#define MOST_FACTS 12
#define MOST_SENTENCES 4

uint64_t checkasm_calls;

static const char *family_name;
static const char *kernel_name;
static const char *operation_name;
static struct {
    const char *name;
    uint64_t value;
} facts[MOST_FACTS];
static size_t fact_count;
static unsigned failures;
static char first_sentence[512];
static jmp_buf given_up;
static bool signals_arrive;
static bool watching;

void operation(const char *name) {
    operation_name = name;
    fact_count = 0;
}

void fact(const char *name, uint64_t value) {
    size_t i = 0;
    while (i < fact_count && strcmp(facts[i].name, name) != 0) {
        i++;
    }
    if (i == MOST_FACTS) {
        return;
    }
    facts[i].name = name;
    facts[i].value = value;
    fact_count = i == fact_count ? i + 1 : fact_count;
}

void fail(const char *format, ...) {
    char sentence[512];
    size_t used = (size_t)snprintf(sentence, sizeof sentence, "%s/%s: %s: ", family_name, kernel_name, operation_name);
    va_list arguments;
    va_start(arguments, format);
    used += (size_t)vsnprintf(sentence + used, sizeof sentence - used, format, arguments);
    va_end(arguments);
    if (signals_arrive && used < sizeof sentence) {
        used += (size_t)snprintf(sentence + used, sizeof sentence - used, ", while signals arrive");
    }
    for (size_t i = 0; i < fact_count && used < sizeof sentence; i++) {
        used += (size_t)snprintf(sentence + used, sizeof sentence - used, "%s%s %llu", i == 0 ? " (" : ", ",
                                 facts[i].name, (unsigned long long)facts[i].value);
    }
    if (fact_count > 0 && used < sizeof sentence) {
        snprintf(sentence + used, sizeof sentence - used, ")");
    }
    fprintf(stderr, "%s\n", sentence);
    if (failures == 0) {
        memcpy(first_sentence, sentence, sizeof first_sentence);
    }
    failures++;
    if (failures == MOST_SENTENCES) {
        give_up();
    }
}

void give_up(void) {
    if (!watching) {
        exit(3);
    }
    longjmp(given_up, 1);
}

void expect_same(const char *what, const uint8_t *is, const uint8_t *wanted, size_t length) {
    checkasm_calls++;
    if (length == 0 || memcmp(is, wanted, length) == 0) {
        return;
    }
    size_t at = 0;
    while (is[at] == wanted[at]) {
        at++;
    }
    fail("%s is wrong from byte %zu of %zu on: 0x%02x instead of 0x%02x", what, at, length, is[at], wanted[at]);
}

void note_signals(bool arriving) {
    signals_arrive = arriving;
}

unsigned watch(const char *family, const char *kernel,
               void (*check)(const struct kp_kernel *, const struct kp_kernel *), const struct kp_kernel *first,
               const struct kp_kernel *second) {
    family_name = family;
    kernel_name = kernel;
    failures = 0;
    first_sentence[0] = '\0';
    operation("start");
    watching = true;
    if (setjmp(given_up) == 0) {
        check(first, second);
    } else {
        set_interrupted(false);
    }
    watching = false;
    return failures;
}

const char *first_failure(void) {
    return first_sentence;
}
