# SPDX-License-Identifier: Apache-2.0
# Reads SPIR-V assembly and writes the same with each OpPhi's predecessors listed once:
# llvm-spirv-15 lists a block once for each of its OpSwitch cases that lead here, which LLVM does
# and SPIR-V forbids.

/ = OpPhi / {
  line = "  " $1 " = OpPhi " $4
  split("", seen)
  for (i = 5; i < NF; i += 2)
    if (!($(i + 1) in seen)) {
      seen[$(i + 1)] = 1
      line = line " " $i " " $(i + 1)
    }
  print line
  next
}

{ print }
