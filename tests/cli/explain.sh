#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# --explain: for every rule, the violation, the edge at fault and the advice; the advice, followed, ends in a valid
# module. Entries of irreducible cycles; modules that are invalid otherwise; several inputs; names of text; JSON.
# Usage: explain.sh PATH/spvreconv
source=$PWD
# shellcheck source=tests/cli/common.sh.inc
. "$(dirname "$0")/common.sh.inc"
explained=

# follow NAME: begins with the module tests/structure/NAME.spvasm
follow() {
  cp "$source/tests/structure/$1.spvasm" now.spvasm
}

# step RULE TEXT SED: --explain names the rule and prints the text, which has the edge and the advice; the sed script
# does what the advice says
step() {
  run 1 --explain now.spvasm
  grep -F "[$1: " out | grep -qF -- "$2" || fail "$1: no '$2' in: $(cat out)"
  sed "$3" now.spvasm >next.spvasm
  cmp -s now.spvasm next.spvasm && fail "$1: the script changes nothing"
  mv next.spvasm now.spvasm
  explained="$explained $1"
}

# valid: so it is
valid() {
  run 0 --explain now.spvasm
  [ ! -s out ] || fail "advice followed: $(cat out)"
  grep -q '!6023' now.spvasm && return # SPIRV-Tools may not know it
  { spirv-as --preserve-numeric-ids now.spvasm -o now.spv && spirv-val now.spv; } || fail "advice followed: not valid"
}

follow bad_loop_before_switch
step merge_terminator '%11 has an OpLoopMerge, but ends in an instruction that cannot follow one; move the OpSwitch to a block of its own, after an OpSelectionMerge' \
  's/OpSwitch %6 %13 0 %14/OpBranch %30\n%30 = OpLabel\nOpSelectionMerge %31 None\n&\n%31 = OpLabel\nOpBranch %13/'
step case_dominance 'switch header %30 branches straight to %13, which other paths reach too; give that case a block of its own that branches to %13' \
  's/OpSwitch %6 %13 0 %14/OpSwitch %6 %32 0 %33\n%32 = OpLabel\nOpBranch %13\n%33 = OpLabel\nOpBranch %14/'
valid
follow bad_selection_before_branch
step merge_terminator '%10 has an OpSelectionMerge, but ends in an instruction that cannot follow one; drop the merge' '/OpSelectionMerge/d'
valid
follow bad_shared_merge
step merge_unique 'block %13 is the merge block of header %10 and of header %11; give %11 an empty merge block of its own that branches to %13' \
  '/%11 = OpLabel/,/%12 = OpLabel/s/%13/%30/; s/OpBranch %13/OpBranch %30\n%30 = OpLabel\nOpBranch %13/'
valid
follow bad_merge_not_dominated
step merge_dominance 'edge %10 -> %13 reaches the merge block of header %11 on a path around the header; give the header an empty merge block of its own, which branches to %13' \
  '/%11 = OpLabel/,/%12 = OpLabel/s/%13/%30/; s/OpBranch %13/OpBranch %30\n%30 = OpLabel\nOpBranch %13/'
valid
follow bad_arm_entered
step merge_dominance 'edge %13 -> %15 enters the construct of header %12 past the header, so that the header does not dominate its merge block %16; let %13 branch to a copy of %15, and give the header an empty merge block of its own, which branches to %16' \
  '/%12 = OpLabel/,/%16 = OpLabel/s/\(Merge\|Branch\) %16/\1 %32/; s/%16 = OpLabel/%32 = OpLabel\nOpBranch %16\n&/; s/OpBranch %15/OpBranch %30\n%30 = OpLabel\n%31 = OpIAdd %5 %6 %6\nOpBranch %16/'
valid
follow bad_merge_is_header
step merge_dominance 'header %11 does not strictly dominate its merge block %11, which is itself; name the block that follows the construct' \
  "s/Merge %11/Merge $(sed -n 's/ *\(%[0-9]*\) = OpLabel/\1/p' now.spvasm | tail -n 1)/"
valid
follow bad_merge_is_target
step merge_distinct 'loop header %11 names %12 both as merge block and as continue target; name another merge block, which follows the loop or ends in OpUnreachable' \
  's/OpLoopMerge %12/OpLoopMerge %30/; s/OpFunctionEnd/%30 = OpLabel\nOpUnreachable\n&/'
valid
follow bad_target_not_dominated
step continue_dominance 'edge %10 -> %12 reaches the continue target of header %11 on a path around the header; give the loop an empty continue block of its own, in place of %12' \
  's/Merge %13 %12/Merge %13 %30/; s/OpBranchConditional %7 %12 %13/OpBranchConditional %7 %30 %13\n%30 = OpLabel\nOpBranch %11/'
