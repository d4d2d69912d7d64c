/* CRC-32C (RFC 3720, section 12.1) with PMULL, the CRC32 instructions and EOR3 of FEAT_SHA3.
 *
 * uint32_t crc_crc32c_pmull_eor3_update(uint32_t crc, const uint8_t *data, size_t length);
 *
 * As pmull.S, with eight sums, 128 bytes a turn, while CRC32CX takes 48 elsewhere: the processors that have EOR3 start
 * two PMULL a cycle or more, but one CRC32CX. EOR3 adds both products and the data at once. By llvm-mca's model a turn
 * takes 8 cycles on Neoverse V1 and V2: 22 bytes a cycle instead of 18.7. Idea, registers and sources are in
 * native/asm/aarch64_crc.h. */
#define CRC_SUMS 8
#define CRC_STREAM_WORDS 2
#define CRC_EOR3 1
#include "native/asm/aarch64.h"
#include "../asm/aarch64_crc.h"

#if !defined(__APPLE__)
    .arch armv8.2-a+crypto+crc+sha3
#endif

    crc_update crc_crc32c_pmull_eor3_update
