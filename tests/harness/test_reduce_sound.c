/* SPDX-License-Identifier: Apache-2.0 */
/* Of which cases does the reducer suppose that every device computes the same? */
#include "harness/reduce/reduce_sound.h"
#include "tests/unit/unit.h"

#include <stdio.h>

enum { TEXT = 2048, MOST = 100000 };

typedef struct Case {
  const char *body;
  bool may_race, sound; /* may_race: the invocations of a workgroup */
} Case;

static void check(const Case *c, const char *text) {
  HnReduceSound found;
  if (hn_reduce_sound("case.amber", text, MOST, c->may_race, &found) != c->sound)
    fail_msg("%s: not %s", c->body, c->sound ? "sound" : "unsound");
  if (c->sound)
    assert_int_equal(found.races, c->may_race);
}

/* 16 invocations in two workgroups. `i`: the number of the invocation, `l` that in its workgroup. */
static void compute(const char *body, char text[TEXT]) {
  int length = snprintf(text, TEXT,
                        "#!amber\nSHADER compute work GLSL\n#version 450\n"
                        "layout(local_size_x = 8) in;\n"
                        "layout(set = 0, binding = 0) buffer Out { uint v[]; };\n"
                        "shared uint s[8];\n"
                        "void main() {\n"
                        "  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;\n"
                        "  %s\n}\nEND\n"
                        "BUFFER out DATA_TYPE uint32 SIZE 17 FILL 3\n"
                        "PIPELINE compute p\n  ATTACH work\n"
                        "  BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n"
                        "RUN p 2 1 1\n",
                        body);
  assert_true(length < TEXT);
}

static const Case dispatches[] = {
    {"v[i] = l;", false, true},
    {"v[16] = i;", true, false},
    {"s[l] = i; barrier(); v[i] = s[7 - l];", false, true},
    {"s[l] = i; v[i] = s[l ^ 1];", true, false},
    {"s[0] = l; v[i] = s[0] & 0;", true, true},
    {"s[0] = l; v[i] = s[0] & 0;", false, false}, /* no order of lanes shows the race */
    {"uint x; if (i > 3) x = i; v[i] = x;", false, false},
    {"v[i] = atomicAdd(v[16], 1);", false, false},
    {"while (v[i] == 3);", false, false},
};

static void of_dispatches(void **state) {
  (void)state;
  for (size_t n = 0; n < sizeof dispatches / sizeof *dispatches; n++) {
    char text[TEXT];
    compute(dispatches[n].body, text);
    check(&dispatches[n], text);
  }
}

/* A triangle over 4 by 4 pixels, with two colours and glslang's distances. */
static void draw(const char *body, char text[TEXT]) {
  int length = snprintf(text, TEXT,
                        "#!amber\nSHADER vertex corners GLSL\n#version 450\n"
                        "layout(location = 0) in vec2 at;\n"
                        "void main() { gl_Position = vec4(at, 0, 1); }\nEND\n"
                        "SHADER fragment paint GLSL\n#version 450\n"
                        "layout(location = 0) out uvec2 a;\n"
                        "layout(location = 1) out uvec2 b;\n"
                        "layout(set = 0, binding = 0) buffer Out { uint v[]; };\n"
                        "void main() { %s }\nEND\n"
                        "BUFFER out DATA_TYPE uint32 SIZE 4 FILL 3\n"
                        "BUFFER place DATA_TYPE vec2<float> DATA\n-1 -1 3 -1 -1 3\nEND\n"
                        "BUFFER first FORMAT R32G32_UINT\nBUFFER second FORMAT R32G32_UINT\n"
                        "PIPELINE graphics p\n  ATTACH corners\n  ATTACH paint\n"
                        "  FRAMEBUFFER_SIZE 4 4\n  VERTEX_DATA place LOCATION 0\n"
                        "  BIND BUFFER first AS color LOCATION 0\n"
                        "  BIND BUFFER second AS color LOCATION 1\n"
                        "  BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 0\nEND\n"
                        "CLEAR p\nRUN p DRAW_ARRAY AS TRIANGLE_LIST START_IDX 0 COUNT 3\n",
                        body);
  assert_true(length < TEXT);
}

static const Case draws[] = {
    {"a = uvec2(gl_FragCoord.xy); b = uvec2(5); atomicMax(v[0], 7);", false, true},
    {"a = uvec2(1);", false, false},
    {"a = uvec2(atomicAdd(v[0], 1)); b = uvec2(2);", false, false},
    {"a = b = uvec2(2); v[0] = uint(gl_FragCoord.x);", false, false},
};

static void of_draws(void **state) {
  (void)state;
  for (size_t n = 0; n < sizeof draws / sizeof *draws; n++) {
    char text[TEXT];
    draw(draws[n].body, text);
    check(&draws[n], text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(of_dispatches), cmocka_unit_test(of_draws)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
