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

# The same figures for other programs.
rm "$frame/e.amber" "$frame/f.amber"
run 0 --csv --policy=pdom,tf-stack --frame="$frame"
[ "$(awk -F, '$1 == "c.amber" && $3 == "tf-stack" { print $2, $4, $7 }' "$WORK/out")" = "2 $((2 * frontier)) 0" ] ||
  fail "--csv: $(cat "$WORK/out")"
[ "$(wc -l <"$WORK/out")" = 5 ] || fail "--csv: $(cat "$WORK/out")"
run 0 --json --policy=pdom,tf-stack --frame="$frame"
[ "$(jq -r '.frame.pipelines[0] | [.name, .dispatches, .policies[1].policy, .policies[1].issued] | join(" ")' "$WORK/out")" = \
  "c.amber 2 tf-stack $((2 * frontier))" ] || fail "--json: $(cat "$WORK/out")"
[ "$(jq '.frame.unread, (.results | length)' "$WORK/out" | tr '\n' ' ')" = "0 0 " ] || fail "--json: $(cat "$WORK/out")"
finish
