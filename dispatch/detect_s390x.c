/* s390x: the facility list, and what the CPACF instructions answer when asked for their functions.
 *
 * STFLE and the queries are not privileged. Facilities and functions are numbered from the left of what is
 * stored, 0 being the highest bit of the first word. A query is executed only where the facility list has its
 * instruction: all of them trap elsewhere. */
#include "dispatch/auxv.h"
#include "dispatch/dispatch.h"

#define HWCAP_STFLE (UINT64_C(1) << 2) /* Linux Documentation: HWCAP_S390_STFLE */

/* Facilities. */
#define MESSAGE_SECURITY_ASSIST 17
#define MESSAGE_SECURITY_ASSIST_4 77
#define MESSAGE_SECURITY_ASSIST_8 146

#define FACILITY_WORDS 3

static void read_facilities(uint64_t list[FACILITY_WORDS]) {
    register uint64_t r0 __asm__("0") = FACILITY_WORDS - 1;
    __asm__ volatile(".insn s,0xb2b00000,%[list]"
                     : [list] "=Q"(*(uint64_t (*)[FACILITY_WORDS])list), "+d"(r0)
                     :
                     : "cc");
}

static bool has(const uint64_t list[FACILITY_WORDS], unsigned facility) {
    return (list[facility / 64] >> (63 - facility % 64) & 1) != 0;
}

/* The mask of functions that an instruction of the format RRE or RRF knows. */
#define QUERY(mask, instruction)                                                                                       \
    do {                                                                                                               \
        register uint64_t r0 __asm__("0") = 0;                                                                         \
        register uint64_t *r1 __asm__("1") = (mask);                                                                   \
        __asm__ volatile(".insn " instruction : : "d"(r0), "a"(r1) : "memory", "cc");                                  \
    } while (0)

void kp_read_words(uint64_t *words) {
    uint64_t facilities[FACILITY_WORDS] = {0}, mask[2] = {0};
    words[KP_WORD_HWCAP] = kp_auxv(AT_HWCAP);
    if ((words[KP_WORD_HWCAP] & HWCAP_STFLE) == 0)
        return;
    read_facilities(facilities);
    words[KP_WORD_STFLE_0] = facilities[0];
    words[KP_WORD_STFLE_1] = facilities[1];
    words[KP_WORD_STFLE_2] = facilities[2];
    if (has(facilities, MESSAGE_SECURITY_ASSIST)) {
        QUERY(mask, "rre,0xb92e0000,%%r2,%%r4");
        words[KP_WORD_KM_0] = mask[0];
        QUERY(mask, "rre,0xb93e0000,%%r2,%%r4");
        words[KP_WORD_KIMD_1] = mask[1];
    }
    if (has(facilities, MESSAGE_SECURITY_ASSIST_4)) {
        QUERY(mask, "rrf,0xb92d0000,%%r2,%%r4,%%r6,0");
        words[KP_WORD_KMCTR_0] = mask[0];
    }
    if (has(facilities, MESSAGE_SECURITY_ASSIST_8)) {
        QUERY(mask, "rrf,0xb9290000,%%r2,%%r4,%%r6,0");
        words[KP_WORD_KMA_0] = mask[0];
    }
}
