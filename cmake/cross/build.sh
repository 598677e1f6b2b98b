#!/bin/sh
# build.sh TARGET FOLDER: builds previct for another system (wasm32-wasi, linux-arm64) in FOLDER, and what it needs beside it.
set -eu
target=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
cross=$root/build/cross
sh "$here/fetch.sh" "$cross"
# zig keeps what it has compiled of its own C library.
export ZIG_GLOBAL_CACHE_DIR="$cross/cache" ZIG_LOCAL_CACHE_DIR="$cross/cache"
prefix=$cross/$target
common="-G Ninja -DCMAKE_TOOLCHAIN_FILE=$here/$target.cmake -DCROSS_ZIG=$cross/zig/zig -DCROSS_PREFIX=$prefix"
# shellcheck disable=SC2086 # several words
if ! test -f "$prefix/built"; then
    cmake $common -S "$here/libraries" -B "$cross/libraries-$target" -DCMAKE_BUILD_TYPE=MinSizeRel \
        -DCROSS_SOURCES="$cross/sources" -DCMAKE_INSTALL_PREFIX="$prefix"
    cmake --build "$cross/libraries-$target" --target install
    touch "$prefix/built"
fi
# shellcheck disable=SC2086
cmake $common -S "$root" -B "$folder" -DCMAKE_BUILD_TYPE=Release -DPREVICT_STATIC=ON -DPREVICT_TESTS=OFF -DPREVICT_XZ=OFF \
    -DPREVICT_BZIP2=OFF
cmake --build "$folder" --target previct
