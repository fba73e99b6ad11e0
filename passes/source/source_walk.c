/* SPDX-License-Identifier: Apache-2.0 */
/* source_walk: see source_walk.h. */
#include "passes/source/source_walk.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

SrSourceWalk sr_source_walk(SrSource *source) {
  return (SrSourceWalk){source, SR_SOURCE_NOWHERE};
}

static void set_line(SrSourceWalk *walk, uint32_t file, uint32_t line, uint32_t column) {
  uint32_t found = line ? sr_source_file(walk->source, file) : SR_NONE;
  walk->place.file = found;
  walk->place.line = found == SR_NONE ? 0 : line;
  walk->place.column = found == SR_NONE ? 0 : column;
}

static void set_scope(SrSourceWalk *walk, uint32_t scope, uint32_t call) {
  walk->place.function = scope ? sr_source_scope(walk->source, scope).function : SR_NONE;
  walk->place.call = call ? sr_source_call(walk->source, call) : SR_NONE;
}

static void extended(SrSourceWalk *walk, SrRef r) {
  const SrModule *m = walk->source->m;
  const uint32_t *w = sr_words(m, r);
  uint32_t count = sr_word_count(m, r);
  bool shader;
  switch (sr_source_opcode(m, r, &shader)) {
  case NonSemanticShaderDebugInfo100DebugScope:
    set_scope(walk, count > 5 ? w[5] : 0, count > 6 ? w[6] : 0);
    break;
  case NonSemanticShaderDebugInfo100DebugNoScope:
    set_scope(walk, 0, 0);
    break;
  case NonSemanticShaderDebugInfo100DebugLine:
    if (count > 9)
      set_line(walk, w[5], sr_source_number(m, shader, w[6]), sr_source_number(m, shader, w[8]));
    break;
  case NonSemanticShaderDebugInfo100DebugNoLine:
    set_line(walk, 0, 0, 0);
    break;
  }
}

SrSourcePlace sr_source_step(SrSourceWalk *walk, SrRef r) {
  const SrModule *m = walk->source->m;
  const SrInst *in = sr_inst(m, r);
  if (in->op == SpvOpLine)
    set_line(walk, sr_words(m, r)[1], sr_words(m, r)[2], sr_words(m, r)[3]);
  else if (in->op == SpvOpNoLine)
    set_line(walk, 0, 0, 0);
  else if (in->nonsemantic)
    extended(walk, r);
  return walk->place;
}

SrSourceMark sr_source_mark(const SrModule *m, SrRef r) {
  bool shader;
  if (sr_inst(m, r)->op == SpvOpLine || sr_inst(m, r)->op == SpvOpNoLine)
    return sr_inst(m, r)->op == SpvOpLine ? SR_MARK_LINE : SR_MARK_NO_LINE;
  switch (sr_source_opcode(m, r, &shader)) {
  case NonSemanticShaderDebugInfo100DebugLine:
    return SR_MARK_LINE;
  case NonSemanticShaderDebugInfo100DebugNoLine:
    return SR_MARK_NO_LINE;
  case NonSemanticShaderDebugInfo100DebugScope:
    return SR_MARK_SCOPE;
  case NonSemanticShaderDebugInfo100DebugNoScope:
    return SR_MARK_NO_SCOPE;
  default:
    return SR_MARK_OTHER;
  }
}

void sr_source_applied(const SrModule *m, SrRef r, SrRef *line, SrRef *scope) {
  bool lines = false, scopes = false;
  *line = *scope = SR_NONE;
  while (!(lines && scopes) && (r = sr_inst(m, r)->prev) != SR_NONE) {
    SrSourceMark mark = sr_source_mark(m, r);
    bool is_line = mark == SR_MARK_LINE || mark == SR_MARK_NO_LINE;
    if (mark == SR_MARK_OTHER || (is_line ? lines : scopes))
      continue;
    if (mark == SR_MARK_LINE)
      *line = r;
    if (mark == SR_MARK_SCOPE)
      *scope = r;
    *(is_line ? &lines : &scopes) = true;
  }
}

void sr_source_read_all(SrSource *source) {
  const SrModule *m = source->m;
  for (uint32_t i = 0; i < m->function_count; i++)
    for (uint32_t b = 0; b < m->functions[i].block_count; b++) {
      SrSourceWalk walk = sr_source_walk(source);
      for (SR_EACH(m, r, m->functions[i].blocks[b].list))
        sr_source_step(&walk, r);
    }
}

SrRef sr_source_start(const SrModule *m, SrRef r) {
  while (sr_inst(m, r)->prev != SR_NONE)
    r = sr_inst(m, r)->prev;
  return r;
}

SrSourcePlace sr_source_at(SrSource *source, SrRef r) {
  SrSourceWalk walk = sr_source_walk(source);
  for (SrRef at = sr_source_start(source->m, r); at != SR_NONE && at != r;
       at = sr_inst(source->m, at)->next)
    sr_source_step(&walk, at);
  return sr_source_step(&walk, r);
}
