#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the OpenCL kernels of darktable (Debian's package) in the emulator and on PoCL, with made-up arguments, and
# compares their buffers; prints the tables of docs/corpus.md:
#
#   tools/corpus_kernels.sh [BUILD]      (default: build; ./setup.sh corpus fetches the package)
#
# Each kernel runs with the arguments of seed 0; where these make it read outside of a buffer or change nothing, with
# those of the seeds up to 5. Every transform must then leave the bytes that the kernel as written leaves.
# A run that was interrupted goes on where it was, as long as the tools are the same.
# Exit 1 if a transform changes a kernel's result.
set -eu
umask 022

here=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$here/build}
harness=$build/bin/spv-harness
corpus=$build/corpus/darktable
kernels=$corpus/package/usr/share/darktable/kernels
work=$corpus/run
last_seed=5
# shellcheck source=tools/kernel_cases.sh.inc
. "$here/tools/kernel_cases.sh.inc"
variants=none+auto+strip-merges+structurize+reconverge+struct-copy+linearize+guard+merge-copies
variants=${VARIANTS:-$variants+unstructure:1,structurize}

[ -d "$kernels" ] || {
  echo "corpus_kernels: $kernels is missing: run ./setup.sh corpus" >&2
  exit 1
}
mkdir -p "$work"
rm -rf "$work"/[0-9] "$work/refused"
export POCL_CACHE_DIR="$work/pocl"
: >"$work/compared"

# Lines "NAME OUTCOMES": the outcome of each variant, then "NAME: REASON" of the first that is not a pass.
results() {
  awk '/^emu / { path = $2; sub(/:$/, "", path); sub(/.*\//, "", path); line = $0; sub(/^[^:]*: /, "", line)
                 print path "\t" line; next }
       /^ / { sub(/^ */, ""); print path "\t! " $0 }' "$1"
}

seed=0
while [ "$seed" -le "$last_seed" ]; do
  make_cases
  "$harness" run --device=emu --against=pocl --transform="$variants" --timeout=300 --results="$work/kernels.sqlite" --resume \
    "$work/$seed" >"$work/$seed.txt" || true
  results "$work/$seed.txt" >"$work/$seed.tsv"
  awk -F '\t' '$2 ~ /^none pass/ { print $1 }' "$work/$seed.tsv" >>"$work/compared"
  seed=$((seed + 1))
done

echo '| transforms | kernels | changed by it | the same result |'
echo '| --- | ---: | ---: | ---: |'
cat "$work"/?.tsv | awk -F '\t' '
  $2 ~ /^none pass/ {
    n = split($2, part, "; ")
    for (i = 1; i <= n; i++) {
      cut = match(part[i], / [a-z]*$/)
      name = substr(part[i], 1, cut - 1); outcome = substr(part[i], cut + 1)
      if (!(name in all)) order[++names] = name
      all[name]++
      changed[name] += outcome != "same"
      good[name] += outcome == "same" || outcome == "pass"
      if (outcome != "same" && outcome != "pass") bad = 1
    }
  }
  END {
    for (i = 1; i <= names; i++)
      printf "| `%s` | %d | %s | %d |\n", order[i], all[order[i]],
             order[i] == "none" ? "" : changed[order[i]], good[order[i]]
    exit bad
  }' && status=0 || status=1

echo
echo '| file | kernels | compared |'
echo '| --- | ---: | ---: |'
find "$work"/[0-9] -name '*.amber' -exec basename {} \; >"$work/names"
sort -u "$work/compared" "$work/names" | awk -F '.cl.' '
  NR == FNR { compared[$1]++; total++; next }
  { all[$1]++; sum++ }
  END { for (f in all) print "| " f " | " all[f] " | " compared[f] + 0 " |"
        print "| **all** | " sum " | " total " |" }' "$work/compared" - | sort

echo
echo '| not compared | reason |'
echo '| --- | --- |'
grep '!' "$work/$last_seed.tsv" | awk -F '\t! ' '
  !seen[$1]++ { name = $1; sub(/\.amber$/, "", name); sub(/\.cl\./, ": ", name)
                reason = $2; sub(/^skip: not compared: the case/, "it", reason)
                sub(/^fail: fault: .*, lane [0-9]+: /, "", reason); gsub(/ variable %[0-9]+/, " memory", reason)
                sub(/^fail: /, "", reason)
                print "| " name " | " reason " |" }' | LC_ALL=C sort
sed 's/^spv-harness: [^:]*\///; s/^/| /; s/: no case: / | /; s/$/ |/' "$work/refused" | sort -u
exit "$status"
