# SPDX-License-Identifier: Apache-2.0
# Gives each loop of a module a second exit, before the work of its first iteration, that no lane takes.
# Drivers that are wrong about values loaded in a loop with one exit (docs/driver-bugs.md) are right then: each
# exit provides its own value.
#
#   spirv-dis --raw-id --no-header IN.spv |
#     awk [-v exits=0] -f second_exit.awk | spirv-as --preserve-numeric-ids - -o OUT.spv
#
# Values that are used outside of their block go through variables of the function (access chains are
# repeated), so that the new exit needs no phis for them. With exits=0 that is all: the module to compare with,
# on which drivers are still wrong.
# The condition is that gl_GlobalInvocationID.x, or in a fragment shader a flat input, is a number no invocation has. Loops that begin with a branch
# of their body keep one exit. Needs structured control flow; 32-bit x of gl_GlobalInvocationID, or a flat input that is one unsigned number.

function fresh() {
  return "%" ++bound
}

# Line i: result[i] or "", op[i], argument[i, 1] … argument[i, arguments[i]]; as_read[i, k]: unchanged
function keep(i, k, first) {
  first = 2
  if ($2 == "=") {
    result[i] = $1
    first = 4
  }
  op[i] = $(first - 1)
  arguments[i] = NF - first + 1
  for (k = 1; k <= arguments[i]; k++)
    as_read[i, k] = argument[i, k] = $(first + k - 1)
}

function is_merge(i) {
  return op[i] == "OpLoopMerge" || op[i] == "OpSelectionMerge"
}

function is_terminator(i) {
  return op[i] ~ /^Op(Branch|BranchConditional|Switch|Return|ReturnValue|Unreachable|Kill|TerminateInvocation)$/
}

/^ *;/ || NF == 0 { next }

{
  lines++
  text[lines] = $0
  keep(lines)
  for (k = 1; k <= NF; k++)
    if ($k ~ /^%[0-9]+$/ && substr($k, 2) + 0 > bound)
      bound = substr($k, 2) + 0
}

op[lines] == "OpFunction" && !body { body = lines }
!body && result[lines] != "" { definition[result[lines]] = lines }
!body && op[lines] == "OpTypePointer" && argument[lines, 1] == "Function" {
  pointer_to[argument[lines, 2]] = result[lines]
}
!body && op[lines] == "OpTypeBool" { bool = result[lines] }
op[lines] == "OpDecorate" && argument[lines, 3] == "GlobalInvocationId" { invocation = argument[lines, 1] }

op[lines] == "OpDecorate" && argument[lines, 2] == "Flat" { flat = argument[lines, 1] }

op[lines] == "OpLabel" { block = result[lines] }
op[lines] == "OpFunctionEnd" { block = "" }
block != "" && result[lines] != "" && op[lines] !~ /^Op(Label|Variable)$/ {
  home[result[lines]] = block
  made_by[result[lines]] = lines
  type[result[lines]] = argument[lines, 1]
}
op[lines] == "OpLoopMerge" { merge_line[block] = lines }
is_terminator(lines) { terminator[block] = lines }

# ---- analysis ----

# Is the value used outside of its block?
function is_far(value, user) {
  return value in home && home[value] != user
}

function carry(value, user, pointee, k, i) {
  if (!is_far(value, user) || value in variable)
    return
  i = made_by[value]
  pointee = type[value]
  if (op[definition[pointee]] == "OpTypePointer") {
    for (k = 1; op[i] == "OpAccessChain" && k <= arguments[i]; k++)
      carry(argument[i, k], user)
    return
  }
  variable[value] = fresh()
  if (!(pointee in pointer_to)) {
    pointer_to[pointee] = fresh()
    globals = globals pointer_to[pointee] " = OpTypePointer Function " pointee "\n"
  }
}

function null_of(pointee) {
  if (!(pointee in null)) {
    null[pointee] = fresh()
    globals = globals null[pointee] " = OpConstantNull " pointee "\n"
  }
  return null[pointee]
}

# A branch to the loop's body would need its own merge block.
function plan_exit(header, last, exit_to, turn, leaves, k) {
  last = terminator[header]
  exit_to = argument[merge_line[header], 1]
  turn = argument[merge_line[header], 2]
  for (k = 1; k <= arguments[last]; k++)
    leaves = leaves || argument[last, k] == exit_to || argument[last, k] == turn
  if (op[last] == "OpBranch" || leaves) {
    rest_of[header] = fresh()
    header_of[exit_to] = header
  }
}

function plan(i, k, block) {
  for (i = body; i <= lines; i++) {
    if (op[i] == "OpLabel")
      block = result[i]
    for (k = 1; block != "" && k <= arguments[i]; k++)
      carry(argument[i, k], op[i] == "OpPhi" ? argument[i, k + 1] : block)
  }
  if (exits == "0")
    return
  for (block in merge_line)
    plan_exit(block)
  for (i = body; i <= lines; i++) {
    if (op[i] == "OpLabel")
      block = result[i]
    if (op[i] == "OpPhi" && block in header_of)
      null_of(argument[i, 1])
  }
  vector = argument[definition[argument[definition[invocation], 1]], 2]
  uint = flat == "" ? argument[definition[vector], 1] : vector
  if (bool == "") {
    bool = fresh()
    globals = globals bool " = OpTypeBool\n"
  }
  no_lane = fresh()
  globals = globals no_lane " = OpConstant " uint " 4026531834\n"
}

