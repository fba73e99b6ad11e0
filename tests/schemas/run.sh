#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What the commands print as JSON is as the schemas in docs/schemas/ say, and each property of a schema is printed by one of
# these runs. A new key: add it to the schema, and a run that prints it.
# Usage: run.sh VALIDATE SPVRECONV SPV-EMU SPV-HARNESS
# shellcheck source=tests/emu/common.sh.inc
validate=$(realpath "$1") reconv=$(realpath "$2")
shift 2
. tests/emu/common.sh.inc
schemas=docs/schemas out=$WORK/values
module=$WORK/module.spvasm case=$WORK/case.amber

# is SCHEMA FILE...
is() {
  schema=$1
  shift
  "$validate" "$schemas/$schema.json" "$@" || fail "$schema"
}

# print COMMAND...: the next file of values, whatever the exit code
mkdir "$out"
count=100
print() {
  count=$((count + 1))
  "$@" >"$out/$count" 2>"$WORK/err"
}

# ---- spvreconv ----

entries=shaders/irreducible/two_entries.spvasm
echo junk >"$WORK/bad.spvasm"
cat >"$WORK/diverging.comp" <<'END'
#version 450
layout(local_size_x = 32) in;
void main() {
  if (gl_LocalInvocationIndex < 5u)
    barrier();
}
END
print "$reconv" "$entries" --json --check
for kernel in mapping images left_out; do
  print "$reconv" tests/golden/kernel_to_shader/$kernel.spvasm --to-vulkan --json -o "$WORK/kernel.spv"
done
print "$reconv" "$entries" --json --print-frontier
print "$reconv" tests/golden/best/profile.spvasm --json --transform=best
print "$reconv" "$entries" --json --transform=reconverge --order=best
print "$reconv" "$entries" "$WORK/bad.spvasm" --json --jobs=1
print "$reconv" "$entries" --explain --json
print "$reconv" "$module" --explain --json
print "$reconv" "$module" --against="$module" --json
print "$reconv" "$WORK/diverging.comp" --lint=error --json
print "$reconv" "$entries" --compare --json
print "$reconv" tests/emu/source/inlined.spvasm --compare --json
"$reconv" "$module" -o - --stats="$out/stats.json" >"$WORK/copy.spv" || fail "--stats=FILE.json"
is spvreconv "$out"/*
cp "$out/101" "$WORK/figures"
for change in 'del(.functions[0].before.blocks)' '.functions[0].more = 1' '.status = "fine"' '.input.words = "4"'; do
  jq "$change" "$WORK/figures" >"$WORK/changed"
  "$validate" "$schemas/spvreconv.json" "$WORK/changed" >"$WORK/why" && fail "accepted with $change"
  grep -q "changed: value 0: " "$WORK/why" || fail "no reason with $change: $(head -n 1 "$WORK/why")"
done
"$validate" "$schemas/spvreconv.json" "$WORK/figures" >"$WORK/why" && fail "accepted without a comparison"
grep -q "no value has the property 'compare'" "$WORK/why" || fail "a property that is not printed: $(cat "$WORK/why")"
rm "$out"/*

# ---- spv-emu ----

buffer='--buffer=0:5:u32[8]=0..'
print "$EMU" --json --policy=pdom,opt,barrier,ssy --cost=kepler shaders/divergence/single_loop.amber
print "$EMU" --json "$case" "$WORK/bad.spvasm"
print "$EMU" --json --subgroup-size=4,8 --seed=1,2 --sweep=subgroups:1,2 --cost=issues,latency=4 "$module"
print "$EMU" --json --subgroup-size=4,8 --transform=none+best "$module"
print "$EMU" --json --before="$module" --after="$module" "$buffer"
for least in 3 4; do
  cat >"$WORK/vote$least.comp" <<END
#version 450
#extension GL_KHR_shader_subgroup_vote : require
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer B { uint data[]; };
void main() { data[gl_LocalInvocationID.x] = gl_LocalInvocationID.x < $least ? uint(subgroupAll(true)) : 1u; }
END
done
print "$EMU" --json --before="$WORK/vote3.comp" --after="$WORK/vote4.comp"
print "$EMU" --json --framebuffer=8x8 --heat-map="$WORK/heat.csv" "$WORK/rings.frag"
print "$EMU" --json tests/emu/source/inlined.spvasm
print "$EMU" --json shaders/image/storage_flood.amber
print "$EMU" --json --advise shaders/irreducible/state_machine.amber
print "$EMU" --json --frame=shaders/irreducible
cat >"$WORK/breach.comp" <<'END'
#version 450
#extension GL_KHR_shader_subgroup_ballot : require
layout(local_size_x = 32) in;
layout(std430, set = 0, binding = 0) buffer B { uint data[]; };
void main() { data[gl_LocalInvocationID.x] = subgroupBroadcast(data[gl_LocalInvocationID.x], data[gl_LocalInvocationID.x] & 7u); }
END
print "$EMU" --json --check=vuid --target-env=vulkan1.2 "$WORK/breach.comp"
is spv-emu "$out"/*
rm "$out"/*

# ---- spv-harness ----

sed 's/EQ 3 4/EQ 3 5/' "$case" >"$WORK/wrong.amber"
print "$HARNESS" run --device=emu --json --artifacts="$WORK/artifacts" "$case" "$WORK/wrong.amber"
is spv-harness-run "$out"/*
finish
