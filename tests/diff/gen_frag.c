/* SPDX-License-Identifier: Apache-2.0 */
/* gen_frag: writes random fragment shaders in GLSL as AmberScript cases, without EXPECTs.
 *
 *   gen_frag COUNT SEED FOLDER
 *
 * Case k depends only on seed SEED + k. A case draws two triangles that cover 16 x 16 pixels, and
 * up to two small ones over them, into two attachments of integers and one of 8-bit colours.
 * Corners are at whole pixels, so that all devices cover the same; a quad at an edge has helper
 * lanes. Programs of three kinds take turns:
 *
 *   leaving   lanes return, end (discard) and are demoted anywhere: in loops, switches, functions.
 *             They have no derivatives, which are undefined after a discard
 *   slopes    derivatives and textures in flow that is uniform for each quad (slope.h)
 *   quads     the same with subgroup operations of a quad
 *
 * Every second program demotes lanes, every fourth has the shapes of family.h, every eighth has
 * derivatives in flow that diverges within quads, whose results go nowhere. Shaders write memory
 * through atomics alone, whose order does not matter; helper lanes must write nothing. As in
 * gen_glsl nothing is undefined, every loop ends, and floats are exact (source.h). */
#include "tests/diff/slope.h"
#include "tests/diff/statement.h"

#include <stdlib.h>

typedef enum Kind { LEAVING, SLOPES, QUADS, KINDS } Kind;

enum { SIDE = 16, MOST_FUNCTIONS = 3, MOST_TRIANGLES = 2 };

/* ---- the shaders ----------------------------------------------------------------------------- */

static const char vertex[] = "SHADER vertex corners GLSL TARGET_ENV spv1.3\n"
                             "#version 450\n"
                             "layout(location = 0) in vec2 place;\n"
                             "layout(location = 1) in uvec2 number;\n"
                             "layout(location = 0) out vec2 where;\n"
                             "layout(location = 1) flat out uint kind;\n"
                             "void main() {\n"
                             "  float w = float(number.y);\n"
                             "  where = place;\n"
                             "  kind = number.x;\n"
                             "  gl_Position = vec4((place / 8.0 - 1.0) * w, 0.5 * w, w);\n"
                             "}\n"
                             "END\n";

static const char globals[] =
    "struct S { uint a; int b; float c; uint d[4]; uvec2 e; };\n"
    "layout(location = 0) in vec2 where;\n"
    "layout(location = 1) flat in uint kind;\n"
    "layout(location = 0) out uvec4 out0;\n"
    "layout(location = 1) out uvec4 out1;\n"
    "layout(location = 2) out vec4 out2;\n"
    "layout(set = 0, binding = 0) buffer Out { uint total[8]; };\n"
    "layout(set = 0, binding = 1) uniform sampler2D tex;\n"
    "layout(push_constant) uniform Push { uint mode; };\n"
    "uvec2 at;\n"
    "uint id, lane, fuel, quad, w0;\n"
    "float waste;\n"
    "#define exact(x) clamp(floor((x) * 2.0) * 0.5, -512.0, 512.0)\n"
    "#define linear(a, b, c) float(at.x * ((a) & 15u) + at.y * ((b) & 15u) + ((c) & 63u))\n"
    "uint texel(uint a, uint b, uint c) {\n"
    "  vec2 place = vec2(at) * vec2(a & 3u, b & 3u) + vec2(c & 7u, (c >> 3) & 7u);\n"
    "  return uint(texture(tex, (place + 0.5) / 8.0).x * 255.0 + 0.5);\n"
    "}\n"
    /* Of each row and column once: the sum of the quad's four values, for all its lanes. */
    "uint quad_sum(uint x) {\n"
    "  float f = float(x & 63u), r = float(at.x & 1u), c = float(at.y & 1u);\n"
    "  float h = 2.0 * f + dFdxFine(f) * (1.0 - 2.0 * r);\n"
    "  return uint(2.0 * h + dFdyFine(h) * (1.0 - 2.0 * c));\n"
    "}\n";

static void put_locals(Source *s, const char *first) {
  put_line(s, first);
  put_line(s, "float f0 = float(u0 & 15u), f1 = 2.5, f2 = exact(float(i0));");
  put_line(s, "uint a[8] = uint[8](u0, 1u, u1, @n, u2, u3, @n, 9u);");
  put_line(s, "uvec4 v = uvec4(u3, u0, @n, u1 >> 3);");
  put_line(s, "uint x = 0u, y = 0u;");
}

static void put_head(Source *s, const char *name, uint32_t index) {
  fprintf(s->out, "uint %s%u(uint p, int q, inout S s) {\n", name, index);
  s->indent = 1;
  put_locals(s, "uint u0 = p, u1 = uint(q), u2 = @n, u3 = s.a; int i0 = q, i1 = @m, i2 = s.b;");
  put_line(s, "S t = s;");
}

static void put_tail(Source *s) {
  put_line(s, "return @u;");
  fputs("}\n", s->out);
}

