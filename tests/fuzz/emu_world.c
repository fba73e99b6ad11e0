/* SPDX-License-Identifier: Apache-2.0 */
/* emu_world: see emu_world.h. */
#include "tests/fuzz/emu_world.h"

#include "tests/equiv/gen/emit.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PUSH = 128, ARRAY = 3 }; /* elements of an array of descriptors that may be bound */

static void *random_bytes(Rng *rng, uint64_t size) {
  uint8_t *bytes = emit_resize(NULL, size ? size : 1);
  for (uint64_t i = 0; i < size; i++)
    bytes[i] = (uint8_t)(rng_percent(rng, 50) ? rng_next(rng) : 0);
  return bytes;
}

static void add_buffer(EmuWorld *w, Rng *rng, const spv_emu_binding *b, uint32_t element) {
  if (w->buffer_count == WORLD_MAX_BOUND)
    return;
  uint64_t size = rng_below(rng, rng_percent(rng, 50) ? 1024 : 20);
  w->buffers[w->buffer_count++] =
      (spv_emu_buffer){b->set, b->binding, element, random_bytes(rng, size), size};
}

static void add_image(EmuWorld *w, Rng *rng, const spv_emu_binding *b, uint32_t element) {
  static const uint32_t formats[][2] = {{37, 4}, {98, 4}, {100, 4}, {109, 16}, {107, 16}};
  const uint32_t *format = formats[rng_below(rng, sizeof formats / sizeof *formats)];
  if (w->image_count == WORLD_MAX_BOUND)
    return;
  spv_emu_image i = {.set = b->set, .binding = b->binding, .element = element};
  i.format = format[0];
  i.width = 1 + rng_below(rng, 5);
  i.height = 1 + rng_below(rng, 5);
  i.depth = 1 + rng_below(rng, 2);
  i.layers = rng_percent(rng, 50) ? 1 : 6;
  i.levels = i.samples = 1;
  i.size = (uint64_t)format[1] * i.width * i.height * i.depth * i.layers;
  i.bytes = random_bytes(rng, i.size);
  spv_emu_sampler s = {.set = b->set, .binding = b->binding, .element = element};
  s.mag_filter = s.min_filter = rng_below(rng, 2);
  s.address_mode[0] = s.address_mode[1] = s.address_mode[2] = rng_below(rng, 5);
  w->images[w->image_count] = i;
  w->samplers[w->image_count++] = s;
}

static void add_element(EmuWorld *w, uint64_t seed, const spv_emu_binding *b, uint32_t element) {
  uint64_t place = (uint64_t)b->set << 34 ^ (uint64_t)b->binding << 2 ^ element;
  Rng rng = {rng_mix(seed ^ rng_mix(place))};
  if (rng_percent(&rng, 85))
    (b->image ? add_image : add_buffer)(w, &rng, b, element);
}

/* Does an earlier variable have that binding, too? Then they share its contents. */
static bool has_alias(const spv_emu_binding *b, uint32_t at) {
  for (uint32_t i = 0; i < at; i++)
    if (b[i].set == b[at].set && b[i].binding == b[at].binding && b[i].image == b[at].image)
      return true;
  return false;
}

void emu_world_make(EmuWorld *w, uint64_t seed, const spv_emu_program *program) {
  uint32_t count;
  const spv_emu_binding *b = spv_emu_bindings(program, &count);
  Rng rng = {rng_mix(seed)};
  *w = (EmuWorld){.push_bytes = spv_emu_push_constant_bytes(program)};
  w->push_bytes = w->push_bytes < MAX_PUSH ? w->push_bytes : MAX_PUSH;
  w->push = random_bytes(&rng, w->push_bytes);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; !has_alias(b, i) && k < (b[i].count == 1 ? 1 : ARRAY); k++)
      add_element(w, seed, &b[i], k);
}

void emu_world_free(EmuWorld *w) {
  for (uint32_t i = 0; i < w->buffer_count; i++)
    free(w->buffers[i].bytes);
  for (uint32_t i = 0; i < w->image_count; i++)
    free(w->images[i].bytes);
  free(w->push);
}

void emu_world_bind(const EmuWorld *w, spv_emu_run_options *options) {
  options->buffers = w->buffers;
  options->buffer_count = w->buffer_count;
  options->images = w->images;
  options->image_count = w->image_count;
  options->samplers = w->samplers;
  options->sampler_count = w->image_count;
  options->push_constants = w->push;
  options->push_constant_bytes = w->push_bytes;
}

static bool is_nan(uint16_t half) {
  return (half & 0x7fff) > 0x7c00;
}

/* Are the bytes equal, if all 16-bit NaNs count as equal? */
static bool equal_halves(const char *a, const char *b, size_t size) {
  for (size_t at = 0; at + 2 <= size; at += 2) {
    uint16_t x, y;
    memcpy(&x, a + at, sizeof x);
    memcpy(&y, b + at, sizeof y);
    if (x != y && !(is_nan(x) && is_nan(y)))
      return false;
  }
  return memcmp(a + size / 2 * 2, b + size / 2 * 2, size % 2) == 0;
}

static bool equal_buffers(const spv_emu_buffer *a, const spv_emu_buffer *b, bool any_nan) {
  bool same = a->set == b->set && a->binding == b->binding && a->element == b->element;
  return !same || memcmp(a->bytes, b->bytes, a->size) == 0 ||
         (any_nan && equal_halves(a->bytes, b->bytes, a->size));
}

static bool equal_images(const spv_emu_image *a, const spv_emu_image *b) {
  bool same = a->set == b->set && a->binding == b->binding && a->element == b->element;
  return !same || memcmp(a->bytes, b->bytes, a->size) == 0;
}

bool emu_world_equal(const EmuWorld *a, const EmuWorld *b, bool any_nan) {
  bool equal = true;
  for (uint32_t i = 0; i < a->buffer_count; i++)
    for (uint32_t k = 0; k < b->buffer_count; k++)
      equal = equal && equal_buffers(&a->buffers[i], &b->buffers[k], any_nan);
  for (uint32_t i = 0; i < a->image_count; i++)
    for (uint32_t k = 0; k < b->image_count; k++)
      equal = equal && equal_images(&a->images[i], &b->images[k]);
  return equal;
}
