/* SPDX-License-Identifier: Apache-2.0 */
/* decode_image: image instructions to bytecode. Each instruction becomes an EmuImageOp (image.h)
 * and a list of registers: those of the result, then those of the arguments, in SPIR-V's order. */
#include "spv-emu/decode/decode_image.h"
#include "spv-emu/decode/decode_stage.h"
#include "spv-emu/memory/image.h"

/* An instruction that is being built. */
typedef struct Build {
  EmuDecode *d;
  SrRef r;
  EmuImageOp op;
  SR_VEC(uint32_t) list;
} Build;

static const EmuArgument not_given = {.at = EMU_NO_ROW};

static Build build_of(EmuDecode *d, SrRef r) {
  Build b = {.d = d, .r = r, .op = {.op = sr_inst(emu_module(d), r)->op}};
  EmuArgument *arguments[] = {&b.op.image,  &b.op.sampler,   &b.op.coordinate, &b.op.dref,
                              &b.op.texel,  &b.op.component, &b.op.bias,       &b.op.lod,
                              &b.op.grad_x, &b.op.grad_y,    &b.op.offset,     &b.op.offsets,
                              &b.op.sample, &b.op.min_lod};
  for (size_t n = 0; n < sizeof arguments / sizeof *arguments; n++)
    *arguments[n] = not_given;
  return b;
}

static EmuArgument add_registers(Build *b, const uint32_t *registers, uint32_t count,
                                 EmuKind kind) {
  EmuArgument argument = {b->list.count, (uint8_t)count, (uint8_t)kind};
  for (uint32_t n = 0; n < count; n++)
    SR_PUSH(emu_scratch(b->d), &b->list, registers[n]);
  return argument;
}

static EmuArgument add(Build *b, uint32_t id) {
  uint32_t count;
  const uint32_t *registers = emu_use(b->d, id, &count);
  return add_registers(b, registers, count, emu_type_kind(b->d, emu_type_of(b->d, id)));
}

/* Word `i` of the definition of a type. */
static uint32_t type_word(EmuDecode *d, uint32_t type, uint32_t i) {
  SrModule *m = emu_module(d);
  return sr_words(m, sr_def(m, type))[i];
}

/* Sets dimension and `arrayed`; refuses dimensions that are not supported. */
static bool add_shape(Build *b, uint32_t type) {
  if (sr_def_op(emu_module(b->d), type) == SpvOpTypeSampledImage)
    type = type_word(b->d, type, 2);
  if (sr_def_op(emu_module(b->d), type) != SpvOpTypeImage)
    return emu_refuse(b->d, b->r, "the operand's type %%%u is not an image", type);
  b->op.dim = (SpvDim)type_word(b->d, type, 3);
  b->op.arrayed = type_word(b->d, type, 5) != 0;
  if (b->op.dim == SpvDimSubpassData)
    return emu_refuse(b->d, b->r, "input attachments are not supported: bind a texture");
  if (b->op.dim > SpvDimBuffer || b->op.dim == SpvDimRect)
    return emu_refuse(b->d, b->r,
                      "images of Dim %u are not supported; 1D, 2D, 3D, Cube and Buffer are",
                      b->op.dim);
  return true;
}

/* Adds an image; for a sampled image, image and sampler. */
static bool add_image(Build *b, uint32_t id) {
  uint32_t count;
  const uint32_t *registers = emu_use(b->d, id, &count);
  b->op.image = add_registers(b, registers, 1, EMU_U32);
  if (count > 1)
    b->op.sampler = add_registers(b, registers + 1, 1, EMU_U32);
  return add_shape(b, emu_type_of(b->d, id));
}

