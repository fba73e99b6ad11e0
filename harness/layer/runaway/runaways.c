/* SPDX-License-Identifier: Apache-2.0 */
/* runaways: see runaways.h. */
#include "harness/layer/runaway/runaways.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 16384, NAMED = 4, NAME_ROOM = 96, PLACE_ROOM = 160, LINE_ROOM = 900 };

typedef struct Loop {
  LyHash module;
  uint32_t function_id, block;
  char function[NAME_ROOM], place[PLACE_ROOM];
  const char *lane; /* a string of the library, which stays */
} Loop;

struct LyRunaways {
  LyRunaways *next;
  const LyLog *log;
  pid_t owner; /* a forked child has no device */
  bool fragments, vertices;
  VkDevice device;
  PFN_vkDestroyBuffer destroy;
  PFN_vkFreeMemory free;
  VkBuffer buffer;
  VkDeviceMemory memory;
  VkDeviceAddress address;
  const volatile spvreconv_record *records; /* the mapped memory */
  pthread_mutex_t lock;                     /* of the loops */
  Loop *loops;
  uint32_t count, room;
};

/* All records, for the lines at exit. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static LyRunaways *first;

/* ---- the buffer ---- */

#define DEVICE_FUNCTION(name) PFN_vk##name name = (PFN_vk##name)get(device, "vk" #name)

static VkBuffer make_buffer(VkDevice device, PFN_vkGetDeviceProcAddr get) {
  DEVICE_FUNCTION(CreateBuffer);
  const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                   .size = MOST * sizeof(spvreconv_record),
                                   .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                            VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
  VkBuffer buffer = VK_NULL_HANDLE;
  if (!CreateBuffer || CreateBuffer(device, &info, NULL, &buffer) != VK_SUCCESS)
    return VK_NULL_HANDLE;
  return buffer;
}

/* A type of memory that the process can read while the device has it; UINT32_MAX: none. */
static uint32_t find_memory(const LyAsker *asker, VkPhysicalDevice physical, uint32_t types) {
  static const VkMemoryPropertyFlags wanted =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  PFN_vkGetPhysicalDeviceMemoryProperties get = (PFN_vkGetPhysicalDeviceMemoryProperties)asker->get(
      asker->instance, "vkGetPhysicalDeviceMemoryProperties");
  VkPhysicalDeviceMemoryProperties has = {0};
  if (get)
    get(physical, &has);
  for (uint32_t i = 0; i < has.memoryTypeCount; i++)
    if (types >> i & 1 && (has.memoryTypes[i].propertyFlags & wanted) == wanted)
      return i;
  return UINT32_MAX;
}

static bool bind_memory(LyRunaways *r, const LyAsker *asker, VkPhysicalDevice physical,
                        PFN_vkGetDeviceProcAddr get) {
  VkDevice device = r->device;
  DEVICE_FUNCTION(GetBufferMemoryRequirements);
  DEVICE_FUNCTION(AllocateMemory);
  DEVICE_FUNCTION(BindBufferMemory);
  DEVICE_FUNCTION(MapMemory);
  VkMemoryRequirements needs;
  GetBufferMemoryRequirements(device, r->buffer, &needs);
  const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                           .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                     .pNext = &flags,
                                     .allocationSize = needs.size,
                                     .memoryTypeIndex =
                                         find_memory(asker, physical, needs.memoryTypeBits)};
  void *mapped;
  if (info.memoryTypeIndex == UINT32_MAX ||
      AllocateMemory(device, &info, NULL, &r->memory) != VK_SUCCESS ||
      BindBufferMemory(device, r->buffer, r->memory, 0) != VK_SUCCESS ||
      MapMemory(device, r->memory, 0, VK_WHOLE_SIZE, 0, &mapped) != VK_SUCCESS)
    return false;
  memset(mapped, 0, MOST * sizeof(spvreconv_record));
  r->records = mapped;
  return true;
}

