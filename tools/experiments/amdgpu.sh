#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Mask and branch instructions of the papers' kernels (graphs/kernels.txt), all branches divergent: as LLVM's AMDGPU
# backend writes them, and as reconverge and --dump-wave do, with all skip branches or only those needed; as CSV.
# `run_…`: how many are issued for the same two subgroups of 32 lanes, whose loops have 4 iterations on average and whose
# lanes go alone; and how often blocks of the graph are. gcn_run.c runs LLVM's kernel on the paths that the lanes took in the
# emulator, which runs reconverge's. Without LLC (llc-22) there are no rows, without a C compiler no runs.
#
#   amdgpu.sh BUILD [KERNEL...] >AMDGPU.csv
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
cd "$here"
shift
llc=${LLC:-llc-22}
echo "graph,irreducible,llvm_masks,llvm_branches,masks,branches,needed_masks,needed_branches,run_llvm_masks,run_llvm_branches,run_llvm_blocks,run_masks,run_branches,run_blocks,run_needed_masks,run_needed_branches,run_needed_blocks"
command -v "$llc" >/dev/null || exit 0
"${CC:-cc}" -std=c17 -O2 -o "$work/gcn_run" gcn_run.c 2>"$work/err" || true

awk -v dir="$work" -f graph_llvm.awk graphs/kernels.txt

# counts FILE: "MASKS,BRANCHES": scalar instructions on 64 bits that compute or move a mask, EXEC included, and jumps
counts() {
  awk '
    / s_(and|or|xor|andn2|orn2|nor|nand|not|mov)(_saveexec)?_b64|\ts_(and|or|xor|andn2|orn2|nor|nand|not|mov)(_saveexec)?_b64/ { masks++ }
    / s_c?branch|\ts_c?branch/ { branches++ }
    END { print masks + 0 "," branches + 0 }' "$1"
}

# paths: those of the lanes, by numbers of the graph's blocks, a line for each subgroup (gcn_run.c)
paths() {
  "$bin/spv-emu" --policy=tf-stack --profile="$work/profile.json" "$work/kernel.amber" >"$work/out" 2>&1
  # spirv-as numbers names in the order in which they appear: main, gid, results, then the blocks.
  names=$(awk '/^OpName %b[0-9]+ / { printf "%s\"%d\":%s", (n++ ? "," : ""), 4 + k++, substr($2, 3) }' "$work/kernel.amber")
  jq -r --argjson name "{$names}" '.profile.programs[0] as $p | range($p.subgroups | length) as $g |
    [$p.subgroups[$g], $p.lanes[$g]] | transpose | map(. as $x | range($x[1]) | $x[0] |
      map($name[$p.blocks[.].block | tostring]) | join(" ")) | join(",")' "$work/profile.json"
}

# run_llvm GRAPH-LINE: "MASKS,BRANCHES,BLOCKS"
run_llvm() {
  [ -x "$work/gcn_run" ] || { echo ",," && return; }
  paths >"$work/paths"
  GRAPH=$1 "$work/gcn_run" "$work/llvm.s" <"$work/paths" | tr ' ' ,
}

# run_wave LISTING OPTION...: the same for reconverge. A block's first branch counts as its terminator, all other
# branches and all mask instructions as overhead; a terminator that the layout makes unnecessary is none here.
run_wave() {
  listing=$1
  shift
  [ -x "$work/gcn_run" ] || { echo ",," && return; }
  "$bin/spv-emu" --json --policy=exec --transform=strip-merges,reconverge "$@" "$work/kernel.amber" 2>/dev/null |
    jq -r '.results[0] | "overhead \(.overhead)", (.blocks[] | "\(.block) \(.executions)")' >"$work/runs"
  awk -v bound="$(grep -c '^OpName %b[0-9]' "$work/kernel.amber")" '
    NR == FNR { runs[$1] = $2; next }
    /^@[0-9]+:/ { block = substr($1, 2) + 0 }
    / s_(and|or|andn2|mov)_b64/ { masks += runs[block] }
    / s_c?branch/ && !(block in branched) { branched[block]; own += runs[block] }
    END {
      for (b in runs) if (b + 0 >= 4 && b + 0 < 4 + bound) blocks += runs[b]
      print masks + 0 "," runs["overhead"] - masks + own "," blocks + 0
    }' "$work/runs" "$listing"
}

for name in $(kernels "$@"); do
  "$llc" -mcpu=gfx900 -O2 "$work/$name.ll" -o "$work/llvm.s"
  for kind in spv amber; do
    "$bin/spv-graph" --turns=4 --together=1 "$work/$name.json" -o "$work/kernel.$kind" 2>/dev/null
  done
  irreducible=$("$bin/spvreconv" --transform=none --no-validate --json "$work/kernel.spv" 2>/dev/null | jq '.functions[0].before.irreducible_loops')
  for lowering in "" --lowering=needed-skips; do
    # shellcheck disable=SC2086 # a word or none
    "$bin/spvreconv" --transform=strip-merges,reconverge --uniformity=divergent --no-validate $lowering \
      --dump-wave="$work/wave${lowering:+.needed}" "$work/kernel.spv" 2>/dev/null
  done
  echo "$name,$irreducible,$(counts "$work/llvm.s"),$(counts "$work/wave"),$(counts "$work/wave.needed"),$(run_llvm "$(grep "^$name " graphs/kernels.txt)"),$(run_wave "$work/wave"),$(run_wave "$work/wave.needed" --lowering=needed-skips)"
done
