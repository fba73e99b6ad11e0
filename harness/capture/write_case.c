/* SPDX-License-Identifier: Apache-2.0 */
/* write_case: a shot as AmberScript: the shader, the contents before the dispatch, the pipeline, the
 * dispatch, and the contents after it as EXPECTs. */
#include "harness/base/feature_lines.h"
#include "harness/capture/contents_file.h"
#include "harness/capture/piece_type.h"
#include "harness/capture/shot.h"
#include "harness/capture/write_draw.h"
#include "harness/shader/block_layout.h"
#include "harness/shader/module_text.h"
#include "spv-emu/format/format_planes.h"

#include <errno.h>
#include <spvreconv/spvreconv.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 80 };

typedef struct Written { /* a piece in the case */
  char name[NAME];
  CpType type;
  CpFile before, after;
  double tolerance;
} Written;

typedef struct Case {
  CpDevice *device;
  const CpShot *shot;
  LyFolder *folder;
  FILE *out;
  Written *pieces;
  uint64_t bytes;    /* of contents */
  CpFile modules[5]; /* that cannot be printed */
  uint32_t module_count;
} Case;

/* ---- pieces ---------------------------------------------------------------------------------- */

static const CpUse *first_use(const CpShot *shot, uint32_t piece) {
  for (uint32_t i = 0; i < shot->use_count; i++)
    if (shot->uses[i].piece == piece)
      return &shot->uses[i];
  return NULL;
}

static bool is_taken(const Case *c, uint32_t piece) {
  for (uint32_t i = 0; i < piece; i++)
    if (strcmp(c->pieces[i].name, c->pieces[piece].name) == 0)
      return true;
  return false;
}

/* The name of what only draws have. */
static void name_role(Case *c, uint32_t index) {
  static const char *const names[] = {[CP_VERTICES] = "vertices",
                                      [CP_INDICES] = "indices",
                                      [CP_COLOR] = "color",
                                      [CP_DEPTH] = "depth"};
  const CpPiece *piece = &c->shot->pieces[index];
  snprintf(c->pieces[index].name, NAME, "%s_%u", names[piece->role], piece->slot);
}

static void name_piece(Case *c, uint32_t index) {
  if (c->shot->pieces[index].role != CP_CONTENTS) {
    name_role(c, index);
    return;
  }
  const CpUse *use = first_use(c->shot, index);
  const CpVariable *v = use->variable;
  char *name = c->pieces[index].name;
  const char *base = *v->name ? v->name : v->class == CP_IMAGE ? "image" : "buffer";
  int length = snprintf(name, NAME, "%s_%u_%u", base, v->set, v->binding);
  if (v->count > 1)
    length += snprintf(name + length, (size_t)(NAME - length), "_%u", use->element);
  if (is_taken(c, index))
    snprintf(name + length, (size_t)(NAME - length), "_piece%u", index);
}

/* Does the piece consist of one descriptor's bytes? */
static bool is_whole(const CpShot *shot, uint32_t index) {
  const CpPiece *piece = &shot->pieces[index];
  for (uint32_t i = 0; i < shot->use_count; i++)
    if (shot->uses[i].piece == index &&
        (shot->uses[i].low != piece->low || shot->uses[i].high != piece->high))
      return false;
  return true;
}

static bool type_piece(const Case *c, uint32_t index, CpType *type) {
  static const CpBlock bytes = {.same = true, .bits = 8};
  const CpPiece *piece = &c->shot->pieces[index];
  CpBlock indices = {.same = true};
  if (piece->image || piece->texels)
    return cp_type_of_format(piece->format, type);
  if (piece->role == CP_VERTICES)
    return cp_type_of_block(&bytes, piece->size, false, type);
  if (piece->role == CP_CONTENTS)
    return cp_type_of_block(&piece->variable->block, piece->size, is_whole(c->shot, index), type);
  indices.bits = c->shot->draw->state.index_type == VK_INDEX_TYPE_UINT32   ? 32
                 : c->shot->draw->state.index_type == VK_INDEX_TYPE_UINT16 ? 16
                                                                           : 8;
  return cp_type_of_block(&indices, piece->size, false, type);
}

