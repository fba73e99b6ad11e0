/* SPDX-License-Identifier: Apache-2.0 */
/* program_file: see program_file.h. */
#include "tests/emu/program_file.h"

#include "harness/shader/case_file.h"
#include "passes/tool/compile/compile_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The current line; `rest`: what comes after its first word. */
typedef struct Line {
  Program *p;
  char *rest;
  char *message;
} Line;

static bool wrong(Line *l, const char *why) {
  snprintf(l->message, PROGRAM_MESSAGE, "'%.100s': %s", l->rest, why);
  return false;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static ProgramMemory *memory_at(Line *l, uint32_t set, uint32_t binding, uint32_t element) {
  Program *p = l->p;
  for (uint32_t i = 0; i < p->memory_count; i++) {
    ProgramMemory *m = &p->memories[i];
    if (m->set == set && m->binding == binding && m->element == element)
      return m;
  }
  if (p->memory_count == PROGRAM_MEMORIES)
    return NULL;
  ProgramMemory *m = &p->memories[p->memory_count++];
  *m = (ProgramMemory){.set = set, .binding = binding, .element = element};
  return m;
}

static ProgramMemory *parse_values(Line *l, EmuValues *values) {
  EmuBareBuffer buffer;
  if (!emu_buffer_parse(l->rest, &buffer, l->message, PROGRAM_MESSAGE))
    return NULL;
  *values = buffer.values;
  return memory_at(l, buffer.place.set, buffer.place.binding, buffer.element);
}

static bool start(Line *l) {
  EmuValues values;
  ProgramMemory *m = parse_values(l, &values);
  if (!m)
    return false;
  m->start = values;
  return true;
}

static bool wanted(Line *l, ProgramMatch match, double tolerance) {
  EmuValues values;
  ProgramMemory *m = parse_values(l, &values);
  if (!m)
    return false;
  m->wanted = values;
  m->match = match;
  m->tolerance = tolerance;
  return true;
}

static bool exact(Line *l) {
  return wanted(l, PROGRAM_EXACT, 0);
}

static bool ulp(Line *l) {
  double tolerance = strtod(l->rest, &l->rest);
  l->rest += strspn(l->rest, " ");
  return wanted(l, PROGRAM_ULP, tolerance);
}

static bool near(Line *l) {
  double tolerance = strtod(l->rest, &l->rest);
  l->rest += strspn(l->rest, " ");
  return wanted(l, PROGRAM_NEAR, tolerance);
}

static bool image(Line *l) {
  spv_emu_image i = {0};
  char name[64];
  if (sscanf(l->rest, "%u:%u %63s %u %u %u %u %u %u", &i.set, &i.binding, name, &i.width, &i.height,
             &i.depth, &i.layers, &i.levels, &i.samples) != 9)
    return wrong(l, "no image");
  const EmuFormat *format = emu_format_find(name);
  ProgramMemory *m = memory_at(l, i.set, i.binding, 0);
  if (!format || !m)
    return wrong(l, "no such format, or too many buffers");
  i.format = format->vk;
  m->image = i;
  return true;
}

static bool sampler(Line *l) {
  spv_emu_sampler s = {.max_lod = 1000};
  uint32_t compare;
  if (l->p->sampler_count == PROGRAM_SAMPLERS ||
      sscanf(l->rest, "%u:%u %u %u %u %u", &s.set, &s.binding, &s.mag_filter, &s.mipmap_mode,
             &s.address_mode[0], &compare) != 6)
    return wrong(l, "no sampler, or too many");
  s.min_filter = s.mag_filter;
  s.address_mode[1] = s.address_mode[2] = s.address_mode[0];
  s.compare = compare > 0;
  s.compare_op = compare ? compare - 1 : 0;
  l->p->samplers[l->p->sampler_count++] = s;
  return true;
}

static bool push(Line *l) {
  Program *p = l->p;
  EmuValues values;
  if (!emu_values_parse(l->rest, &values, l->message, PROGRAM_MESSAGE))
    return false;
  bool fits = values.size <= sizeof p->push - p->push_bytes;
  if (fits) {
    memcpy(p->push + p->push_bytes, values.bytes, values.size);
    p->push_bytes += (uint32_t)values.size;
  }
  emu_values_free(&values);
  return fits || wrong(l, "too many push constants");
}

/* ---- other lines ----------------------------------------------------------------------------- */

static bool spec(Line *l) {
  Program *p = l->p;
  if (p->spec_count == PROGRAM_SPECS)
    return wrong(l, "too many specialization constants");
  return emu_spec_parse(l->rest, &p->specs[p->spec_count++], l->message, PROGRAM_MESSAGE);
}

static bool three(Line *l, uint32_t numbers[3]) {
  return sscanf(l->rest, "%u,%u,%u", &numbers[0], &numbers[1], &numbers[2]) == 3 ||
         wrong(l, "not three numbers");
}

static bool groups(Line *l) {
  return three(l, l->p->groups);
}

static bool local(Line *l) {
  return three(l, l->p->local);
}

static bool sizes(Line *l) {
  Program *p = l->p;
  p->size_count = 0;
  for (char *word = strtok(l->rest, " "); word; word = strtok(NULL, " ")) {
    if (p->size_count == PROGRAM_SIZES)
      return wrong(l, "too many sizes");
    p->sizes[p->size_count++] = (uint32_t)strtoul(word, NULL, 10);
  }
  return true;
}

static bool policies(Line *l) {
  Program *p = l->p;
  p->policy_count = 0;
  for (char *word = strtok(l->rest, " "); word; word = strtok(NULL, " ")) {
    if (p->policy_count == PROGRAM_POLICIES)
      return wrong(l, "too many policies");
    p->policies[p->policy_count++] = word;
  }
  return true;
}

static bool dropped(Line *l) {
  l->p->dropped = strtoull(l->rest, NULL, 10);
  return true;
}

static bool refused(Line *l) {
  l->p->refused = l->rest;
  return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static const struct {
  const char *word;
  bool (*read)(Line *l);
} words[] = {
    {"BUFFER", start},    {"EXPECT", exact},    {"ULP", ulp},     {"NEAR", near},
    {"IMAGE", image},     {"SAMPLER", sampler}, {"PUSH", push},   {"SPEC", spec},
    {"GROUPS", groups},   {"LOCAL", local},     {"SIZES", sizes}, {"POLICIES", policies},
    {"DROPPED", dropped}, {"REFUSED", refused},
};

/* A comment that begins with one of the words. */
static bool read_line(Program *p, char *line, char *message) {
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i].word);
    if (strncmp(line, "; ", 2) != 0 || strncmp(line + 2, words[i].word, length) != 0 ||
        line[2 + length] != ' ')
      continue;
    char *rest = line + 2 + length;
    Line l = {p, rest + strspn(rest, " "), message};
    return words[i].read(&l);
  }
  return true;
}

