/* SPDX-License-Identifier: Apache-2.0 */
/* costs: see costs.h. */
#include "tests/equiv/policies/costs.h"

#include <stdlib.h>

/* The same run with another cost model: the other figures are the same. */
static spv_emu_result *run_paid(const Case *c, const spv_emu_program *program,
                                const spv_emu_result *free_of_cost, const spv_emu_cost *cost) {
  Outcome *o = malloc(sizeof *o);
  *o = run_with(c, program, free_of_cost->policy, (RunHow){.cost = cost});
  spv_emu_result *r = o->result;
  free(o);
  if (r->issued != free_of_cost->issued || r->stack_pushes != free_of_cost->stack_pushes ||
      r->stack_pops != free_of_cost->stack_pops)
    run_fail(c, "%s: a cost model changes what happens", r->policy);
  if (r->cycles != r->issue_cycles + r->idle_cycles)
    run_fail(c, "%s: %llu cycles are not those of issues and idle ones", r->policy,
             (unsigned long long)r->cycles);
  return r;
}

/* One resident subgroup waits for everything; with more, waits overlap. */
static void check(const Case *c, const spv_emu_program *program, const spv_emu_result *r) {
  static const char *const models[] = {"issues", "kepler", "maxwell", "fermi"};
  spv_emu_cost cost;
  if (r->cycles != r->issued || r->stack_spills || r->utilisation != (r->issued > 0))
    run_fail(c, "%s: %llu cycles without a cost model, %llu issues", r->policy,
             (unsigned long long)r->cycles, (unsigned long long)r->issued);
  if (!spv_emu_cost_find(models[c->seed / 16 % 4], &cost))
    run_fail(c, "a cost model is missing");
  cost.classes[c->seed % SPV_EMU_COST_CLASSES] = 3;
  spv_emu_result *one = run_paid(c, program, r, &cost);
  cost.subgroups = 1;
  cost.cache = (uint32_t)(c->seed / 64 % 3);
  spv_emu_result *alone = run_paid(c, program, r, &cost);
  cost.subgroups = 1024;
  spv_emu_result *many = run_paid(c, program, r, &cost);
  if (one->cycles + alone->load_cycles != alone->cycles)
    run_fail(c, "%s: %llu cycles, %llu of waiting for loads, but %llu together", r->policy,
             (unsigned long long)one->cycles, (unsigned long long)alone->load_cycles,
             (unsigned long long)alone->cycles);
  if (many->issue_cycles != alone->issue_cycles || many->loads != alone->loads ||
      many->cycles < many->issue_cycles || (!cost.cache && many->cycles > alone->cycles))
    run_fail(c, "%s: %llu cycles with one resident subgroup, %llu with all", r->policy,
             (unsigned long long)alone->cycles, (unsigned long long)many->cycles);
  spv_emu_result_free(one);
  spv_emu_result_free(alone);
  spv_emu_result_free(many);
}

Outcome costs_run(const Case *c, const spv_emu_program *program, const char *policy) {
  Outcome o = run_with(c, program, policy, (RunHow){0});
  if (c->seed % 16 == 0 && o.result->outcome == SPV_EMU_RAN && !run_regroups(policy))
    check(c, program, o.result);
  return o;
}
