/* SPDX-License-Identifier: Apache-2.0 */
/* emu_bench_oracle: compares the emulator with the interpreter of tests/equiv, which runs one
 * invocation at a time. The interpreter runs the first 8 of the module's 64 invocations, which all
 * run the same number of instructions; both start from the interpreter's random numbers and must
 * give the same results. */
#include "tests/bench-emu/emu_bench.h"

#include "harness/shader/case_file.h"
#include "passes/tool/compile/compile_file.h"
#include "tests/equiv/oracle.h"

#include <spirv-tools/libspirv.h>
#include <spv-emu/spv_emu.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUBGROUP_SIZE = 32, INVOCATIONS = 64, MESSAGE = 512, SEED = 1 };
#define STEP_LIMIT ((uint64_t)1 << 40)

static bool fail(const char *path, const char *message) {
  fprintf(stderr, "spv-emu-bench: %s: %s\n", path, message);
  return false;
}

static spv_binary assemble(const char *path) {
  uint8_t *text;
  size_t size;
  spv_binary module = NULL;
  if (!compile_file_read(path, HN_FILE_MOST, &text, &size))
    return NULL;
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_3);
  spvTextToBinary(context, (const char *)text, size, &module, NULL);
  spvContextDestroy(context);
  free(text);
  return module;
}

static bool run_oracle(const char *path, const spv_binary_t *module, EmuBenchTimes *times,
                       OracleMemory *memory) {
  OracleResult result;
  double start = emu_bench_now();
  oracle_run_memory(module->code, module->wordCount, SEED, STEP_LIMIT, &result, memory);
  double seconds = (emu_bench_now() - start) * INVOCATIONS / ORACLE_INVOCATIONS;
  if (times->other == 0 || seconds < times->other)
    times->other = seconds;
  return result.ok || fail(path, result.message);
}

/* `words`: the module's buffer, the first variable that it declares. */
static bool run_emulator(const char *path, const spv_emu_program *program, uint32_t *words,
                         EmuBenchTimes *times) {
  const spv_emu_buffer buffer = {.bytes = words, .size = INVOCATIONS * sizeof *words};
  const spv_emu_run_options options = {
      .policy = "structured", .groups = {1, 1, 1}, .buffers = &buffer, .buffer_count = 1};
  char message[MESSAGE];
  spv_emu_result *result;
  double start = emu_bench_now();
  if (spv_emu_run(program, &options, &result, message, sizeof message) != SPV_EMU_OK)
    return fail(path, message);
  double seconds = emu_bench_now() - start;
  if (times->emulator == 0 || seconds < times->emulator)
    times->emulator = seconds;
  times->lane_instructions = result->lane_instructions;
  bool good = result->outcome == SPV_EMU_RAN || fail(path, result->message);
  spv_emu_result_free(result);
  return good;
}

static bool run_both(const char *path, const spv_binary_t *module, const spv_emu_program *program,
                     EmuBenchTimes *times) {
  OracleMemory memory;
  bool good =
      run_oracle(path, module, times, &memory) && run_emulator(path, program, memory.before, times);
  if (good && memcmp(memory.before, memory.after, ORACLE_INVOCATIONS * sizeof *memory.after) != 0)
    good = fail(path, "emulator and interpreter do not agree");
  free(memory.before);
  free(memory.after);
  return good;
}

bool emu_bench_oracle(const char *path, unsigned runs, EmuBenchTimes *times) {
  const spv_emu_load_options load = {.subgroup_size = SUBGROUP_SIZE};
  char message[MESSAGE];
  spv_emu_program *program;
  *times = (EmuBenchTimes){0};
  spv_binary module = assemble(path);
  if (!module)
    return fail(path, "cannot be read; run this in the root of the repository");
  bool good = spv_emu_load(module->code, module->wordCount, &load, &program, message,
                           sizeof message) == SPV_EMU_OK ||
              fail(path, message);
  for (unsigned i = 0; good && i < runs; i++)
    good = run_both(path, module, program, times);
  if (good)
    spv_emu_free(program);
  spvBinaryDestroy(module);
  return good;
}
