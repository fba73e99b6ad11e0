/* SPDX-License-Identifier: Apache-2.0 */
/* The class of every instruction that the emulator runs, compared with a table made by hand: by the
 * sections of the specification, and for loads, stores and copies by the storage class of the
 * pointer. */
#include "spv-emu/cost/cost.h"
#include "tests/unit/assembled.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const classes[] = {
#define EMU_COST_CLASS(name, purpose) #name,
#include "spv-emu/cost/cost.def"
};

/* ---- a module with the instructions ---------------------------------------------------------- */

/* The types of operands do not fit the instructions: neither the reader nor the classes depend on
 * them. */
static const char head[] = "OpCapability Kernel\n"
                           "OpCapability Linkage\n"
                           "%ext = OpExtInstImport \"OpenCL.std\"\n"
                           "OpMemoryModel Physical64 OpenCL\n"
                           "%void = OpTypeVoid\n"
                           "%bool = OpTypeBool\n"
                           "%uint = OpTypeInt 32 0\n"
                           "%float = OpTypeFloat 32\n"
                           "%v2 = OpTypeVector %float 2\n"
                           "%pair = OpTypeStruct %uint %uint\n"
                           "%c = OpConstant %uint 2\n"
                           "%x = OpConstant %float 1\n"
                           "%f = OpTypeFunction %void\n"
                           "%p_Function = OpTypePointer Function %uint\n"
                           "%p_Private = OpTypePointer Private %uint\n"
                           "%p_Input = OpTypePointer Input %uint\n"
                           "%p_Output = OpTypePointer Output %uint\n"
                           "%p_Workgroup = OpTypePointer Workgroup %uint\n"
                           "%p_StorageBuffer = OpTypePointer StorageBuffer %uint\n"
                           "%p_Uniform = OpTypePointer Uniform %uint\n"
                           "%p_UniformConstant = OpTypePointer UniformConstant %uint\n"
                           "%p_PushConstant = OpTypePointer PushConstant %uint\n"
                           "%p_CrossWorkgroup = OpTypePointer CrossWorkgroup %uint\n"
                           "%p_Generic = OpTypePointer Generic %uint\n"
                           "%v_Private = OpVariable %p_Private Private\n"
                           "%v_Input = OpVariable %p_Input Input\n"
                           "%v_Output = OpVariable %p_Output Output\n"
                           "%v_Workgroup = OpVariable %p_Workgroup Workgroup\n"
                           "%v_StorageBuffer = OpVariable %p_StorageBuffer StorageBuffer\n"
                           "%v_Uniform = OpVariable %p_Uniform Uniform\n"
                           "%v_UniformConstant = OpVariable %p_UniformConstant UniformConstant\n"
                           "%v_PushConstant = OpVariable %p_PushConstant PushConstant\n"
                           "%v_CrossWorkgroup = OpVariable %p_CrossWorkgroup CrossWorkgroup\n"
                           "%v_Generic = OpVariable %p_Generic Generic\n"
                           "%main = OpFunction %void None %f\n"
                           "%entry = OpLabel\n"
                           "%v_Function = OpVariable %p_Function Function\n";

/* Compares the class of the line's instruction, which is the first of the block that computes, with
 * the wanted one. */
static void expect_class(const char *line, const char *class) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  assert_false(setjmp(heap.out_of_memory));
  SrArena arena = sr_arena_new(&heap);
  char *text = NULL;
  assert_true(asprintf(&text, "%s%s\n%s", head, line,
                       strstr(line, "OpReturn") ? "OpFunctionEnd\n" : "OpReturn\nOpFunctionEnd\n") >
              0);
  SrModule *m = assembled(&arena, text);
  const SrBlock *entry = &m->functions[0].blocks[0];
  SrRef r = entry->list.first;
  while (sr_inst(m, r)->op == SpvOpLabel || sr_inst(m, r)->op == SpvOpVariable)
    r = sr_inst(m, r)->next;
  const char *is = classes[emu_cost_class(m, r)];
  if (strcmp(is, class) != 0)
    fail_msg("%s: %s, not %s", line, is, class);
  free(text);
  sr_heap_free_all(&heap);
}

/* ---- classes by section of the specification ------------------------------------------------- */

/* The operands of the instructions of a class that look alike; %r is the result. */
typedef struct Alike {
  const char *class, *type, *operands, *names;
} Alike;

