#!/bin/sh
# in-root.sh ROOT CHANGES SHARED QEMU COMMAND...: runs a command in the system that lies in ROOT, as its root, on
# an emulated processor: QEMU is the path of a static qemu-user program, or - for this machine's own. QEMU_CPU
# chooses the processor. What the command writes lands in the folder CHANGES, not in ROOT, and is there the next
# time; SHARED is the system's /mnt. All is done in a user namespace of its own: no root, and this system's own
# emulators (binfmt_misc) stay as they are; Linux 6.7 or newer.
set -eu
if [ "${1:-}" != --inside ]; then
    for folder in "$1" "$2" "$3"; do
        [ -d "$folder" ] || { echo "$0: there is no folder $folder" >&2; exit 2; }
    done
    mkdir -p "$2/upper" "$2/work" "$2/root"
    unshare --user --map-root-user --mount true 2>/dev/null || {
        echo "$0: this system lets nobody make user namespaces (sysctl user.max_user_namespaces)" >&2
        exit 3
    }
    exec unshare --user --map-root-user --mount --pid --fork --propagation private "$0" --inside "$@"
fi
shift
lower=$1
changes=$2
shared=$3
qemu=$4
shift 4
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$changes/upper,workdir=$changes/work,userxattr" "$changes/root" || {
    echo "$0: no overlay in a user namespace here: Linux 5.11 or newer is needed" >&2
    exit 3
}
if [ "$qemu" != - ]; then
    mount -t binfmt_misc none /proc/sys/fs/binfmt_misc || {
        echo "$0: no binfmt_misc in a user namespace here: Linux 6.7 or newer is needed" >&2
        exit 3
    }
    # What a program of that system begins with: of any OSABI, and fixed or relocatable (types 2 and 3).
    begin=$(od -An -v -tx1 -N20 "$lower/usr/bin/python3" | tr -d '\n' | sed 's/ /\\x/g')
    case $begin in
    '\x7f\x45\x4c\x46\x'??'\x01'*) type='\x02\x00' type_mask='\xfe\xff' ;;
    *) type='\x00\x02' type_mask='\xff\xfe' ;;
    esac
    head=$(echo "$begin" | cut -c1-28)
    machine=$(echo "$begin" | cut -c73-80)
    zeros='\x00\x00\x00\x00\x00\x00\x00\x00\x00'
    ones='\xff\xff\xff\xff\xff\xff\xff'
    printf '%s' ":foreign:M::$head$zeros$type$machine:$ones$zeros$type_mask\\xff\\xff:$qemu:F" \
        >/proc/sys/fs/binfmt_misc/register
fi
root=$changes/root
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount --bind "$shared" "$root/mnt"
exec env --ignore-environment PATH=/usr/sbin:/usr/bin LC_ALL=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive \
    ${QEMU_CPU:+"QEMU_CPU=$QEMU_CPU"} chroot "$root" "$@"
