/* SPDX-License-Identifier: Apache-2.0 */
/* decode_geometry: see decode_geometry.h. */
#include "spv-emu/decode/decode_geometry.h"

#include "spv-emu/subgroup/emit.h"

/* ---- execution modes ------------------------------------------------------------------------- */

/* The same limits as in lavapipe. */
enum { MOST_INVOCATIONS = 32, MOST_VERTICES = 1024 };

static bool bounded(EmuDecode *d, SrRef r, const char *name, uint32_t value, uint32_t most,
                    uint32_t *to) {
  *to = value;
  return (value > 0 && value <= most) ||
         emu_refuse(d, r, "%s %u; 1 to %u are possible", name, value, most);
}

bool emu_geometry_mode(EmuDecode *d, SrRef r, uint32_t mode, uint32_t value, bool *mine) {
  EmuGeometry *g = &d->p->geometry;
  *mine = d->p->model == SpvExecutionModelGeometry;
  if (!*mine)
    return true;
  switch (mode) {
  case SpvExecutionModeInputPoints:
    g->corners = 1;
    return true;
  case SpvExecutionModeInputLines:
    g->corners = 2;
    return true;
  case SpvExecutionModeTriangles:
    g->corners = 3;
    return true;
  case SpvExecutionModeOutputPoints:
    g->made = 1;
    return true;
  case SpvExecutionModeOutputLineStrip:
    g->made = 2;
    return true;
  case SpvExecutionModeOutputTriangleStrip:
    g->made = 3;
    return true;
  case SpvExecutionModeInvocations:
    return bounded(d, r, "Invocations", value, MOST_INVOCATIONS, &g->invocations);
  case SpvExecutionModeOutputVertices:
    return value == 0 || bounded(d, r, "OutputVertices", value, MOST_VERTICES, &g->most);
  case SpvExecutionModeInputLinesAdjacency:
  case SpvExecutionModeInputTrianglesAdjacency:
    return emu_refuse(d, r,
                      "geometry shaders of lines and triangles with adjacency are not "
                      "supported");
  }
  *mine = false;
  return true;
}

/* ---- the vertices of a lane ------------------------------------------------------------------ */

static uint32_t component_count(const EmuProgram *p) {
  uint32_t count = p->outputs.count;
  for (uint32_t i = 0; i < p->results.count; i++)
    count += p->results.at[i].components;
  return count;
}

bool emu_geometry_room(EmuDecode *d) {
  EmuGeometry *g = &d->p->geometry;
  uint32_t width = d->p->width;
  uint64_t at, count, start;
  if (d->p->model != SpvExecutionModelGeometry)
    return true;
  if (!g->corners || !g->made)
    return emu_refuse(d, SR_NONE, "a geometry shader without the primitives it takes and makes");
  g->words = component_count(d->p) + 1;
  g->invocations = g->invocations ? g->invocations : 1;
  if (!emu_fixed_room(d, SR_NONE, (uint64_t)g->most * g->words * sizeof(uint64_t), &at) ||
      !emu_fixed_room(d, SR_NONE, sizeof(uint32_t), &count) ||
      !emu_fixed_room(d, SR_NONE, sizeof(uint32_t), &start))
    return false;
  g->at = (uint32_t)at * width;
  g->count_row = (uint32_t)count * width;
  g->start_row = (uint32_t)start * width;
  return true;
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* The registers of all outputs, which EmitVertex reads. */
static uint32_t *output_registers(EmuDecode *d, uint32_t *count) {
  const EmuProgram *p = d->p;
  uint32_t *registers = SR_NEW(d->scratch, uint32_t, component_count(p)), n = 0;
  for (uint32_t i = 0; i < p->outputs.count; i++) {
    const EmuPort *port = &p->outputs.at[i];
    registers[n++] = emu_register_fixed(d, (EmuKind)port->kind, port->row / p->width);
  }
  for (uint32_t i = 0; i < p->results.count; i++) {
    const EmuBuiltin *b = &p->results.at[i];
    for (uint32_t c = 0; c < b->components; c++)
      registers[n++] = emu_register_fixed(d, (EmuKind)b->kind, (b->row + c * b->stride) / p->width);
  }
  *count = n;
  return registers;
}

static void emit(EmuDecode *d, EmuHandler *run, const uint32_t *registers, uint32_t count) {
  emu_emit_masked(d,
                  &(EmuIns){.run = run,
                            .d = EMU_NO_ROW,
                            .a = EMU_NO_ROW,
                            .b = EMU_NO_ROW,
                            .c = EMU_NO_ROW,
                            .list = emu_list(d, registers, count)},
                  0, count);
}

bool emu_decode_geometry(EmuDecode *d, SrRef r, bool *mine) {
  uint32_t count = 0;
  uint16_t op = sr_inst(d->m, r)->op;
  *mine = d->p->model == SpvExecutionModelGeometry &&
          (op == SpvOpEmitVertex || op == SpvOpEndPrimitive);
  if (!*mine)
    return true;
  const uint32_t *registers = op == SpvOpEmitVertex ? output_registers(d, &count) : NULL;
  emit(d, op == SpvOpEmitVertex ? emu_emit_vertex : emu_end_primitive, registers, count);
  return true;
}
