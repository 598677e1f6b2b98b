#!/bin/sh
# build.sh TARGET FOLDER: builds previct for another system (a TARGET.cmake here) in FOLDER, and what it needs beside it.
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
configure() {
    cmake -G Ninja -DCMAKE_TOOLCHAIN_FILE="$here/$target.cmake" -DCROSS_ZIG="$cross/zig/zig" -DCROSS_PREFIX="$prefix" "$@"
}
# The libraries are built again if what decides about them has changed.
made_by=$(cd "$here" && find . -type f ! -name build.sh \( ! -name '*-*.cmake' -o -name "$target.cmake" \) -print0 | LC_ALL=C sort -z | xargs -0 sha256sum)
if test "$(cat "$prefix/made-by" 2> /dev/null)" != "$made_by"; then
    rm -rf "$prefix" "$cross/libraries-$target"
    configure -S "$here/libraries" -B "$cross/libraries-$target" -DCMAKE_BUILD_TYPE=MinSizeRel -DCROSS_SOURCES="$cross/sources" \
        -DCMAKE_INSTALL_PREFIX="$prefix"
    cmake --build "$cross/libraries-$target" --target install
    echo "$made_by" > "$prefix/made-by"
fi
# The page does without xz and bzip2, because its size is limited.
more=ON
test "$target" != wasm32-wasi || more=OFF
configure -S "$root" -B "$folder" -DCMAKE_BUILD_TYPE=Release -DPREVICT_STATIC=ON -DPREVICT_TESTS=OFF -DPREVICT_XZ=$more -DPREVICT_BZIP2=$more
cmake --build "$folder" --target previct
