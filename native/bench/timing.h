/* Operations timed in C, so that what a call from Python costs drops out.
 *
 * Each kp_time_ function does an operation `repeats` times and returns the nanoseconds that it took in all. */

#include "kernport.h"

/* A whole message of `length` bytes with no AAD: from `in` to `out`, which has 16 bytes more for the tag. */
uint64_t kp_time_seal(const kp_aes_gcm_key *key, const uint8_t *in, size_t length, uint8_t *out, size_t repeats);
/* The same the other way: `in` has the tag at its end, and is made to match before the clock runs. */
uint64_t kp_time_open(const kp_aes_gcm_key *key, uint8_t *in, size_t length, uint8_t *out, size_t repeats);
/* A message of nothing but `length` bytes of AAD. */
uint64_t kp_time_gmac(const kp_aes_gcm_key *key, const uint8_t *aad, size_t length, size_t repeats);
uint64_t kp_time_ghash(const kp_ghash_key *key, const uint8_t *data, size_t length, size_t repeats);
/* A message of its own, from kp_md5_new to kp_md5_free. */
uint64_t kp_time_md5(const char *kernel, const uint8_t *data, size_t length, size_t repeats);
uint64_t kp_time_md5_many(const char *kernel, const uint8_t *const *data, const size_t *lengths, size_t count,
                          uint8_t *digests, size_t repeats);

/* What bounds a kernel however well it is written: how many AES rounds, carry-less multiplies or both for a block the
 * processor can do, by loops of nothing else. Limits are numbered from 0; an architecture may have none. */
size_t kp_limit_count(void);
/* The instruction and the register's width: "vaesenc ymm". */
const char *kp_limit_name(size_t limit);
/* "aes-round", "multiply", "10 rounds, 3 multiplies" or "14 rounds, 3 multiplies". */
const char *kp_limit_unit(size_t limit);
/* Whether processor and system have what the loop needs. */
int kp_limit_may_run(size_t limit);
/* How many bytes of vectors one turn of the loop works on. */
size_t kp_limit_bytes(size_t limit);
uint64_t kp_time_limit(size_t limit, size_t repeats);
