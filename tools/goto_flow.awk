# SPDX-License-Identifier: Apache-2.0
# Used by goto_case.sh: reads assembly text of glslangValidator, writes the same with the gotos as branches.
#
#   call of goto_NAME    OpBranch %NAME; what follows in the block is dropped
#   call of label_NAME   OpBranch %NAME, unless after a goto, and a new block %NAME
#   short circuit        a block that holds only the phi of && or || and a branch on it is bypassed:
#                        if the left side decides, its branch leads directly to the target; if the
#                        right side does, it branches itself
#   merge instructions   dropped
#   empty block          branches go to its target, unless there are phis
#
# glslangValidator drops the rest of a block after a return, labels included.

/OpFunctionEnd/ {
  if (!marker) {
    rename_predecessors()
    skip_circuits()
    skip_empty()
    for (i = 1; i <= lines; i++)
      print line[i]
    print
  }
  lines = marker = 0
  inside = dead = 0
  next
}
/ = OpFunction / {
  inside = 1
  marker = $1 ~ /^%(goto|label)_/
}
/OpName %(goto|label)_/ || /Op(Selection|Loop)Merge/ { next }
!inside {
  print
  next
}
/ = OpLabel/ {
  dead = 0
  block = $1
}
/OpFunctionCall %void %(goto|label)_/ {
  name = $5
  sub(/^%(goto|label)_/, "", name)
  sub(/_$/, "", name)
  if (!dead)
    line[++lines] = "OpBranch %" name
  dead = $5 ~ /^%goto_/
  if ($5 ~ /^%label_/)
    line[++lines] = (last_part[block] = "%" name) " = OpLabel"
  state[name] = state[name] substr($5, 2, 1)
  next
}
dead { next }
{ line[++lines] = $0 }

END {
  for (name in state)
    if (state[name] !~ /l/) {
      print "label " name " is missing, or comes after a return" >"/dev/stderr"
      exit 1
    }
}

# The phis that name a block which labels have cut mean its last part.
function rename_predecessors(   i, k, words, n) {
  for (i = 1; i <= lines; i++)
    if (line[i] ~ / = OpPhi /) {
      n = split(line[i], words)
      line[i] = words[1] " = OpPhi " words[4]
      for (k = 5; k < n; k += 2)
        line[i] = line[i] " " words[k] " " (words[k + 1] in last_part ? last_part[words[k + 1]] : words[k + 1])
    }
}

# The block of label l ends at line end[l], the block that begins at line i is at[i]; not_of[x]: %x
# is the negation of this value.
function index_blocks(   i, words, label) {
  delete end
  delete not_of
  for (i = 1; i <= lines; i++) {
    split(line[i], words)
    if (words[3] == "OpLabel")
      label = words[1]
    else if (words[3] == "OpLogicalNot")
      not_of[words[1]] = words[5]
    else if (words[1] ~ /^Op(Branch|Switch|Return|Kill|Unreachable)/)
      end[label] = i
  }
}

# Inner circuits feed outer ones, which follow them: from the last to the first.
function skip_circuits(   i) {
  index_blocks()
  for (i = lines - 2; i >= 1; i--)
    if (line[i] ~ / = OpLabel/ && line[i + 1] ~ /OpPhi %bool/ && line[i + 2] ~ /OpBranchConditional/)
      skip_circuit(i)
}

function skip_circuit(i,   label, phi, branch, k) {
  split(line[i], label)
  split(line[i + 1], phi)
  split(line[i + 2], branch)
  if (branch[2] != phi[1])
    return
  for (k = 5; k in phi; k += 2)
    lead_on(end[phi[k + 1]], label[1], phi[k], branch[3], branch[4])
  line[i + 1] = "OpUnreachable"
  line[i + 2] = ""
}

# The block whose last line is `last` goes to `block` with a value that decides between two targets.
function lead_on(last, block, value, if_true, if_false,   words, target) {
  split(line[last], words)
  if (words[1] == "OpBranch") {
    line[last] = "OpBranchConditional " value " " if_true " " if_false
    return
  }
  if (not_of[words[2]] == value || words[2] == value && words[3] == block)
    target = if_true
  else
    target = if_false
  if (words[3] == block)
    words[3] = target
  else
    words[4] = target
  line[last] = words[1] " " words[2] " " words[3] " " words[4]
}

function skip_empty(   i, k, n, words, target, has_phi) {
  for (i = 1; i < lines; i++) {
    split(line[i], words)
    if (words[3] != "OpLabel")
      continue
    n = split(line[i + 1], target)
    if (target[1] == "OpBranch")
      next_of[words[1]] = target[2]
    else if (target[3] == "OpPhi")
      has_phi[words[1]] = 1
  }
  for (i = 1; i <= lines; i++) {
    n = split(line[i], words)
    if (words[1] !~ /^Op(Branch|BranchConditional|Switch)$/)
      continue
    line[i] = words[1]
    for (k = 2; k <= n; k++)
      line[i] = line[i] " " (words[k] in next_of ? last_of(words[k], has_phi) : words[k])
  }
  delete next_of
}

# Where a chain of empty blocks from label l leads. A cycle of empty blocks is left alone.
function last_of(l, has_phi,   steps, x) {
  x = l
  for (steps = 0; x in next_of && !(next_of[x] in has_phi); steps++) {
    if (steps > lines)
      return l
    x = next_of[x]
  }
  return x
}
