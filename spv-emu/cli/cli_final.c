/* SPDX-License-Identifier: Apache-2.0 */
/* cli_final: see cli_final.h. */
#include "spv-emu/cli/cli_final.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Attachments of one sample are buffers of the script. */
static uint32_t add_buffers(const EmuCase *c, EmuFinal *all) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->script->buffer_count; i++) {
    const AmberBuffer *b = &c->script->buffers[i];
    const uint8_t *bytes = emu_amber_contents(c->amber, i);
    if (!bytes)
      continue;
    EmuFinal *f = &all[count++];
    *f = (EmuFinal){.layout = b->layout, .bytes = bytes, .initial = b->bytes, .size = b->size};
    snprintf(f->name, sizeof f->name, "buffer %.80s", b->name);
  }
  return count;
}

static const spv_emu_shape *shape_of(const EmuCase *c, const EmuOutput *o) {
  uint32_t count;
  const spv_emu_binding *all = spv_emu_bindings(c->program, &count);
  for (uint32_t i = 0; i < count; i++)
    if (all[i].set == o->set && all[i].binding == o->binding)
      return all[i].shape;
  return NULL;
}

static uint32_t add_outputs(const EmuCase *c, const EmuRow *row, EmuFinal *all) {
  for (uint32_t i = 0; i < row->output_count; i++) {
    const EmuOutput *o = &row->outputs[i];
    char element[16] = "";
    if (o->element)
      snprintf(element, sizeof element, "[%u]", o->element);
    all[i] = (EmuFinal){.layout = *o->layout,
                        .shape = shape_of(c, o),
                        .bytes = o->bytes,
                        .initial = o->initial,
                        .size = o->size};
    snprintf(all[i].name, sizeof all[i].name, "buffer %u:%u%s", o->set, o->binding, element);
  }
  return row->output_count;
}

static void add_drawn(const EmuDrawn *d, EmuFinal *f) {
  EmuElementLayout layout = emu_format_layout(d->format);
  *f = (EmuFinal){.layout = layout,
                  .bytes = d->bytes,
                  .size = (uint64_t)d->width * d->height * d->samples * layout.stride};
  if (d->depth)
    snprintf(f->name, sizeof f->name, "the depth attachment");
  else
    snprintf(f->name, sizeof f->name, "attachment %u", d->location);
}

EmuFinal *emu_final_all(const EmuCase *c, const EmuRow *row, uint32_t *count) {
  EmuDrawn drawn[EMU_AMBER_DRAWN];
  uint32_t drawn_count = emu_case_drawn(c, drawn);
  size_t room = (c->script ? c->script->buffer_count : row->output_count) + drawn_count + 1u;
  EmuFinal *all = calloc(room, sizeof *all);
  if (!all)
    return NULL;
  *count = c->script ? add_buffers(c, all) : add_outputs(c, row, all);
  for (uint32_t i = 0; i < drawn_count; i++)
    if (!c->script || drawn[i].samples > 1)
      add_drawn(&drawn[i], &all[(*count)++]);
  return all;
}

bool emu_final_is_written(const EmuFinal *f) {
  return !f->initial || memcmp(f->bytes, f->initial, f->size) != 0;
}