static VkDeviceAddress address_of(const LyRunaways *r, PFN_vkGetDeviceProcAddr get, bool extended) {
  PFN_vkGetBufferDeviceAddress address = (PFN_vkGetBufferDeviceAddress)get(
      r->device, extended ? "vkGetBufferDeviceAddressKHR" : "vkGetBufferDeviceAddress");
  const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                          .buffer = r->buffer};
  return address ? address(r->device, &info) : 0;
}

/* ---- making and freeing ---- */

static void refuse(const LyLog *log, const char *why) {
  ly_log(log, LY_ERROR, "loops are bounded, but which of them ran away is not recorded: %s", why);
}

static void clear(LyRunaways *r) {
  r->destroy(r->device, r->buffer, NULL);
  r->free(r->device, r->memory, NULL);
  pthread_mutex_destroy(&r->lock);
  free(r->loops);
  free(r);
}

static void list(LyRunaways *r) {
  pthread_mutex_lock(&lock);
  r->next = first;
  first = r;
  pthread_mutex_unlock(&lock);
}

static void unlist(const LyRunaways *r) {
  pthread_mutex_lock(&lock);
  LyRunaways **at = &first;
  while (*at != r)
    at = &(*at)->next;
  *at = r->next;
  pthread_mutex_unlock(&lock);
}

LyRunaways *ly_runaways_new(const LyDeviceRequest *request, const LyAsker *asker,
                            VkPhysicalDevice physical, VkDevice device, PFN_vkGetDeviceProcAddr get,
                            const LyLog *log) {
  LyRunaways *r = request->refused ? NULL : calloc(1, sizeof *r);
  if (!r) {
    refuse(log, request->refused ? request->refused : "out of memory");
    return NULL;
  }
  *r = (LyRunaways){.log = log,
                    .owner = getpid(),
                    .fragments = request->fragments,
                    .vertices = request->vertices,
                    .device = device,
                    .destroy = (PFN_vkDestroyBuffer)get(device, "vkDestroyBuffer"),
                    .free = (PFN_vkFreeMemory)get(device, "vkFreeMemory")};
  pthread_mutex_init(&r->lock, NULL);
  r->buffer = make_buffer(device, get);
  if (r->buffer && bind_memory(r, asker, physical, get))
    r->address = address_of(r, get, request->extended);
  if (!r->address) {
    refuse(log, "the device gives no memory for records");
    clear(r);
    return NULL;
  }
  list(r);
  return r;
}

/* ---- loops ---- */

/* May shaders that name their lanes so store to memory? */
static bool may_store(const LyRunaways *r, const char *lane) {
  if (!lane || !strcmp(lane, "vertex"))
    return r->vertices && (lane || r->fragments);
  return strcmp(lane, "pixel") != 0 || r->fragments;
}

static uint32_t find(const LyRunaways *r, LyHash module, const spvreconv_bounded *loop) {
  uint32_t i = 0;
  for (; i < r->count; i++) {
    const Loop *known = &r->loops[i];
    if (known->module.high == module.high && known->module.low == module.low &&
        known->block == loop->block && known->function_id == loop->function_id)
      break;
  }
  return i;
}

/* False: there is no room. */
static bool add(LyRunaways *r, LyHash module, const spvreconv_bounded *loop) {
  if (r->count == r->room) {
    uint32_t room = r->room ? 2 * r->room : 64;
    Loop *loops = room > MOST ? NULL : realloc(r->loops, room * sizeof *loops);
    if (!loops)
      return false;
    r->loops = loops;
    r->room = room;
  }
  Loop *to = &r->loops[r->count++];
  *to = (Loop){
      .module = module, .function_id = loop->function_id, .block = loop->block, .lane = loop->lane};
  snprintf(to->function, sizeof to->function, "%s", loop->function);
  if (loop->line && loop->file && *loop->file)
    snprintf(to->place, sizeof to->place, " (%s:%u)", loop->file, loop->line);
  else if (loop->line)
    snprintf(to->place, sizeof to->place, " (line %u)", loop->line);
  return true;
}

