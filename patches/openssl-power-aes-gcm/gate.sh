#!/bin/sh
# Compiles gate.c with the headers of the tree in the current directory and runs it; see registers.sh.
set -eu
$CC -O1 -DOPENSSL_CPUID_OBJ -DAES_ASM -Iinclude -I. -o "$1/gate" "$(dirname "$0")/gate.c"
$RUN -cpu "$CPU" "$1/gate"
