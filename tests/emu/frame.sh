#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --frame: the cases of a folder, pipeline by pipeline: cases with the same module are one, the sums are those of the
# cases, and the pipeline that loses most lanes comes first.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
frame=$WORK/frame
mkdir "$frame"
cp shaders/divergence/single_loop.amber "$frame/c.amber"
cp shaders/divergence/if_else.amber "$frame/b.amber"
cp "$frame/c.amber" "$frame/d.amber"
cp README.md "$frame/INDEX.md"

# cell N PIPELINE
cell() {
  awk -v p="$2" -v n="$1" '$1 == p { print $n }' "$WORK/out"
}

run 0 --csv --policy=pdom,tf-stack "$frame"
# issues POLICY CASE
issues() {
  awk -F, -v p="$1" -v c="$frame/$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["module"] == c && $at["policy"] == p { print $at["issued"] }' "$WORK/csv"
}
cp "$WORK/out" "$WORK/csv"
one=$(issues pdom b.amber) two=$(issues pdom c.amber) frontier=$(issues tf-stack c.amber)
[ -n "$one$two$frontier" ] || fail "no figures in: $(cat "$WORK/csv")"

run 0 --policy=pdom,tf-stack --frame="$frame"
[ ! -s "$WORK/err" ] || fail "it says: $(cat "$WORK/err")"
[ "$(awk '{ print $1 }' "$WORK/out" | tr '\n' ' ')" = "pipeline c.amber b.amber all " ] || fail "the order: $(cat "$WORK/out")"
[ "$(cell 2 c.amber) $(cell 2 b.amber) $(cell 2 all)" = "2 1 3" ] || fail "dispatches: $(cat "$WORK/out")"
[ "$(cell 3 c.amber) $(cell 4 c.amber)" = "$((2 * two)) $((2 * frontier))" ] || fail "issues: $(cat "$WORK/out")"
[ "$(cell 3 all)" = $((2 * two + one)) ] || fail "the sum: $(cat "$WORK/out")"
[ "$(cell 7 all) $(cell 9 all)" = "100.0 100.0" ] || fail "shares: $(cat "$WORK/out")"
[ "$(cell 7 b.amber)" = "$(awk -v a="$one" -v b=$((2 * two + one)) 'BEGIN { printf "%.1f", 100 * a / b }')" ] ||
  fail "the share of b: $(cat "$WORK/out")"

# What fails is marked; the rest counts.
echo junk >"$frame/e.amber"
sed 's/^RUN .*/&\nEXPECT nothing EQ_BUFFER nothing/' "$frame/b.amber" >"$frame/f.amber"
run 1 --frame="$frame"
grep -q '^2 cases could not be run$' "$WORK/out" || fail "the cases that fail: $(cat "$WORK/out")"

run 2 --frame="$WORK/none" && says "--frame=$WORK/none: it is no folder"
run 2 --frame="$frame" "$frame/b.amber" && says "--frame=$frame is the input: name no other"
run 2 --json --frame="$frame" && says "--frame has a table of its own; --json cannot be used with it"
finish
