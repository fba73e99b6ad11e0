#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# How many blocks LLVM's structurizer adds to the graph of a case's first shader, and how many the transforms add, as
# CSV. Without opt-15 the number of LLVM's flow blocks is empty.
#
#   llvm_blocks.sh BUILD CASE.amber NAME >BLOCKS.csv
# shellcheck source=tools/experiments/experiment.sh.inc
. "$(dirname "$0")/experiment.sh.inc"
case=$2 name=$3
opt=$(command -v opt-15 || echo /usr/lib/llvm-15/bin/opt)

"$here/bare_case.sh" "$1" "$case" "$work/bare"
module=$(find "$work/bare" -name '*.spv' | LC_ALL=C sort | head -n 1)
"$bin/spv-graph" "$module" -o "$work/graph.json"

# The same graph in LLVM's language; a call that nothing is known about decides each branch.
jq -r '"declare i32 @way(i32)", "define void @f() {", "entry:", "  br label %b\(.entry)", (.blocks[] |
    "b\(.id):", "  %w\(.id) = call i32 @way(i32 \(.id))",
    if (.succ | length) == 0 then "  ret void"
    elif (.succ | length) == 1 then "  br label %b\(.succ[0])"
    elif (.succ | length) == 2 then "  %c\(.id) = trunc i32 %w\(.id) to i1", "  br i1 %c\(.id), label %b\(.succ[0]), label %b\(.succ[1])"
    else "  switch i32 %w\(.id), label %b\(.succ[0]) [" + ([.succ[1:] | to_entries[] | "i32 \(.key), label %b\(.value)"] | join(" ")) + "]"
    end), "}"' "$work/graph.json" >"$work/graph.ll"
llvm=
if [ -x "$opt" ]; then
  "$opt" -S '-passes=function(lowerswitch,fix-irreducible,unify-loop-exits,structurizecfg)' "$work/graph.ll" -o "$work/out.ll"
  llvm=$(grep -c '^Flow' "$work/out.ll" || true)
fi

# added TRANSFORM: blocks that it adds to the first function
added() {
  "$bin/spvreconv" --transform=strip-merges,"$1" --no-validate --json "$module" |
    jq '.functions[0].transform.added_blocks'
}
echo "program,blocks,llvm_flow,structurize,reconverge"
echo "$name,$(jq '.blocks | length' "$work/graph.json"),$llvm,$(added structurize),$(added reconverge)"
