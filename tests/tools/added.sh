#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What structurize adds (tools/experiments/added.sh) stays within bounds: block issues and code of six random modules of
# each family, without options, with a goal and with copies; and on small graphs never more instructions than LLVM's
# structurizer, if its opt is installed, except on two graphs (docs/structurize.md says why).
# Usage: added.sh BUILD-DIRECTORY
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

FAMILIES='structured breaks multiexit acyclic irreducible' COUNT=6 \
  TRANSFORM=structurize+structurize:any+structurize:0:issues:any+structurize:40:issues:any+structurize:16:size:any \
  tools/experiments/added.sh "$build" >"$work/tables"
awk -v work="$work" '$1 == "transform" { out = work "/" $2; next } { print >out }' "$work/tables"

# transform, family; at most: added in all modules, in the mean, and code
failed=0
while read -r transform family all mean code; do
  awk -v family="$family" -v all="$all" -v mean="$mean" -v code="$code" '
    $1 == family { good = $5 <= all && $6 <= mean && $7 <= code }
    END { exit !good }' "$work/$transform" && continue
  echo "FAILED: $transform adds more than $all, $mean, code $code: $(grep "^$family " "$work/$transform")"
  failed=1
done <<END
structurize                structured  0    0    0
structurize                breaks      0.23 0.23 0.01
structurize                multiexit   0.12 0.16 0.02
structurize                acyclic     0.45 0.25 0.02
structurize                irreducible 2.10 0.85 0.01
structurize:any            structured  0    0    0
structurize:any            breaks      0.19 0.20 0
structurize:any            multiexit   0.08 0.10 0.01
structurize:any            acyclic     0.45 0.25 0.01
structurize:any            irreducible 1.45 0.57 0
structurize:0:issues:any   breaks      0.10 0.08 0
structurize:0:issues:any   multiexit   0.08 0.10 0.01
structurize:0:issues:any   acyclic     0.39 0.19 0
structurize:0:issues:any   irreducible 0.80 0.40 0
structurize:40:issues:any  acyclic     0.29 0.13 0.08
structurize:40:issues:any  irreducible 0.15 0.16 0.07
structurize:16:size:any    acyclic     0.39 0.19 0
END

# The graphs follow the line that begins with "shape".
while read -r transform most; do
  awk -v most="$most" '
    $1 == "shape" { begun = 1; next }
    begun { ours += $3; n++ }
    END { if (n != 20 || ours > most) { print "FAILED: " ours + 0 " instructions on " n + 0 " shapes"; exit 1 } }' \
    "$work/$transform" || failed=1
  # Portable structure gives two of them more, as guards, than LLVM's, which nests no deeper.
  [ "$transform" = structurize ] || awk '$1 == "shape" { begun = 1; next }
       begun && $4 && $3 > $4 && $1 !~ /^(bug45623|nested_cycles)$/ {
         print "FAILED: more than LLVM: " $0
         bad = 1
       }
       END { exit bad }' "$work/$transform" || failed=1
done <<END
structurize             217
structurize:any         192
structurize:16:size:any 175
END
command -v opt-15 >/dev/null || echo "not compared with LLVM: there is no opt-15"
exit $failed
