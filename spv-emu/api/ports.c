/* SPDX-License-Identifier: Apache-2.0 */
/* ports: see ports.h. */
#include "spv-emu/api/ports.h"

#include "passes/ir/byte_order.h"
#include "passes/ir/decorations.h"

#include <stdlib.h>
#include <string.h>

/* ---- inputs and outputs ---------------------------------------------------------------------- */

static spv_emu_number number_of(const EmuPort *port) {
  if (port->kind == EMU_F16 || port->kind == EMU_F32 || port->kind == EMU_F64)
    return SPV_EMU_FLOAT;
  return port->sign ? SPV_EMU_SINT : SPV_EMU_UINT;
}

/* A variable, and its first location. */
typedef struct Named {
  uint32_t location;
  const char *name;
} Named;

typedef struct NamedList {
  Named *at;
  uint32_t count;
} NamedList;

static int by_location(const void *a, const void *b) {
  const Named *x = a, *y = b;
  return (x->location > y->location) - (x->location < y->location);
}

static NamedList list_named(spv_emu_program *e, const char *const *names, SpvStorageClass storage) {
  SrModule *m = e->m;
  SR_VEC(Named) all = {0};
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *w = sr_words(m, r);
    Named named;
    if (sr_inst(m, r)->op != SpvOpVariable || w[3] != storage || !names[w[2]] ||
        !sr_decoration_value(m, w[2], SpvDecorationLocation, &named.location))
      continue;
    named.name = names[w[2]];
    SR_PUSH(&e->arena, &all, named);
  }
  if (all.count)
    qsort(all.at, all.count, sizeof *all.at, by_location);
  return (NamedList){all.at, all.count};
}

/* The name of the variable that starts at the location, or at the nearest before it. */
static const char *name_at(const NamedList *list, uint32_t location) {
  uint32_t low = 0, high = list->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (list->at[middle].location <= location)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? list->at[low - 1].name : NULL;
}

static int by_place(const void *a, const void *b) {
  const spv_emu_port *x = a, *y = b;
  if (x->location != y->location)
    return x->location < y->location ? -1 : 1;
  return (x->component > y->component) - (x->component < y->component);
}

void emu_ports_list(spv_emu_program *e, const char *const *names) {
  const EmuProgram *p = e->p;
  uint32_t inputs = p->inputs.count, count = inputs + p->outputs.count;
  spv_emu_port *ports = SR_NEW(&e->arena, spv_emu_port, count);
  NamedList named[] = {list_named(e, names, SpvStorageClassInput),
                       list_named(e, names, SpvStorageClassOutput)};
  for (uint32_t i = 0; i < count; i++) {
    bool input = i < inputs;
    const EmuPort *port = input ? &p->inputs.at[i] : &p->outputs.at[i - inputs];
    ports[i] = (spv_emu_port){.name = name_at(&named[!input], port->location),
                              .location = port->location,
                              .component = port->component,
                              .kind = number_of(port),
                              .bits = 8 * emu_kind_bytes((EmuKind)port->kind)};
  }
  if (inputs)
    qsort(ports, inputs, sizeof *ports, by_place);
  if (count > inputs)
    qsort(ports + inputs, count - inputs, sizeof *ports, by_place);
  e->ports = ports;
}

const spv_emu_port *spv_emu_inputs(const spv_emu_program *program, uint32_t *count) {
  *count = program->p->inputs.count;
  return program->ports;
}

const spv_emu_port *spv_emu_outputs(const spv_emu_program *program, uint32_t *count) {
  *count = program->p->outputs.count;
  return program->ports + program->p->inputs.count;
}

bool spv_emu_writes_depth(const spv_emu_program *program) {
  for (uint32_t i = 0; i < program->p->results.count; i++)
    if (program->p->results.at[i].builtin == SpvBuiltInFragDepth)
      return true;
  return false;
}

/* ---- the stage ------------------------------------------------------------------------------- */

enum { HEADER = 5 };

static bool is_named(const uint32_t *words, uint32_t room, const char *entry) {
  size_t most = (size_t)room * sizeof *words;
  return !entry ||
         (strnlen((const char *)words, most) < most && !strcmp((const char *)words, entry));
}

/* Of a module's entry points the one of the highest rank is taken: what can be dispatched, else the
 * later stage of a draw. */
static int rank(uint32_t model) {
  switch (model) {
  case SpvExecutionModelGLCompute:
  case SpvExecutionModelKernel:
    return 3;
  case SpvExecutionModelFragment:
    return 2;
  case SpvExecutionModelVertex:
    return 1;
  default:
    return 0;
  }
}

spv_emu_stage spv_emu_stage_of(const uint32_t *words, size_t count, const char *entry) {
  uint32_t *swapped = NULL;
  int best = 0;
  if (sr_is_swapped(words, count) && (swapped = malloc(count * sizeof *words))) {
    sr_swap(swapped, words, count);
    words = swapped;
  }
  for (size_t at = HEADER; at < count;) {
    uint32_t length = words[at] >> SpvWordCountShift;
    if (!length || length > count - at || (words[at] & SpvOpCodeMask) == SpvOpFunction)
      break;
    if ((words[at] & SpvOpCodeMask) == SpvOpEntryPoint && length > 3 &&
        is_named(&words[at + 3], length - 3, entry) && rank(words[at + 1]) > best)
      best = rank(words[at + 1]);
    at += length;
  }
  free(swapped);
  return best == 2 ? SPV_EMU_FRAGMENT : best == 1 ? SPV_EMU_VERTEX : SPV_EMU_COMPUTE;
}
