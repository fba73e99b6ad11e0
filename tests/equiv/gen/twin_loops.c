/* SPDX-License-Identifier: Apache-2.0 */
/* twin_loops: twin loops, compared and merged as a whole (twins.h). '$' is replaced by the block
 * from which the arm is entered.
 *
 *      tw@: i, s = phi      the test, out to the join
 *       |`-- join
 *      un@: body            back to tw@ */
#include "tests/equiv/gen/twins.h"

#include <stddef.h>

#define LOOP(ENTER_I, ENTER_S, TEST, BODY, NEXT_I, NEXT_S)                                         \
  "%i@ = OpPhi %uint " ENTER_I " $ " NEXT_I " %un@\n%s@ = OpPhi %uint " ENTER_S " $ " NEXT_S       \
  " %un@\n%t@ = OpULessThan %bool " TEST "\nOpBranchConditional %t@ %un@ %join\n"                  \
  "%un@ = OpLabel\n" BODY "\nOpStore %at3 %r@\nOpBranch %tw@"
#define STEP "%n@ = OpIAdd %uint %i@ %c1\n"
#define ADD STEP "%r@ = OpIAdd %uint %s@ %y"
#define BASE LOOP("%c0", "%x", "%i@ %c3", ADD, "%n@", "%r@")

/* A third loop-carried value, m; the body adds `ADDED`. */
#define CARRY(ADDED, NEXT_M)                                                                       \
  "%m@ = OpPhi %uint %y $ " NEXT_M                                                                 \
  " %un@\n" LOOP("%c0", "%x", "%i@ %c3", STEP "%r@ = OpIAdd %uint %s@ " ADDED, "%n@", "%r@")
/* Two values, a and b. */
#define STATE(A, B, NEXT_A, NEXT_B, RESULT)                                                        \
  "%a@ = OpPhi %uint " A " $ " NEXT_A " %un@\n%b@ = OpPhi %uint " B " $ " NEXT_B                   \
  " %un@\n" LOOP("%c0", "%x", "%i@ %c3",                                                           \
                 STEP "%q@ = OpISub %uint " RESULT "\n%r@ = OpIMul %uint %q@ %s@", "%n@", "%r@")
/* The body is a diamond with two phis at its join. */
#define DIAMOND(ON, OFF, USED) ROUND_DIAMOND(ON, OFF, USED, "%r@", "")
#define ROUND_DIAMOND(ON, OFF, USED, NEXT, PHI)                                                    \
  "%i@ = OpPhi %uint %c0 $ %n@ %un@\n%s@ = OpPhi %uint %x $ " NEXT " %un@\n"                       \
  "%n@ = OpIAdd %uint %i@ %c1\n%t@ = OpULessThan %bool %i@ %c3\n"                                  \
  "OpBranchConditional %t@ %pick@ %join\n%pick@ = OpLabel\n"                                       \
  "%h@ = OpBitwiseAnd %uint %s@ %c1\n%k@ = OpIEqual %bool %h@ %c0\n"                               \
  "OpBranchConditional %k@ %on@ %off@\n%on@ = OpLabel\n"                                           \
  "%d@ = OpIAdd %uint %s@ %c1\n%e@ = OpIMul %uint %s@ %c3\nOpBranch %un@\n"                        \
  "%off@ = OpLabel\n%g@ = OpISub %uint %s@ %c2\nOpBranch %un@\n%un@ = OpLabel\n"                   \
  "%one@ = OpPhi %uint " ON " %on@ " OFF " %off@\n%two@ = OpPhi %uint %e@ %on@ %g@ %off@\n" PHI    \
  "%r@ = OpIAdd %uint " USED " %c1\nOpStore %at3 %r@\nOpBranch %tw@"
/* The loop has a second exit. */
#define EXITS(FIRST, SECOND, CONDITION)                                                            \
  "%i@ = OpPhi %uint %c0 $ %n@ %un@\n%t@ = OpULessThan %bool %i@ %c3\n"                            \
  "OpBranchConditional %t@ %un@ " FIRST "\n%un@ = OpLabel\n" STEP "OpStore %at3 %n@\n"             \
  "OpBranchConditional " CONDITION " %tw@ " SECOND
/* Only memory is loop-carried; tw@ leads to the loop, and to OTHER. */
#define ENTERED(OTHER)                                                                             \
  "OpBranchConditional %bit2 %head@ " OTHER "\n%head@ = OpLabel\n%i@ = OpLoad %uint %at4\n"        \
  "%t@ = OpULessThan %bool %i@ %c3\nOpBranchConditional %t@ %un@ %join2\n%un@ = OpLabel\n"         \
  "%e@ = OpLoad %uint %at4\n%n@ = OpIAdd %uint %e@ %c1\nOpStore %at4 %n@\nOpBranch %head@"

