#!/bin/sh
# foreign-python.sh ARCHITECTURE [SUITE]: prints a folder with Debian's Python for another architecture, its
# libraries and cffi's run-time part, as qemu-user's -L takes it, and unpacks it first if need be. apt gets the
# packages through lists and a cache of its own: no root, nothing changes on this system. Twenty seconds, then
# it is cached in $KERNPORT_CACHE (default: ~/.cache/kernport). ARCHITECTURE is Debian's name: ppc64el.
set -eu
architecture=$1
suite=${2:-bookworm}
packages='python3-minimal libpython3-stdlib python3-cffi-backend'
cache=${KERNPORT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kernport}
here=$(cd "$(dirname "$0")" && pwd)
key=$(cat "$0" "$here/foreign-debs.sh" | sha256sum | cut -c1-16)
home=$cache/python-$architecture-$suite-$key
if [ -d "$home" ]; then
    echo "$home"
    exit 0
fi

mkdir -p "$cache"
work=$(mktemp -d "$cache/build.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/root"
# shellcheck disable=SC2086 # several words
"$here/foreign-debs.sh" "$work" "$architecture" "$suite" $packages
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
chmod 755 "$work/root"
mv -T "$work/root" "$home" 2>/dev/null || [ -d "$home" ]
echo "$home"