/* Writes contents of the piece, whose copy is at `at`, to a file. */
static bool put_contents(Case *c, const CpPiece *piece, VkDeviceSize at, CpFile *file) {
  const uint8_t *copied = c->shot->mapped + at;
  const EmuFormat *format = piece->image ? emu_format_numbered(piece->format) : NULL;
  c->bytes += piece->size;
  if (!format || !emu_planes_needed(format))
    return cp_file_put(c->folder, copied, piece->size, ".bin", file);
  uint8_t *joined = malloc(piece->size + 1);
  if (joined)
    emu_planes_join(format, copied, (uint32_t)(piece->size / format->bytes), joined);
  bool good = joined && cp_file_put(c->folder, joined, piece->size, ".bin", file);
  free(joined);
  return good;
}

/* The weights of linear filters have 8 bits on many devices (subTexelPrecisionBits), in each of two directions. */
static bool is_filtered(const CpShot *shot) {
  bool filtered = false;
  for (uint32_t i = 0; i < shot->use_count; i++)
    filtered = filtered ||
               (shot->uses[i].sampled && (shot->uses[i].sampler.magFilter == VK_FILTER_LINEAR ||
                                          shot->uses[i].sampler.minFilter == VK_FILTER_LINEAR));
  return filtered;
}

/* The part of the largest number by which the shaders' floats may differ. */
static double error_of(const CpShot *shot) {
  double most = is_filtered(shot) ? 2.0 / 256 : 0;
  for (const CpPipeline *stage = shot->pipeline; stage; stage = stage->next)
    most = stage->face->error > most ? stage->face->error : most;
  return most;
}

static bool prepare_piece(Case *c, uint32_t index) {
  const CpPiece *piece = &c->shot->pieces[index];
  Written *w = &c->pieces[index];
  name_piece(c, index);
  if (!type_piece(c, index, &w->type) || !put_contents(c, piece, piece->before, &w->before))
    return false;
  if (!piece->written)
    return true;
  w->tolerance =
      cp_type_tolerance(&w->type, c->shot->mapped + piece->after, piece->size, error_of(c->shot));
  return put_contents(c, piece, piece->after, &w->after);
}

static void write_contents(FILE *out, const CpFile *file, bool levels) {
  if (file->zero)
    fputs(" FILL 0\n", out);
  else
    fprintf(out, " FILE BINARY %s%s\n", file->name, levels ? " ALL_LEVELS" : "");
}

static void write_extent(FILE *out, const CpPiece *piece) {
  static const char *const dimensions[] = {[VK_IMAGE_VIEW_TYPE_1D] = "1D",
                                           [VK_IMAGE_VIEW_TYPE_2D] = "2D",
                                           [VK_IMAGE_VIEW_TYPE_3D] = "3D",
                                           [VK_IMAGE_VIEW_TYPE_CUBE] = "CUBE",
                                           [VK_IMAGE_VIEW_TYPE_1D_ARRAY] = "1D_ARRAY",
                                           [VK_IMAGE_VIEW_TYPE_2D_ARRAY] = "2D_ARRAY",
                                           [VK_IMAGE_VIEW_TYPE_CUBE_ARRAY] = "CUBE_ARRAY"};
  const VkExtent3D e = cp_piece_extent(piece, 0);
  VkImageViewType type = piece->view.type;
  fprintf(out, " DIM_%s WIDTH %u", dimensions[type], e.width);
  if (type != VK_IMAGE_VIEW_TYPE_1D && type != VK_IMAGE_VIEW_TYPE_1D_ARRAY)
    fprintf(out, " HEIGHT %u", e.height);
  if (type == VK_IMAGE_VIEW_TYPE_3D)
    fprintf(out, " DEPTH %u", e.depth);
  if (type > VK_IMAGE_VIEW_TYPE_3D)
    fprintf(out, " LAYERS %u", piece->view.range.layerCount);
  if (piece->view.range.levelCount > 1)
    fprintf(out, " MIP_LEVELS %u", piece->view.range.levelCount);
}

