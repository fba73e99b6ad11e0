/* SPDX-License-Identifier: Apache-2.0 */
/* Which buffers a script's commands use, and which parts of them its descriptors are views of. */
#include "spv-emu/cases/amber_bind.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static AmberScript *parse(const char *text) {
  AmberScript *script;
  AmberMessage message;
  if (amber_parse(text, strlen(text), NULL, &script, &message) != AMBER_OK)
    fail_msg("%s", message.text);
  return script;
}

#define HEAD                                                                                       \
  "#!amber\nSHADER compute s GLSL\n#version 450\nvoid main() {}\nEND\n"                            \
  "BUFFER a DATA_TYPE uint32 SIZE 256 SERIES_FROM 0 INC_BY 1\n"

/* ---- commands -------------------------------------------------------------------------------- */

static void walk(void **state) {
  (void)state;
  AmberScript *script = parse(HEAD "PIPELINE compute p\n  ATTACH s\nEND\n"
                                   "RUN p 1 1 1\n"
                                   "REPEAT 2\n"
                                   "  RUN p 2 1 1\n"
                                   "  REPEAT 3\n"
                                   "    RUN p 3 1 1\n"
                                   "  END\n"
                                   "END\n"
                                   "RUN p 4 1 1\n");
  static const uint32_t wanted[] = {1, 2, 3, 3, 3, 2, 3, 3, 3, 4};
  AmberWalk at;
  size_t count = 0;
  amber_walk_start(&at, script);
  for (const AmberCommand *command; (command = amber_walk_next(&at)); count++) {
    assert_true(count < sizeof wanted / sizeof *wanted);
    assert_int_equal(command->run.x, wanted[count]);
  }
  assert_int_equal(count, sizeof wanted / sizeof *wanted);
  assert_null(amber_walk_next(&at));
  amber_destroy(script);
}

