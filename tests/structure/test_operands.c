/* SPDX-License-Identifier: Apache-2.0 */
/* test_operands: does spvreconv's parser (ir/parse.h) read a module as SPIRV-Tools' parser does?
 *
 *   test_operands [--mutations=N] [--tries=N] [--seed=S] FILE|DIRECTORY...
 *
 * In every module that SPIRV-Tools' parser accepts, spvreconv's must find the same instructions,
 * result types and results, and mark the same words as ids: in all shaders below the arguments, in
 * damaged copies of each (--mutations), and in generated modules with --tries instructions of each
 * opcode of the grammar. A module that SPIRV-Tools refuses may be newer than SPIRV-Tools: it is not
 * compared. */
#include "passes/base/arena.h"
#include "passes/ir/grammar.h"
#include "passes/ir/parse.h"
#include "tests/fuzz/mutate.h"
#include "tests/structure/shader_files.h"

#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Run {
  spv_context context;
  uint64_t mutations, tries, seed;
  uint64_t compared, refused, only_ours;
  bool failed;
} Run;

/* The result of SPIRV-Tools' parser, which is compared with the module during parsing. */
typedef struct Compare {
  const SrModule *m;
  SrRef next;
  const char *what; /* how they differ */
} Compare;

static bool is_id(spv_operand_type_t type) {
  return type == SPV_OPERAND_TYPE_ID || type == SPV_OPERAND_TYPE_TYPE_ID ||
         type == SPV_OPERAND_TYPE_RESULT_ID || type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID ||
         type == SPV_OPERAND_TYPE_SCOPE_ID;
}

static bool is_nonsemantic(spv_ext_inst_type_t type) {
  switch (type) {
  case SPV_EXT_INST_TYPE_DEBUGINFO:
  case SPV_EXT_INST_TYPE_OPENCL_DEBUGINFO_100:
  case SPV_EXT_INST_TYPE_NONSEMANTIC_CLSPVREFLECTION:
  case SPV_EXT_INST_TYPE_NONSEMANTIC_SHADER_DEBUGINFO_100:
  case SPV_EXT_INST_TYPE_NONSEMANTIC_UNKNOWN:
    return true;
  default:
    return false;
  }
}

static const char *difference(const SrModule *m, SrRef r, const spv_parsed_instruction_t *p) {
  const SrInst *in = sr_inst(m, r);
  if (in->unknown)
    return "unknown to us";
  if (in->op != p->opcode || sr_word_count(m, r) != p->num_words)
    return "another instruction";
  if (in->type != p->type_id || in->result != p->result_id ||
      in->first != 1 + (p->type_id != 0) + (p->result_id != 0))
    return "another result or type";
  if (in->nonsemantic != is_nonsemantic(p->ext_inst_type))
    return "nonsemantic or not";
  for (uint32_t i = 0; i < p->num_operands; i++)
    for (uint32_t k = 0; k < p->operands[i].num_words; k++)
      if (sr_word_is_id(m, r, p->operands[i].offset + k) != is_id(p->operands[i].type))
        return "an id and a literal";
  return NULL;
}

static spv_result_t take_instruction(void *user, const spv_parsed_instruction_t *p) {
  Compare *c = user;
  if (c->m && !c->what)
    c->what = c->next < c->m->inst.count ? difference(c->m, c->next, p) : "more instructions";
  c->next += c->what == NULL;
  return SPV_SUCCESS;
}

static void fail(Run *run, const char *name, const char *what, uint32_t op) {
  printf("FAILED %s: %s (Op%s)\n", name, what, sr_grammar_name(op));
  run->failed = true;
}

/* What SPIRV-Tools' parser leaves to its validator: bounds of ids, pairs that are cut short, and
 * numbers of some billion bits, whose words it counts modulo 2^32. */
static bool is_our_rule(const char *text) {
  return strstr(text, "id bound") || strstr(text, "OpPhi ends in the middle of an operand") ||
         strstr(text, "OpConstant ends in the middle of an operand");
}

static void compare_parsed(Run *run, const char *name, const uint32_t *words, size_t count,
                           const SrModule *m, const SrDiag *diag) {
  Compare c = {.m = m};
  spv_diagnostic d = NULL;
  spv_result_t code = spvBinaryParse(run->context, &c, words, count, NULL, take_instruction, &d);
  spvDiagnosticDestroy(d);
  if (code != SPV_SUCCESS) {
    run->refused++;
    run->only_ours += m != NULL;
    return;
  }
  if (!m && is_our_rule(diag->text)) {
    run->refused++;
    return;
  }
  run->compared++;
  if (!m)
    fail(run, name, diag->text, SpvOpNop);
  else if (c.what || c.next != m->inst.count)
    fail(run, name, c.what ? c.what : "fewer instructions", sr_inst(m, c.next)->op);
}

