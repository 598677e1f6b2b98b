#!/bin/sh
# fuzz.sh FOLDER SECONDS: runs every fuzz target of FOLDER for so long. What it learns goes to build/fuzz/TARGET, which the
# next run starts from; an input that breaks a promise to build/fuzz/found.
set -u
folder=$1
seconds=$2
failed=0
mkdir -p build/fuzz/found
for path in "$folder"/fuzz_*; do
    test -x "$path" -a -f "$path" || continue
    target=${path##*/fuzz_}
    mkdir -p "build/fuzz/$target"
    "$path" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/found/$target-" "build/fuzz/$target" "tests/fuzz/corpus/$target" \
        > "build/fuzz/$target.log" 2>&1 || { failed=1; tail -n 40 "build/fuzz/$target.log"; }
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$target.log")
    echo "$target: ${runs:-?} executions in $seconds s, $(find "build/fuzz/$target" -type f | wc -l) inputs kept"
done
exit $failed
