#include "tests/cpacf/model.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "native/aes_gcm/portable.h"
#include "native/bytes.h"
#include "native/ghash/multiply.h"

#define KM 0xb92e
#define KMCTR 0xb92d
#define KIMD 0xb93e
#define KMA 0xb929

#define DECIPHER 0x80
#define LAST_TEXT 0x100
#define LAST_AAD 0x200
#define SUBKEY 0x400

/* Offsets in KMA's parameter block. */
#define KMA_COUNTER 12
#define KMA_TAG 16
#define KMA_SUBKEY 32
#define KMA_AAD_BITS 48
#define KMA_J0 64
#define KMA_KEY 80

static unsigned long executed;

static void refuse(const char *what) {
    static const char start[] = "cpacf: ";
    ssize_t written = write(STDOUT_FILENO, start, sizeof start - 1);
    written += write(STDOUT_FILENO, what, strlen(what));
    written += write(STDOUT_FILENO, "\n", 1);
    _exit(written > 0 ? 1 : 2);
}

static void require(bool holds, const char *what) {
    if (!holds)
        refuse(what);
}

/* The instruction's operands. */
struct operands {
    uint64_t *registers;
    unsigned r1, r2, r3;
};

static uint8_t *address(const struct operands *operands, unsigned number) {
    return (uint8_t *)(uintptr_t)operands->registers[number];
}

static uint64_t length(const struct operands *operands, unsigned number) {
    return operands->registers[number + 1];
}

static void move_on(struct operands *operands, unsigned number, uint64_t bytes) {
    operands->registers[number] += bytes;
    operands->registers[number + 1] -= bytes;
}

static void require_pair(unsigned number) {
    require(number != 0 && number % 2 == 0, "specification exception: an operand's register is odd or 0");
}

/* The blocks that this execution does before it stops early: 1 to 5, anew each time. */
static uint64_t patience(void) {
    static uint32_t state = 1;
    state = state * 1664525 + 1013904223;
    return 1 + (state >> 16) % 5;
}

static void encipher(unsigned function, const uint8_t *key, const uint8_t in[16], uint8_t out[16]) {
    static _Alignas(64) uint8_t prepared[KP_AES_GCM_PREPARED_BYTES];
    static uint8_t known[32];
    static unsigned known_function;
    const size_t key_length = 16 + 8 * (size_t)(function - 18);
    require(function >= 18 && function <= 20, "specification exception: the function is not AES");
    if (known_function != function || memcmp(known, key, key_length) != 0) {
        kp_aes_gcm_portable_prepare(prepared, key, key_length);
        memcpy(known, key, key_length);
        known_function = function;
    }
    kp_aes_gcm_portable_encipher(prepared, in, out);
}

/* y = (y xor data) * h; fewer than 16 bytes count as filled up with zeros. */
static void hash(uint8_t y[16], const uint8_t h[16], const uint8_t *data, size_t bytes) {
    uint8_t block[16] = {0};
    memcpy(block, data, bytes);
    kp_xor_block(block, block, y);
    kp_ghash_multiply(y, block, h);
}

static unsigned km(struct operands *operands) {
    const unsigned function = (unsigned)operands->registers[0];
    require_pair(operands->r1);
    require_pair(operands->r2);
    require(length(operands, operands->r2) % 16 == 0, "specification exception: KM of a part of a block");
    for (uint64_t left = patience(); length(operands, operands->r2) != 0; left--) {
        if (left == 0)
            return 3;
        encipher(function, address(operands, 1), address(operands, operands->r2), address(operands, operands->r1));
        move_on(operands, operands->r2, 16);
        operands->registers[operands->r1] += 16;
    }
    return 0;
}

static unsigned kmctr(struct operands *operands) {
    const unsigned function = (unsigned)operands->registers[0];
    require_pair(operands->r1);
    require_pair(operands->r2);
    require_pair(operands->r3);
    require(length(operands, operands->r2) % 16 == 0, "specification exception: KMCTR of a part of a block");
    for (uint64_t left = patience(); length(operands, operands->r2) != 0; left--) {
        uint8_t stream[16];
        if (left == 0)
            return 3;
        encipher(function, address(operands, 1), address(operands, operands->r3), stream);
        kp_xor_block(address(operands, operands->r1), address(operands, operands->r2), stream);
        move_on(operands, operands->r2, 16);
        operands->registers[operands->r1] += 16;
        operands->registers[operands->r3] += 16;
    }
    return 0;
}