/* Image operands: the mask at operand `i`, then the operands of its bits in ascending order. */
static bool add_operands(Build *b, uint32_t i) {
  if (i >= emu_operand_count(b->d, b->r))
    return true;
  uint32_t mask = emu_operand(b->d, b->r, i++);
  for (uint32_t bit = 1; bit && bit <= mask; bit <<= 1) {
    if (!(mask & bit))
      continue;
    switch (bit) {
    case SpvImageOperandsBiasMask:
      b->op.bias = add(b, emu_operand(b->d, b->r, i++));
      break;
    case SpvImageOperandsLodMask:
      b->op.lod = add(b, emu_operand(b->d, b->r, i++));
      break;
    case SpvImageOperandsGradMask:
      b->op.grad_x = add(b, emu_operand(b->d, b->r, i++));
      b->op.grad_y = add(b, emu_operand(b->d, b->r, i++));
      break;
    case SpvImageOperandsConstOffsetMask:
    case SpvImageOperandsOffsetMask:
      b->op.offset = add(b, emu_operand(b->d, b->r, i++));
      break;
    case SpvImageOperandsConstOffsetsMask:
    case SpvImageOperandsOffsetsMask:
      b->op.offsets = add(b, emu_operand(b->d, b->r, i++));
      break;
    case SpvImageOperandsSampleMask:
      b->op.sample = add(b, emu_operand(b->d, b->r, i++));
      break;
    case SpvImageOperandsMinLodMask:
      b->op.min_lod = add(b, emu_operand(b->d, b->r, i++));
      break;
    case SpvImageOperandsMakeTexelAvailableMask: /* scopes: memory is sequentially consistent */
    case SpvImageOperandsMakeTexelVisibleMask:
      i++;
      break;
    case SpvImageOperandsNonPrivateTexelMask:
    case SpvImageOperandsVolatileTexelMask:
    case SpvImageOperandsNontemporalMask:
      break;
    case SpvImageOperandsSignExtendMask:
      b->op.extend = EMU_EXTEND_SIGN;
      break;
    case SpvImageOperandsZeroExtendMask:
      b->op.extend = EMU_EXTEND_ZERO;
      break;
    default:
      return emu_refuse(b->d, b->r, "the image operand 0x%x is not supported", bit);
    }
  }
  return true;
}

/* Adds the EmuImageOp to the program; returns its index, the instruction's x. */
static uint32_t keep(Build *b) {
  EmuProgram *p = emu_program(b->d);
  SR_PUSH(emu_arena(b->d), &p->image_ops, b->op);
  return p->image_ops.count - 1;
}

/* The registers of the result come first in the list. */
static void add_result(Build *b) {
  uint32_t count;
  const uint32_t *registers = emu_define(b->d, b->r, &count);
  b->op.kind = (uint8_t)emu_type_kind(b->d, sr_inst(emu_module(b->d), b->r)->type);
  b->op.components = (uint8_t)count;
  add_registers(b, registers, count, b->op.kind);
}

static bool emit(Build *b, EmuHandler *run) {
  uint32_t x = keep(b), list = emu_list(b->d, b->list.at, b->list.count);
  emu_emit_masked(b->d,
                  &(EmuIns){.run = run,
                            .d = EMU_NO_ROW,
                            .a = EMU_NO_ROW,
                            .b = EMU_NO_ROW,
                            .c = EMU_NO_ROW,
                            .list = list,
                            .x = x},
                  b->op.components, b->list.count);
  return true;
}

/* ---- instructions by opcode ------------------------------------------------------------------ */

typedef enum Third { NOTHING, DREF, COMPONENT } Third; /* what follows the coordinate */

static bool decode_sample(Build *b, EmuHandler *run, Third third, bool projected) {
  EmuDecode *d = b->d;
  add_result(b);
  b->op.projected = projected;
  if (!add_image(b, emu_operand(d, b->r, 0)))
    return false;
  b->op.coordinate = add(b, emu_operand(d, b->r, 1));
  if (third == DREF)
    b->op.dref = add(b, emu_operand(d, b->r, 2));
  else if (third == COMPONENT)
    b->op.component = add(b, emu_operand(d, b->r, 2));
  return add_operands(b, third == NOTHING ? 2 : 3) && emit(b, run);
}

/* Only fragments have quads; elsewhere an implicit level of detail is 0. */
static void use_quad(Build *b) {
  EmuProgram *p = emu_program(b->d);
  b->op.implicit = p->model == SpvExecutionModelFragment;
  p->facts.quads |= b->op.implicit;
}

static bool decode_write(Build *b) {
  EmuDecode *d = b->d;
  if (!add_image(b, emu_operand(d, b->r, 0)))
    return false;
  b->op.coordinate = add(b, emu_operand(d, b->r, 1));
  b->op.texel = add(b, emu_operand(d, b->r, 2));
  b->op.kind = b->op.texel.kind;
  if (!add_operands(b, 3))
    return false;
  emu_program(d)->blocks.at[d->block].unhashed = true;
  emu_stage_hide(d);
  bool done = emit(b, emu_image_write);
  emu_stage_show(d, EMU_NO_ROW);
  return done;
}

