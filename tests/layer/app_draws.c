/* SPDX-License-Identifier: Apache-2.0 */
/* app_draws: draws for the captures of the layer, with dynamic state, a stencil, a clear between the draws, indices with
 * an offset, an indirect draw, and a fragment shader that writes a buffer. Prints a hash of what was drawn.
 *
 *   app_draws rendering   in dynamic rendering, over what the picture held
 *   app_draws pass        in a render pass, over a part of its framebuffer */
#include "tests/harness/vk_case.h"
#include "tests/layer/app_vulkan.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

enum { SIDE = 64, CORNERS = 10, COLOR_BYTES = 4 * SIDE * SIDE, DEPTH_BYTES = 4 * SIDE * SIDE };

static const VkFormat color_format = VK_FORMAT_R8G8B8A8_UNORM,
                      depth_format = VK_FORMAT_D32_SFLOAT_S8_UINT;
static const VkImageAspectFlags depth_aspects =
    VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;

typedef struct Corner {
  float at[3], tint[4];
} Corner;

typedef struct Draws {
  AppVulkan v;
  bool pass; /* a render pass, not dynamic rendering */
  VkShaderModule modules[2];
  VkDescriptorSetLayout set_layout;
  VkDescriptorPool pool;
  VkDescriptorSet set;
  VkPipelineLayout layout;
  VkRenderPass render_pass;
  VkFramebuffer framebuffer;
  VkPipeline pipeline;
  VkQueryPool queries;
  AppBuffer corners, order, numbers, counts, pixels;
  AppImage color, depth;
} Draws;

static void open_device(Draws *d) {
  static const char *const extensions[] = {VK_EXT_VERTEX_INPUT_DYNAMIC_STATE_EXTENSION_NAME};
  VkPhysicalDeviceVertexInputDynamicStateFeaturesEXT inputs = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VERTEX_INPUT_DYNAMIC_STATE_FEATURES_EXT,
      .vertexInputDynamicState = VK_TRUE};
  VkPhysicalDeviceVulkan13Features newer = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
      .pNext = &inputs,
      .dynamicRendering = VK_TRUE};
  const VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                              .pNext = &newer,
                                              .features = {.fragmentStoresAndAtomics = VK_TRUE}};
  d->v = app_vulkan_open_newer(&features, extensions, 1);
}

/* ---- what is drawn --------------------------------------------------------------------------- */

