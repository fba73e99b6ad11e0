/* SPDX-License-Identifier: Apache-2.0 */
/* guess: see guess.h. */
#include "spv-emu/cases/guess.h"

#include "spv-emu/cases/random.h"

#define SPV_ENABLE_UTILITY_CODE
#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LEAST_INVOCATIONS = 256,
  LEAST_ELEMENTS = 64,
  LEAST_SIDE = 16, /* of an image */
  DESCRIPTORS = 4, /* length of an array of descriptors that declares none */
  MOST_DESCRIPTORS = 1 << 16,
  LISTED = 64,            /* numbers of a record that are written one by one */
  LISTED_OF_DRAWS = 512,  /* the same limit in draws, with room for matrices */
  SMALL = 64,             /* random integers are below this */
  MOST_BYTES = 256 << 20, /* most bytes of a buffer */
};

typedef struct Guesser {
  const spv_emu_program *program;
  const EmuBareOptions *given;
  uint64_t sizes[3]; /* invocations in each dimension */
  uint64_t total;
  uint32_t room;   /* elements of run-time arrays for each invocation */
  uint64_t seed;   /* seed of the next array */
  uint64_t random; /* state of the generator of single numbers */
  EmuGuess *guess;
  char *message;
  size_t message_size;
} Guesser;

/* ---- the dispatch ---------------------------------------------------------------------------- */

/* The length of the shortest array of fixed length that the program writes and that has an element
 * for each of `count` invocations: it is likely to have one for each of the dispatch. UINT64_MAX:
 * there is none. */
static uint64_t written_elements(const spv_emu_program *program, uint64_t count) {
  uint64_t least = UINT64_MAX;
  uint32_t binding_count;
  const spv_emu_binding *bindings = spv_emu_bindings(program, &binding_count);
  for (uint32_t i = 0; i < binding_count; i++)
    for (uint32_t r = 0; bindings[i].written && r < bindings[i].shape->record_count; r++) {
      uint64_t elements = bindings[i].shape->records[r].count;
      if (elements > 1 && elements >= count && elements < least)
        least = elements;
    }
  return least;
}

void emu_guess_dispatch(const spv_emu_program *program, uint32_t groups[3]) {
  const uint32_t *local = spv_emu_local_size(program);
  uint64_t count = (uint64_t)local[0] * local[1] * local[2];
  uint64_t most = written_elements(program, count);
  groups[0] = groups[1] = groups[2] = 1;
  for (int next = 0; count < LEAST_INVOCATIONS && count <= most / 2; count *= 2) {
    groups[next] *= 2;
    do
      next = (next + 1) % 3;
    while (next && local[next] == 1);
  }
}

/* ---- numbers --------------------------------------------------------------------------------- */

bool emu_is_size(const char *name) {
  static const char *const words[] = {"width", "height", "stride", "size", "rows", "cols"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(name, words[i]))
      return true;
  return strlen(name) == 1 && strchr("whnWHN", *name);
}

static bool is_count(const char *name) {
  static const char *const words[] = {"count",  "length", "num",  "elements",
                                      "extent", "dim",    "total"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasestr(name, words[i]))
      return true;
  return emu_is_size(name);
}

static uint64_t size_number(const Guesser *g, const spv_emu_field *field, uint32_t component) {
  const char *name = field->name;
  if (field->count > 1)
    return component < 3 ? g->sizes[component] : 1;
  if (strcasestr(name, "height") || strcasestr(name, "rows") || strcasecmp(name, "h") == 0)
    return g->sizes[1];
  if (strcasestr(name, "width") || strcasestr(name, "cols") || strcasestr(name, "stride") ||
      strcasecmp(name, "w") == 0)
    return g->sizes[0];
  return g->total;
}

/* Is it the size of the framebuffer, which fragment shaders have as floats? */
static bool is_resolution(const spv_emu_field *field) {
  static const char *const words[] = {"resolution", "viewport", "screen", "size", "extent"};
  bool named = false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    named = named || strcasestr(field->name, words[i]);
  return named && field->count >= 2 && field->count <= 4;
}

