#!/bin/sh
# reproducible.sh: builds the static archive from copies of the committed sources in two places, with another umask, locale
# and time zone, and compares it byte for byte.
set -eu
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CCACHE_DISABLE=1
archive_in() {
    mkdir -p "$1"
    git archive HEAD | tar -x -C "$1"
    (cd "$1" && cmake --preset static > build.log && cmake --build --preset static --target previct >> build.log &&
        cpack --config build/static/CPackConfig.cmake -B packages >> build.log)
    (cd "$1/packages" && sha256sum ./*.tar.gz)
}
one=$(archive_in "$scratch/one")
two=$(umask 077 && TZ=Pacific/Auckland LC_ALL=C archive_in "$scratch/a much longer path/of the other")
echo "$one"
echo "$two"
test "$one" = "$two"
