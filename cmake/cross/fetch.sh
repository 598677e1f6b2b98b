#!/bin/sh
# fetch.sh FOLDER: what builds for other systems need, into FOLDER: the compiler, from PyPI with its hash (requirements.txt), in
# a virtual environment of its own, and the sources of the C libraries, from Debian, whose signatures apt checks, with lists
# of its own. Nothing is installed on this machine. What is there already stays.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
folder=$PWD
if ! cmp -s "$here/requirements.txt" venv/requirements.txt; then
    rm -rf venv
    python3 -m venv venv
    venv/bin/pip install -q --disable-pip-version-check --require-hashes --only-binary=:all: -r "$here/requirements.txt"
    cp "$here/requirements.txt" venv/
fi
ln -sfn "$(venv/bin/python -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))')" zig

packages='bzip2 libarchive libyaml libzstd nettle re2 xz-utils yaml-cpp zlib'
test "$(cat sources/packages 2> /dev/null)" != "$packages" || exit 0
rm -rf sources apt
mkdir -p sources apt/parts apt/lists/partial apt/cache/archives/partial
# From the servers that this machine already gets Debian from.
apt-get indextargets --format 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(SITE) $(RELEASE) main' \
    'Created-By: Packages' 'Component: main' 'Origin: Debian' | sort -u > apt/parts/sources.list
test -s apt/parts/sources.list || { echo 'fetch.sh: apt has no list of Debian: run apt-get update' >&2; exit 1; }
cd sources
apt() {
    apt-get -q -o Dir::Etc::SourceList="$folder/apt/parts/sources.list" -o Dir::Etc::SourceParts=/dev/null \
        -o Dir::State::Lists="$folder/apt/lists" -o Dir::Cache="$folder/apt/cache" -o APT::Sandbox::User= "$@"
}
apt update
# shellcheck disable=SC2086 # one word for each package
apt source --download-only $packages
for description in *.dsc; do dpkg-source --no-check -x "$description"; done
echo "$packages" > packages
