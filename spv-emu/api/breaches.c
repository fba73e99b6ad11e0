/* SPDX-License-Identifier: Apache-2.0 */
/* breaches: see breaches.h. */
#include "spv-emu/api/breaches.h"

#include "passes/source/source_walk.h"
#include "spv-emu/engine/breach.h"

#include <inttypes.h>
#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>

/* The descriptor whose entry in the table of segments, or of images, is `value`; an entry that no
 * binding has is that of an index past the array's end. */
static void say_descriptor(const EmuProgram *p, bool image, uint64_t value, char *text,
                           size_t size) {
  for (uint32_t i = 0; i < p->bindings.count; i++) {
    const EmuBinding *b = &p->bindings.at[i];
    if (b->image == image && value >= b->first && value - b->first < b->room) {
      snprintf(text, size, "set %u binding %u element %" PRIu64, b->set, b->binding,
               value - b->first);
      return;
    }
  }
  snprintf(text, size, "an index out of bounds");
}

static void set_values(spv_emu_breach *to, const EmuProgram *p, const EmuDemand *demand,
                       const struct EmuBreach *from) {
  for (uint32_t i = 0; i < 2; i++) {
    char *text = to->value[i];
    size_t size = sizeof to->value[i];
    to->lane[i] = from->lane[i];
    if (demand->rule == EMU_RULE_NON_UNIFORM)
      say_descriptor(p, demand->image, from->value[i], text, size);
    else if (demand->operand)
      snprintf(text, size, "%" PRIu64, from->value[i]);
  }
}

static spv_emu_breach breach_of(const EmuProgram *p, const EmuDemand *demand,
                                const struct EmuBreach *from) {
  const EmuBlock *b = &p->blocks.at[demand->block];
  SrSourcePlace place = sr_source_at(p->source, demand->inst);
  spv_emu_breach to = {.rule = emu_rule_name(demand->rule),
                       .text = emu_rule_text(demand->rule),
                       .function = p->functions.at[b->function].name,
                       .block = b->id,
                       .opcode = spvOpcodeString(sr_inst(p->module, demand->inst)->op),
                       .operand = demand->operand,
                       .file = place.file == SR_NONE ? SPV_EMU_NO_FILE : place.file,
                       .line = place.line,
                       .count = from->count,
                       .subgroup = from->subgroup};
  set_values(&to, p, demand, from);
  return to;
}

bool emu_breaches_fill(spv_emu_result *result, const EmuProgram *p, const EmuTotals *totals) {
  uint32_t count = 0;
  for (uint32_t i = 0; totals->breaches && i < p->demands.count; i++)
    count += totals->breaches[i].count != 0;
  if (!count)
    return true;
  result->breaches = malloc(count * sizeof *result->breaches);
  for (uint32_t i = 0; result->breaches && i < p->demands.count; i++)
    if (totals->breaches[i].count)
      result->breaches[result->breach_count++] =
          breach_of(p, &p->demands.at[i], &totals->breaches[i]);
  return result->breaches;
}
