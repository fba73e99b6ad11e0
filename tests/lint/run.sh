#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# spvreconv --lint on 60 planted breaches: 20 ways to control an operation, each with a barrier, with a derivative or
# sample, and with an operation of the subgroup or quad. If what controls differs between lanes, exactly these lines are
# reported, and each reason ends at the line where the lane's number is read; if it does not, nothing is. What breaches
# the rules at run time (spv-emu --check) has been reported.
# Usage: run.sh SPVRECONV SPV-EMU
set -eu
cd "$(dirname "$0")/../.."
reconv=$1 emu=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "lint: $*" >&2
  exit 1
}

# functions: 20 functions; OP is an operation, V what controls it
functions() {
  cat <<'END'
struct Pair { uint x, y; };
uint same(uint x) { return x; }
void give(uint x, out uint y) { y = x; }
void operate() { OP }
void deeper() { OP }
void deep() { deeper(); }
void f01(uint v) { if (v > 3u) { OP } }
void f02(uint v) { if (v > 3u) result++; else { OP } }
void f03(uint v) { for (uint i = 0u; i < v; i++) { OP } }
void f04(uint v) { for (uint i = 0u; i < 9u; i++) { if (i > v) break; OP } }
void f05(uint v) { for (uint i = 0u; i < 9u; i++) { if (i == v) continue; OP } }
void f06(uint v) { uint k = v; while (k > 0u) { OP k--; } }
void f07(uint v) { uint k = 0u; do { OP k++; } while (k < v); }
void f08(uint v) { switch (v) { case 1u: OP break; default: result++; } }
void f09(uint v) { switch (v) { case 1u: result++; case 2u: result += 2u; break; default: OP } }
void f10(uint v) { if (count > 2u) { if (v > 1u) { OP } } }
void f11(uint v) { if (v > 3u) return; OP }
void f12(uint v) { uint a = 0u; if (v > 1u) a = 1u; if (a == 1u) { OP } }
void f13(uint v) { uint a[4] = uint[4](0u, 0u, 0u, 0u); a[v & 3u] = 1u; if (a[0] == 1u) { OP } }
void f14(uint v) { Pair s; s.x = v; s.y = 1u; if (s.x > s.y) { OP } }
void f15(uint v) { uint r; give(v, r); if (r > 1u) { OP } }
void f16(uint v) { if (same(v) > 1u) { OP } }
void f17(uint v) { if (v > 1u) operate(); }
void f18(uint v) { for (uint i = 0u; i < 4u; i++) { if (i == v) deep(); } }
void f19(uint v) { for (uint i = 0u;; i++) { if (i >= v) { OP break; } } }
void f20(uint v) { if (count > 1u && v > 2u) { OP } }
END
}

# operations OPERATION...: an OP in each line becomes the next of the operations
operations() {
  awk -v list="$*" 'BEGIN { count = split(list, op, "|") }
    /OP/ { gsub(/OP/, op[n++ % count + 1]) }
    { print }'
}

# shader HEAD-LINES OPERATIONS SOURCE: the whole shader; SOURCE is what V is
shader() {
  printf '%s\n' "$1" 'layout(push_constant) uniform Push { uint count; };' 'uint result = 0u;'
  functions | operations "$2"
  printf 'void main() {\n  uint v = %s;\n' "$3"
  for k in 01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20; do echo "  f$k(v);"; done
  echo '}'
}

# lines FILE: of the findings, in order
lines() {
  jq -r '.lint[].line' "$1" | sort -n
}

# check NAME STAGE RULES HEAD OPERATIONS SOURCE UNIFORM-SOURCE
check() {
  file=$work/$1.$2
  shader "$4" "$5" "$6" >"$file"
  "$reconv" --lint --json --target-env=vulkan1.3 "$file" >"$work/found" || fail "$1: exit status $?"
  # the lines of the operations, found by the text of the operations
  echo "$5" | tr '|' '\n' | grep . >"$work/texts"
  grep -n -F -f "$work/texts" "$file" | cut -d : -f 1 >"$work/planted"
  [ "$(wc -l <"$work/planted")" -eq 20 ] || fail "$1: $(wc -l <"$work/planted") planted breaches"
  lines "$work/found" | diff "$work/planted" - >"$work/diff" || fail "$1: lines planted and found differ: $(cat "$work/diff")"
  jq -e --arg rules "$3" 'all(.lint[]; .rule as $r | $rules | split(" ") | index($r))' "$work/found" >"$work/out" ||
    fail "$1: rules $(jq -c '[.lint[].rule] | unique' "$work/found")"
  source=$(grep -n '  uint v = ' "$file" | cut -d : -f 1)
  jq -e --argjson line "$source" 'all(.lint[]; .reasons[-1].line == $line)' "$work/found" >"$work/out" ||
    fail "$1: reasons that do not end in line $source: $(jq -c ".lint[] | select(.reasons[-1].line != $source) | [.line, .reasons[-1]]" "$work/found")"
  shader "$4" "$5" "$7" >"$file.uniform.$2"
  "$reconv" --lint=error --target-env=vulkan1.3 "$file.uniform.$2" >"$work/out" ||
    fail "$1: uniform control is reported: $(head -n 3 "$work/out")"
}

