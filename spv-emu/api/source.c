/* SPDX-License-Identifier: Apache-2.0 */
/* source: see source.h, spv_emu_source_of and spv_emu_give_text. */
#include "spv-emu/api/source.h"

#include <string.h>

static const spv_emu_call *make_calls(SrArena *arena, const SrSource *s) {
  spv_emu_call *calls = SR_NEW(arena, spv_emu_call, s->calls.count + 1);
  for (uint32_t i = 0; i < s->calls.count; i++) {
    const SrSourceCall *call = &s->calls.at[i];
    calls[i] = (spv_emu_call){.file = call->file, .line = call->line, .outer = call->outer};
    if (call->function != SR_NONE)
      calls[i].function = s->functions.at[call->function].name;
  }
  return calls;
}

void emu_source_make(spv_emu_program *program) {
  const SrSource *s = program->p->source;
  program->files = SR_NEW(&program->arena, spv_emu_file, s->files.count + 1);
  for (uint32_t i = 0; i < s->files.count; i++) {
    const SrSourceFile *file = &s->files.at[i];
    program->files[i] = (spv_emu_file){file->name, file->text, file->size};
  }
  program->source = (spv_emu_source){.files = program->files,
                                     .calls = make_calls(&program->arena, s),
                                     .file_count = s->files.count,
                                     .call_count = s->calls.count};
}

const spv_emu_source *spv_emu_source_of(const spv_emu_program *program) {
  return &program->source;
}

bool spv_emu_give_text(spv_emu_program *program, uint32_t file, const char *text, size_t size) {
  if (setjmp(program->heap.out_of_memory))
    return false;
  if (file < program->source.file_count && !program->files[file].text) {
    program->files[file].text = sr_strndup(&program->arena, text, size);
    program->files[file].size = size;
  }
  return true;
}
