/* SPDX-License-Identifier: Apache-2.0 */
/* minimal_vulkan: the smallest program that creates a Vulkan device and dispatches once: the
 * baseline for the cost of a run of spv-harness (tests/harness/bench_cost.sh).
 *
 * It takes the first device of the driver that VK_DRIVER_FILES names, fills one storage buffer with
 * v[i] = 3 * i, reads it back and destroys everything. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vulkan.h>

enum { GROUP = 64, BYTES = GROUP * 4 };

/* glslang's output for: layout(local_size_x = 64) in; layout(binding = 0) buffer B { uint v[]; };
 * void main() { v[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x * 3u; } */
static const uint32_t shader_words[] = {
    0x7230203,  0x10000,    0x8000b,    29,      0,       0x20011, 1,       0x6000b, 1,
    0x4c534c47, 0x6474732e, 0x3035342e, 0,       0x3000e, 0,       1,       0x6000f, 5,
    4,          0x6e69616d, 0,          15,      0x60010, 4,       17,      64,      1,
    1,          0x40047,    7,          6,       4,       0x50048, 8,       0,       35,
    0,          0x30047,    8,          3,       0x40047, 10,      34,      0,       0x40047,
    10,         33,         0,          0x40047, 15,      11,      28,      0x40047, 28,
    11,         25,         0x20013,    2,       0x30021, 3,       2,       0x40015, 6,
    32,         0,          0x3001d,    7,       6,       0x3001e, 8,       7,       0x40020,
    9,          2,          8,          0x4003b, 9,       10,      2,       0x40015, 11,
    32,         1,          0x4002b,    11,      12,      0,       0x40017, 13,      6,
    3,          0x40020,    14,         1,       13,      0x4003b, 14,      15,      1,
    0x4002b,    6,          16,         0,       0x40020, 17,      1,       6,       0x4002b,
    6,          22,         3,          0x40020, 24,      2,       6,       0x4002b, 6,
    26,         64,         0x4002b,    6,       27,      1,       0x6002c, 13,      28,
    26,         27,         27,         0x50036, 2,       4,       0,       3,       0x200f8,
    5,          0x50041,    17,         18,      15,      16,      0x4003d, 6,       19,
    18,         0x50041,    17,         20,      15,      16,      0x4003d, 6,       21,
    20,         0x50084,    6,          23,      21,      22,      0x60041, 24,      25,
    10,         12,         19,         0x3003e, 25,      23,      0x100fd, 0x10038,
};

static void check(VkResult result, const char *call) {
  if (result == VK_SUCCESS)
    return;
  fprintf(stderr, "%s: %d\n", call, (int)result);
  exit(1);
}

#define CALL(name, ...) check(name(__VA_ARGS__), #name)

typedef struct Program {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  VkBuffer buffer;
  VkDeviceMemory memory;
  uint32_t *mapped;
  VkDescriptorSetLayout set_layout;
  VkDescriptorPool descriptor_pool;
  VkDescriptorSet set;
  VkPipelineLayout layout;
  VkShaderModule shader;
  VkPipeline pipeline;
  VkCommandPool command_pool;
  VkFence fence;
} Program;

static void open_device(Program *p) {
  VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                   .apiVersion = VK_API_VERSION_1_1};
  VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                   .pApplicationInfo = &application};
  CALL(vkCreateInstance, &instance, NULL, &p->instance);
  uint32_t one = 1;
  VkResult found = vkEnumeratePhysicalDevices(p->instance, &one, &p->physical);
  check(found == VK_INCOMPLETE ? VK_SUCCESS : found, "vkEnumeratePhysicalDevices");
  float priority = 1;
  VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                   .queueCount = 1,
                                   .pQueuePriorities = &priority};
  VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue};
  CALL(vkCreateDevice, p->physical, &device, NULL, &p->device);
  vkGetDeviceQueue(p->device, 0, 0, &p->queue);
}

static uint32_t memory_type(const Program *p, uint32_t fitting) {
  const VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(p->physical, &memory);
  uint32_t type = 0;
  while (!(fitting >> type & 1) || (memory.memoryTypes[type].propertyFlags & wanted) != wanted)
    type++;
  return type;
}