subgroups='#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require'
compute='layout(local_size_x = 64) in;
layout(binding = 0) buffer Out { uint words[]; };'
fragment='#version 450
layout(binding = 0) uniform sampler2D picture;
layout(location = 0) flat in uint number;
layout(location = 0) out vec4 color;'

check barrier comp barrier "#version 450
$compute" 'barrier();' gl_LocalInvocationIndex count
check group comp barrier "#version 450
$compute" 'barrier();' 'words[gl_LocalInvocationIndex]' words[0]
check quads frag 'derivative sample' "$fragment" \
  'color += dFdx(gl_FragCoord);|color += texture(picture, gl_FragCoord.xy);|color += fwidth(gl_FragCoord);' \
  'uint(gl_FragCoord.x)' number
check subgroup comp 'subgroup quad' "#version 450
$subgroups
$compute" 'words[0] = subgroupAdd(result);|words[1] = subgroupBallot(true).x;|words[2] = subgroupQuadSwapHorizontal(result);|words[3] = subgroupShuffle(result, 1u);|words[4] = uint(subgroupAny(result > 1u));' \
  'gl_SubgroupInvocationID' count

# ---- lanes that end, memory, promises ----

# finds NAME STAGE "LINE RULE; ..." : the shader on standard input has these findings
finds() {
  cat >"$work/$1.$2"
  "$reconv" --lint --json --target-env=vulkan1.3 "$work/$1.$2" >"$work/found" || fail "$1: exit status $?"
  found=$(jq -r '[.lint[] | "\(.line) \(.rule)"] | join("; ")' "$work/found")
  [ "$found" = "$3" ] || fail "$1: found '$found', not '$3'"
}

