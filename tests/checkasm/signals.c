/* A kernel that touches a guard page, or an instruction that the processor lacks, becomes a sentence.
 *
 * Whether a guard page was read or written is found the same way on every system: the handler makes
 * the page readable and lets the instruction run again. If it faults again, it was a write.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "checkasm.h"

sigjmp_buf call_return;

static volatile sig_atomic_t calling;
static uintptr_t called;
static uint8_t *volatile opened_page; /* the guard page that was made readable */
static uint8_t *volatile first_address;
static volatile int caught;
static uint8_t *volatile caught_address;

static uint8_t *page_of(uint8_t *address) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return address - (uintptr_t)address % page;
}

static bool is_guard(const struct buffer *buffer, const uint8_t *address) {
    return address < buffer->view || address >= buffer->view + buffer->room;
}

static void tell_access(const char *verb, const uint8_t *address) {
    const struct buffer *buffer = buffer_around(address);
    const uint8_t *start = buffer->view + buffer->start;
    const uint8_t *end = start + buffer->length;
#if defined(__s390x__)
    /* This processor tells the page alone. */
    fail(address < start ? "%s the page before the start of '%s'" : "%s the page past the end of '%s'", verb,
         buffer->name);
    (void)end;
    return;
#endif
    if (address < start) {
        fail("%s %zu bytes before the start of '%s'", verb, (size_t)(start - address), buffer->name);
    } else {
        fail("%s byte %zu past the end of '%s'", verb, (size_t)(address - end) + 1, buffer->name);
    }
}

static void on_fault(int number, siginfo_t *information, void *context) {
    (void)context;
    uint8_t *address = information->si_addr;
    if (!calling) {
        /* Not a checked call: the known answers and the public functions call kernels directly. */
        if (number == SIGSEGV && buffer_around(address) != NULL) {
            tell_access("touched", address);
        } else {
            fail("crashed with signal %d", number);
        }
        give_up();
    }
    if (number == SIGSEGV && opened_page == NULL) {
        struct buffer *buffer = buffer_around(address);
        size_t page = (size_t)sysconf(_SC_PAGESIZE);
        if (buffer != NULL && is_guard(buffer, address) && mprotect(page_of(address), page, PROT_READ) == 0) {
            opened_page = page_of(address);
            first_address = address;
            return;
        }
    }
    caught = number;
    caught_address = address;
    siglongjmp(call_return, 1);
}

static void on_alarm(int number) {
    if (calling) {
        caught = number;
        siglongjmp(call_return, 1);
    }
}

void catch_signals(void) {
    static uint8_t stack[65536];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    struct sigaction hang = {.sa_handler = on_alarm, .sa_flags = SA_ONSTACK | SA_NODEFER};
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
    if (sigaltstack(&other, NULL) < 0 || sigaction(SIGPROF, &hang, NULL) < 0) {
        perror("checkasm: signals");
        exit(3);
    }
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        if (sigaction(signals[i], &action, NULL) < 0) {
            perror("checkasm: signals");
            exit(3);
        }
    }
}

static void close_page(void) {
    if (opened_page != NULL) {
        mprotect(opened_page, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE);
        opened_page = NULL;
    }
}

static void tell_crash(void) {
    uint8_t *address = caught_address;
    uint8_t *page = opened_page;
    close_page();
    if (page != NULL && caught == SIGSEGV && page_of(address) == page) {
        tell_access("wrote", first_address);
    } else if (page != NULL) {
        tell_access("read", first_address);
    } else if (caught == SIGPROF) {
        fail("did not return within %u seconds of processor time", options.patience);
        give_up();
    } else if (caught == SIGSEGV && buffer_around(address) != NULL) {
        fail("wrote into '%s', which it may only read", buffer_around(address)->name);
    } else if (is_below_stack(address)) {
        fail("used more stack than there is: a kernel gets 32 KiB");
    } else if (caught == SIGILL) {
        fail("stopped at an instruction that this processor does not have, %ld bytes from the entry's address",
             (long)((uintptr_t)address - called));
    } else {
        fail("crashed with signal %d at address %p", caught, (void *)address);
    }
}

void call_begins(checkasm_function *function) {
    static unsigned until_alarm;
#if defined(__powerpc64__) && _CALL_ELF != 2
    called = *(const uintptr_t *)(uintptr_t)function; /* what the descriptor points at */
#else
    called = (uintptr_t)function;
#endif
    if (until_alarm-- == 0) {
        struct itimerval timer = {.it_value = {.tv_sec = options.patience}};
        setitimer(ITIMER_PROF, &timer, NULL);
        until_alarm = 256;
    }
    calling = 1;
}

void call_ended(void) {
    calling = 0;
    if (opened_page != NULL) {
        close_page();
        tell_access("read", first_address);
    }
}

void call_crashed(void) {
    calling = 0;
    tell_crash();
}
