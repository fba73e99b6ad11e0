# SPDX-License-Identifier: Apache-2.0
# Prints a compute shader, or with -v kernel=1 a kernel, that has the given statements, separated by
# semicolons: each goes where SPIR-V has its like, after those that every module here has.
# Usage: echo 'STATEMENT; STATEMENT' | awk -f module.awk
function put(part, text) { parts[part] = parts[part] text "\n" }
function place(text, op,   other) {
  other = library
  if (op == "OpFunction") other = library = 1
  if (op == "OpFunctionEnd") library = 0
  if (other) return "a"
  if (op == "OpCapability") return "1"
  if (op == "OpExtension") return "2"
  if (op == "OpExtInstImport") return "3"
  if (op == "OpEntryPoint") return "5"
  if (op ~ /^OpExecutionMode/) return "6"
  if (op ~ /^Op(Name|MemberName)$/) return "7"
  if (op ~ /Decorate|^OpDecorationGroup/) return "8"
  if (op ~ /^Op(Type|Constant|SpecConstant)/ || (op == "OpVariable" && text !~ / Function/)) return "9"
  return "c"
}
{
  text = text $0 " "
}
END {
  if (text !~ /OpEntryPoint/) put("5", "OpEntryPoint " (kernel ? "Kernel" : "GLCompute") " %main \"main\" %id")
  if (text !~ /OpExecutionMode/ && !kernel) put("6", "OpExecutionMode %main LocalSize 4 1 1")
  if (kernel) {
    put("1", "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Int8")
    put("4", "OpMemoryModel Physical64 OpenCL")
  } else {
    put("1", "OpCapability Shader")
    put("4", "OpMemoryModel Logical GLSL450")
  }
  put("8", "OpDecorate %id BuiltIn GlobalInvocationId")
  n = split("%void = OpTypeVoid;%nothing = OpTypeFunction %void;%bool = OpTypeBool;" \
    "%uint = OpTypeInt 32 0;%float = OpTypeFloat 32;%uvec2 = OpTypeVector %uint 2;" \
    "%uvec3 = OpTypeVector %uint 3;%uvec4 = OpTypeVector %uint 4;%vec2 = OpTypeVector %float 2;%true = OpConstantTrue %bool;" \
    (kernel ? "%ulong = OpTypeInt 64 0;%ulongs = OpTypeVector %ulong 3;" : "") \
    "%inputs = OpTypePointer Input " (kernel ? "%ulongs" : "%uvec3") ";" \
    "%id = OpVariable %inputs Input;" \
    "%n0 = OpConstant %uint 0;%n1 = OpConstant %uint 1;%n2 = OpConstant %uint 2;" \
    "%n3 = OpConstant %uint 3;%n9 = OpConstant %uint 9;" \
    "%zero = OpConstant %float 0", always, ";")
  for (i = 1; i <= n; i++) put("9", always[i])
  put("b", "%main = OpFunction %void None %nothing\n%entry = OpLabel")
  n = split(text, given, /; */)
  for (i = 1; i <= n; i++) {
    sub(/^ */, "", given[i])
    sub(/ *$/, "", given[i])
    if (given[i] == "") continue
    op = given[i]
    sub(/^%[a-z0-9_]+ = /, "", op)
    sub(/ .*/, "", op)
    put(place(given[i], op), given[i])
  }
  put("c", (op ~ /^Op(Return|Unreachable|Kill|Terminate|Ignore|EmitMesh)/ ? "" : "OpReturn\n") "OpFunctionEnd")
  order = "123456789abc"
  for (i = 1; i <= length(order); i++) printf "%s", parts[substr(order, i, 1)]
}
