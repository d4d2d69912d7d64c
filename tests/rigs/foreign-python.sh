#!/bin/sh
# foreign-python.sh ARCHITECTURE [SUITE]: prints a folder with Debian's Python for another architecture, its
# libraries and cffi's run-time part, as qemu-user's -L takes it, and unpacks it first if need be. apt gets the
# packages through lists and a cache of its own: no root, nothing changes on this system. Twenty seconds, then
# it is kept (kept.sh). ARCHITECTURE is Debian's name: ppc64el.
set -eu
architecture=$1
suite=${2:-bookworm}
# shellcheck source=tests/rigs/kept.sh
. "$(dirname "$0")/kept.sh"
begin "python-$architecture-$suite"
use_debian "$architecture" "$suite"
fetch python3-minimal libpython3-stdlib python3-cffi-backend

mkdir "$work/root"
for package in "$work"/cache/archives/*.deb; do
    dpkg-deb --extract "$package" "$work/root"
done
# Absolute links would lead out of the folder.
find "$work/root" -type l -lname '/*' | while read -r link; do
    target=$(readlink "$link")
    ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$work/root$target")" "$link"
done
# From trixie on packages hold no /lib: it is a link that belongs to a whole system.
for folder in lib lib64; do
    [ -e "$work/root/$folder" ] || ln -s "usr/$folder" "$work/root/$folder"
done
keep "$work/root"
