/* SPDX-License-Identifier: Apache-2.0 */
/* given_options: see given_options.h. */
#include "spv-emu/cases/given_options.h"

#include "passes/tool/tool_usage.h"
#include "spv-emu/cases/guess.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 512 };

static const char *const names[] = {
#define EMU_GIVEN(key, name) name,
#include "spv-emu/cases/given_options.def"
#undef EMU_GIVEN
};

const char *emu_given_name(EmuGivenOption option) {
  return names[option];
}

const char emu_given_help[] =
    "  --entry=NAME         entry point; default: the only one, or main\n"
    "  --buffers=auto[:SEED]\n"
    "                       make up what the options below do not give, and print\n"
    "                       options that give the same: the default.\n"
    "                       --buffers=given: refuse what is not given\n"
    "  --seed=N             of the random numbers for that (1); of spv-emu also\n"
    "                       FIRST..LAST or a list: a run for each\n"
    "  --dispatch=X,Y,Z     workgroups (1,1,1; with made-up buffers as many as have\n"
    "                       256 invocations)\n"
    "  --local-size=X,Y,Z   only for kernels that do not set it (32,1,1)\n"
    "  --buffer=SET:BINDING:TYPE[N]=INIT, or a name (OpName) for SET:BINDING\n"
    "                       TYPE: u8 to u64, i8 to i64, f16, f32, f64. INIT: 7 for\n"
    "                       every element; 1,2,3 then zeros; 5.. counts up;\n"
    "                       random:SEED[:BELOW]; @FILE raw bytes. TYPE may be a\n"
    "                       record, u32,f32x3; several parts: u32[1]=9+f32[8]=0;\n"
    "                       an image: R8G8B8A8_UNORM[64x64]=random:1\n"
    "  --sampler=SET:BINDING=WORD[,WORD]\n"
    "                       linear, nearest, repeat, mirror, clamp, border, compare\n"
    "  --push-constant=TYPE[N]=INIT   the same; several are concatenated\n"
    "  --spec=ID=VALUE      specialization constant by SpecId, OpName or result id;\n"
    "                       VALUE may be TYPE:NUMBER, for its bits\n"
    "  --image=FILE.png     write what a draw left in its first colour attachment, or\n"
    "                       a dispatch in its only storage image; of a draw also the\n"
    "                       others: FILE-1.png, ...; depth: FILE-depth.png.\n"
    "                       --image=SET:BINDING=FILE.png: the same of an image, with\n"
    "                       SET:BINDING:FORMAT:WxH of a buffer seen as a picture.\n"
    "                       --image=SET:BINDING=@FILE.png: contents of an image,\n"
    "                       with SET:BINDING:FORMAT of a buffer of pixels\n";

/* ---- options --------------------------------------------------------------------------------- */

/* The array with room for one more, which is a power of two. NULL: out of memory, and one line is on
 * standard error. */
static void *grown(void *array, uint32_t count, size_t size) {
  if (count & (count - 1))
    return array;
  void *more = realloc(array, (count ? 2u * count : 1u) * size);
  if (!more)
    tool_wrong("out of memory");
  return more;
}

static bool read_buffer(EmuGiven *given, const char *option, const char *text) {
  char message[MESSAGE];
  EmuBareBuffer *more = grown(given->buffers, given->buffer_count, sizeof *more);
  if (!more)
    return false;
  given->buffers = more;
  return emu_buffer_parse(text, &more[given->buffer_count++], message, sizeof message) ||
         tool_wrong("%s=%s: %s", option, text, message);
}

static bool read_push_constant(EmuGiven *given, const char *text) {
  char message[MESSAGE];
  EmuValues *more = grown(given->push_constants, given->push_constant_count, sizeof *more);
  if (!more)
    return false;
  given->push_constants = more;
  return emu_values_parse(text, &more[given->push_constant_count++], message, sizeof message) ||
         tool_wrong("--push-constant=%s: %s", text, message);
}

static bool read_spec(EmuGiven *given, const char *text) {
  char message[MESSAGE];
  spv_emu_spec *more = grown(given->specs, given->spec_count, sizeof *more);
  if (!more)
    return false;
  given->specs = more;
  return emu_spec_parse(text, &more[given->spec_count++], message, sizeof message) ||
         tool_wrong("--spec=%s: %s", text, message);
}

static bool read_sampler(EmuGiven *given, const char *text) {
  char message[MESSAGE];
  spv_emu_sampler *more = grown(given->samplers, given->sampler_count, sizeof *more);
  if (!more)
    return false;
  given->samplers = more;
  return emu_sampler_parse(text, &more[given->sampler_count++], message, sizeof message) ||
         tool_wrong("--sampler=%s: %s", text, message);
}

