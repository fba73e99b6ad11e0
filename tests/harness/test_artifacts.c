/* SPDX-License-Identifier: Apache-2.0 */
/* Figures and pictures of contents that differ; files; names of folders; words of shell commands.
 */
#include "tests/unit/unit.h"

#include "harness/artifacts/artifact_contents.h"
#include "harness/artifacts/artifact_picture.h"
#include "harness/artifacts/artifacts.h"
#include "harness/artifacts/difference.h"
#include "harness/artifacts/expects.h"
#include "passes/tool/tool_shell.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static AmberScript *parse(const char *text) {
  AmberScript *script;
  AmberMessage message;
  const AmberFiles files = {0};
  if (amber_parse(text, strlen(text), &files, &script, &message) != AMBER_OK)
    fail_msg("%s", message.text);
  return script;
}

/* ---- figures --------------------------------------------------------------------------------- */

static void counts_elements_and_numbers(void **state) {
  (void)state;
  AmberScript *script = parse("#!amber\nBUFFER b DATA_TYPE vec2<float> SIZE 4 FILL 0\n");
  const AmberBuffer *b = &script->buffers[0];
  const float actual[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const float expected[8] = {0, 1, 2.5f, 1, 4, 5, 6, 7};
  HnDifference d = hn_difference_of(b, actual, expected, sizeof actual);
  assert_int_equal(d.elements, 4);
  assert_int_equal(d.differing, 1);
  assert_int_equal(d.numbers, 2);
  assert_true(d.largest == 2);
  assert_int_equal(d.element, 1);
  assert_int_equal(d.number, 1);
  assert_int_equal(d.byte, 12);
  assert_int_equal(hn_difference_of(b, actual, actual, sizeof actual).differing, 0);
  amber_destroy(script);
}

static void padding_is_not_compared(void **state) {
  (void)state;
  AmberScript *script = parse("#!amber\nBUFFER b DATA_TYPE vec3<uint32> STD430 SIZE 2 FILL 0\n");
  const uint32_t actual[8] = {1, 2, 3, 99, 5, 6, 7, 98}, expected[8] = {1, 2, 3, 0, 5, 6, 8, 0};
  assert_int_equal(script->buffers[0].layout.stride, 16);
  HnDifference d = hn_difference_of(&script->buffers[0], actual, expected, sizeof actual);
  assert_int_equal(d.numbers, 1);
  assert_int_equal(d.element, 1);
  amber_destroy(script);
}

static void a_nan_is_infinitely_far(void **state) {
  (void)state;
  AmberScript *script = parse("#!amber\nBUFFER b DATA_TYPE float SIZE 2 FILL 0\n");
  const float actual[2] = {NAN, 3}, expected[2] = {0, 9};
  HnDifference d = hn_difference_of(&script->buffers[0], actual, expected, sizeof actual);
  assert_int_equal(d.differing, 2);
  assert_true(isinf(d.largest));
  assert_int_equal(d.element, 0);
  amber_destroy(script);
}

/* For each pair of places, with errors of two sizes and either sign: the larger error is named, or
 * the first of two equal ones. */
static void the_first_of_the_largest_is_named(void **state) {
  (void)state;
  AmberScript *script = parse("#!amber\nBUFFER b DATA_TYPE vec2<int32> SIZE 4 FILL 0\n");
  for (uint32_t i = 0; i < 8; i++)
    for (uint32_t k = i + 1; k < 8; k++)
      for (int32_t first = -2; first <= 2; first++)
        for (int32_t second = -2; second <= 2; second++) {
          int32_t actual[8] = {0}, expected[8] = {0};
          actual[i] = first;
          actual[k] = second;
          if (!first || !second)
            continue;
          uint32_t at = abs(second) > abs(first) ? k : i;
          HnDifference d = hn_difference_of(&script->buffers[0], actual, expected, sizeof actual);
          assert_int_equal(d.differing, i / 2 == k / 2 ? 1 : 2);
          assert_int_equal(d.numbers, 2);
          assert_true(d.largest == abs(actual[at]));
          assert_int_equal(d.element, at / 2);
          assert_int_equal(d.number, at % 2);
          assert_int_equal(d.byte, 4 * at);
        }
  amber_destroy(script);
}

/* ---- EXPECTs --------------------------------------------------------------------------------- */

static void expects_next_to_each_other(void **state) {
  (void)state;
  AmberScript *script = parse("#!amber\nBUFFER b DATA_TYPE uint32 SIZE 2 FILL 0\n"
                              "BUFFER c DATA_TYPE uint32 SIZE 2 FILL 0\n"
                              "EXPECT b IDX 0 EQ 1\n" /* line 4 */
                              "EXPECT b IDX 0 EQ 2\n"
                              "COPY b TO c\n"
                              "EXPECT c IDX 0 EQ 3\n"); /* line 7 */
  uint32_t first, end;
  assert_true(hn_expects_find(script, "line 5: b at byte 0", &first, &end));
  assert_true(first == 0 && end == 2);
  assert_true(hn_expects_find(script, "line 7: c", &first, &end));
  assert_true(first == 3 && end == 4);
  assert_false(hn_expects_find(script, "line 6: not an EXPECT", &first, &end));
  assert_false(hn_expects_find(script, "buffer b, element 0", &first, &end));
  assert_false(hn_expects_find(script, NULL, &first, &end));
  amber_destroy(script);
}

/* An EXPECT in a REPEAT may have seen other contents than those at the end: contents are not
 * corrected for it, wherever it is in the body. */
static void expects_in_a_repeat(void **state) {
  (void)state;
  AmberScript *script = parse("#!amber\nBUFFER b DATA_TYPE uint32 SIZE 2 FILL 0\n"
                              "EXPECT b IDX 0 EQ 1\n" /* line 3 */
                              "REPEAT 2\n"
                              "EXPECT b IDX 0 EQ 2\n" /* 5 */
                              "REPEAT 2\n"
                              "EXPECT b IDX 0 EQ 3\n" /* 7 */
                              "EXPECT b IDX 0 EQ 4\n"
                              "END\n"
                              "EXPECT b IDX 0 EQ 5\n" /* 10 */
                              "END\n"
                              "EXPECT b IDX 0 EQ 6\n"); /* 12 */
  uint32_t first, end;
  for (unsigned line = 3; line <= 12; line++) {
    char message[40];
    snprintf(message, sizeof message, "line %u: b", line);
    assert_int_equal(hn_expects_find(script, message, &first, &end), line == 3 || line == 12);
  }
  amber_destroy(script);
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* A buffer of texels, as an image of 2 x 1. */
static AmberScript *image(const char *format) {
  char text[300];
  snprintf(text, sizeof text,
           "#!amber\nIMAGE i FORMAT %s DIM_2D WIDTH 2 HEIGHT 1 FILL 0\n"
           "SHADER compute c GLSL\n#version 450\nvoid main() {}\nEND\n"
           "PIPELINE compute p\nATTACH c\n"
           "BIND BUFFER i AS storage_image DESCRIPTOR_SET 0 BINDING 0\nEND\n",
           format);
  AmberScript *script = parse(text);
  assert_true(hn_picture_is(&script->buffers[0]));
  return script;
}

/* Writes a picture and reads its texels back. */
static void pixels_of(const HnPictures *pictures, HnPictureKind kind, png_byte rgb[6]) {
  char path[] = "/tmp/test_artifacts.XXXXXX";
  png_image in = {.version = PNG_IMAGE_VERSION};
  close(mkstemp(path));
  assert_true(hn_picture_write(pictures, kind, path));
  assert_true(png_image_begin_read_from_file(&in, path));
  assert_int_equal(in.width, 2);
  assert_int_equal(in.height, 1);
  in.format = PNG_FORMAT_RGB;
  assert_true(png_image_finish_read(&in, NULL, rgb, 0, NULL));
  unlink(path);
}

static void assert_pixels(const HnPictures *pictures, HnPictureKind kind, const png_byte want[6]) {
  png_byte rgb[6];
  pixels_of(pictures, kind, rgb);
  assert_memory_equal(rgb, want, 6);
}

static void pictures_show_texels(void **state) {
  (void)state;
  AmberScript *script = image("R8G8B8A8_UNORM");
  const uint8_t actual[8] = {10, 20, 30, 0, 200, 0, 0, 255};
  const uint8_t expected[8] = {10, 20, 30, 0, 200, 0, 255, 255};
  HnPictures pictures = hn_pictures_of(&script->buffers[0], actual, expected, sizeof actual);
  assert_true(pictures.low == 0 && pictures.high == 1);
  assert_pixels(&pictures, HN_PICTURE_ACTUAL, (png_byte[]){10, 20, 30, 200, 0, 0});
  assert_pixels(&pictures, HN_PICTURE_EXPECTED, (png_byte[]){10, 20, 30, 200, 0, 255});
  png_byte difference[6];
  pixels_of(&pictures, HN_PICTURE_DIFFERENCE, difference);
  assert_true(difference[0] == difference[1] && difference[0] < 64); /* agrees: dark grey */
  assert_true(difference[3] == 255 && difference[4] > 200); /* as far apart as possible: light */
  amber_destroy(script);
}

static void floats_and_one_channel(void **state) {
  (void)state;
  AmberScript *script = image("R32_SFLOAT");
  const float actual[2] = {-1, 3}, expected[2] = {-1, NAN};
  HnPictures pictures = hn_pictures_of(&script->buffers[0], actual, expected, sizeof actual);
  assert_true(pictures.low == -1 && pictures.high == 3);
  assert_pixels(&pictures, HN_PICTURE_ACTUAL, (png_byte[]){0, 0, 0, 255, 255, 255});
  assert_pixels(&pictures, HN_PICTURE_EXPECTED, (png_byte[]){0, 0, 0, 0, 0, 0});
  amber_destroy(script);
}

static void srgb_stays_as_stored(void **state) {
  (void)state;
  AmberScript *script = image("R8G8B8A8_SRGB");
  const uint8_t actual[8] = {1, 77, 128, 255, 200, 3, 254, 255};
  HnPictures pictures = hn_pictures_of(&script->buffers[0], actual, actual, sizeof actual);
  assert_pixels(&pictures, HN_PICTURE_ACTUAL, (png_byte[]){1, 77, 128, 200, 3, 254});
  amber_destroy(script);
}

static void the_level_that_differs(void **state) {
  (void)state;
  AmberScript *script = image("R8_UNORM");
  AmberBuffer *buffer = &script->buffers[0];
  buffer->mip_levels = 2;
  const uint8_t actual[3] = {1, 2, 3}, expected[3] = {1, 2, 4};
  HnPictures pictures = hn_pictures_of(buffer, actual, expected, sizeof actual);
  assert_true(pictures.level == 1 && pictures.width == 1 && pictures.height == 1);
  assert_true(pictures.actual == actual + 2 && pictures.expected == expected + 2);
  amber_destroy(script);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void assert_folder(const char *path, const char *device, const char *want) {
  char *folder = hn_artifacts_folder("/a", path, device, "none");
  assert_string_equal(folder, want);
  free(folder);
}

static void folders_have_safe_names(void **state) {
  (void)state;
  assert_folder("x/y.amber", "lavapipe", "/a/lavapipe/x/y.amber/none");
  assert_folder("/x//./y.amber", "lavapipe", "/a/lavapipe/x/y.amber/none");
  assert_folder("../../etc/y.amber", "icd=/p/q.json:GPU",
                "/a/icd=_p_q.json_GPU-7ed206c7/__/__/etc/y.amber/none");
  assert_folder("a?b:c.amber", "emu", "/a/emu/a_b_c.amber-c030e688/none");
}

static void words_are_quoted(void **state) {
  (void)state;
  static const char *const words[] = {"plain-1.amber", "two words", "it's", "", "$(x)", "ä*"};
  char text[300] = "";
  FILE *out = fmemopen(text, sizeof text, "w");
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    tool_shell_word(out, words[i]);
    fputc(' ', out);
  }
  fclose(out);
  assert_string_equal(text, "plain-1.amber 'two words' 'it'\\''s' '' '$(x)' 'ä*' ");
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A buffer of more than 64 MiB leaves a note in place of its bytes. */
static void a_large_buffer_has_a_note(void **state) {
  (void)state;
  enum { MIB_64 = 64 << 20 };
  AmberScript *script = parse("#!amber\nBUFFER small DATA_TYPE uint32 SIZE 2 FILL 0\n"
                              "BUFFER large DATA_TYPE uint32 SIZE 2 FILL 0\n");
  uint8_t *bytes = calloc(1, MIB_64 + 4);
  char path[] = "/tmp/artifacts.XXXXXX";
  assert_non_null(bytes);
  assert_non_null(mkdtemp(path));
  HnContents actual[] = {{.bytes = bytes, .size = 8}, {.bytes = bytes, .size = MIB_64 + 4}};
  const HnFailure failure = {.script = script, .actual = actual};
  HnFolder folder = hn_folder_make(path);
  json_t *notes = json_array(), *differing = hn_contents_write(&folder, &failure, notes);
  assert_true(folder.good);
  assert_int_equal(json_array_size(differing), 0);
  assert_int_equal(json_array_size(notes), 1);
  assert_string_equal(json_string_value(json_array_get(notes, 0)),
                      "no large.actual.bin: it has 67108868 bytes");
  size_t count;
  char **names = hn_folder_list(path, &count);
  assert_int_equal(count, 1);
  assert_string_equal(names[0], "small.actual.bin");
  char *file = hn_folder_file(&folder, names[0]);
  assert_int_equal(remove(file), 0);
  assert_int_equal(rmdir(path), 0);
  free(file);
  free(names[0]);
  free(names);
  json_decref(differing);
  json_decref(notes);
  free(bytes);
  amber_destroy(script);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_large_buffer_has_a_note),
      cmocka_unit_test(the_first_of_the_largest_is_named),
      cmocka_unit_test(expects_next_to_each_other),
      cmocka_unit_test(expects_in_a_repeat),
      cmocka_unit_test(counts_elements_and_numbers),
      cmocka_unit_test(padding_is_not_compared),
      cmocka_unit_test(a_nan_is_infinitely_far),
      cmocka_unit_test(pictures_show_texels),
      cmocka_unit_test(floats_and_one_channel),
      cmocka_unit_test(srgb_stays_as_stored),
      cmocka_unit_test(the_level_that_differs),
      cmocka_unit_test(folders_have_safe_names),
      cmocka_unit_test(words_are_quoted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