/* Writes a number that draws treat differently: matrices are the identity, so that vertices stay in
 * view, and resolutions are the framebuffer's. False: it is like any other number. */
static bool write_drawn(const Guesser *g, FILE *out, const spv_emu_field *field,
                        uint32_t component) {
  enum { SIDE = 4 };
  if (!g->given->draw || field->kind != SPV_EMU_FLOAT)
    return false;
  if (field->count == SIDE * SIDE)
    fprintf(out, "%d", component % (SIDE + 1) == 0);
  else if (is_resolution(field))
    fprintf(out, "%llu", (unsigned long long)size_number(g, field, component));
  else
    return false;
  return true;
}

/* Floats have three digits, so that they are easy to read and to change. */
static void write_number(Guesser *g, FILE *out, const spv_emu_field *field, uint32_t component) {
  uint64_t random = emu_random(&g->random);
  if (write_drawn(g, out, field, component))
    return;
  if (field->kind == SPV_EMU_FLOAT)
    fprintf(out, "%g", (double)(random % 1000) / 1000);
  else if (field->bits >= 16 && is_count(field->name))
    fprintf(out, "%llu", (unsigned long long)size_number(g, field, component));
  else
    fprintf(out, "%u", (unsigned)(random % SMALL));
}

/* ---- records --------------------------------------------------------------------------------- */

static void write_scalar(FILE *out, const spv_emu_field *field) {
  static const char kinds[] = {[SPV_EMU_UINT] = 'u', [SPV_EMU_SINT] = 'i', [SPV_EMU_FLOAT] = 'f'};
  fprintf(out, "%c%u", kinds[field->kind], field->bits);
}

static void write_times(FILE *out, uint64_t count) {
  if (count > 1)
    fprintf(out, "x%llu", (unsigned long long)count);
}

/* Writes fields, with unused bytes between them. If `size` is 0, there are none after the last
 * field. Returns the number of numbers, unused ones included. A field that shares memory with an
 * earlier one is left out. */
static uint64_t write_fields(FILE *out, const spv_emu_record *r, uint64_t size) {
  uint64_t at = 0, numbers = 0;
  for (uint32_t i = 0; i <= r->field_count; i++) {
    uint64_t offset = i < r->field_count ? r->fields[i].offset : size;
    if (offset > at) {
      fputs(numbers ? ",u8" : "u8", out);
      write_times(out, offset - at);
      numbers += offset - at;
      at = offset;
    }
    if (i == r->field_count || offset < at)
      continue;
    if (numbers)
      fputc(',', out);
    write_scalar(out, &r->fields[i]);
    write_times(out, r->fields[i].count);
    numbers += r->fields[i].count;
    at += (uint64_t)r->fields[i].count * r->fields[i].bits / 8;
  }
  return numbers;
}

/* The numbers of a record, in the order of write_fields. */
static void write_numbers(Guesser *g, FILE *out, const spv_emu_record *r, uint64_t size) {
  uint64_t at = 0;
  const char *comma = "";
  for (uint32_t i = 0; i <= r->field_count; i++) {
    uint64_t offset = i < r->field_count ? r->fields[i].offset : size;
    for (; at < offset; at++, comma = ",")
      fprintf(out, "%s0", comma);
    if (i == r->field_count || offset < at)
      continue;
    for (uint32_t k = 0; k < r->fields[i].count; k++, comma = ",") {
      fputs(comma, out);
      write_number(g, out, &r->fields[i], k);
    }
    at += (uint64_t)r->fields[i].count * r->fields[i].bits / 8;
  }
}

/* Is the record nothing but numbers of one type, up to `size`? */
static bool is_plain(const spv_emu_record *r, uint64_t size) {
  uint64_t at = 0;
  for (uint32_t i = 0; i < r->field_count; i++) {
    if (r->fields[i].offset != at || r->fields[i].kind != r->fields[0].kind ||
        r->fields[i].bits != r->fields[0].bits)
      return false;
    at += (uint64_t)r->fields[i].count * r->fields[i].bits / 8;
  }
  return r->field_count && at == size;
}

