/* SPDX-License-Identifier: Apache-2.0 */
/* newer: numbers of SPIR-V opcodes and execution modes that this project needs but the oldest
 * headers it builds with (1.3.239) lack. reader.h says how a function is read that has an
 * instruction unknown to the build's grammar. */
#ifndef SR_NEWER_H
#define SR_NEWER_H

enum {
  /* SPV_KHR_untyped_pointers */
  SR_OP_TYPE_UNTYPED_POINTER = 4417,
  SR_OP_UNTYPED_VARIABLE = 4418,
  SR_OP_UNTYPED_ACCESS_CHAIN = 4419,
  SR_OP_UNTYPED_IN_BOUNDS_ACCESS_CHAIN = 4420,
  SR_OP_UNTYPED_PTR_ACCESS_CHAIN = 4423,
  SR_OP_UNTYPED_IN_BOUNDS_PTR_ACCESS_CHAIN = 4424,
  SR_OP_UNTYPED_ARRAY_LENGTH = 4425,
  /* SPV_KHR_cooperative_matrix, SPV_NV_cooperative_matrix2 */
  SR_OP_TYPE_COOPERATIVE_MATRIX = 4456,
  SR_OP_COOPERATIVE_MATRIX_LOAD = 4457,
  SR_OP_COOPERATIVE_MATRIX_STORE = 4458,
  SR_OP_COOPERATIVE_MATRIX_MUL_ADD = 4459,
  SR_OP_COOPERATIVE_MATRIX_CONVERT = 5293,
  SR_OP_COOPERATIVE_MATRIX_REDUCE = 5366,
  SR_OP_COOPERATIVE_MATRIX_LOAD_TENSOR = 5367,
  SR_OP_COOPERATIVE_MATRIX_PER_ELEMENT = 5369,
  SR_OP_COOPERATIVE_MATRIX_TRANSPOSE = 5390,
  /* SPV_EXT_replicated_composites */
  SR_OP_COMPOSITE_CONSTRUCT_REPLICATE = 4463,
  /* SPV_KHR_quad_control */
  SR_OP_QUAD_ALL = 5110,
  SR_OP_QUAD_ANY = 5111,
  SR_MODE_QUAD_DERIVATIVES = 5088,
  SR_MODE_REQUIRE_FULL_QUADS = 5089,
  /* SPV_KHR_abort */
  SR_OP_ABORT = 5121,
  /* SPV_NV_raw_access_chains */
  SR_OP_RAW_ACCESS_CHAIN = 5398,
  /* SPV_KHR_maximal_reconvergence */
  SR_MODE_MAXIMALLY_RECONVERGES = 6023,
  /* SPV_KHR_float_controls2 */
  SR_MODE_FP_FAST_MATH_DEFAULT = 6028,
  /* SPV_INTEL_subgroup_buffer_prefetch, SPV_INTEL_2d_block_io,
   * SPV_INTEL_subgroup_matrix_multiply_accumulate */
  SR_OP_SUBGROUP_BLOCK_PREFETCH = 6221,
  SR_OP_SUBGROUP_2D_BLOCK_LOAD = 6231,
  SR_OP_SUBGROUP_MATRIX_MULTIPLY_ACCUMULATE = 6237,
};

#endif
