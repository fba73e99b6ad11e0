#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Options, exit codes, messages in one line; shards, merge, compare, JUnit and JSON.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
faults=tests/harness/faults

run 0 --version && prints "spv-harness "
run 0 --help && prints "list-devices" && prints "Example:"
run 2 && says "no command"
run 2 fly && says "unknown command 'fly'"
run 2 run && says "run expects cases or folders"
run 2 run --sparkle x && says "unknown option '--sparkle'; see --help"
run 2 run --device && says "option '--device' needs a value"
run 2 run --json=1 x && says "option '--json' takes no value"
run 2 run --transform=none+polish x && says "unknown transform 'polish'"
run 2 run --transform=none+none x && says "names none twice"
run 2 run --transform=unstructure x && says "needs a seed"
run 2 run --jobs=0 x && says "--jobs expects a number"
run 2 run --retries=-1 x && says "--retries expects a number up to 100"
run 2 run --timeout=-1 x && says "--timeout expects seconds"
run 2 run --shard=3/2 x && says "--shard expects I/N"
run 2 run --resume x && says "--resume needs --results"
run 2 compare a && says "compare expects two results files"
run 2 modules a && says "modules expects a case and a folder"
run 2 merge a && says "merge expects the file to write"
run 2 list-devices --jobs=2 && says "--jobs does not apply to list-devices"
run 2 compare --jobs=2 a b && says "--jobs applies to folders; a is a results file"

run 1 run missing.amber && says "missing.amber: No such file or directory"
run 2 run --emu-subgroup-size=2000 x && says "--emu-subgroup-size expects a number, 1 to 1024"
run 1 run --device=abacus $faults && says "device abacus: there are lavapipe, swiftshader, emu"
run 1 run --device=icd=/nowhere.json $faults && says "device icd=/nowhere.json: "
printf '#!amber\nBUFER x\n' >"$WORK/bad.amber"
for devices in lavapipe,swiftshader lavapipe,swiftshader swiftshader lavapipe; do
  run 1 run --device=$devices --results="$WORK/bad.sqlite" --resume "$WORK/bad.amber"
  ends "0 passed, 1 failed, 0 skipped"
  prints "bad.amber: fail: line 2: there is no such command (at 'BUFER')"
  [ "$(wc -l <"$WORK/out")" = 2 ] || fail "not one failure: $(cat "$WORK/out")"
done
rm "$WORK/bad.amber"
run 1 run --filter='*.none' $faults && says "no case matches the filter"
# A pattern without a slash is that of a name in any folder.
run 0 run --device=emu --transform=none --filter='well.*' $faults && ends "1 passed, 0 failed, 0 skipped"
run 1 run --results=/nowhere/x.sqlite $faults && says "/nowhere/x.sqlite: unable to open"
# Reported before anything runs; nothing is left behind.
for option in --junit=/nowhere/x.xml --junit="$WORK"; do
  run 1 run --device=swiftshader "$option" $faults && says "${option#*=}: "
  [ ! -s "$WORK/out" ] || fail "$option: cases were run: $(cat "$WORK/out")"
done
"$HARNESS" run --json $faults >&- 2>"$WORK/err" && fail "no output, but a run with --json"
says "--json: standard output is not open for writing"
run 1 run --results=:memory: $faults && says ":memory:: is not the name of a results file"
run 1 run --results=- $faults && says "-: is not the name of a results file"
run 2 run --junit=- x && says "--junit expects a file, not '-'"
run 2 run --artifacts=- x && says "--artifacts expects a folder, not '-'"
run 2 converge --write=- && says "--write expects a folder, not '-'"
run 2 modules x - && says "modules expects a folder, not '-'"
run 2 kernels x - && says "kernels expects a folder, not '-'"
run 1 run --results= $faults && says "'': is not the name of a results file"
run 1 run --device=lavapipe:GeForce $faults && says "no Vulkan device is called 'GeForce'"
run 0 modules shaders/search/merge_sort.amber "$WORK/modules"
[ "$(cat "$WORK/out")" = "$(printf "$WORK/modules/%s.spv\n" sort_half rank_samples merge_intervals)" ] ||
  fail "wrong modules: $(cat "$WORK/out")"