finds early comp '10 barrier' <<END
#version 450
$subgroups
layout(local_size_x = 64) in;
shared uint x;
void main() { if (gl_LocalInvocationIndex > 40u) return; x = subgroupAdd(gl_LocalInvocationIndex);
barrier(); }
END
finds after_loop comp '8 subgroup' <<END
#version 450
$subgroups
layout(local_size_x = 64) in; shared uint x;
void main() { for (uint k = 0u; k < 9u; k++) { if (gl_LocalInvocationIndex == k) return; x = subgroupAdd(x); }
x = subgroupAdd(x); }
END
finds ended frag '9 derivative; 10 derivative' <<END
#version 450
layout(location = 0) out vec4 color;
layout(location = 0) flat in uint number;
void cut() {
  if (gl_FragCoord.x > 3.0) discard;
}
void main() {
  cut();
  color = dFdx(gl_FragCoord);
  if (number > 3u) color += dFdx(gl_FragCoord);
}
END
[ "$(jq -c '[.lint[].reasons[].line]' "$work/found")" = '[8,5,5,5,8,5,5,5]' ] || fail "ended: $(jq -c '[.lint[0].reasons[]]' "$work/found")"
finds all_end frag '' <<END
#version 450
layout(location = 0) out vec4 color;
layout(location = 0) flat in uint number;
void cut() {
  if (number > 3u) discard;
}
void main() {
  cut();
  color = dFdx(gl_FragCoord);
}
END
# the lanes of a quad are in one cell of a grid with an even step
finds cells frag '8 derivative; 9 derivative; 10 derivative' <<END
#version 450
layout(location = 0) out vec4 color;
void main() {
  uvec2 cell = uvec2(gl_FragCoord.xy) / uvec2(4u, 8u);
  if (int(gl_FragCoord.x) / 2 == 3) color += dFdx(gl_FragCoord);
  if (uint(gl_FragCoord.y) >> 1u == 3u) color += dFdx(gl_FragCoord);
  if (cell.x == 3u && (int(gl_FragCoord.y) & ~1) == 4) color += dFdx(gl_FragCoord);
  if (int(gl_FragCoord.x) / 3 == 3) color += dFdx(gl_FragCoord);
  if (int(gl_FragCoord.z) / 2 == 3) color += dFdx(gl_FragCoord);
  if ((ivec4(gl_FragCoord).wz / 2).x == 3) color += dFdx(gl_FragCoord);
}
END
# shared memory between barriers, and without the second one
rounds() {
  cat <<END
#version 450
layout(local_size_x = 64) in;
shared uint stop;
void main() {
  stop = 0u;
  for (uint i = 0u; i < 9u; i++) {
    if (gl_LocalInvocationIndex == i) stop = 1u;
    barrier();
    if (stop == 1u) break;
    $1
  }
  barrier();
}
END
}
rounds 'barrier();' | finds settled comp ''
rounds 'memoryBarrierShared();' | finds unsettled comp '8 barrier'
# tasks that lane 0 takes from a buffer, through a function, until there are none; then with another mark for none, with
# indices that may be the mark, with a read after other workgroups' writes may have come, and with a write that no barrier
# orders after the read
tasks() {
  cat <<END
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Work { uint done, next, last; };
shared uint row;
uint fetch() {
  barrier();
  if (gl_LocalInvocationIndex == 0u) { row = atomicAdd(next, 1u); if (row > last) done = 1u; }
  barrier();
  ${3:-}
  if (done == 1u) return $1;
  return $2;
}
void main() {
  for (uint i = fetch(); i != $1; i = fetch()) { last += i; ${4:-} }
}
END
}
index='row * 64u + gl_LocalInvocationID.x'
tasks '~0u' "$index" | finds tasks comp ''
tasks 0u "$index" | finds tasks_zero comp '6 barrier; 8 barrier'
tasks '~0u' 'row * 63u + gl_LocalInvocationID.x' | finds tasks_dense comp '6 barrier; 8 barrier'
tasks '~0u' 'row * 64u + gl_LocalInvocationID.x - 1u' | finds tasks_less comp '6 barrier; 8 barrier'
tasks '~0u' "$index" 'memoryBarrierBuffer();' | finds tasks_acquire comp '6 barrier; 8 barrier'
tasks '~0u' "$index" '' 'row = 0u;' | finds tasks_write comp '6 barrier; 8 barrier'
# an operation of the subgroup, and the same in an entry point that promises maximal reconvergence
cat >"$work/plain.comp" <<END
#version 450
$subgroups
layout(local_size_x = 64) in;
shared uint x;
void main() { if (gl_LocalInvocationIndex > 4u) x = subgroupAdd(x); }
END
"$reconv" --transform=none --target-env=vulkan1.3 "$work/plain.comp" -o "$work/plain.spvasm"
sed 's,^ *OpExecutionMode[Id]* \(%[0-9]*\) LocalSize.*,&\nOpExecutionMode \1 !6023,' "$work/plain.spvasm" >"$work/promise.spvasm"
for module in plain promise; do "$reconv" --lint "$work/$module.spvasm" | grep -c 'warning: .*\[subgroup\]' >"$work/$module.count" || true; done
[ "$(cat "$work/plain.count" "$work/promise.count" | tr '\n' ' ')" = '1 0 ' ] ||
  fail "promise: $(cat "$work/plain.count" "$work/promise.count")"

# ---- loops and branches with ways to end, with nothing or something after them ----

compute_operations='barrier(); // barrier
words[0] = subgroupAdd(result); // subgroup
words[1] = subgroupBallot(true).x; // subgroup
words[2] = subgroupQuadSwapHorizontal(result); // quad
words[3] = subgroupShuffle(result, 1u); // subgroup
words[4] = uint(subgroupAny(result > 1u)); // subgroup'
fragment_operations='color += dFdx(gl_FragCoord); // derivative
color += texture(picture, gl_FragCoord.xy); // sample'

# ways: each with its beginning and end, in a line
cat >"$work/ways" <<'END'
for (uint k = 0u; k < v; k++) {|}
uint k = 0u; do {|} while (++k < v);
for (uint k = 0u;; k++) { if (k >= v) return;|}
for (uint k = 0u; k < 9u; k++) { if (k == v) { result++; return; }|}
for (uint k = 0u; k < 9u; k++) { if (k > 3u) result++; if (k == v) break;|}
if (v > 2u) { if (count > 9u) return; if (count > 8u) result++;|} else result--;
END
cat >"$work/afters" <<'END'