/* Writes the members between two arrays; `size`: bytes from the first member to the next array. */
static void write_single(Guesser *g, FILE *out, const spv_emu_record *r, uint64_t size) {
  uint64_t numbers = 0;
  if (is_plain(r, size)) {
    numbers = size * 8 / r->fields[0].bits;
    write_scalar(out, &r->fields[0]);
    fprintf(out, "[%llu]=", (unsigned long long)numbers);
  } else {
    numbers = write_fields(out, r, size);
    fputs("[1]=", out);
  }
  if (numbers <= (g->given->draw ? LISTED_OF_DRAWS : LISTED))
    write_numbers(g, out, r, size);
  else
    fprintf(out, "random:%llu", (unsigned long long)g->seed++);
}

static uint64_t elements_of(const Guesser *g, const spv_emu_record *r) {
  uint64_t count = g->room * (g->total > LEAST_ELEMENTS ? g->total : LEAST_ELEMENTS);
  uint64_t most = r->stride ? MOST_BYTES / r->stride : count;
  if (r->count)
    return r->count;
  return count < most ? count : most ? most : 1;
}

static void write_array(Guesser *g, FILE *out, const spv_emu_record *r) {
  if (!r->field_count)
    fprintf(out, "u8x%llu", (unsigned long long)r->stride);
  else
    write_fields(out, r, r->stride);
  fprintf(out, "[%llu]=random:%llu", (unsigned long long)elements_of(g, r),
          (unsigned long long)g->seed++);
}

static void write_gap(FILE *out, uint64_t from, uint64_t to) {
  if (to > from)
    fprintf(out, "u8[%llu]=0+", (unsigned long long)(to - from));
}

/* Writes a block, without records that share memory with an earlier one. Returns the size in
 * bytes. */
static uint64_t write_block(Guesser *g, FILE *out, const spv_emu_shape *shape) {
  uint64_t at = 0;
  for (uint32_t i = 0; i < shape->record_count; i++) {
    const spv_emu_record *r = &shape->records[i];
    uint64_t size = r->stride;
    if (i && r->offset < at)
      continue;
    if (i)
      fputc('+', out);
    write_gap(out, at, r->offset);
    if (r->count == 1 && i + 1 < shape->record_count && shape->records[i + 1].offset > r->offset)
      size = shape->records[i + 1].offset - r->offset;
    if (r->count == 1 && r->field_count)
      write_single(g, out, r, size);
    else
      write_array(g, out, r);
    at = r->offset + (r->count == 1 ? size : r->stride * elements_of(g, r));
  }
  return at;
}

/* ---- images ---------------------------------------------------------------------------------- */

