#!/bin/sh
# Compiles a program against the installed development files, shared and static, and runs it.
# CC is the compiler; PKG_CONFIG asks for other than this system's files; RUN is an emulator, if one is needed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pkg_config=${PKG_CONFIG:-pkg-config}
version=$($pkg_config --modversion kernport)

# shellcheck disable=SC2046,SC2086 # words
for mode in "" --static; do
    ${CC:-cc} "$here/library.c" -o "$work/program" \
        $($pkg_config --cflags kernport) ${mode:+-static} $($pkg_config $mode --libs kernport)
    # shellcheck disable=SC2086 # words
    said=$(${RUN:-} "$work/program")
    echo "${mode:-shared}: $said"
    case $said in
    "$version by "*) ;;
    *) echo "the library is another version than its pkg-config file: $version" >&2 && exit 1 ;;
    esac
done