# ---- writing ----

function write(i, k, line) {
  line = (result[i] == "" ? "" : result[i] " = ") op[i]
  for (k = 1; k <= arguments[i]; k++)
    line = line " " argument[i, k]
  print line
}

# The value in a form that the block can use; writes the instructions for it.
function bring(value, block, k, i, id, line) {
  i = made_by[value]
  if (!is_far(value, block) || !(value in variable) && op[i] != "OpAccessChain")
    return value
  if (value in variable)
    line = "OpLoad " type[value] " " variable[value]
  else {
    line = "OpAccessChain"
    for (k = 1; k <= arguments[i]; k++)
      line = line " " bring(as_read[i, k], block)
  }
  id = fresh()
  print id " = " line
  return id
}

function bring_operands(i, block, k, brought) {
  for (k = 1; k <= arguments[i]; k++) {
    if (!(argument[i, k] in brought))
      brought[argument[i, k]] = bring(argument[i, k], block)
    argument[i, k] = brought[argument[i, k]]
  }
}

# The operands of phis from this block, and of the terminator: in front of the merge instruction
function end_block(i, block, k, count, wanted) {
  count = split(taken[block], wanted, " ")
  for (k = 1; k <= count; k += 2)
    print wanted[k + 1] " = OpLoad " type[wanted[k]] " " variable[wanted[k]]
  bring_operands(is_merge(i) ? i + 1 : i, block)
}

function write_exit(header, merge, all, x, taken_by) {
  merge = merge_line[header]
  all = fresh()
  x = fresh()
  taken_by = fresh()
  if (flat == "") {
    print all " = OpLoad " vector " " invocation
    print x " = OpCompositeExtract " uint " " all " 0"
  } else
    print x " = OpLoad " uint " " flat
  print taken_by " = OpIEqual " bool " " x " " no_lane
  if (argument[merge, 2] == header)
    argument[merge, 2] = rest_of[header]
  write(merge)
  print "OpBranchConditional " taken_by " " argument[merge, 1] " " rest_of[header]
  print rest_of[header] " = OpLabel"
}

# A phi's values from other blocks are loaded there; predecessors may end in a new block.
function change_phi(i, block, k, value, from) {
  for (k = 2; k <= arguments[i]; k += 2) {
    value = argument[i, k]
    from = argument[i, k + 1]
    if (value in variable && is_far(value, from)) {
      argument[i, k] = fresh()
      taken[from] = taken[from] " " value " " argument[i, k]
    }
    if (from in rest_of)
      argument[i, k + 1] = rest_of[from]
  }
  if (block in header_of) {
    argument[i, ++arguments[i]] = null_of(argument[i, 1])
    argument[i, ++arguments[i]] = header_of[block]
  }
}

function store(value) {
  if (value in variable)
    print "OpStore " variable[value] " " value
}

# Line i begins a function: the variables of its values go into its first block.
function write_variables(i, value) {
  for (; op[i] != "OpFunctionEnd"; i++)
    if ((value = result[i]) in variable)
      print variable[value] " = OpVariable " pointer_to[type[value]] " Function"
}

END {
  if (flat != "")
    invocation = flat
  if (!(invocation in definition)) {
    print "second_exit.awk: neither gl_GlobalInvocationID nor a flat input" >"/dev/stderr"
    exit 1
  }
  plan()
  for (i = body; i <= lines; i++) {
    if (op[i] == "OpLabel")
      block = result[i]
    if (op[i] == "OpPhi")
      change_phi(i, block)
  }
  for (i = 1; i < body; i++)
    print text[i]
  printf "%s", globals
  block = ""
  for (i = body; i <= lines; i++) {
    if (op[i] == "OpFunction")
      function_line = i
    if (op[i] == "OpLabel") {
      write(i)
      if (function_line)
        write_variables(function_line)
      function_line = phis = 0
      block = result[i]
      begun = 0
      continue
    }
    if (block == "" || op[i] ~ /^Op(Phi|Variable|Line|NoLine|FunctionEnd)$/) {
      write(i)
      if (op[i] == "OpPhi")
        phi[++phis] = result[i]
      if (op[i] == "OpFunctionEnd")
        block = ""
      continue
    }
    if (!begun) {
      for (k = 1; k <= phis; k++)
        store(phi[k])
      if (block in rest_of)
        write_exit(block)
      begun = 1
    }
    if (is_merge(i) || is_terminator(i) && !is_merge(i - 1))
      end_block(i, block)
    else if (!is_terminator(i))
      bring_operands(i, block)
    if (op[i] != "OpLoopMerge" || !(block in rest_of)) # else write_exit has done so
      write(i)
    store(result[i])
  }
}
