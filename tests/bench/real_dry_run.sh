#!/bin/sh
# Prints the path of the program around the real scheduler's dry run, built from ../shared; nothing if that or Go is not there.
set -eu
cd "$(dirname "$0")/../.."
source=../shared/perf/bench/go/real_dry_run.go
modules=../shared/harness/kube-oracle
if [ ! -f "$source" ] || ! command -v go > /dev/null; then exit 0; fi
mkdir -p build/real
cp "$source" build/real/main.go
cp "$modules/go.mod" "$modules/go.sum" build/real/
if (cd build/real && go build -p 2 -o dry-run main.go) >&2; then echo "$PWD/build/real/dry-run"; fi
