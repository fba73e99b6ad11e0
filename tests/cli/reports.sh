#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --stats, --json, --dump-cfg, --print-uniformity, --time-passes.
# shellcheck source=tests/cli/common.sh.inc
. "$(dirname "$0")/common.sh.inc"

run 0 cycle.spvasm --stats
prints "irreducible loops                  1         0" && prints "structured                        no       yes"
prints "added                     1 block, 1 instruction, 1 selector"
prints "structure                 portable; repaired: 1 violation"
[ "$(wc -l <out)" -le 10 ] || fail "more than ten lines: $(cat out)"
run 0 cycle.spvasm --stats=all
prints "irreducible loops" && prints "added blocks" && prints "expansion area"
sed '/^OpFunctionEnd/,$d' cycle.spvasm >two.spvasm
cat >>two.spvasm <<'END'
OpFunctionEnd
%50 = OpFunction %2 None %3
%51 = OpLabel
OpReturn
OpFunctionEnd
END
run 0 two.spvasm --stats
prints "2         functions             before     after" && prints "structured                    1 of 2       yes"
sed "s/OpName %4 .*/OpName %4 \"$(printf '%0120d' 7)\"/" cycle.spvasm >long.spvasm
for stats in --stats --stats=all; do
  run 0 long.spvasm $stats
  awk 'length > 80' out | grep . && fail "$stats: more than 80 columns"
done
run 0 straight.spvasm --stats && prints ", unchanged"

# In a pipe: the figures go to standard error, or to a file; a name in .json gives JSON.
run 0 cycle.spvasm --stats=all && cp out all.txt
run 0 cycle.spvasm --stats && cp out sum.txt
run 0 cycle.spvasm -o cycle.spv
run 0 - -o - --stats <cycle.spvasm && same out cycle.spv
sed '1s/.*: //; $d' err >err.figures
sed '1s/.*: //' sum.txt >out.figures
same err.figures out.figures
run 0 cycle.spvasm -o - --stats=figures.txt && same out cycle.spv && same figures.txt sum.txt
run 0 cycle.spvasm --stats=./figures --stats=all && same figures all.txt
[ ! -s out ] || fail "figures of a file on standard output, too"
run 0 - -o - --stats=figures.json <cycle.spvasm && same out cycle.spv
[ "$(jq -c '[.input.file, .status, .functions[0].after.structured]' figures.json)" = '["-","ok",true]' ] ||
  fail "figures as JSON: $(cat figures.json)"
run 1 cycle.spvasm -o never.spv --stats=absent/figures.txt && says "absent/figures.txt: No such file or directory"
absent never.spv

run 0 cycle.spvasm --json -o cycle.spv
for key in tool version input file words output changed functions name id before after transform \
  order passes milliseconds blocks edges instructions branches divergent_branches \
  uniform_branches switches loops irreducible_loops multi_exit_loops reducible structured \
  reconverging frontier_average frontier_max frontier_join_blocks frontier_join_edges \
  pdom_join_points code_expansion_percent expansion_area flow_blocks virtual_blocks \
  dispatch_blocks selectors forward_copies backward_copies cuts duplicated_blocks \
  duplicated_instructions added_blocks added_instructions added_phis; do
  prints "\"$key\":"
done
prints '"changed": true'
run 0 cycle.spvasm --transform=none --order=@14,13 --json

# A notice appears once, although the check reads the module, too.
sed 's/^OpReturn$/!0x0001fffe/' straight.spvasm >unknown.spvasm
run 0 unknown.spvasm --check --no-validate -o x.spv && says "the function is left as it is"

# Text of a module that SPIRV-Tools is too old for says how it is assembled; ids that are numbers stay.
sed 's/^OpReturn$/!0x0002fffe !4\nOpReturn/' straight.spvasm >newer.spvasm
run 0 newer.spvasm --transform=none --no-validate -o newer.spv
run 0 newer.spvasm --transform=none --no-validate -o printed.spvasm
grep -q '^; assemble with spirv-as --preserve-numeric-ids, or with spvreconv\.$' printed.spvasm ||
  fail "the text does not say how it is assembled: $(head -n 8 printed.spvasm)"
spirv-as --preserve-numeric-ids printed.spvasm -o again.spv || fail "spirv-as refuses printed.spvasm"
tail -c +21 newer.spv >newer.words
tail -c +21 again.spv >again.words
same newer.words again.words

