/* SPDX-License-Identifier: Apache-2.0 */
/* report_source: see report_source.h. */
#include "spv-emu/report/report_source.h"

#include "passes/tool/tool_json.h"

enum { MOST_CALLS = 16 }; /* inlined calls that nest; a hostile module may nest any number */

void emu_source_file(json_t *o, const spv_emu_source *source, uint32_t file) {
  json_object_set_new(
      o, "file", file == SPV_EMU_NO_FILE ? json_null() : tool_json_text(source->files[file].name));
}

static json_t *name_or_null(const char *name) {
  return name ? tool_json_text(name) : json_null();
}

/* From the innermost call outwards. */
static json_t *calls_array(const spv_emu_source *source, uint32_t call) {
  json_t *array = json_array();
  for (int i = 0; i < MOST_CALLS && call != SPV_EMU_NO_CALL; i++) {
    const spv_emu_call *c = &source->calls[call];
    json_t *o = json_object();
    json_object_set_new(o, "function", name_or_null(c->function));
    emu_source_file(o, source, c->file);
    tool_json_set_count(o, "line", c->line);
    json_array_append_new(array, o);
    call = c->outer;
  }
  return array;
}

void emu_source_set(json_t *o, const spv_emu_source *source, const spv_emu_block *block) {
  emu_source_file(o, source, block->file);
  tool_json_set_count(o, "column", block->column);
  tool_json_set_count(o, "last_line", block->last_line);
  json_object_set_new(o, "source_function", name_or_null(block->source_function));
  if (block->call != SPV_EMU_NO_CALL)
    json_object_set_new(o, "inlined_at", calls_array(source, block->call));
}

static void add_line(json_t *array, const spv_emu_source *source, uint32_t file,
                     const spv_emu_line *line, spv_emu_charge charge) {
  if (!charge.issues)
    return;
  json_t *o = json_object();
  emu_source_file(o, source, file);
  tool_json_set_count(o, "line", line->number);
  tool_json_set_count(o, "issues", charge.issues);
  tool_json_set_count(o, "lanes", charge.lanes);
  json_array_append_new(array, o);
}

static void add_lines(json_t *array, const EmuPart *part) {
  const spv_emu_source *source = spv_emu_source_of(part->program);
  spv_emu_listing *listing = spv_emu_list(part->program, true);
  for (uint32_t s = 0; listing && s < listing->section_count; s++) {
    const spv_emu_section *section = &listing->sections[s];
    for (uint32_t i = section->line; i < section->line + section->lines; i++)
      add_line(array, source, section->file, &listing->lines[i],
               spv_emu_line_charge(part->result, listing, &listing->lines[i]));
  }
  if (listing && listing->source)
    add_line(array, source, SPV_EMU_NO_FILE, &listing->unplaced,
             spv_emu_line_charge(part->result, listing, &listing->unplaced));
  spv_emu_listing_free(listing);
}

json_t *emu_source_lines(const EmuRow *row) {
  json_t *array = json_array();
  for (uint32_t p = 0; p < row->part_count; p++)
    if (row->parts[p].result && row->parts[p].program) /* NULL: only figures were kept */
      add_lines(array, &row->parts[p]);
  return array;
}