static void compare(Run *run, const char *name, const uint32_t *words, size_t count) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  if (setjmp(heap.out_of_memory))
    abort();
  SrArena arena = sr_arena_new(&heap);
  SrDiag diag = {0};
  SrModule *m = NULL;
  SrParsed parsed;
  if (sr_parse(&arena, &diag, words, count, &m, &parsed) != SR_OK)
    m = NULL;
  compare_parsed(run, name, words, count, m, &diag);
  sr_heap_free_all(&heap);
}

static void visit(void *user, const char *name, const uint32_t *words, size_t count,
                  const char *note) {
  Run *run = user;
  (void)note;
  compare(run, name, words, count);
  uint32_t *copy = malloc((2 * count + 64) * sizeof *copy);
  for (uint64_t i = 0; i < run->mutations; i++) {
    Rng rng = {run->seed + i};
    char label[512];
    snprintf(label, sizeof label, "%s, mutant %llu", name, (unsigned long long)(run->seed + i));
    compare(run, label, copy, mutate(&rng, words, count, copy));
  }
  free(copy);
}

/* ---- one instruction of each opcode ---- */

enum { PREAMBLE_IDS = 16, MAX_OPCODE = 7000, MAX_OPERANDS = 12 };

/* Types, a value for selectors, and instruction sets, on which the parsing of operands depends. */
static const char preamble[] = "%1 = OpExtInstImport \"OpenCL.std\"\n"
                               "%2 = OpExtInstImport \"GLSL.std.450\"\n"
                               "%3 = OpExtInstImport \"NonSemantic.Test\"\n"
                               "%4 = OpExtInstImport \"OpenCL.DebugInfo.100\"\n"
                               "%5 = OpTypeInt 32 0\n"
                               "%6 = OpTypeInt 64 1\n"
                               "%7 = OpTypeFloat 16\n"
                               "%8 = OpTypeBool\n"
                               "%9 = OpConstant %5 1\n"
                               "%10 = OpConstant %6 1\n";

static uint32_t random_word(Rng *rng) {
  switch (rng_below(rng, 8)) {
  case 0:
    return 1u << rng_below(rng, 20);
  case 1:
    return rng_below(rng, 6200);
  case 2:
    return rng_below(rng, 1 << 16);
  default:
    return rng_below(rng, PREAMBLE_IDS + 8);
  }
}

static void compare_opcode(Run *run, uint32_t op, const uint32_t *words, size_t count) {
  uint32_t copy[256];
  memcpy(copy, words, count * sizeof *copy);
  copy[3] = PREAMBLE_IDS + 8;
  for (uint64_t i = 0; i < run->tries; i++) {
    char label[64];
    uint64_t seed = run->seed + i * MAX_OPCODE + op;
    Rng rng = {seed};
    uint32_t n = 1 + rng_below(&rng, MAX_OPERANDS);
    copy[count] = n << 16 | op;
    for (uint32_t k = 1; k < n; k++)
      copy[count + k] = random_word(&rng);
    snprintf(label, sizeof label, "opcode %u, seed %llu", op, (unsigned long long)seed);
    compare(run, label, copy, count + n);
  }
}

static void compare_opcodes(Run *run) {
  spv_binary binary = NULL;
  if (spvTextToBinaryWithOptions(run->context, preamble, strlen(preamble),
                                 SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &binary,
                                 NULL) != SPV_SUCCESS)
    abort();
  for (uint32_t op = 0; op < MAX_OPCODE; op++)
    if (sr_grammar_instruction(op))
      compare_opcode(run, op, binary->code, binary->wordCount);
  spvBinaryDestroy(binary);
}

static void print(const char *what, Run *run) {
  printf("%s: %llu compared; %llu refused by SPIRV-Tools, of which we take %llu\n", what,
         (unsigned long long)run->compared, (unsigned long long)run->refused,
         (unsigned long long)run->only_ours);
  if (run->compared == 0) {
    printf("nothing to compare\n");
    run->failed = true;
  }
  run->compared = run->refused = run->only_ours = 0;
}

int main(int argc, char **argv) {
  Run run = {.mutations = 20, .tries = 400, .seed = 1};
  run.context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--mutations=", 12) == 0)
      run.mutations = strtoull(argv[i] + 12, NULL, 10);
    else if (strncmp(argv[i], "--tries=", 8) == 0)
      run.tries = strtoull(argv[i] + 8, NULL, 10);
    else if (strncmp(argv[i], "--seed=", 7) == 0)
      run.seed = strtoull(argv[i] + 7, NULL, 10);
    else if (!visit_shader_files(argv[i], visit, &run))
      run.failed = true;
  }
  print("modules and damaged ones", &run);
  compare_opcodes(&run);
  print("an instruction of each opcode", &run);
  spvContextDestroy(run.context);
  return run.failed;
}
