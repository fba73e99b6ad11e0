/* SPDX-License-Identifier: Apache-2.0 */
/* bench_llvm: the same random functions as LLVM IR text. All returns go to one block:
 * structurizecfg works on regions with one exit, and its users run UnifyFunctionExitNodes first. */
#include "tests/bench/bench_write.h"

static void print_operand(FILE *out, uint32_t v) {
  if (v & BENCH_CONSTANT)
    fprintf(out, "%u", (unsigned)(v & ~BENCH_CONSTANT) * 3);
  else
    fprintf(out, "%%v%u", (unsigned)v);
}

static void print_phi(FILE *out, const BenchFunction *f, const BenchBlock *b, const BenchPhi *phi) {
  fprintf(out, "  %%v%u = phi i32", (unsigned)phi->value);
  for (uint32_t p = 0; p < b->pred_count; p++) {
    fputs(p ? ", [ " : " [ ", out);
    print_operand(out, f->arg[phi->first + p]);
    fprintf(out, ", %%b%u ]", (unsigned)f->pred[b->pred_first + p]);
  }
  fputc('\n', out);
}

static void print_op(FILE *out, const BenchOp *op) {
  static const char *const names[] = {[BENCH_ADD] = "add",
                                      [BENCH_SUB] = "sub",
                                      [BENCH_MUL] = "mul",
                                      [BENCH_XOR] = "xor",
                                      [BENCH_AND] = "and"};
  fprintf(out, "  %%v%u = %s i32 ", (unsigned)op->value, names[op->kind]);
  print_operand(out, op->a);
  fputs(", ", out);
  print_operand(out, op->b);
  fputc('\n', out);
}

static void print_exit(FILE *out, const BenchBlock *b) {
  if (b->succ_count == 0) {
    fputs("  br label %exit\n", out);
  } else if (b->succ_count == 1) {
    fprintf(out, "  br label %%b%u\n", (unsigned)b->succ[0]);
  } else {
    fprintf(out, "  %%v%u = icmp slt i32 ", (unsigned)b->test);
    print_operand(out, b->tested);
    fprintf(out, ", 0\n  br i1 %%v%u, label %%b%u, label %%b%u\n", (unsigned)b->test,
            (unsigned)b->succ[0], (unsigned)b->succ[1]);
  }
}

static void print_return(FILE *out, const BenchFunction *f) {
  const char *between = "";
  fputs("exit:\n  %result = phi i32 ", out);
  for (uint32_t n = 0; n < f->count; n++)
    if (f->block[n].succ_count == 0) {
      fprintf(out, "%s[ ", between);
      print_operand(out, f->block[n].tested);
      fprintf(out, ", %%b%u ]", (unsigned)n);
      between = ", ";
    }
  fputs("\n  ret i32 %result\n}\n\n", out);
}

void bench_llvm_function(FILE *out, const BenchFunction *f, uint32_t number) {
  fprintf(out, "define i32 @f%u(", (unsigned)number);
  for (unsigned k = 0; k < BENCH_PARAMETERS; k++)
    fprintf(out, "%si32 %%v%u", k ? ", " : "", k);
  fputs(") {\n", out);
  for (uint32_t n = 0; n < f->count; n++) {
    const BenchBlock *b = &f->block[n];
    fprintf(out, "b%u:\n", (unsigned)n);
    for (uint32_t k = 0; k < b->phi_count; k++)
      print_phi(out, f, b, &f->phi[b->phi_first + k]);
    for (uint32_t k = 0; k < b->op_count; k++)
      print_op(out, &f->op[b->op_first + k]);
    print_exit(out, b);
  }
  print_return(out, f);
}