/* A sum, in a phi of that name. */
#define SUM(PHI)                                                                                   \
  "%i@ = OpPhi %uint %c0 $ %n@ %un@\n" PHI " = OpPhi %uint %x $ %r@ %un@\n"                        \
  "%t@ = OpULessThan %bool %i@ %c3\nOpBranchConditional %t@ %un@ %join\n%un@ = OpLabel\n"          \
  "%n@ = OpIAdd %uint %i@ %c1\n%r@ = OpIAdd %uint " PHI " %y\nOpStore %at3 %r@\nOpBranch %tw@"

#define ROW(name_, left_, right_, twins_, ...)                                                     \
  {                                                                                                \
    .name = "loops: " name_, .shape = TWIN_ARMS, .left = left_, .right = right_, .twins = twins_,  \
    .near = __VA_ARGS__                                                                            \
  }
#define LOOPS(name_, right_, near_, ...) ROW(name_, BASE, right_, 2, near_, __VA_ARGS__)

const Twin twin_loops[] = {
    /* ---- values from outside ---- */
    LOOPS("first value, a constant", LOOP("%c1", "%x", "%i@ %c3", ADD, "%n@", "%r@"), 2,
          .value = "%s@"),
    LOOPS("first value", LOOP("%c0", "%y", "%i@ %c3", ADD, "%n@", "%r@"), 2, .value = "%s@"),
    LOOPS("first values swapped", LOOP("%x", "%c0", "%i@ %c3", ADD, "%n@", "%r@"), 2,
          .value = "%s@"),
    LOOPS("limit, a constant", LOOP("%c0", "%x", "%i@ %c2", ADD, "%n@", "%r@"), 0, .value = "%s@"),
    ROW("limit", LOOP("%c0", "%x", "%i@ %low", ADD, "%n@", "%r@"),
        LOOP("%c0", "%x", "%i@ %high", ADD, "%n@", "%r@"), 2, 2, .value = "%s@"),
    ROW("limit, or value that changes in each iteration",
        LOOP("%c0", "%low", "%i@ %low", STEP "%r@ = OpIAdd %uint %i@ %y", "%n@", "%c3"),
        LOOP("%c0", "%low", "%i@ %s@", STEP "%r@ = OpIAdd %uint %i@ %y", "%n@", "%c3"), 2, 2,
        .value = "%i@"),
    LOOPS("value in the body",
          LOOP("%c0", "%x", "%i@ %c3", STEP "%r@ = OpIAdd %uint %s@ %z", "%n@", "%r@"), 2,
          .value = "%s@"),
    LOOPS("constant in the body",
          LOOP("%c0", "%x", "%i@ %c3", STEP "%r@ = OpIAdd %uint %s@ %c5", "%n@", "%r@"), 0,
          .value = "%s@"),
    LOOPS("opcode in the body",
          LOOP("%c0", "%x", "%i@ %c3", STEP "%r@ = OpISub %uint %s@ %y", "%n@", "%r@"), 0,
          .value = "%s@"),
    LOOPS("value of the body or from outside",
          LOOP("%c0", "%x", "%i@ %c3", STEP "%r@ = OpIAdd %uint %n@ %y", "%n@", "%r@"), 0,
          .value = "%s@"),
    LOOPS("which of the loop-carried values",
          LOOP("%c0", "%x", "%i@ %c3", STEP "%r@ = OpIAdd %uint %i@ %y", "%n@", "%r@"), 0,
          .value = "%s@"),
    ROW("pointer, which no phi may hold", BASE,
        "%i@ = OpPhi %uint %c0 $ %n@ %un@\n%s@ = OpPhi %uint %x $ %r@ %un@\n"
        "%t@ = OpULessThan %bool %i@ %c3\nOpBranchConditional %t@ %un@ %join\n%un@ = OpLabel\n" ADD
        "\nOpStore %at2 %r@\nOpBranch %tw@",
        2, 0, .value = "%s@"),

    /* ---- loop-carried values ---- */
    LOOPS("next value: result or what it was", LOOP("%c0", "%x", "%i@ %c3", ADD, "%n@", "%s@"), 0,
          .value = "%s@"),
    LOOPS("next value: one result or the other", LOOP("%c0", "%x", "%i@ %c3", ADD, "%n@", "%n@"), 0,
          .value = "%s@"),
    LOOPS("next value: result or from outside", LOOP("%c0", "%x", "%i@ %c3", ADD, "%n@", "%y"), 0,
          .value = "%s@"),
    LOOPS("next value: result or constant", LOOP("%c0", "%x", "%i@ %c3", ADD, "%n@", "%c5"), 0,
          .value = "%s@"),
    ROW("two values change places or do not", STATE("%x", "%y", "%b@", "%a@", "%a@ %b@"),
        STATE("%x", "%y", "%a@", "%b@", "%a@ %b@"), 2, 0, .value = "%s@"),
    ROW("the other order of the phis", STATE("%x", "%y", "%b@", "%q@", "%a@ %b@"),
        STATE("%y", "%x", "%q@", "%a@", "%b@ %a@"), 2, 2, .value = "%s@"),
    ROW("values used the other way round", STATE("%x", "%y", "%b@", "%q@", "%a@ %b@"),
        STATE("%x", "%y", "%b@", "%q@", "%b@ %a@"), 2, 0, .value = "%s@"),
    ROW("value from outside, or one that changes in each iteration", CARRY("%y", "%m@"),
        CARRY("%m@", "%z"), 2, 2, .value = "%s@"),
    ROW("value from outside, or one that changes", CARRY("%y", "%m@"), CARRY("%m@", "%n@"), 2, 0,
        .value = "%s@"),
    ROW("value that changes, or not", CARRY("%m@", "%n@"), CARRY("%m@", "%m@"), 2, 0,
        .value = "%s@"),
    ROW("value that changes in each iteration", CARRY("%m@", "%z"), CARRY("%m@", "%x"), 2, 2,
        .value = "%s@"),

    ROW("precision of a loop-carried value", SUM("%s@"), SUM("%rp@"), 2, 0, .value = "%s@|%rp@",
        .globals = "OpDecorate %rp@ RelaxedPrecision"),

    /* ---- inside ---- */
    ROW("precision of the body's phi",
        ROUND_DIAMOND("%d@", "%g@", "%oh@", "%r@", "%oh@ = OpPhi %uint %e@ %on@ %g@ %off@\n"),
        ROUND_DIAMOND("%d@", "%g@", "%rp@", "%r@", "%rp@ = OpPhi %uint %e@ %on@ %g@ %off@\n"), 5, 0,
        .value = "%s@", .globals = "OpDecorate %rp@ RelaxedPrecision"),
    ROW("one phi of the body or the other", DIAMOND("%d@", "%g@", "%one@"),
        DIAMOND("%d@", "%g@", "%two@"), 5, 0, .value = "%s@"),
    ROW("operand of the body's phi", DIAMOND("%d@", "%g@", "%one@"), DIAMOND("%e@", "%g@", "%one@"),
        5, 0, .value = "%s@"),
    ROW("operand of the body's phi, or a value from outside", DIAMOND("%d@", "%g@", "%one@"),
        DIAMOND("%y", "%g@", "%one@"), 5, 0, .value = "%s@"),
    ROW("operands of the body's phi from outside", DIAMOND("%y", "%g@", "%one@"),
        DIAMOND("%z", "%g@", "%one@"), 5, 5, .value = "%s@"),
    ROW("loop-carried operand of the body's phi", DIAMOND("%s@", "%g@", "%one@"),
        DIAMOND("%i@", "%g@", "%one@"), 5, 0, .value = "%s@"),

    ROW("one phi more in the body", DIAMOND("%d@", "%g@", "%one@"),
        ROUND_DIAMOND("%d@", "%g@", "%one@", "%r@", "%oh@ = OpPhi %uint %e@ %on@ %g@ %off@\n"), 5,
        0, .value = "%s@"),
    ROW("next value: result or phi of the body", DIAMOND("%d@", "%g@", "%one@"),
        ROUND_DIAMOND("%d@", "%g@", "%one@", "%two@", ""), 5, 0, .value = "%s@"),

    /* ---- exits ---- */
    LOOPS("passed on: which loop-carried value", BASE, 0, .value = "%s@|%i@"),
    LOOPS("passed on: loop-carried value, or one from outside", BASE, 0, .value = "%s@|%x"),
    LOOPS("passed on: value from outside, or a loop-carried one", BASE, 0, .value = "%x|%s@"),
    LOOPS("handed on: from outside", BASE, 2, .value = "%x|%y"),
    LOOPS("handed on: constants", BASE, 2, .value = "%c1|%c2"),
    ROW("exit", EXITS("%join2", "%join3", "%bit2"), EXITS("%join3", "%join3", "%bit2"), 2, 0,
        .from = ""),
    ROW("second exit", EXITS("%join2", "%join3", "%bit2"), EXITS("%join2", "%join2", "%bit2"), 2, 0,
        .from = ""),
    ROW("exits swapped", EXITS("%join2", "%join3", "%bit2"), EXITS("%join3", "%join2", "%bit2"), 2,
        0, .from = ""),
    ROW("condition from outside", EXITS("%join2", "%join3", "%bit2"),
        EXITS("%join2", "%join3", "%bit3"), 2, 2, .from = ""),
    LOOPS("body and exit swapped",
          "%i@ = OpPhi %uint %c0 $ %n@ %un@\n%s@ = OpPhi %uint %x $ %r@ %un@\n"
          "%t@ = OpULessThan %bool %c3 %i@\nOpBranchConditional %t@ %join %un@\n"
          "%un@ = OpLabel\n" ADD "\nOpStore %at3 %r@\nOpBranch %tw@",
          0, .value = "%s@"),
    ROW("entered at two places", ENTERED("%join2"), ENTERED("%un@"), 3, 0, .from = "",
        .lopsided = true),
    {0}};