static void declare(Case *c, uint32_t index, const char *suffix, const CpFile *file) {
  const CpPiece *piece = &c->shot->pieces[index];
  const Written *w = &c->pieces[index];
  char type_name[NAME + 8];
  snprintf(type_name, sizeof type_name, "%s_type", w->name);
  fprintf(c->out, "%s %s%s", piece->image ? "IMAGE" : "BUFFER", w->name, suffix);
  cp_type_write(c->out, &w->type, type_name);
  if (piece->image) {
    write_extent(c->out, piece);
  } else {
    fprintf(c->out, " SIZE %llu", (unsigned long long)(piece->size / w->type.stride));
  }
  write_contents(c->out, file, piece->image && piece->view.range.levelCount > 1);
}

static void write_pieces(Case *c) {
  for (uint32_t i = 0; i < c->shot->piece_count; i++) {
    char type_name[NAME + 8];
    snprintf(type_name, sizeof type_name, "%s_type", c->pieces[i].name);
    cp_type_declare(c->out, &c->pieces[i].type, type_name);
    declare(c, i, "", &c->pieces[i].before);
    if (c->shot->pieces[i].written)
      declare(c, i, "_after", &c->pieces[i].after);
  }
  fputc('\n', c->out);
}

static void write_pushed(Case *c) {
  const CpShot *shot = c->shot;
  if (!shot->pushed_size)
    return;
  fputs("BUFFER pushed DATA_TYPE uint8 DATA\n ", c->out);
  for (uint32_t i = 0; i < shot->pushed_size; i++)
    fprintf(c->out, " %u", shot->pushed[i]);
  fputs("\nEND\n\n", c->out);
}

/* ---- the shaders ----------------------------------------------------------------------------- */

/* A pipeline has at most one shader of a stage. */
static const char *shader_name(const CpPipeline *stage) {
  return stage->stage == VK_SHADER_STAGE_COMPUTE_BIT ? "shader" : cp_stage_name(stage->stage);
}

static bool write_binary(Case *c, const CpPipeline *stage, unsigned minor) {
  const CpModule *module = stage->module;
  CpFile *file = &c->modules[c->module_count++];
  if (!cp_file_put(c->folder, (const uint8_t *)module->words, module->bytes, ".spv", file))
    return false;
  fprintf(c->out, "SHADER %s %s SPIRV-BIN TARGET_ENV spv1.%u FILE %s\n\n",
          cp_stage_name(stage->stage), shader_name(stage), minor, file->name);
  return true;
}

static bool write_shader(Case *c, const CpPipeline *stage) {
  const CpModule *module = stage->module;
  size_t count = module->bytes / sizeof(uint32_t);
  unsigned minor = module->words[1] >> 8 & 0xff;
  char *text = hn_module_text((HnModule){module->words, count}, NULL);
  if (!text)
    return write_binary(c, stage, minor);
  fprintf(c->out, "SHADER %s %s SPIRV-ASM TARGET_ENV spv1.%u\n%s%sEND\n\n",
          cp_stage_name(stage->stage), shader_name(stage), minor, text,
          *text && text[strlen(text) - 1] == '\n' ? "" : "\n");
  free(text);
  return true;
}

static void write_features(Case *c, const CpPipeline *p) {
  size_t count = p->module->bytes / sizeof(uint32_t);
  hn_feature_lines(c->out, p->module->words, count, cp_stage_name(p->stage));
  const char *layout = hn_block_layout(p->module->words, count);
  if (layout)
    fprintf(c->out, "DEVICE_FEATURE %s\n", layout);
}

static bool write_shaders(Case *c) {
  for (const CpPipeline *p = c->shot->pipeline; p; p = p->next)
    write_features(c, p);
  for (const CpPipeline *p = c->shot->pipeline; p; p = p->next)
    if (p->stage == VK_SHADER_STAGE_FRAGMENT_BIT && c->device->stores)
      fputs("DEVICE_FEATURE fragmentStoresAndAtomics\n", c->out);
  if (c->device->robust)
    fputs("DEVICE_FEATURE robustBufferAccess\n", c->out);
  fputc('\n', c->out);
  bool good = true;
  for (const CpPipeline *p = c->shot->pipeline; good && p; p = p->next)
    good = write_shader(c, p);
  return good;
}

