/* SPDX-License-Identifier: Apache-2.0 */
/* run_kernel: an example of a host. It converts a kernel of an OpenCL module to a shader by the library, and runs it on
 * the first Vulkan device (the loader's VK_DRIVER_FILES chooses another) as the library's mapping says.
 *
 *   run_kernel MODULE.spv KERNEL GROUPS SIZE ARGUMENT...
 *
 * GROUPS and SIZE, of workgroups, are X or X,Y or X,Y,Z. An ARGUMENT, in the order of the kernel's, is
 *   u32[N] f32[N]     a buffer of N numbers       f32[WxH]          an image, four floats a pixel
 *   u32[N]=V,V,...    with its contents           nearest, linear   a sampler
 *   u32[N]=@FILE      with those of a file
 *   V                 a value of 32 bits: an integer, or a float if it has a point
 *   N                 local memory: N elements
 * Memory without contents is zero, and printed after the run. */
#include "device.h"

#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, PUSHED = 128, UNIFORM = 4096, SETS = 2 };

/* The pipeline and its arguments, filled in argument by argument. */
typedef struct Launch {
  Device d;
  VkDescriptorSetLayoutBinding bindings[SETS][MOST];
  VkWriteDescriptorSet writes[SETS][MOST];
  VkDescriptorImageInfo images[SETS][MOST];
  VkDescriptorBufferInfo buffers[SETS][MOST];
  uint32_t binding_count[SETS];
  VkSpecializationMapEntry entries[MOST];
  uint32_t special[MOST], special_count;
  unsigned char pushed[PUSHED];
  Memory memory[MOST], uniform;
} Launch;

static void describe(Launch *l, uint32_t set, uint32_t binding, VkDescriptorType type,
                     const Memory *m, VkSampler sampler) {
  uint32_t i = l->binding_count[set]++;
  l->bindings[set][i] = (VkDescriptorSetLayoutBinding){.binding = binding,
                                                       .descriptorType = type,
                                                       .descriptorCount = 1,
                                                       .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
  l->images[set][i] =
      (VkDescriptorImageInfo){sampler, m ? m->view : VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL};
  l->buffers[set][i] = (VkDescriptorBufferInfo){m ? m->buffer : VK_NULL_HANDLE, 0, VK_WHOLE_SIZE};
  l->writes[set][i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                             .dstBinding = binding,
                                             .descriptorCount = 1,
                                             .descriptorType = type,
                                             .pImageInfo = &l->images[set][i],
                                             .pBufferInfo = &l->buffers[set][i]};
}

static void specialize(Launch *l, uint32_t id, uint32_t value) {
  uint32_t i = l->special_count++;
  l->special[i] = value;
  l->entries[i] = (VkSpecializationMapEntry){id, i * 4, 4};
}

/* The bits of a number. */
static uint32_t number(const char *text, int is_float) {
  float value = strtof(text, NULL);
  uint32_t bits = (uint32_t)strtoll(text, NULL, 0);
  if (is_float)
    memcpy(&bits, &value, sizeof bits);
  return bits;
}

/* Makes the memory of a buffer or an image. */
static void fill(Launch *l, Memory *m, const char *text) {
  int is_float = text[0] == 'f', dimensions = sscanf(text + 4, "%ux%u", &m->width, &m->height);
  if (strlen(text) < 6 || dimensions < 1)
    fail("memory is u32[N], f32[N] or f32[WIDTHxHEIGHT]");
  uint32_t count = dimensions == 2 ? m->width * m->height * 4 : m->width;
  device_buffer(&l->d, m, count * 4);
  const char *value = strchr(text, '=');
  if (value && value[1] == '@') {
    FILE *file = fopen(value + 2, "rb");
    if (!file || fread(m->bytes, 4, count, file) != count)
      fail("a file cannot be read, or is shorter than its buffer");
    fclose(file);
    return;
  }
  for (uint32_t i = 0; value && i < count; i++, value = strchr(value, ','))
    ((uint32_t *)m->bytes)[i] = number(++value, is_float);
}

static void pass(Launch *l, const spvreconv_argument *a, Memory *m, const char *text) {
  uint32_t value = number(text, strchr(text, '.') != NULL), size = a->size < 4 ? a->size : 4;
  switch (a->kind) {
  case SPVRECONV_ARGUMENT_BUFFER:
    fill(l, m, text);
    describe(l, a->set, a->binding, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, m, VK_NULL_HANDLE);
    return;
  case SPVRECONV_ARGUMENT_SAMPLED_IMAGE:
    fill(l, m, text);
    device_image(&l->d, m, VK_IMAGE_USAGE_SAMPLED_BIT);
    describe(l, a->set, a->binding, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, m, VK_NULL_HANDLE);
    return;
  case SPVRECONV_ARGUMENT_STORAGE_IMAGE:
    fill(l, m, text);
    device_image(&l->d, m, VK_IMAGE_USAGE_STORAGE_BIT);
    describe(l, a->set, a->binding, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, m, VK_NULL_HANDLE);
    return;
  case SPVRECONV_ARGUMENT_SAMPLER:
    describe(l, a->set, a->binding, VK_DESCRIPTOR_TYPE_SAMPLER, NULL,
             device_sampler(&l->d, text[0] == 'l', 0, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE));
    return;
  case SPVRECONV_ARGUMENT_LOCAL:
    specialize(l, a->spec_id, value);
    return;
  case SPVRECONV_ARGUMENT_PUSH_CONSTANT:
    memcpy(l->pushed + a->offset, &value, size);
    return;
  case SPVRECONV_ARGUMENT_UNIFORM:
    if (a->offset + size > UNIFORM)
      fail("too many values");
    if (!l->uniform.buffer) {
      device_buffer(&l->d, &l->uniform, UNIFORM);
      describe(l, a->set, a->binding, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &l->uniform,
               VK_NULL_HANDLE);
    }
    memcpy((char *)l->uniform.bytes + a->offset, &value, size);
    return;
  case SPVRECONV_ARGUMENT_ADDRESS:
  case SPVRECONV_ARGUMENT_ADDRESS_UNIFORM:
    fail("an argument is an address, which this program does not ask for");
  }
}

/* A sampler that the program defines. */
static void pass_sampler(Launch *l, const spvreconv_sampler *s) {
  static const VkSamplerAddressMode modes[] = {
      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, VK_SAMPLER_ADDRESS_MODE_REPEAT,
      VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT};
  VkSampler sampler =
      device_sampler(&l->d, s->mask & 32 ? 1 : 0, !(s->mask & 1), modes[s->mask >> 1 & 7]);
  describe(l, s->set, s->binding, VK_DESCRIPTOR_TYPE_SAMPLER, NULL, sampler);
}

static void record(Launch *l, const spvreconv_result *shader, const spvreconv_kernel *kernel,
                   const uint32_t *groups) {
  size_t count;
  VkSpecializationInfo special = {l->special_count, l->entries, sizeof l->special, l->special};
  VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
  module.pCode = spvreconv_result_words(shader, &count);
  module.codeSize = count * sizeof *module.pCode;
  VkPipelineShaderStageCreateInfo stage = {.sType =
                                               VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                           .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                           .pName = kernel->name,
                                           .pSpecializationInfo = &special};
  CALL(vkCreateShaderModule(l->d.device, &module, NULL, &stage.module));
  VkDescriptorSetLayout layouts[SETS];
  VkDescriptorSet sets[SETS];
  for (uint32_t set = 0; set < SETS; set++)
    sets[set] =
        device_set(&l->d, l->bindings[set], l->writes[set], l->binding_count[set], &layouts[set]);
  VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                               (kernel->push_constants + 3) / 4 * 4};
  VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = SETS,
                                       .pSetLayouts = layouts,
                                       .pushConstantRangeCount = range.size ? 1 : 0,
                                       .pPushConstantRanges = &range};
  device_pipeline(&l->d, &stage, &layout, sets, l->pushed);
  vkCmdDispatch(l->d.commands, groups[0], groups[1], groups[2]);
}

