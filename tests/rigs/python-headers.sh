#!/bin/sh
# python-headers.sh VERSION SUITE: prints a folder with CPython's headers of a version from one of Debian's suites, in
# usr/include, for this machine's architecture. A minute, then it is kept (kept.sh).
set -eu
version=$1
suite=$2
# shellcheck source=tests/rigs/kept.sh
. "$(dirname "$0")/kept.sh"
begin "python-headers-$version-$suite"
use_debian "$(dpkg --print-architecture)" "$suite"
fetch "libpython$version-dev" || exit 3

dpkg-deb --extract "$work"/cache/archives/libpython"$version"-dev_*.deb "$work/root"
keep "$work/root"
