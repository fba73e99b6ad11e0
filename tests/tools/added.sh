#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What structurize adds (tools/experiments/added.sh) stays within bounds: block issues and code of random modules, without
# options, with a goal and with copies; and on small graphs never more instructions than LLVM's structurizer, if its opt
# is installed, except on four graphs.
# Usage: added.sh BUILD-DIRECTORY
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for transform in structurize structurize:0:issues structurize:40:issues structurize:16:size; do
  TRANSFORM=$transform tools/experiments/added.sh "$build" >"$work/$transform"
done

# transform, family; at most: added in all modules, in the mean, and code
failed=0
while read -r transform family all mean code; do
  awk -v family="$family" -v all="$all" -v mean="$mean" -v code="$code" '
    $1 == family { good = $5 <= all && $6 <= mean && $7 <= code }
    END { exit !good }' "$work/$transform" && continue
  echo "FAILED: $transform adds more than $all, $mean, code $code: $(grep "^$family " "$work/$transform")"
  failed=1
done <<END
structurize            structured  0    0    0
structurize            breaks      0.03 0.09 0
structurize            multiexit   0.10 0.12 0
structurize            acyclic     0.45 0.43 0.02
structurize            irreducible 1.10 0.60 0.02
structurize:0:issues   breaks      0.01 0.03 0
structurize:0:issues   multiexit   0.09 0.10 0
structurize:0:issues   acyclic     0.36 0.30 0.02
structurize:0:issues   irreducible 1.10 0.47 0.02
structurize:40:issues  acyclic     0.22 0.15 0.10
structurize:40:issues  irreducible 0.22 0.20 0.10
structurize:16:size    acyclic     0.36 0.30 0.02
END

# The graphs follow the line that begins with "shape".
awk '$1 == "shape" { begun = 1; next }
     begun { ours += $3; n++ }
     END { if (n != 20 || ours > 205) { print "FAILED: " ours + 0 " instructions on " n + 0 " shapes"; exit 1 } }' \
  "$work/structurize:16:size" || failed=1
if command -v opt-15 >/dev/null; then
  awk '$1 == "shape" { begun = 1; next }
       begun && $3 > $4 && $1 !~ /^(bug45623|nested_cycles|outer_irreducible|cycle_in_cycle)$/ {
         print "FAILED: more than LLVM: " $0
         bad = 1
       }
       END { exit bad }' "$work/structurize:16:size" || failed=1
else
  echo "not compared with LLVM: there is no opt-15"
fi
exit $failed