uint64_t ly_runaways_address(LyRunaways *r, LyHash module, const spvreconv_bounded *loop) {
  if (!may_store(r, loop->lane))
    return 0;
  pthread_mutex_lock(&r->lock);
  uint32_t index = find(r, module, loop);
  bool has = index < r->count || add(r, module, loop);
  pthread_mutex_unlock(&r->lock);
  return has ? r->address + index * sizeof(spvreconv_record) : 0;
}

/* ---- lines ---- */

static bool is_before(const uint32_t a[3], const uint32_t b[3]) {
  for (int i = 2; i > 0; i--)
    if (a[i] != b[i])
      return a[i] < b[i];
  return a[0] < b[0];
}

/* The first lanes, in order; returns how many. */
static uint32_t sorted(const volatile spvreconv_record *record, uint32_t named[NAMED][3]) {
  uint32_t lanes = record->lanes < NAMED ? record->lanes : NAMED;
  for (uint32_t i = 0; i < lanes; i++) {
    const uint32_t lane[3] = {record->named[i][0], record->named[i][1], record->named[i][2]};
    uint32_t at = i;
    for (; at > 0 && is_before(lane, named[at - 1]); at--)
      memcpy(named[at], named[at - 1], sizeof lane);
    memcpy(named[at], lane, sizeof lane);
  }
  return lanes;
}

/* "invocation (1, 0, 0)", "pixels (4, 2), (5, 2)", "vertices 3, 7" */
static void print_lanes(FILE *out, const Loop *loop, const volatile spvreconv_record *record) {
  uint32_t named[NAMED][3], lanes = sorted(record, named);
  bool vertex = !strcmp(loop->lane, "vertex"), pixel = !strcmp(loop->lane, "pixel");
  fprintf(out, ": %s ",
          lanes == 1 ? loop->lane
          : vertex   ? "vertices"
          : pixel    ? "pixels"
                     : "invocations");
  for (uint32_t i = 0; i < lanes; i++) {
    const uint32_t *at = named[i];
    fprintf(out, "%s", i ? ", " : "");
    if (vertex)
      fprintf(out, "%u", at[0]);
    else if (pixel)
      fprintf(out, "(%u, %u)", at[0], at[1]);
    else
      fprintf(out, "(%u, %u, %u)", at[0], at[1], at[2]);
  }
  if (record->lanes > NAMED)
    fputs(", ...", out);
}

static void write_line(const LyRunaways *r, uint32_t index) {
  const Loop *loop = &r->loops[index];
  const volatile spvreconv_record *record = &r->records[index];
  char line[LINE_ROOM] = "", module[LY_HASH_TEXT];
  FILE *out = fmemopen(line, sizeof line, "w");
  if (!out)
    return;
  ly_hash_print(loop->module, module);
  fprintf(out, "module %s: function %s, loop at block %%%u%s: bound-loops took %u lane%s out of it",
          module, loop->function, loop->block, loop->place, record->lanes,
          record->lanes == 1 ? "" : "s");
  if (loop->lane)
    print_lanes(out, loop, record);
  fclose(out);
  ly_log(r->log, LY_ERROR, "%s", line);
}

static void write_lines(const LyRunaways *r) {
  for (uint32_t i = 0; i < r->count; i++)
    if (r->records[i].lanes)
      write_line(r, i);
}

void ly_runaways_free(LyRunaways *r) {
  if (!r)
    return;
  unlist(r);
  write_lines(r);
  clear(r);
}

/* Programs end without destroying their devices. Locks are only tried, since no thread of this process
 * may be left that releases them. */
__attribute__((destructor)) static void write_all(void) {
  if (pthread_mutex_trylock(&lock) != 0)
    return;
  for (LyRunaways *r = first; r; r = r->next)
    if (r->owner == getpid() && pthread_mutex_trylock(&r->lock) == 0) {
      write_lines(r);
      pthread_mutex_unlock(&r->lock);
    }
  pthread_mutex_unlock(&lock);
}
