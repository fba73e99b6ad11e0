/* SPDX-License-Identifier: Apache-2.0 */
/* twin_wholes: functions with two blocks or loops of the same code at places where they must not
 * merge (twins.h); in `left` they are at places where they may. */
#include "tests/equiv/gen/twins.h"

#include <stddef.h>

#define WHOLE(name_, left_, right_, twins_, ...)                                                   \
  {                                                                                                \
    .name = name_, .shape = TWIN_WHOLE, .left = left_, .right = right_, .twins = twins_,           \
    .near = __VA_ARGS__                                                                            \
  }
#define END "%join = OpLabel\nOpStore %at3 %x\nOpReturn"
#define FORK                                                                                       \
  "OpBranchConditional %bit0 %p %q\n%p = OpLabel\nOpStore %at2 %c1\n"                              \
  "OpBranchConditional %bit1 %l %join\n%q = OpLabel\nOpStore %at2 %c2\n"                           \
  "OpBranchConditional %bit1 %r %join\n"
#define ABOVE                                                                                      \
  "OpBranchConditional %bit2 %up %down\n%up = OpLabel\nOpStore %at3 %c1\nOpBranch %meet\n"         \
  "%down = OpLabel\nOpStore %at3 %c2\nOpBranch %meet\n"                                            \
  "%meet = OpLabel\n%m = OpPhi %uint %x %up %y %down\nOpStore %at4 %m\n" FORK
/* The loops g, a and h, b; and e, which leads to h as b does. */
#define TWO_LOOPS(MORE)                                                                            \
  "OpBranchConditional %bit0 %p %q\n%p = OpLabel\nOpStore %at4 %c1\nOpBranch %g\n"                 \
  "%g = OpLabel\n%i = OpLoad %uint %at4\n%n = OpIAdd %uint %i %c1\nOpStore %at4 %n\n"              \
  "%t = OpULessThan %bool %i %c5\nOpBranchConditional %t %a %join\n"                               \
  "%a = OpLabel\nOpStore %at3 %z\nOpBranch %g\n"                                                   \
  "%q = OpLabel\nOpStore %at4 %c2\nOpBranchConditional %bit1 %o %e\n"                              \
  "%o = OpLabel\nOpStore %at4 %c3\nOpBranch %h\n"                                                  \
  "%e = OpLabel\n" MORE "OpStore %at3 %y\nOpBranch %h\n"                                           \
  "%h = OpLabel\n%j = OpLoad %uint %at4\n%k = OpIAdd %uint %j %c1\nOpStore %at4 %k\n"              \
  "%v = OpULessThan %bool %j %c5\nOpBranchConditional %v %b %join\n"                               \
  "%b = OpLabel\nOpStore %at3 %y\nOpBranch %h\n" END
/* Lanes reach a test with 1 or 2, which decides where they continue. */
#define ASKED(WITH, YES, BRANCH)                                                                   \
  "OpBranchConditional %bit0 %p %q\n%p = OpLabel\nOpStore %at2 %c1\nOpBranch %ask\n"               \
  "%q = OpLabel\nOpStore %at2 %c2\nOpBranch %ask\n%ask = OpLabel\n"                                \
  "%k = OpPhi %uint %c1 %p %c2 %q\n" WITH "%t = OpULessThanEqual %bool %k %c1\n" BRANCH            \
  "%yes = OpLabel\n" YES "OpBranch %join\n%no = OpLabel\nOpStore %at3 %c6\nOpBranch %join\n" END
#define COND "OpBranchConditional %t %yes %no\n"
#define FOLDED .folds = true

