/* s390x: the instructions of CPACF (z/Architecture Principles of Operation, SA22-7832, chapter 7,
 * "Message-Security Assist"), each as a function that executes it once.
 *
 * Register 0 holds the function code and flags, register 1 the address of the parameter block; the
 * other operands are even-odd pairs of address and length, or even registers with an address, and the
 * instruction moves them on. It may stop early and then sets condition code 3: the functions give the
 * condition code back, and the caller repeats. Encoded by number, for assemblers that do not know the
 * later instructions. */
#ifndef KP_ASM_S390X_CPACF_H
#define KP_ASM_S390X_CPACF_H

#include <stdint.h>

enum {
    KP_CPACF_AES_128 = 18, /* of KM and KMCTR, and with GCM of KMA; 19 with 192 bits, 20 with 256 */
    KP_CPACF_GHASH = 65,   /* of KIMD */
    KP_CPACF_DECIPHER = 0x80,
    KP_CPACF_LAST_TEXT = 0x100, /* KMA: the text ends here */
    KP_CPACF_LAST_AAD = 0x200,  /* KMA: the AAD ends here */
    KP_CPACF_SUBKEY = 0x400,    /* KMA: H is in the parameter block */
    KP_CPACF_PARTIAL = 3        /* condition code: not all was done */
};

#define KP_CPACF_CONDITION "\n\tipm %[condition]\n\tsrl %[condition],28"

/* KM: whole blocks by the key at `key`. */
static inline unsigned kp_cpacf_km(unsigned function, const void *key, uint8_t **out, const uint8_t **in,
                                   uint64_t *length) {
    register uint64_t r0 __asm__("0") = function;
    register const void *r1 __asm__("1") = key;
    register uint8_t *r2 __asm__("2") = *out;
    register const uint8_t *r4 __asm__("4") = *in;
    register uint64_t r5 __asm__("5") = *length;
    unsigned condition;
    __asm__ volatile(".insn rre,0xb92e0000,%[out],%[in]" KP_CPACF_CONDITION
                     : [condition] "=&d"(condition), [out] "+a"(r2), [in] "+a"(r4), "+d"(r5)
                     : "d"(r0), "a"(r1)
                     : "memory", "cc");
    *out = r2;
    *in = r4;
    *length = r5;
    return condition;
}

/* KMCTR: whole blocks, in xor the enciphered counters. */
static inline unsigned kp_cpacf_kmctr(unsigned function, const void *key, uint8_t **out, const uint8_t **in,
                                      uint64_t *length, const uint8_t **counters) {
    register uint64_t r0 __asm__("0") = function;
    register const void *r1 __asm__("1") = key;
    register uint8_t *r2 __asm__("2") = *out;
    register const uint8_t *r4 __asm__("4") = *in;
    register uint64_t r5 __asm__("5") = *length;
    register const uint8_t *r6 __asm__("6") = *counters;
    unsigned condition;
    __asm__ volatile(".insn rrf,0xb92d0000,%[out],%[in],%[counters],0" KP_CPACF_CONDITION
                     : [condition] "=&d"(condition), [out] "+a"(r2), [in] "+a"(r4), "+d"(r5), [counters] "+a"(r6)
                     : "d"(r0), "a"(r1)
                     : "memory", "cc");
    *out = r2;
    *in = r4;
    *length = r5;
    *counters = r6;
    return condition;
}

/* KIMD: takes whole blocks into the chaining value in the parameter block. */
static inline unsigned kp_cpacf_kimd(unsigned function, void *parameters, const uint8_t **in, uint64_t *length) {
    register uint64_t r0 __asm__("0") = function;
    register void *r1 __asm__("1") = parameters;
    register const uint8_t *r4 __asm__("4") = *in;
    register uint64_t r5 __asm__("5") = *length;
    unsigned condition;
    __asm__ volatile(".insn rre,0xb93e0000,%%r2,%[in]" KP_CPACF_CONDITION
                     : [condition] "=&d"(condition), [in] "+a"(r4), "+d"(r5)
                     : "d"(r0), "a"(r1)
                     : "memory", "cc");
    *in = r4;
    *length = r5;
    return condition;
}

/* KMA: AAD into the hash, then text through the cipher and into the hash, then the tag. */
static inline unsigned kp_cpacf_kma(unsigned function, void *parameters, uint8_t **out, const uint8_t **in,
                                    uint64_t *length, const uint8_t **aad, uint64_t *aad_length) {
    register uint64_t r0 __asm__("0") = function;
    register void *r1 __asm__("1") = parameters;
    register uint8_t *r2 __asm__("2") = *out;
    register const uint8_t *r4 __asm__("4") = *in;
    register uint64_t r5 __asm__("5") = *length;
    register const uint8_t *r6 __asm__("6") = *aad;
    register uint64_t r7 __asm__("7") = *aad_length;
    unsigned condition;
    __asm__ volatile(".insn rrf,0xb9290000,%[out],%[in],%[aad],0" KP_CPACF_CONDITION
                     : [condition] "=&d"(condition), [out] "+a"(r2), [in] "+a"(r4), "+d"(r5), [aad] "+a"(r6), "+d"(r7)
                     : "d"(r0), "a"(r1)
                     : "memory", "cc");
    *out = r2;
    *in = r4;
    *length = r5;
    *aad = r6;
    *aad_length = r7;
    return condition;
}

#endif
