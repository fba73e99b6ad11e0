#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The applications of the papers: their EXPECTs are met under every policy, unchanged, structurized and made
# reconverging; thread frontiers never issue more than post-dominators; nothing issues less than opt.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

# A policy under which lanes do not reconverge before a barrier does not apply to a case with one.
policies() {
  case $1 in
  shaders/barrier/exception.amber) echo scalar,tf-stack,tf-sandy,structured,maximal,opt ;;
  *) echo scalar,pdom,tf-stack,tf-sandy,structured,maximal,opt ;;
  esac
}

# column NAME POLICY: of the CSV in the file out, whose message is the only column that may hold commas
column() {
  awk -F , -v name="$1" -v policy="$2" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i - NF; next }
    $2 == policy { print $(NF + at[name]) }' "$WORK/out"
}

for file in shaders/barrier/exception.amber $(find shaders/call shaders/exception shaders/machine shaders/micro \
  shaders/physics shaders/render shaders/search shaders/vision -name '*.amber' | sort); do
  run 0 --csv --policy="$(policies "$file")" "$file"
  tf=$(column issued tf-stack) pdom=$(column issued pdom) least=$(column issued opt)
  [ "$tf" -le "${pdom:-$tf}" ] || fail "$file: $tf issues under tf-stack, $pdom under pdom"
  [ "$least" -le "$tf" ] || fail "$file: $tf issues under tf-stack, $least under opt"
  run 0 --csv --subgroup-size=8 --transform=strip-merges,structurize --policy=tf-stack,structured "$file"
  [ "$(column issued structured)" -gt 0 ] || fail "$file: the structurized form is not structured"
  run 0 --csv --subgroup-size=8 --transform=reconverge --policy=exec "$file"
  [ "$(column issued exec)" -gt 0 ] || fail "$file: exec does not take the reconverging form"
done

# Orders that would put the barrier before a block that leads to it are replaced by lrpo.
for order in dfpd rpo domreg ocelot best; do
  run 0 --transform=reconverge --order=$order --policy=exec shaders/barrier/exception.amber
  run 0 --transform=reconverge --order=$order --policy=exec --subgroup-size=8 shaders/search/bfs.amber
done
finish
