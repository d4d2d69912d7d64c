#!/bin/sh
# foreign-debs.sh DIR ARCHITECTURE SUITE PACKAGE...: puts Debian's packages for another architecture, with all
# that they depend on, into DIR/cache/archives. apt gets them through lists and a cache of its own below DIR:
# no root, nothing changes on this system. ARCHITECTURE is Debian's name: ppc64el.
set -eu
work=$1
architecture=$2
suite=$3
shift 3
for tool in apt-get dpkg-deb; do
    command -v "$tool" >/dev/null || {
        echo "$0: $tool is missing: this rig needs a Debian system's apt and dpkg" >&2
        exit 3
    }
done
mirror=$("$(dirname "$0")/debian-mirror.sh") || exit 3

mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial"
: >"$work/status"
echo "deb $mirror $suite main" >"$work/sources.list"
cat >"$work/apt.conf" <<END
APT::Architecture "$architecture";
APT::Architectures "$architecture";
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
apt-get -qq --yes --download-only install "$@" >&2