run 0 cycle.spvasm --transform=none --dump-cfg=before.dot
grep -q 'irreducible cycle %13, 2 entries' before.dot || fail "the cycle is not marked"
run 0 cycle.spvasm --uniformity=divergent --dump-cfg=after.dot
grep -q 'divergent branch</font>' after.dot || fail "divergent branches are not marked"
grep -q 'label=" merge "' after.dot || fail "merges are not drawn"
run 0 cycle.spvasm --dump-cfg=after.svg
head -c 5 after.svg | grep -q '<?xml' || fail "no SVG"

# Messages of Graphviz are dropped, it is stopped when it takes too long, and not run on graphs beyond the limit.
mkdir -p hears sleeps fails
printf '#!/bin/sh\nseq 300 >&2\necho "<?xml"\n' >hears/dot
printf '#!/bin/sh\nexec sleep 1000\n' >sleeps/dot
printf '#!/bin/sh\necho no >&2\nexit 1\n' >fails/dot
chmod +x hears/dot sleeps/dot fails/dot
PATH=$PWD/hears:$PATH run 0 cycle.spvasm --dump-cfg=loud.svg
[ ! -s err ] || fail "a message of Graphviz is printed: $(head -n 1 err)"
[ "$(cat loud.svg)" = "<?xml" ] || fail "loud.svg is not what Graphviz wrote"
PATH=$PWD/sleeps:$PATH run 1 cycle.spvasm --max-time=1 --dump-cfg=late.svg -o late.spv
says "late.svg: 'dot' needs more than 1 s for this graph: name a .dot file instead"
absent late.svg
absent late.spv
PATH=$PWD/fails:$PATH run 1 cycle.spvasm --dump-cfg=broken.svg && says "broken.svg: 'dot' failed"
absent broken.svg
{
  echo "$header"
  for i in $(seq 1 499); do
    printf 'OpBranch %%%d\n%%%d = OpLabel\n' $((100 + i)) $((100 + i))
  done
  printf 'OpReturn\nOpFunctionEnd\n'
} >500.spvasm
sed 's/^OpReturn$/OpBranch %99\n%99 = OpLabel\nOpReturn/' 500.spvasm >501.spvasm
PATH=$PWD/hears:$PATH run 0 500.spvasm --dump-cfg=500.svg
PATH=$PWD/sleeps:$PATH run 1 501.spvasm --dump-cfg=501.svg
says "501.svg: 501 blocks are too many for a picture, 500 is the limit: name a .dot file instead"
absent 501.svg
run 0 501.spvasm --dump-cfg=501.dot
# shellcheck disable=SC2123 # tests a path without Graphviz
PATH=/nonexistent
run 1 cycle.spvasm --dump-cfg=none.svg
PATH=/usr/local/bin:/usr/bin:/bin
says "none.svg: cannot run 'dot'"
absent none.svg

run 0 cycle.spvasm --transform=none --print-uniformity
prints "; uniform branch"
run 0 cycle.spvasm --transform=none --print-uniformity --uniformity=divergent
prints "; divergent branch"

# Thread frontiers: in any order, as text, in JSON, in pictures; figures follow the order, too.
run 0 cycle.spvasm --transform=none --print-frontier --order=bf
prints "function main, priorities of bf:"
run 0 cycle.spvasm --transform=none --print-frontier --json
jq -e '.functions[0].frontiers | length > 2 and all(has("block") and has("frontier") and has("checks"))' out >/dev/null ||
  fail "no frontiers in JSON"
for order in lrpo bf; do
  run 0 cycle.spvasm --transform=none --print-frontier --json --order=$order
  jq -e '.functions[0] | .after.frontier_average == ([.frontiers[].frontier | length] | add) / .after.blocks and
    .after.frontier_checks == ([.frontiers[].checks | length] | add)' out >/dev/null || fail "$order: figures of other frontiers"
  cp out "$order.json"
done
cmp -s lrpo.json bf.json && fail "the same frontiers in all orders"
run 0 cycle.spvasm --json
grep -q frontiers out && fail "frontiers that no option asks for"
run 0 cycle.spvasm --transform=none --print-frontier --dump-cfg=frontier.dot
grep -q 'waiting: %' frontier.dot || fail "no frontier in the picture"
grep -q 'arrowtail=diamond' frontier.dot || fail "no check in the picture"
run 0 cycle.spvasm --transform=none --dump-cfg=plain.dot
grep -q 'waiting\|diamond' plain.dot && fail "frontiers in a plain picture"
run 2 cycle.spvasm --print-frontier -o -