static bool decode_query(Build *b) {
  add_result(b);
  if (!add_image(b, emu_operand(b->d, b->r, 0)))
    return false;
  if (b->op.op == SpvOpImageQuerySizeLod)
    b->op.lod = add(b, emu_operand(b->d, b->r, 1));
  return emit(b, emu_image_query);
}

static bool decode_pair(Build *b) {
  uint32_t pair[2] = {emu_use1(b->d, emu_operand(b->d, b->r, 0)),
                      emu_use1(b->d, emu_operand(b->d, b->r, 1))};
  emu_alias(b->d, b->r, pair, 2);
  return true;
}

static bool decode_half_of_pair(Build *b) {
  uint32_t count;
  emu_alias(b->d, b->r, emu_use(b->d, emu_operand(b->d, b->r, 0), &count), 1);
  return true;
}

static bool is_sparse(SpvOp op) {
  return (op >= SpvOpImageSparseSampleImplicitLod && op <= SpvOpImageSparseTexelsResident) ||
         op == SpvOpImageSparseRead;
}

bool emu_decode_image(EmuDecode *d, SrRef r, bool *mine) {
  *mine = true;
  Build b = build_of(d, r);
  switch (b.op.op) {
  case SpvOpSampledImage:
    return decode_pair(&b);
  case SpvOpImage:
    return decode_half_of_pair(&b);
  case SpvOpImageTexelPointer: /* decoded with the atomic instruction that uses it */
    return true;
  case SpvOpImageSampleImplicitLod:
    use_quad(&b);
    return decode_sample(&b, emu_image_sample, NOTHING, false);
  case SpvOpImageSampleExplicitLod:
    return decode_sample(&b, emu_image_sample, NOTHING, false);
  case SpvOpImageSampleDrefImplicitLod:
    use_quad(&b);
    return decode_sample(&b, emu_image_sample, DREF, false);
  case SpvOpImageSampleDrefExplicitLod:
    return decode_sample(&b, emu_image_sample, DREF, false);
  case SpvOpImageSampleProjImplicitLod:
    use_quad(&b);
    return decode_sample(&b, emu_image_sample, NOTHING, true);
  case SpvOpImageSampleProjExplicitLod:
    return decode_sample(&b, emu_image_sample, NOTHING, true);
  case SpvOpImageSampleProjDrefImplicitLod:
    use_quad(&b);
    return decode_sample(&b, emu_image_sample, DREF, true);
  case SpvOpImageSampleProjDrefExplicitLod:
    return decode_sample(&b, emu_image_sample, DREF, true);
  case SpvOpImageGather:
    return decode_sample(&b, emu_image_gather, COMPONENT, false);
  case SpvOpImageDrefGather:
    return decode_sample(&b, emu_image_gather, DREF, false);
  case SpvOpImageFetch:
  case SpvOpImageRead:
    return decode_sample(&b, emu_image_read, NOTHING, false);
  case SpvOpImageWrite:
    return decode_write(&b);
  case SpvOpImageQuerySize:
  case SpvOpImageQuerySizeLod:
  case SpvOpImageQueryLevels:
  case SpvOpImageQuerySamples:
  case SpvOpImageQueryFormat:
  case SpvOpImageQueryOrder:
    return decode_query(&b);
  case SpvOpImageQueryLod:
    use_quad(&b);
    if (b.op.implicit)
      return decode_sample(&b, emu_image_query_lod, NOTHING, false);
    return emu_refuse(
        d, r,
        "it needs derivatives, which only fragments have: pass the level of detail as a value");
  default:
    *mine = is_sparse(b.op.op);
    return !*mine || emu_refuse(d, r, "sparse images are not supported: bind a plain one");
  }
}

bool emu_decode_texel_pointer(EmuDecode *d, SrRef r, SrRef pointer, uint32_t image,
                              const uint32_t **registers, uint32_t *count, uint32_t *x) {
  Build b = build_of(d, r);
  uint32_t pointer_type = emu_type_of(d, emu_operand(d, pointer, 0));
  b.op.image = add_registers(&b, &image, 1, EMU_U32);
  if (!add_shape(&b, type_word(d, pointer_type, 3)))
    return false;
  b.op.coordinate = add(&b, emu_operand(d, pointer, 1));
  b.op.sample = add(&b, emu_operand(d, pointer, 2));
  *registers = b.list.at;
  *count = b.list.count;
  *x = keep(&b);
  return true;
}