/* The names of formats in AmberScript, by SpvImageFormat. */
static const char *const formats[] = {
    [SpvImageFormatRgba32f] = "R32G32B32A32_SFLOAT",
    [SpvImageFormatRgba16f] = "R16G16B16A16_SFLOAT",
    [SpvImageFormatR32f] = "R32_SFLOAT",
    [SpvImageFormatRgba8] = "R8G8B8A8_UNORM",
    [SpvImageFormatRgba8Snorm] = "R8G8B8A8_SNORM",
    [SpvImageFormatRg32f] = "R32G32_SFLOAT",
    [SpvImageFormatRg16f] = "R16G16_SFLOAT",
    [SpvImageFormatR11fG11fB10f] = "B10G11R11_UFLOAT_PACK32",
    [SpvImageFormatR16f] = "R16_SFLOAT",
    [SpvImageFormatRgba16] = "R16G16B16A16_UNORM",
    [SpvImageFormatRgb10A2] = "A2B10G10R10_UNORM_PACK32",
    [SpvImageFormatRg16] = "R16G16_UNORM",
    [SpvImageFormatRg8] = "R8G8_UNORM",
    [SpvImageFormatR16] = "R16_UNORM",
    [SpvImageFormatR8] = "R8_UNORM",
    [SpvImageFormatRgba16Snorm] = "R16G16B16A16_SNORM",
    [SpvImageFormatRg16Snorm] = "R16G16_SNORM",
    [SpvImageFormatRg8Snorm] = "R8G8_SNORM",
    [SpvImageFormatR16Snorm] = "R16_SNORM",
    [SpvImageFormatR8Snorm] = "R8_SNORM",
    [SpvImageFormatRgba32i] = "R32G32B32A32_SINT",
    [SpvImageFormatRgba16i] = "R16G16B16A16_SINT",
    [SpvImageFormatRgba8i] = "R8G8B8A8_SINT",
    [SpvImageFormatR32i] = "R32_SINT",
    [SpvImageFormatRg32i] = "R32G32_SINT",
    [SpvImageFormatRg16i] = "R16G16_SINT",
    [SpvImageFormatRg8i] = "R8G8_SINT",
    [SpvImageFormatR16i] = "R16_SINT",
    [SpvImageFormatR8i] = "R8_SINT",
    [SpvImageFormatRgba32ui] = "R32G32B32A32_UINT",
    [SpvImageFormatRgba16ui] = "R16G16B16A16_UINT",
    [SpvImageFormatRgba8ui] = "R8G8B8A8_UINT",
    [SpvImageFormatR32ui] = "R32_UINT",
    [SpvImageFormatRgb10a2ui] = "A2B10G10R10_UINT_PACK32",
    [SpvImageFormatRg32ui] = "R32G32_UINT",
    [SpvImageFormatRg16ui] = "R16G16_UINT",
    [SpvImageFormatRg8ui] = "R8G8_UINT",
    [SpvImageFormatR16ui] = "R16_UINT",
    [SpvImageFormatR8ui] = "R8_UINT",
    [SpvImageFormatR64ui] = "R64_UINT",
    [SpvImageFormatR64i] = "R64_SINT",
};

/* The format of an image. If the module declares none, it has four components, as in `plain`, or
 * one for a depth image. */
static const char *format_of(const spv_emu_shape *shape, const char *const *plain) {
  if (shape->format < sizeof formats / sizeof *formats && formats[shape->format])
    return formats[shape->format];
  return shape->depth ? "R32_SFLOAT" : plain[shape->texel];
}

const EmuFormat *emu_guess_format(const spv_emu_shape *shape) {
  static const char *const bytes[] = {[SPV_EMU_UINT] = "R8G8B8A8_UINT",
                                      [SPV_EMU_SINT] = "R8G8B8A8_SINT",
                                      [SPV_EMU_FLOAT] = "R8G8B8A8_UNORM"};
  return emu_format_find(format_of(shape, bytes));
}

static uint64_t side(uint64_t size) {
  enum { MOST_SIDE = 4096 };
  return size < LEAST_SIDE ? LEAST_SIDE : size < MOST_SIDE ? size : MOST_SIDE;
}

static void write_image(Guesser *g, FILE *out, const spv_emu_shape *shape) {
  static const char *const words[] = {[SPV_EMU_UINT] = "R32G32B32A32_UINT",
                                      [SPV_EMU_SINT] = "R32G32B32A32_SINT",
                                      [SPV_EMU_FLOAT] = "R32G32B32A32_SFLOAT"};
  unsigned long long w = side(g->sizes[0]), h = side(g->sizes[1]), d = side(g->sizes[2]);
  enum { MOST_TEXELS = 65536, FACES = 6 };
  fprintf(out, "%s[", format_of(shape, words));
  if (shape->dimension == SpvDimBuffer)
    fprintf(out, "%llu",
            (unsigned long long)(g->total < LEAST_ELEMENTS ? LEAST_ELEMENTS
                                 : g->total < MOST_TEXELS  ? g->total
                                                           : MOST_TEXELS));
  else if (shape->dimension == SpvDim1D)
    fprintf(out, "%llu%s", w, shape->arrayed ? "x4" : "");
  else if (shape->dimension == SpvDim3D)
    fprintf(out, "%llux%llux%llu", w, h, d);
  else if (shape->dimension == SpvDimCube)
    fprintf(out, "%llux%llux%d", w > h ? w : h, w > h ? w : h, (int)FACES);
  else
    fprintf(out, "%llux%llu%s", w, h, shape->arrayed ? "x4" : "");
  fprintf(out, "]=random:%llu", (unsigned long long)g->seed++);
}

