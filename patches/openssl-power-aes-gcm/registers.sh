#!/bin/sh
# Links the assembly of the tree in the current directory with registers.c and runs it. $CC compiles for the
# target, $FLAVOUR is perlasm's name for it, $RUN and $CPU emulate it: registers.sh FOLDER TRAMPOLINE
set -eu
here=$(dirname "$0")
work=$1
trampoline=$2
for module in aes/asm/aesp8-ppc modes/asm/ghashp8-ppc modes/asm/aes-gcm-ppc; do
    perl "crypto/$module.pl" "$FLAVOUR" "$work/${module##*/}.s"
done
$CC -O1 -o "$work/registers" "$here/registers.c" "$trampoline" \
    "$work/aesp8-ppc.s" "$work/ghashp8-ppc.s" "$work/aes-gcm-ppc.s"
$RUN -cpu "$CPU" "$work/registers"
