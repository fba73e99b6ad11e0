/* SPDX-License-Identifier: Apache-2.0 */
/* new_pipeline: the samplers and the pipeline of a new case. */
#include "harness/new/new_parts.h"

#include <spirv/unified1/spirv.h>
#include <string.h>

enum { HEADER = 5, MESSAGE = 512, WORD = 32 /* bits */ };

static const char *const kind_names[] = {"storage", "uniform"};

static void write_sampler(FILE *out, const spv_emu_sampler *s) {
  static const char *const filters[] = {"nearest", "linear"};
  static const char *const modes[] = {"repeat", "mirrored_repeat", "clamp_to_edge",
                                      "clamp_to_border"};
  const char *mode = modes[s->address_mode[0]];
  fprintf(out,
          "SAMPLER sampler_%u_%u_%u MAG_FILTER %s MIN_FILTER %s ADDRESS_MODE_U %s ADDRESS_MODE_V "
          "%s ADDRESS_MODE_W %s%s\n",
          s->set, s->binding, s->element, filters[s->mag_filter], filters[s->min_filter], mode,
          mode, mode, s->compare ? " COMPARE on COMPARE_OP less" : "");
}

/* Writes the BIND of a binding's descriptors; their buffers follow each other in n->buffers. */
static void bind(const HnNew *n, FILE *out, uint32_t first, uint32_t count) {
  const HnNewBuffer *b = &n->buffers[first];
  const spv_emu_shape *shape = b->shape;
  bool texels = shape->image && shape->dimension == SpvDimBuffer;
  fprintf(out, "  BIND BUFFER%s", count > 1 ? "_ARRAY" : "");
  for (uint32_t i = 0; i < count; i++)
    fprintf(out, " %s", n->buffers[first + i].name);
  if (texels)
    fprintf(out, " AS %s_texel_buffer", shape->storage ? "storage" : "uniform");
  else if (shape->image && shape->sampler)
    fprintf(out, " AS combined_image_sampler SAMPLER sampler_%u_%u_0", b->binding->set,
            b->binding->binding);
  else if (shape->image)
    fprintf(out, " AS %s_image", shape->storage ? "storage" : "sampled");
  else
    fprintf(out, " AS %s", kind_names[shape->uniform]);
  fprintf(out, " DESCRIPTOR_SET %u BINDING %u\n", b->binding->set, b->binding->binding);
}

static void bind_all(const HnNew *n, FILE *out) {
  for (uint32_t i = 0; i < n->buffer_count;) {
    uint32_t count = 1;
    if (!n->buffers[i].binding) {
      fprintf(out, "  BIND BUFFER %s AS push_constant\n", n->buffers[i++].name);
      continue;
    }
    while (i + count < n->buffer_count && n->buffers[i + count].binding == n->buffers[i].binding)
      count++;
    bind(n, out, i, count);
    i += count;
  }
  for (uint32_t i = 0; i < n->contents.options.sampler_count; i++) {
    const spv_emu_sampler *s = &n->contents.samplers[i];
    const EmuDescriptorPlace place = {.set = s->set, .binding = s->binding};
    if (!hn_new_binding(n, &place)->shape->image)
      fprintf(out, "  BIND SAMPLER sampler_%u_%u_%u DESCRIPTOR_SET %u BINDING %u\n", s->set,
              s->binding, s->element, s->set, s->binding);
  }
}

/* The name of the module's entry point, which is given or the first. */
static const char *entry_name(const HnNew *n) {
  size_t count;
  if (n->wanted->given->entry)
    return n->wanted->given->entry;
  const uint32_t *words = hn_trial_words(&n->module, &count);
  for (size_t at = HEADER; at < count && words[at] >> 16; at += words[at] >> 16)
    if ((words[at] & 0xffff) == SpvOpEntryPoint && (words[at] >> 16) > 3)
      return (const char *)&words[at + 3];
  return "main";
}