static void make_buffers(Draws *d) {
  static const Corner corners[CORNERS] = {{{-1, -1, 0.5f}, {1, 0, 0, 1}},
                                          {{1, -1, 0.5f}, {0, 1, 0, 1}},
                                          {{-1, 1, 0.5f}, {0, 0, 1, 1}},
                                          {{-0.75f, -0.75f, 0.25f}, {1, 1, 0, 0.5f}},
                                          {{0.75f, -0.75f, 0.25f}, {1, 1, 0, 0.5f}},
                                          {{-0.75f, 0.75f, 0.25f}, {0, 1, 1, 0.5f}},
                                          {{0.75f, 0.75f, 0.75f}, {0, 1, 1, 0.5f}},
                                          {{-0.5f, -0.5f, 0}, {1, 1, 1, 1}},
                                          {{0, -0.5f, 0}, {1, 1, 1, 1}},
                                          {{-0.5f, 0, 0}, {0, 0, 0, 1}}};
  static const uint16_t order[] = {9, 9, 0, 1, 2, 3};
  static const VkDrawIndirectCommand numbers = {3, 2, 7, 0};
  const AppVulkan *v = &d->v;
  d->corners = app_buffer(v, 64 + sizeof corners, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
  d->order = app_buffer(v, sizeof order, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
  d->numbers = app_buffer(v, 16 + sizeof numbers, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  d->counts = app_buffer(v, 32, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  d->pixels = app_buffer(v, COLOR_BYTES + DEPTH_BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  memcpy((char *)d->corners.mapped + 64, corners, sizeof corners);
  memcpy(d->order.mapped, order, sizeof order);
  memcpy((char *)d->numbers.mapped + 16, &numbers, sizeof numbers);
}

static void make_targets(Draws *d) {
  const AppImageKind color = {VK_IMAGE_TYPE_2D,
                              VK_IMAGE_VIEW_TYPE_2D,
                              color_format,
                              {SIDE, SIDE, 1},
                              1,
                              1,
                              VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                              VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                              {0}};
  AppImageKind depth = color;
  depth.format = depth_format;
  depth.usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  d->color = app_image(&d->v, &color, 4, 7);
  d->depth = app_target(&d->v, &depth, depth_aspects);
}

static void make_set(Draws *d) {
  const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
  const VkDescriptorSetLayoutCreateInfo layout = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
      .bindingCount = 1,
      .pBindings = &binding};
  const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                           .maxSets = 1,
                                           .poolSizeCount = 1,
                                           .pPoolSizes = &size};
  VkDevice device = d->v.device;
  app_check(vkCreateDescriptorSetLayout(device, &layout, NULL, &d->set_layout), "set layout");
  app_check(vkCreateDescriptorPool(device, &pool, NULL, &d->pool), "pool");
  const VkDescriptorSetAllocateInfo allocate = {.sType =
                                                    VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                                .descriptorPool = d->pool,
                                                .descriptorSetCount = 1,
                                                .pSetLayouts = &d->set_layout};
  app_check(vkAllocateDescriptorSets(device, &allocate, &d->set), "set");
  const VkDescriptorBufferInfo buffer = {d->counts.handle, 0, VK_WHOLE_SIZE};
  const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                      .dstSet = d->set,
                                      .descriptorCount = 1,
                                      .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      .pBufferInfo = &buffer};
  vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
  const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                           .setLayoutCount = 1,
                                           .pSetLayouts = &d->set_layout};
  app_check(vkCreatePipelineLayout(device, &info, NULL, &d->layout), "layout");
}

/* ---- the pipeline ---------------------------------------------------------------------------- */

/* The depths are not stored, and the picture is cleared. */
static void make_pass(Draws *d) {
  const VkAttachmentDescription attachments[] = {
      {0, color_format, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR,
       VK_ATTACHMENT_STORE_OP_STORE, VK_ATTACHMENT_LOAD_OP_DONT_CARE,
       VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_IMAGE_LAYOUT_UNDEFINED,
       VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL},
      {0, depth_format, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR,
       VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_ATTACHMENT_LOAD_OP_CLEAR,
       VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_IMAGE_LAYOUT_UNDEFINED,
       VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL}};
  const VkAttachmentReference color = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
                              depth = {1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
  const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                        .colorAttachmentCount = 1,
                                        .pColorAttachments = &color,
                                        .pDepthStencilAttachment = &depth};
  const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                       .attachmentCount = 2,
                                       .pAttachments = attachments,
                                       .subpassCount = 1,
                                       .pSubpasses = &subpass};
  app_check(vkCreateRenderPass(d->v.device, &info, NULL, &d->render_pass), "render pass");
  const VkImageView views[] = {d->color.view, d->depth.view};
  const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                               .renderPass = d->render_pass,
                                               .attachmentCount = 2,
                                               .pAttachments = views,
                                               .width = SIDE,
                                               .height = SIDE,
                                               .layers = 1};
  app_check(vkCreateFramebuffer(d->v.device, &framebuffer, NULL, &d->framebuffer), "framebuffer");
}