/* ---- one descriptor -------------------------------------------------------------------------- */

static bool refuse(Guesser *g, const char *why, const spv_emu_binding *b) {
  snprintf(g->message, g->message_size, "set %u, binding %u: %s", b->set, b->binding, why);
  return false;
}

static bool add(Guesser *g, EmuGuessKind kind, char *text, const spv_emu_shape *shape) {
  EmuGuessed *more = realloc(g->guess->items, (g->guess->count + 1u) * sizeof *more);
  if (more)
    g->guess->items = more;
  if (!more || !text) {
    snprintf(g->message, g->message_size, "out of memory");
    free(text);
    return false;
  }
  more[g->guess->count++] =
      (EmuGuessed){.kind = kind, .text = text, .shape = shape, .name = shape->name};
  return true;
}

static void write_place(FILE *out, const spv_emu_binding *b, uint32_t element) {
  fprintf(out, "%u:%u", b->set, b->binding);
  if (b->count != 1)
    fprintf(out, ":%u", element);
}

static bool make_buffer(Guesser *g, const spv_emu_binding *b, uint32_t element) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out) {
    write_place(out, b, element);
    fputc(':', out);
    if (b->shape->image)
      write_image(g, out, b->shape);
    else
      write_block(g, out, b->shape);
    if (fclose(out) != 0)
      text = NULL;
  }
  return add(g, EMU_GUESS_BUFFER, text, b->shape);
}

static bool make_sampler(Guesser *g, const spv_emu_binding *b, uint32_t element) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out) {
    write_place(out, b, element);
    fprintf(out, "=linear,repeat%s", b->shape->depth ? ",compare" : "");
    if (fclose(out) != 0)
      text = NULL;
  }
  return add(g, EMU_GUESS_SAMPLER, text, b->shape);
}

/* What is made up for a variable. Variables of one binding share memory. */
typedef struct Part {
  bool memory, sampler;
} Part;

static bool make(Guesser *g, const spv_emu_binding *b, Part part) {
  uint32_t count = b->count ? b->count : DESCRIPTORS;
  const spv_emu_shape *shape = b->shape;
  if (shape->multisampled)
    return refuse(
        g, "an image of several samples cannot be made up: write a case, and run it on a driver",
        b);
  if (count > MOST_DESCRIPTORS)
    return refuse(
        g, "an array of more than 65,536 descriptors cannot be made up; shorten it in the shader",
        b);
  if (!shape->image && !shape->sampler && !shape->record_count)
    return refuse(g, "its type has no values, or too many to make up: write --buffer", b);
  for (uint32_t i = 0; i < count; i++) {
    if (part.memory && !emu_bare_has_buffer(g->given, b->set, b->binding, i) &&
        !make_buffer(g, b, i))
      return false;
    if (part.sampler && !emu_bare_has_sampler(g->given, b->set, b->binding, i) &&
        !make_sampler(g, b, i))
      return false;
  }
  return true;
}

/* ---- variables of one binding ---------------------------------------------------------------- */

static bool has_memory(const spv_emu_binding *b) {
  return b->shape->image || !b->shape->sampler;
}

/* The number of bytes to make up for a descriptor; 0 for an image. `g` is a copy, so no seed is
 * used up. */
static uint64_t block_bytes(Guesser g, const spv_emu_binding *b) {
  char *text = NULL;
  size_t size;
  uint64_t bytes = 0;
  FILE *out = b->shape->image || !b->shape->record_count ? NULL : open_memstream(&text, &size);
  if (out) {
    bytes = write_block(&g, out, b->shape);
    fclose(out);
  }
  free(text);
  return bytes;
}

static int by_place(const void *a, const void *b) {
  const spv_emu_binding *x = *(const spv_emu_binding *const *)a;
  const spv_emu_binding *y = *(const spv_emu_binding *const *)b;
  if (x->set != y->set)
    return x->set < y->set ? -1 : 1;
  if (x->binding != y->binding)
    return x->binding < y->binding ? -1 : 1;
  return x < y ? -1 : 1;
}

