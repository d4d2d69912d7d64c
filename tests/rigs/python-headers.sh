#!/bin/sh
# python-headers.sh VERSION SUITE: prints a folder with CPython's headers of a version from one of Debian's suites, in
# usr/include, for this machine's architecture. A minute, then it is cached in $KERNPORT_CACHE (default:
# ~/.cache/kernport).
set -eu
version=$1
suite=$2
cache=${KERNPORT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kernport}
here=$(cd "$(dirname "$0")" && pwd)
key=$(cat "$0" "$here/foreign-debs.sh" | sha256sum | cut -c1-16)
home=$cache/python-headers-$version-$suite-$key
if [ -d "$home" ]; then
    echo "$home"
    exit 0
fi

mkdir -p "$cache"
work=$(mktemp -d "$cache/build.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/root"
"$here/foreign-debs.sh" "$work" "$(dpkg --print-architecture)" "$suite" "libpython$version-dev" || exit 3
dpkg-deb --extract "$work"/cache/archives/libpython"$version"-dev_*.deb "$work/root"
mv -T "$work/root" "$home" 2>/dev/null || [ -d "$home" ]
echo "$home"
