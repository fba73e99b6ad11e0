/* SPDX-License-Identifier: Apache-2.0 */
/* image: the handlers of image instructions.
 *
 *   image.c         handlers: lane by lane, arguments from rows, results to rows
 *   image_query.c   handlers of queries
 *   image_sample.c  sampling and gathering: Vulkan, chapter "Image Operations"
 *   image_texel.c   the address and the contents of a texel
 *
 * EmuIns.x is an index in program->image_ops. EmuIns.list has the registers written (one for each
 * component of the result) and then those read, at the positions in the EmuImageOp. */
#ifndef EMU_IMAGE_H
#define EMU_IMAGE_H

#include "spv-emu/engine/resource.h"

/* Registers of an argument. */
typedef struct EmuArgument {
  uint32_t at; /* position of the first in the list; EMU_NO_ROW: not given */
  uint8_t count;
  uint8_t kind; /* EmuKind; integers are read as signed */
} EmuArgument;

typedef enum EmuExtend { EMU_EXTEND_AS_FORMAT, EMU_EXTEND_SIGN, EMU_EXTEND_ZERO } EmuExtend;

typedef struct EmuImageOp {
  SpvOp op;
  SpvDim dim;
  bool arrayed;
  bool projected;     /* coordinate and dref are divided by one more component, the last one */
  uint8_t components; /* components of the result */
  uint8_t kind;       /* EmuKind of the result, or of the texel that is written */
  uint8_t extend;     /* EmuExtend, of integers */
  bool implicit;      /* the level of detail is computed from the lane's quad (subgroup/quad.h) */
  EmuArgument image, sampler, coordinate, dref, texel, component; /* component: for a gather */
  EmuArgument bias, lod, grad_x, grad_y, offset, offsets, sample, min_lod;
} EmuImageOp;

/* OpImageSample*, OpImage(Dref)Gather; OpImageFetch and OpImageRead; OpImageWrite. */
EmuHandler emu_image_sample, emu_image_gather, emu_image_read, emu_image_write;
/* OpImageQueryLod. */
EmuHandler emu_image_query_lod;
/* OpImageQuerySize, SizeLod, Levels, Samples, Format, Order. */
EmuHandler emu_image_query;
/* Sets place[lane] to the texel of each active lane, for atomics of `bytes` bytes; uses the
 * EmuImageOp's image, coordinate and sample. NULL: no image, out of bounds, or a texel of another
 * size; each of these has been counted and recorded. */
void emu_image_locate(EmuLanes *s, const EmuIns *i, uint32_t bytes, bool written, uint8_t **place);

/* ---- shared by the image*.c files ------------------------------------------------------------ */

/* The number of coordinates within a layer. */
static inline uint32_t emu_dim_axes(SpvDim dim) {
  return dim == SpvDim2D ? 2 : dim == SpvDim3D || dim == SpvDimCube ? 3 : 1;
}
static inline bool emu_kind_is_float(EmuKind kind) {
  return kind == EMU_F16 || kind == EMU_F32 || kind == EMU_F64;
}
static inline uint32_t emu_level_size(uint32_t size, uint32_t level) {
  return (size >> level) ? size >> level : 1;
}

/* Component n of an argument: a real number (.d) if its kind is float, else an integer (.i). */
EmuNumber emu_argument(const EmuLanes *s, const EmuIns *i, EmuArgument argument, uint32_t n,
                       uint32_t lane);
/* The image of a lane; NULL: there is none, which has been counted and recorded. */
const EmuImage *emu_image_of(EmuLanes *s, const EmuIns *i, uint32_t lane);
/* Writes component n of the result. */
void emu_image_result(EmuLanes *s, const EmuIns *i, uint32_t n, uint32_t lane, EmuNumber value);

typedef struct EmuTexelAt {
  int64_t x, y, z, layer, level, sample;
} EmuTexelAt;

/* The address of a texel; NULL: it is outside of the image. */
uint8_t *emu_texel_place(const EmuImage *image, EmuTexelAt at);
/* The four components, as real numbers, or, if `whole`, as integers. Components that the format
 * lacks are 0, 0, 0, 1. */
void emu_texel_load(const EmuImage *image, const uint8_t *place, bool whole, EmuExtend extend,
                    EmuNumber texel[4]);
/* The result of a read outside of the image: zeros, except that alpha is 1 if the format has
 * none. */
void emu_texel_outside(const EmuImage *image, bool whole, EmuNumber texel[4]);
void emu_texel_store(const EmuImage *image, uint8_t *place, bool whole, const EmuNumber texel[4]);
/* Puts the components of what was read in the places that the image's swizzle gives them. */
void emu_texel_swizzle(const EmuImage *image, bool whole, EmuNumber texel[4]);

/* One sample of one lane. */
typedef struct EmuSample {
  EmuLanes *lanes; /* lanes that count the transactions; NULL: none are counted */
  const EmuImage *image;
  const EmuSampler *sampler;
  SpvDim dim;
  bool arrayed;
  bool whole; /* integers: never filtered */
  bool compare;
  bool gradients; /* dx and dy determine the level of detail; else it is `lod` */
  double at[3];   /* s, t, r; for cubes a direction */
  double layer;   /* if arrayed */
  double dref;    /* if comparing */
  double dx[3], dy[3];
  double lod, bias, min_lod; /* bias: the instruction's; min_lod: -INFINITY if not given */
  int64_t offset[3];
  EmuExtend extend;
} EmuSample;

void emu_sample(const EmuSample *q, EmuNumber texel[4]);
/* OpImageQueryLod: the level that is sampled, and the level of detail before it is clamped to the
 * image's levels. */
void emu_sample_lod(const EmuSample *q, double *level, double *lod);
/* Are the coordinates inside of level 0? */
bool emu_sample_inside(const EmuSample *q);
/* Component `component` of the four texels that linear filtering of level 0 would use, in the order
 * of OpImageGather. `offsets`: four pairs used instead of q->offset, or NULL. */
void emu_gather(const EmuSample *q, uint32_t component, const int64_t (*offsets)[2],
                EmuNumber texel[4]);

#endif
