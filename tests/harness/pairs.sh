#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# spv-harness compare OLD/ NEW/: two folders of modules. Modules that become slower, faster, wrong, or that no
# longer run; files in one folder only; results that depend on the device; the formats; an interrupt.
# shellcheck source=tests/harness/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
old=$WORK/old new=$WORK/new
mkdir -p "$old/deep" "$new/deep"

# shader FILE BODY: a compute shader with a buffer
shader() {
  cat >"$1" <<END
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint data[]; };
layout(binding = 1) buffer F { float real[]; };
shared uint tile[64];
void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
  $2
}
END
}

# pair NAME OLD_BODY NEW_BODY
pair() {
  shader "$old/$1.comp" "$2"
  shader "$new/$1.comp" "$3"
}

pair same 'data[i] += l;' 'data[i] += l;'
pair deep/slower 'data[i] *= 2u;' 'for (uint k = 0u; k < (l & 7u); k++) data[i]++; data[i] = (data[i] - (l & 7u)) * 2u;'
pair faster 'for (uint k = 0u; k < 9u; k++) data[i]++;' 'data[i] += 9u;'

# ---- figures -----------------------------------------------------------------------------------------

run 0 compare "$old" "$old" && prints "figures of 0 of 3 modules changed" &&
  ends "3 pairs: wrong results 0, no longer run 0, run now 0, changed 0, the same 3"
run 5 compare "$old" "$new" && ends "3 pairs: wrong results 0, no longer run 0, run now 0, changed 2, the same 1"
prints "default: issues more in 1, fewer in 1 of 3 modules; geometric mean "
sed -n 5,6p "$WORK/out" | awk '{ print $NF }' | tr '\n' ' ' | grep -qx "deep/slower.comp faster.comp " ||
  fail "not the worst first: $(cat "$WORK/out")"
sed 1d "$WORK/out" | awk 'length > 80' | grep -q . && fail "more than 80 columns: $(cat "$WORK/out")"

# The table has spv-emu's numbers.
issues=$("$BIN/spv-emu" "$new/deep/slower.comp" --policy=pdom --json 2>/dev/null | sed -n 's/.*"issued": \([0-9]*\).*/\1/p' | head -n 1)
run 5 compare "$old" "$new" --policy=pdom --json
python3 - "$WORK/out" "$issues" <<'END' || fail "the JSON is wrong: $(cat "$WORK/out")"
import json, math, sys
d = json.load(open(sys.argv[1]))
p = d["pairs"][0]
assert p["module"] == "deep/slower.comp" and p["change"] == "changed", p
assert p["policies"][1]["new"] == dict(p["policies"][1]["new"], policy="pdom", issues=int(sys.argv[2]), reason=None), p
r = [q["policies"][0]["issues_ratio"] for q in d["pairs"]]
assert r == sorted(r, reverse=True) and r[0] > 1 > r[2], r
m = d["geometric_means"][0]
assert abs(m["issues_ratio"] - math.prod(r) ** (1 / 3)) < 1e-6 and m["more"] == m["fewer"] == 1, m
assert p["wrong_numbers"] == 0 and d["partial"] is False and d["seed"] == 1
END
run 5 compare "$old" "$new" --csv --policy=pdom,ssy
[ "$(wc -l <"$WORK/out")" = 10 ] || fail "not a line for each pair and policy"
awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' "$WORK/out" || fail "the lines differ in fields"

# ---- results -----------------------------------------------------------------------------------------

pair wrong 'data[i] += l;' 'data[i] += l + uint(i == 70u || i == 71u);'
pair dead 'data[i] += l;' 'real[i] = 1.0;'
run 1 compare "$old" "$new" --filter='wrong*'
prints "wrong result: wrong.comp: buffer 0:0 (B), byte 280: "
prints ", and 1 more numbers"
ends "1 pairs: wrong results 1, no longer run 0, run now 0, changed 0, the same 0"
run 1 compare "$old" "$new" --filter='dead*' && prints "wrong result: dead.comp: buffer 0:0 (B), byte "
# What only the new module writes is compared with what was there before.
pair more 'data[i] += l;' 'data[i] += l; real[i] = 1.0;'
run 1 compare "$old" "$new" --filter='more*' && prints "wrong result: more.comp: buffer 0:1 (F), byte 0: "
pair float 'real[i] = real[i] / 3.0;' 'real[i] = real[i] * (1.0 / 3.0);'
run 1 compare "$old" "$new" --filter='float*' && prints "1 ulps apart"
run 0 compare "$old" "$new" --filter='float*' --ulps=1 && ends "1 pairs: wrong results 0, no longer run 0, run now 0, changed 0, the same 1"
# Numbers that depend on unwritten memory, or on which workgroups run at once, are no wrong results.
pair unwritten 'data[i] = tile[l];' 'data[i] = tile[l] + 1u;'
run 5 compare "$old" "$new" --filter='unwritten*' && prints "left out: unwritten.comp: 256 numbers differ that depend on the device"
pair race 'data[l] = data[l] * 2u;' 'data[l] = data[l] * 2u + 1u;'
run 5 compare "$old" "$new" --filter='race*' --dispatch=2 && prints "left out: race.comp: 64 numbers"
run 1 compare "$old" "$new" --filter='race*'
prints "wrong result: race.comp: buffer 0:0 (B), byte 0: "
prints ", and 63 more numbers (--dispatch=1,1,1)"
run 1 compare "$old" "$new" --filter='wrong*' --seed=7 --emu-subgroup-size=8 && prints "wrong result: wrong.comp"