/* The binding gets the memory of the largest variable, and the sampler of the first. */
static void share(const Guesser *g, const spv_emu_binding *const *same, uint32_t count,
                  const spv_emu_binding *all, Part *parts) {
  const spv_emu_binding *memory = NULL, *sampler = NULL;
  uint64_t most = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t bytes = count > 1 && has_memory(same[i]) ? block_bytes(*g, same[i]) : 0;
    if (has_memory(same[i]) && (!memory || bytes > most)) {
      memory = same[i];
      most = bytes;
    }
    if (same[i]->shape->sampler && !sampler)
      sampler = same[i];
  }
  if (memory)
    parts[memory - all].memory = true;
  if (sampler)
    parts[sampler - all].sampler = true;
}

static bool make_all(Guesser *g, const spv_emu_binding *all, uint32_t count) {
  const spv_emu_binding **sorted = calloc(count + 1u, sizeof *sorted);
  Part *parts = calloc(count + 1u, sizeof *parts);
  bool made = sorted && parts;
  if (!made)
    snprintf(g->message, g->message_size, "out of memory");
  for (uint32_t i = 0; made && i < count; i++)
    sorted[i] = &all[i];
  if (made)
    qsort(sorted, count, sizeof *sorted, by_place);
  for (uint32_t i = 0, end; made && i < count; i = end) {
    for (end = i + 1; end < count && sorted[end]->set == sorted[i]->set &&
                      sorted[end]->binding == sorted[i]->binding;)
      end++;
    share(g, &sorted[i], end - i, all, parts);
  }
  for (uint32_t i = 0; made && i < count; i++)
    made = make(g, &all[i], parts[i]);
  free(parts);
  free(sorted);
  return made;
}

/* ---- push constants -------------------------------------------------------------------------- */

static bool make_pushed(Guesser *g) {
  const spv_emu_shape *shape = spv_emu_push_constant_shape(g->program);
  char *text = NULL;
  size_t size;
  if (!shape || g->given->push_constant_count)
    return true;
  FILE *out = open_memstream(&text, &size);
  if (out) {
    uint64_t written = write_block(g, out, shape);
    uint32_t wanted = spv_emu_push_constant_bytes(g->program);
    if (written < wanted)
      fprintf(out, "+u8[%u]=0", (unsigned)(wanted - written));
    if (fclose(out) != 0)
      text = NULL;
  }
  return add(g, EMU_GUESS_PUSH, text, shape);
}

bool emu_guess_fewer(uint32_t groups[3]) {
  int largest = 0;
  for (int i = 1; i < 3; i++)
    if (groups[i] > groups[largest])
      largest = i;
  groups[largest] /= 2;
  return groups[largest] != 0;
}

/* ---- everything that a program declares ------------------------------------------------------ */

bool emu_guess(const spv_emu_program *program, const EmuBareOptions *given, uint64_t seed,
               uint32_t room, EmuGuess *guess, char *message, size_t message_size) {
  const uint32_t *local = spv_emu_local_size(program);
  Guesser g = {.program = program,
               .given = given,
               .total = 1,
               .room = room,
               .seed = seed,
               .random = seed,
               .guess = guess,
               .message = message,
               .message_size = message_size};
  uint32_t count;
  const spv_emu_binding *bindings = spv_emu_bindings(program, &count);
  *guess = (EmuGuess){0};
  for (int i = 0; i < 3; i++) {
    g.sizes[i] = (uint64_t)(given->draw ? 1 : local[i]) * given->groups[i];
    g.total *= g.sizes[i];
  }
  return make_all(&g, bindings, count) && make_pushed(&g);
}

void emu_guess_free(EmuGuess *guess) {
  for (uint32_t i = 0; i < guess->count; i++)
    free(guess->items[i].text);
  free(guess->items);
  *guess = (EmuGuess){0};
}

const char *emu_guess_option(EmuGuessKind kind) {
  static const char *const names[] = {"--buffer", "--sampler", "--push-constant"};
  return names[kind];
}