static unsigned kimd(struct operands *operands) {
    uint8_t *parameters = address(operands, 1);
    require(operands->registers[0] == 65, "specification exception: the function is not GHASH");
    require_pair(operands->r2);
    require(length(operands, operands->r2) % 16 == 0, "specification exception: KIMD of a part of a block");
    for (uint64_t left = patience(); length(operands, operands->r2) != 0; left--) {
        if (left == 0)
            return 3;
        hash(parameters, parameters + 16, address(operands, operands->r2), 16);
        move_on(operands, operands->r2, 16);
    }
    return 0;
}

static unsigned kma(struct operands *operands) {
    const uint64_t flags = operands->registers[0];
    const unsigned function = (unsigned)flags & 0x7f;
    uint8_t *parameters = address(operands, 1), *tag = parameters + KMA_TAG;
    const uint8_t *h = parameters + KMA_SUBKEY, *key = parameters + KMA_KEY;
    uint64_t left = patience();
    uint8_t block[16];
    require_pair(operands->r1);
    require_pair(operands->r2);
    require_pair(operands->r3);
    require(operands->r1 != operands->r2 && operands->r1 != operands->r3 && operands->r2 != operands->r3,
            "specification exception: two operands of KMA in the same registers");
    require((flags & SUBKEY) != 0, "the model wants H in the parameter block");
    require((flags & LAST_AAD) != 0 || length(operands, operands->r3) % 16 == 0,
            "a part of a block of AAD, not the last");
    require((flags & LAST_TEXT) != 0 || length(operands, operands->r2) % 16 == 0,
            "a part of a block of text, not the last");
    for (; length(operands, operands->r3) != 0; left--) {
        const uint64_t all = length(operands, operands->r3), bytes = all < 16 ? all : 16;
        if (left == 0)
            return 3;
        hash(tag, h, address(operands, operands->r3), bytes);
        move_on(operands, operands->r3, bytes);
    }
    for (; length(operands, operands->r2) != 0; left--) {
        const uint64_t all = length(operands, operands->r2), bytes = all < 16 ? all : 16;
        const uint8_t *in = address(operands, operands->r2);
        uint8_t *out = address(operands, operands->r1), text[16];
        require((flags & LAST_AAD) != 0, "text before the end of the AAD");
        if (left == 0)
            return 3;
        kp_store_be32(parameters + KMA_COUNTER, kp_load_be32(parameters + KMA_COUNTER) + 1);
        memcpy(block, parameters + KMA_J0, 12);
        memcpy(block + 12, parameters + KMA_COUNTER, 4);
        encipher(function, key, block, block);
        memcpy(text, in, bytes);
        for (uint64_t i = 0; i < bytes; i++)
            out[i] = text[i] ^ block[i];
        hash(tag, h, (flags & DECIPHER) != 0 ? text : out, bytes);
        move_on(operands, operands->r2, bytes);
        operands->registers[operands->r1] += bytes;
    }
    if ((flags & LAST_TEXT) != 0) {
        hash(tag, h, parameters + KMA_AAD_BITS, 16);
        encipher(function, key, parameters + KMA_J0, block);
        kp_xor_block(tag, tag, block);
    }
    return 0;
}

static void execute(int number, siginfo_t *information, void *context) {
    mcontext_t *machine = &((ucontext_t *)context)->uc_mcontext;
    const uint8_t *bytes = information->si_addr;
    struct operands operands = {(uint64_t *)machine->gregs, bytes[3] >> 4, bytes[3] & 15, bytes[2] >> 4};
    unsigned condition = 0;
    (void)number;
    require((uintptr_t)bytes + 4 == machine->psw.addr, "a trap that is no instruction of CPACF");
    switch (bytes[0] << 8 | bytes[1]) {
    case KM:
        condition = km(&operands);
        break;
    case KMCTR:
        condition = kmctr(&operands);
        break;
    case KIMD:
        condition = kimd(&operands);
        break;
    case KMA:
        condition = kma(&operands);
        break;
    default:
        refuse("an illegal instruction that is not of CPACF");
    }
    machine->psw.mask = (machine->psw.mask & ~(UINT64_C(3) << 44)) | (uint64_t)condition << 44;
    executed++;
}

void model_install(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = execute;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGILL, &action, NULL);
}

unsigned long model_count(void) {
    return executed;
}