/* An EXPECT that compares two buffers needs the contents of both. */
static void second_buffers(void **state) {
  (void)state;
  static const struct {
    const char *expect;
    bool two;
  } cases[] = {{"EXPECT a IDX 0 EQ 0", false},
               {"EXPECT a EQ_BUFFER b", true},
               {"EXPECT a RMSE_BUFFER b TOLERANCE 1", true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[400];
    snprintf(text, sizeof text, HEAD "BUFFER b DATA_TYPE uint32 SIZE 256 FILL 0\n%s\n",
             cases[i].expect);
    AmberScript *script = parse(text);
    assert_int_equal(amber_expect_other(&script->commands[0].expect),
                     cases[i].two ? 1 : AMBER_NONE);
    amber_destroy(script);
  }
}

/* ---- descriptors ----------------------------------------------------------------------------- */

typedef struct Bound {
  AmberScript *script;
  EmuAmberBuffer buffers[8];
  EmuAmberBindings bindings;
} Bound;

static void bind(Bound *bound, const char *text) {
  char message[256] = "";
  bound->script = parse(text);
  assert_true(bound->script->buffer_count <= 8);
  for (uint32_t i = 0; i < bound->script->buffer_count; i++) {
    assert_true(emu_amber_buffer_create(&bound->script->buffers[i], &bound->buffers[i]));
    emu_amber_buffer_reset(&bound->script->buffers[i], &bound->buffers[i]);
  }
  if (emu_amber_bind(bound->script, &bound->script->pipelines[0], NULL, bound->buffers,
                     &bound->bindings, message, sizeof message) != SPV_EMU_OK)
    fail_msg("%s", message);
}

static void unbind(Bound *bound) {
  for (uint32_t i = 0; i < bound->script->buffer_count; i++)
    free(bound->buffers[i].bytes);
  emu_amber_unbind(&bound->bindings);
  amber_destroy(bound->script);
}

static void ranges(void **state) {
  (void)state;
  Bound bound;
  bind(&bound, HEAD "PIPELINE compute p\n  ATTACH s\n"
                    "  BIND BUFFER a AS storage DESCRIPTOR_SET 2 BINDING 1 DESCRIPTOR_OFFSET 256 "
                    "DESCRIPTOR_RANGE 512\n"
                    "  BIND BUFFER a AS uniform_dynamic DESCRIPTOR_SET 0 BINDING 3 OFFSET 256\n"
                    "END\n");
  assert_int_equal(bound.bindings.buffer_count, 2);
  assert_int_equal(bound.bindings.image_count, 0);
  const spv_emu_buffer *part = &bound.bindings.buffers[0], *rest = &bound.bindings.buffers[1];
  assert_int_equal(part->set, 2);
  assert_int_equal(part->binding, 1);
  assert_int_equal(part->size, 512);
  assert_int_equal(*(uint32_t *)part->bytes, 64);
  assert_int_equal(rest->binding, 3);
  assert_int_equal(rest->size, 1024 - 256);
  assert_int_equal(*(uint32_t *)rest->bytes, 64);
  assert_int_equal(bound.bindings.output_count, 2);
  assert_string_equal(bound.bindings.outputs[0].name, "a");
  unbind(&bound);
}

static void images(void **state) {
  (void)state;
  Bound bound;
  bind(&bound,
       HEAD "IMAGE i DATA_TYPE R8G8B8A8_UINT DIM_2D WIDTH 8 HEIGHT 4 MIP_LEVELS 3 FILL 9\n"
            "SAMPLER m MAG_FILTER linear ADDRESS_MODE_V mirrored_repeat MAX_LOD 2.0\n"
            "PIPELINE compute p\n  ATTACH s\n"
            "  BIND BUFFER i AS storage_image DESCRIPTOR_SET 0 BINDING 0 BASE_MIP_LEVEL 1\n"
            "  BIND BUFFER i AS combined_image_sampler SAMPLER m DESCRIPTOR_SET 0 BINDING 1\n"
            "  BIND BUFFER a AS uniform_texel_buffer DESCRIPTOR_SET 0 BINDING 2\n"
            "END\n");
  const EmuAmberBindings *b = &bound.bindings;
  assert_int_equal(b->image_count, 3);
  assert_int_equal(b->sampler_count, 1);
  const spv_emu_image *level = &b->images[0], *all = &b->images[1], *texels = &b->images[2];
  assert_int_equal(level->width, 4);
  assert_int_equal(level->height, 2);
  assert_int_equal(level->levels, 1);
  assert_int_equal(level->size, 4 * 2 * 4);
  assert_ptr_equal((uint8_t *)level->bytes, (uint8_t *)all->bytes + 8 * 4 * 4);
  assert_int_equal(all->levels, 3);
  assert_int_equal(all->layers, 1);
  assert_int_equal(all->size, 4 * (8 * 4 + 4 * 2 + 2 * 1));
  assert_int_equal(*(uint8_t *)all->bytes, 9);
  assert_int_equal(*(uint8_t *)level->bytes, 0);
  assert_int_equal(texels->width, 256);
  assert_int_equal(texels->height, 1);
  assert_int_equal(b->samplers[0].binding, 1);
  assert_int_equal(b->samplers[0].mag_filter, 1);
  assert_int_equal(b->samplers[0].address_mode[1], 1);
  assert_true(b->samplers[0].max_lod == 2);
  unbind(&bound);
}

static void resets(void **state) {
  (void)state;
  Bound bound;
  bind(&bound, HEAD "PIPELINE compute p\n  ATTACH s\n"
                    "  BIND BUFFER a AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n");
  memset(bound.buffers[0].bytes, 0xee, bound.buffers[0].size);
  emu_amber_buffer_reset(&bound.script->buffers[0], &bound.buffers[0]);
  assert_int_equal(((uint32_t *)bound.bindings.buffers[0].bytes)[255], 255);
  unbind(&bound);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walk),   cmocka_unit_test(second_buffers), cmocka_unit_test(ranges),
      cmocka_unit_test(images), cmocka_unit_test(resets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
