#!/bin/sh
# Compiles crypto/ppccap.c of the tree in the current directory and lists the entries for which it asks
# elf_aux_info, as the machine code says: asked.sh FOLDER
set -eu
$CC -O1 -Icrypto -Icrypto/include -Iinclude -I. -c -o "$1/ppccap.o" crypto/ppccap.c
powerpc64-linux-gnu-objdump -dr "$1/ppccap.o" >"$1/ppccap.dump"
awk 'NF > 1 && $(NF - 1) == "li" && $NF ~ /^r3,/ { entry = substr($NF, 4) }
    $NF == "elf_aux_info" { print entry }' "$1/ppccap.dump"
