/* SPDX-License-Identifier: Apache-2.0 */
/* new_case: see new_case.h. */
#include "new/new_case.h"

#include "base/shell.h"
#include "cases/contents.h"
#include "compile/compile_include.h"
#include "new/new_text.h"

#include <ctype.h>
#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 1024, HEADER = 5 };

typedef struct Maker {
  const HnNewCase *wanted;
  char *text; /* of the source; NULL: a module */
  CliInput module;
  CompileStage stage;
  spv_emu_program *program;
  uint32_t groups[3];
  EmuContents contents;
  HnNewBuffer *buffers;
  uint32_t buffer_count;
  uint64_t outside; /* accesses out of bounds, in all runs */
  char **message;
} Maker;

static bool fail(Maker *m, const char *text) {
  if (!*m->message)
    *m->message = strdup(text);
  return false;
}

bool hn_new_case_is(const char *path) {
  CompileLanguage language;
  CompileStage stage;
  return compile_kind_of(path, &language, &stage);
}

/* ---- the module ------------------------------------------------------------------------------ */

/* Assembles a module that is text. */
static bool assemble(Maker *m) {
  spvreconv_options none;
  spvreconv_result *result = NULL;
  spvreconv_options_init(&none, sizeof none);
  none.transform = "none";
  none.validate = SPVRECONV_VALIDATE_NONE;
  bool good =
      spvreconv_run_text(&none, m->module.bytes, m->module.count, &result) == SPVRECONV_OK ||
      fail(m, result ? spvreconv_result_message(result) : "out of memory");
  size_t count = 0;
  const uint32_t *words = good ? spvreconv_result_words(result, &count) : NULL;
  char *copy = good ? malloc(count * sizeof *words + 1) : NULL;
  if (copy) {
    memcpy(copy, words, count * sizeof *words);
    free(m->module.bytes);
    m->module = (CliInput){copy, count * sizeof *words, true};
  }
  spvreconv_result_destroy(result);
  return copy || fail(m, "out of memory");
}

/* Fails with the commands that make cases of the file's kernels, and run them. */
static bool fail_kernels(Maker *m) {
  const CliSource *source = &m->wanted->source;
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return fail(m, "out of memory");
  fputs("this is OpenCL C, each kernel of which is a case; type: spv-harness kernels ", out);
  hn_shell_word(out, m->wanted->path);
  fputs(" cases", out);
  for (uint32_t i = 0; i < source->option_count; i++) {
    fputs(i ? " " : " -- ", out);
    hn_shell_word(out, source->options[i]);
  }
  fputs(" && spv-harness run --device=emu cases", out);
  bool good = !fclose(out);
  fail(m, good ? text : "out of memory");
  free(text);
  return false;
}

static bool fail_stage(Maker *m) {
  char text[MESSAGE];
  snprintf(text, sizeof text,
           "this is a %s shader, and a case is made of a compute shader: write the case, with the "
           "shader in it; docs/harness.md says how",
           compile_stage_name(m->stage));
  return fail(m, text);
}

static bool read_module(Maker *m) {
  const HnNewCase *wanted = m->wanted;
  if (!cli_read(wanted->path, &m->module))
    return fail(m, "");
  if (m->module.binary)
    return true;
  if (!cli_source_is(&wanted->source, wanted->path))
    return assemble(m);
  m->text = strdup(m->module.bytes);
  if (!m->text)
    return fail(m, "out of memory");
  if (!cli_source_compile(&wanted->source, wanted->path, &m->module, &m->stage))
    return fail(m, "");
  if (m->stage == COMPILE_KERNEL)
    return fail_kernels(m);
  if (m->stage != COMPILE_COMPUTE && m->stage != COMPILE_NO_STAGE)
    return fail_stage(m);
  return true;
}

static const uint32_t *words_of(const Maker *m, size_t *count) {
  *count = m->module.count / sizeof(uint32_t);
  return (const uint32_t *)(const void *)m->module.bytes;
}