static void create_buffer(Program *p) {
  VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = BYTES,
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
  CALL(vkCreateBuffer, p->device, &buffer, NULL, &p->buffer);
  VkMemoryRequirements needed;
  vkGetBufferMemoryRequirements(p->device, p->buffer, &needed);
  VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = needed.size,
                                 .memoryTypeIndex = memory_type(p, needed.memoryTypeBits)};
  CALL(vkAllocateMemory, p->device, &memory, NULL, &p->memory);
  CALL(vkBindBufferMemory, p->device, p->buffer, p->memory, 0);
  void *mapped;
  CALL(vkMapMemory, p->device, p->memory, 0, VK_WHOLE_SIZE, 0, &mapped);
  p->mapped = mapped;
}

static void create_set(Program *p) {
  VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                          VK_SHADER_STAGE_COMPUTE_BIT, NULL};
  VkDescriptorSetLayoutCreateInfo layout = {.sType =
                                                VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                            .bindingCount = 1,
                                            .pBindings = &binding};
  CALL(vkCreateDescriptorSetLayout, p->device, &layout, NULL, &p->set_layout);
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                     .maxSets = 1,
                                     .poolSizeCount = 1,
                                     .pPoolSizes = &size};
  CALL(vkCreateDescriptorPool, p->device, &pool, NULL, &p->descriptor_pool);
  VkDescriptorSetAllocateInfo set = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                     .descriptorPool = p->descriptor_pool,
                                     .descriptorSetCount = 1,
                                     .pSetLayouts = &p->set_layout};
  CALL(vkAllocateDescriptorSets, p->device, &set, &p->set);
  VkDescriptorBufferInfo buffer = {p->buffer, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                .dstSet = p->set,
                                .descriptorCount = 1,
                                .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                .pBufferInfo = &buffer};
  vkUpdateDescriptorSets(p->device, 1, &write, 0, NULL);
}

static void create_pipeline(Program *p) {
  VkPipelineLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                       .setLayoutCount = 1,
                                       .pSetLayouts = &p->set_layout};
  CALL(vkCreatePipelineLayout, p->device, &layout, NULL, &p->layout);
  VkShaderModuleCreateInfo shader = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = sizeof shader_words,
                                     .pCode = shader_words};
  CALL(vkCreateShaderModule, p->device, &shader, NULL, &p->shader);
  VkComputePipelineCreateInfo pipeline = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = p->shader,
                .pName = "main"},
      .layout = p->layout};
  CALL(vkCreateComputePipelines, p->device, VK_NULL_HANDLE, 1, &pipeline, NULL, &p->pipeline);
}

static void dispatch(Program *p) {
  VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  CALL(vkCreateCommandPool, p->device, &pool, NULL, &p->command_pool);
  VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .commandPool = p->command_pool,
                                          .commandBufferCount = 1};
  VkCommandBuffer commands;
  CALL(vkAllocateCommandBuffers, p->device, &allocate, &commands);
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  CALL(vkBeginCommandBuffer, commands, &begin);
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, p->pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, 1, &p->set, 0,
                          NULL);
  vkCmdDispatch(commands, 1, 1, 1);
  VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                             .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                             .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                       0, 1, &barrier, 0, NULL, 0, NULL);
  CALL(vkEndCommandBuffer, commands);
  VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
  CALL(vkCreateFence, p->device, &fence, NULL, &p->fence);
  VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &commands};
  CALL(vkQueueSubmit, p->queue, 1, &submit, p->fence);
  CALL(vkWaitForFences, p->device, 1, &p->fence, VK_TRUE, UINT64_MAX);
}

static void destroy(Program *p) {
  vkDestroyFence(p->device, p->fence, NULL);
  vkDestroyCommandPool(p->device, p->command_pool, NULL);
  vkDestroyPipeline(p->device, p->pipeline, NULL);
  vkDestroyShaderModule(p->device, p->shader, NULL);
  vkDestroyPipelineLayout(p->device, p->layout, NULL);
  vkDestroyDescriptorPool(p->device, p->descriptor_pool, NULL);
  vkDestroyDescriptorSetLayout(p->device, p->set_layout, NULL);
  vkDestroyBuffer(p->device, p->buffer, NULL);
  vkFreeMemory(p->device, p->memory, NULL);
  vkDestroyDevice(p->device, NULL);
  vkDestroyInstance(p->instance, NULL);
}

int main(void) {
  Program p = {0};
  open_device(&p);
  create_buffer(&p);
  create_set(&p);
  create_pipeline(&p);
  dispatch(&p);
  for (uint32_t i = 0; i < GROUP; i++)
    if (p.mapped[i] != 3 * i) {
      fprintf(stderr, "value %u is %u\n", i, p.mapped[i]);
      return 1;
    }
  destroy(&p);
  return 0;
}
