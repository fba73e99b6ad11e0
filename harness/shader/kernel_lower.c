/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_lower: see kernel_lower.h. What is made for the script is in a list, freed as a whole. */
#include "harness/shader/kernel_lower.h"

#include "harness/shader/kernel_parameters.h"

#include <spirv/unified1/NonSemanticClspvReflection.h>
#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, MOST_IDS = 1 << 22, MOST_WORDS = 6 };

static const char PREFIX[] = "NonSemantic.ClspvReflection.", TRANSFORM[] = "kernel-to-shader";

char *hn_kernel_lower_list(const char *transforms) {
  char *list;
  bool none = strcmp(transforms, "none") == 0;
  if (strncmp(transforms, TRANSFORM, strlen(TRANSFORM)) == 0)
    return strdup(transforms);
  return asprintf(&list, "%s%s%s", TRANSFORM, none ? "" : ",", none ? "" : transforms) < 0 ? NULL
                                                                                           : list;
}

/* ---- what the module says -------------------------------------------------------------------- */

/* An instruction of the reflection. */
typedef struct Said {
  uint32_t op, id;
  uint32_t kernel;           /* the id of its Kernel; 0: it is not about a kernel */
  uint32_t word[MOST_WORDS]; /* the numbers */
} Said;

typedef struct Reading {
  HnModule module;
  uint32_t set;     /* the id of the import */
  uint32_t *number; /* by id: the value of a constant */
  size_t *text;     /* by id: the word where an OpString's text starts */
  uint32_t bound;
  Said *said; /* owned, as are the other two */
  uint32_t count;
} Reading;

/* The import of the set, 0: there is none. */
static uint32_t find_set(HnModule m) {
  for (size_t at = HEADER; at < m.count && m.words[at] >> 16; at += m.words[at] >> 16)
    if ((m.words[at] & 0xffff) == SpvOpExtInstImport &&
        strncmp((const char *)&m.words[at + 2], PREFIX, strlen(PREFIX)) == 0)
      return m.words[at + 1];
  return 0;
}

bool hn_kernel_lower_is(HnModule module) {
  return find_set(module) != 0;
}

static bool is_about_kernel(uint32_t op) {
  return op != NonSemanticClspvReflectionSpecConstantWorkgroupSize &&
         op != NonSemanticClspvReflectionSpecConstantWorkDim &&
         op != NonSemanticClspvReflectionLiteralSampler &&
         op != NonSemanticClspvReflectionArgumentInfo;
}

static void read_said(Reading *r, size_t at) {
  const uint32_t *w = &r->module.words[at];
  uint32_t count = w[0] >> 16, first = 5;
  Said *s = &r->said[r->count++];
  *s = (Said){.op = w[4], .id = w[2]};
  if (s->op == NonSemanticClspvReflectionKernel) {
    s->word[0] = w[6]; /* the name */
    return;
  }
  if (is_about_kernel(s->op))
    s->kernel = w[first++];
  for (uint32_t i = first; i < count && i - first < MOST_WORDS; i++)
    s->word[i - first] = w[i] < r->bound ? r->number[w[i]] : 0;
}

static bool read_reflection(Reading *r, HnModule m) {
  *r = (Reading){.module = m, .set = find_set(m), .bound = m.words[3]};
  uint32_t most = 0;
  if (r->bound > MOST_IDS)
    return false;
  r->number = calloc(r->bound + 1u, sizeof *r->number);
  r->text = calloc(r->bound + 1u, sizeof *r->text);
  for (size_t at = HEADER; at < m.count; at += m.words[at] >> 16)
    most += (m.words[at] & 0xffff) == SpvOpExtInst;
  r->said = calloc(most + 1u, sizeof *r->said);
  if (!r->number || !r->text || !r->said)
    return false;
  for (size_t at = HEADER; at < m.count; at += m.words[at] >> 16) {
    const uint32_t *w = &m.words[at];
    uint32_t op = w[0] & 0xffff;
    if (op == SpvOpConstant && w[2] < r->bound)
      r->number[w[2]] = w[3];
    else if (op == SpvOpString && w[1] < r->bound)
      r->text[w[1]] = at + 2;
    else if (op == SpvOpExtInst && w[3] == r->set)
      read_said(r, at);
  }
  return true;
}

