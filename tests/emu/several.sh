#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Several inputs in one run; several sweeps at once; subgroup sizes compared by lane slots.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
module=$WORK/module.spvasm case=$WORK/case.amber

# A folder: everything below it that can run; what is left out is said with the reason.
mkdir -p "$WORK/all/deep" "$WORK/none" "$WORK/empty"
cp "$module" "$WORK/all/deep/b.spvasm"
cp "$case" "$WORK/all/a.amber"
printf '#version 450\nlayout(local_size_x = 8) in;\nvoid main() {}\n' >"$WORK/all/c.comp"
cp "$WORK/all/c.comp" "$WORK/none/x.geom"
echo text >"$WORK/none/readme.txt"
cp "$WORK"/none/* "$WORK/all"
run 0 --policy=pdom,none "$WORK/all"
says "$WORK/all: left out: 1 file that is neither a module, a case nor a shader, as $WORK/all/readme.txt; 1 shader of a stage that does not run by itself, as $WORK/all/x.geom"
[ "$(awk '{ print $1, $2 }' "$WORK/out" | tr '\n' ' ')" = \
  "input policy $WORK/all/a.amber pdom $WORK/all/a.amber none $WORK/all/c.comp pdom $WORK/all/c.comp none $WORK/all/deep/b.spvasm pdom $WORK/all/deep/b.spvasm none " ] ||
  fail "the table of a folder: $(cat "$WORK/out")"
run 1 "$WORK/none"
says "$WORK/none: nothing below this folder can run: 1 file that is neither a module, a case nor a shader, as $WORK/none/readme.txt; 1 shader"
run 1 "$WORK/empty" && says "$WORK/empty: nothing below this folder can run: it has no files"
run 1 "$module" "$WORK/empty" && says "it has no files"
run 2 - "$module" && says "standard input is one input: name it alone"
run 2 --report="$WORK/p.html" "$WORK/all" && says "--report is for one input: name one that is no folder"
run 2 --dump-buffer=0:5 "$module" "$case" && says "--dump-buffer is for one input"
run 2 --jobs=0 a && says "--jobs expects a number, 1 or more, not '0'"

# Each input gives what it gives alone, in the order in which they are named, whatever --jobs says.
echo junk >"$WORK/bad.spvasm"
printf '#!amber\n' >"$WORK/empty.amber"
sed 's/EQ 3 4/EQ 3 5/' "$case" >"$WORK/wrong.amber"
for jobs in 1 3; do
  run 1 --csv --policy=pdom --jobs=$jobs "$case" "$WORK/bad.spvasm" "$module" "$WORK/wrong.amber"
  [ "$(column module | tr '\n' ' ')" = "$case $WORK/bad.spvasm $module $WORK/wrong.amber " ] || fail "files in CSV: $(cat "$WORK/out")"
  [ "$(column status | tr '\n' ' ')" = "ok failed ok ok " ] || fail "statuses in CSV: $(cat "$WORK/out")"
  sed -i 's/"[^"]*"/text/' "$WORK/out"
  [ "$(column expect_failed | tr '\n' ' ')" = "0  0 1 " ] || fail "EXPECTs in CSV: $(cat "$WORK/out")"
  awk -F, 'NR == 1 { fields = NF } NF != fields { exit 1 }' "$WORK/out" || fail "fields of CSV: $(cat "$WORK/out")"
  grep -q '^spv-emu: 2 of 4 inputs failed$' "$WORK/err" || fail "no number of failures: $(cat "$WORK/err")"
done
grep "$case" "$WORK/out" >"$WORK/together"
run 0 --csv --policy=pdom "$case"
sed 1d "$WORK/out" | cmp - "$WORK/together" || fail "CSV of several differs from that of one"

# JSON: a line for each, failed ones included.
run 1 --json --policy=pdom "$case" "$WORK/bad.spvasm" "$WORK/wrong.amber" "$WORK/missing.spv"
[ "$(jq -c '[.module, .status, (.results | length)]' "$WORK/out" | tr '\n' ' ')" = \
  "[\"$case\",\"ok\",1] [\"$WORK/bad.spvasm\",\"failed\",0] [\"$WORK/wrong.amber\",\"failed\",1] [\"$WORK/missing.spv\",\"failed\",0] " ] ||
  fail "JSON lines: $(cut -c 1-300 "$WORK/out")"
[ "$(wc -l <"$WORK/out")" = 4 ] || fail "not four lines of JSON"
[ "$(jq -r 'select(.results == []).message' "$WORK/out" | tail -n 1)" = "No such file or directory" ] ||
  fail "the message of a missing file: $(cut -c 1-300 "$WORK/out")"
sed -n 1p "$WORK/out" | jq -S . >"$WORK/line"
run 0 --json --policy=pdom "$case"
jq -S . "$WORK/out" | cmp - "$WORK/line" || fail "JSON of several differs from that of one"
run 1 "$WORK/bad.spvasm" "$case"
grep -q "^$WORK/bad.spvasm  *failed$" "$WORK/out" || fail "no row of a failed input: $(cat "$WORK/out")"

printf '#version 450\nvoid main() { x; }\n' >"$WORK/wrong.comp"
run 1 --json "$WORK/wrong.comp" "$case"
[ "$(jq -r 'select(.status == "failed").message' "$WORK/out")" = "$WORK/wrong.comp:2: error: 'x' : undeclared identifier" ] ||
  fail "why a shader does not compile: $(jq -r .message "$WORK/out")"

# Several sweeps: the product, the last one fastest; a list of values; seeds.
single=shaders/divergence/single_loop.amber
run 0 --policy=ssy --sweep=M:2,0 --sweep=subgroups:1..2 --cost=issues,latency=10 --csv "$single"
[ "$(awk -F, 'NR > 1 { print $1, $2 }' "$WORK/out" | tr '\n' ' ')" = "2 1 2 2 0 1 0 2 " ] || fail "a product: $(cat "$WORK/out")"
[ "$(head -n 1 "$WORK/out" | cut -d, -f 1-3)" = M,cost_subgroups,module ] || fail "heads of a product"
two=$(column issued | tr '\n' ' ')
run 0 --policy=ssy --sweep=M:0,2 --csv "$single"
[ "$(column issued | tr '\n' ' ')" = "$(echo "$two" | awk '{ print $3, $1 }') " ] || fail "a product has other figures: $two"
cat >"$WORK/random.comp" <<'END'
#version 450
layout(local_size_x = 64) in;
layout(constant_id = 7) const uint LIMIT = 8;
layout(std430, set = 0, binding = 0) buffer B { uint data[]; };
void main() {
  uint n = data[gl_GlobalInvocationID.x] % LIMIT, sum = 0u;
  for (uint i = 0u; i < n; i++)
    sum += i * i;
  data[gl_GlobalInvocationID.x] = sum;
}
END
run 0 --policy=pdom --seed=1..2,7 --sweep=LIMIT:1,8 --subgroup-size=8,64 --csv "$WORK/random.comp"
[ "$(awk -F, 'NR > 1 { print $1, $2, $6 }' "$WORK/out" | tr '\n' ';')" = \
  "1 1 8;1 8 8;2 1 8;2 8 8;7 1 8;7 8 8;1 1 64;1 8 64;2 1 64;2 8 64;7 1 64;7 8 64;" ] || fail "three sweeps: $(cat "$WORK/out")"
seven=$(awk -F, '$1 == 7 && $2 == 8 && $6 == 8' "$WORK/out" | cut -d, -f 6-)
run 0 --policy=pdom --seed=7 --spec=LIMIT=8 --subgroup-size=8 --csv "$WORK/random.comp"
[ "$(sed 1d "$WORK/out" | cut -d, -f 3-)" = "$seven" ] || fail "a sweep gives other figures than a run: $seven"
run 0 --policy=pdom --seed=1,7 --sweep=LIMIT:8 --subgroup-size=8 --csv "$WORK/random.comp"
[ "$(sed -n 3p "$WORK/out" | cut -d, -f 5-)" = "$seven" ] || fail "a seed gives other figures beside a constant: $(cat "$WORK/out")"
run 0 --policy=pdom --seed=1,2 --sweep=LIMIT:1,8 --json "$WORK/random.comp"
[ "$(jq -c '[.results[] | [.sweep.name, [.sweeps[].value]]]' "$WORK/out")" = \
  '[["seed",[1,1]],["seed",[1,8]],["seed",[2,1]],["seed",[2,8]]]' ] || fail "sweeps in JSON: $(jq -c '.results[] | [.sweep, .sweeps]' "$WORK/out")"
run 2 --seed=1,x a && says "--seed expects a number, FIRST..LAST or a list of numbers as seeds, not '1,x'"
run 2 --seed=1..2 --seed=4,5 a && says "seed is swept twice"
run 2 --sweep=A:1 --sweep=B:1 --sweep=C:1 --sweep=D:1 --sweep=E:1 a && says "4 sweeps at most"
run 2 --sweep=A:1..100 --sweep=B:1..100 a && says "the sweeps have 10000 runs together; 4096 at most"
run 2 --sweep=N:1,2 --before=a --after=b && says "--sweep cannot be used with them"
run 2 --seed=1,2 --annotate a && says "--seed with several values reports figures; --annotate cannot be used with it"
run 2 --seed=1,2 "$case" && says "--seed applies to modules"

# Sizes: lane slots are issues times lanes, and the best size has the fewest over all that is swept.
run 0 --policy=pdom,scalar,none --seed=1,2 --subgroup-size=4,16,64 --json "$WORK/random.comp"
jq -e 'all(.results[]; .lane_slots == .issued * .subgroup_size)' "$WORK/out" >"$WORK/true" || fail "lane slots"
jq -e '. as $all | .best_sizes | map(.policy) == ["pdom", "none"] and all(.[]; . as $best |
  ([$all.results[] | select(.policy == $best.policy)] | group_by(.subgroup_size) |
    map({size: .[0].subgroup_size, slots: map(.lane_slots) | add}) | min_by(.slots)) as $least |
  $least == {size: $best.subgroup_size, slots: $best.lane_slots})' "$WORK/out" >"$WORK/true" || fail "best sizes: $(jq -c .best_sizes "$WORK/out")"
run 0 --policy=pdom --subgroup-size=8,64 "$WORK/random.comp" && prints "  lane slots  "
grep -q '^best subgroup size under pdom: 8, [0-9]* lane slots; 64 takes [0-9.]* % more$' "$WORK/out" || fail "the best size: $(cat "$WORK/out")"
# Where all take as many, the largest is the best.
run 0 --policy=pdom --subgroup-size=2,8,4 "$module" --buffer=0:5:u32[8]=0.. &&
  prints "best subgroup size under pdom: 8, 56 lane slots; the others take as many"
run 0 --policy=pdom "$module"
grep "lane slots" "$WORK/out" && fail "lane slots of one size"

# Lists of transforms: a row each, that of the list alone; a list that refuses the module is skipped with its reason.
entries=shaders/irreducible/two_entries.spvasm
run 0 --policy=pdom,structured --transform=none+reconverge+strip-merges,structurize --order=@999 --json "$entries"
[ "$(jq -c '[.results[] | [.transform, .policy, .status]]' "$WORK/out")" = \
  '[["none","pdom","ok"],["none","structured","skip"],["reconverge","pdom","skip"],["reconverge","structured","skip"],["strip-merges,structurize","pdom","ok"],["strip-merges,structurize","structured","ok"]]' ] ||
  fail "lists in JSON: $(jq -c '[.results[] | [.transform, .policy, .status]]' "$WORK/out")"
[ "$(jq -r '.results[2].message' "$WORK/out")" = "function main: the order names '999', which is not a block of it" ] ||
  fail "why a list is refused: $(jq '.results[2].message' "$WORK/out")"
jq -c '.results[4].issued' "$WORK/out" >"$WORK/among"
run 0 --policy=pdom --transform=strip-merges,structurize --json "$entries"
jq -c '.results[0].issued' "$WORK/out" | cmp - "$WORK/among" || fail "a list among others gives other figures than alone"
run 1 --transform=none+structurize "$WORK/bad.spvasm" && says "bad.spvasm: line 1, column 1:"
run 0 --policy=pdom --transform=all --subgroup-size=8,32 --csv "$entries"
[ "$(sed 's/^"\([^"]*\)"/\1/' "$WORK/out" | awk -F, 'NR > 1 { print $1 }' | uniq | wc -l)" -gt 15 ] || fail "too few transforms: $(cut -c 1-60 "$WORK/out")"
run 0 --policy=pdom --transform=none+best --subgroup-size=8,32 "$entries"
grep -q '^best: best subgroup size under pdom: 8, ' "$WORK/out" || fail "the best size after a list: $(cat "$WORK/out")"
run 2 --transform=none+none a && says "--transform names none twice"
run 2 --transform=none+polish a && says "--transform: unknown transform 'polish'"
run 2 --transform=none+best --report=p.html a && says "--report cannot be used with several lists of transforms: name one"
finish
