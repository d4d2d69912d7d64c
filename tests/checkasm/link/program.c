/* A small user of the library: exits with 0 when a tag (SP 800-38D, test case 1) and a digest (RFC 1321) are right,
 * and otherwise with the line where that shows. */
#include <string.h>

#include "kernport.h"

int main(void) {
    static const uint8_t zeros[16];
    static const uint8_t wanted_tag[16] = {0x58, 0xe2, 0xfc, 0xce, 0xfa, 0x7e, 0x30, 0x61,
                                           0x36, 0x7f, 0x1d, 0x57, 0xa4, 0xe7, 0x45, 0x5a};
    static const uint8_t wanted_digest[16] = {0x90, 0x01, 0x50, 0x98, 0x3c, 0xd2, 0x4f, 0xb0,
                                              0xd6, 0x96, 0x3f, 0x7d, 0x28, 0xe1, 0x7f, 0x72};
    uint8_t tag[16] = {0}, digest[16] = {0};
    kp_aes_gcm_key *key = NULL;
    kp_md5_state *state = NULL;
    if (kp_aes_gcm_key_new(&key, zeros, 16, NULL) != KP_OK)
        return __LINE__;
    if (kp_aes_gcm_seal(key, zeros, 12, NULL, 0, NULL, 0, NULL, tag, 16) != KP_OK)
        return __LINE__;
    if (memcmp(tag, wanted_tag, 16) != 0)
        return __LINE__;
    kp_aes_gcm_key_free(key);
    if (kp_md5_new(&state, NULL) != KP_OK)
        return __LINE__;
    kp_md5_update(state, (const uint8_t *)"abc", 3);
    kp_md5_digest(state, digest);
    if (memcmp(digest, wanted_digest, 16) != 0)
        return __LINE__;
    kp_md5_free(state);
    return 0;
}
