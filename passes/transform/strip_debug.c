/* SPDX-License-Identifier: Apache-2.0 */
/* strip-debug: see strip_debug.h. First drops the instructions whose opcode or instruction set is
 * for debug information, then the strings that nothing refers to any more. */
#include "passes/transform/strip_debug.h"

#include "passes/ir/edit.h"

typedef struct Strip {
  SrModule *m;
  SrBits *set;  /* by id: an import of a debug instruction set */
  SrBits *used; /* by id: some instruction that stays refers to it */
  bool changed;
} Strip;

static bool is_debug_set(const SrModule *m, SrRef import) {
  static const char *const names[] = {"DebugInfo", "OpenCL.DebugInfo.100",
                                      "NonSemantic.Shader.DebugInfo.100"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp((const char *)&sr_words(m, import)[2], names[i]) == 0)
      return true;
  return false;
}

static bool is_debug(Strip *s, SrRef r) {
  const SrInst *in = sr_inst(s->m, r);
  switch (in->op) {
  case SpvOpSource:
  case SpvOpSourceContinued:
  case SpvOpSourceExtension:
  case SpvOpName:
  case SpvOpMemberName:
  case SpvOpModuleProcessed:
  case SpvOpLine:
  case SpvOpNoLine:
    return true;
  case SpvOpExtInstImport:
    if (!is_debug_set(s->m, r))
      return false;
    sr_bit_set(s->set, in->result);
    return true;
  case SpvOpExtInst:
    return sr_bit(s->set, sr_words(s->m, r)[3]);
  default:
    return false;
  }
}

static void mark_used(Strip *s, SrRef r) {
  const uint32_t *w = sr_words(s->m, r);
  bool any = sr_inst(s->m, r)->unknown; /* any word of an unknown instruction may be an id */
  for (uint32_t i = sr_inst(s->m, r)->first, n = w[0] >> 16; i < n; i++)
    if (any ? w[i] < sr_bound(s->m) : sr_word_is_id(s->m, r, i))
      sr_bit_set(s->used, w[i]);
}

static void strip_list(Strip *s, SrList *list) {
  for (SR_EACH_SAFE(s->m, r, *list)) {
    if (is_debug(s, r)) {
      sr_remove(s->m, list, r);
      s->changed = true;
    } else {
      mark_used(s, r);
    }
  }
}

static void strip_strings(Strip *s) {
  for (SR_EACH_SAFE(s->m, r, s->m->globals)) {
    if (sr_inst(s->m, r)->op != SpvOpString || sr_bit(s->used, sr_inst(s->m, r)->result))
      continue;
    sr_remove(s->m, &s->m->globals, r);
    s->changed = true;
  }
}

bool sr_strip_debug(SrModule *m, SrArena *scratch) {
  SrMark mark = sr_arena_mark(scratch);
  Strip s = {
      .m = m, .set = sr_bits_new(scratch, sr_bound(m)), .used = sr_bits_new(scratch, sr_bound(m))};
  strip_list(&s, &m->globals);
  for (uint32_t i = 0; i < m->function_count; i++) {
    SrFunction *f = &m->functions[i];
    strip_list(&s, &f->head);
    for (uint32_t b = 0; b < f->block_count; b++)
      strip_list(&s, &f->blocks[b].list);
    strip_list(&s, &f->tail);
  }
  strip_list(&s, &m->tail);
  strip_strings(&s);
  sr_arena_reset(scratch, mark);
  return s.changed;
}