static const Alike alike[] = {
    {"float", "%float", "%x", "FNegate"},
    {"float", "%float", "%x %x",
     "FAdd FSub FMul VectorTimesScalar MatrixTimesScalar "
     "VectorTimesMatrix MatrixTimesVector MatrixTimesMatrix "
     "OuterProduct Dot"},
    {"divide", "%float", "%x %x", "UDiv SDiv FDiv UMod SRem SMod FRem FMod"},
    {"integer", "%uint", "%c", "SNegate Not BitReverse BitCount"},
    {"integer", "%uint", "%c %c",
     "IAdd ISub IMul IAddCarry ISubBorrow UMulExtended SMulExtended ShiftRightLogical "
     "ShiftRightArithmetic ShiftLeftLogical BitwiseOr BitwiseXor BitwiseAnd SDot UDot SUDot"},
    {"integer", "%uint", "%c %c %c",
     "BitFieldSExtract BitFieldUExtract SDotAccSat UDotAccSat "
     "SUDotAccSat"},
    {"integer", "%uint", "%c %c %c %c", "BitFieldInsert"},
    {"logic", "%bool", "%c", "Any All IsNan IsInf IsFinite IsNormal SignBitSet LogicalNot"},
    {"logic", "%bool", "%c %c",
     "LessOrGreater Ordered Unordered LogicalEqual LogicalNotEqual LogicalOr LogicalAnd IEqual "
     "INotEqual UGreaterThan SGreaterThan UGreaterThanEqual SGreaterThanEqual ULessThan SLessThan "
     "ULessThanEqual SLessThanEqual FOrdEqual FUnordEqual FOrdNotEqual FUnordNotEqual "
     "FOrdLessThan FUnordLessThan FOrdGreaterThan FUnordGreaterThan FOrdLessThanEqual "
     "FUnordLessThanEqual FOrdGreaterThanEqual FUnordGreaterThanEqual"},
    {"logic", "%uint", "%c %c %c", "Select"},
    {"convert", "%uint", "%c",
     "ConvertFToU ConvertFToS ConvertSToF ConvertUToF UConvert SConvert FConvert QuantizeToF16 "
     "ConvertPtrToU SatConvertSToU SatConvertUToS ConvertUToPtr PtrCastToGeneric GenericCastToPtr "
     "Bitcast"},
    {"composite", "%uint", "%c", "CopyObject Transpose"},
    {"composite", "%uint", "%c %c", "VectorExtractDynamic CompositeConstruct"},
    {"composite", "%uint", "%c %c %c", "VectorInsertDynamic"},
    {"composite", "%uint", "%c 0", "CompositeExtract"},
    {"composite", "%uint", "%c %c 0", "CompositeInsert VectorShuffle"},
    {"special", "%float", "%ext sqrt %x", "ExtInst"},
    {"flow", "%void", "%main", "FunctionCall"},
    {"address", "%p_Generic", "%v_Generic %c",
     "AccessChain InBoundsAccessChain PtrAccessChain "
     "InBoundsPtrAccessChain"},
    {"memory", "%uint", "%v_Workgroup 0", "ArrayLength"},
    {"memory", "%uint", "%v_Workgroup %c %c",
     "AtomicLoad AtomicIIncrement AtomicIDecrement AtomicFlagTestAndSet"},
    {"memory", "%uint", "%v_Workgroup %c %c %c",
     "AtomicExchange AtomicIAdd AtomicISub AtomicSMin AtomicUMin AtomicSMax AtomicUMax AtomicAnd "
     "AtomicOr AtomicXor AtomicFAddEXT AtomicFMinEXT AtomicFMaxEXT"},
    {"memory", "%uint", "%v_Workgroup %c %c %c %c %c",
     "AtomicCompareExchange AtomicCompareExchangeWeak"},
    {"memory", NULL, "%v_Workgroup %c %c", "AtomicFlagClear"},
    {"memory", NULL, "%v_Workgroup %c %c %c", "AtomicStore"},
    {"image", "%uint", "%c %c",
     "SampledImage ImageSampleImplicitLod ImageSampleProjImplicitLod "
     "ImageFetch ImageRead ImageQuerySizeLod ImageQueryLod"},
    {"image", "%uint", "%c %c %c",
     "ImageTexelPointer ImageSampleDrefImplicitLod "
     "ImageSampleProjDrefImplicitLod ImageGather ImageDrefGather"},
    {"image", "%uint", "%c %c Lod %x", "ImageSampleExplicitLod ImageSampleProjExplicitLod"},
    {"image", "%uint", "%c %c %c Lod %x",
     "ImageSampleDrefExplicitLod ImageSampleProjDrefExplicitLod"},
    {"image", NULL, "%c %c %c", "ImageWrite"},
    {"image", "%uint", "%c",
     "Image ImageQueryFormat ImageQueryOrder ImageQuerySize "
     "ImageQueryLevels ImageQuerySamples"},
    {"lanes", "%uint", "%c", "GroupNonUniformElect"},
    {"lanes", "%uint", "%c %c",
     "GroupNonUniformAll GroupNonUniformAny GroupNonUniformAllEqual GroupNonUniformBroadcastFirst "
     "GroupNonUniformBallot GroupNonUniformInverseBallot GroupNonUniformBallotFindLSB "
     "GroupNonUniformBallotFindMSB GroupAll GroupAny"},
    {"lanes", "%uint", "%c %c %c",
     "GroupNonUniformBroadcast GroupNonUniformBallotBitExtract GroupNonUniformShuffle "
     "GroupNonUniformShuffleXor GroupNonUniformShuffleUp GroupNonUniformShuffleDown "
     "GroupNonUniformQuadBroadcast GroupNonUniformQuadSwap GroupNonUniformRotateKHR "
     "GroupBroadcast"},
    {"lanes", "%uint", "%c Reduce %c",
     "GroupNonUniformBallotBitCount GroupNonUniformIAdd GroupNonUniformFAdd GroupNonUniformIMul "
     "GroupNonUniformFMul GroupNonUniformSMin GroupNonUniformUMin GroupNonUniformFMin "
     "GroupNonUniformSMax GroupNonUniformUMax GroupNonUniformFMax GroupNonUniformBitwiseAnd "
     "GroupNonUniformBitwiseOr GroupNonUniformBitwiseXor GroupNonUniformLogicalAnd "
     "GroupNonUniformLogicalOr GroupNonUniformLogicalXor GroupIAdd GroupFAdd GroupFMin GroupUMin "
     "GroupSMin GroupFMax GroupUMax GroupSMax GroupIMulKHR GroupFMulKHR GroupBitwiseAndKHR "
     "GroupBitwiseOrKHR GroupBitwiseXorKHR GroupLogicalAndKHR GroupLogicalOrKHR "
     "GroupLogicalXorKHR"},
    {"lanes", "%uint", "%x",
     "DPdx DPdy Fwidth DPdxFine DPdyFine FwidthFine DPdxCoarse DPdyCoarse "
     "FwidthCoarse GroupNonUniformPartitionNV SubgroupBallotKHR "
     "SubgroupFirstInvocationKHR SubgroupAllKHR SubgroupAnyKHR "
     "SubgroupAllEqualKHR"},
    {"lanes", "%uint", "%c %c", "SubgroupReadInvocationKHR"},
    {"lanes", NULL, "%c %c %c", "ControlBarrier"},
    {"lanes", NULL, "%c %c", "MemoryBarrier"},
    {"flow", NULL, "", "Return"},
    {"other", "%bool", "%v_Generic %v_Generic", "PtrEqual PtrNotEqual PtrDiff"},
};