static bool read_image_file(EmuGiven *given, const char *text) {
  char message[MESSAGE];
  EmuImageFile *more = grown(given->images, given->image_count, sizeof *more);
  if (!more)
    return false;
  given->images = more;
  return emu_image_file_parse(text, &more[given->image_count++], message, sizeof message) ||
         tool_wrong("--image=%s: %s", text, message);
}

static bool read_seed(EmuGiven *given, const char *option, const char *text) {
  given->seeded = true;
  return tool_number(text, 0, UINT64_MAX, &given->seed) ||
         tool_wrong("%s expects a number as seed, not '%s'", option, text);
}

static bool read_buffers(EmuGiven *given, const char *text) {
  given->chosen = true;
  given->guess = strncmp(text, "auto", 4) == 0;
  if (given->guess && text[4] == ':')
    return read_seed(given, "--buffers=auto", text + 5);
  return strcmp(text, "auto") == 0 || strcmp(text, "given") == 0 ||
         tool_wrong("--buffers expects auto, auto:SEED or given, not '%s'", text);
}

static bool note(EmuGiven *given, EmuGivenOption option, const char *value) {
  char *text;
  char **more = grown(given->typed, given->typed_count, sizeof *more);
  if (!more)
    return false;
  given->typed = more;
  if (asprintf(&text, "--%s=%s", names[option], value) < 0)
    return tool_wrong("out of memory");
  more[given->typed_count++] = text;
  return true;
}

static bool read_one(EmuGiven *given, EmuGivenOption option, const char *value) {
  switch (option) {
  case EMU_GIVEN_ENTRY:
    given->entry = value;
    return true;
  case EMU_GIVEN_DISPATCH:
    return tool_sizes("--dispatch", value, given->groups);
  case EMU_GIVEN_LOCAL_SIZE:
    return tool_sizes("--local-size", value, given->local_size);
  case EMU_GIVEN_BUFFER:
    return read_buffer(given, "--buffer", value);
  case EMU_GIVEN_PUSH_CONSTANT:
    return read_push_constant(given, value);
  case EMU_GIVEN_SPEC:
    return read_spec(given, value);
  case EMU_GIVEN_SAMPLER:
    return read_sampler(given, value);
  case EMU_GIVEN_BUFFERS:
    return read_buffers(given, value);
  case EMU_GIVEN_IMAGE:
    return emu_image_file_is_contents(value) ? read_buffer(given, "--image", value)
                                             : read_image_file(given, value);
  case EMU_GIVEN_SEED:
    return read_seed(given, "--seed", value);
  default:
    return tool_framebuffer(value, given->framebuffer);
  }
}

bool emu_given_read(EmuGiven *given, EmuGivenOption option, const char *value) {
  return note(given, option, value) && read_one(given, option, value);
}

void emu_given_free(EmuGiven *given) {
  for (uint32_t i = 0; i < given->buffer_count; i++)
    emu_values_free(&given->buffers[i].values);
  for (uint32_t i = 0; i < given->push_constant_count; i++)
    emu_values_free(&given->push_constants[i]);
  for (uint32_t i = 0; i < given->spec_count; i++)
    emu_spec_free(&given->specs[i]);
  for (uint32_t i = 0; i < given->typed_count; i++)
    free(given->typed[i]);
  free(given->buffers);
  free(given->push_constants);
  free(given->specs);
  free(given->samplers);
  free(given->images);
  free(given->typed);
  *given = (EmuGiven){0};
}

/* ---- for a program --------------------------------------------------------------------------- */

/* Refuses two buffers for one descriptor. Names have been replaced by places before. */
static bool check_twice(const EmuGiven *given, uint32_t index, char *message, size_t size) {
  const EmuBareBuffer *one = &given->buffers[index];
  for (const EmuBareBuffer *b = given->buffers; b != one; b++)
    if (b->place.set == one->place.set && b->place.binding == one->place.binding &&
        b->element == one->element) {
      snprintf(message, size, "--buffer gives set %u, binding %u, element %u twice", b->place.set,
               b->place.binding, b->element);
      return false;
    }
  return true;
}

/* The binding at a place, of either program; NULL: there is none. */
static const spv_emu_binding *binding_at(const spv_emu_program *program,
                                         const spv_emu_program *second,
                                         const EmuDescriptorPlace *place) {
  uint32_t count;
  const spv_emu_binding *b = spv_emu_bindings(program, &count);
  for (uint32_t i = 0; i < count; i++)
    if (b[i].set == place->set && b[i].binding == place->binding)
      return &b[i];
  return second ? binding_at(second, NULL, place) : NULL;
}

