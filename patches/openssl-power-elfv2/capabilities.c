/*
 * Prints what crypto/ppccap.c, built as FreeBSD builds it, finds on the processor that runs this.
 * elf_aux_info here keeps FreeBSD's rules (lib/libc/gen/auxv.c): another entry is ENOENT, and so is a
 * buffer that does not hold exactly an unsigned long.
 */
#include <errno.h>
#include <stdio.h>

unsigned long getauxval(unsigned long entry); /* of Linux, which this really runs on */

extern unsigned int OPENSSL_ppccap_P;
void OPENSSL_cpuid_setup(void);

int elf_aux_info(int entry, void *buffer, int length) {
    if ((entry != 25 && entry != 26) || length != (int)sizeof(unsigned long))
        return ENOENT;
    *(unsigned long *)buffer = getauxval(entry == 25 ? 16 : 26);
    return 0;
}

int main(void) {
    OPENSSL_cpuid_setup();
    printf("altivec %d crypto207 %d\n", OPENSSL_ppccap_P >> 1 & 1, OPENSSL_ppccap_P >> 2 & 1);
    return 0;
}