run 0 cycle.spvasm --compare
for row in transform none structurize "reconverge *dfpd" "reconverge *lrpo" linearize guard; do
  grep -q "^$row  *[a-z0-9]" out || fail "no row of $row"
done
[ "$(sed -n 's/  *refused: .*//p' out | tr '\n' ' ')" = "bound-loops phi-variables " ] || fail "what refuses the cycle: $(cat out)"
run 0 cycle.spvasm --compare --json
for key in compare transform order status message blocks instructions expansion_percent flow_blocks \
  selectors duplicated_instructions structured reconverging reducible milliseconds; do
  prints "\"$key\":"
done
# A row for each transform that makes one shader of another. Its issues are those that best measures; those of inlined code are not known.
"$SPVRECONV" --help | sed -n '/^Transforms:/,/^$/s/^  \([a-z-]*\) .*/\1/p' | grep -vx 'unstructure\|kernel-to-shader' | sort >transforms
jq -r '.compare[].transform' out | sort -u >rows
same transforms rows
cat >called.comp <<'END'
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer B { uint data[]; };
uint steps(uint n) {
  uint count = 0u;
  for (; n > 1u; n = n % 2u == 0u ? n / 2u : 3u * n + 1u)
    count++;
  return count;
}
void main() { if (data[gl_LocalInvocationID.x] > 3u) data[gl_LocalInvocationID.x] = steps(data[gl_LocalInvocationID.x]); }
END
run 0 called.comp --json --transform=best
jq -c '[.functions[].best | [.input, .structurize, .chosen] | map(.frontier_issues + .stack_issues)] | transpose | map(add)' out >measured
run 0 called.comp --compare --json
jq -c '[.compare[] | select(.transform == ("none", "structurize", "best")).issues]' out >compared
same measured compared
[ "$(jq '.compare[] | select(.transform == "inline").issues' out)" = null ] || fail "issues of inlined code"
run 0 called.comp --compare
grep -Eq '^none .* [0-9]+ {10}' out || fail "no issues of the input: $(cat out)"
grep -Eq '^linearize .* [0-9]+ +[+][1-9][0-9.]+ % ' out || fail "no change of issues: $(cat out)"
grep -Eq '^inline .* unknown ' out || fail "unknown issues: $(cat out)"
run 2 cycle.spvasm --compare -o compare.spv
says "only --json"
absent compare.spv

run 0 cycle.spvasm --time-passes
for pass in read auto check write validate total; do
  grep -Eq "^$pass +[0-9]+\.[0-9]{3} +[0-9.]+%$" err || fail "no time of $pass: $(cat err)"
done
grep -q "^total .* 100.0%$" err || fail "no total: $(cat err)"
awk 'length > 80' err | grep . && fail "--time-passes: more than 80 columns"

# The module as text, with what the analysis knows of values and branches in a column of its own; a longer line ends
# with it.
cat >values.spvasm <<'END'
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %4 "main" %5
OpExecutionMode %4 LocalSize 8 1 1
OpDecorate %5 BuiltIn LocalInvocationIndex
%2 = OpTypeVoid
%3 = OpTypeFunction %2
%6 = OpTypeBool
%7 = OpTypeInt 32 0
%8 = OpTypePointer Input %7
%9 = OpConstant %7 12
%10 = OpTypeArray %7 %9
%5 = OpVariable %8 Input
%4 = OpFunction %2 None %3
%11 = OpLabel
%20 = OpLoad %7 %5
%21 = OpIAdd %7 %9 %9
%22 = OpCompositeConstruct %10 %9 %9 %9 %9 %9 %9 %9 %9 %9 %9 %9 %20
%23 = OpIEqual %6 %20 %9
OpSelectionMerge %13 None
OpBranchConditional %23 %12 %13
%12 = OpLabel
OpBranch %13
%13 = OpLabel
OpReturn
OpFunctionEnd
END
run 0 --print-uniformity values.spvasm
sed -n '/OpLoad/,/OpBranchC/p' out >listed
cat >expected <<'END'
         %20 = OpLoad %7 %5                                              ; divergent
         %21 = OpIAdd %7 %9 %9                                           ; uniform
         %22 = OpCompositeConstruct %10 %9 %9 %9 %9 %9 %9 %9 %9 %9 %9 %9 %20 ; divergent
         %23 = OpIEqual %6 %20 %9                                        ; divergent
               OpSelectionMerge %13 None
               OpBranchConditional %23 %12 %13                           ; divergent branch
END
same listed expected
finish
