/* SPDX-License-Identifier: Apache-2.0 */
/* glsl: see glsl.h. Recursive on the nesting of the program, which is bounded. */
#include "harness/converge/glsl.h"

typedef struct Printer {
  const CvProgram *p;
  FILE *out;
  uint32_t indent, lines;
  uint32_t counters;  /* loop counters declared in the function */
  uint32_t innermost; /* the innermost loop's counter; CV_NONE: no loop */
} Printer;

static void begin(Printer *w) {
  fprintf(w->out, "%*s", (int)(2 * w->indent), "");
}

static void end(Printer *w) {
  fputc('\n', w->out);
  w->lines++;
}

static void put_line(Printer *w, const char *text) {
  begin(w);
  fputs(text, w->out);
  end(w);
}

static void put_value(Printer *w, const CvStatement *s) {
  if (s->counter && w->innermost != CV_NONE)
    fprintf(w->out, "value(%uu + k%u)", s->row, w->innermost);
  else
    fprintf(w->out, "value(%uu)", s->row);
}

static void put_tell(Printer *w, const CvStatement *s) {
  static const char *const operations[CV_TELLS] = {
      [CV_BALLOT] = "subgroupBallot(true)",
      [CV_OR] = "subgroupOr(bit)",
      [CV_ADD] = "subgroupAdd(bit)",
      [CV_COUNT] = "uvec4(subgroupAdd(1u), 0u, 0u, 0u)",
      [CV_RANK] = "uvec4(subgroupExclusiveAdd(1u), 0u, 0u, 0u)",
      [CV_FIRST] = "uvec4(subgroupBroadcastFirst(gl_SubgroupInvocationID), 0u, 0u, 0u)",
  };
  fprintf(w->out, "tell(%uu, ", (uint32_t)(s - w->p->at));
  if (s->tell == CV_VOTE)
    fprintf(w->out, "subgroupBallot(value(%uu) != 0u))", s->row);
  else
    fprintf(w->out, "%s)", operations[s->tell]);
}

static void put_block(Printer *w, uint32_t first);

static void put_inner(Printer *w, uint32_t first) {
  w->indent++;
  put_block(w, first);
  w->indent--;
}

static void put_if(Printer *w, const CvStatement *s) {
  begin(w);
  fputs("if (", w->out);
  put_value(w, s);
  fputs(" != 0u) {", w->out);
  end(w);
  put_inner(w, s->parts[0]);
  if (s->parts[1] != CV_NONE) {
    put_line(w, "} else {");
    put_inner(w, s->parts[1]);
  }
  put_line(w, "}");
}

static void put_loop_head(Printer *w, const CvStatement *s, uint32_t k) {
  begin(w);
  if (s->loop == CV_DO)
    fprintf(w->out, "uint k%u = 0u; do {", k);
  else if (s->loop == CV_FOR)
    fprintf(w->out, "for (uint k%u = 0u; k%u < value(%uu); ", k, k, s->row);
  else
    fprintf(w->out, "for (uint k%u = 0u;; ", k);
  if (s->loop != CV_DO && s->tells) {
    fprintf(w->out, "k%u += ", k);
    put_tell(w, s);
    fputs(") {", w->out);
  } else if (s->loop != CV_DO) {
    fprintf(w->out, "k%u++) {", k);
  }
  end(w);
}

/* The first line of the body, where the counter is not in the head. */
static void put_loop_count(Printer *w, const CvStatement *s, uint32_t k) {
  if (s->loop == CV_FOR)
    return;
  begin(w);
  if (s->loop == CV_DO)
    fprintf(w->out, "  k%u++;", k);
  else
    fprintf(w->out, "  if (k%u >= value(%uu)) break;", k, s->row);
  end(w);
}

/* values are less than 4 */
static void put_second_exit(Printer *w) {
  if (w->p->two_exits)
    put_line(w, "  if (value(3u) == 99u) break;");
}

static void put_loop(Printer *w, const CvStatement *s) {
  uint32_t outer = w->innermost, k = w->counters++;
  put_loop_head(w, s, k);
  put_second_exit(w);
  put_loop_count(w, s, k);
  w->innermost = k;
  put_inner(w, s->parts[0]);
  w->innermost = outer;
  begin(w);
  if (s->loop == CV_DO)
    fprintf(w->out, "} while (k%u < value(%uu));", k, s->row);
  else
    fputc('}', w->out);
  end(w);
}

static void put_switch(Printer *w, const CvStatement *s) {
  begin(w);
  fputs("switch (", w->out);
  put_value(w, s);
  fputs(") {", w->out);
  end(w);
  for (uint32_t i = 0; i < s->cases; i++) {
    begin(w);
    if (s->has_other && i + 1u == s->cases)
      fputs("default:", w->out);
    else
      fprintf(w->out, "case %uu:", i);
    end(w);
    put_inner(w, s->parts[i]);
    if (!(s->falls >> i & 1))
      put_line(w, "  break;");
  }
  put_line(w, "}");
}