for module in "$WORK"/modules/*.spv; do
  spirv-val --target-env vulkan1.1 "$module" || fail "$module"
done
run 1 modules missing.amber "$WORK" && says "missing.amber: cannot be read: No such file"
run 1 modules shaders/README.md "$WORK" && says "shaders/README.md: "
run 1 modules shaders/search/merge_sort.amber "$WORK/no/where" && says "/no/where: No such file"
run 1 compare missing.sqlite missing.sqlite && says "missing.sqlite: no such file"
echo "no database" >"$WORK/bad.sqlite"
run 1 compare "$WORK/bad.sqlite" "$WORK/bad.sqlite" && says "bad.sqlite: "

run 0 list-devices
prints "llvmpipe" && prints "SwiftShader" && prints "subgroup size 8" && prints "subgroup size 4"
prints "policy structured, subgroup size 32"

# Two drivers of one loader: all devices are listed (and the emulator), and chosen by a part of
# their names.
lavapipe=$(echo /usr/share/vulkan/icd.d/lvp_icd*.json)
swiftshader=/usr/lib/chromium/vk_swiftshader_icd.json
VK_DRIVER_FILES=$lavapipe:$swiftshader
export VK_DRIVER_FILES
run 0 list-devices
[ "$(grep -c 'subgroup size' "$WORK/out")" = 5 ] || fail "not two devices by default: $(cat "$WORK/out")"
for name in llvmpipe SwiftShader; do
  run 0 run --device=default:$name --json --transform=none "$faults/well.amber"
  grep -q "\"info\": \"$name" "$WORK/out" || fail "$name was not chosen"
done
unset VK_DRIVER_FILES
run 0 run --device="icd=$lavapipe:pipe" --transform=none "$faults/well.amber"

# A device or case that is named in two ways is run once.
run 0 run --device=lavapipe,lavapipe --transform=none "$faults/well.amber" "./$faults/well.amber" \
  "$PWD/$faults" --filter='*well*'
ends "1 passed, 0 failed, 0 skipped"

# Files that are not cases are skipped, or fail with line and reason.
printf '#!amber\nSHADER compute s HLSL\nEND\n' >"$WORK/hlsl.amber"
printf '[require]\n[test]\nprob all\n' >"$WORK/old.amber"
printf '#!amber\nBUFER x\n' >"$WORK/typo.amber"
run 1 run --device=swiftshader "$WORK"
prints "hlsl.amber: skip: line 2: "
prints "typo.amber: fail: line 2: there is no such command (at 'BUFER')"
prints "old.amber: fail: line 3: there is no such command in a [test] (at 'prob')"
[ "$(grep -c "typo.amber" "$WORK/out")" = 2 ] || fail "not a line and a recap: $(cat "$WORK/out")"
ends "0 passed, 2 failed, 3 skipped"

# Shards cover all cases once; merged, they are the whole run.
run 0 run --device=swiftshader --results="$WORK/all.sqlite" shaders/loop
for shard in 1 2 3; do
  run 0 run --device=swiftshader --shard=$shard/3 --results="$WORK/$shard.sqlite" shaders/loop
done
run 1 merge - "$WORK/1.sqlite" && says "-: is not the name of a results file"
run 0 merge "$WORK/merged.sqlite" "$WORK/1.sqlite" "$WORK/2.sqlite" "$WORK/3.sqlite"
run 0 compare "$WORK/all.sqlite" "$WORK/merged.sqlite" && ends "0 changed"
run 5 compare "$WORK/all.sqlite" "$WORK/1.sqlite" && prints "-> not run" && prints "other changes:"

# A failed merge keeps the existing file; the message names the file that is not a results file, wherever
# it is in the list.
cp "$WORK/1.sqlite" "$WORK/kept.sqlite"
run 1 merge "$WORK/kept.sqlite" "$WORK/2.sqlite" "$WORK/bad.sqlite" && says "bad.sqlite: "
run 0 compare "$WORK/1.sqlite" "$WORK/kept.sqlite" && ends "0 changed"
run 1 merge "$WORK/new.sqlite" "$WORK/1.sqlite" "$WORK/nowhere.sqlite" && says "nowhere.sqlite: "
[ ! -e "$WORK/new.sqlite" ] || fail "a failed merge leaves a file"
sed 's/message TEXT/massage TEXT/' "$WORK/2.sqlite" >"$WORK/other.sqlite"
run 1 compare "$WORK/other.sqlite" "$WORK/1.sqlite" && says "other.sqlite: no such column: message"
run 1 compare "$WORK/1.sqlite" "$WORK/other.sqlite" && says "other.sqlite: no such column: message"

run 1 run --device=swiftshader --junit="$WORK/x.xml" --json --transform=none "$faults/wrong.amber" \
  "$faults/well.amber"
prints '"tool": "spv-harness"' && prints '"outcome": "fail"' && prints '"failed": 1'
[ "$(tail -n 1 "$WORK/err")" = "1 passed, 1 failed, 0 skipped" ] || fail "no totals: $(cat "$WORK/err")"
grep -q '<testsuite name="swiftshader" tests="2" failures="1" errors="0" skipped="0">' \
  "$WORK/x.xml" || fail "no suite in $(cat "$WORK/x.xml")"
grep -q '<failure message="fail: line 17: ' "$WORK/x.xml" || fail "no failure in x.xml"
grep -q "^failures:" "$WORK/err" || fail "no recap: $(cat "$WORK/err")"

# Regressions and fixes have exit codes of their own.
cp "$faults/well.amber" "$WORK/moody.amber"
run 0 run --device=swiftshader --transform=none --results="$WORK/good.sqlite" "$WORK/moody.amber"
cp "$faults/wrong.amber" "$WORK/moody.amber"
run 1 run --device=swiftshader --transform=none --results="$WORK/worse.sqlite" "$WORK/moody.amber"
run 1 compare "$WORK/good.sqlite" "$WORK/worse.sqlite"
prints "regressions:" && prints "moody.amber, swiftshader, none: pass -> fail: line 17: "
ends "1 changed: regressions 1, fixes 0, others 0"
run 4 compare "$WORK/worse.sqlite" "$WORK/good.sqlite"
prints "fixes:" && ends "1 changed: regressions 0, fixes 1, others 0"
"$HARNESS" run --device=swiftshader --json "$faults/well.amber" >/dev/full 2>"$WORK/err" &&
  fail "a full disk is not reported as a failure"
grep -q "cannot write to standard output" "$WORK/err" || fail "no message about a full disk"
# Completion has the commands of --help.
"$HARNESS" --help | sed -n 's/.* spv-harness \([a-z-]*\).*/\1/p' | LC_ALL=C sort -u >"$WORK/wanted"
bash -c '. packaging/completion.bash
  COMP_WORDS=("$0" "") COMP_CWORD=1
  _spvreconv "$0" && printf "%s\n" "${COMPREPLY[@]}"' "$HARNESS" 2>/dev/null | LC_ALL=C sort >"$WORK/seen"
grep -q '^new$' "$WORK/wanted" || fail "--help has no commands"
diff "$WORK/wanted" "$WORK/seen" || fail "completion has other commands than --help"
finish
