#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Results files: logs and databases have the same contents, a log may be truncated anywhere, cases with
# the same content are run once, shards of a list have equal sizes and are mixed; bare modules.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
options=--device=none
as_written=pass # with --check and no device it is compared with nothing
[ -z "${SPVRECONV_CHECK:-}" ] || as_written=same
mkdir "$WORK/cases"
"$BIN/gen_cases" 30 1 "$WORK/cases" >/dev/null || fail "gen_cases"
for case in "$WORK"/cases/*.amber; do echo "$case"; done >"$WORK/list"

dump() {
  run 0 dump "$1"
  mv "$WORK/out" "$2"
}

# counts WANTED WHAT FILE: that many groups of a log ran, or were kept
counts() {
  got=$(cut -f 2 "$3" | grep -cx "$2")
  [ "$got" = "$1" ] || fail "$got groups '$2' in $3, not $1"
}

# A log and a database of the same run.
"$HARNESS" run $options --list="$WORK/list" --results="$WORK/whole.sqlite" >"$WORK/lines"
"$HARNESS" run $options --list="$WORK/list" --results="$WORK/whole.log" >/dev/null
counts 30 ran "$WORK/whole.log"
run 0 merge "$WORK/merged.sqlite" "$WORK/whole.log"
dump "$WORK/whole.sqlite" "$WORK/whole.txt"
[ "$(wc -l <"$WORK/whole.txt")" = 90 ] || fail "not 90 results"
dump "$WORK/merged.sqlite" "$WORK/merged.txt"
cmp "$WORK/whole.txt" "$WORK/merged.txt" || fail "the log has different results"
run 1 dump "$WORK/whole.log" && says "whole.log: is not a results database; merge makes one from logs"
run 1 merge "$WORK/x.log" "$WORK/whole.log" && says "a merge writes a database"
run 2 dump && says "dump expects one results file"
run 2 run --reuse && says "option '--reuse' needs a value"
echo "no results" >"$WORK/bad"
run 1 run $options --reuse="$WORK/bad" shaders/loop && says "bad: is not a results file"
cp "$WORK/bad" "$WORK/bad.log"
run 1 run $options --results="$WORK/bad.log" shaders/loop && says "bad.log: is not a results log"
[ "$(cat "$WORK/bad.log")" = "no results" ] || fail "wrote to a file that is not a log"
cp "$WORK/whole.sqlite" "$WORK/full.sqlite"
sqlite3 "$WORK/full.sqlite" "CREATE TRIGGER full BEFORE INSERT ON outcome BEGIN SELECT RAISE(ABORT, 'no room'); END"
run 1 run $options --results="$WORK/full.sqlite" shaders/loop/triangular.amber && says "spv-harness: --results: no room"

# Truncated anywhere, it keeps the complete lines, and a run continues from there.
size=$(wc -c <"$WORK/whole.log")
for cut in 0 1 21 22 23 200 $((size / 2)) $((size - 2)); do
  head -c "$cut" "$WORK/whole.log" >"$WORK/cut.log"
  lines=$(wc -l <"$WORK/cut.log") # a line that is cut short has no end, and does not count
  whole=$(head -n "$lines" "$WORK/cut.log" | grep -c "$(printf '\tran\t')")
  "$HARNESS" run $options --list="$WORK/list" --results="$WORK/cut.log" --resume --json >"$WORK/out" \
    2>"$WORK/err"
  got=$(grep -c '"recorded": true' "$WORK/out")
  [ "$got" = $((3 * whole)) ] || fail "cut at $cut: $got results are recorded, not $((3 * whole))"
  rm -f "$WORK/cut.sqlite"
  run 0 merge "$WORK/cut.sqlite" "$WORK/cut.log"
  dump "$WORK/cut.sqlite" "$WORK/cut.txt"
  cmp "$WORK/whole.txt" "$WORK/cut.txt" || fail "cut at $cut"
done

# A wrong byte loses only its line.
sed '5s/pass/fail/' "$WORK/whole.log" >"$WORK/wrong.log"
run 0 merge "$WORK/wrong.sqlite" "$WORK/wrong.log"
grep -q 'left out 1 truncated lines' "$WORK/err" || fail "not left out: $(cat "$WORK/err")"
dump "$WORK/wrong.sqlite" "$WORK/wrong.txt"
[ "$(wc -l <"$WORK/wrong.txt")" = 87 ] || fail "a wrong line counts"

# Two concurrent runs do not write to one log.
if command -v flock >/dev/null; then
  flock "$WORK/whole.log" "$HARNESS" run $options --results="$WORK/whole.log" shaders/loop \
    >"$WORK/out" 2>"$WORK/err"
  says "whole.log: another run is writing it"
fi

# By content: copies are not run again, neither within a run nor from files of either kind.
mkdir "$WORK/copies"
for case in "$WORK"/cases/random_1*.amber; do
  cp "$case" "$WORK/copies/first_$(basename "$case")"
  cp "$case" "$WORK/copies/second_$(basename "$case")"
done
cp "$WORK"/cases/random_1*.spv "$WORK/copies"
copies=$(find "$WORK/copies" -name '*.amber' | wc -l)
run 0 run $options --jobs=1 --resume --results="$WORK/copies.log" "$WORK/copies" \
  "--filter=*.amber"
counts $((copies / 2)) ran "$WORK/copies.log"
counts $((copies / 2)) kept "$WORK/copies.log"
for reused in whole.log whole.sqlite merged.sqlite; do
  rm -f "$WORK/copies.log"
  run 0 run $options --reuse="$WORK/$reused" --results="$WORK/copies.log" "$WORK/copies" \
    "--filter=*.amber"
  counts 0 ran "$WORK/copies.log"
  counts "$copies" kept "$WORK/copies.log"
done
# Nothing is added to a complete file.
run 0 run $options --resume --results="$WORK/copies.log" "$WORK/copies" "--filter=*.amber"
counts "$copies" kept "$WORK/copies.log"
# With other options the setup differs; copies of a case still run once.
run 0 run $options --jobs=1 --timeout=61 --reuse="$WORK/whole.log" --results="$WORK/other.log" \
  "$WORK/copies" "--filter=*.amber"
counts $((copies / 2)) ran "$WORK/other.log"

# Shards: each case once, sizes differ by one at most, alternating kinds are mixed.
rm -f "$WORK"/shard.*
for shard in 1 2 3 4; do
  run 0 run $options --list="$WORK/list" --shard=$shard/4 --results="$WORK/shard.$shard.log"
  cut -f 3 "$WORK/shard.$shard.log" | tail -n +2 >"$WORK/shard.$shard"
  count=$(wc -l <"$WORK/shard.$shard")
  { [ "$count" = 7 ] || [ "$count" = 8 ]; } || fail "shard $shard has $count of 30 cases"
done
LC_ALL=C sort "$WORK/list" >"$WORK/wanted"
LC_ALL=C sort "$WORK"/shard.? | cmp - "$WORK/wanted" || fail "shards are not the whole"
for shard in 1 2 3 4; do
  odd=$(awk 'NR == FNR { at[$0] = NR; next } at[$0] % 2' "$WORK/list" "$WORK/shard.$shard" | wc -l)
  { [ "$odd" -gt 0 ] && [ "$odd" -lt "$(wc -l <"$WORK/shard.$shard")" ]; } ||
    fail "shard $shard has every second case"
done
run 0 run $options --list=- <"$WORK/list" && ends "$(tail -n 1 "$WORK/lines")"
# A path that occurs twice, or is an operand as well, runs once.
first=$(head -n 1 "$WORK/list")
{ head -n 2 "$WORK/list" && echo "$first"; } >"$WORK/twice"
run 0 run $options --list="$WORK/twice" "$first"
[ "$(grep -c '\.amber' "$WORK/out")" = 2 ] || fail "a path ran twice: $(cat "$WORK/out")"
: >"$WORK/empty"
run 1 run $options --list="$WORK/empty" && says "empty: there is no case"
run 1 run $options --list=/nowhere && says "/nowhere: No such file"
name=$(basename "$(head -n 1 "$WORK/list")" .amber)
run 0 run $options --list="$WORK/list" --filter="*_${name#*_}.ambe[a-r]" && prints "$name.amber"

# A path may contain any character.
odd="$WORK/a	b\\t
c"
mkdir "$odd"
cp shaders/loop/multi_exit.amber "$odd/x.amber"
run 0 run $options --results="$WORK/odd.log" "$odd"
run 0 merge "$WORK/odd.sqlite" "$WORK/odd.log"
run 0 run $options --results="$WORK/even.sqlite" "$odd"
run 0 compare "$WORK/odd.sqlite" "$WORK/even.sqlite" && ends "0 changed"
# What changed, for scripts.
mkdir "$WORK/other" && cp shaders/loop/collatz.amber "$WORK/other"
run 0 run $options --transform=none --results="$WORK/other.sqlite" "$WORK/other"
run 0 run $options --transform=none --results="$WORK/more.sqlite" "$WORK/other" "$odd"
run 5 compare --csv "$WORK/other.sqlite" "$WORK/more.sqlite" && prints "other,"
[ "$(head -n 1 "$WORK/out")" = change,case,device,variant,before,after,message ] || fail "$(cat "$WORK/out")"
run 5 compare --json "$WORK/other.sqlite" "$WORK/more.sqlite" && prints '"others": 1,'
[ "$(jq -r '.changes[0] | .change, .device, .before, .after' "$WORK/out" | paste -s -d ' ')" = "other none null $as_written" ] ||
  fail "compare --json: $(cat "$WORK/out")"
cp "$WORK/more.sqlite" "$WORK/renamed.sqlite"
sqlite3 "$WORK/renamed.sqlite" "UPDATE place SET path = path || 'x'"
run 5 compare "$WORK/more.sqlite" "$WORK/renamed.sqlite" && says "nothing was compared: no case with a device and a variant is in both"
cp "$WORK/more.sqlite" "$WORK/none.sqlite"
sqlite3 "$WORK/none.sqlite" "DELETE FROM place"
run 1 compare "$WORK/none.sqlite" "$WORK/none.sqlite" && says "nothing was compared"
grep -q "0 changed" "$WORK/out" && fail "nothing was compared, and nothing has changed"
run 0 compare --json "$WORK/more.sqlite" "$WORK/more.sqlite" && prints '"changes": []'

# A case without EXPECTs has nothing to compare with: its line says so.
mkdir "$WORK/bare" && sed '/^EXPECT/d' shaders/loop/collatz.amber >"$WORK/bare/bare.amber"
run 0 run --device=emu "$WORK/bare" && prints "pass: not compared: the case has no EXPECT"
run 0 run --device=emu shaders/loop/collatz.amber
grep -q "not compared" "$WORK/out" && fail "a case with EXPECTs: $(cat "$WORK/out")"

# Modules without a case, binary and text, are transformed and validated, and nothing else.
mkdir "$WORK/modules"
spirv-as --preserve-numeric-ids --target-env spv1.6 tests/golden/structurize/return_value.spvasm -o "$WORK/modules/a.spv"
cp tests/golden/structurize/return_value.spvasm "$WORK/modules/b.spvasm"
head -c 30 "$WORK/modules/a.spv" >"$WORK/modules/cut.spv"
run 1 run $options "$WORK/modules"
prints "a.spv: none invalid; auto pass; strip-merges,structurize same"
prints "b.spvasm: none invalid; auto pass; strip-merges,structurize same"
prints "cut.spv: fail: "
prints "fail: truncated: not a whole number of words"
# spirv-val's message alone names no id.
sed 's/OpIAdd/OpFAdd/' shaders/irreducible/two_entries.spvasm >"$WORK/wrong.spvasm"
run 1 run $options "$WORK/wrong.spvasm"
prints "invalid: shader module: function main, block %"
prints "Result Type: FAdd: %"
mkdir "$WORK/shaders" && for name in with without; do
  printf '#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n' >"$WORK/shaders/$name.comp"
done
run 1 run --device=emu "$WORK/shaders"
says "there is no case, but 2 shaders: name those to run, as in $WORK/shaders/*.comp"
cp shaders/loop/collatz.amber "$WORK/shaders/with.amber" # the shader's own case
run 0 run --device=emu "$WORK/shaders" && prints "with.amber: none "
grep -q "left out 1 shader: name those to run, as in " "$WORK/err" || fail "not left out: $(cat "$WORK/err")"
run 0 run --device=emu "$WORK/modules/a.spv"
prints "a.spv: none invalid; auto pass" # as the case that new makes
echo "$WORK/modules/a.spv" >"$WORK/listed"
run 0 run --device=emu --list="$WORK/listed"
prints "skip: a module without a case: 'spv-harness new' makes one"
run 1 run --device=emu "$WORK/modules"
says "there is no case, but 3 modules: --device=none only transforms and validates them, and spv-harness new makes a case of one"
unset SPVRECONV_CHECK
SPV_HARNESS_TEST=flip "$HARNESS" run $options --transform=auto "$WORK/modules/a.spv" >"$WORK/out"
prints "auto pass"
finish