result += 2u;
if (count < 99u) result += 2u;
END
# ending HEAD OPERATIONS SOURCE STAGE: for each way and what follows it, a shader that ends so; each line that ends in
# "// RULE" is reported. Then the same as the ends of functions.
ending() {
  n=0
  : >"$work/bodies"
  while IFS='|' read -r begin end; do
    while read -r after; do
      n=$((n + 1))
      printf '%s\n' "$begin" "$2" "$end" "$after" >"$work/body"
      { echo "void f$n(uint v) {" && cat "$work/body" && echo '}'; } >>"$work/bodies"
      { heading "$1" && echo "void main() { uint v = $3;" && cat "$work/body" && echo '}'; } >"$work/made"
      found_as_marked "ending$n" "$4"
    done <"$work/afters"
  done <"$work/ways"
  for source in "$3" count; do
    { heading "$1" && cat "$work/bodies" && echo "void main() { uint v = $source;" && seq -f 'f%.0f(v);' "$n" && echo '}'; } >"$work/made"
    [ "$source" != count ] || sed -i 's, // [a-z]*$,,' "$work/made"
    found_as_marked "functions" "$4"
  done
}
heading() {
  printf '%s\n' "$1" 'layout(push_constant) uniform Push { uint count; };' 'uint result = 0u;'
}
found_as_marked() {
  marked=$(grep -n -o '// [a-z]*$' "$work/made" | sed 's,:// , ,' | paste -s -d ';' | sed 's/;/; /g')
  finds "$1" "$2" "$marked" <"$work/made"
}
ending "#version 450
$subgroups
$compute" "$compute_operations" gl_LocalInvocationIndex comp
head -n 1 "$work/afters" >"$work/none" && mv "$work/none" "$work/afters"
ending "$fragment" "$fragment_operations" 'uint(gl_FragCoord.x)' frag

# ---- SARIF, exit status ----

# Each result has a rule of the list, and a place in the file; paths are URIs.
mkdir "$work/a b"
cp "$work/barrier.comp" "$work/a b/50%.comp"
status=0
"$reconv" --lint=error --sarif="$work/found.sarif" "$work/a b/50%.comp" >"$work/out" || status=$?
[ $status -eq 1 ] || fail "--lint=error: exit status $status"
grep -c ': error: .*\[barrier\]$' "$work/out" | grep -qx 20 || fail "--lint=error: $(head -n 3 "$work/out")"
jq -e '.version == "2.1.0" and (.runs[0] | (.tool.driver.rules | map(.id)) as $rules | .tool.driver.name == "spvreconv" and
  (.results | length) == 20 and all(.results[]; .level == "error" and $rules[.ruleIndex] == .ruleId and (.message.text | length) > 20
    and (.locations[0].physicalLocation | (.artifactLocation.uri | endswith("/a%20b/50%25.comp")) and .region.startLine > 0)
    and all(.relatedLocations[]; .physicalLocation.region.startLine > 0 and (.message.text | length) > 5)))' \
  "$work/found.sarif" >"$work/out" || fail "SARIF: $(jq -c '.runs[0].results[0]' "$work/found.sarif")"

# ---- what happens at run time has been reported ----

# confirmed NAME STAGE CHECK OPTION...
confirmed() {
  name=$1 stage=$2 check=$3
  shift 3
  "$reconv" --lint --json --target-env=vulkan1.3 "$work/$name.$stage" >"$work/found"
  lines "$work/found" | sort -u >"$work/reported"
  "$emu" --check="$check" --push-constant=u32[1]=5 "$@" --json --target-env=vulkan1.3 "$work/$name.$stage" >"$work/run" \
    2>"$work/err" || true
  jq -r '.results[].breaches[]?.line' "$work/run" | sort -u >"$work/breached"
  [ "$(wc -l <"$work/breached")" -ge 10 ] || fail "$name: few breaches at run time: $(cat "$work/breached" "$work/err")"
  sort -u "$work/reported" >"$work/known"
  unknown=$(comm -23 "$work/breached" "$work/known")
  [ -z "$unknown" ] || fail "$name: breaches at run time that are not reported: lines $unknown"
}
confirmed quads frag vuid --framebuffer=16x4
confirmed subgroup comp convergence --buffer=0:0:u32[64]=0..

# What it reports in cases that keep the rules with their own data, other data shows (docs/lint.md).
# shows CASE DATA OTHER-DATA
shows() {
  sed "s/^  $2/  $3/" "shaders/$1" >"$work/other.amber"
  "$emu" --check=vuid --policy=maximal "shaders/$1" >"$work/out" 2>&1 || fail "$1: $(cat "$work/out")"
  "$emu" --check=vuid --policy=maximal "$work/other.amber" >"$work/out" 2>&1 && fail "$1: no breach with $3"
  grep -q 'OpControlBarrier: a barrier of the workgroup in control flow that is not uniform' "$work/out" ||
    fail "$1: $(cat "$work/out")"
}
shows barrier/exception.amber '1252 2841' '0 2841'
shows frontier/barrier_exit.amber '0x3 0x0 0x3' '0x1 0x0 0x3'
shows frontier/barrier_loop.amber '0x16 0x28' '0x16 0x2'
echo "lint: 60 planted breaches are found"