/* How a statement of a lane may leave main, or, with `call`, a function. */
static const char *random_leave(Source *s, Kind kind, bool call) {
  uint32_t way = rng_below(&s->rng, 10);
  if (way < 3 && s->demotes)
    return "if (@b) demote;";
  if (way < 6 && kind == LEAVING)
    return "if (@b) discard;";
  return call ? "if (@b) return @u;" : "if (@b) return;";
}

static void put_function(Source *s, Kind kind, uint32_t index) {
  put_head(s, "call", index);
  s->leave = random_leave(s, kind, true);
  for (uint32_t i = 2 + rng_below(&s->rng, 4); i; i--)
    put_statement(s);
  put_tail(s);
  s->functions = index + 1;
}

static void put_slope_function(Source *s, uint32_t index) {
  put_head(s, "slope", index);
  put_slopes(s, 2 + rng_below(&s->rng, 4), "if ((@w & 7u) == @c) return @u;");
  put_tail(s);
  s->slopes = index + 1;
}

static const char outputs[] =
    "  out0 = uvec4(u0, u1 ^ u2, u3, uint(i0));\n"
    "  out1 = uvec4(uint(i1 + i2), uint(int(f0 * 2.0) + 5 * int(f2 * 2.0)),\n"
    "               a[0] + 3u * a[3] + 5u * a[6] + (a[1] ^ a[2] ^ a[7]),\n"
    "               s.a + uint(s.b) + t.a + (s.d[0] ^ s.d[3] ^ s.e.x ^ t.d[1]) + uint(int(f1 * "
    "2.0)));\n"
    "  out2 = vec4((v ^ uvec4(a[4], a[5], s.d[1] + s.d[2], w0)) & 255u) / 255.0;\n";

static void put_leaving(Source *s) {
  for (uint32_t i = 4 + rng_below(&s->rng, 6); i; i--) {
    s->leave = random_leave(s, LEAVING, false);
    put_statement(s);
  }
}

static void put_main(Source *s, Kind kind) {
  static const char *const leaves[] = {"if ((@w & 7u) == @c) return;",
                                       "if ((@w & 7u) == @c) discard;"};
  fputs("void main() {\n", s->out);
  put_line(s, "at = uvec2(gl_FragCoord.xy);");
  put_line(s, "id = at.y * 16u + at.x;");
  put_line(s, "lane = id & 63u;");
  put_line(s, "quad = (at.y >> 1) * 8u + (at.x >> 1);");
  put_line(s, "w0 = quad * 5u + kind;");
  put_line(s, "fuel = 60u;");
  put_line(s, "out0 = uvec4(1u, @n, 3u, id);");
  put_line(s, "out1 = uvec4(@n, kind, 7u, mode);");
  put_line(s, "out2 = vec4(0.0, 1.0, float(id) / 255.0, 1.0);");
  put_locals(
      s, "uint u0 = data[lane], u1 = id, u2 = @n, u3 = mode; int i0 = int(u0), i1 = 5, i2 = -@m;");
  put_line(s, "S s = S(u0, i0, f0, uint[4](1u, u0, @n, 4u), uvec2(u1, @n)), t = s;");
  if (kind == LEAVING)
    put_leaving(s);
  else
    put_slopes(s, 5 + rng_below(&s->rng, 8), PICK(s, leaves));
  fputs(outputs, s->out);
  fputs("}\n", s->out);
}

/* The numbers that differ between lanes. They are not in a buffer, from which lavapipe's helper
 * lanes read zeros (docs/driver-bugs.md). */
static void put_constants(Source *s) {
  uint32_t most = rng_percent(&s->rng, 70) ? 16 : 100000;
  fputs("const uint data[64] = uint[64](", s->out);
  for (uint32_t i = 0; i < LANES; i++)
    fprintf(s->out, "%s%uu", i == 0 ? "" : i % 12 ? ", " : ",\n  ", rng_below(&s->rng, most));
  fputs(");\n", s->out);
}

static void put_shader(Source *s, Kind kind) {
  fputs("SHADER fragment paint GLSL TARGET_ENV spv1.3\n#version 450\n"
        "#extension GL_ARB_derivative_control : enable\n",
        s->out);
  if (s->demotes)
    fputs("#extension GL_EXT_demote_to_helper_invocation : require\n", s->out);
  if (s->quads)
    fputs("#extension GL_KHR_shader_subgroup_quad : require\n", s->out);
  fputs(globals, s->out);
  put_constants(s);
  s->budget = 4 + rng_below(&s->rng, 16);
  for (uint32_t i = rng_below(&s->rng, MOST_FUNCTIONS + 1), k = 0; k < i; k++)
    put_function(s, kind, k);
  for (uint32_t i = kind == LEAVING ? 0 : rng_below(&s->rng, MOST_FUNCTIONS), k = 0; k < i; k++)
    put_slope_function(s, k);
  s->indent = 1;
  s->leave = NULL;
  s->budget += 12;
  put_main(s, kind);
  fputs("END\n", s->out);
}

/* ---- the case -------------------------------------------------------------------------------- */

