/* SPDX-License-Identifier: Apache-2.0 */
/* What calls do to values: parameters, results, variables that a callee stores, and lanes that call a function
 * from different places. Rows of uniform_rules.h. */
#include "tests/unit/analysis/uniform_rules.h"

/* Functions that a row calls as %fn, from two places, one of which only some lanes run. */
#define MIXED IF("%t", "%z = OpFunctionCall %uint %fn\n") "%z2 = OpFunctionCall %uint %fn\n"
#define CONSTANT                                                                                   \
  "%fn = OpFunction %uint None %get\n%fe = OpLabel\nOpReturnValue %c1\nOpFunctionEnd\n"
#define READ_OWN                                                                                   \
  "%read = OpFunction %uint None %get\n%re = OpLabel\n%1000 = OpLoad %uint %own\n"                 \
  "OpReturnValue %1000\nOpFunctionEnd\n"
#define CALLS_READ                                                                                 \
  "%fn = OpFunction %uint None %get\n%fe = OpLabel\n%fr = OpFunctionCall %uint %read\n"            \
  "OpReturnValue %fr\nOpFunctionEnd\n"
#define BRANCHED(END)                                                                              \
  "%fn = OpFunction %uint None %get\n%fe = OpLabel\n%fu = OpLoad %uint %push\n"                    \
  "%ft = OpIEqual %bool %fu %c0\nOpSelectionMerge %fx None\nOpBranchConditional %ft %fy %fx\n"     \
  "%fy = OpLabel\nOpBranch %fx\n%fx = OpLabel\n" END "OpFunctionEnd\n"
#define COUNTED_AS(NAME, BODY)                                                                     \
  NAME " = OpFunction %uint None %get\n%ne = OpLabel\n%nu = OpLoad %uint %push\nOpBranch %nh\n"    \
       "%nh = OpLabel\n%ni = OpPhi %uint %c0 %ne %nn %nb\n%nt = OpUGreaterThan %bool %ni %nu\n"    \
       "OpLoopMerge %nx %nb None\nOpBranchConditional %nt %nx %nb\n%nb = OpLabel\n" BODY           \
       "%nn = OpIAdd %uint %ni %c1\nOpBranch %nh\n%nx = OpLabel\n%1000 = OpIAdd %uint %ni %c1\n"   \
       "OpReturnValue %1000\nOpFunctionEnd\n"
#define COUNTED COUNTED_AS("%fn", "")

