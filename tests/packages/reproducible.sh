#!/bin/sh
# reproducible.sh [TARGET…]: builds the static archive, or those of these targets of `make cross`, from copies of the committed
# sources in two places, with another umask, locale and time zone, and compares them byte for byte.
set -eu
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CCACHE_DISABLE=1
archive_in() {
    mkdir -p "$1"
    git archive HEAD | tar -x -C "$1"
    for target in $targets; do
        (cd "$1" && built "$target" > build.log && TZ=UTC cpack --config "build/$target/CPackConfig.cmake" -B packages >> build.log)
    done
    (cd "$1/packages" && find . -maxdepth 1 \( -name '*.tar.gz' -o -name '*.zip' \) -print0 | LC_ALL=C sort -z | xargs -0 sha256sum)
}
built() {
    if [ "$1" = static ]; then
        cmake --preset static && cmake --build --preset static --target previct
    else
        sh cmake/cross/build.sh "$1" "build/$1"
    fi
}
targets=${*:-static}
one=$(archive_in "$scratch/one")
two=$(umask 077 && TZ=Pacific/Auckland LC_ALL=C archive_in "$scratch/a much longer path/of the other")
echo "$one"
echo "$two"
test "$one" = "$two"