static void every_instruction_has_its_class(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
    char names[2000], line[300], *rest = NULL;
    snprintf(names, sizeof names, "%s", alike[i].names);
    for (char *name = strtok_r(names, " ", &rest); name; name = strtok_r(NULL, " ", &rest)) {
      if (alike[i].type)
        snprintf(line, sizeof line, "%%r = Op%s %s %s", name, alike[i].type, alike[i].operands);
      else
        snprintf(line, sizeof line, "Op%s %s", name, alike[i].operands);
      expect_class(line, alike[i].class);
    }
  }
}

/* ---- memory by storage class ----------------------------------------------------------------- */

/* The class of a copy is that of its first pointer, the target. */
static void memory_by_storage_class(void **state) {
  (void)state;
  static const struct {
    const char *storage, *class;
  } all[] = {
      {"Function", "local"},        {"Private", "local"},          {"Input", "local"},
      {"Output", "local"},          {"Workgroup", "shared"},       {"StorageBuffer", "memory"},
      {"Uniform", "memory"},        {"UniformConstant", "memory"}, {"Generic", "memory"},
      {"CrossWorkgroup", "memory"}, {"PushConstant", "memory"}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char line[200];
    snprintf(line, sizeof line, "%%r = OpLoad %%uint %%v_%s", all[i].storage);
    expect_class(line, all[i].class);
    snprintf(line, sizeof line, "OpStore %%v_%s %%c", all[i].storage);
    expect_class(line, all[i].class);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
      snprintf(line, sizeof line, "OpCopyMemory %%v_%s %%v_%s", all[i].storage, all[k].storage);
      expect_class(line, all[i].class);
      snprintf(line, sizeof line, "OpCopyMemorySized %%v_%s %%v_%s %%c", all[i].storage,
               all[k].storage);
      expect_class(line, all[i].class);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_instruction_has_its_class),
      cmocka_unit_test(memory_by_storage_class),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
