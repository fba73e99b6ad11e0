/* SPDX-License-Identifier: Apache-2.0 */
/* Values of --buffer, --push-constant and --spec: what they mean, and how bad ones are refused. */
#include "spv-emu/cases/bare_value.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static EmuValues values_of(const char *text) {
  char message[256] = "";
  EmuValues values;
  if (!emu_values_parse(text, &values, message, sizeof message))
    fail_msg("%s: %s", text, message);
  return values;
}

/* Expects these bytes, in the host's byte order. */
static void assert_bytes(const char *text, const void *bytes, size_t size) {
  EmuValues values = values_of(text);
  assert_int_equal(values.size, size);
  assert_memory_equal(values.bytes, bytes, size);
  emu_values_free(&values);
}

#define BYTES(text, type, ...)                                                                     \
  assert_bytes(text, (const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}))

static void contents(void **state) {
  (void)state;
  BYTES("u32[3]=7", uint32_t, 7, 7, 7);
  BYTES("u32[4]=1,2", uint32_t, 1, 2, 0, 0);
  BYTES("u8[]=1,0xff", uint8_t, 1, 255);
  BYTES("u16[3]=65533..", uint16_t, 65533, 65534, 65535);
  BYTES("u64[1]=18446744073709551615", uint64_t, UINT64_MAX);
  BYTES("i8[2]=-128,127", int8_t, -128, 127);
  BYTES("i16[3]=-1..", int16_t, -1, 0, 1);
  BYTES("i32[2]=-5", int32_t, -5, -5);
  BYTES("i64[2]=-9223372036854775808,0", int64_t, INT64_MIN, 0);
  BYTES("f16[2]=1,-2", uint16_t, 0x3c00, 0xc000);
  BYTES("f32[3]=0.5..", float, 0.5f, 1.5f, 2.5f);
  BYTES("f64[2]=0.1,1e300", double, 0.1, 1e300);
}

static void places(void **state) {
  (void)state;
  char message[256];
  EmuBareBuffer buffer;
  assert_true(emu_buffer_parse("1:23:u32[2]=0", &buffer, message, sizeof message));
  assert_null(buffer.place.name);
  assert_int_equal(buffer.place.set, 1);
  assert_int_equal(buffer.place.binding, 23);
  assert_int_equal(buffer.element, 0);
  emu_values_free(&buffer.values);
  assert_true(emu_buffer_parse("0:4:5:f32[2]=0", &buffer, message, sizeof message));
  assert_int_equal(buffer.place.binding, 4);
  assert_int_equal(buffer.element, 5);
  assert_int_equal(buffer.values.size, 8);
  emu_values_free(&buffer.values);
  assert_true(emu_buffer_parse("data.x:5:u8[2]=0", &buffer, message, sizeof message));
  assert_int_equal(buffer.place.name_length, 6);
  assert_memory_equal(buffer.place.name, "data.x", 6);
  assert_int_equal(buffer.element, 5);
  emu_values_free(&buffer.values);
}

static void bad_buffers(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "expected two numbers, SET:BINDING"},
      {"0", "expected two numbers, SET:BINDING"},
      {"0:", "expected two numbers, SET:BINDING"},
      {"0:x:u32[1]=0", "expected two numbers, SET:BINDING"},
      {"-1:0:u32[1]=0", "expected two numbers, SET:BINDING"},
      {"4294967296:0:u32[1]=0", "expected two numbers, SET:BINDING"},
      {"0:0", "expected :TYPE[N]=INIT after"},
      {"data", "expected :TYPE[N]=INIT after"},
      {"u32[2]=0", "expected :TYPE[N]=INIT after"},
      {"data:x:u32[1]=0", "is not a type"},
      {"0:0:", "is not a type"},
      {"0:0:0", "the element after the place must be a number"},
      {"0:0:9999999999:u32[1]=0", "the element after the place must be a number"},
      {"0:0:vec4[1]=0", "'vec4' is not a type"},
      {"0:0:u32", "expected u32[N]=VALUES"},
      {"0:0:u32=1", "expected u32[N]=VALUES"},
      {"0:0:u32[1", "expected u32[N]=VALUES"},
      {"0:0:u32[1]", "expected u32[N]=VALUES"},
      {"0:0:u32[x]=1", "'x' is not a number of elements"},
      {"0:0:u32[0]=1", "'0' is not a number of elements"},
      {"0:0:u32[-1]=1", "'-1' is not a number of elements"},
      {"0:0:u32[99999999999]=1", "more than 1024 MiB"},
      {"0:0:u32[]=1", "the number of elements is missing"},
      {"0:0:u32[]=1..", "the number of elements is missing"},
      {"0:0:u32[2]=1,2,3", "3 numbers for 2 elements"},
      {"0:0:u32[2]=", "'': "},
      {"0:0:u32[2]=1,", "'': "},
      {"0:0:u32[2]=1,,2", "3 numbers for 2 elements"},
      {"0:0:u32[2]=a", "'a': "},
      {"0:0:u32[2]=1.5", "'1.5': "},
      {"0:0:u8[2]=256", "'256': "},
      {"0:0:u8[2]=-129", "'-129': "},
      {"0:0:f32[2]=1e99", "'1e99': "},
      {"0:0:u8[3]=254..", "the series exceeds the range of u8"},
      {"0:0:i16[3]=32766..", "the series exceeds the range of i16"},
      {"0:0:u32[2]=@", "no file after the '@'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char message[256] = "";
    EmuBareBuffer buffer;
    if (emu_buffer_parse(cases[i].text, &buffer, message, sizeof message))
      fail_msg("'%s' is taken", cases[i].text);
    if (!strstr(message, cases[i].message) || strchr(message, '\n'))
      fail_msg("'%s': '%s', not '%s'", cases[i].text, message, cases[i].message);
    assert_null(buffer.values.bytes);
  }
}