valid
follow bad_cycle_without_loop
step back_edge_target 'edge %12 -> %11 closes a cycle, but %11 has no OpLoopMerge; make it a loop header' 's/OpSelectionMerge %13/OpLoopMerge %13 %12/'
valid
# An irreducible cycle.
cp cycle.spvasm now.spvasm
step back_edge_target 'edge %13 -> %12 closes a cycle that is entered at %12 and %13; give it one entry: a loop header before these blocks, to which all edges to them lead' \
  's/^%8 = .*/&\n%9 = OpConstantFalse %6/; s/OpBranchConditional %8 %12 %13/OpBranch %30\
%30 = OpLabel\
%31 = OpPhi %6 %8 %10 %36 %33\
OpLoopMerge %14 %33 None\
OpBranch %34\
%34 = OpLabel\
OpSelectionMerge %35 None\
OpBranchConditional %31 %12 %13/; s/OpBranchConditional %8 %1[23] %14/OpBranchConditional %8 %35 %14/; s/^%14 = OpLabel/%35 = OpLabel\
%36 = OpPhi %6 %9 %12 %8 %13\
OpBranch %33\
%33 = OpLabel\
OpBranch %30\
&/'
valid
follow bad_two_back_edges
step back_edge_count 'loop header %11 has back edges from %12 and from %13; send both to its continue target %13 and branch back from there' \
  's/OpBranchConditional %7 %11 %13/OpBranch %13/'
valid
follow bad_no_back_edge
step back_edge_count 'loop header %11 has no back edge; branch to it from its continue target' '/%12 = OpLabel/,/OpFunctionEnd/s/OpUnreachable\|OpBranch %13/OpBranch %11/'
valid
follow bad_back_edge_from_body
step back_edge_source 'back edge %12 -> %11 comes from outside the loop'"'"'s continue construct; route it through the continue target %13' \
  's/OpBranchConditional %7 %11 %14/OpBranchConditional %7 %13 %14/; s/OpUnreachable/OpBranch %11/'
valid
follow bad_own_target
step continue_postdominance '%11 is its own continue target, but its back edge comes from %12; name %12 or a block before it as the continue target' 's/OpLoopMerge %13 %11/OpLoopMerge %13 %12/'
valid
follow bad_no_merge
step selection_merge '%10 branches to %11 and %12 without an OpSelectionMerge, and neither edge leaves a construct; declare where the two sides meet' \
  's/OpBranchConditional/OpSelectionMerge %13 None\n&/'
valid
follow bad_enter_selection
step construct_entry 'edge %13 -> %12 enters the selection construct of %10 past its header; enter at the header, or reach %12 through the merge block %13 alone' \
  '/%11 = OpLabel/,/%12 = OpLabel/s/OpBranch %12/OpBranch %13/; /%12 = OpLabel/,/OpReturn/d; s/OpBranch %12/&\n%12 = OpLabel\nOpReturn/'
valid
follow bad_continue_from_outside
step continue_entry 'edge %14 -> %13 enters the continue target of loop %11 from outside its loop construct; name a later block as the loop'"'"'s merge block' \
  's/OpLoopMerge %14/OpLoopMerge %15/'
valid
follow bad_exit_to_outer_merge
step selection_exit 'edge %12 -> %15 leaves the selection construct of %11 for a block that is neither its merge block %14 nor a break or continue of the innermost loop or switch; route it through %14' \
  '/%12 = OpLabel/,/%13 = OpLabel/s/OpBranch %15/OpBranch %14/'
valid
follow bad_exit_two_loops
step loop_exit 'edge %13 -> %20 leaves the loop construct of %12 for a block that is neither its merge block %17 nor its continue target %16; route it through %17' \
  's/OpBranchConditional %7 %14 %20/OpBranchConditional %7 %14 %17/'
valid
follow bad_exit_of_continue
step continue_exit 'edge %12 -> %13 leaves the continue construct %12 of loop %11 for a block that is neither the header nor the merge block %14; route it through %14' \
  's/OpBranchConditional %7 %11 %13/OpBranchConditional %7 %11 %14/'
valid
follow bad_case_is_target
step case_dominance 'switch header %12 branches straight to %15' 's/OpSwitch %6 %14 0 %15 1 %13/OpSwitch %6 %14 0 %30 1 %13\n%30 = OpLabel\nOpBranch %15/'
valid
follow bad_shared_block
step case_exit 'edge %11 -> %13 leaves case %11 of switch %10 for a block that other cases reach too; put it after the merge block %20' \
  's/OpBranch %13/OpBranch %20/; /%13 = OpLabel/,/OpBranch %20/d; s/OpReturn/OpBranch %13\n%13 = OpLabel\nOpReturn/'