static bool load(Maker *m, uint32_t subgroup_size, spv_emu_program **program, char *message) {
  size_t count;
  const uint32_t *words = words_of(m, &count);
  const spv_emu_load_options options = {.subgroup_size = subgroup_size, .shapes = true};
  return spv_emu_load(words, count, &options, program, message, MESSAGE) == SPV_EMU_OK;
}

/* ---- contents -------------------------------------------------------------------------------- */

static bool make_contents(Maker *m, uint32_t room) {
  char message[MESSAGE];
  EmuBareOptions given = {0};
  memcpy(given.groups, m->groups, sizeof given.groups);
  if (!emu_contents_make(m->program, &given, &m->wanted->seed, room, &m->contents, message,
                         sizeof message))
    return fail(m, message);
  m->buffers = calloc(m->contents.guess.count + 1u, sizeof *m->buffers);
  return m->buffers || fail(m, "out of memory");
}

static void drop_contents(Maker *m) {
  for (uint32_t i = 0; i < m->buffer_count; i++)
    for (int k = 0; k < HN_NEW_RUNS; k++)
      free(m->buffers[i].after[k]);
  free(m->buffers);
  m->buffers = NULL;
  m->buffer_count = 0;
  emu_contents_free(&m->contents);
}

/* ---- names ----------------------------------------------------------------------------------- */

static const spv_emu_binding *binding_of(const Maker *m, const EmuPlace *place) {
  uint32_t count;
  const spv_emu_binding *b = spv_emu_bindings(m->program, &count);
  while (b->set != place->set || b->binding != place->binding)
    b++;
  return b;
}

static bool is_taken(const Maker *m, const char *name) {
  for (uint32_t i = 0; i < m->buffer_count; i++)
    if (strcmp(m->buffers[i].name, name) == 0)
      return true;
  return false;
}

/* From the shader's name, up to the first character that is not of a word; with set and binding
 * where several have that name. */
static void name_buffer(const Maker *m, HnNewBuffer *b) {
  size_t length = 0;
  const char *name = b->shape->name;
  while (length < 40 && (isalnum((unsigned char)name[length]) || name[length] == '_'))
    length++;
  bool plain = length && !name[length] && !isdigit((unsigned char)*name);
  snprintf(b->name, sizeof b->name, "%s", plain ? name : "buffer");
  if (b->binding && (!plain || b->binding->count != 1 || is_taken(m, b->name)))
    snprintf(b->name, sizeof b->name, "%.*s_%u_%u_%u", plain ? (int)length : 6,
             plain ? name : "buffer", b->binding->set, b->binding->binding, b->element);
  else if (is_taken(m, b->name))
    snprintf(b->name, sizeof b->name, "push_constants");
}

static void add_buffer(Maker *m, const spv_emu_binding *binding, const spv_emu_shape *shape,
                       uint32_t element, const EmuValues *values) {
  HnNewBuffer *b = &m->buffers[m->buffer_count];
  *b = (HnNewBuffer){.binding = binding, .shape = shape, .element = element, .values = values};
  name_buffer(m, b);
  m->buffer_count++;
}