static void free_reflection(Reading *r) {
  free(r->number);
  free(r->text);
  free(r->said);
}

static uint32_t find_kernel(const Reading *r, const char *name) {
  for (uint32_t i = 0; i < r->count; i++) {
    const Said *s = &r->said[i];
    if (s->op == NonSemanticClspvReflectionKernel && s->word[0] < r->bound &&
        strcmp((const char *)&r->module.words[r->text[s->word[0]]], name) == 0)
      return s->id;
  }
  return 0;
}

static bool is_address(uint32_t op) {
  return op == NonSemanticClspvReflectionArgumentPointerPushConstant ||
         op == NonSemanticClspvReflectionArgumentPointerUniform;
}

static bool is_argument(uint32_t op) {
  return (op > NonSemanticClspvReflectionArgumentInfo &&
          op <= NonSemanticClspvReflectionArgumentWorkgroup) ||
         is_address(op);
}

/* Are they values in push constants, or in a uniform buffer? */
static bool is_pushed(uint32_t op) {
  return op == NonSemanticClspvReflectionArgumentPodPushConstant ||
         op == NonSemanticClspvReflectionArgumentPointerPushConstant;
}

static bool is_uniform(uint32_t op) {
  return op == NonSemanticClspvReflectionArgumentPodUniform ||
         op == NonSemanticClspvReflectionArgumentPointerUniform;
}

