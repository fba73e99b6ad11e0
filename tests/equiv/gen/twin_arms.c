/* SPDX-License-Identifier: Apache-2.0 */
/* twin_arms: arms of several blocks or with their own ends, and whole functions (twins.h). */
#include "tests/equiv/gen/twins.h"

#include <stddef.h>

#define ARMS(name_, left_, right_, twins_, ...)                                                    \
  {                                                                                                \
    .name = name_, .shape = TWIN_ARMS, .left = left_, .right = right_, .twins = twins_,            \
    .near = __VA_ARGS__                                                                            \
  }
#define NOWHERE .from = "" /* no arm leads to the join */

const Twin twin_arms[] = {
    /* ---- how a block ends ---- */
    ARMS("terminator", "OpStore %at3 %c1\nOpReturn", "OpStore %at3 %c1\nOpUnreachable", 1, 0,
         NOWHERE, .strange = true),
    ARMS("terminator of one branch or two", "OpStore %at3 %c1\nOpBranch %join2",
         "OpStore %at3 %c1\nOpBranchConditional %bit2 %join2 %join", 1, 0, .from = "|%tw@"),
    ARMS("target", "OpStore %at3 %c1\nOpBranch %join2", "OpStore %at3 %c1\nOpBranch %join3", 1, 0,
         NOWHERE),
    ARMS("targets swapped", "OpStore %at3 %c1\nOpBranchConditional %bit2 %join2 %join3",
         "OpStore %at3 %c1\nOpBranchConditional %bit2 %join3 %join2", 1, 0, NOWHERE),
    ARMS("condition", "OpStore %at3 %c1\nOpBranchConditional %bit2 %join2 %join3",
         "OpStore %at3 %c1\nOpBranchConditional %bit3 %join2 %join3", 1, 1, NOWHERE),
    ARMS("condition of the block",
         "%t@ = OpIEqual %bool %low %c1\n%u@ = OpIEqual %bool %low %c2\n"
         "OpBranchConditional %t@ %join2 %join3",
         "%t@ = OpIEqual %bool %low %c1\n%u@ = OpIEqual %bool %low %c2\n"
         "OpBranchConditional %u@ %join2 %join3",
         1, 0, NOWHERE),
    ARMS("branch weights", "OpStore %at3 %c1\nOpBranchConditional %bit2 %join2 %join3 1 3",
         "OpStore %at3 %c1\nOpBranchConditional %bit2 %join2 %join3 3 1", 1, 0, NOWHERE),
    ARMS("case literal", "OpStore %at3 %c1\nOpSwitch %low %join2 1 %join3",
         "OpStore %at3 %c1\nOpSwitch %low %join2 2 %join3", 1, 0, NOWHERE),
    ARMS("target of a case", "OpStore %at3 %c1\nOpSwitch %low %join2 1 %join3 2 %join2",
         "OpStore %at3 %c1\nOpSwitch %low %join2 1 %join3 2 %join3", 1, 0, NOWHERE),
    ARMS("one case more", "OpStore %at3 %c1\nOpSwitch %low %join2 1 %join3",
         "OpStore %at3 %c1\nOpSwitch %low %join2 1 %join3 2 %join3", 1, 0, NOWHERE),
    ARMS("default target", "OpStore %at3 %c1\nOpSwitch %low %join2 1 %join3",
         "OpStore %at3 %c1\nOpSwitch %low %join3 1 %join2", 1, 0, NOWHERE),
    ARMS("selector", "OpStore %at3 %c1\nOpSwitch %low %join2 1 %join3",
         "OpStore %at3 %c1\nOpSwitch %high %join2 1 %join3", 1, 1, NOWHERE),

    /* ---- chains ---- */
    ARMS("first of two blocks",
         "%a@ = OpIAdd %uint %x %c1\nOpStore %at2 %a@\nOpBranch %un@\n%un@ = OpLabel\n"
         "%v@ = OpISub %uint %a@ %y\nOpBranch %join",
         "%a@ = OpIAdd %uint %x %c2\nOpStore %at2 %a@\nOpBranch %un@\n%un@ = OpLabel\n"
         "%v@ = OpISub %uint %a@ %y\nOpBranch %join",
         2, 1, .value = "%v@", .from = "%un@"),
    ARMS("second of two blocks",
         "%a@ = OpIAdd %uint %x %c1\nOpBranch %un@\n%un@ = OpLabel\n"
         "%v@ = OpISub %uint %a@ %y\nOpBranch %join",
         "%a@ = OpIAdd %uint %x %c1\nOpBranch %un@\n%un@ = OpLabel\n"
         "%v@ = OpISub %uint %y %c1\nOpBranch %join",
         2, 0, .value = "%v@", .from = "%un@"),
    ARMS("value live in the second block",
         "%a@ = OpIAdd %uint %x %c1\n%b@ = OpIMul %uint %x %c3\nOpBranch %un@\n%un@ = OpLabel\n"
         "%v@ = OpISub %uint %a@ %y\nOpBranch %join",
         "%a@ = OpIAdd %uint %x %c1\n%b@ = OpIMul %uint %x %c3\nOpBranch %un@\n%un@ = OpLabel\n"
         "%v@ = OpISub %uint %b@ %y\nOpBranch %join",
         2, 1, .value = "%v@", .from = "%un@"),
    ARMS("value of the first block handed on",
         "%a@ = OpIAdd %uint %x %c1\n%b@ = OpIMul %uint %x %c3\nOpBranch %un@\n%un@ = OpLabel\n"
         "OpStore %at3 %c1\nOpBranch %join",
         "%a@ = OpIAdd %uint %x %c1\n%b@ = OpIMul %uint %x %c3\nOpBranch %un@\n%un@ = OpLabel\n"
         "OpStore %at3 %c1\nOpBranch %join",
         2, 1, .value = "%a@|%b@", .from = "%un@"),
    ARMS("diamond",
         "OpSelectionMerge %un@ None\nOpBranchConditional %bit2 %on@ %off@\n"
         "%on@ = OpLabel\n%a@ = OpIAdd %uint %x %c1\nOpBranch %un@\n"
         "%off@ = OpLabel\n%b@ = OpIMul %uint %x %c3\nOpBranch %un@\n"
         "%un@ = OpLabel\n%v@ = OpPhi %uint %a@ %on@ %b@ %off@\nOpStore %at2 %v@\nOpBranch %join",
         "OpSelectionMerge %un@ DontFlatten\nOpBranchConditional %bit2 %on@ %off@\n"
         "%on@ = OpLabel\n%a@ = OpIAdd %uint %x %c1\nOpBranch %un@\n"
         "%off@ = OpLabel\n%b@ = OpIMul %uint %x %c3\nOpBranch %un@\n"
         "%un@ = OpLabel\n%v@ = OpPhi %uint %a@ %on@ %b@ %off@\nOpStore %at2 %v@\nOpBranch %join",
         4, 4, .value = "%v@", .from = "%un@"),
    ARMS("phi operand",
         "OpBranchConditional %bit2 %on@ %off@\n"
         "%on@ = OpLabel\n%a@ = OpIAdd %uint %x %c1\nOpBranch %un@\n"
         "%off@ = OpLabel\n%b@ = OpIMul %uint %x %c3\nOpBranch %un@\n"
         "%un@ = OpLabel\n%v@ = OpPhi %uint %a@ %on@ %b@ %off@\nOpStore %at2 %v@\nOpBranch %join",
         "OpBranchConditional %bit2 %on@ %off@\n"
         "%on@ = OpLabel\n%a@ = OpIAdd %uint %x %c1\nOpBranch %un@\n"
         "%off@ = OpLabel\n%b@ = OpIMul %uint %x %c3\nOpBranch %un@\n"
         "%un@ = OpLabel\n%v@ = OpPhi %uint %y %on@ %b@ %off@\nOpStore %at2 %v@\nOpBranch %join",
         4, 2, .value = "%v@", .from = "%un@"),
    ARMS("order of a phi's parents",
         "OpBranchConditional %bit2 %on@ %off@\n"
         "%on@ = OpLabel\n%a@ = OpIAdd %uint %x %c1\nOpBranch %un@\n"
         "%off@ = OpLabel\n%b@ = OpIMul %uint %x %c3\nOpBranch %un@\n"
         "%un@ = OpLabel\n%v@ = OpPhi %uint %a@ %on@ %b@ %off@\nOpStore %at2 %v@\nOpBranch %join",
         "OpBranchConditional %bit2 %on@ %off@\n"
         "%on@ = OpLabel\n%a@ = OpIAdd %uint %x %c1\nOpBranch %un@\n"
         "%off@ = OpLabel\n%b@ = OpIMul %uint %x %c3\nOpBranch %un@\n"
         "%un@ = OpLabel\n%v@ = OpPhi %uint %b@ %off@ %a@ %on@\nOpStore %at2 %v@\nOpBranch %join",
         4, 4, .value = "%v@", .from = "%un@"),
    ARMS("order of phis",
         "OpBranchConditional %bit2 %on@ %off@\n"
         "%on@ = OpLabel\nOpStore %at3 %c1\nOpBranch %un@\n"
         "%off@ = OpLabel\nOpStore %at3 %c2\nOpBranch %un@\n"
         "%un@ = OpLabel\n%a@ = OpPhi %uint %x %on@ %y %off@\n%b@ = OpPhi %uint %y %on@ %z %off@\n"
         "%v@ = OpISub %uint %a@ %b@\nOpBranch %join",
         "OpBranchConditional %bit2 %on@ %off@\n"
         "%on@ = OpLabel\nOpStore %at3 %c1\nOpBranch %un@\n"
         "%off@ = OpLabel\nOpStore %at3 %c2\nOpBranch %un@\n"
         "%un@ = OpLabel\n%b@ = OpPhi %uint %y %on@ %z %off@\n%a@ = OpPhi %uint %x %on@ %y %off@\n"
         "%v@ = OpISub %uint %a@ %b@\nOpBranch %join",
         4, 4, .value = "%v@", .from = "%un@"),
    {0}};
