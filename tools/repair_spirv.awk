# SPDX-License-Identifier: Apache-2.0
# Reads SPIR-V assembly that llvm-spirv-15 wrote, and writes it without what SPIR-V forbids:
#   - a phi lists a block once for each of its OpSwitch cases that lead here, as in LLVM: it is listed once
#   - a variable of a function is declared in a later block, or after other instructions: it becomes the first of the
#     function's first block

function put(line) {
  if (inside)
    body[++lines] = line
  else
    print line
}

/ = OpFunction / { inside = 1; lines = 0; variables = 0; labels = 0 }

inside && / = OpVariable / { variable[++variables] = $0; next }

/ = OpPhi / {
  line = "  " $1 " = OpPhi " $4
  split("", seen)
  for (i = 5; i < NF; i += 2)
    if (!($(i + 1) in seen)) {
      seen[$(i + 1)] = 1
      line = line " " $i " " $(i + 1)
    }
  put(line)
  next
}

/OpFunctionEnd/ {
  for (i = 1; i <= lines; i++) {
    print body[i]
    if (body[i] ~ / = OpLabel/ && !labels++)
      for (k = 1; k <= variables; k++) print variable[k]
  }
  inside = 0
}

{ put($0) }