static void make_pipeline(Draws *d) {
  static const VkDynamicState states[] = {
      VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT,
      VK_DYNAMIC_STATE_VERTEX_INPUT_EXT,    VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
      VK_DYNAMIC_STATE_CULL_MODE,           VK_DYNAMIC_STATE_FRONT_FACE,
      VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,   VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE,
      VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,    VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
      VK_DYNAMIC_STATE_STENCIL_OP,          VK_DYNAMIC_STATE_STENCIL_REFERENCE};
  const VkPipelineShaderStageCreateInfo stages[] = {
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_VERTEX_BIT,
       .module = d->modules[0],
       .pName = "main"},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
       .module = d->modules[1],
       .pName = "main"}};
  const VkPipelineVertexInputStateCreateInfo inputs = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  const VkPipelineViewportStateCreateInfo view = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  const VkPipelineRasterizationStateCreateInfo raster = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
  const VkPipelineMultisampleStateCreateInfo samples = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
      .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  const VkStencilOpState face = {.compareMask = 255, .writeMask = 255};
  const VkPipelineDepthStencilStateCreateInfo depth = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .front = face,
      .back = face};
  const VkPipelineColorBlendAttachmentState mixed = {VK_TRUE,
                                                     VK_BLEND_FACTOR_SRC_ALPHA,
                                                     VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                                     VK_BLEND_OP_ADD,
                                                     VK_BLEND_FACTOR_ONE,
                                                     VK_BLEND_FACTOR_ZERO,
                                                     VK_BLEND_OP_ADD,
                                                     7};
  const VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
      .attachmentCount = 1,
      .pAttachments = &mixed};
  const VkPipelineDynamicStateCreateInfo dynamic = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
      .dynamicStateCount = sizeof states / sizeof *states,
      .pDynamicStates = states};
  const VkPipelineRenderingCreateInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
      .colorAttachmentCount = 1,
      .pColorAttachmentFormats = &color_format,
      .depthAttachmentFormat = depth_format,
      .stencilAttachmentFormat = depth_format};
  const VkGraphicsPipelineCreateInfo info = {.sType =
                                                 VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                             .pNext = d->pass ? NULL : &rendering,
                                             .stageCount = 2,
                                             .pStages = stages,
                                             .pVertexInputState = &inputs,
                                             .pInputAssemblyState = &assembly,
                                             .pViewportState = &view,
                                             .pRasterizationState = &raster,
                                             .pMultisampleState = &samples,
                                             .pDepthStencilState = &depth,
                                             .pColorBlendState = &blend,
                                             .pDynamicState = &dynamic,
                                             .layout = d->layout,
                                             .renderPass = d->render_pass};
  app_check(vkCreateGraphicsPipelines(d->v.device, VK_NULL_HANDLE, 1, &info, NULL, &d->pipeline),
            "pipeline");
}

/* ---- the draws ------------------------------------------------------------------------------- */

static void begin(const Draws *d, VkCommandBuffer commands) {
  const VkClearValue clears[] = {{.color.float32 = {0.25f, 0.5f, 0.75f, 1}},
                                 {.depthStencil = {1, 3}}};
  const VkRenderPassBeginInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                      .renderPass = d->render_pass,
                                      .framebuffer = d->framebuffer,
                                      .renderArea = {{4, 8}, {SIDE - 8, SIDE - 16}},
                                      .clearValueCount = 2,
                                      .pClearValues = clears};
  const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                           .imageView = d->color.view,
                                           .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                           .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                           .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
  const VkRenderingAttachmentInfo depth = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                           .imageView = d->depth.view,
                                           .imageLayout =
                                               VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                                           .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                           .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                           .clearValue = clears[1]};
  const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                     .renderArea = {{0, 0}, {SIDE, SIDE}},
                                     .layerCount = 1,
                                     .colorAttachmentCount = 1,
                                     .pColorAttachments = &color,
                                     .pDepthAttachment = &depth,
                                     .pStencilAttachment = &depth};
  if (d->pass)
    vkCmdBeginRenderPass(commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
  else
    vkCmdBeginRendering(commands, &rendering);
}

