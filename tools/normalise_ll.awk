# SPDX-License-Identifier: Apache-2.0
# Reads LLVM 15 assembly, and writes it without what llvm-spirv-15 (15.0.0) cannot express in SPIR-V
# 1.0:
#   freeze              becomes a select of one value: llvm-spirv does not know freeze
#   select i1, <N x T>  gets its condition spread over N lanes: OpSelect takes a scalar condition
#                       for vectors only from SPIR-V 1.4 on, and llvm-spirv does not check
# New values are named %cv.N and %cs.N; LLVM's own are numbers or quoted names of the source.

/^  [^ ]+ = freeze / {
  name = $1
  rest = substr($0, index($0, " = freeze ") + 10)
  $0 = "  " name " = select i1 true, " rest ", " rest
}

/^  [^ ]+ = select .*i1 [^ ]+, <[0-9]+ x [a-z0-9]+> / {
  lanes = $0
  sub(/^.* = select .*i1 [^ ]+, </, "", lanes)
  sub(/ x .*/, "", lanes)
  match($0, / = select .*i1 [^ ]+, </)
  head = substr($0, 1, RSTART - 1)
  flags = substr($0, RSTART + 10, RLENGTH - 10)
  tail = substr($0, RSTART + RLENGTH - 1)
  condition = flags
  sub(/.*i1 /, "", condition)
  sub(/, <$/, "", condition)
  sub(/i1 [^ ]+, <$/, "", flags)
  n++
  print "  %cv." n " = insertelement <" lanes " x i1> undef, i1 " condition ", i32 0"
  print "  %cs." n " = shufflevector <" lanes " x i1> %cv." n ", <" lanes \
        " x i1> undef, <" lanes " x i32> zeroinitializer"
  print head " = select " flags "<" lanes " x i1> %cs." n ", " tail
  next
}

{ print }
