# SPDX-License-Identifier: Apache-2.0
# native_loops: a random compute shader in GLSL, of loops with small branches, breaks, loads and subgroup operations:
#   awk -v seed=N -f tests/native_loops.awk
# Its paths, hammocks and partings (spv-emu/exec/round.h) run as machine code; in the random modules of
# tests/equiv, loops are too short for that. All loops end.

function pick(n) { return int(rand() * n) }
function variable() { return substr("abcd", 1 + pick(4), 1) }

function value(  x, y) {
  x = variable()
  y = variable()
  if (crosses && pick(6) == 0)
    return cross(x, y)
  if (pick(10) == 0)
    return load(x, y)
  if (pick(8) == 0)
    return "floatBitsToUint(float(" x " & 1023u) * 1.5 + float(" y " & 7u))"
  if (pick(8) == 0)
    return x " / ((" y " & 7u) + 1u)"
  if (pick(6) == 0)
    return x " + turn"
  if (pick(4) == 0)
    return x " ^ (" y " >> " 1 + pick(8) "u)"
  return pick(2) ? x " * " 1 + pick(98) "u + " y : "min(" x ", " y ") - " y
}

# What lanes tell each other.
function cross(x, y,  kind) {
  kind = pick(11)
  if (kind == 0)
    return "(subgroupElect() ? " x " : " y ")"
  if (kind == 1)
    return "(subgroupAll(" x " > " y ") ? 3u : " x ")"
  if (kind == 2)
    return "(subgroupAny((" x " & 31u) == 7u) ? " y " : 5u)"
  if (kind == 3)
    return "subgroupBallot(" x " > " y ")[" pick(4) "]"
  if (kind == 4)
    return "subgroupBroadcastFirst(" x ")"
  if (kind == 5)
    return "subgroupBroadcast(" x ", " pick(40) "u)"
  if (kind == 6)
    return "(subgroupInverseBallot(uvec4(" x ", " y ", 0u, 0u)) ? " x " : 1u)"
  if (kind == 7)
    return word("", "Inclusive", "Exclusive", "subgroupBallot", "BitCount(uvec4(" x ", " y ", 0u, 0u))")
  if (kind == 8)
    return "uint(" fold() "(int(" x ")))"
  return fold() "(" x ")"
}

function word(x, y, z, before, after) {
  return before (pick(3) ? (pick(2) ? y : z) : x) after
}

function fold(  kind) {
  kind = pick(7)
  return word("", "Inclusive", "Exclusive", "subgroup", \
              kind == 0 ? "Add" : kind == 1 ? "Mul" : kind == 2 ? "Min" : kind == 3 ? "Max" : \
              kind == 4 ? "And" : kind == 5 ? "Or" : "Xor")
}

# Now and then out of bounds; of lanes next to each other, and not.
function at(x, most) {
  return pick(3) ? "(" x " + gl_LocalInvocationID.x) & " most "u" : x " >> " pick(8) "u & " most "u"
}

function load(x, y,  kind) {
  kind = pick(6)
  if (kind == 0)
    return "local[" at(x, 7) "]"
  if (kind == 1)
    return "part[" at(y, 63) "]"
  if (kind == 2)
    return "pairs[" at(x, 31) "].y"
  if (kind == 3)
    return "uint(dot(wide[" at(y, 15) "], vec4(1, 2, 3, 4)))"
  return "data[" at(x, pick(30) ? 63 : 255) "]"
}

function store(  x, y, kind) {
  x = variable()
  y = variable()
  kind = pick(6)
  if (kind == 0)
    return "local[" at(x, 7) "] = " y
  if (kind == 1)
    return "part[" at(x, 63) "] = " y
  if (kind == 2)
    return "pairs[" at(x, 31) "] = uvec2(" y ", " x ")"
  if (kind == 3)
    return "if (" x " > 0x80000000u) data[" at(y, pick(30) ? 127 : 255) "] = " x
  return "data[64u + gl_LocalInvocationID.x] = " x
}

function assign() {
  if (stores && pick(12) == 0)
    return store() ";\n"
  return variable() " = " value() ";\n"
}

function assigns(most,  text, n) {
  for (n = 1 + pick(most); n > 0; n--)
    text = text assign()
  return text
}

function condition() {
  if (pick(3) == 0)
    return "(" variable() " >> 3 & 3u) != 0u"
  return pick(2) ? "turn > (" variable() " & 31u)" : variable() " > 0x" 1 + pick(9) "0000000u"
}

function branch() {
  return "if (" condition() ") {\n" assigns(3) "}\n" (pick(2) ? "else {\n" assigns(3) "}\n" : "")
}

function choice(  text, i, n) {
  n = 1 + pick(3)
  text = "switch (" variable() " >> " pick(8) "u & 3u) {\n"
  for (i = 0; i < n; i++)
    text = text "case " i "u:\n" assigns(2) (pick(5) < 3 ? "break;\n" : "")
  return text "default:\n" assigns(2) "}\n"
}

function leave() {
  return "if ((" variable() " % " 9 + pick(80) "u) == 1u) {\n" (pick(2) ? assigns(2) : "") \
         (pick(6) ? "break" : "continue") ";\n}\n"
}

function loop(level,  text, n, most, form, name) {
  name = "kept" loops++
  most = level ? 2 + pick(7) : 20 + pick(60)
  form = pick(3)
  for (n = 1 + pick(4); n > 0; n--)
    text = text statement(level)
  return "{\nuint " name " = turn;\nturn = 0u;\n" \
         (form == 0 ? "for (; turn < " most "u; turn++) {\n" text "}\n" : \
          form == 1 ? "do {\nturn++;\n" text "} while (turn < " most "u && (" condition() " || turn < 9u));\n" : \
          "while (true) {\nturn++;\nif (turn > " most "u + (" variable() " & 7u))\nbreak;\n" text "}\n") \
         "turn = " name ";\n}\n"
}

function statement(level,  k) {
  k = pick(20)
  if (k < 7)
    return assigns(3)
  if (k < 12)
    return branch()
  if (k < 14)
    return choice()
  return k < 19 || level > 1 ? leave() : loop(level + 1)
}

BEGIN {
  srand(seed)
  stores = pick(3) == 0
  crosses = pick(3) == 0
  print "#version 450\n#extension GL_KHR_shader_subgroup_basic : enable\n#extension GL_KHR_shader_subgroup_vote : enable"
  print "#extension GL_KHR_shader_subgroup_ballot : enable\n#extension GL_KHR_shader_subgroup_arithmetic : enable"
  print "layout(local_size_x = " (pick(2) ? 32 : 48) ") in;"
  print "layout(set = 0, binding = 0) buffer Data { uint data[]; };"
  print "layout(set = 0, binding = 1) buffer Out { uvec4 outs[]; };"
  print "layout(set = 0, binding = 2) buffer Pairs { uvec2 pairs[]; };"
  print "layout(set = 0, binding = 3) readonly buffer Wide { vec4 wide[]; };"
  print "shared uint part[64];"
  print "void main() {\nuint local[8] = uint[](1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u);\npart[gl_LocalInvocationID.x] = gl_GlobalInvocationID.x;"
  print "\nuint x = gl_GlobalInvocationID.x, turn = 0u;"
  print "uint a = x * 2654435761u, b = x * " pick(1000) "u, c = data[x & 63u], d = " pick(1000) "u;"
  printf "%s%s%s", loop(0), assigns(3), loop(0)
  print "outs[x] = uvec4(a, b, c, d);\n}"
}