static bool list_buffers(Maker *m) {
  for (uint32_t i = 0; i < m->contents.options.buffer_count; i++) {
    const spv_emu_binding *binding = binding_of(m, &m->contents.buffers[i].place);
    add_buffer(m, binding, binding->shape, m->contents.buffers[i].element,
               &m->contents.buffers[i].values);
  }
  if (m->contents.options.push_constant_count)
    add_buffer(m, NULL, spv_emu_push_constant_shape(m->program), 0, &m->contents.pushed[0]);
  for (uint32_t i = 0; i < m->buffer_count; i++) {
    const char *why = hn_new_obstacle(&m->buffers[i]);
    char text[MESSAGE];
    snprintf(text, sizeof text, "%s is %s", m->buffers[i].name, why ? why : "");
    if (why)
      return fail(m, text);
  }
  return true;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static const struct {
  uint32_t size;
  const char *policy;
  bool backwards;
} runs[HN_NEW_RUNS] = {{32, NULL, false}, {32, "scalar", false}, {8, NULL, false},
                       {4, NULL, false},  {32, NULL, true},      {4, NULL, true}};

static bool keep_outputs(Maker *m, int run, const EmuRow *row) {
  for (uint32_t i = 0; i < m->contents.options.buffer_count; i++)
    for (uint32_t k = 0; k < row->output_count; k++) {
      const EmuOutput *o = &row->outputs[k];
      const EmuBareBuffer *b = &m->contents.buffers[i];
      if (o->set != b->place.set || o->binding != b->place.binding || o->element != b->element)
        continue;
      m->buffers[i].after[run] = malloc(o->size + 1);
      if (!m->buffers[i].after[run])
        return fail(m, "out of memory");
      memcpy(m->buffers[i].after[run], o->bytes, o->size);
    }
  return true;
}

static bool run_bare(Maker *m, int run, const spv_emu_program *program, char *message) {
  const spv_emu_run_options how = {.policy = runs[run].policy, .backwards = runs[run].backwards};
  EmuBare *bare = NULL;
  EmuRow row = {0};
  bool good = emu_bare_open(program, &m->contents.options, &bare, message, MESSAGE) == SPV_EMU_OK &&
              emu_bare_run(bare, &how, &row, message, MESSAGE) == SPV_EMU_OK;
  if (good) {
    const spv_emu_result total = emu_row_total(&row);
    snprintf(message, MESSAGE, "the emulator: %s", emu_row_message(&row, &total));
    good = total.outcome == SPV_EMU_RAN && keep_outputs(m, run, &row);
    m->outside += total.out_of_bounds;
  }
  emu_row_free(&row);
  emu_bare_close(bare);
  return good;
}

/* A run that fails is an error if it is the first; else its results are not compared. */
static bool run_all(Maker *m) {
  char message[MESSAGE] = "";
  for (int i = 0; i < HN_NEW_RUNS; i++) {
    spv_emu_program *program = NULL;
    bool good = load(m, runs[i].size, &program, message) && run_bare(m, i, program, message);
    spv_emu_free(program);
    if (!good && !i)
      return fail(m, *message ? message : "out of memory");
  }
  return true;
}

/* ---- the shader in the case ------------------------------------------------------------------ */

/* Features that a case must name, by capability. */
static const struct {
  SpvCapability capability;
  const char *feature;
} features[] = {
    {SpvCapabilityGroupNonUniform, "SubgroupSupportedOperations.basic"},
    {SpvCapabilityGroupNonUniform, "SubgroupSupportedStages.compute"},
    {SpvCapabilityGroupNonUniformVote, "SubgroupSupportedOperations.vote"},
    {SpvCapabilityGroupNonUniformArithmetic, "SubgroupSupportedOperations.arithmetic"},
    {SpvCapabilityGroupNonUniformBallot, "SubgroupSupportedOperations.ballot"},
    {SpvCapabilityGroupNonUniformShuffle, "SubgroupSupportedOperations.shuffle"},
    {SpvCapabilityGroupNonUniformShuffleRelative, "SubgroupSupportedOperations.shuffleRelative"},
    {SpvCapabilityGroupNonUniformClustered, "SubgroupSupportedOperations.clustered"},
    {SpvCapabilityGroupNonUniformQuad, "SubgroupSupportedOperations.quad"},
    {SpvCapabilityFloat64, "shaderFloat64"},
    {SpvCapabilityInt64, "shaderInt64"},
    {SpvCapabilityInt16, "shaderInt16"},
    {SpvCapabilityInt8, "Float16Int8Features.shaderInt8"},
    {SpvCapabilityFloat16, "Float16Int8Features.shaderFloat16"},
    {SpvCapabilityStorageBuffer16BitAccess, "Storage16BitFeatures.storageBuffer16BitAccess"},
    {SpvCapabilityUniformAndStorageBuffer16BitAccess,
     "Storage16BitFeatures.uniformAndStorageBuffer16BitAccess"},
    {SpvCapabilityStorageBuffer8BitAccess, "Storage8BitFeatures.storageBuffer8BitAccess"},
    {SpvCapabilityStorageImageReadWithoutFormat, "shaderStorageImageReadWithoutFormat"},
    {SpvCapabilityStorageImageWriteWithoutFormat, "shaderStorageImageWriteWithoutFormat"},
    {SpvCapabilityVariablePointers, "VariablePointerFeatures.variablePointers"},
    {SpvCapabilityVariablePointersStorageBuffer,
     "VariablePointerFeatures.variablePointersStorageBuffer"},
};

static void write_features(const Maker *m, FILE *out) {
  size_t count;
  const uint32_t *words = words_of(m, &count);
  for (size_t at = HEADER; at + 1 < count && words[at] == (2u << 16 | SpvOpCapability); at += 2)
    for (size_t i = 0; i < sizeof features / sizeof *features; i++)
      if (words[at + 1] == (uint32_t)features[i].capability)
        fprintf(out, "DEVICE_FEATURE %s\n", features[i].feature);
}

/* Would a line of the text end the SHADER? */
static bool has_end(const char *text) {
  for (const char *line = text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    const char *word = line + strspn(line, " \t");
    if (strncmp(word, "END", 3) == 0 && strchr(" \t\r\n", word[3]))
      return true;
  }
  return false;
}

static void write_body(FILE *out, const char *text) {
  fputs(text, out);
  if (*text && text[strlen(text) - 1] != '\n')
    fputc('\n', out);
  fputs("END\n\n", out);
}

/* GLSL as it is, with the text of each #include; anything else as assembly. */
static bool write_glsl(Maker *m, FILE *out, unsigned minor) {
  CompileLanguage language;
  CompileStage stage;
  compile_kind_of(m->wanted->path, &language, &stage);
  if (!m->text || language != COMPILE_GLSL)
    return false;
  const CompileText text = {m->wanted->path, m->text, strlen(m->text)};
  char *whole = compile_include(&text, m->wanted->source.options, m->wanted->source.option_count);
  bool usable = whole && !has_end(whole);
  if (usable) {
    fprintf(out, "SHADER compute shader GLSL TARGET_ENV spv1.%u\n", minor);
    write_body(out, whole);
  }
  free(whole);
  return usable;
}

static bool write_assembly(Maker *m, FILE *out, unsigned minor) {
  spvreconv_options none;
  spvreconv_result *result = NULL;
  size_t count;
  const uint32_t *words = words_of(m, &count);
  spvreconv_options_init(&none, sizeof none);
  none.transform = "none";
  none.validate = SPVRECONV_VALIDATE_NONE;
  none.want = SPVRECONV_WANT_ASSEMBLY;
  bool good = spvreconv_run(&none, words, count, &result) == SPVRECONV_OK;
  const char *text = good ? spvreconv_result_text(result, SPVRECONV_WANT_ASSEMBLY) : NULL;
  if (text) {
    fprintf(out, "SHADER compute shader SPIRV-ASM TARGET_ENV spv1.%u\n", minor);
    write_body(out, text);
  }
  spvreconv_result_destroy(result);
  return text || fail(m, "SPIRV-Tools cannot print the module as text");
}

/* *glsl: the shader is written as GLSL, so that -D become options of the case. */
static bool write_shader(Maker *m, FILE *out, bool *glsl) {
  size_t count;
  unsigned minor = words_of(m, &count)[1] >> 8 & 0xff;
  *glsl = write_glsl(m, out, minor);
  return *glsl || write_assembly(m, out, minor);
}

/* ---- the pipeline ---------------------------------------------------------------------------- */

static const char *const kind_names[] = {"storage", "uniform"};

static void write_sampler(FILE *out, const spv_emu_sampler *s) {
  static const char *const filters[] = {"nearest", "linear"};
  static const char *const modes[] = {"repeat", "mirrored_repeat", "clamp_to_edge",
                                      "clamp_to_border"};
  const char *mode = modes[s->address_mode[0]];
  fprintf(out,
          "SAMPLER sampler_%u_%u_%u MAG_FILTER %s MIN_FILTER %s ADDRESS_MODE_U %s ADDRESS_MODE_V "
          "%s ADDRESS_MODE_W %s%s\n",
          s->set, s->binding, s->element, filters[s->mag_filter], filters[s->min_filter], mode,
          mode, mode, s->compare ? " COMPARE on COMPARE_OP less" : "");
}

/* How a binding's descriptors are bound; its buffers follow each other. */
static void bind(const Maker *m, FILE *out, uint32_t first, uint32_t count) {
  const HnNewBuffer *b = &m->buffers[first];
  const spv_emu_shape *shape = b->shape;
  bool texels = shape->image && shape->dimension == SpvDimBuffer;
  fprintf(out, "  BIND BUFFER%s", count > 1 ? "_ARRAY" : "");
  for (uint32_t i = 0; i < count; i++)
    fprintf(out, " %s", m->buffers[first + i].name);
  if (texels)
    fprintf(out, " AS %s_texel_buffer", shape->storage ? "storage" : "uniform");
  else if (shape->image && shape->sampler)
    fprintf(out, " AS combined_image_sampler SAMPLER sampler_%u_%u_0", b->binding->set,
            b->binding->binding);
  else if (shape->image)
    fprintf(out, " AS %s_image", shape->storage ? "storage" : "sampled");
  else
    fprintf(out, " AS %s", kind_names[shape->uniform]);
  fprintf(out, " DESCRIPTOR_SET %u BINDING %u\n", b->binding->set, b->binding->binding);
}

static void bind_all(const Maker *m, FILE *out) {
  for (uint32_t i = 0; i < m->buffer_count;) {
    uint32_t count = 1;
    if (!m->buffers[i].binding) {
      fprintf(out, "  BIND BUFFER %s AS push_constant\n", m->buffers[i++].name);
      continue;
    }
    while (i + count < m->buffer_count && m->buffers[i + count].binding == m->buffers[i].binding)
      count++;
    bind(m, out, i, count);
    i += count;
  }
  for (uint32_t i = 0; i < m->contents.options.sampler_count; i++) {
    const spv_emu_sampler *s = &m->contents.samplers[i];
    const EmuPlace place = {.set = s->set, .binding = s->binding};
    if (!binding_of(m, &place)->shape->image)
      fprintf(out, "  BIND SAMPLER sampler_%u_%u_%u DESCRIPTOR_SET %u BINDING %u\n", s->set,
              s->binding, s->element, s->set, s->binding);
  }
}

/* The name of the module's entry point. */
static const char *entry_name(const Maker *m) {
  size_t count;
  const uint32_t *words = words_of(m, &count);
  for (size_t at = HEADER; at < count && words[at] >> 16; at += words[at] >> 16)
    if ((words[at] & 0xffff) == SpvOpEntryPoint && (words[at] >> 16) > 3)
      return (const char *)&words[at + 3];
  return "main";
}

static void write_pipeline(const Maker *m, FILE *out, bool glsl) {
  const CliSource *source = &m->wanted->source;
  fputs("PIPELINE compute pipeline\n  ATTACH shader", out);
  if (strcmp(entry_name(m), "main") != 0)
    fprintf(out, " ENTRY_POINT %s", entry_name(m));
  fputc('\n', out);
  if (glsl && source->option_count) {
    fputs("  COMPILE_OPTIONS shader\n", out);
    for (uint32_t i = 0; i < source->option_count; i++)
      if (strncmp(source->options[i], "-D", 2) == 0)
        fprintf(out, "    %s\n", source->options[i]);
    fputs("  END\n", out);
  }
  bind_all(m, out);
  fprintf(out, "END\n\nRUN pipeline %u %u %u\n\n", m->contents.options.groups[0],
          m->contents.options.groups[1], m->contents.options.groups[2]);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void write_head(const Maker *m, FILE *out) {
  fprintf(out,
          "#!amber\n"
          "# %s with made-up contents, seed %llu. A template: change the numbers to those that\n"
          "# matter, and the EXPECTs with them.\n\n",
          m->wanted->path, (unsigned long long)m->wanted->seed);
  if (m->outside)
    fputs("# With these contents the shader accesses memory out of bounds, on which drivers may "
          "crash.\n\n",
          out);
  write_features(m, out);
}

static void write_expects(const Maker *m, FILE *out) {
  fputs("# As the emulator computes them. Floats may differ by a ten-thousandth of the largest.\n"
        "# Take out by hand what depends on workgroups that run at once, or on unwritten memory.\n",
        out);
  for (uint32_t i = 0; i < m->buffer_count; i++) {
    const HnNewBuffer *b = &m->buffers[i];
    if (!b->binding || !b->binding->written || !b->after[0])
      continue;
    if (!hn_new_changes(b)) {
      fprintf(out, "# %s stays as it is.\n", b->name);
      continue;
    }
    uint64_t left_out = hn_new_expect(out, b);
    if (left_out)
      fprintf(
          out,
          "# %s: %llu numbers are left out: they depend on the subgroup's size or the order of\n"
          "# invocations, are not finite, or are parts of a packed format.\n",
          b->name, (unsigned long long)left_out);
  }
}

static bool write_case(Maker *m, FILE *out) {
  bool glsl;
  write_head(m, out);
  if (!write_shader(m, out, &glsl))
    return false;
  for (uint32_t i = 0; i < m->buffer_count; i++)
    hn_new_declare(out, &m->buffers[i]);
  for (uint32_t i = 0; i < m->contents.options.sampler_count; i++)
    write_sampler(out, &m->contents.samplers[i]);
  fputc('\n', out);
  write_pipeline(m, out, glsl);
  write_expects(m, out);
  return true;
}

static bool try_with(Maker *m, uint32_t room) {
  drop_contents(m);
  m->outside = 0;
  return make_contents(m, room) && list_buffers(m) && run_all(m);
}

/* False: it is one workgroup already. */
static bool halve(uint32_t groups[3]) {
  int largest = 0;
  for (int i = 1; i < 3; i++)
    if (groups[i] > groups[largest])
      largest = i;
  groups[largest] /= 2;
  return groups[largest] != 0;
}

/* Makes arrays larger, or, if their lengths are fixed, the dispatch smaller, until no access is out
 * of bounds, which drivers may crash on. */
static bool try_sizes(Maker *m) {
  enum { MOST_ROOM = 256 };
  for (uint32_t room = 1; room <= MOST_ROOM; room *= 4)
    if (!try_with(m, room) || !m->outside)
      return !*m->message;
  while (halve(m->groups))
    if (!try_with(m, 1) || !m->outside)
      return !*m->message;
  emu_guess_dispatch(m->program, m->groups);
  return try_with(m, MOST_ROOM);
}

static bool make(Maker *m, FILE *out) {
  char message[MESSAGE];
  if (!read_module(m))
    return false;
  if (!load(m, 32, &m->program, message))
    return fail(m, message);
  emu_guess_dispatch(m->program, m->groups);
  return try_sizes(m) && write_case(m, out);
}

static void clear(Maker *m) {
  drop_contents(m);
  spv_emu_free(m->program);
  free(m->module.bytes);
  free(m->text);
}

char *hn_new_case(const HnNewCase *wanted, bool *outside, char **message) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  Maker m = {.wanted = wanted, .stage = COMPILE_NO_STAGE, .message = message};
  *message = NULL;
  bool good = out && make(&m, out);
  if (out && fclose(out) != 0)
    good = false;
  clear(&m);
  *outside = m.outside != 0;
  if (good)
    return text;
  if (!*message)
    *message = strdup("out of memory");
  free(text);
  return NULL;
}