static void set_inputs(const Draws *d, VkCommandBuffer commands) {
  const VkVertexInputBindingDescription2EXT binding = {
      .sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT,
      .binding = 1,
      .stride = sizeof(Corner),
      .inputRate = VK_VERTEX_INPUT_RATE_VERTEX,
      .divisor = 1};
  VkVertexInputAttributeDescription2EXT attributes[] = {
      {.sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
       .binding = 1,
       .format = VK_FORMAT_R32G32B32_SFLOAT},
      {.sType = VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT,
       .location = 1,
       .binding = 1,
       .format = VK_FORMAT_R32G32B32A32_SFLOAT,
       .offset = sizeof(float[3])}};
  PFN_vkCmdSetVertexInputEXT set =
      (PFN_vkCmdSetVertexInputEXT)vkGetDeviceProcAddr(d->v.device, "vkCmdSetVertexInputEXT");
  const VkDeviceSize at = 64;
  set(commands, 1, &binding, 2, attributes);
  vkCmdBindVertexBuffers(commands, 1, 1, &d->corners.handle, &at);
  vkCmdBindIndexBuffer(commands, d->order.handle, 4, VK_INDEX_TYPE_UINT16);
}

static void set_state(VkCommandBuffer commands, VkPrimitiveTopology topology, VkStencilOp pass,
                      VkCompareOp compare, VkRect2D scissor) {
  const VkViewport viewport = {0, 0, SIDE, SIDE, 0, 1};
  vkCmdSetViewportWithCount(commands, 1, &viewport);
  vkCmdSetScissorWithCount(commands, 1, &scissor);
  vkCmdSetPrimitiveTopology(commands, topology);
  vkCmdSetCullMode(commands, VK_CULL_MODE_NONE);
  vkCmdSetFrontFace(commands, VK_FRONT_FACE_CLOCKWISE);
  vkCmdSetDepthTestEnable(commands, VK_TRUE);
  vkCmdSetDepthWriteEnable(commands, VK_TRUE);
  vkCmdSetDepthCompareOp(commands, VK_COMPARE_OP_LESS);
  vkCmdSetStencilTestEnable(commands, VK_TRUE);
  vkCmdSetStencilOp(commands, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_KEEP, pass,
                    VK_STENCIL_OP_INVERT, compare);
  vkCmdSetStencilReference(commands, VK_STENCIL_FACE_FRONT_AND_BACK, 1);
}

static void record_draws(const Draws *d, VkCommandBuffer commands) {
  const VkRect2D whole = {{4, 8}, {SIDE - 8, SIDE - 16}}, part = {{10, 12}, {40, 30}};
  const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color.float32 = {1, 1, 0, 1}}};
  const VkClearRect where = {{{20, 20}, {8, 8}}, 0, 1};
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, d->pipeline);
  vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, d->layout, 0, 1, &d->set, 0,
                          NULL);
  set_inputs(d, commands);
  set_state(commands, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_STENCIL_OP_REPLACE,
            VK_COMPARE_OP_ALWAYS, whole);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdClearAttachments(commands, 1, &clear, 1, &where);
  set_state(commands, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, VK_STENCIL_OP_INCREMENT_AND_WRAP,
            VK_COMPARE_OP_EQUAL, part);
  vkCmdSetFrontFace(commands, VK_FRONT_FACE_COUNTER_CLOCKWISE); /* a back face */
  vkCmdDrawIndexed(commands, 4, 1, 0, 3, 0);
  set_state(commands, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_STENCIL_OP_ZERO, VK_COMPARE_OP_LESS,
            whole);
  vkCmdDrawIndirect(commands, d->numbers.handle, 16, 1, 0);
  vkCmdBeginQuery(commands, d->queries, 0, 0);
  vkCmdDraw(commands, 3, 1, 0, 0);
  vkCmdEndQuery(commands, d->queries, 0);
  vkCmdSetDepthTestEnable(commands, VK_FALSE);
  vkCmdSetStencilTestEnable(commands, VK_FALSE);
  vkCmdDraw(commands, 3, 1, 7, 0);
}

