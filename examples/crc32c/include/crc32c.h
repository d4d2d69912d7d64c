/* CRC-32C by the fastest kernel of the processor.
 *
 * The checksum of iSCSI (RFC 3720), SCTP, ext4 and Btrfs: Castagnoli's polynomial, reflected, the register all ones
 * at first and inverted at the end. It finds errors; it does not protect against anyone who makes them on purpose.
 */
#ifndef CRC32C_H
#define CRC32C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The checksum of what `crc` is the checksum of, followed by `length` bytes at `data`. That of nothing is 0. */
uint32_t crc32c(uint32_t crc, const uint8_t *data, size_t length);

#ifdef __cplusplus
}
#endif

#endif
