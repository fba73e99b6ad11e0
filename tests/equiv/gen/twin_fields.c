/* SPDX-License-Identifier: Apache-2.0 */
/* twin_fields: one row for each field of an instruction (twins.h). Arms that differ in which value
 * of the function they use are merged, with a phi; all others must not be merged. */
#include "tests/equiv/gen/twins.h"

#include <stddef.h>

/* Arms of one block that must not merge. */
#define APART(name_, left_, ...)                                                                   \
  { .name = name_, .twins = 1, .near = 0, .left = left_, .right = __VA_ARGS__ }
#define TOGETHER(name_, left_, ...)                                                                \
  { .name = name_, .twins = 1, .near = 1, .left = left_, .right = __VA_ARGS__ }

const Twin twin_fields[] = {
    /* ---- what an instruction is ---- */
    APART("opcode", "%v@ = OpIAdd %uint %x %y", "%v@ = OpISub %uint %x %y", .value = "%v@"),
    APART("result type", "%v@ = OpBitcast %int %x", "%v@ = OpBitcast %float %x", .strange = true),
    APART("type between two conversions", "%n@ = OpUConvert %ushort %x\n%v@ = OpUConvert %uint %n@",
          "%n@ = OpUConvert %uchar %x\n%v@ = OpUConvert %uint %n@", .value = "%v@"),
    APART("number of instructions", "OpStore %at3 %c1", "OpStore %at3 %c1\nOpStore %at2 %c1"),
    APART("no instruction more", "OpStore %at3 %c1", "OpStore %at3 %c1\n%w@ = OpIAdd %uint %x %x"),
    APART("order of two stores", "OpStore %at3 %c1\nOpStore %at3 %c2",
          "OpStore %at3 %c2\nOpStore %at3 %c1"),
    APART("place of a load", "%v@ = OpLoad %uint %at3\nOpStore %at3 %c1",
          "OpStore %at3 %c1\n%v@ = OpLoad %uint %at3", .value = "%v@"),

    /* ---- operands ---- */
    APART("literal", "%v@ = OpCompositeExtract %uint %pair 0",
          "%v@ = OpCompositeExtract %uint %pair 1", .value = "%v@"),
    APART("second literal", "%w@ = OpVectorShuffle %uint2 %pair %pair 0 1",
          "%w@ = OpVectorShuffle %uint2 %pair %pair 0 3", .strange = true),
    APART("constant", "%v@ = OpIAdd %uint %x %c1", "%v@ = OpIAdd %uint %x %c2", .value = "%v@"),
    APART("constant in the first place", "%v@ = OpISub %uint %c1 %x", "%v@ = OpISub %uint %c2 %x",
          .value = "%v@"),
    APART("specialization constant", "%v@ = OpIAdd %uint %x %c1", "%v@ = OpIAdd %uint %x %spec",
          .value = "%v@", .strange = true),
    APART("undefined value", "%v@ = OpSelect %uint %true %x %c1",
          "%v@ = OpSelect %uint %true %x %undef", .value = "%v@"),
    APART("variable stored to", "OpStore %pa %x", "OpStore %pb %x"),
    APART("variable read", "%v@ = OpLoad %uint %pa", "%v@ = OpLoad %uint %pb", .value = "%v@"),
    APART("constant or value", "%v@ = OpIAdd %uint %x %c1", "%v@ = OpIAdd %uint %x %y",
          .value = "%v@"),
    APART("variable or pointer", "OpStore %pa %x", "OpStore %at3 %x"),
    APART("value of the block or of another",
          "%a@ = OpIAdd %uint %x %c1\n%v@ = OpISub %uint %a@ %x",
          "%a@ = OpIAdd %uint %x %c1\n%v@ = OpISub %uint %y %x", .value = "%v@"),
    APART("operands of the block swapped",
          "%a@ = OpIAdd %uint %x %c1\n%b@ = OpIMul %uint %x %c3\n%v@ = OpISub %uint %a@ %b@",
          "%a@ = OpIAdd %uint %x %c1\n%b@ = OpIMul %uint %x %c3\n%v@ = OpISub %uint %b@ %a@",
          .value = "%v@"),
    APART("one of the block's values stored",
          "%a@ = OpIAdd %uint %x %c1\n%b@ = OpIMul %uint %x %c3\nOpStore %at3 %a@",
          "%a@ = OpIAdd %uint %x %c1\n%b@ = OpIMul %uint %x %c3\nOpStore %at3 %b@"),
    APART("type of a value", "%v@ = OpIAdd %uint %x %c1", "%v@ = OpIAdd %uint %signed %c1",
          .value = "%v@"),
    APART("type of a pointer", "%w@ = OpLoad %uint %at", "%w@ = OpLoad %uint %shared0",
          .strange = true),
    TOGETHER("value", "%v@ = OpISub %uint %x %c1", "%v@ = OpISub %uint %y %c1", .value = "%v@"),
    TOGETHER("values swapped", "%v@ = OpISub %uint %x %y", "%v@ = OpISub %uint %y %x",
             .value = "%v@"),
    TOGETHER("one value or two", "%v@ = OpISub %uint %x %x", "%v@ = OpISub %uint %x %y",
             .value = "%v@"),
    TOGETHER("three uses of two values",
             "%a@ = OpISub %uint %x %y\n%b@ = OpISub %uint %a@ %x\n%v@ = OpIMul %uint %b@ %c3",
             "%a@ = OpISub %uint %y %z\n%b@ = OpISub %uint %a@ %z\n%v@ = OpIMul %uint %b@ %c3",
             .value = "%v@"),
    TOGETHER("value stored", "OpStore %at3 %x", "OpStore %at3 %y"),
    APART("pointer, which no phi may hold", "OpStore %at3 %x", "OpStore %at2 %x"),
    APART("handle, which no phi may hold",
          "%w@ = OpImageSampleExplicitLod %float4 %image1 %uv Lod %f0",
          "%w@ = OpImageSampleExplicitLod %float4 %image2 %uv Lod %f0", .strange = true),

    /* ---- memory, images, atomics, calls ---- */
    APART("volatile load", "%v@ = OpLoad %uint %at3", "%v@ = OpLoad %uint %at3 Volatile",
          .value = "%v@"),
    APART("volatile store", "OpStore %at3 %c1", "OpStore %at3 %c1 Volatile"),
    APART("nontemporal or volatile store", "OpStore %at3 %c1 Nontemporal",
          "OpStore %at3 %c1 Volatile"),
    APART("alignment", "OpStore %at3 %c1 Aligned 4", "OpStore %at3 %c1 Aligned 8"),
    APART("image operand", "%w@ = OpImageSampleExplicitLod %float4 %image1 %uv Lod %f0",
          "%w@ = OpImageSampleExplicitLod %float4 %image1 %uv Lod %f1", .strange = true),
    APART("image operands",
          "%w@ = OpImageSampleExplicitLod %float4 %image1 %uv Lod|ConstOffset %f0 %offset",
          "%w@ = OpImageSampleExplicitLod %float4 %image1 %uv Lod|ConstOffset %f0 %offset2",
          .strange = true),
    APART("image mask", "%w@ = OpImageSampleExplicitLod %float4 %image1 %uv Lod %f0",
          "%w@ = OpImageSampleExplicitLod %float4 %image1 %uv Lod|ConstOffset %f0 %offset",
          .strange = true),
    APART("extended instruction", "%w@ = OpExtInst %float %glsl FMin %f %f1",
          "%w@ = OpExtInst %float %glsl FMax %f %f1", .strange = true),
    APART("scope of an atomic", "%v@ = OpAtomicIAdd %uint %at3 %c1 %c0 %x",
          "%v@ = OpAtomicIAdd %uint %at3 %c2 %c0 %x", .strange = true),
    APART("semantics of an atomic", "%v@ = OpAtomicIAdd %uint %at3 %c1 %c0 %x",
          "%v@ = OpAtomicIAdd %uint %at3 %c1 %release %x", .strange = true),
    APART("kind of atomic", "%v@ = OpAtomicIAdd %uint %at3 %c1 %c0 %x",
          "%v@ = OpAtomicISub %uint %at3 %c1 %c0 %x", .strange = true),
    APART("semantics of a barrier", "OpMemoryBarrier %c1 %release",
          "OpMemoryBarrier %c1 %release_all", .strange = true),
    APART("called function", "%v@ = OpFunctionCall %uint %twice %x",
          "%v@ = OpFunctionCall %uint %thrice %x", .value = "%v@"),
    TOGETHER("argument of a call", "%v@ = OpFunctionCall %uint %twice %x",
             "%v@ = OpFunctionCall %uint %twice %y", .value = "%v@"),

    /* ---- decorations and names of a result ---- */
    APART("decoration", "%v@ = OpFAdd %float %f %f", "%d@ = OpFAdd %float %f %f",
          .globals = "OpDecorate %d@ NoContraction", .strange = true),
    APART("precision", "%v@ = OpIAdd %uint %x %x", "%d@ = OpIAdd %uint %x %x",
          .globals = "OpDecorate %d@ RelaxedPrecision"),
    APART("two decorations or one", "%e@ = OpFAdd %float %f %f", "%d@ = OpFAdd %float %f %f",
          .globals = "OpDecorate %d@ NoContraction\nOpDecorate %e@ NoContraction\n"
                     "OpDecorate %e@ RelaxedPrecision",
          .strange = true),
    APART("text of a decoration", "%e@ = OpFAdd %float %f %f", "%d@ = OpFAdd %float %f %f",
          .globals = "OpDecorateString %d@ UserSemantic \"one\"\n"
                     "OpDecorateString %e@ UserSemantic \"two\"",
          .strange = true),
    APART("decoration of the second result", "%a@ = OpIAdd %uint %x %y\n%v@ = OpIAdd %uint %a@ %x",
          "%a@ = OpIAdd %uint %x %y\n%d@ = OpIAdd %uint %a@ %x",
          .globals = "OpDecorate %d@ RelaxedPrecision"),
    TOGETHER("source line", "OpLine %file 1 1\n%v@ = OpIAdd %uint %x %x",
             "OpLine %file 2 7\n%v@ = OpIAdd %uint %x %x", .value = "%v@"),
    TOGETHER("instruction that does nothing", "%v@ = OpIAdd %uint %x %x",
             "OpNop\n%v@ = OpIAdd %uint %x %x", .value = "%v@"),

    /* ---- values passed to the join ---- */
    APART("one or the other result handed on",
          "%v@ = OpIAdd %uint %x %c1\n%w@ = OpIMul %uint %x %c3",
          "%w@ = OpIAdd %uint %x %c1\n%v@ = OpIMul %uint %x %c3", .value = "%v@"),
    APART("result or value of another block handed on", "%v@ = OpIAdd %uint %x %c1\n",
          "%w@ = OpIAdd %uint %x %c1\n", .value = "%v@|%y"),
    TOGETHER("other value handed on", "OpStore %at3 %c1", "OpStore %at3 %c1", .value = "%x|%y"),
    TOGETHER("constant or value handed on", "OpStore %at3 %c1", "OpStore %at3 %c1",
             .value = "%c1|%y"),
    {0}};
