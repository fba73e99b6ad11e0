#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Profiles: what --profile writes; priorities and orders chosen from it, here and by spvreconv; files
# that are not profiles.
# shellcheck source=tests/emu/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
profile=$WORK/profile.json module=$WORK/module.spvasm
spvreconv=$(dirname "$EMU")/spvreconv
buffer="--buffer=0:5:u32[8]=0"

# issues ARGUMENTS…: the issues of the last policy
issues() {
  run 0 --csv "$@"
  awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } { last = $at["issued"] } END { print last }' \
    "$WORK/out"
}

# ---- never worse than LRPO, and often better ----

better=0
for case in early-exit/short_circuit irreducible/state_machine switch/into_cycle machine/scanner \
  render/optix search/gpumummer call/split_merge loop/life barrier/work_queue frontier/figure1; do
  case=shaders/$case.amber
  before=$(issues --policy=tf-stack --profile="$profile" "$case")
  after=$(issues --policy=tf-stack --priority=profile:"$profile" "$case")
  [ "$after" -le "$before" ] || fail "$case: $after issues with a profile, $before without"
  [ "$after" -eq "$before" ] || better=$((better + 1))
done
[ "$better" -ge 6 ] || fail "only $better of 10 cases gain from a profile"

# ---- a profile of a source fits what the source is compiled to without lines, and the source ----

awk '/^SHADER compute [^ ]+ GLSL/ { p = 1; next } p && /^END/ { exit } p' shaders/loop/collatz.amber >"$WORK/source.comp"
"$spvreconv" "$WORK/source.comp" -o "$WORK/source.spv" || fail "the source does not compile"
run 0 --policy=tf-stack --profile="$profile" "$WORK/source.spv"
cp "$profile" "$WORK/of-module.json"
run 0 --policy=tf-stack --profile="$profile" "$WORK/source.comp"
for input in "$WORK/source.spv" "$WORK/source.comp" "-g $WORK/source.comp"; do
  # shellcheck disable=SC2086 # two words
  "$spvreconv" --no-validate --transform=reconverge --order=profile:"$profile" $input -o "$WORK/out.spv" ||
    fail "the profile does not fit $input"
done
python3 -c 'import json, sys
a, b = (json.load(open(name))["profile"] for name in sys.argv[1:])
assert a == b' "$profile" "$WORK/of-module.json" || fail "the profiles of source and module differ"
run 0 --policy=tf-stack --priority=profile:"$profile" --annotate "$WORK/source.comp" && prints "|   while (n != 1u) {"

# ---- other sizes and policies use the same profile; deterministic ----

case=shaders/machine/scanner.amber
run 0 --profile="$profile" "$case"
for size in 1 8 workgroup; do
  run 0 --policy=tf-stack,tf-sandy,pdom --subgroup-size=$size --priority=profile:"$profile" "$case"
done
run 0 --json --priority=profile:"$profile" "$case" && cp "$WORK/out" "$WORK/once"
run 0 --json --priority=profile:"$profile" "$case"
cmp -s "$WORK/out" "$WORK/once" || fail "a second run differs"

# ---- orders of transforms ----

lrpo=$(issues --policy=exec --transform=reconverge --order=lrpo "$case")
order=$(issues --policy=exec --transform=reconverge --order=profile:"$profile" "$case")
[ "$order" -lt "$lrpo" ] || fail "reconverge: $order issues with a profile, $lrpo with lrpo"
run 1 --transform=reconverge --order=dfs "$case" && says "unknown order 'dfs'"
run 2 --order=lrpo "$case" && says "--order applies to transforms; name some with --transform"

run 0 --profile="$WORK/module.json" "$module" "$buffer"
"$spvreconv" "$module" --transform=reconverge --order=profile:"$WORK/module.json" --json >"$WORK/out" ||
  fail "spvreconv does not take the profile of a module"
tr -d ' \n' <"$WORK/out" | grep -qF '"order":[10]' || fail "order: $(cat "$WORK/out")"
"$spvreconv" "$module" --transform=reconverge --order=profile:"$profile" --stats >"$WORK/out" 2>"$WORK/err"
[ $? = 1 ] || fail "spvreconv takes the profile of another module"
says "no program with these blocks"
run 1 --priority=profile:"$profile" "$module" "$buffer" && says "no program with these blocks"

# ---- what is in it ----

tr -d ' \n' <"$WORK/module.json" >"$WORK/out"
prints '"profile":{"subgroup_size":32,"programs":[{"subgroups_left_out":0,"blocks":[{"function":4,"block":10,"part":0,"issues":7,"reaches_barrier":false}],"subgroups":[[[0]]],"lanes":[[8]]}]}'

# ---- files that are not profiles ----

# no TEXT MESSAGE: a file with that text is refused
no() {
  printf '%s' "$1" >"$WORK/bad.json"
  run 1 --priority=profile:"$WORK/bad.json" "$module" "$buffer" && says "bad.json: not a profile of spv-emu: $2"
}

block='{"function":4,"block":10,"part":0,"issues":6,"reaches_barrier":false}'
no "{" "string or '}' expected near end of file"
no '{}' "it has no programs"
no '[]' "it has no programs"
no '{"profile":{"programs":[{}]}}' "a program lacks blocks or subgroups"
no '{"profile":{"programs":[{"blocks":[{}],"subgroups":[]}]}}' "a block lacks function, block"
no '{"profile":{"programs":[{"blocks":[{"function":-4,"block":10,"part":0,"issues":6,"reaches_barrier":false}],"subgroups":[]}]}}' \
  "a block lacks function, block"
no "{\"profile\":{\"programs\":[{\"blocks\":[$block],\"subgroups\":[[[1]]]}]}}" \
  "a path names a place that is not in the list of blocks"
no "{\"profile\":{\"programs\":[{\"blocks\":[$block],\"subgroups\":[[[]]]}]}}" "a path is empty, or not a list"
no "{\"profile\":{\"programs\":[{\"blocks\":[$block],\"subgroups\":[[\"a\"]]}]}}" "a path is empty, or not a list"
run 1 --priority=profile:"$WORK/none.json" "$module" "$buffer" && says "none.json: No such file"
run 2 --profile=- "$module" "$buffer" && says "--profile expects a file, not "
run 2 --sweep=M:0..3 --profile="$profile" shaders/divergence/single_loop.amber && says "--profile cannot be used with it"
run 1 --profile="$WORK/no/folder.json" "$module" "$buffer" && says "No such file or directory"
[ ! -e "$WORK/no" ] || fail "a folder has been made"
finish