/* ---- the pipeline ---------------------------------------------------------------------------- */

static void write_subgroup(Case *c, const CpPipeline *p) {
  if (!p->subgroup_size && !p->varying_size && !p->full_subgroups)
    return;
  fprintf(c->out, "  SUBGROUP %s\n", shader_name(p));
  if (p->full_subgroups)
    fputs("    FULLY_POPULATED on\n", c->out);
  if (p->varying_size)
    fputs("    VARYING_SIZE on\n", c->out);
  if (p->subgroup_size)
    fprintf(c->out, "    REQUIRED_SIZE %u\n", p->subgroup_size);
  fputs("  END\n", c->out);
}

static void write_attach(Case *c, const CpPipeline *p) {
  fprintf(c->out, "  ATTACH %s", shader_name(p));
  if (strcmp(p->entry, "main") != 0)
    fprintf(c->out, " ENTRY_POINT %s", p->entry);
  for (uint32_t i = 0; i < p->constant_count; i++) {
    uint32_t value;
    memcpy(&value, p->constant_bytes + p->constants[i].offset, sizeof value);
    fprintf(c->out, " SPECIALIZE %u AS uint32 %u", p->constants[i].constantID, value);
  }
  fputc('\n', c->out);
  write_subgroup(c, p);
}

/* The descriptors of a variable: uses [first, first + count). A case binds all elements of an array;
 * those to which nothing was bound get the descriptor of another one. */
typedef struct Group {
  const CpUse *uses;
  uint32_t count, elements;
} Group;

static const CpUse *element(const Group *g, uint32_t index) {
  for (uint32_t i = 0; i < g->count; i++)
    if (g->uses[i].element == index)
      return &g->uses[i];
  return g->uses;
}

static void write_names(Case *c, const Group *g, bool samplers) {
  for (uint32_t i = 0; i < g->elements; i++) {
    const CpUse *use = element(g, i);
    if (samplers)
      fprintf(c->out, " sampler_%u", (unsigned)(use - c->shot->uses));
    else
      fprintf(c->out, " %s", c->pieces[use->piece].name);
  }
}

static const char *kind_of(VkDescriptorType type) {
  switch (type) {
  case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    return "combined_image_sampler";
  case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    return "sampled_image";
  case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    return "storage_image";
  case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    return "uniform_texel_buffer";
  case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
    return "storage_texel_buffer";
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
  case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    return "uniform";
  default:
    return "storage";
  }
}

/* Where each descriptor begins and ends in its piece, unless each is a whole one. */
static void write_ranges(Case *c, const Group *g) {
  const CpPiece *pieces = c->shot->pieces;
  bool parts = false;
  for (uint32_t i = 0; i < g->count; i++) {
    const CpPiece *piece = &pieces[g->uses[i].piece];
    parts = parts ||
            (!piece->image && (g->uses[i].low != piece->low || g->uses[i].high != piece->high));
  }
  if (!parts)
    return;
  fputs(" DESCRIPTOR_OFFSET", c->out);
  for (uint32_t i = 0; i < g->elements; i++)
    fprintf(c->out, " %llu",
            (unsigned long long)(element(g, i)->low - pieces[element(g, i)->piece].low));
  fputs(" DESCRIPTOR_RANGE", c->out);
  for (uint32_t i = 0; i < g->elements; i++)
    fprintf(c->out, " %llu", (unsigned long long)(element(g, i)->high - element(g, i)->low));
}

static bool is_swizzled(const VkComponentMapping *m) {
  const VkComponentSwizzle from[] = {m->r, m->g, m->b, m->a};
  bool swizzled = false;
  for (uint32_t i = 0; i < 4; i++)
    swizzled = swizzled || (from[i] != VK_COMPONENT_SWIZZLE_IDENTITY &&
                            from[i] != (VkComponentSwizzle)(VK_COMPONENT_SWIZZLE_R + i));
  return swizzled;
}