static void print(const Memory *m, const char *text) {
  uint32_t count = m->image ? m->width * m->height * 4 : m->width;
  for (uint32_t i = 0; i < count; i++)
    if (text[0] == 'f')
      printf(i ? " %g" : "%g", (double)((float *)m->bytes)[i]);
    else
      printf(i ? " %u" : "%u", ((uint32_t *)m->bytes)[i]);
  puts("");
}

static uint32_t *read_words(const char *name, size_t *count) {
  FILE *file = fopen(name, "rb");
  uint32_t *words = NULL;
  long size = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (size <= 0 || !(words = malloc((size_t)size)))
    fail("the module cannot be read");
  rewind(file);
  *count = fread(words, sizeof *words, (size_t)size / sizeof *words, file);
  fclose(file);
  return words;
}

static void print_line(void *user, const char *line) {
  fprintf(stderr, "%s: %s\n", (const char *)user, line);
}

int main(int argc, char **argv) {
  if (argc < 5)
    fail("arguments are MODULE.spv KERNEL GROUPS SIZE ARGUMENT...");
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "kernel-to-shader,structurize";
  options.message = print_line;
  options.message_user = argv[1];
  size_t count;
  uint32_t *words = read_words(argv[1], &count), i = 0;
  spvreconv_result *shader;
  if (spvreconv_run(&options, words, count, &shader) != SPVRECONV_OK)
    return EXIT_FAILURE; /* print_line has printed the reason */
  const spvreconv_kernel *kernel;
  while ((kernel = spvreconv_result_kernel(shader, i++)) && strcmp(kernel->name, argv[2]) != 0)
    ;
  if (!kernel || kernel->argument_count != (uint32_t)argc - 5 || kernel->argument_count > MOST / 2)
    fail(kernel ? "the kernel has a different number of arguments"
                : "the module has no such kernel");
  static Launch l;
  uint32_t groups[3] = {1, 1, 1}, size[3] = {1, 1, 1};
  sscanf(argv[3], "%u,%u,%u", &groups[0], &groups[1], &groups[2]);
  sscanf(argv[4], "%u,%u,%u", &size[0], &size[1], &size[2]);
  device_open(&l.d);
  for (i = 0; i < 3; i++)
    specialize(&l, i, size[i]);
  for (i = 0; i < kernel->argument_count; i++)
    pass(&l, &kernel->arguments[i], &l.memory[i], argv[5 + i]);
  const spvreconv_sampler *sampler;
  for (i = 0; (sampler = spvreconv_result_sampler(shader, i)); i++)
    pass_sampler(&l, sampler);
  record(&l, shader, kernel, groups);
  device_run(&l.d, l.memory, kernel->argument_count);
  for (i = 0; i < kernel->argument_count; i++)
    if (l.memory[i].buffer && !strchr(argv[5 + i], '='))
      print(&l.memory[i], argv[5 + i]);
  spvreconv_result_destroy(shader);
  free(words);
  return EXIT_SUCCESS;
}
