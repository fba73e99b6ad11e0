#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Prints a table of docs/benchmarks.md: processor seconds of every transform on functions of 10,000 and 100,000 blocks of
# simple shapes (the better of two runs, with reading and writing), and the exponent e of time ~ blocks^e between them.
#
#   tools/exponents.sh BUILD
set -eu
cd "$(dirname "$0")/.."
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

TRANSFORMS='structurize structurize:40:issues strip-merges,undispatch,structurize strip-merges,merge-iterations:all,structurize
  strip-merges,speculative:all,structurize strip-merges,share-calls:all,structurize strip-merges,inline,structurize
  strip-merges,meld:0,structurize strip-merges,merge-copies,structurize strip-merges,reconverge,structurize'
# With the blocks for each unit of size. (A switch of 100,000 cases would be too long for SPIR-V, and so would be the phis of
# 25,000 cycles in one another.)
SHAPES='chain:1 irreducible:1 ifs:2 loops:3'

# seconds LIST MODULE: the better of two runs; nothing if it fails
seconds() {
  for _ in 1 2; do
    "$build/bin/cost" "$work/log" "$build/bin/spvreconv" --no-validate --max-time=200 --transform="$1" "$2" -o "$work/out.spv"
  done | awk '$3 != 0 { bad = 1 } NR == 1 || $1 < best { best = $1 } END { if (!bad) print best }'
}

head='| Transform |' rule='| --- |'
for shape in $SHAPES; do
  head="$head ${shape%:*} |" rule="$rule ---: |"
  for blocks in 10000 100000; do
    "$build/bin/gen_big" "${shape%:*}" $((blocks / ${shape#*:})) "$work/${shape%:*}.$blocks.spv"
  done
done
printf '%s\n%s\n' "$head" "$rule"
for list in $TRANSFORMS; do
  printf "| \`%s\` |" "${list#strip-merges,}"
  for shape in $SHAPES; do
    small=$(seconds "$list" "$work/${shape%:*}.10000.spv")
    large=$(seconds "$list" "$work/${shape%:*}.100000.spv")
    [ -n "$small" ] && [ -n "$large" ] && awk -v a="$small" -v b="$large" \
      'BEGIN { printf " %.2f, %.2f (%.2f) |", a, b, (a > 0 ? log(b / a) / log(10) : 0) }' || printf ' refused |'
  done
  echo
done