/* Where the components of each image come from, unless all are the image's own. */
static void write_swizzles(Case *c, const Group *g) {
  static const char *const words[] = {"identity", "zero", "one", "r", "g", "b", "a"};
  bool swizzled = false;
  for (uint32_t i = 0; i < g->count; i++)
    swizzled = swizzled || is_swizzled(&g->uses[i].components);
  if (swizzled)
    fputs(" SWIZZLE", c->out);
  for (uint32_t i = 0; swizzled && i < g->elements; i++) {
    const VkComponentMapping *m = &element(g, i)->components;
    fprintf(c->out, " %s %s %s %s", words[m->r], words[m->g], words[m->b], words[m->a]);
  }
}

static void write_bind(Case *c, const Group *g) {
  const CpVariable *v = g->uses->variable;
  bool alone = g->uses->piece == UINT32_MAX;
  fprintf(c->out, "  BIND %s%s", alone ? "SAMPLER" : "BUFFER", g->elements > 1 ? "_ARRAY" : "");
  write_names(c, g, alone);
  if (!alone)
    fprintf(c->out, " AS %s", kind_of(g->uses->type));
  if (!alone && g->uses->sampled) {
    fputs(" SAMPLER", c->out);
    write_names(c, g, true);
  }
  fprintf(c->out, " DESCRIPTOR_SET %u BINDING %u", v->set, v->binding);
  if (!alone) {
    write_ranges(c, g);
    write_swizzles(c, g);
  }
  fputc('\n', c->out);
}

/* Did an earlier stage bind the same place? */
static bool is_bound(const CpShot *shot, uint32_t use) {
  const CpVariable *v = shot->uses[use].variable;
  for (uint32_t i = 0; i < use; i++)
    if (shot->uses[i].variable != v && shot->uses[i].variable->set == v->set &&
        shot->uses[i].variable->binding == v->binding)
      return true;
  return false;
}

static void write_descriptors(Case *c) {
  const CpShot *shot = c->shot;
  for (uint32_t i = 0; i < shot->bound_count;) {
    Group g = {&shot->uses[i], 1, shot->uses[i].variable->count};
    while (i + g.count < shot->bound_count && g.uses[g.count].variable == g.uses->variable)
      g.count++;
    if (!is_bound(shot, i))
      write_bind(c, &g);
    i += g.count;
  }
}

static void write_attachments(Case *c) {
  for (uint32_t i = 0; i < c->shot->piece_count; i++) {
    const CpPiece *piece = &c->shot->pieces[i];
    if (piece->role == CP_COLOR)
      fprintf(c->out, "  BIND BUFFER %s AS color LOCATION %u\n", c->pieces[i].name, piece->slot);
    else if (piece->role == CP_DEPTH)
      fprintf(c->out, "  BIND BUFFER %s AS depth_stencil\n", c->pieces[i].name);
    else
      cp_draw_vertices(c->out, c->shot, piece, c->pieces[i].name);
  }
}

static void write_pipeline(Case *c) {
  const CpShot *shot = c->shot;
  fprintf(c->out, "PIPELINE %s pipeline\n", shot->draw ? "graphics" : "compute");
  for (const CpPipeline *p = shot->pipeline; p; p = p->next)
    write_attach(c, p);
  write_descriptors(c);
  if (shot->pushed_size)
    fputs("  BIND BUFFER pushed AS push_constant\n", c->out);
  if (shot->draw) {
    write_attachments(c);
    cp_draw_state(c->out, shot);
  }
  fputs("END\n\n", c->out);
}

