#!/bin/sh
# Prints the path of an emulator that runs 32-bit POWER programs with POWER8's vector instructions,
# and builds it first if need be: QEMU 5.2, the last to have the target ppc64abi32-linux-user, from
# Debian 11's source package, whose signature apt checks. Two minutes on two cores, then it is cached
# in $KERNPORT_CACHE (default: ~/.cache/kernport) under the hash of this script and of the source.
set -eu
version=5.2+dfsg-11+deb11u3
cache=${KERNPORT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kernport}
key=$( (cat "$0" && uname -m) | sha256sum | cut -c1-16)
home=$cache/qemu-ppc64abi32-$key
if [ -x "$home/qemu-ppc64abi32" ]; then
    echo "$home/qemu-ppc64abi32"
    exit 0
fi
if [ "${1:-}" = --find ]; then
    echo "$0: not built yet: run it without --find" >&2
    exit 1
fi

for tool in apt-get dpkg-source python3 cc pkg-config; do
    command -v "$tool" >/dev/null || {
        echo "$0: $tool is missing: apt-get install apt dpkg-dev python3-venv gcc pkg-config" >&2
        exit 3
    }
done
pkg-config --exists glib-2.0 || {
    echo "$0: glib is missing: apt-get install libglib2.0-dev" >&2
    exit 3
}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -f "$keyring" ] || {
    echo "$0: Debian's keys are missing: apt-get install debian-archive-keyring" >&2
    exit 3
}

mirror=$("$(dirname "$0")/debian-mirror.sh") || exit 3

mkdir -p "$cache"
work=$(mktemp -d "$cache/build.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
log=$work/log
# Not `( … ) ||`: that would let the steps go on after one failed.
set +e
(
    set -e
    cd "$work"
    mkdir -p apt/lists/partial apt/cache/archives/partial apt/parts
    fetch() {
        echo "deb-src [signed-by=$keyring] $1 bullseye main" >apt/sources.list
        for command in update "--download-only source qemu=1:$version"; do
            # shellcheck disable=SC2086 # two words
            apt-get -q -o Dir::Etc::sourcelist="$work/apt/sources.list" -o Dir::Etc::sourceparts="$work/apt/parts" \
                -o Dir::State::lists="$work/apt/lists" -o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User= \
                -o Debug::NoLocking=1 $command || return 1
        done
    }
    fetch "$mirror"
    dpkg-source --no-check -x "qemu_$version.dsc" source
    python3 -m venv venv
    venv/bin/pip --quiet --disable-pip-version-check install meson==0.61.5 ninja 'setuptools<80'
    # The firmware images are stripped from Debian's source; a user-mode emulator needs none.
    : >source/pc-bios/meson.build
    # A 64-bit argument of a system call, such as ftruncate64's, comes in an aligned pair of registers here too.
    sed -i 's/^#elif defined(TARGET_PPC) && !defined(TARGET_PPC64)$/#elif defined(TARGET_PPC) \&\& TARGET_ABI_BITS == 32/' \
        source/linux-user/qemu.h
    # A signal handler gets the frame of a 32-bit process, with the other halves of the VSX registers at its end.
    sed -i -e '/^#if !*defined(TARGET_PPC64)$/{N;/VSX\|SPE/!s/defined(TARGET_PPC64)/(TARGET_ABI_BITS == 64)/}' \
        -e 's/^#ifdef TARGET_PPC64$/#if TARGET_ABI_BITS == 64/' -e 's/altivec\[33\]\[2\]/altivec[34 + 16][2]/' \
        -e 's/target_ulong/abi_ulong/g' source/linux-user/ppc/signal.c
    mkdir build
    cd build
    export PATH="$work/venv/bin:$PATH"
    ../source/configure --target-list=ppc64abi32-linux-user --disable-system --disable-tools --disable-docs --static \
        --disable-werror --meson="$work/venv/bin/meson" --ninja="$work/venv/bin/ninja"
    ninja -j "${JOBS:-2}" qemu-ppc64abi32
) >"$log" 2>&1
status=$?
set -e
if [ "$status" != 0 ]; then
    tail -n 20 "$log" >&2
    echo "$0: the emulator could not be built: see above" >&2
    exit 3
fi
mkdir -p "$home"
mv "$work/build/qemu-ppc64abi32" "$home/qemu-ppc64abi32.new"
mv "$home/qemu-ppc64abi32.new" "$home/qemu-ppc64abi32"
echo "$home/qemu-ppc64abi32"