bool hn_new_constants(HnNew *n) {
  char text[MESSAGE];
  uint32_t count;
  const spv_emu_constant *c = spv_emu_constants(n->program, &count);
  for (uint32_t i = 0; i < count; i++) {
    const char *why = !c[i].decorated                 ? "has no SpecId"
                      : c[i].bits > WORD              ? "has more than 32 bits"
                      : c[i].bits && c[i].bits < WORD ? "has fewer than 32 bits"
                                                      : NULL;
    snprintf(text, sizeof text,
             "the specialization constant %%%u %s, which AmberScript's SPECIALIZE cannot express: "
             "set it in the shader",
             c[i].result, why ? why : "");
    if (why)
      return hn_new_fail(n, text);
  }
  return true;
}

/* Is it a kernel that does not set the size of its workgroups? In a case constants 0 to 2 do. */
static bool lacks_size(const HnNew *n) {
  size_t count;
  const uint32_t *words = hn_trial_words(&n->module, &count);
  bool kernel = false, sized = false;
  for (size_t at = HEADER; at + 2 < count && words[at] >> 16; at += words[at] >> 16) {
    uint32_t op = words[at] & 0xffff;
    kernel = kernel || (op == SpvOpEntryPoint && words[at + 1] == SpvExecutionModelKernel);
    sized = sized || (op == SpvOpExecutionMode && words[at + 2] == SpvExecutionModeLocalSize);
  }
  return kernel && !sized;
}

/* Writes ` SPECIALIZE 3 AS uint32 7` for each constant that is given; a bool is a uint32. */
static void specialize(const HnNew *n, FILE *out) {
  static const char *const types[] = {
      [SPV_EMU_UINT] = "uint32", [SPV_EMU_SINT] = "int32", [SPV_EMU_FLOAT] = "float"};
  static const uint8_t kinds[] = {[SPV_EMU_UINT] = EMU_FORMAT_UINT,
                                  [SPV_EMU_SINT] = EMU_FORMAT_SINT,
                                  [SPV_EMU_FLOAT] = EMU_FORMAT_FLOAT};
  uint32_t count;
  const spv_emu_constant *c = spv_emu_constants(n->program, &count);
  for (uint32_t i = 0; lacks_size(n) && i < 3; i++)
    fprintf(out, " SPECIALIZE %u AS uint32 %u", i, spv_emu_local_size(n->program)[i]);
  for (uint32_t i = 0; i < count; i++) {
    const EmuField field = {.unit = WORD / 8, .bits = WORD, .kind = kinds[c[i].kind]};
    uint32_t word = (uint32_t)c[i].value;
    fprintf(out, " SPECIALIZE %u AS %s", c[i].id, types[c[i].kind]);
    hn_new_number(out, &field, (const uint8_t *)&word);
  }
}

void hn_new_pipeline(const HnNew *n, FILE *out, bool glsl) {
  const ToolSource *source = &n->wanted->source;
  fprintf(out, "PIPELINE %s pipeline\n%s  ATTACH shader", n->draws ? "graphics" : "compute",
          n->draws ? "  ATTACH vertex\n" : "");
  if (strcmp(entry_name(n), "main") != 0)
    fprintf(out, " ENTRY_POINT %s", entry_name(n));
  specialize(n, out);
  fputc('\n', out);
  if (glsl && source->option_count) {
    fputs("  COMPILE_OPTIONS shader\n", out);
    for (uint32_t i = 0; i < source->option_count; i++)
      if (strncmp(source->options[i], "-D", 2) == 0)
        fprintf(out, "    %s\n", source->options[i]);
    fputs("  END\n", out);
  }
  if (n->draws)
    hn_new_draw_bind(n, out);
  bind_all(n, out);
  fputs("END\n\n", out);
  if (n->draws)
    hn_new_draw_run(out);
  else
    fprintf(out, "RUN pipeline %u %u %u\n\n", n->contents.options.groups[0],
            n->contents.options.groups[1], n->contents.options.groups[2]);
}

void hn_new_samplers(const HnNew *n, FILE *out) {
  for (uint32_t i = 0; i < n->contents.options.sampler_count; i++)
    write_sampler(out, &n->contents.samplers[i]);
}
