#!/bin/sh
# Assembles a kernel of the tree in the current directory as GNU as 2.17 would: without _CALL_ELF, by an
# assembler that refuses the instructions of ISA 2.06 and later, and without the directives that came after.
# The code must be, bit for bit, what an assembler makes that knows the instructions by name.
#     assemble.sh FOLDER SOURCE
set -eu
work=$1
source=$2
preprocess="powerpc64-linux-gnu-gcc -E -U_CALL_ELF"
assemble="powerpc64-linux-gnu-as -a64 -maltivec"

# The code alone: nops that align differ from processor to processor, so both are made for one.
code() {
    $assemble -mpower8 -o "$work/$1.o" "$work/$1.s"
    powerpc64-linux-gnu-objcopy -O binary -j .text "$work/$1.o" "$work/$1.code"
}

$preprocess "$source" >"$work/encoded.s"
if grep -n -E '^[[:space:]]*\.(machine|localentry|abiversion)' "$work/encoded.s"; then
    echo "GNU as 2.17 does not know these directives" >&2
    exit 1
fi
$assemble -mpower6 -o "$work/old.o" "$work/encoded.s"
$preprocess -DKP_ASM_POWER_ENCODINGS_H "$source" >"$work/named.s"
code encoded
code named
cmp "$work/encoded.code" "$work/named.code"
echo "$source: $(wc -c <"$work/encoded.code") bytes, the same"
