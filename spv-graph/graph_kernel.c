/* SPDX-License-Identifier: Apache-2.0 */
/* graph_kernel: see graph_kernel.h.
 *
 * Blocks with several predecessors get a phi for each register. Each block has a fixed number of
 * ids, in this order: its phis, the results of its steps, the results of its choice. So phis can
 * use the id of a register at a block's end before that block is written. */
#include "spv-graph/graph_kernel.h"
#include "passes/analysis/graph/cfg.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct Writer {
  SrArena *arena;
  const Code *code;
  FILE *out;
  uint32_t registers;
  SrGraph *graph;   /* graph of the blocks */
  uint32_t *first;  /* by block: its first id */
  uint32_t *at_end; /* by block and register: an id, or START + register */
} Writer;

enum { START = 0x7f000000 }; /* stands for the value with which a lane begins */

/* ---- ids ------------------------------------------------------------------------------------- */

static bool has_phis(const Writer *w, uint32_t b) {
  return sr_pred_count(w->graph, b) > 1;
}

static uint32_t first_step(const Writer *w, uint32_t b) {
  return w->first[b] + (has_phis(w, b) ? w->registers : 0);
}

/* The first id of a choice. Its ids are the random number; the condition or index; and for exits
 * the budget, whether any is left, and the combined condition. */
static uint32_t first_choice(const Writer *w, uint32_t b) {
  return first_step(w, b) + w->code->block.at[b].step_count;
}

static uint32_t id_count(const Writer *w, uint32_t b) {
  return first_choice(w, b) - w->first[b] + 5;
}

static uint32_t *end_of(const Writer *w, uint32_t b) {
  return &w->at_end[(size_t)b * w->registers];
}

/* The ids of the registers where block b begins, after its phis. */
static void begin(const Writer *w, uint32_t b, uint32_t *id) {
  const uint32_t *pred = sr_pred_count(w->graph, b) ? &w->graph->pred[w->graph->pred_at[b]] : NULL;
  for (uint32_t r = 0; r < w->registers; r++)
    id[r] = has_phis(w, b) ? w->first[b] + r : pred ? end_of(w, *pred)[r] : START + r;
}

static void find_ends(Writer *w) {
  uint32_t count = w->code->block.count, next = 0;
  w->first = SR_NEW_RAW(w->arena, uint32_t, count);
  w->at_end = SR_NEW_RAW(w->arena, uint32_t, (size_t)count * w->registers);
  for (uint32_t b = 0; b < count; b++) {
    const CodeBlock *block = &w->code->block.at[b];
    uint32_t *id = end_of(w, b);
    w->first[b] = next;
    next += id_count(w, b);
    begin(w, b, id);
    for (uint32_t i = 0; i < block->step_count; i++)
      id[w->code->step.at[block->step + i].to] = first_step(w, b) + i;
    if (block->choice.targets > 1)
      id[code_random(w->code)] = first_choice(w, b);
    if (block->choice.targets > 1 && block->choice.exit != SR_NONE)
      id[code_budget(w->code)] = first_choice(w, b) + 2;
  }
}