static void copy_target(const Draws *d, VkCommandBuffer commands, const AppImage *image,
                        VkImageAspectFlags aspects, VkImageAspectFlags copied, VkImageLayout from,
                        VkDeviceSize to) {
  const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                        .dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT,
                                        .oldLayout = from,
                                        .newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                        .image = image->handle,
                                        .subresourceRange = {aspects, 0, 1, 0, 1}};
  const VkBufferImageCopy copy = {
      .bufferOffset = to, .imageSubresource = {copied, 0, 0, 1}, .imageExtent = {SIDE, SIDE, 1}};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       0, 0, NULL, 0, NULL, 1, &barrier);
  vkCmdCopyImageToBuffer(commands, image->handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                         d->pixels.handle, 1, &copy);
}

static void draw(const Draws *d) {
  const VkImageMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .dstAccessMask = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
      .newLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = d->depth.handle,
      .subresourceRange = {depth_aspects, 0, 1, 0, 1}};
  VkCommandBuffer commands = app_begin(&d->v, d->v.pool);
  vkCmdResetQueryPool(commands, d->queries, 0, 1);
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
  begin(d, commands);
  record_draws(d, commands);
  if (d->pass)
    vkCmdEndRenderPass(commands);
  else
    vkCmdEndRendering(commands);
  copy_target(
      d, commands, &d->color, VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_COLOR_BIT,
      d->pass ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL : VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, 0);
  if (!d->pass) /* which does not store it */
    copy_target(d, commands, &d->depth, depth_aspects, VK_IMAGE_ASPECT_DEPTH_BIT,
                VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL, COLOR_BYTES);
  app_finish(&d->v, commands);
  XXH64_hash_t result = XXH3_64bits(d->pixels.mapped, COLOR_BYTES + DEPTH_BYTES);
  result = XXH3_64bits_withSeed(d->counts.mapped, 32, result);
  printf("result %016llx\n", (unsigned long long)result);
}

static void close_all(Draws *d) {
  VkDevice device = d->v.device;
  vkDestroyPipeline(device, d->pipeline, NULL);
  vkDestroyFramebuffer(device, d->framebuffer, NULL);
  vkDestroyRenderPass(device, d->render_pass, NULL);
  vkDestroyQueryPool(device, d->queries, NULL);
  vkDestroyPipelineLayout(device, d->layout, NULL);
  vkDestroyDescriptorPool(device, d->pool, NULL);
  vkDestroyDescriptorSetLayout(device, d->set_layout, NULL);
  for (int i = 0; i < 2; i++)
    vkDestroyShaderModule(device, d->modules[i], NULL);
  app_image_free(&d->v, &d->color);
  app_image_free(&d->v, &d->depth);
  AppBuffer *buffers[] = {&d->corners, &d->order, &d->numbers, &d->counts, &d->pixels};
  for (int i = 0; i < 5; i++)
    app_buffer_free(&d->v, buffers[i]);
  app_vulkan_close(&d->v);
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  Draws d = {.pass = strcmp(argv[1], "pass") == 0};
  VkCase shaders = vk_case_read("tests/layer/draws.amber");
  open_device(&d);
  for (int i = 0; i < 2; i++)
    d.modules[i] = app_module(&d.v, shaders.modules[i].words, shaders.modules[i].count);
  vk_case_free(&shaders);
  const VkQueryPoolCreateInfo queries = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                         .queryType = VK_QUERY_TYPE_OCCLUSION,
                                         .queryCount = 1};
  app_check(vkCreateQueryPool(d.v.device, &queries, NULL, &d.queries), "queries");
  make_buffers(&d);
  make_targets(&d);
  make_set(&d);
  if (d.pass)
    make_pass(&d);
  make_pipeline(&d);
  draw(&d);
  close_all(&d);
  return 0;
}
