/* SPDX-License-Identifier: Apache-2.0 */
/* run_module: spv_emu_run. Sets the run up (run_setup.h), runs the dispatch (workgroup.h), and
 * fills the result with the figures. */
#include "spv-emu/alu/isa.h"
#include "spv-emu/api/run_setup.h"
#include "spv-emu/exec/dispatch_heat.h"
#include "spv-emu/policy/table/policy_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A heat of a different size belongs to a different dispatch. */
static SrStatus prepare_heat(EmuRun *r) {
  spv_emu_heat *heat = r->options->heat;
  bool enough = true;
  if (!heat || r->skip || r->dispatch.optimum)
    return SR_OK;
  if (emu_dispatch_heat_size(heat, r->program->p, r->dispatch.groups, &enough))
    r->dispatch.heat = heat;
  return enough ? SR_OK : SR_OUT_OF_MEMORY;
}

static SrStatus run(EmuRun *r) {
  EmuTotals totals = {0};
  SR_CHECK(emu_run_prepare(r));
  SR_CHECK(prepare_heat(r));
  if (!r->skip)
    emu_dispatch(r->arena, &r->dispatch, &totals);
  return emu_run_finish(r, r->skip ? NULL : &totals);
}

static SrStatus run_guarded(EmuRun *r) {
  if (setjmp(r->arena->heap->out_of_memory))
    return SR_OUT_OF_MEMORY;
  return run(r);
}

spv_emu_status spv_emu_run(const spv_emu_program *program, const spv_emu_run_options *options,
                           spv_emu_result **result, char *message, size_t message_size) {
  *result = NULL;
  SrHeap heap = {0};
  sr_heap_init(&heap);
  SrArena arena = sr_arena_new(&heap);
  EmuRun r = {.program = program,
              .options = options,
              .result = calloc(1, sizeof *r.result),
              .arena = &arena};
  r.diag = (SrDiag){.locate = program->diag.locate, .locate_user = program->diag.locate_user};
  SrStatus status = r.result ? run_guarded(&r) : SR_OUT_OF_MEMORY;
  sr_heap_free_all(&heap);
  if (status == SR_OK) {
    *result = r.result;
    return SPV_EMU_OK;
  }
  snprintf(message, message_size, "%s", status == SR_OUT_OF_MEMORY ? "out of memory" : r.diag.text);
  spv_emu_result_free(r.result);
  return status == SR_OUT_OF_MEMORY ? SPV_EMU_NO_MEMORY : SPV_EMU_BAD_INPUT;
}

void spv_emu_result_free(spv_emu_result *result) {
  if (!result)
    return;
  free(result->blocks);
  free(result->parts);
  free(result->listing);
  free(result->priority);
  free(result->breaches);
  free(result->functions);
  free(result->calls);
  free(result->loops);
  free(result->branches);
  free(result);
}

const char *spv_emu_policy(uint32_t index, const char **purpose) {
  const EmuPolicy *policy = emu_policy_at(index);
  if (policy) {
    *purpose = policy->purpose;
    return policy->name;
  }
  if (index == 0 || emu_policy_at(index - 1)) {
    *purpose = "not hardware: the fewest issues possible for the lanes' paths";
    return "opt";
  }
  return NULL;
}

const char *spv_emu_instruction_set(uint32_t index) {
  const EmuIsa *isa = emu_isa_at(index);
  return isa ? isa->name : NULL;
}
