#!/bin/sh
# riscv64-linux.sh: prints a file with Debian's Linux for RISC-V, as qemu-system-riscv64 boots it, and fetches it
# first if need be. apt gets the package through lists and a cache of its own: no root, nothing changes on this
# system. 110 MB, then 30 MB are kept (kept.sh).
set -eu
# shellcheck source=tests/rigs/kept.sh
. "$(dirname "$0")/kept.sh"
begin linux-riscv64
use_debian riscv64 trixie
package=$(apt-cache depends linux-image-riscv64 | awk '/Depends: linux-image-/ { print $2; exit }')
(cd "$work" && apt-get -qq download "$package" >&2)
dpkg-deb --fsys-tarfile "$work"/*.deb | tar -x -C "$work" --wildcards './boot/vmlinu*'
keep "$work"/boot/vmlinu*
