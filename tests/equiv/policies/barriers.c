/* SPDX-License-Identifier: Apache-2.0 */
/* barriers: see barriers.h. */
#include "tests/equiv/policies/barriers.h"

#include <stdio.h>
#include <stdlib.h>

Outcome *barriers_run(const Case *c, const spv_emu_program *program, RunHow how,
                      const Outcome *scalar) {
  char what[96];
  Outcome *o = malloc(sizeof *o);
  *o = run_with(c, program, "barrier", how);
  snprintf(what, sizeof what, "%s and barrier, %s, %s", scalar->result->policy,
           how.placement ? how.placement : "listing", how.scheduling ? how.scheduling : "lifo");
  run_same_memory(c, what, &scalar->memory, &o->memory);
  return o;
}

/* The program as text, read back, is the same. */
static void barriers_through_listing(const Case *c, const spv_emu_program *program,
                                     const Outcome *barrier) {
  Outcome *o = barriers_run(c, program, (RunHow){.barriers = barrier->result->listing}, barrier);
  run_same_blocks(c, barrier->result, o->result);
  if (o->result->issued != barrier->result->issued)
    run_fail(c, "barrier issues %llu, from its listing %llu",
             (unsigned long long)barrier->result->issued, (unsigned long long)o->result->issued);
  run_end(o);
}

static void check_placement(const Case *c, const spv_emu_program *program, const char *placement,
                            const Outcome *scalar, const spv_emu_result *like) {
  Outcome *o = barriers_run(c, program, (RunHow){.placement = placement}, scalar);
  const spv_emu_result *r = o->result;
  run_sums.barrier_runs++;
  run_sums.barrier_issued += r->issued;
  run_sums.barrier_added += r->overhead - like->overhead;
  if (r->lane_instructions != like->lane_instructions)
    run_fail(c, "barrier, %s enables %llu lanes in sum, %s %llu", placement,
             (unsigned long long)r->lane_instructions, like->policy,
             (unsigned long long)like->lane_instructions);
  if (run_is(placement, "ipdom"))
    run_like_pdom(c, r, like);
  else if (run_is(placement, "nak"))
    run_same_blocks(c, r, like);
  else if (run_is(placement, "frontier")) {
    run_sums.frontier_issued += r->issued - r->overhead;
    run_sums.stack_issued += like->issued - like->overhead;
  }
  if (r->listing)
    barriers_through_listing(c, program, o);
  run_end(o);
  if (c->seed % 4 != 1)
    return;
  run_end(barriers_run(c, program, (RunHow){.placement = placement, .scheduling = "round-robin"},
                       scalar));
  run_end(
      barriers_run(c, program, (RunHow){.placement = placement, .scheduling = "oldest"}, scalar));
}

void barriers_check(const Case *c, const spv_emu_program *program, const Outcome *outcomes,
                    uint32_t count) {
  const Outcome *structured = run_find(outcomes, count, "structured");
  check_placement(c, program, "ipdom", outcomes, run_find(outcomes, count, "pdom")->result);
  check_placement(c, program, "frontier", outcomes, run_find(outcomes, count, "tf-stack")->result);
  check_placement(c, program, "speculative", outcomes, run_find(outcomes, count, "pdom")->result);
  if (structured)
    check_placement(c, program, "nak", outcomes, structured->result);
}
