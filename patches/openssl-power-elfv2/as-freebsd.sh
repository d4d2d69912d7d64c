#!/bin/sh
# Builds programs of the tree in the current directory with a crypto/ppccap.c that is compiled as FreeBSD does,
# and asks the elf_aux_info beside this script. They are moved to FOLDER/freebsd, and the tree is ready to be
# built as it was configured: as-freebsd.sh FOLDER JOBS PROGRAM...
set -eu
here=$(dirname "$0")
work=$1
jobs=$2
shift 2
object=$(sed -n 's/^\(crypto\/[a-z-]*ppccap\.o\):.*/\1/p' Makefile | head -n 1)
# shellcheck disable=SC2086
$CC -O1 -c -o "$work/elf_aux_info.o" "$here/elf_aux_info.c"
make -s "$object" CPPFLAGS="-D__FreeBSD__=14 -U__linux__ -U__linux -I$here/freebsd"
make -s "-j$jobs" "$@" EX_LIBS="$work/elf_aux_info.o"
mkdir "$work/freebsd"
mv "$@" "$work/freebsd"
rm "$object"
