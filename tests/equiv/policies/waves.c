/* SPDX-License-Identifier: Apache-2.0 */
/* waves: see waves.h. */
#include "tests/equiv/policies/waves.h"

#include "tests/equiv/policies/costs.h"

#include <stdlib.h>

/* With all skip branches `exec` runs what `pdom` runs. */
static void compare_exec(const Case *c, const spv_emu_result *exec, const spv_emu_result *pdom) {
  run_like_pdom(c, exec, pdom);
  if (exec->noop_issues)
    run_fail(c, "exec issues %llu no-ops", (unsigned long long)exec->noop_issues);
  if (exec->scalar_issues + exec->branch_issues > exec->issued)
    run_fail(c, "exec has more scalar instructions and branches than it issues");
  run_sums.exec_runs++;
  run_sums.exec_added += exec->overhead - pdom->overhead;
  run_sums.exec_issued += exec->issued;
}

/* Lanes compute the same with every lowering. */
static void other_lowerings(const Case *c, const spv_emu_program *program, const Outcome *exec) {
  static const char *const lowerings[] = {"needed-skips", "flow-blocks", "needed-skips,flow-blocks",
                                          "branch-masks", "branch-masks,flow-blocks"};
  for (uint32_t i = 0; i < sizeof lowerings / sizeof *lowerings; i++) {
    Outcome *o = malloc(sizeof *o);
    *o = run_with(c, program, "exec", (RunHow){.lowering = lowerings[i]});
    run_same_memory(c, lowerings[i], &exec->memory, &o->memory);
    if (o->result->lane_instructions != exec->result->lane_instructions)
      run_fail(c, "lowered with %s, exec enables %llu lanes in sum, else %llu", lowerings[i],
               (unsigned long long)o->result->lane_instructions,
               (unsigned long long)exec->result->lane_instructions);
    spv_emu_result_free(o->result);
    free(o);
  }
}

/* Printed by spvreconv and read back, the program is the same. */
static void through_listing(const Case *c, uint32_t lanes, const char *transform,
                            const Outcome *exec) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = transform ? transform : "none";
  options.validate = SPVRECONV_VALIDATE_NONE;
  options.want = SPVRECONV_WANT_WAVE | SPVRECONV_WANT_CHECK;
  spvreconv_result *result;
  spvreconv_status status = spvreconv_run(&options, c->words, c->count, &result);
  bool all = transform && run_is(transform, "reconverge");
  if (status == SPVRECONV_BAD_INPUT && !all) { /* a function that is not reached */
    spvreconv_result_destroy(result);
    return;
  }
  if (status != SPVRECONV_OK)
    run_fail(c, "--dump-wave: %s", spvreconv_result_message(result));
  spv_emu_program *program = run_load(c, lanes, transform);
  Outcome *o = malloc(sizeof *o);
  *o = run_with(c, program, "exec",
                (RunHow){.listing = spvreconv_result_text(result, SPVRECONV_WANT_WAVE)});
  run_same_memory(c, "exec and its listing", &exec->memory, &o->memory);
  run_same_blocks(c, exec->result, o->result);
  if (o->result->issued != exec->result->issued)
    run_fail(c, "exec issues %llu, from its listing %llu", (unsigned long long)exec->result->issued,
             (unsigned long long)o->result->issued);
  spv_emu_result_free(o->result);
  free(o);
  spv_emu_free(program);
  spvreconv_result_destroy(result);
}

void waves_check(const Case *c, const spv_emu_program *program, uint32_t lanes,
                 const char *transform, const Outcome *exec, const Outcome *pdom) {
  compare_exec(c, exec->result, pdom->result);
  other_lowerings(c, program, exec);
  through_listing(c, lanes, transform, exec);
}

void waves_check_tangles(const Case *c, uint32_t lanes, bool merges) {
  spv_emu_program *program = run_load(c, lanes, "reconverge");
  Outcome *e = malloc(sizeof *e), *p = malloc(sizeof *p);
  *e = costs_run(c, program, "exec");
  *p = costs_run(c, program, "pdom");
  if (e->result->outcome == SPV_EMU_RAN) {
    run_like_pdom(c, e->result, p->result);
    run_same_memory(c, "ballots, exec and pdom", &e->memory, &p->memory);
  } else if (merges) {
    run_sums.exec_left_alone++;
  } else {
    run_fail(c, "exec does not apply after reconverge: %s", e->result->message);
  }
  spv_emu_result_free(e->result);
  spv_emu_result_free(p->result);
  free(e);
  free(p);
  spv_emu_free(program);
}
