# shellcheck shell=sh
# kept.sh: for rigs that fetch Debian's packages and keep what they make of them; they source it, and it is no
# program. What is kept lies in $KERNPORT_CACHE (default: ~/.cache/kernport), named by what it is and by a sum of
# what makes it, so that a changed rig makes it anew.
rigs=$(cd "$(dirname "$0")" && pwd)

# begin NAME WORD...: prints where that is kept and ends the rig, if it is there. Else `kept` is that place, and
# `work` a folder to make it in, which goes with the rig. Another process that wants the same waits here.
begin() {
    folder=${KERNPORT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kernport}
    kept=$folder/$1-$({ cat "$0" "$rigs/kept.sh" && echo "$@"; } | sha256sum | cut -c1-16)
    mkdir -p "$folder"
    if [ ! -e "$kept" ]; then
        exec 9>"$kept.lock"
        flock 9
    fi
    if [ -e "$kept" ]; then
        echo "$kept"
        exit 0
    fi
    work=$(mktemp -d "$folder/build.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
}

# keep PATH: puts what was made in its place, and prints that.
keep() {
    chmod u=rwX,go=rX "$1"
    mv -T "$1" "$kept"
    echo "$kept"
}

# use_debian ARCHITECTURE SUITE: apt's programs, called from here on, are of a Debian system that is not there, with
# lists and a cache below `work`: no root, and nothing changes on this system. ARCHITECTURE is Debian's name: ppc64el.
use_debian() {
    for tool in apt-get dpkg-deb; do
        command -v "$tool" >/dev/null || {
            echo "$0: $tool is missing: this rig needs a Debian system's apt and dpkg" >&2
            exit 3
        }
    done
    mirror=$("$rigs/debian-mirror.sh") || exit 3
    mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial"
    : >"$work/status"
    echo "deb $mirror $2 main" >"$work/sources.list"
    cat >"$work/apt.conf" <<END
APT::Architecture "$1";
APT::Architectures "$1";
APT::Install-Recommends "false";
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
}

# fetch PACKAGE...: puts packages, with all that they depend on, into $work/cache/archives.
fetch() {
    apt-get -qq --yes --download-only install "$@" >&2
}