static void write_sampler(FILE *out, const VkSamplerCreateInfo *s) {
  static const char *const filters[] = {"nearest", "linear"};
  static const char *const modes[] = {"repeat", "mirrored_repeat", "clamp_to_edge",
                                      "clamp_to_border", "mirrored_clamp_to_edge"};
  static const char *const borders[] = {"float_transparent_black", "int_transparent_black",
                                        "float_opaque_black",      "int_opaque_black",
                                        "float_opaque_white",      "int_opaque_white"};
  static const char *const compare[] = {
      "never", "less", "equal", "less_or_equal", "greater", "not_equal", "greater_or_equal",
      "always"};
  fprintf(out, " MAG_FILTER %s MIN_FILTER %s ADDRESS_MODE_U %s ADDRESS_MODE_V %s ADDRESS_MODE_W %s",
          filters[s->magFilter], filters[s->minFilter], modes[s->addressModeU],
          modes[s->addressModeV], modes[s->addressModeW]);
  if (s->borderColor <= VK_BORDER_COLOR_INT_OPAQUE_WHITE)
    fprintf(out, " BORDER_COLOR %s", borders[s->borderColor]);
  if (s->unnormalizedCoordinates)
    fputs(" UNNORMALIZED_COORDS", out);
  else
    fprintf(out, " MIN_LOD %.9g MAX_LOD %.9g", (double)s->minLod, (double)s->maxLod);
  if (s->mipmapMode == VK_SAMPLER_MIPMAP_MODE_LINEAR && s->maxLod > 0)
    fputs(" MIPMAP_MODE linear", out);
  if (s->mipLodBias != 0)
    fprintf(out, " LOD_BIAS %.9g", (double)s->mipLodBias);
  if (s->compareEnable)
    fprintf(out, " COMPARE on COMPARE_OP %s", compare[s->compareOp]);
  fputc('\n', out);
}

static void write_samplers(Case *c) {
  for (uint32_t i = 0; i < c->shot->use_count; i++)
    if (c->shot->uses[i].sampled) {
      fprintf(c->out, "SAMPLER sampler_%u", i);
      write_sampler(c->out, &c->shot->uses[i].sampler);
    }
}

/* ---- the whole case -------------------------------------------------------------------------- */

static void write_head(Case *c) {
  char hash[LY_HASH_TEXT];
  ly_hash_print(c->shot->pipeline->module->hash, hash);
  fprintf(c->out,
          "#!amber\n# Captured by spvreconv " SPVRECONV_VERSION ": %s %llu of %s on %s\n"
          "# Module %s\n",
          c->shot->draw ? "draw" : "dispatch", (unsigned long long)c->shot->number,
          program_invocation_short_name, c->device->name, hash);
  if (c->device->subgroup_size)
    fprintf(c->out, "# The device has subgroups of %u\n", c->device->subgroup_size);
  fputc('\n', c->out);
}

static void write_run(Case *c) {
  if (c->shot->draw)
    cp_draw_run(c->out, c->shot);
  else
    fprintf(c->out, "RUN pipeline %u %u %u\n\n", c->shot->groups[0], c->shot->groups[1],
            c->shot->groups[2]);
  for (uint32_t i = 0; i < c->shot->piece_count; i++) {
    const Written *w = &c->pieces[i];
    if (!c->shot->pieces[i].written)
      continue;
    double rmse = c->shot->draw ? cp_type_rmse(&w->type, w->tolerance) : 0;
    fprintf(c->out, "EXPECT %s %s %s_after", w->name, rmse > 0 ? "RMSE_BUFFER" : "EQ_BUFFER",
            w->name);
    if (rmse > 0 || w->tolerance > 0)
      fprintf(c->out, " TOLERANCE %.3g", rmse > 0 ? rmse : w->tolerance);
    fputc('\n', c->out);
  }
}

static bool write_all(Case *c) {
  for (uint32_t i = 0; i < c->shot->piece_count; i++)
    if (!prepare_piece(c, i))
      return false;
  write_head(c);
  if (!write_shaders(c))
    return false;
  write_pieces(c);
  write_pushed(c);
  write_samplers(c);
  write_pipeline(c);
  write_run(c);
  return true;
}

