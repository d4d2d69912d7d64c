/* Prints on which processors crypto/aes_platform.h chooses the stitched AES-GCM. */
#include <stdio.h>

#include <openssl/aes.h>
#include <openssl/modes.h>
#include <openssl/types.h>

#include "crypto/modes.h"

/* Uses the types of the one above. */
#include "crypto/aes_platform.h"

unsigned int OPENSSL_ppccap_P;

int main(void) {
#ifdef PPC_AES_GCM_CAPABLE
    const struct {
        const char *name;
        unsigned int bits;
    } processors[] = {
        {"nothing", 0},
        {"vector crypto", PPC_FPU | PPC_ALTIVEC | PPC_CRYPTO207},
        {"ISA 3.0", PPC_FPU | PPC_ALTIVEC | PPC_MADD300},
        {"both", PPC_FPU | PPC_ALTIVEC | PPC_CRYPTO207 | PPC_MADD300},
    };

    for (size_t i = 0; i < sizeof(processors) / sizeof(processors[0]); i++) {
        OPENSSL_ppccap_P = processors[i].bits;
        printf("%s: %s\n", processors[i].name, PPC_AES_GCM_CAPABLE ? "yes" : "no");
    }
#else
    puts("never");
#endif
    return 0;
}