static void put_texture(Source *s) {
  fputs("BUFFER texture FORMAT R8G8B8A8_UNORM WIDTH 8 HEIGHT 8 MIP_LEVELS 2 DATA", s->out);
  for (uint32_t i = 0; i < 4 * 64; i++)
    fprintf(s->out, "%s%u", i % 12 ? " " : "\n ", rng_below(&s->rng, 256));
  fputs("\nEND\nSAMPLER near MAG_FILTER nearest MIN_FILTER nearest\n", s->out);
}

/* Writes triangles: places in pixels, then a number for each corner, and the triangle's w. Returns
 * how many vertices there are. */
static uint32_t put_vertices(Source *s) {
  uint32_t triangles = 2 + rng_below(&s->rng, MOST_TRIANGLES + 1);
  fputs("BUFFER place DATA_TYPE vec2<float> DATA\n 0 0  16 0  0 16\n 16 0  16 16  0 16\n", s->out);
  for (uint32_t i = 2; i < triangles; i++)
    for (uint32_t k = 0; k < 3; k++)
      fprintf(s->out, " %u %u%s", rng_below(&s->rng, SIDE + 1), rng_below(&s->rng, SIDE + 1),
              k == 2 ? "\n" : " ");
  fputs("END\nBUFFER number DATA_TYPE vec2<uint32> DATA\n", s->out);
  for (uint32_t i = 0; i < triangles; i++) {
    uint32_t w = 1u << rng_below(&s->rng, 2);
    for (uint32_t k = 0; k < 3; k++)
      fprintf(s->out, " %u %u%s", rng_below(&s->rng, 8), w, k == 2 ? "\n" : " ");
  }
  fputs("END\n", s->out);
  return 3 * triangles;
}

static void put_pipeline(Source *s, uint32_t vertices) {
  fprintf(
      s->out,
      "PIPELINE graphics p\n  ATTACH corners\n  ATTACH paint\n  FRAMEBUFFER_SIZE %u %u\n"
      "  VERTEX_DATA place LOCATION 0\n  VERTEX_DATA number LOCATION 1\n"
      "  BIND BUFFER first AS color LOCATION 0\n  BIND BUFFER second AS color LOCATION 1\n"
      "  BIND BUFFER third AS color LOCATION 2\n"
      "  BIND BUFFER out AS storage DESCRIPTOR_SET 0 BINDING 0\n"
      "  BIND BUFFER texture AS combined_image_sampler SAMPLER near DESCRIPTOR_SET 0 BINDING 1\n"
      "  BIND BUFFER push AS push_constant\nEND\nCLEAR p\n"
      "RUN p DRAW_ARRAY AS TRIANGLE_LIST START_IDX 0 COUNT %u\n",
      SIDE, SIDE, vertices);
}

static void put_requirements(const Source *s) {
  if (s->demotes)
    fputs("DEVICE_FEATURE ShaderDemoteToHelperInvocationFeatures.shaderDemoteToHelperInvocation\n",
          s->out);
  if (s->quads)
    fputs("DEVICE_FEATURE SubgroupSupportedOperations.quad\n"
          "DEVICE_FEATURE SubgroupSupportedStages.fragment\n",
          s->out);
  fputs("DEVICE_FEATURE fragmentStoresAndAtomics\n", s->out);
}

static void put_case(Source *s, uint64_t seed, Kind kind) {
  static const char *const names[KINDS] = {"lanes that leave", "slopes", "slopes and quads"};
  fprintf(s->out, "#!amber\n# What:  a random fragment program, %s%s, seed %llu\n", names[kind],
          s->waste ? ", derivatives to nowhere" : "", (unsigned long long)seed);
  put_requirements(s);
  fputs(vertex, s->out);
  put_shader(s, kind);
  fputs("BUFFER out DATA_TYPE uint32 SIZE 8 FILL 7\n", s->out);
  fprintf(s->out, "BUFFER push DATA_TYPE uint32 DATA\n %u\nEND\n", rng_below(&s->rng, 4));
  put_texture(s);
  fputs("BUFFER first FORMAT R32G32B32A32_UINT\nBUFFER second FORMAT R32G32B32A32_UINT\n"
        "BUFFER third FORMAT R8G8B8A8_UNORM\n",
        s->out);
  put_pipeline(s, put_vertices(s));
}

static void write_case(const char *folder, uint64_t seed) {
  char path[4096];
  snprintf(path, sizeof path, "%s/frag_%llu.amber", folder, (unsigned long long)seed);
  Source s = {.rng = {rng_mix(seed ^ 0xf7a6)}, .out = source_open(path), .fragment = true};
  Kind kind = (Kind)(seed % KINDS);
  s.families = seed % 4 == 2;
  s.demotes = seed % 2 == 1;
  s.quads = kind == QUADS;
  s.waste = kind != LEAVING && seed % 8 == 4;
  put_case(&s, seed, kind);
  source_close(&s, path);
}

int main(int argc, char **argv) {
  return source_main(argc, argv, write_case);
}