/* Removes each "\" with the end of the line, "; " of the next line, and spaces between these. */
static void join_lines(char *text) {
  char *to = text;
  for (const char *from = text; *from; *to++ = *from++)
    while (from[0] == '\\' && from[1] == '\n')
      from += 2 + strspn(from + 2, "; ");
  *to = '\0';
}

static char *copy_of(const uint8_t *bytes, size_t length) {
  char *text = malloc(length + 1);
  if (text) {
    memcpy(text, bytes, length);
    text[length] = '\0';
  }
  return text;
}

static bool read_text(const char *path, Program *p) {
  uint8_t *bytes;
  if (!compile_file_read(path, HN_FILE_MOST, &bytes, &p->length))
    return false;
  p->text = copy_of(bytes, p->length);
  p->source = copy_of(bytes, p->length);
  free(bytes);
  return p->text && p->source;
}

bool program_read(const char *path, Program *program, char message[PROGRAM_MESSAGE]) {
  *program = (Program){.sizes = {1, 4, 32},
                       .size_count = 3,
                       .policies = {"scalar", "maximal", "tf-stack", "structured"},
                       .policy_count = 4,
                       .groups = {1, 1, 1}};
  if (!read_text(path, program)) {
    snprintf(message, PROGRAM_MESSAGE, "it cannot be read");
    return false;
  }
  join_lines(program->text);
  for (char *line = program->text; line;) {
    char *end = strchr(line, '\n');
    if (end)
      *end = '\0';
    if (!read_line(program, line, message))
      return false;
    line = end ? end + 1 : NULL;
  }
  return true;
}

void program_free(Program *program) {
  for (uint32_t i = 0; i < program->memory_count; i++) {
    emu_values_free(&program->memories[i].start);
    emu_values_free(&program->memories[i].wanted);
  }
  for (uint32_t i = 0; i < program->spec_count; i++)
    emu_spec_free(&program->specs[i]);
  free(program->text);
  free(program->source);
}