const Twin twin_wholes[] = {
    WHOLE("one branch leads to both, with other values",
          FORK "%l = OpLabel\n%a = OpIAdd %uint %x %c1\nOpStore %at %a\nOpBranch %join\n"
               "%r = OpLabel\n%b = OpIAdd %uint %y %c1\nOpStore %at %b\nOpBranch %join\n" END,
          "OpBranchConditional %bit0 %l %r\n"
          "%l = OpLabel\n%a = OpIAdd %uint %x %c1\nOpStore %at %a\nOpBranch %join\n"
          "%r = OpLabel\n%b = OpIAdd %uint %y %c1\nOpStore %at %b\nOpBranch %join\n" END,
          1, 0),
    WHOLE("one branch leads to both loops",
          FORK
          "%l = OpLabel\n%i = OpPhi %uint %c0 %p %n %l\n%n = OpIAdd %uint %i %c1\n"
          "OpStore %at %x\n%t = OpULessThan %bool %n %c3\nOpBranchConditional %t %l %join\n"
          "%r = OpLabel\n%j = OpPhi %uint %c0 %q %o %r\n%o = OpIAdd %uint %j %c1\n"
          "OpStore %at %y\n%u = OpULessThan %bool %o %c3\nOpBranchConditional %u %r %join\n" END,
          "%stay = OpIEqual %bool %z %z\nOpBranchConditional %bit0 %l %r\n"
          "%l = OpLabel\n%i = OpPhi %uint %c0 %entry %n %l\n%n = OpIAdd %uint %i %c1\n"
          "OpStore %at %x\n%t = OpULessThan %bool %n %c3\nOpBranchConditional %t %l %join\n"
          "%r = OpLabel\n%j = OpPhi %uint %c0 %entry %o %r\n%o = OpIAdd %uint %j %c1\n"
          "OpStore %at %y\n%u = OpULessThan %bool %o %c3\nOpBranchConditional %u %r %join\n" END,
          1, 0),
    /* b, before the loop, dominates its header, which uses its value; d is in the loop. */
    WHOLE("before a loop and inside",
          FORK "%l = OpLabel\n%a = OpIAdd %uint %x %c1\nOpStore %at %a\nOpBranch %join\n"
               "%r = OpLabel\n%b = OpIAdd %uint %y %c1\nOpStore %at %b\nOpBranch %join\n" END,
          "OpBranchConditional %bit0 %l %join\n"
          "%l = OpLabel\n%a = OpIAdd %uint %low %c1\nOpStore %at2 %a\nOpBranch %h\n"
          "%h = OpLabel\n%i = OpPhi %uint %a %l %b %r\n%s = OpIMul %uint %i %a\n"
          "OpStore %at %s\n%t = OpULessThan %bool %i %c5\nOpBranchConditional %t %r %join\n"
          "%r = OpLabel\n%b = OpIAdd %uint %i %c1\nOpStore %at2 %b\nOpBranch %h\n" END,
          1, 0),
    /* The loop l, before the loop of h, passes its sum directly to h; r is inside. */
    WHOLE("loops before a loop and inside",
          FORK "%l = OpLabel\n%i = OpPhi %uint %x %p %n %l\n%n = OpUDiv %uint %i %c3\n"
               "OpStore %at %n\n%t = OpUGreaterThan %bool %n %c5\n"
               "OpBranchConditional %t %l %join\n"
               "%r = OpLabel\n%j = OpPhi %uint %y %q %o %r\n%o = OpUDiv %uint %j %c3\n"
               "OpStore %at %o\n%u = OpUGreaterThan %bool %o %c5\n"
               "OpBranchConditional %u %r %join\n" END,
          "OpBranchConditional %bit0 %p %join\n%p = OpLabel\nOpStore %at2 %c1\nOpBranch %l\n"
          "%l = OpLabel\n%i = OpPhi %uint %x %p %n %l\n%n = OpUDiv %uint %i %c3\n"
          "OpStore %at %n\n%t = OpUGreaterThan %bool %n %c5\nOpBranchConditional %t %l %h\n"
          "%h = OpLabel\n%k = OpPhi %uint %c0 %l %m %r\n%m = OpIAdd %uint %k %c1\n"
          "OpStore %at2 %n\n%v = OpULessThan %bool %k %c3\nOpBranchConditional %v %q %join\n"
          "%q = OpLabel\n%w = OpIMul %uint %m %y\nOpBranch %r\n"
          "%r = OpLabel\n%j = OpPhi %uint %w %q %o %r\n%o = OpUDiv %uint %j %c3\n"
          "OpStore %at %o\n%u = OpUGreaterThan %bool %o %c5\nOpBranchConditional %u %r %h\n" END,
          1, 0),
    /* l is a peeled first iteration of r, whose operands differ: it leads to r, as r itself
     * does. */
    WHOLE("first round and loop",
          FORK "%l = OpLabel\nOpStore %at %x\nOpBranchConditional %bit2 %p2 %join\n"
               "%p2 = OpLabel\nOpStore %at2 %c3\nOpBranch %join\n"
               "%r = OpLabel\nOpStore %at %y\nOpBranchConditional %bit2 %p2 %join\n" END,
          "OpBranchConditional %bit0 %l %q\n%q = OpLabel\nOpStore %at2 %c1\n"
          "OpBranchConditional %bit1 %r %join\n"
          "%l = OpLabel\n%a = OpUDiv %uint %x %c3\n%t = OpUGreaterThan %bool %a %c5\n"
          "OpStore %at %a\nOpBranchConditional %t %r %join\n"
          "%r = OpLabel\n%i = OpPhi %uint %a %l %z %q %b %r\n%b = OpUDiv %uint %i %c3\n"
          "%u = OpUGreaterThan %bool %b %c5\nOpStore %at %b\nOpBranchConditional %u %r %join\n" END,
          1, 0),
    /* A phi of the target has a different operand for each edge. */
    WHOLE("handed to a phi: constants",
          FORK "%l = OpLabel\nOpStore %at %x\nOpBranch %join\n"
               "%r = OpLabel\nOpStore %at %x\nOpBranch %join\n" END,
          FORK "%l = OpLabel\nOpStore %at %x\nOpBranch %meet\n"
               "%r = OpLabel\nOpStore %at %x\nOpBranch %meet\n"
               "%meet = OpLabel\n%m = OpPhi %uint %c1 %l %c2 %r\nOpStore %at2 %m\n"
               "OpBranch %join\n" END,
          1, 1),
    /* Two blocks with the same variable, each with phis and several incoming edges. */
    WHOLE("blocks with phis",
          "OpBranchConditional %bit0 %p %q\n%p = OpLabel\nOpStore %at2 %c1\n"
          "OpSwitch %low %join 1 %p1 2 %p2\n%p1 = OpLabel\nOpStore %at2 %c2\nOpBranch %l\n"
          "%p2 = OpLabel\nOpStore %at2 %c3\nOpBranch %l\n"
          "%l = OpLabel\n%a = OpPhi %uint %x %p1 %y %p2\n%b = OpPhi %uint %y %p1 %z %p2\n"
          "%c = OpISub %uint %a %b\nOpStore %at %c\nOpBranch %join\n"
          "%q = OpLabel\nOpStore %at2 %c5\nOpSwitch %low %join 1 %q1 2 %q2\n"
          "%q1 = OpLabel\nOpStore %at2 %c6\nOpBranch %r\n"
          "%q2 = OpLabel\nOpStore %at2 %c7\nOpBranch %r\n"
          "%r = OpLabel\n%d = OpPhi %uint %z %q1 %x %q2\n%e = OpPhi %uint %x %q1 %y %q2\n"
          "%f2 = OpISub %uint %d %e\nOpStore %at %f2\nOpBranch %join\n" END,
          "OpBranchConditional %bit0 %p %q\n%p = OpLabel\nOpStore %at2 %c1\n"
          "OpSwitch %low %join 1 %p1 2 %p2\n%p1 = OpLabel\nOpStore %at2 %c2\nOpBranch %l\n"
          "%p2 = OpLabel\nOpStore %at2 %c3\nOpBranch %l\n"
          "%l = OpLabel\n%a = OpPhi %uint %x %p1 %y %p2\n%b = OpPhi %uint %y %p1 %z %p2\n"
          "%c = OpISub %uint %a %b\nOpStore %at %c\nOpBranch %join\n"
          "%q = OpLabel\nOpStore %at2 %c5\nOpSwitch %low %join 1 %q1 2 %q2\n"
          "%q1 = OpLabel\nOpStore %at2 %c6\nOpBranch %r\n"
          "%q2 = OpLabel\nOpStore %at2 %c7\nOpBranch %r\n"
          "%r = OpLabel\n%d = OpPhi %uint %z %q1 %x %q2\n%e = OpPhi %uint %x %q1 %y %q2\n"
          "%f2 = OpISub %uint %d %d\nOpStore %at %f2\nOpBranch %join\n" END,
          1, 1),
    /* The arms use a phi of an earlier block, and have one of their own. */
    WHOLE("blocks with a phi, and a phi of another block",
          ABOVE "%l = OpLabel\n%k = OpPhi %uint %x %p\n%c = OpISub %uint %k %m\n"
                "OpStore %at %c\nOpBranch %join\n"
                "%r = OpLabel\n%o = OpPhi %uint %y %q\n%d = OpISub %uint %o %z\n"
                "OpStore %at %d\nOpBranch %join\n" END,
          ABOVE "%l = OpLabel\n%k = OpPhi %uint %x %p\n%c = OpISub %uint %m %k\n"
                "OpStore %at %c\nOpBranch %join\n"
                "%r = OpLabel\n%o = OpPhi %uint %y %q\n%d = OpISub %uint %m %z\n"
                "OpStore %at %d\nOpBranch %join\n" END,
          1, 1),
    /* e is a copy of b of the loop h, b: once they are merged, the loop has two entries, and the
     * loop g, a must not be merged with it. */
    WHOLE("a loop that another merge has given a second entry", TWO_LOOPS("OpStore %at2 %c6\n"),
          TWO_LOOPS(""), 2, 1),
    /* Tests that lanes reach with known values (thread_tests.c), but whose blocks contain more than
     * the test. */
    WHOLE("a test whose result another block takes", ASKED("", "OpStore %at3 %c7\n", COND),
          ASKED("", "%w = OpSelect %uint %t %c1 %c2\nOpStore %at3 %w\n", COND), 0, 0, FOLDED),
    WHOLE("a test next to a store", ASKED("", "OpStore %at3 %c7\n", COND),
          ASKED("OpStore %at2 %x\n", "OpStore %at3 %c7\n", COND), 0, 0, FOLDED),
    WHOLE("a switch instead of a test", ASKED("", "OpStore %at3 %c7\n", COND),
          ASKED("", "OpStore %at3 %c7\n", "OpSwitch %k %yes 2 %no\n"), 0, 0, FOLDED),
    WHOLE("a loop of tests without an end", ASKED("", "OpStore %at3 %c7\n", COND),
          "OpBranchConditional %bit0 %h %q\n%h = OpLabel\n%k = OpPhi %uint %c1 %entry %c2 %l\n"
          "%t = OpULessThanEqual %bool %k %c5\nOpBranchConditional %t %l %join\n"
          "%l = OpLabel\nOpBranch %h\n%q = OpLabel\nOpStore %at2 %c1\nOpBranch %join\n" END,
          0, 0, .folds = true, .strange = true),
    WHOLE("in a function with cross-lane operations",
          FORK "%l = OpLabel\nOpStore %at %x\nOpBranch %join\n"
               "%r = OpLabel\nOpStore %at %x\nOpBranch %join\n" END,
          FORK "%l = OpLabel\nOpStore %at %x\nOpBranch %join\n"
               "%r = OpLabel\nOpStore %at %x\nOpBranch %join\n"
               "%join = OpLabel\n%g = OpGroupNonUniformIAdd %uint %c3 Reduce %x\n"
               "OpStore %at3 %g\nOpReturn",
          1, 0, .strange = true),
    {0}};