# ---- tangles -----------------------------------------------------------------------------------------

# The values and the figures are the same, but not the lanes that vote together.
for folder in old new; do
  {
    printf '#version 450\n#extension GL_KHR_shader_subgroup_vote : require\n'
    cat <<'END'
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint data[]; };
void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
  bool all = true;
  if ((l & 7u) < 3u)
    all = subgroupAll(true);
  data[i] += uint(all);
}
END
  } >"$WORK/$folder/vote.comp"
done
run 0 compare "$old" "$new" --filter='vote*' --policy=pdom,scalar
sed -i 's/< 3u/> 4u/' "$new/vote.comp"
run 5 compare "$old" "$new" --filter='vote*' --policy=pdom,scalar
grep -q '^tangles differ: vote.comp, policy pdom: OpGroupNonUniformAll (.*/old/vote.comp:9), subgroup 0: lanes 0-2,8-10,' "$WORK/out" ||
  fail "no tangles: $(cat "$WORK/out")"
ends "1 pairs: wrong results 0, no longer run 0, run now 0, changed 1, the same 0"
run 5 compare "$old" "$new" --filter='vote*' --json
[ "$(jq -c '.pairs[0].policies[0].tangles | .equal, .lanes_different' "$WORK/out" | tr '\n' ' ')" = 'false 192 ' ] ||
  fail "--json: $(cat "$WORK/out")"
run 5 compare "$old" "$new" --filter='vote*' --csv
grep -q ',192,"OpGroupNonUniformAll ' "$WORK/out" ||
  fail "--csv: $(cat "$WORK/out")"

# ---- what does not run -------------------------------------------------------------------------------

rm "$old"/*.comp "$new"/*.comp
pair broken 'data[i] = 1u;' 'data[i] = 1u +;'
pair long 'data[i] = 1u;' 'while (data[0] != 7u) atomicMin(data[0], 6u);'
pair fixed 'data[i] = missing;' 'data[i] = 2u;'
printf '#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); }\n' >"$old/a.frag"
printf '#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { for (int i = 0; i < 3; i++) c += vec4(i); }\n' >"$new/a.frag"
echo 'OpNop' >"$old/gone.spvasm"
echo 'OpNop' >"$new/added.spvasm"
echo 'no shader' >"$new/README"
run 1 compare "$old" "$new" --max-issues=10000
grep -q "^no longer runs: broken.comp: .*:8: " "$WORK/out" || fail "no line of the compiler: $(cat "$WORK/out")"
prints "no longer runs: long.comp: limit: more than 10000 instructions issued (--max-issues)"
prints "runs now: fixed.comp: old: "
grep -q "^not run: a.frag: .*fragment shader" "$WORK/out" || fail "no reason: $(cat "$WORK/out")"
grep -q "^ *- *- *- *- *- *[0-9]* *[0-9]*  a.frag$" "$WORK/out" || fail "no static counts: $(cat "$WORK/out")"
prints "only in $old: gone.spvasm"
prints "only in $new: added.spvasm"
run 1 compare "$old" "$new" --filter='long*' --timeout=4 --max-issues=1000000000000
prints "no longer runs: long.comp: more than 4 seconds (--timeout)"
run 4 compare "$old" "$new" --filter='fixed*'

# ---- an interrupt: what is done is printed -----------------------------------------------------------

pair aa 'data[i] = 1u;' 'data[i] = 1u;'
"$HARNESS" compare "$old" "$new" --filter='[al]*.comp' --jobs=1 --max-issues=1000000000000 >"$WORK/out" 2>"$WORK/err" &
sleep 1
kill -TERM $!
wait $!
got=$?
[ $got = 1 ] || fail "exit code $got after an interrupt: $(cat "$WORK/err")"
prints "pairs: wrong results 0, no longer run 0, run now 0"
says "pairs that were done"

# ---- wrong usage -------------------------------------------------------------------------------------

mkdir "$WORK/empty"
run 1 compare "$old" "$WORK/empty" && says "no module (.spv, .spvasm) or shader is below this folder"
run 1 compare "$old" "$new" --filter='*.hlsl' && says "no module or shader matches the filter"
run 2 compare "$old" "$new/a.frag" && says "compare expects two folders or two results files"
run 2 compare "$old/a.frag" "$new/a.frag" && says "type spv-emu --before=$old/a.frag --after=$new/a.frag"
run 1 compare --csv "$WORK/a.sqlite" "$WORK/b.sqlite" && says "a.sqlite: no such file"
run 2 compare --csv --json "$old" "$new" && says "two formats"
run 2 compare --policy=pdm "$old" "$new" && says "unknown policy 'pdm', nearest: pdom"
run 2 run --policy=pdom "$old" && says "--policy does not apply to run"
finish
