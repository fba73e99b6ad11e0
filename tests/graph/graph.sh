#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# spv-graph's command line: kernels made of the graphs of shaders/ compute in the emulator, under every
# policy, what spv-graph predicts; graphs survive all formats; and what is said of bad input.
# Usage: graph.sh PATH/spv-graph PATH/spv-emu
set -u
graph=$1 emu=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# says STATUS TEXT ARGUMENTS...: exit code, and one line on standard error with TEXT
says() {
  wanted=$1 text=$2
  shift 2
  "$graph" "$@" >"$work/out" 2>"$work/err"
  got=$?
  [ "$got" = "$wanted" ] || fail "spv-graph $*: exit code $got, not $wanted"
  [ "$(wc -l <"$work/err")" = 1 ] || fail "spv-graph $*: not one line: $(cat "$work/err")"
  grep -qF -- "$text" "$work/err" || fail "spv-graph $*: no '$text' in: $(cat "$work/err")"
}

# ---- kernels in the emulator

count=0
for module in shaders/*/*.spvasm shaders/*/*.comp; do
  "$graph" "$module" -o "$work/a.json" 2>"$work/err" || continue # of other stages, or without blocks
  for options in "" "--live=1 --turns=4 --seed=7" "--together=8 --taken=0.9 --local-size=96 --groups=2"; do
    # shellcheck disable=SC2086 # words
    "$graph" "$work/a.json" $options -o "$work/a.amber" 2>"$work/err" ||
      fail "$module $options: $(cat "$work/err")"
    "$emu" --policy=scalar,none,pdom,tf-stack,tf-sandy,maximal "$work/a.amber" >"$work/table" 2>&1 ||
      fail "$module $options: $(tail -n 3 "$work/table")"
    count=$((count + 1))
  done
done
[ "$count" -ge 100 ] || fail "only $count kernels"
echo "$count kernels"

# A result that is not the predicted one is seen.
sed -i '0,/^EXPECT results IDX 0 EQ /s//&1/' "$work/a.amber"
"$emu" --policy=pdom "$work/a.amber" >"$work/table" 2>&1 && fail "a wrong EXPECT is met"

# ---- formats

cat >"$work/g.json" <<'END'
{"name":"g","kernel":"k","entry":7,"blocks":[
{"id":3,"w":12,"succ":[7,5],"barrier":true,"term":"cbra","calls":1,"taken":0.25},
{"id":7,"w":30,"succ":[3]},
{"id":5,"w":9,"succ":[]}
]}
END
cat >"$work/wanted.json" <<'END'
{"name":"g","kernel":"k","entry":7,"blocks":[
{"id":7,"w":30,"succ":[3],"barrier":false,"term":"bra","calls":0},
{"id":3,"w":12,"succ":[7,5],"barrier":true,"term":"cbra","calls":1,"taken":0.25},
{"id":5,"w":9,"succ":[],"barrier":false,"term":"exit","calls":0}
]}
END
"$graph" "$work/g.json" --to=json | cmp - "$work/wanted.json" || fail "JSON"
if "$graph" "$work/g.json" --to=dot | "$graph" --to=json >"$work/out" 2>"$work/err"; then
  cmp "$work/out" "$work/wanted.json" || fail "dot"
else
  grep -q 'libcgraph was missing' "$work/err" || fail "dot: $(cat "$work/err")"
fi
"$graph" "$work/g.json" -o "$work/g.spv" && "$graph" "$work/g.json" >"$work/g.spvasm"
"$graph" "$work/g.spv" >"$work/a" && "$graph" "$work/g.spvasm" >"$work/b"
cmp "$work/a" "$work/b" || fail "the kernels differ"
grep -q '"succ":\[1\],"barrier":false,"term":"fall"' "$work/a" || fail "$(cat "$work/a")"

# A line break in a name does not end the comment, nor a backslash at the name's end the quotes.
printf '%s' '{"name":"a\n!\\","kernel":"k\nx","blocks":[{"id":0,"succ":[]}]}' >"$work/n.json"
"$graph" "$work/n.json" -o "$work/n.spv" 2>"$work/err" || fail "names: $(cat "$work/err")"
"$graph" "$work/n.json" --to=amber | sed -n 2p | grep -qF "of kernel 'k x' of a !\, with" || fail "names: $("$graph" "$work/n.json" --to=amber)"
if "$graph" "$work/n.json" --to=dot >"$work/out"; then
  grep -qF '!\\" {' "$work/out" || fail "names: $(cat "$work/out")"
fi

# ---- a profile: `taken` as the emulator counts it, by the lanes that ran the blocks