static const Said *find_argument(const Reading *r, uint32_t kernel, uint32_t number) {
  for (uint32_t i = 0; i < r->count; i++) {
    const Said *s = &r->said[i];
    if (s->kernel == kernel && s->word[0] == number && is_argument(s->op))
      return s;
  }
  return NULL;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The script, and all memory that was made for it. */
typedef struct Lowered {
  AmberScript script; /* first */
  void **owned;
  uint32_t owned_count;
} Lowered;

static void *make(Lowered *l, size_t count, size_t size) {
  void **more = realloc(l->owned, (l->owned_count + 1u) * sizeof *more);
  void *made = more ? calloc(count + 1, size) : NULL;
  if (more)
    l->owned = more;
  if (made)
    l->owned[l->owned_count++] = made;
  return made;
}

/* A copy of an array with room for `more` elements. */
static void *extend(Lowered *l, const void *from, uint32_t count, uint32_t more, size_t size) {
  void *to = make(l, (size_t)count + more, size);
  if (to && count)
    memcpy(to, from, count * size);
  return to;
}

void hn_kernel_lower_free(AmberScript *lowered) {
  Lowered *l = (Lowered *)lowered;
  for (uint32_t i = 0; l && i < l->owned_count; i++)
    free(l->owned[i]);
  if (l)
    free(l->owned);
  free(l);
}

/* ---- one pipeline ---------------------------------------------------------------------------- */

typedef struct Pipe {
  Lowered *l;
  AmberPipeline *pipeline;
  const Reading *said;
  uint32_t kernel;
  uint32_t values; /* the buffer with the values, AMBER_NONE: none yet */
  bool pushed;
  AmberAddress *addresses; /* the pipeline's */
} Pipe;

static AmberBuffer *buffer_of(const Pipe *p, const AmberBinding *b) {
  uint32_t i = b->descriptors[0].buffer;
  return i == AMBER_NONE ? NULL : &p->l->script.buffers[i];
}

static bool add_binding(Pipe *p, AmberBinding binding, AmberBindKind kind, uint32_t set,
                        uint32_t number) {
  static const uint32_t use[] = {[AMBER_BIND_SAMPLED_IMAGE] = AMBER_USE_SAMPLED_IMAGE,
                                 [AMBER_BIND_STORAGE_IMAGE] = AMBER_USE_STORAGE_IMAGE,
                                 [AMBER_BIND_UNIFORM] = AMBER_USE_UNIFORM,
                                 [AMBER_BIND_STORAGE] = AMBER_USE_STORAGE};
  binding.kind = kind;
  binding.computed = binding.kernel = false;
  binding.argument = NULL;
  binding.set = set;
  binding.binding = number;
  p->pipeline->bindings[p->pipeline->binding_count++] = binding;
  if (buffer_of(p, &binding))
    buffer_of(p, &binding)->uses |= use[kind];
  return true;
}

static bool specialize(Pipe *p, uint32_t id, uint32_t value) {
  AmberAttachedShader *shader = &p->pipeline->shaders[0];
  for (uint32_t i = 0; i < shader->specialization_count; i++)
    if (shader->specializations[i].id == id)
      return true;
  AmberSpecialization *more =
      extend(p->l, shader->specializations, shader->specialization_count, 1, sizeof *more);
  if (!more)
    return false;
  more[shader->specialization_count++] = (AmberSpecialization){id, value};
  shader->specializations = more;
  return true;
}

/* The buffer of the pipeline's values, made for the first of them. */
static AmberBuffer *values(Pipe *p, const Said *s) {
  AmberScript *script = &p->l->script;
  if (p->values != AMBER_NONE)
    return &script->buffers[p->values];
  enum { MOST = 1 << 16 };
  p->pushed = is_pushed(s->op);
  uint32_t size = 0, at = p->pushed ? 1 : 3;
  for (uint32_t i = 0; i < p->said->count; i++) {
    const Said *t = &p->said->said[i];
    bool value = p->pushed ? is_pushed(t->op) : is_uniform(t->op);
    if (t->kernel == p->kernel && value && t->word[at] + t->word[at + 1] > size)
      size = t->word[at] + t->word[at + 1];
  }
  size = (size + 3) / 4 * 4;
  p->values = script->buffer_count++;
  AmberBuffer *b = &script->buffers[p->values];
  *b = (AmberBuffer){.name = "of the kernel's values",
                     .layout = emu_format_layout(emu_format_find("R32_UINT")),
                     .element_count = size / 4,
                     .bytes = size <= MOST ? make(p->l, size, 1) : NULL,
                     .size = size,
                     .initialised = true,
                     .dimensions = 2,
                     .width = size / 4,
                     .height = 1,
                     .depth = 1,
                     .mip_levels = 1,
                     .samples = 1,
                     .line = p->pipeline->line};
  b->uses = p->pushed ? AMBER_USE_PUSH_CONSTANT : AMBER_USE_UNIFORM;
  if (!b->bytes)
    return NULL;
  if (p->pushed) {
    p->pipeline->push_constant = p->values;
    return b;
  }
  AmberDescriptor *descriptor = make(p->l, 1, sizeof *descriptor);
  if (!descriptor)
    return NULL;
  *descriptor = (AmberDescriptor){.buffer = p->values, .sampler = AMBER_NONE, .range = UINT64_MAX};
  AmberBinding binding = {
      .descriptors = descriptor, .descriptor_count = 1, .line = p->pipeline->line};
  add_binding(p, binding, AMBER_BIND_UNIFORM, s->word[1], s->word[2]);
  return b;
}

static bool put_value(Pipe *p, const AmberBinding *binding, const Said *s) {
  AmberBuffer *to = values(p, s);
  const AmberBuffer *from = buffer_of(p, binding);
  uint32_t at = p->pushed ? 1 : 3;
  if (!to || !from)
    return false;
  size_t size = s->word[at + 1] < from->size ? s->word[at + 1] : from->size;
  memcpy(to->bytes + s->word[at], from->bytes, size);
  return true;
}

/* The address of a buffer; the run writes it where the value is. */
static bool put_address(Pipe *p, const AmberBinding *binding, const Said *s) {
  AmberBuffer *to = values(p, s), *from = buffer_of(p, binding);
  if (!to || !from)
    return false;
  from->uses |= AMBER_USE_ADDRESS;
  p->addresses[p->pipeline->address_count++] =
      (AmberAddress){.buffer = binding->descriptors[0].buffer,
                     .offset = binding->descriptors[0].offset,
                     .values = p->values,
                     .at = s->word[p->pushed ? 1 : 3]};
  return true;
}

static bool lower_binding(Pipe *p, const AmberBinding *binding, uint32_t number) {
  const Said *s = find_argument(p->said, p->kernel, number);
  if (!s)
    return true; /* the kernel does not use it */
  switch (s->op) {
  case NonSemanticClspvReflectionArgumentStorageBuffer:
    return add_binding(p, *binding, AMBER_BIND_STORAGE, s->word[1], s->word[2]);
  case NonSemanticClspvReflectionArgumentSampledImage:
    return add_binding(p, *binding, AMBER_BIND_SAMPLED_IMAGE, s->word[1], s->word[2]);
  case NonSemanticClspvReflectionArgumentStorageImage:
    return add_binding(p, *binding, AMBER_BIND_STORAGE_IMAGE, s->word[1], s->word[2]);
  case NonSemanticClspvReflectionArgumentSampler:
    return add_binding(p, *binding, AMBER_BIND_SAMPLER, s->word[1], s->word[2]);
  case NonSemanticClspvReflectionArgumentWorkgroup:
    return buffer_of(p, binding) &&
           specialize(p, s->word[1], (uint32_t)(buffer_of(p, binding)->size / s->word[2]));
  default:
    return is_address(s->op) ? put_address(p, binding, s) : put_value(p, binding, s);
  }
}

/* A sampler that the program defines, as OpenCL's host names it. */
static bool add_sampler(Pipe *p, const Said *s) {
  static const uint32_t modes[] = {2, 2, 3, 0, 1}; /* VkSamplerAddressMode */
  AmberScript *script = &p->l->script;
  uint32_t mask = s->word[2], mode = modes[(mask >> 1 & 7) < 5 ? mask >> 1 & 7 : 0];
  AmberDescriptor *descriptor = make(p->l, 1, sizeof *descriptor);
  if (!descriptor)
    return false;
  uint32_t filter = mask & 0x20 ? 1 : 0;
  script->samplers[script->sampler_count] = (EmuSamplerState){.name = "of the kernel",
                                                              .mag_filter = filter,
                                                              .min_filter = filter,
                                                              .address_mode_u = mode,
                                                              .address_mode_v = mode,
                                                              .address_mode_w = mode,
                                                              .unnormalized = !(mask & 1),
                                                              .line = p->pipeline->line};
  *descriptor = (AmberDescriptor){.buffer = AMBER_NONE, .sampler = script->sampler_count++};
  AmberBinding binding = {
      .descriptors = descriptor, .descriptor_count = 1, .line = p->pipeline->line};
  return add_binding(p, binding, AMBER_BIND_SAMPLER, s->word[0], s->word[1]);
}

static bool lower_rest(Pipe *p) {
  for (uint32_t i = 0; i < p->said->count; i++) {
    const Said *s = &p->said->said[i];
    if (s->op == NonSemanticClspvReflectionLiteralSampler && !add_sampler(p, s))
      return false;
    if (s->op == NonSemanticClspvReflectionPropertyRequiredWorkgroupSize && s->kernel == p->kernel)
      for (uint32_t k = 0; k < 3; k++)
        if (!specialize(p, k, s->word[k]))
          return false;
  }
  return true;
}

static bool lower_pipeline(Lowered *l, AmberPipeline *pipeline, const HnModule *modules,
                           const HnModule *shaders, char **message) {
  const AmberPipeline from = *pipeline;
  AmberAttachedShader *attached = extend(l, from.shaders, from.shader_count, 0, sizeof *attached);
  if (!attached || !from.shader_count)
    return from.shader_count == 0;
  HnKernel kernel;
  Reading said;
  bool good = hn_kernel_read(modules[attached->shader], attached->entry_point, &kernel);
  HnBound *bound = good ? hn_kernel_bind(&from, &kernel, message) : NULL;
  good = read_reflection(&said, shaders[attached->shader]) && bound;
  pipeline->shaders = attached;
  pipeline->binding_count = 0;
  pipeline->bindings = make(l, from.binding_count + said.count + 1u, sizeof *pipeline->bindings);
  Pipe p = {l,
            pipeline,
            &said,
            good ? find_kernel(&said, attached->entry_point) : 0,
            AMBER_NONE,
            false,
            make(l, from.binding_count, sizeof *p.addresses)};
  pipeline->addresses = p.addresses;
  good = good && pipeline->bindings && p.addresses;
  for (uint32_t i = 0; good && i < from.binding_count; i++)
    good = lower_binding(&p, &from.bindings[i], bound[i].number);
  good = good && lower_rest(&p);
  free_reflection(&said);
  free(bound);
  hn_kernel_clear(&kernel);
  return good;
}

/* ---- features -------------------------------------------------------------------------------- */

static const struct {
  uint32_t capability;
  const char *feature;
} features[] = {
    {SpvCapabilityInt64, "shaderInt64"},
    {SpvCapabilityInt16, "shaderInt16"},
    {SpvCapabilityInt8, "Float16Int8Features.shaderInt8"},
    {SpvCapabilityFloat16, "Float16Int8Features.shaderFloat16"},
    {SpvCapabilityFloat64, "shaderFloat64"},
    {SpvCapabilityStorageBuffer8BitAccess, "Storage8BitFeatures.storageBuffer8BitAccess"},
    {SpvCapabilityStorageBuffer16BitAccess, "Storage16BitFeatures.storageBuffer16BitAccess"},
    {SpvCapabilityPhysicalStorageBufferAddresses,
     "BufferDeviceAddressFeatures.bufferDeviceAddress"},
    {SpvCapabilityStorageImageReadWithoutFormat, "shaderStorageImageReadWithoutFormat"},
    {SpvCapabilityStorageImageWriteWithoutFormat, "shaderStorageImageWriteWithoutFormat"},
};

enum { FEATURES = sizeof features / sizeof *features };

static void require(Lowered *l, HnModule m) {
  AmberRequirements *all = &l->script.features;
  for (size_t at = HEADER; at + 1 < m.count && (m.words[at] & 0xffff) == SpvOpCapability; at += 2)
    for (size_t i = 0; i < FEATURES; i++)
      if (features[i].capability == m.words[at + 1])
        all->items[all->count++] = (AmberRequirement){.name = features[i].feature, .line = 1};
}

/* ---- the script ------------------------------------------------------------------------------ */

static bool lower_all(Lowered *l, const HnModule *modules, const HnModule *shaders,
                      char **message) {
  AmberScript *s = &l->script;
  uint32_t samplers = 0;
  for (uint32_t i = 0; i < s->shader_count; i++)
    samplers += shaders[i].count ? 64 : 0;
  s->shaders = extend(l, s->shaders, s->shader_count, 0, sizeof *s->shaders);
  s->buffers = extend(l, s->buffers, s->buffer_count, s->pipeline_count, sizeof *s->buffers);
  s->samplers = extend(l, s->samplers, s->sampler_count, samplers, sizeof *s->samplers);
  s->pipelines = extend(l, s->pipelines, s->pipeline_count, 0, sizeof *s->pipelines);
  s->features.items = extend(l, s->features.items, s->features.count, FEATURES * s->shader_count,
                             sizeof *s->features.items);
  if (!s->shaders || !s->buffers || !s->samplers || !s->pipelines || !s->features.items)
    return false;
  for (uint32_t i = 0; i < s->shader_count; i++) {
    if (s->shaders[i].format == AMBER_OPENCL_C)
      s->shaders[i].format = AMBER_SPIRV_BIN;
    if (shaders[i].count)
      require(l, shaders[i]);
  }
  for (uint32_t i = 0; i < s->pipeline_count; i++)
    if (!lower_pipeline(l, &s->pipelines[i], modules, shaders, message))
      return false;
  return true;
}

AmberScript *hn_kernel_lower(const AmberScript *script, const HnModule *modules,
                             const HnModule *shaders, char **message) {
  Lowered *l = calloc(1, sizeof *l);
  *message = NULL;
  if (!l)
    return NULL;
  l->script = *script;
  l->script.pool = NULL;
  if (lower_all(l, modules, shaders, message))
    return &l->script;
  hn_kernel_lower_free(&l->script);
  return NULL;
}
