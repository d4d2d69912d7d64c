#!/bin/sh
# foreign-root.sh ARCHITECTURE [SUITE [PACKAGE...]]: prints a folder with a small Debian system for any
# architecture: apt, dpkg with its database, Python with cffi's run-time part, and the packages that are named.
# Nothing in it has been run: its packages' scripts are left out, but for the one that runs ldconfig, and count
# as done. in-root.sh runs programs in it. Thirty seconds, then it is kept (kept.sh). ARCHITECTURE is Debian's
# name: ppc64el.
set -eu
architecture=$1
suite=${2:-bookworm}
shift $(($# < 2 ? $# : 2))
# shellcheck source=tests/rigs/kept.sh
. "$(dirname "$0")/kept.sh"
begin "root-$architecture-$suite" "$@"
use_debian "$architecture" "$suite"
# Debian's essential packages as far as apt and dpkg call them, and what kernport's own packages need.
fetch apt dpkg libc-bin dash coreutils tar sed grep diffutils base-files base-passwd python3 python3-cffi-backend "$@"

root=$work/root
database=$root/var/lib/dpkg
mkdir -p "$root/usr/bin" "$root/usr/sbin" "$root/usr/lib" "$database/info" "$database/triggers" "$database/updates"
for folder in bin sbin lib lib64; do
    mkdir -p "$root/usr/$folder"
    ln -s "usr/$folder" "$root/$folder"
done
# The files of packages that can be there for several architectures are named with theirs.
echo 1 >"$database/info/format"
: >"$database/status"
for package in "$work"/cache/archives/*.deb; do
    name=$(dpkg-deb --field "$package" Package)
    if [ "$(dpkg-deb --field "$package" Multi-Arch)" = same ]; then
        name=$name:$(dpkg-deb --field "$package" Architecture)
    fi
    # Not over /bin and /lib, which are links, and without what nobody reads here.
    dpkg-deb --fsys-tarfile "$package" |
        tar --extract --directory "$root" --keep-directory-symlink --no-same-owner \
            --exclude './usr/share/doc/*' --exclude './usr/share/locale/*' --exclude './usr/share/man/*'
    dpkg-deb --ctrl-tarfile "$package" | tar --extract --to-stdout --wildcards './md5sums' >"$database/info/$name.md5sums" 2>/dev/null ||
        rm "$database/info/$name.md5sums"
    dpkg-deb --fsys-tarfile "$package" | tar --list | sed 's|^\./|/|; s|\(.\)/$|\1|; s|^/$|/.|' >"$database/info/$name.list"
    {
        dpkg-deb --field "$package" | sed 's/^Package: .*/&\nStatus: install ok installed/'
        echo
    } >>"$database/status"
done
# The C library's own package asks to be told of new libraries, and then runs ldconfig.
echo libc-bin/noawait >"$database/triggers/ldconfig"
dpkg-deb --ctrl-tarfile "$work"/cache/archives/libc-bin_*.deb |
    tar --extract --to-stdout ./postinst >"$database/info/libc-bin.postinst"
chmod 755 "$database/info/libc-bin.postinst"
cp "$root/usr/share/base-passwd/passwd.master" "$root/etc/passwd"
cp "$root/usr/share/base-passwd/group.master" "$root/etc/group"
ln -sf dash "$root/usr/bin/sh"
python=$(cd "$root/usr/bin" && echo python3.[0-9]*)
ln -sf "${python%% *}" "$root/usr/bin/python3"
rm -rf "$root/etc/apt/sources.list.d"
: >"$root/etc/apt/sources.list"
mkdir -p "$root/mnt" "$root/dev" "$root/proc" "$root/tmp"
keep "$root"