cat >"$work/p.json" <<'END'
{"blocks":[{"id":0,"w":20,"succ":[1,2],"taken":0.25},{"id":1,"w":9,"succ":[3]},{"id":2,"w":9,"succ":[3]},
  {"id":3,"w":9,"succ":[3,4],"taken":0.8},{"id":4,"w":9,"succ":[5]},{"id":5,"w":9,"succ":[]}]}
END
for together in 1 8; do # 8: lanes with equal paths, which a profile lists once
  "$graph" --together=$together "$work/p.json" -o "$work/p.spv"
  "$emu" --policy=pdom --profile="$work/p.prof" --json --buffer=0:0:u32[64]=0 "$work/p.spv" >"$work/out" 2>"$work/err" ||
    fail "no profile: $(cat "$work/err")"
  shares=$(jq -r '[.results[0].blocks[].lanes] | "\(.[1] / .[0] * 1e6 | round) \((.[3] - .[4]) / .[3] * 1e6 | round)"' "$work/out")
  "$graph" --profile="$work/p.prof" "$work/p.spv" -o "$work/a.json"
  taken=$(jq -r '[.blocks[] | .taken // empty | . * 1e6 | round] | join(" ")' "$work/a.json")
  [ "$taken" = "$shares" ] || fail "taken $taken instead of $shares (together $together)"
done
# of_profile JSON TEXT: what is said of a bad profile
of_profile() {
  printf '%s' "$1" >"$work/bad.prof"
  says 1 "$2" --profile="$work/bad.prof" "$work/p.spv"
}
of_profile '{' 'bad.prof: line 1:'
of_profile '{}' 'bad.prof: not a profile of spv-emu: it has no programs'
of_profile '{"profile":{"programs":[{}]}}' 'a program lacks blocks or subgroups'
of_profile '{"profile":{"programs":[{"blocks":[{}],"subgroups":[]}]}}' 'a block lacks function, block or part'
of_profile '{"profile":{"programs":[{"blocks":[{"function":1,"block":4,"part":0}],"subgroups":[[[1]]]}]}}' 'a path names a place'
of_profile '{"profile":{"programs":[{"blocks":[{"function":9,"block":4,"part":0}],"subgroups":[]}]}}' 'has blocks of function %1'
says 1 '--profile is about modules' --profile="$work/p.prof" "$work/g.json"

# ---- bad input

bad() {
  printf '%s' "$1" >"$work/bad.json"
  says 1 "$2" "$work/bad.json"
}
bad '[' 'line 1:'
bad '{}' 'there is no array "blocks"'
bad '{"blocks":[]}' 'the graph has no blocks'
bad '{"blocks":[{"id":1}]}' 'blocks[0]: "succ" is not an array'
bad '{"blocks":[{"succ":[]}]}' 'blocks[0] has no "id"'
bad '{"blocks":[{"id":-1,"succ":[]}]}' '"id" is not an integer from 0 to'
bad '{"blocks":[{"id":1,"succ":["x"]}]}' 'a successor is not the id of a block'
bad '{"blocks":[{"id":1,"succ":[2]}]}' 'block 1 leads to block 2, which does not exist'
bad '{"blocks":[{"id":1,"succ":[]},{"id":1,"succ":[]}]}' 'two blocks have the id 1'
bad '{"entry":4,"blocks":[{"id":1,"succ":[]}]}' 'the entry is block 4, which does not exist'
bad '{"blocks":[{"id":1,"succ":[],"w":2000000}]}' '"w" is not an integer from 0 to 1000000'
bad '{"blocks":[{"id":1,"succ":[],"term":"jmp"}]}' '"term" is none of fall, bra'
bad '{"blocks":[{"id":1,"succ":[1],"term":"exit"}]}' "block 1 ends with 'exit' and has 1 successors"
bad '{"blocks":[{"id":1,"succ":[],"taken":2}]}' '"taken" is not a number from 0 to 1'
says 1 '--function is about modules' --function=main "$work/g.json"
says 1 "there is no function 'x' with blocks" --function=x "$work/g.spv"
says 1 'No such file' "$work/none.json"
says 2 'does not say what to write' "$work/g.json" -o "$work/g.txt"
says 2 '--to expects json, dot' --to=png "$work/g.json"
says 2 '--together expects a power of two' --together=3 "$work/g.json"
says 2 '--taken expects a number from 0 to 1' --taken=2 "$work/g.json"
says 2 '--live expects a number from 1 to 64' --live=0 "$work/g.json"
says 2 'one input at a time' "$work/g.json" "$work/g.spv"
says 2 "nearest: --turns" --turn5=3 "$work/g.json"
printf '{"blocks":[{"id":1,"w":20,"succ":[2]},{"id":2,"w":20,"succ":[2]}]}' >"$work/endless.json"
says 1 'the lanes run more than 100000000 blocks' "$work/endless.json" -o "$work/endless.amber"

[ "$failures" = 0 ]
