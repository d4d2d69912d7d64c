#!/bin/sh
# Prints the Debian mirror that this system's apt uses, so that other suites come from the same place.
set -eu
# shellcheck disable=SC2016 # apt's own placeholder
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -m 1 '/debian/*$' || true)
if [ -z "$mirror" ]; then
    echo "$0: apt has no Debian mirror here: add one to apt's sources" >&2
    exit 3
fi
echo "$mirror"
