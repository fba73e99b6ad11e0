/* SPDX-License-Identifier: Apache-2.0 */
/* amber_parse_kernel: the arguments of OpenCL kernels: KERNEL ARG_NAME and ARG_NUMBER of BIND, and
 * SET KERNEL, whose value becomes a buffer of one element. */
#include "spv-emu/format/format_number.h"
#include "spv-emu/script/amber/amber_parse.h"

enum { MOST_ARGUMENTS = 1024 };

bool amber_parse_kernel_slot(AmberParser *parser, AmberBinding *binding) {
  binding->kernel = true;
  if (amber_accept(parser, "ARG_NUMBER"))
    return amber_u32(parser, "ARG_NUMBER", 0, MOST_ARGUMENTS, &binding->binding);
  binding->binding = AMBER_NONE;
  return amber_expect_word(parser, "ARG_NAME") &&
         amber_text(parser, "the argument's name", &binding->argument);
}

/* The numbers of one element. */
static bool parse_value(AmberParser *parser, const AmberBuffer *buffer) {
  for (uint32_t i = 0; i < buffer->layout.field_count; i++) {
    const EmuField *field = &buffer->layout.fields[i];
    AmberToken word;
    EmuNumber value;
    if (!amber_word(parser, "the value", &word))
      return false;
    const char *why = emu_number_parse(word.text, word.length, field, &value);
    if (why)
      return amber_fail(parser, &word, "%s", why);
    emu_field_set(field, value, buffer->bytes);
  }
  return true;
}

static bool value_buffer(AmberParser *parser, AmberBuffer *buffer) {
  AmberToken word = parser->token;
  AmberType type;
  if (!amber_parse_type(parser, (AmberStrides){0}, &type))
    return false;
  const char *why = type.unsized ? "the type needs a length"
                                 : amber_type_layout(&type, AMBER_STD430, &buffer->layout);
  return why ? amber_fail(parser, &word, "%s", why)
             : amber_build_allocate(parser, buffer) && parse_value(parser, buffer);
}

bool amber_parse_set_kernel(AmberParser *parser) {
  AmberBinding binding = {.kind = AMBER_BIND_UNIFORM, .line = parser->token.line};
  AmberBuffer buffer = {.name = "of SET KERNEL",
                        .element_count = 1,
                        .dimensions = 2,
                        .width = 1,
                        .height = 1,
                        .depth = 1,
                        .mip_levels = 1,
                        .samples = 1,
                        .initialised = true,
                        .line = parser->token.line};
  return amber_expect_word(parser, "KERNEL") && amber_parse_kernel_slot(parser, &binding) &&
         amber_expect_word(parser, "AS") && value_buffer(parser, &buffer) &&
         amber_build_descriptor(parser, &binding, parser->script->buffer_count, AMBER_NONE) &&
         amber_build_buffer(parser, &buffer, true) && amber_build_binding(parser, &binding);
}
