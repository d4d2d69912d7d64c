/* CRC-32C (RFC 3720, section 12.1) with PMULL and the CRC32 instructions.
 *
 * uint32_t crc_crc32c_pmull_update(uint32_t crc, const uint8_t *data, size_t length);
 *
 * Four sums, 64 bytes a turn, while CRC32CX takes 48 elsewhere. By llvm-mca's models a turn takes 10 cycles on Neoverse
 * N1, where one PMULL can start a cycle, and 6 on V1, where two can, as many as its CRC32CX take. Idea, registers and
 * sources are in native/asm/aarch64_crc.h. */
#define CRC_SUMS 4
#define CRC_STREAM_WORDS 2
#define CRC_EOR3 0
#include "native/asm/aarch64.h"
#include "../asm/aarch64_crc.h"

#if !defined(__APPLE__)
    .arch armv8-a+crypto+crc
#endif

    crc_update crc_crc32c_pmull_update
