#!/bin/sh
# riscv64-linux.sh: prints a file with Debian's Linux for RISC-V, as qemu-system-riscv64 boots it, and fetches it
# first if need be. apt gets the package through lists and a cache of its own: no root, nothing changes on this
# system. 110 MB, then 30 MB are kept in $KERNPORT_CACHE (default: ~/.cache/kernport).
set -eu
suite=trixie
cache=${KERNPORT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kernport}
key=$(sha256sum "$0" | cut -c1-16)
home=$cache/linux-riscv64-$suite-$key
if [ -f "$home" ]; then
    echo "$home"
    exit 0
fi

for tool in apt-get dpkg-deb; do
    command -v "$tool" >/dev/null || {
        echo "$0: $tool is missing: this rig needs a Debian system's apt and dpkg" >&2
        exit 3
    }
done
mirror=$("$(dirname "$0")/debian-mirror.sh") || exit 3

mkdir -p "$cache"
work=$(mktemp -d "$cache/build.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial"
: >"$work/status"
echo "deb $mirror $suite main" >"$work/sources.list"
cat >"$work/apt.conf" <<END
APT::Architecture "riscv64";
APT::Architectures "riscv64";
APT::Sandbox::User "";
Acquire::Languages "none";
Dir::State "$work/state";
Dir::State::status "$work/status";
Dir::Cache "$work/cache";
Dir::Etc::sourcelist "$work/sources.list";
Dir::Etc::sourceparts "-";
END
APT_CONFIG=$work/apt.conf
export APT_CONFIG
apt-get -qq update >&2
package=$(apt-cache depends linux-image-riscv64 | awk '/Depends: linux-image-/ { print $2; exit }')
(cd "$work" && apt-get -qq download "$package" >&2)
dpkg-deb --fsys-tarfile "$work"/*.deb | tar -x -C "$work" --wildcards './boot/vmlinu*'
mv "$work"/boot/vmlinu* "$home"
echo "$home"
