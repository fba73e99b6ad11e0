/* SPDX-License-Identifier: Apache-2.0 */
/* report_breaches: see report_breaches.h. */
#include "spv-emu/report/report_breaches.h"

#include "passes/tool/tool_json.h"

#include <inttypes.h>

enum { MOST_SHOWN = 20 };

uint64_t emu_row_breaches(const EmuRow *row) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < row->part_count; i++)
    sum += row->parts[i].result ? row->parts[i].result->breach_count : 0;
  return sum;
}

static const char *file_of(const EmuPart *part, const spv_emu_breach *b) {
  if (!part->program || b->file == SPV_EMU_NO_FILE)
    return NULL;
  return spv_emu_source_of(part->program)->files[b->file].name;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_lanes(const spv_emu_breach *b, FILE *out) {
  if (b->value[0][0])
    fprintf(out, "lanes %u and %u of subgroup %" PRIu64 " have %s and %s", b->lane[0], b->lane[1],
            b->subgroup, b->value[0], b->value[1]);
  else
    fprintf(out, "in subgroup %" PRIu64 " lane %u is active, lane %u is not", b->subgroup,
            b->lane[0], b->lane[1]);
  fprintf(out, " (%" PRIu64 " issue%s)\n", b->count, b->count == 1 ? "" : "s");
}

static void print_breach(const EmuPart *part, const spv_emu_breach *b, FILE *out) {
  const char *file = file_of(part, b);
  fprintf(out, "%s: %s: function %s, block %%%u", part->result->policy, b->rule, b->function,
          b->block);
  if (b->line)
    fprintf(out, ", %s:%u", file ? file : "", b->line);
  fprintf(out, ", Op%s", b->opcode);
  if (b->operand)
    fprintf(out, ", operand %%%u", b->operand);
  fprintf(out, ": %s: ", b->text);
  print_lanes(b, out);
}

void emu_print_breaches(const EmuRow *row, FILE *out) {
  uint64_t all = emu_row_breaches(row), shown = 0;
  for (uint32_t i = 0; i < row->part_count; i++) {
    const EmuPart *part = &row->parts[i];
    for (uint32_t n = 0; part->result && n < part->result->breach_count && shown < MOST_SHOWN; n++)
      print_breach(part, &part->result->breaches[n], out), shown++;
  }
  if (all > shown)
    fprintf(out, "%s: %" PRIu64 " more breaches (--json has all)\n", row->policy, all - shown);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *breach_object(const EmuPart *part, const spv_emu_breach *b) {
  const char *file = file_of(part, b);
  json_t *o =
      json_pack("{s:s, s:s, s:o, s:I, s:s, s:I, s:o, s:I, s:I, s:I, s:[I, I]}", "rule", b->rule,
                "text", b->text, "function", tool_json_text(b->function), "block",
                (json_int_t)b->block, "opcode", b->opcode, "operand", (json_int_t)b->operand,
                "file", file ? tool_json_text(file) : json_null(), "line", (json_int_t)b->line,
                "count", (json_int_t)b->count, "subgroup", (json_int_t)b->subgroup, "lanes",
                (json_int_t)b->lane[0], (json_int_t)b->lane[1]);
  if (b->value[0][0])
    json_object_set_new(o, "values", json_pack("[s, s]", b->value[0], b->value[1]));
  return o;
}

json_t *emu_breaches_array(const EmuRow *row) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < row->part_count; i++) {
    const EmuPart *part = &row->parts[i];
    for (uint32_t n = 0; part->result && n < part->result->breach_count; n++)
      json_array_append_new(array, breach_object(part, &part->result->breaches[n]));
  }
  return array;
}