static SrGraph *find_edges(SrArena *arena, const Code *c) {
  SR_VEC(SrEdge) edges = {0};
  for (uint32_t b = 0; b < c->block.count; b++)
    for (uint32_t k = 0; k < c->block.at[b].succ_count; k++)
      SR_PUSH(arena, &edges, (SrEdge){b, c->succ.at[c->block.at[b].succ + k]});
  return sr_graph_new(arena, c->block.count, edges.at, edges.count);
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *id_text(const Writer *w, uint32_t id, char text[24]) {
  if (id < START)
    snprintf(text, 24, "%%v%" PRIu32, id);
  else if (id - START < w->code->options.live)
    snprintf(text, 24, "%%c%" PRIu32, id - START);
  else
    snprintf(text, 24, "%s", id - START == code_random(w->code) ? "%lane" : "%budget");
  return text;
}

static const char *label_text(const Writer *w, uint32_t b, char text[32]) {
  uint32_t block = w->code->block.at[b].block;
  if (block == SR_NONE)
    snprintf(text, 32, w->code->block.at[b].start ? "start" : "leaf%" PRIu32, b);
  else
    snprintf(text, 32, "b%" PRIu64, w->code->graph->block.at[block].id);
  return text;
}

static void write_phis(const Writer *w, uint32_t b) {
  char id[24], label[32];
  for (uint32_t r = 0; has_phis(w, b) && r < w->registers; r++) {
    fprintf(w->out, "%s = OpPhi %%uint", id_text(w, w->first[b] + r, id));
    for (SR_PREDS(p, w->graph, b))
      fprintf(w->out, " %s %%%s", id_text(w, end_of(w, *p)[r], id), label_text(w, *p, label));
    fputc('\n', w->out);
  }
}

static void write_start(const Writer *w) {
  uint32_t shift = code_lane_shift(w->code);
  fprintf(w->out, "%%ids = OpLoad %%uint3 %%gid\n%%%s = OpCompositeExtract %%uint %%ids 0\n",
          shift ? "number" : "lane");
  if (shift)
    fprintf(w->out, "%%lane = OpShiftRightLogical %%uint %%number %%c%" PRIu32 "\n", shift);
}

static void write_steps(const Writer *w, uint32_t b, uint32_t *id) {
  static const char *const names[] = {[CODE_ADD] = "OpIAdd",
                                      [CODE_XOR] = "OpBitwiseXor",
                                      [CODE_MULTIPLY] = "OpIMul",
                                      [CODE_SHIFT_RIGHT] = "OpShiftRightLogical",
                                      [CODE_OR] = "OpBitwiseOr"};
  const CodeBlock *block = &w->code->block.at[b];
  char to[24], left[24], right[24];
  for (uint32_t i = 0; i < block->step_count; i++) {
    const CodeStep *s = &w->code->step.at[block->step + i];
    if (s->from == SR_NONE)
      snprintf(right, sizeof right, "%%c%" PRIu32, s->constant);
    else
      id_text(w, id[s->from], right);
    fprintf(w->out, "%s = %s %%uint %s %s\n", id_text(w, first_step(w, b) + i, to), names[s->op],
            id_text(w, id[s->to], left), right);
    id[s->to] = first_step(w, b) + i;
  }
}

static void write_result(const Writer *w, const uint32_t *id, uint32_t b) {
  char text[24], sum[40];
  snprintf(sum, sizeof sum, "%s", id_text(w, id[0], text));
  for (uint32_t r = 1; r < w->code->options.live; r++) {
    fprintf(w->out, "%%s%" PRIu32 "_%" PRIu32 " = OpBitwiseXor %%uint %s %s\n", b, r, sum,
            id_text(w, id[r], text));
    snprintf(sum, sizeof sum, "%%s%" PRIu32 "_%" PRIu32, b, r);
  }
  fprintf(w->out,
          "%%p%" PRIu32 " = OpAccessChain %%p_uint %%results %%c0 %%%s\n"
          "OpStore %%p%" PRIu32 " %s\nOpReturn\n",
          b, w->code->options.together > 1 ? "number" : "lane", b, sum);
}

/* If exit 0 leaves the loop, the lane takes it if its number says so or its budget is used up. If
 * exit 1 does, the lane takes edge 0 if its number says so and its budget is not used up. */
static void write_exit(const Writer *w, const CodeChoice *c, uint32_t at, const char *budget) {
  bool first = c->exit == 0;
  fprintf(w->out,
          "%%v%" PRIu32 " = OpISub %%uint %s %%c1\n"
          "%%v%" PRIu32 " = %s %%bool %%v%" PRIu32 " %%c0\n"
          "%%v%" PRIu32 " = %s %%bool %%v%" PRIu32 " %%v%" PRIu32 "\n",
          at + 2, budget, at + 3, first ? "OpSLessThan" : "OpSGreaterThanEqual", at + 2, at + 4,
          first ? "OpLogicalOr" : "OpLogicalAnd", at + 1, at + 3);
}

static void write_switch(const Writer *w, const CodeBlock *block, uint32_t at) {
  char label[32];
  uint32_t targets = block->choice.targets;
  const uint32_t *succ = &w->code->succ.at[block->succ];
  fprintf(w->out,
          "%%v%" PRIu32 " = OpShiftRightLogical %%uint %%v%" PRIu32 " %%c16\n"
          "%%v%" PRIu32 " = OpUMod %%uint %%v%" PRIu32 " %%c%" PRIu32 "\n"
          "OpSwitch %%v%" PRIu32 " %%%s",
          at + 1, at, at + 2, at + 1, targets, at + 2, label_text(w, succ[targets - 1], label));
  for (uint32_t k = 0; k + 1 < targets; k++)
    fprintf(w->out, " %" PRIu32 " %%%s", k, label_text(w, succ[k], label));
  fputc('\n', w->out);
}

static void write_choice(const Writer *w, uint32_t b, const uint32_t *id) {
  const CodeBlock *block = &w->code->block.at[b];
  const CodeChoice *c = &block->choice;
  const uint32_t *succ = &w->code->succ.at[block->succ];
  uint32_t at = first_choice(w, b);
  char text[24], first[32], second[32];
  fprintf(w->out, "%%v%" PRIu32 " = OpIMul %%uint %s %%c%d\n", at,
          id_text(w, id[code_random(w->code)], text), CODE_MULTIPLIER);
  if (c->targets > 2) {
    write_switch(w, block, at);
    return;
  }
  fprintf(w->out, "%%v%" PRIu32 " = OpULessThan %%bool %%v%" PRIu32 " %%c%" PRIu32 "\n", at + 1, at,
          c->below);
  if (c->exit != SR_NONE)
    write_exit(w, c, at, id_text(w, id[code_budget(w->code)], text));
  fprintf(w->out, "OpBranchConditional %%v%" PRIu32 " %%%s %%%s\n",
          at + (c->exit == SR_NONE ? 1 : 4), label_text(w, succ[0], first),
          label_text(w, succ[1], second));
}

static void write_block(const Writer *w, uint32_t b, uint32_t *id) {
  const CodeBlock *block = &w->code->block.at[b];
  char label[32];
  fprintf(w->out, "%%%s = OpLabel\n", label_text(w, b, label));
  write_phis(w, b);
  if (block->start)
    write_start(w);
  begin(w, b, id);
  if (block->barrier)
    fputs("OpControlBarrier %c2 %c2 %c264\n", w->out);
  write_steps(w, b, id);
  if (block->choice.targets == 0)
    write_result(w, id, b);
  else if (block->choice.targets == 1)
    fprintf(w->out, "OpBranch %%%s\n", label_text(w, w->code->succ.at[block->succ], label));
  else
    write_choice(w, b, id);
}

/* ---- declarations ---------------------------------------------------------------------------- */

static int compare_words(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void write_constants(const Writer *w) {
  const Code *c = w->code;
  SR_VEC(uint32_t) words = {0};
  const uint32_t fixed[] = {0, 1, 2, 16, 264, CODE_MULTIPLIER, code_lane_shift(c)};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    SR_PUSH(w->arena, &words, fixed[i]);
  for (uint32_t i = 0; i < c->options.live; i++)
    SR_PUSH(w->arena, &words, i);
  for (uint32_t i = 0; i < c->step.count; i++)
    if (c->step.at[i].from == SR_NONE)
      SR_PUSH(w->arena, &words, c->step.at[i].constant);
  for (uint32_t b = 0; b < c->block.count; b++) {
    const CodeChoice *choice = &c->block.at[b].choice;
    if (choice->targets > 1)
      SR_PUSH(w->arena, &words, choice->targets > 2 ? choice->targets : choice->below);
  }
  qsort(words.at, words.count, sizeof *words.at, compare_words);
  for (uint32_t i = 0; i < words.count; i++)
    if (!i || words.at[i] != words.at[i - 1])
      fprintf(w->out, "%%c%" PRIu32 " = OpConstant %%uint %" PRIu32 "\n", words.at[i], words.at[i]);
  fprintf(w->out, "%%budget = OpConstant %%uint %" PRIu32 "\n", c->options.budget);
}

static void write_head(const Writer *w) {
  char label[32];
  fprintf(w->out,
          "OpCapability Shader\n"
          "OpMemoryModel Logical GLSL450\n"
          "OpEntryPoint GLCompute %%main \"main\" %%gid\n"
          "OpExecutionMode %%main LocalSize %" PRIu32 " 1 1\n"
          "OpName %%main \"main\"\n"
          "OpName %%results \"results\"\n",
          w->code->options.lanes);
  for (uint32_t b = 0; b < w->code->block.count; b++) {
    label_text(w, b, label);
    fprintf(w->out, "OpName %%%s \"%s\"\n", label, label);
  }
  fputs("OpDecorate %gid BuiltIn GlobalInvocationId\n"
        "OpDecorate %words ArrayStride 4\n"
        "OpDecorate %Results Block\n"
        "OpMemberDecorate %Results 0 Offset 0\n"
        "OpDecorate %results DescriptorSet 0\n"
        "OpDecorate %results Binding 0\n"
        "%void = OpTypeVoid\n"
        "%proc = OpTypeFunction %void\n"
        "%bool = OpTypeBool\n"
        "%uint = OpTypeInt 32 0\n"
        "%uint3 = OpTypeVector %uint 3\n"
        "%words = OpTypeRuntimeArray %uint\n"
        "%Results = OpTypeStruct %words\n"
        "%p_Results = OpTypePointer StorageBuffer %Results\n"
        "%p_uint = OpTypePointer StorageBuffer %uint\n"
        "%p_uint3 = OpTypePointer Input %uint3\n"
        "%gid = OpVariable %p_uint3 Input\n"
        "%results = OpVariable %p_Results StorageBuffer\n",
        w->out);
  write_constants(w);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void write_module(SrArena *arena, const Code *code, FILE *out) {
  Writer w = {.arena = arena,
              .code = code,
              .out = out,
              .graph = find_edges(arena, code),
              .registers = code->options.live + 1 + code->has_loops};
  uint32_t *id = SR_NEW_RAW(arena, uint32_t, w.registers);
  find_ends(&w);
  write_head(&w);
  fputs("%main = OpFunction %void None %proc\n", out);
  for (uint32_t b = 0; b < code->block.count; b++)
    write_block(&w, b, id);
  fputs("OpFunctionEnd\n", out);
}

/* In a comment, which ends at a line break. */
static void write_name(const char *text, FILE *out) {
  for (; *text; text++)
    fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
}

static void write_origin(const Code *code, const char *comment, FILE *out) {
  const Graph *g = code->graph;
  const CodeOptions *o = &code->options;
  fprintf(out, "%s The graph of kernel '", comment);
  write_name(g->kernel, out);
  fputs("' of ", out);
  write_name(*g->name ? g->name : "a program without a name", out);
  fputs(", with made-up arithmetic (spv-graph)\n", out);
  fprintf(out,
          "%s seed %" PRIu64 ", taken %.9g, turns %" PRIu32 ", together %" PRIu32 ", live %" PRIu32
          ", budget %" PRIu32 "\n",
          comment, o->seed, o->taken, o->iterations, o->together, o->live, o->budget);
}

void kernel_write(SrArena *arena, const Code *code, FILE *out) {
  write_origin(code, ";", out);
  write_module(arena, code, out);
}

void kernel_write_case(SrArena *arena, const Code *code, const uint32_t *results, FILE *out) {
  uint32_t lanes = code->options.lanes * code->options.groups;
  fputs("#!amber\n", out);
  write_origin(code, "#", out);
  fputs("SHADER compute kernel SPIRV-ASM TARGET_ENV spv1.3\n", out);
  write_module(arena, code, out);
  fprintf(out,
          "END\n"
          "BUFFER results DATA_TYPE uint32 SIZE %" PRIu32 " FILL 0\n"
          "PIPELINE compute p\n"
          "  ATTACH kernel\n"
          "  BIND BUFFER results AS storage DESCRIPTOR_SET 0 BINDING 0\n"
          "END\n"
          "RUN p %" PRIu32 " 1 1\n",
          lanes, code->options.groups);
  for (uint32_t i = 0; i < lanes; i++) {
    if (i % 8 == 0)
      fprintf(out, "EXPECT results IDX %" PRIu32 " EQ", 4 * i);
    fprintf(out, " %" PRIu32 "%s", results[i], i % 8 == 7 || i + 1 == lanes ? "\n" : "");
  }
}