static bool put_case(Case *c, CpEntry *entry) {
  char *text = NULL;
  size_t size = 0;
  c->out = open_memstream(&text, &size);
  bool good = c->out && write_all(c);
  good = c->out && fclose(c->out) == 0 && good;
  char hash[LY_HASH_TEXT];
  ly_hash_print(c->shot->pipeline->module->hash, hash);
  snprintf(entry->file, sizeof entry->file, "%s-%llu-%.8s.amber",
           c->shot->draw ? "draw" : "dispatch", (unsigned long long)c->shot->number, hash);
  struct iovec part = {text, size};
  good = good && ly_folder_put(c->folder, entry->file, &part, 1);
  free(text);
  return good;
}

static void read_indirect_draw(CpShot *shot, const uint8_t *numbers) {
  VkDrawIndexedIndirectCommand indexed;
  VkDrawIndirectCommand plain;
  CpDraw *draw = shot->draw;
  if (draw->indexed) {
    memcpy(&indexed, numbers, sizeof indexed);
    draw->count = indexed.indexCount;
    draw->instances = indexed.instanceCount;
    draw->first = indexed.firstIndex;
    draw->vertex_offset = indexed.vertexOffset;
    draw->first_instance = indexed.firstInstance;
  } else {
    memcpy(&plain, numbers, sizeof plain);
    draw->count = plain.vertexCount;
    draw->instances = plain.instanceCount;
    draw->first = plain.firstVertex;
    draw->first_instance = plain.firstInstance;
  }
  shot->groups[0] = draw->count;
  shot->groups[1] = draw->instances;
}

static void read_indirect(CpShot *shot) {
  const uint8_t *numbers = shot->mapped + shot->indirect_copy;
  if (shot->indirect.buffer && shot->draw)
    read_indirect_draw(shot, numbers);
  else if (shot->indirect.buffer)
    memcpy(shot->groups, numbers, sizeof shot->groups);
}

/* Adds a file's name to the entry, unless only those that this case made count. False: out of memory. */
static bool list_file(CpEntry *entry, const CpFile *file, bool made) {
  if (file->zero || !*file->name || (made && !file->made))
    return true;
  char(*list)[CP_FILE_NAME] = realloc(entry->contents, (entry->content_count + 1u) * sizeof *list);
  if (!list)
    return false;
  entry->contents = list;
  memcpy(list[entry->content_count++], file->name, sizeof *list);
  return true;
}

static bool list_files(const Case *c, CpEntry *entry, bool made) {
  bool good = true;
  for (uint32_t i = 0; good && i < c->module_count; i++)
    good = list_file(entry, &c->modules[i], made);
  for (uint32_t i = 0; good && i < c->shot->piece_count; i++)
    good =
        list_file(entry, &c->pieces[i].before, made) && list_file(entry, &c->pieces[i].after, made);
  return good;
}

static void keep(const Case *c, CpEntry *entry) {
  entry->bytes = c->bytes;
  cp_session_add(c->device->session, *entry);
}

static void discard(const Case *c, CpEntry *entry) {
  free(entry->contents);
  entry->contents = NULL;
  entry->content_count = 0;
  if (c->pieces)
    list_files(c, entry, true);
  cp_session_discard(c->device->session, *entry);
}

bool cp_case_write(CpDevice *d, CpShot *shot) {
  read_indirect(shot);
  Case c = {.device = d,
            .shot = shot,
            .folder = &d->session->folder,
            .pieces = calloc(shot->piece_count + 1u, sizeof *c.pieces)};
  CpEntry entry = {.number = shot->number,
                   .row = shot->pipeline->row,
                   .groups = {shot->groups[0], shot->groups[1], shot->groups[2]},
                   .draw = shot->draw != NULL,
                   .seconds = shot->seconds,
                   .first = shot->first};
  bool good = c.pieces && put_case(&c, &entry) && list_files(&c, &entry, false);
  if (good)
    keep(&c, &entry);
  else
    discard(&c, &entry);
  for (uint32_t i = 0; c.pieces && i < shot->piece_count; i++)
    cp_type_free(&c.pieces[i].type);
  free(c.pieces);
  return good;
}
