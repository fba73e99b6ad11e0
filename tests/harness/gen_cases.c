/* SPDX-License-Identifier: Apache-2.0 */
/* gen_cases: writes random modules as AmberScript cases for spv-harness.
 *
 *   gen_cases COUNT SEED FOLDER [FAMILY | rich]
 *
 * Case k is a module of tests/equiv's generator from seed SEED + k, in a binary file next to it;
 * the expected contents come from the interpreter of tests/equiv (oracle.h). The families
 * alternate; the structured ones have merge instructions, the others need spv-harness to
 * structurize them first. Every fourth case has integers and switches of 8, 16 and 64 bits, and
 * 16-bit floats, which not all drivers support. With `rich` every case has what rich.h lists. */
#include "tests/equiv/gen/gen.h"
#include "tests/equiv/oracle.h"
#include "tests/equiv/world.h"
#include "tests/harness/live_out.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 20000000, RUNTIME_LENGTH = 64, RECORD = 10, PUSH = 2, UNIFORM = 6 };

static FILE *create(const char *folder, uint64_t seed, const char *suffix) {
  char path[4096];
  snprintf(path, sizeof path, "%s/random_%llu.%s", folder, (unsigned long long)seed, suffix);
  FILE *file = fopen(path, "wb");
  if (!file) {
    perror(path);
    exit(1);
  }
  return file;
}

static void finish(FILE *file) {
  if (fclose(file) == 0)
    return;
  perror("gen_cases");
  exit(1);
}

/* The features that the module's capabilities need. */
static void put_features(FILE *out, const GenModule *module) {
  for (size_t at = 5; at < module->count && (module->words[at] & 0xffff) == SpvOpCapability;
       at += 2)
    switch (module->words[at + 1]) {
    case SpvCapabilityInt8:
      fputs("DEVICE_FEATURE Float16Int8Features.shaderInt8\n", out);
      break;
    case SpvCapabilityFloat16:
      fputs("DEVICE_FEATURE Float16Int8Features.shaderFloat16\n", out);
      break;
    case SpvCapabilityInt16:
      fputs("DEVICE_FEATURE shaderInt16\n", out);
      break;
    case SpvCapabilityInt64:
      fputs("DEVICE_FEATURE shaderInt64\n", out);
      break;
    case SpvCapabilityVariablePointers:
      fputs("DEVICE_FEATURE VariablePointerFeatures.variablePointers\n", out);
      break;
    case SpvCapabilityVariablePointersStorageBuffer:
      fputs("DEVICE_FEATURE VariablePointerFeatures.variablePointersStorageBuffer\n", out);
      break;
    default:
      break;
    }
}

static void put_numbers(FILE *out, const uint32_t *numbers, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    fprintf(out, "%s%u", i % 10 ? " " : "\n ", numbers[i]);
  fputc('\n', out);
}

/* The memory has input, output, push constants and uniforms, as world.c declares them. */
static void put_case(FILE *out, uint64_t seed, GenFamily family, const GenModule *module,
                     const OracleMemory *memory) {
  const uint32_t *in = memory->before, *records = in + RUNTIME_LENGTH;
  const uint32_t *push = records + RUNTIME_LENGTH * RECORD, *uniform = push + PUSH;
  fprintf(out,
          "#!amber\n"
          "# What:  random control flow of family %s, seed %llu\n"
          "# Idea:  every block writes a number of its own\n"
          "# Watch: a block lost, repeated or out of order\n",
          graph_family_names[family], (unsigned long long)seed);
  put_features(out, module);
  fprintf(out,
          "SHADER compute work SPIRV-BIN FILE random_%llu.spv\n"
          "STRUCT record\n  uint32 result\n  uint32 log\n  vec4<uint32> v\n  uint32[4] arr\nEND\n"
          "STRUCT push\n  uint32 a\n  uint32 b\nEND\n"
          "STRUCT uniform\n  vec4<uint32> a\n  uint32 b\n  uint32 c\nEND\n",
          (unsigned long long)seed);
  fputs("BUFFER in DATA_TYPE uint32 DATA", out);
  put_numbers(out, in, RUNTIME_LENGTH);
  fputs("END\nBUFFER out DATA_TYPE record STD430 DATA", out);
  put_numbers(out, records, ORACLE_INVOCATIONS * RECORD);
  fputs("END\nBUFFER push DATA_TYPE push STD430 DATA", out);
  put_numbers(out, push, PUSH);
  fputs("END\nBUFFER uniform DATA_TYPE uniform STD140 DATA", out);
  put_numbers(out, uniform, UNIFORM);
  fputs("END\nPIPELINE compute p\n  ATTACH work\n"
        "  BIND BUFFER in AS storage DESCRIPTOR_SET 0 BINDING 0\n"
        "  BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 1\n"
        "  BIND BUFFER uniform AS uniform DESCRIPTOR_SET 0 BINDING 2\n"
        "  BIND BUFFER push AS push_constant\nEND\nRUN p 1 1 1\nEXPECT out IDX 0 EQ \\",
        out);
  const uint32_t *after = memory->after + RUNTIME_LENGTH;
  for (uint32_t i = 0; i < ORACLE_INVOCATIONS * RECORD; i++)
    fprintf(out, "%s%u", i % 10 ? " " : i ? " \\\n " : "\n ", after[i]);
  fputc('\n', out);
}

/* False: no case was written, because both software drivers are known to compute it wrong
 * (live_out.h). `wanted` -1: the families alternate. */
static bool write_case(const char *folder, uint64_t seed, int wanted, bool rich) {
  GenFamily family = wanted < 0 ? gen_turn(seed) : (GenFamily)wanted;
  const GenOptions options = {.merges = 1, .only32 = seed % 4 != 0, .rich = rich};
  GenModule module;
  OracleResult result;
  OracleMemory memory;
  gen_module(family, gen_size(seed, 5, 60), seed, &options, &module);
  if (live_out_of_loop(module.words, module.count)) {
    gen_module_free(&module);
    return false;
  }
  oracle_run_memory(module.words, module.count, seed, STEPS, &result, &memory);
  if (!result.ok) {
    fprintf(stderr, "gen_cases: seed %llu: %s\n", (unsigned long long)seed, result.message);
    exit(1);
  }
  FILE *binary = create(folder, seed, "spv"), *script = create(folder, seed, "amber");
  fwrite(module.words, sizeof *module.words, module.count, binary);
  put_case(script, seed, family, &module, &memory);
  finish(binary);
  finish(script);
  free(memory.before);
  free(memory.after);
  gen_module_free(&module);
  return true;
}

int main(int argc, char **argv) {
  bool rich = argc == 5 && strcmp(argv[4], "rich") == 0;
  int family = argc == 5 ? graph_family_find(argv[4]) : -1;
  if (argc < 4 || argc > 5 || (argc == 5 && family < 0 && !rich)) {
    fprintf(stderr, "usage: gen_cases COUNT SEED FOLDER [FAMILY | rich]\n");
    return 2;
  }
  uint64_t count = strtoull(argv[1], NULL, 10), seed = strtoull(argv[2], NULL, 10);
  uint64_t left_out = 0;
  for (uint64_t k = 0; k < count; seed++)
    if (write_case(argv[3], seed, family, rich))
      k++;
    else
      left_out++;
  printf("%llu cases; %llu left out, since they use after a loop what it loads\n",
         (unsigned long long)count, (unsigned long long)left_out);
  return 0;
}
