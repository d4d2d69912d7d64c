/* Prints what crypto/ppccap.c finds on the processor that runs this. */
#include <stdio.h>

extern unsigned int OPENSSL_ppccap_P;
void OPENSSL_cpuid_setup(void);

int main(void) {
    OPENSSL_cpuid_setup();
    printf("altivec %d crypto207 %d\n", OPENSSL_ppccap_P >> 1 & 1, OPENSSL_ppccap_P >> 2 & 1);
    return 0;
}
