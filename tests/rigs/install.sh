#!/bin/sh
# Installs what the tests use: the packages of packages.txt through apt, and the emulator of 32-bit POWER8.
# Without root it installs no package and prints what to install: the tests then say what they skip.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
backports=/etc/apt/sources.list.d/kernport-backports.list

missing=
while read -r package purpose; do
    [ "$package" = '#' ] && continue
    case $(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null || true) in
    ii*) ;;
    *) missing="$missing $package" && echo "rigs: $package is missing: $purpose" >&2 ;;
    esac
done <"$here/packages.txt"

# Debian 12's own qemu is too old, and is packaged otherwise; its backports have one that is not.
# shellcheck disable=SC1091 # the system's
codename=$(. /etc/os-release 2>/dev/null && echo "${VERSION_CODENAME:-}")
qemu=$(qemu-riscv64-static --version 2>/dev/null | sed -n '1s/.*version \([0-9]*\).*/\1/p')
suite=
if [ "$codename" = bookworm ]; then
    suite=bookworm-backports
    case $missing in
    *qemu-user-static*) ;;
    *) [ "${qemu:-0}" -ge 10 ] || missing="$missing qemu-user-static" ;;
    esac
fi

if [ -n "$missing" ]; then
    if ! command -v apt-get >/dev/null; then
        echo "rigs: no apt-get here: install what your system calls these:$missing" >&2
    elif [ "$(id -u)" != 0 ]; then
        echo "rigs: some tests will be skipped; as root: $0, or apt-get install ${suite:+-t $suite}$missing" >&2
    else
        if [ -n "$suite" ] && ! grep -rqs "$suite" /etc/apt/sources.list /etc/apt/sources.list.d; then
            echo "deb $("$here/debian-mirror.sh") $suite main" >"$backports"
        fi
        apt-get -q update
        for package in $missing; do
            case $package in
            qemu-*) from=$suite ;;
            *) from= ;;
            esac
            # One at a time: what a release does not have must not keep the others out.
            DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends \
                ${from:+-t "$from"} "$package" >/dev/null ||
                echo "rigs: $package cannot be installed here: what it is for stays untested" >&2
        done
    fi
fi

"$here/qemu-ppc64abi32.sh" >/dev/null ||
    echo "rigs: without the emulator of 32-bit POWER8 its kernels stay untested on 32 bits" >&2
