#!/bin/sh
# Builds crypto/ppccap.c of the tree in the current directory as SYSTEM does, for ELFv2 big-endian, and runs
# capabilities.c with it on CPU: capabilities.sh FOLDER SYSTEM CPU. Says also how often a trap was taken.
set -eu
here=$(dirname "$0")
program=$1/capabilities-$2
case $2 in
freebsd) system="-D__FreeBSD__=14 -U__linux__ -U__linux -I$here/freebsd" ;;
linux) system= ;;
esac
if [ ! -e "$program" ]; then
    perl crypto/ppccpuid.pl linux64v2 "$1/ppccpuid.s"
    # shellcheck disable=SC2086
    $CC -O1 -ffunction-sections -Wl,--gc-sections $system -Icrypto -Icrypto/include -Iinclude -I. \
        -o "$program" "$here/capabilities.c" "$here/elf_aux_info.c" crypto/ppccap.c "$1/ppccpuid.s" 2>"$1/warnings"
fi
qemu-ppc64-static -cpu "$3" -strace -D "$1/calls" "$program"
echo "traps: $(grep -c 'SIGILL {' "$1/calls" || true)"