static const Row rows[] = {
    /* ---- calls ---- */
    {BOTH, "result of a call", "%1000 = OpFunctionCall %uint %same %u\n", 0,
     "%same = OpFunction %uint None %map\n%sp = OpFunctionParameter %uint\n%se = OpLabel\n"
     "OpReturnValue %sp\nOpFunctionEnd\n"},
    {NONE, "result of a call with a lane's number", "%1000 = OpFunctionCall %uint %same %lane\n", 0,
     "%same = OpFunction %uint None %map\n%sp = OpFunctionParameter %uint\n%se = OpLabel\n"
     "OpReturnValue %sp\nOpFunctionEnd\n"},
    {NONE, "results of a function that returns by a lane's number",
     "%1000 = OpFunctionCall %uint %pick\n", 0,
     "%pick = OpFunction %uint None %get\n%pe = OpLabel\n%pl = OpLoad %uint %lane_in\n"
     "%pt = OpIEqual %bool %pl %c0\nOpSelectionMerge %pn None\n"
     "OpBranchConditional %pt %py %pn\n%py = OpLabel\nOpReturnValue %c1\n%pn = OpLabel\n"
     "OpReturnValue %c2\nOpFunctionEnd\n"},
    {BOTH, "results of a function that returns one value from two places",
     "%1000 = OpFunctionCall %uint %pick\n", 0,
     "%pick = OpFunction %uint None %get\n%pe = OpLabel\n%pl = OpLoad %uint %lane_in\n"
     "%pt = OpIEqual %bool %pl %c0\nOpSelectionMerge %pn None\n"
     "OpBranchConditional %pt %py %pn\n%py = OpLabel\nOpReturnValue %c1\n%pn = OpLabel\n"
     "OpReturnValue %c1\nOpFunctionEnd\n"},
    {NONE, "result of a function without a body", "%1000 = OpFunctionCall %uint %far\n",
     "OpDecorate %far LinkageAttributes \"far\" Import\n",
     "%far = OpFunction %uint None %get\nOpFunctionEnd\n"},
    {NONE, "result of a function without a body or a name", "%1000 = OpFunctionCall %uint %far\n",
     0, "%far = OpFunction %uint None %get\nOpFunctionEnd\n"},
    {NONE, "parameter of a function that nothing calls", "", 0,
     "%idle = OpFunction %uint None %map\n%ip = OpFunctionParameter %uint\n%ie = OpLabel\n"
     "%1000 = OpIAdd %uint %ip %c1\nOpReturnValue %1000\nOpFunctionEnd\n"},
    {NONE, "private variable in a function that others may call", "OpStore %own %c2\n",
     "OpDecorate %api LinkageAttributes \"api\" Export\n",
     "%api = OpFunction %uint None %get\n%ae = OpLabel\n%1000 = OpLoad %uint %own\n"
     "OpReturnValue %1000\nOpFunctionEnd\n"},
    {NONE, "private variable, stored between two calls that lanes may run together",
     IF("%t", "%y = OpFunctionCall %uint %read\n") "OpStore %own %c2\n"
                                                   "%z = OpFunctionCall %uint %read\n",
     0, READ_OWN},
    {NONE, "private variable in a function called by one that lanes call from two places",
     IF("%t", "%y = OpFunctionCall %uint %fn\n") "OpStore %own %c2\n"
                                                 "%z = OpFunctionCall %uint %fn\n",
     0, CALLS_READ READ_OWN},
    {BOTH, "private variable that is never stored, in a function that lanes call from two places",
     IF("%t", "%y = OpFunctionCall %uint %read\n") "%z = OpFunctionCall %uint %read\n", 0,
     READ_OWN},
    {BOTH, "private variable, stored between two calls by all lanes",
     "%y = OpFunctionCall %uint %read\nOpStore %own %c2\n%z = OpFunctionCall %uint %read\n", 0,
     READ_OWN},
    {NONE, "phi in a function that lanes call from two places", MIXED, 0,
     BRANCHED("%1000 = OpPhi %uint %c0 %fe %c1 %fy\nOpReturnValue %c1\n")},
    {NONE, "sum in a function that lanes call from two places", MIXED, 0,
     BRANCHED("%1000 = OpGroupNonUniformIAdd %uint %c3 Reduce %c1\nOpReturnValue %c1\n")},
    {NONE, "results from two places of a function that lanes call from two places",
     IF("%t", "%1000 = OpFunctionCall %uint %fn\n") "%z2 = OpFunctionCall %uint %fn\n", 0,
     "%fn = OpFunction %uint None %get\n%fe = OpLabel\n%fu = OpLoad %uint %push\n"
     "%ft = OpIEqual %bool %fu %c0\nOpSelectionMerge %fn2 None\n"
     "OpBranchConditional %ft %fy %fn2\n%fy = OpLabel\nOpReturnValue %c1\n%fn2 = OpLabel\n"
     "OpReturnValue %c2\nOpFunctionEnd\n"},
    {BOTH, "results from two places of a function that all lanes call",
     "%1000 = OpFunctionCall %uint %fn\n", 0,
     "%fn = OpFunction %uint None %get\n%fe = OpLabel\n%fu = OpLoad %uint %push\n"
     "%ft = OpIEqual %bool %fu %c0\nOpSelectionMerge %fn2 None\n"
     "OpBranchConditional %ft %fy %fn2\n%fy = OpLabel\nOpReturnValue %c1\n%fn2 = OpLabel\n"
     "OpReturnValue %c2\nOpFunctionEnd\n"},
    {NONE, "count of a loop in a function that lanes call from two places", MIXED, 0, COUNTED},
    {BOTH, "count of a loop in a function that some lanes call",
     IF("%t", "%z = OpFunctionCall %uint %fn\n"), 0, COUNTED},
    {NONE, "count of a loop that calls a shared function, where lanes diverge elsewhere",
     "%y = OpFunctionCall %uint %fn\n" LOOP(
         "%u", "%z = OpFunctionCall %uint %fn\n") "%1000 = OpIAdd %uint %i %c1\nOpSelectionMerge "
                                                  "%after None\n"
                                                  "OpBranchConditional %t %then %after\n%then = "
                                                  "OpLabel\nOpBranch %after\n%after = OpLabel\n",
     0, CONSTANT},
    {BOTH, "count of a loop that calls a shared function",
     "%y = OpFunctionCall %uint %fn\n" LOOP(
         "%u", "%z = OpFunctionCall %uint %fn\n") "%1000 = OpIAdd %uint %i %c1\n",
     0, CONSTANT},
    {BOTH, "count of a loop that calls a function, where lanes diverge elsewhere",
     LOOP("%u", "%z = OpFunctionCall %uint %fn\n") "%1000 = OpIAdd %uint %i %c1\nOpSelectionMerge "
                                                   "%after None\n"
                                                   "OpBranchConditional %t %then %after\n%then = "
                                                   "OpLabel\nOpBranch %after\n%after = OpLabel\n",
     0, CONSTANT},
    {NONE, "count of a loop that calls a shared function, where lanes diverge in a callee",
     "%y = OpFunctionCall %uint %fn\n%w = OpFunctionCall %uint %parts\n" LOOP(
         "%u", "%z = OpFunctionCall %uint %fn\n") "%1000 = OpIAdd %uint %i %c1\n",
     0,
     CONSTANT "%parts = OpFunction %uint None %get\n%pe = OpLabel\n%pl = OpLoad %uint %lane_in\n"
              "%pt = OpIEqual %bool %pl %c0\nOpSelectionMerge %pn None\n"
              "OpBranchConditional %pt %py %pn\n%py = OpLabel\nOpBranch %pn\n%pn = OpLabel\n"
              "OpReturnValue %c2\nOpFunctionEnd\n"},
    {NONE, "count of a loop that calls a function that calls a shared one",
     "%y = OpFunctionCall %uint %fn\n" LOOP(
         "%u", "%z = OpFunctionCall %uint %mid\n") "%1000 = OpIAdd %uint %i %c1\nOpSelectionMerge "
                                                   "%after None\n"
                                                   "OpBranchConditional %t %then %after\n%then = "
                                                   "OpLabel\nOpBranch %after\n%after = OpLabel\n",
     0,
     CONSTANT "%mid = OpFunction %uint None %get\n%me = OpLabel\n"
              "%mz = OpFunctionCall %uint %fn\nOpReturnValue %mz\nOpFunctionEnd\n"},
    {NONE, "count of a loop that calls a shared function two calls deep",
     "%y = OpFunctionCall %uint %fn\n" LOOP("%u", "%z = OpFunctionCall %uint %top\n")
         IF("%t", "") "%1000 = OpIAdd %uint %i %c1\n",
     0,
     CONSTANT "%mid = OpFunction %uint None %get\n%me = OpLabel\n"
              "%mz = OpFunctionCall %uint %fn\nOpReturnValue %mz\nOpFunctionEnd\n"
              "%top = OpFunction %uint None %get\n%te = OpLabel\n"
              "%tz = OpFunctionCall %uint %mid\nOpReturnValue %tz\nOpFunctionEnd\n"},
    {NONE, "count of a loop that calls a shared function, in a function that some lanes call",
     "%y = OpFunctionCall %uint %fn\n" IF("%t", "%z = OpFunctionCall %uint %count\n"), 0,
     CONSTANT COUNTED_AS("%count", "%cz = OpFunctionCall %uint %fn\n")},
    {BOTH, "count of a loop that calls a shared function, in a function that all lanes call",
     "%y = OpFunctionCall %uint %fn\n%z = OpFunctionCall %uint %count\n", 0,
     CONSTANT COUNTED_AS("%count", "%cz = OpFunctionCall %uint %fn\n")},
    {NONE, "parameter of a function that others may call", "",
     "OpDecorate %api LinkageAttributes \"api\" Export\n",
     "%api = OpFunction %uint None %map\n%ap = OpFunctionParameter %uint\n%ae = OpLabel\n"
     "%1000 = OpIAdd %uint %ap %c1\nOpReturnValue %1000\nOpFunctionEnd\n"},
    {NONE, "parameter of a function that is called from outside too",
     "%z = OpFunctionCall %uint %api %u\n", "OpDecorate %api LinkageAttributes \"api\" Export\n",
     "%api = OpFunction %uint None %map\n%ap = OpFunctionParameter %uint\n%ae = OpLabel\n"
     "%1000 = OpIAdd %uint %ap %c1\nOpReturnValue %1000\nOpFunctionEnd\n"},
    {NONE, "sum in a function that some lanes call", IF("%t", "%z = OpFunctionCall %uint %sum\n"),
     0,
     "%sum = OpFunction %uint None %get\n%se = OpLabel\n"
     "%1000 = OpGroupNonUniformIAdd %uint %c3 Reduce %c1\nOpReturnValue %1000\nOpFunctionEnd\n"},
    {NONE, "variable that a function stores which some lanes call",
     IF("%t", "%z = OpFunctionCall %uint %set\n") ASK("%own"), 0,
     "%set = OpFunction %uint None %get\n%se = OpLabel\nOpStore %own %c2\n"
     "OpReturnValue %c1\nOpFunctionEnd\n"},
    {NONE, "variable that a function stores two calls deep",
     IF("%t", "%z = OpFunctionCall %uint %mid\n") ASK("%own"), 0,
     "%mid = OpFunction %uint None %get\n%me = OpLabel\n%mz = OpFunctionCall %uint %set\n"
     "OpReturnValue %mz\nOpFunctionEnd\n"
     "%set = OpFunction %uint None %get\n%se = OpLabel\nOpStore %own %c2\n"
     "OpReturnValue %c1\nOpFunctionEnd\n"},
    {NONE, "parameter of a function that lanes call from two places",
     "OpSelectionMerge %after None\nOpBranchConditional %t %then %else\n%then = OpLabel\n"
     "%y = OpFunctionCall %uint %same %c1\nOpBranch %after\n%else = OpLabel\n"
     "%z = OpFunctionCall %uint %same %c2\nOpBranch %after\n%after = OpLabel\n",
     0,
     "%same = OpFunction %uint None %map\n%sp = OpFunctionParameter %uint\n%se = OpLabel\n"
     "%1000 = OpIAdd %uint %sp %c1\nOpReturnValue %1000\nOpFunctionEnd\n"},
    {BOTH, "parameter of a function that all lanes call, twice",
     "%y = OpFunctionCall %uint %same %c1\n%z = OpFunctionCall %uint %same %c2\n", 0,
     "%same = OpFunction %uint None %map\n%sp = OpFunctionParameter %uint\n%se = OpLabel\n"
     "%1000 = OpIAdd %uint %sp %c1\nOpReturnValue %1000\nOpFunctionEnd\n"},
    {NONE, "private variable in a function that lanes call from two places",
     "OpStore %own %c1\nOpSelectionMerge %after None\nOpBranchConditional %t %then %else\n"
     "%then = OpLabel\n%y = OpFunctionCall %uint %read %c1\nOpBranch %after\n%else = OpLabel\n"
     "OpStore %own %c1\n%z = OpFunctionCall %uint %read %c1\nOpBranch %after\n%after = OpLabel\n",
     0,
     "%read = OpFunction %uint None %map\n%rp = OpFunctionParameter %uint\n%re = OpLabel\n"
     "%1000 = OpLoad %uint %own\nOpReturnValue %1000\nOpFunctionEnd\n"},
    {NONE, "parameter two calls below two places",
     "OpSelectionMerge %after None\nOpBranchConditional %t %then %else\n%then = OpLabel\n"
     "%y = OpFunctionCall %uint %mid %c1\nOpBranch %after\n%else = OpLabel\n"
     "%z = OpFunctionCall %uint %mid %c2\nOpBranch %after\n%after = OpLabel\n",
     0,
     "%mid = OpFunction %uint None %map\n%mp = OpFunctionParameter %uint\n%me = OpLabel\n"
     "%mz = OpFunctionCall %uint %same %c3\nOpReturnValue %mz\nOpFunctionEnd\n"
     "%same = OpFunction %uint None %map\n%sp = OpFunctionParameter %uint\n%se = OpLabel\n"
     "%1000 = OpIAdd %uint %sp %c1\nOpReturnValue %1000\nOpFunctionEnd\n"},
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