/* False, with a list of what the program has instead. */
static bool refuse_place(const EmuDescriptorPlace *place, const spv_emu_program *program,
                         char *message, size_t size) {
  uint32_t count;
  const spv_emu_binding *bindings = spv_emu_bindings(program, &count);
  snprintf(message, size, "the module has no image or buffer at set %u, binding %u; it has %s",
           place->set, place->binding, emu_bare_list_all(bindings, count).text);
  return false;
}

/* What an image is that a picture, of width and height, cannot fill; NULL: it can. */
static const char *not_flat(const spv_emu_shape *shape) {
  switch (shape->dimension) {
  case SpvDim1D:
    return "a 1D image";
  case SpvDim3D:
    return "a 3D image";
  case SpvDimCube:
    return "a cube image";
  case SpvDimBuffer:
    return "a texel buffer";
  default:
    return NULL;
  }
}

/* A picture without a format gets the format of the image. In a buffer, a picture consists of
 * texels of its own format. */
static bool place_picture(EmuBareBuffer *b, const spv_emu_program *program,
                          const spv_emu_binding *d, char *message, size_t size) {
  if (!b->values.picture || b->values.bytes)
    return true;
  if (!d)
    return refuse_place(&b->place, program, message, size);
  bool image = d->image && d->shape->image;
  if (image && not_flat(d->shape)) {
    snprintf(message, size,
             "set %u, binding %u is %s, which a picture cannot fill: give numbers or bytes with "
             "--buffer",
             d->set, d->binding, not_flat(d->shape));
    return false;
  }
  if (!image && !b->values.format) {
    snprintf(message, size,
             "set %u, binding %u is not an image: say how a buffer holds the pixels, as in "
             "--image=%u:%u:R8G8B8A8_UNORM=@%s",
             d->set, d->binding, d->set, d->binding, b->values.file);
    return false;
  }
  if (!b->values.format)
    emu_values_choose(&b->values, emu_guess_format(d->shape));
  b->values.plain = !image;
  return true;
}

static bool find_place(EmuDescriptorPlace *place, const spv_emu_program *program,
                       const spv_emu_program *second, char *message, size_t message_size) {
  char of_second[MESSAGE];
  return emu_bare_find(program, place, message, message_size) ||
         (second && emu_bare_find(second, place, of_second, sizeof of_second));
}

static bool check_image(const EmuImageFile *image, const spv_emu_program *program,
                        const spv_emu_program *second, char *message, size_t size) {
  const spv_emu_binding *d = binding_at(program, second, &image->place);
  if (image->placed && d && !d->image && !image->format)
    return emu_image_file_refuse(image, message, size);
  return !image->placed || d || refuse_place(&image->place, program, message, size);
}

bool emu_given_find(EmuGiven *given, const spv_emu_program *program, const spv_emu_program *second,
                    char *message, size_t message_size) {
  for (uint32_t i = 0; i < given->buffer_count; i++) {
    EmuBareBuffer *b = &given->buffers[i];
    if (!find_place(&b->place, program, second, message, message_size) ||
        !check_twice(given, i, message, message_size) ||
        !place_picture(b, program, binding_at(program, second, &b->place), message, message_size))
      return false;
  }
  for (uint32_t i = 0; i < given->image_count; i++)
    if (!find_place(&given->images[i].place, program, second, message, message_size) ||
        !check_image(&given->images[i], program, second, message, message_size))
      return false;
  return true;
}

bool emu_given_read_files(EmuGiven *given, char *message, size_t message_size) {
  for (uint32_t i = 0; i < given->buffer_count; i++)
    if (!emu_values_read(&given->buffers[i].values, message, message_size))
      return false;
  for (uint32_t i = 0; i < given->push_constant_count; i++)
    if (!emu_values_read(&given->push_constants[i], message, message_size))
      return false;
  return true;
}

const EmuImageFile *emu_given_plain_image(const EmuGiven *given) {
  const EmuImageFile *plain = NULL;
  for (uint32_t i = 0; i < given->image_count; i++)
    if (!given->images[i].placed)
      plain = &given->images[i];
  return plain;
}

EmuBareOptions emu_given_options(const EmuGiven *given) {
  EmuBareOptions options = {.groups = {1, 1, 1},
                            .buffers = given->buffers,
                            .buffer_count = given->buffer_count,
                            .samplers = given->samplers,
                            .sampler_count = given->sampler_count,
                            .push_constants = given->push_constants,
                            .push_constant_count = given->push_constant_count};
  if (given->groups[0])
    memcpy(options.groups, given->groups, sizeof options.groups);
  return options;
}
