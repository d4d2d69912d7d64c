/* A program of somebody else, against the installed header and library: versions, and known answers. */
#include <kernport.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    /* McGrew and Viega, The Galois/Counter Mode of Operation, appendix B, test case 2. */
    static const uint8_t text[16], key_bytes[16], iv[12];
    static const uint8_t sealed[] = {0x03, 0x88, 0xda, 0xce, 0x60, 0xb6, 0xa3, 0x92,
                                     0xf3, 0x28, 0xc2, 0xb9, 0x71, 0xb2, 0xfe, 0x78};
    static const uint8_t tag[] = {0xab, 0x6e, 0x47, 0xd4, 0x2c, 0xec, 0x13, 0xbd,
                                  0xf5, 0x3a, 0x67, 0xb2, 0x12, 0x57, 0xbd, 0xdf};
    uint8_t out[16], out_tag[16];
    kp_aes_gcm_key *key;
    kp_status status = kp_aes_gcm_key_new(&key, key_bytes, sizeof key_bytes, NULL);
    if (status != KP_OK) {
        fprintf(stderr, "%s\n", kp_status_text(status));
        return 1;
    }
    status = kp_aes_gcm_seal(key, iv, sizeof iv, NULL, 0, text, sizeof text, out, out_tag, sizeof out_tag);
    printf("%s by %s\n", kp_version(), kp_aes_gcm_key_kernel(key));
    kp_aes_gcm_key_free(key);
    return status != KP_OK || memcmp(out, sealed, sizeof sealed) != 0 || memcmp(out_tag, tag, sizeof tag) != 0;
}
