#include "checkasm.h"

#ifdef HAVE_VALGRIND
#include <valgrind/memcheck.h>

bool under_valgrind(void) {
    return RUNNING_ON_VALGRIND != 0;
}

void mark_secret(const void *memory, size_t length) {
    (void)VALGRIND_MAKE_MEM_UNDEFINED(memory, length);
}

void mark_public(const void *memory, size_t length) {
    (void)VALGRIND_MAKE_MEM_DEFINED(memory, length);
}

void register_stack(const void *low, const void *high) {
    (void)VALGRIND_STACK_REGISTER(low, high);
}

unsigned valgrind_complaints(void) {
    return VALGRIND_COUNT_ERRORS;
}
#else
bool under_valgrind(void) {
    return false;
}

void mark_secret(const void *memory, size_t length) {
    (void)memory;
    (void)length;
}

void mark_public(const void *memory, size_t length) {
    (void)memory;
    (void)length;
}

void register_stack(const void *low, const void *high) {
    (void)low;
    (void)high;
}

unsigned valgrind_complaints(void) {
    return 0;
}
#endif
