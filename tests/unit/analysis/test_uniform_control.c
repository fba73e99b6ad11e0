/* SPDX-License-Identifier: Apache-2.0 */
/* What divergent branches and loops do to values, and what operations of several lanes give: rows of
 * uniform_rules.h. */
#include "tests/unit/analysis/uniform_rules.h"

static const Row rows[] = {
    /* ---- operations of lanes together ---- */
    {SUBGROUP, "sum over the subgroup", "%1000 = OpGroupNonUniformIAdd %uint %c3 Reduce %lane\n", 0,
     0},
    {NONE, "sum up to a lane", "%1000 = OpGroupNonUniformIAdd %uint %c3 InclusiveScan %c1\n", 0, 0},
    {NONE, "sum before a lane", "%1000 = OpGroupNonUniformIAdd %uint %c3 ExclusiveScan %c1\n", 0,
     0},
    {NONE, "sum over a cluster",
     "%1000 = OpGroupNonUniformIAdd %uint %c3 ClusteredReduce %lane %c2\n", 0, 0},
    {NONE, "sum over an unknown scope", "%1000 = OpGroupNonUniformIAdd %uint %scope Reduce %lane\n",
     0, 0},
    {BOTH, "sum over the workgroup", "%1000 = OpGroupIAdd %uint %c2 Reduce %lane\n", 0, 0},
    {SUBGROUP, "any of the subgroup", "%1000 = OpGroupNonUniformAny %bool %c3 %t\n", 0, 0},
    {SUBGROUP, "all of the subgroup", "%1000 = OpGroupNonUniformAll %bool %c3 %t\n", 0, 0},
    {SUBGROUP, "all equal", "%1000 = OpGroupNonUniformAllEqual %bool %c3 %lane\n", 0, 0},
    {SUBGROUP, "ballot", "%1000 = OpGroupNonUniformBallot %uint4 %c3 %t\n", 0, 0},
    {SUBGROUP, "first lane's", "%1000 = OpGroupNonUniformBroadcastFirst %uint %c3 %lane\n", 0, 0},
    {SUBGROUP, "a lane's", "%1000 = OpGroupNonUniformBroadcast %uint %c3 %lane %c1\n", 0, 0},
    {NONE, "each lane's choice of a lane",
     "%1000 = OpGroupNonUniformBroadcast %uint %c3 %lane %lane\n", 0, 0},
    {NONE, "shuffle", "%1000 = OpGroupNonUniformShuffle %uint %c3 %lane %c1\n", 0, 0},
    {NONE, "elected", "%1000 = OpGroupNonUniformElect %bool %c3\n", 0, 0},
    {SUBGROUP, "lanes set in a ballot",
     "%b = OpGroupNonUniformBallot %uint4 %c3 %t\n"
     "%1000 = OpGroupNonUniformBallotBitCount %uint %c3 Reduce %b\n",
     0, 0},
    {NONE, "lanes set in a ballot, up to a lane",
     "%b = OpGroupNonUniformBallot %uint4 %c3 %t\n"
     "%1000 = OpGroupNonUniformBallotBitCount %uint %c3 InclusiveScan %b\n",
     0, 0},
    {SUBGROUP, "old ballot", "%1000 = OpSubgroupBallotKHR %uint4 %t\n", 0, 0},
    {SUBGROUP, "old read of a lane", "%1000 = OpSubgroupReadInvocationKHR %uint %lane %c1\n", 0, 0},
    {NONE, "old read of each lane's choice",
     "%1000 = OpSubgroupReadInvocationKHR %uint %lane %lane\n", 0, 0},
    {NONE, "ballot by some of the lanes, read by all",
     IF("%t", "%b = OpGroupNonUniformIAdd %uint %c3 Reduce %lane\nOpStore %mine %b") ASK("%mine"),
     0, 0},
    {NONE, "sum by some of the lanes",
     IF("%t", "%1000 = OpGroupNonUniformIAdd %uint %c3 Reduce %u"), 0, 0},
    {SUBGROUP, "sum by all of the lanes, or none",
     IF("%ut", "%1000 = OpGroupNonUniformIAdd %uint %c3 Reduce %u"), 0, 0},

    /* ---- control ---- */
    {NONE, "phi by a lane's number", IF("%t", "") "%1000 = OpPhi %uint %c0 %entry %c1 %then\n", 0,
     0},
    {BOTH, "phi by a lane's number, of one value",
     IF("%t", "") "%1000 = OpPhi %uint %u %entry %u %then\n", 0, 0},
    {BOTH, "phi by a uniform value", IF("%ut", "") "%1000 = OpPhi %uint %c0 %entry %c1 %then\n", 0,
     0},
    {BOTH, "value of a block that some lanes run", IF("%t", "%1000 = OpIAdd %uint %u %c1\n"), 0, 0},
    {BOTH, "count of a loop that all leave together",
     LOOP("%u", "") "%1000 = OpIAdd %uint %i %c1\n", 0, 0},
    {NONE, "count of a loop that lanes leave in different iterations",
     LOOP("%lane", "") "%1000 = OpIAdd %uint %i %c1\n", 0, 0},
    {BOTH, "count inside a loop that lanes leave in different iterations",
     LOOP("%lane", "%1000 = OpIAdd %uint %n %c1\n"), 0, 0},
    {NONE, "variable stored in a loop that lanes leave in different iterations",
     LOOP("%lane", "OpStore %mine %n\n") ASK("%mine"), 0, 0},
    {NONE, "value handed out of a loop to a phi",
     LOOP("%lane", "") "%1000 = OpPhi %uint %i %head\n", 0, 0},
    {NONE, "inner loop that lanes leave in different iterations, only to the outer header",
     "OpBranch %outer\n%outer = OpLabel\n%o = OpPhi %uint %c0 %entry %o2 %inner\n"
     "%k = OpPhi %uint %c0 %entry %j %inner\n%far = OpUGreaterThan %bool %o %c3\n"
     "OpBranchConditional %far %done %inner0\n%inner0 = OpLabel\nOpBranch %inner\n"
     "%inner = OpLabel\n%j = OpPhi %uint %c0 %inner0 %j2 %inner\n%j2 = OpIAdd %uint %j %c1\n"
     "%o2 = OpIAdd %uint %o %c1\n%off = OpUGreaterThan %bool %j %lane\n"
     "OpBranchConditional %off %outer %inner\n%done = OpLabel\n%1000 = OpIAdd %uint %k %c1\n",
     0, 0},
    {NONE, "first value after an inner loop that leads to the outer header",
     "OpBranch %outer\n%outer = OpLabel\n%o = OpPhi %uint %c0 %entry %o2 %inner\n"
     "%1000 = OpGroupNonUniformIAdd %uint %c3 Reduce %c1\n"
     "%far = OpUGreaterThan %bool %o %c3\nOpBranchConditional %far %done %inner\n"
     "%inner = OpLabel\n%j = OpPhi %uint %c0 %outer %j2 %inner\n%j2 = OpIAdd %uint %j %c1\n"
     "%o2 = OpIAdd %uint %o %c1\n%off = OpUGreaterThan %bool %j %lane\n"
     "OpBranchConditional %off %outer %inner\n%done = OpLabel\n",
     0, 0},
    {NONE, "cycle with two entries, entered by a lane's number",
     "OpBranchConditional %t %a %b\n%a = OpLabel\n%x = OpPhi %uint %c0 %entry %y %b\n"
     "%x2 = OpIAdd %uint %x %c1\n%s = OpUGreaterThan %bool %x %u\n"
     "OpBranchConditional %s %done %b\n%b = OpLabel\n%y = OpPhi %uint %c1 %entry %x2 %a\n"
     "OpBranch %a\n%done = OpLabel\n%1000 = OpIAdd %uint %x %c1\n",
     0, 0},
    {NONE, "arms of a switch that fall through",
     "OpSelectionMerge %join None\nOpSwitch %lane %join 1 %one 2 %two\n%one = OpLabel\n"
     "OpBranch %two\n%two = OpLabel\n%1000 = OpPhi %uint %c1 %one %c2 %entry\nOpBranch %join\n"
     "%join = OpLabel\n",
     0, 0},
};

static void rules(void **state) {
  (void)state;
  check_rows(shader_frame(), rows, sizeof rows / sizeof *rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