valid
follow bad_fall_two
step case_fan_out 'case %11 of switch %10 branches to case %12 and, by edge %11 -> %13, to case %13; only one of them is allowed: let %11 branch to a copy of %13' \
  's/OpBranchConditional %7 %12 %13/OpBranchConditional %7 %12 %30\n%30 = OpLabel\nOpBranch %20/'
valid
follow bad_fall_shared
step case_fan_in 'case %13 of switch %10 is branched to by case %11 and, by edge %12 -> %13, by case %12; only one of them is allowed: let %12 branch to a copy of %13' \
  '/%12 = OpLabel/,/%13 = OpLabel/s/OpBranch %13/OpBranch %30\n%30 = OpLabel\nOpBranch %20/'
step case_order 'case %11 of switch %10 falls through to case %13, but does not immediately precede it in the OpSwitch; reorder its targets' \
  's/0 %11 1 %12 2 %13/1 %12 0 %11 2 %13/'
valid
follow bad_undeclared_join
step declared_join 'is reached from %left and from %right, but no instruction declares it as a place where lanes meet; give one of the branches before it an OpSelectionMerge that names it' \
  's/OpSelectionMerge %merge/OpSelectionMerge %shared/'
valid
follow bad_same_labels
step distinct_labels 'both labels of the OpBranchConditional of block %entry are %merge; use OpBranch, without a merge instruction' \
  '/OpSelectionMerge/d; s/OpBranchConditional.*/OpBranch %merge/'
valid
follow bad_dead_case_breaks
if ! "$SPVRECONV" --explain now.spvasm >/dev/null 2>&1; then # SPIRV-Tools up to 2024.4
  step case_exit 'edge %17 -> %20 leaves case %15 of switch %14 for the loop around it, but no branch leads to that case' \
    '/%17 = OpLabel/,/%18 = OpLabel/s/OpBranch %20/OpBranch %18/'
  valid
fi
sed -n 's/^SR_RULE(\([a-z_]*\),.*/\1/p' "$source/passes/analysis/structure_rules.def" >rules
while read -r rule; do
  case " $explained " in
  *" $rule "*) ;;
  *) fail "no advice is followed for rule $rule" ;;
  esac
done <rules

# A module that is invalid for another reason, with and without violations.
sed 's/^OpReturn$/%21 = OpLogicalAnd %6 %8 %4\
&/' cycle.spvasm >both.spvasm
run 1 --explain both.spvasm
prints "[back_edge_target: "
grep -q '^spvreconv: both.spvasm: function main, block %14: the input is not valid, spirv-val says: .*(line [0-9]*)$' err || fail "$(cat err)"
sed 's/^OpReturn$/%21 = OpLogicalAnd %6 %8 %4\
&/' straight.spvasm >other.spvasm
run 1 --explain other.spvasm && says "other.spvasm: function main, block %10: the input is not valid, spirv-val says"
[ ! -s out ] || fail "no rule of structure is broken: $(cat out)"
run 0 --explain --no-validate other.spvasm
run 1 --explain --json other.spvasm
[ "$(jq -r '.structured, (.violations | length), (.invalid | contains("the input is not valid"))' out | tr '\n' ' ')" = 'true 0 true ' ] || fail "$(cat out)"

# Names of the text, in messages; numbers in JSON.
sed 's/%12/%left/g; s/%13/%right/g' cycle.spvasm >named.spvasm
run 1 --explain named.spvasm && prints 'edge %right -> %left closes a cycle that is entered at %left and %right;'
run 1 --explain --json cycle.spvasm
[ "$(jq -c '.structured, .violations[0].rule, .violations[0].edge, .violations[0].entries, .violations[0].construct, .invalid' out | tr '\n' ' ')" = \
  'false "back_edge_target" {"from":13,"to":12} [12,13] 12 null ' ] || fail "$(cat out)"

# Several inputs, and the modules below a folder: each line begins with the file.
mkdir folder
cp cycle.spvasm straight.spvasm folder
run 1 --explain cycle.spvasm straight.spvasm && prints 'cycle.spvasm: function main, construct of %12: edge'
run 1 --explain folder && prints 'folder/cycle.spvasm: function main, construct of %12: edge'
grep -q '^spvreconv: 1 of 2 modules failed$' err || fail "$(cat err)"
run 0 --explain folder/straight.spvasm straight.spvasm
[ ! -s out ] || fail "$(cat out)"
finish
