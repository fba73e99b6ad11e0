#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What structurize adds to darktable's kernels after kernel-to-shader, and what the kernels issue in the emulator, as a
# table:
#
#   tools/corpus_converted.sh [BUILD]      (default: build)
#
# Needs the modules of tools/corpus_opencl.sh and the cases of tools/corpus_drivers.sh. Blocks and instructions are those of
# all kernels, with all that they call; issues are added up over the cases, in subgroups of 32 lanes.
set -eu
build=${1:-build}
corpus=$build/corpus/darktable
[ -d "$corpus/drivers/cases" ] || {
  echo "corpus_converted: no cases in $corpus/drivers: run tools/corpus_drivers.sh $build" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
variants='none structurize structurize:any' policies=pdom,tf-stack,maximal

# The figures of each kernel: variant, blocks, instructions, selectors.
for module in "$corpus/spv"/*.spv; do
  "$build/bin/spvreconv" --no-validate --transform=kernel-to-shader "$module" -o "$work/shader.spv"
  for variant in $variants; do
    "$build/bin/spvreconv" --json --no-validate --transform="$variant" "$work/shader.spv" |
      jq -r --arg variant "$variant" '.functions[] |
        [$variant, .after.blocks, .after.instructions, .transform.selectors + .transform.dispatch_blocks] | @tsv'
  done
done >"$work/graphs"

"$build/bin/spv-emu" --csv --policy=$policies --transform="$(echo "$variants" | tr ' ' +)" "$corpus/drivers/cases" \
  >"$work/issues.csv" 2>"$work/messages" || true

echo "| After | Blocks | Instructions | Selectors | in kernels | Issues, pdom | tf-stack | maximal |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
for variant in $variants; do
  awk -v variant="$variant" '
    FNR == 1 { file++ }
    file == 1 && $1 == variant { blocks += $2; instructions += $3; selectors += $4; kernels += $4 > 0 }
    file == 2 {
      split($0, cell, ",")
      if (cell[1] == variant && cell[6] == "ok") issues[cell[3]] += cell[8]
    }
    END {
      shown = variant == "none" ? "`kernel-to-shader`" : "`kernel-to-shader," variant "`"
      printf "| %s | %d | %d | %d | %d | %d | %d | %d |\n", shown, blocks, instructions, selectors, kernels,
             issues["pdom"], issues["tf-stack"], issues["maximal"]
    }' "$work/graphs" "$work/issues.csv"
done