/* ---- files ----------------------------------------------------------------------------------- */

static char path[] = "/tmp/test_buffer_option.XXXXXX";

static int make_file(void **state) {
  (void)state;
  int fd = mkstemp(path);
  if (fd < 0)
    return -1;
  ssize_t written = write(fd, "\1\2\3\4\5\6\7\10", 8);
  close(fd);
  return written == 8 ? 0 : -1;
}

static int remove_file(void **state) {
  (void)state;
  return unlink(path);
}

static bool read_as(const char *type, EmuValues *values, char message[256]) {
  static char text[128];
  snprintf(text, sizeof text, "%s=@%s", type, path);
  *values = values_of(text);
  assert_null(values->bytes);
  return emu_values_read(values, message, 256);
}

static void files(void **state) {
  (void)state;
  char message[256];
  EmuValues values;
  assert_true(read_as("u16[4]", &values, message));
  assert_int_equal(values.count, 4);
  assert_memory_equal(values.bytes, "\1\2\3\4\5\6\7\10", 8);
  emu_values_free(&values);
  assert_true(read_as("u64[]", &values, message));
  assert_int_equal(values.count, 1);
  emu_values_free(&values);
  assert_false(read_as("u16[5]", &values, message));
  assert_non_null(strstr(message, ": 8 bytes do not fill u16[5]"));
  emu_values_free(&values);
  values = values_of("u32[]=@/nowhere");
  assert_false(emu_values_read(&values, message, sizeof message));
  assert_string_equal(message, "/nowhere: No such file or directory");
  emu_values_free(&values);
}

/* ---- specialization constants ---------------------------------------------------------------- */

static spv_emu_spec spec_of(const char *text) {
  char message[256] = "";
  spv_emu_spec spec;
  if (!emu_spec_parse(text, &spec, message, sizeof message))
    fail_msg("%s: %s", text, message);
  return spec;
}

/* A value whose type is the constant's. */
static void assert_plain(const char *text, const char *name, const char *value) {
  spv_emu_spec spec = spec_of(text);
  assert_string_equal(spec.name, name);
  assert_string_equal(spec.text, value);
  assert_int_equal(spec.width, 0);
  emu_spec_free(&spec);
}

/* A value with its own type. */
static void assert_typed(const char *text, uint64_t bits, uint32_t width) {
  spv_emu_spec spec = spec_of(text);
  assert_string_equal(spec.name, "7");
  assert_null(spec.text);
  assert_int_equal(spec.bits, bits);
  assert_int_equal(spec.width, width);
  emu_spec_free(&spec);
}

static void specs(void **state) {
  (void)state;
  assert_plain("7=12", "7", "12");
  assert_plain("SIZE=0x1e", "SIZE", "0x1e");
  assert_plain("7=-1", "7", "-1");
  assert_plain("on=true", "on", "true");
  assert_plain("7=1.5", "7", "1.5");
  assert_typed("7=f64:1", 0x3ff0000000000000, 64);
  assert_typed("7=f16:1", 0x3c00, 16);
  assert_typed("7=i8:-1", 0xff, 8);
  static const char *const bad[] = {"",         "7",        "7=",     "7=maybe", "=1",
                                    "7=half:1", "7=u8:256", "7=f32:", "7=1x",    "7=True"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char message[256] = "";
    spv_emu_spec spec;
    if (emu_spec_parse(bad[i], &spec, message, sizeof message))
      fail_msg("'%s' is taken", bad[i]);
    assert_true(message[0] && !strchr(message, '\n'));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(contents),    cmocka_unit_test(places),
      cmocka_unit_test(bad_buffers), cmocka_unit_test_setup_teardown(files, make_file, remove_file),
      cmocka_unit_test(specs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