static void put_elect(Printer *w, const CvStatement *s) {
  put_line(w, "for (;;) {");
  put_second_exit(w);
  put_inner(w, s->parts[1]);
  put_line(w, "  if (subgroupElect()) {");
  w->indent++;
  put_inner(w, s->parts[0]);
  w->indent--;
  put_line(w, "    break;");
  put_line(w, "  }");
  put_line(w, "}");
}

static void put_statement(Printer *w, const CvStatement *s) {
  switch (s->kind) {
  case CV_TELL:
    begin(w);
    put_tell(w, s);
    fputc(';', w->out);
    end(w);
    return;
  case CV_IF:
    put_if(w, s);
    return;
  case CV_LOOP:
    put_loop(w, s);
    return;
  case CV_SWITCH:
    put_switch(w, s);
    return;
  case CV_ELECT:
    put_elect(w, s);
    return;
  case CV_CALL:
    begin(w);
    fprintf(w->out, "f%u();", s->callee);
    end(w);
    return;
  default:
    put_line(w, s->kind == CV_BREAK ? "break;" : s->kind == CV_CONTINUE ? "continue;" : "return;");
  }
}

static void put_block(Printer *w, uint32_t first) {
  for (uint32_t s = first; s != CV_NONE; s = w->p->at[s].next)
    put_statement(w, &w->p->at[s]);
}

static void put_function(Printer *w, uint32_t f, const char *attribute) {
  w->counters = 0;
  w->innermost = CV_NONE;
  w->indent = 0;
  if (f + 1 == w->p->function_count)
    fprintf(w->out, "void main()%s {", attribute);
  else
    fprintf(w->out, "void f%u() {", f);
  end(w);
  w->indent = 1;
  if (f + 1 == w->p->function_count)
    put_line(w, "begin();");
  put_block(w, w->p->functions[f]);
  w->indent = 0;
  put_line(w, "}");
}

uint32_t cv_glsl_functions(const CvProgram *program, const char *attribute, FILE *out) {
  Printer w = {.p = program, .out = out};
  for (uint32_t f = 0; f < program->function_count; f++)
    if (program->functions[f] != CV_NONE || f + 1 == program->function_count)
      put_function(&w, f, attribute);
  return w.lines;
}

static const char tell_head[] = "uint lane, records;\n"
                                "uvec4 bit; // of this invocation in its subgroup\n"
                                "uint tell(uint point, uvec4 seen) {\n"
                                "  uint at = 1u + (lane * %uu + min(records, %uu)) * %uu;\n";
static const char tell_end[] = "  records++;\n"
                               "  return 1u;\n"
                               "}\n";
static const char helpers[] =
    "uint value(uint row) { return values[row * %uu + lane]; }\n"
    "void begin() {\n"
    "  lane = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;\n"
    "  records = 0u;\n"
    "  bit = uvec4(0u);\n"
    "  bit[gl_SubgroupInvocationID >> 5] = 1u << (gl_SubgroupInvocationID & 31u);\n"
    "  told[0] = gl_SubgroupSize;\n"
    "}\n";

static void put_tell_function(uint32_t subgroup_size, FILE *out) {
  static const char *const beyond[CV_WORDS] = {"seen.y | seen.z | seen.w", "seen.z | seen.w",
                                               "seen.w", "0u"};
  uint32_t words = cv_set_words(subgroup_size);
  fprintf(out, tell_head, CV_RECORDS, CV_RECORDS - 1, 1 + words);
  fprintf(out, "  told[at] = point + 1u + ((%s) != 0u ? 0x%xu : 0u);\n", beyond[words - 1],
          CV_BEYOND);
  for (uint32_t i = 0; i < words; i++)
    fprintf(out, "  told[at + %uu] = seen.%c;\n", i + 1, "xyzw"[i]);
  fputs(tell_end, out);
}

void cv_glsl(const CvProgram *program, CvMode mode, uint32_t subgroup_size, bool declares,
             FILE *out) {
  static const char *const extensions[CV_MODES] = {
      "#extension GL_EXT_maximal_reconvergence : require\n",
      "#extension GL_EXT_subgroup_uniform_control_flow : require\n", ""};
  static const char *const attributes[CV_MODES] = {" [[maximally_reconverges]]",
                                                   " [[subgroup_uniform_control_flow]]", ""};
  uint32_t total = subgroup_size * CV_SUBGROUPS;
  fprintf(out,
          "#version 450\n"
          "#extension GL_KHR_shader_subgroup_basic : require\n"
          "#extension GL_KHR_shader_subgroup_ballot : require\n"
          "#extension GL_KHR_shader_subgroup_arithmetic : require\n"
          "%slayout(local_size_x = %u) in;\n"
          "layout(set = 0, binding = 0) readonly buffer Values { uint values[]; };\n"
          "layout(set = 0, binding = 1) buffer Told { uint told[]; };\n",
          declares ? extensions[mode] : "", total);
  put_tell_function(subgroup_size, out);
  fprintf(out, helpers, total);
  cv_glsl_functions(program, declares ? attributes[mode] : "", out);
}
