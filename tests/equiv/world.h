/* SPDX-License-Identifier: Apache-2.0 */
/* world: what all functions of a generated module share: types, constants, variables. */
#ifndef EQUIV_WORLD_H
#define EQUIV_WORLD_H

#include "tests/equiv/gen/emit.h"
#include "tests/equiv/gen/graph.h"

enum {
  WORLD_INPUTS = 64, /* words of the input buffer a shader may read */
  WORLD_LOCALS = 8,  /* elements of the local array */
  WORLD_HELPERS = 2,
  WORLD_MOST_HELPERS = 8,
  WORLD_BUFFERS = 4,  /* parameters of a kernel: in, out, uniform, push */
  WORLD_CHANGES = 11, /* kinds of differences between twins */
  WORLD_SMALL = 80    /* constants 0 .. WORLD_SMALL-1 have one id each */
};

typedef struct WorldDecoration {
  uint32_t id, decoration;
} WorldDecoration;

/* What GenOptions.rich adds (rich.c). */
typedef struct WorldRich {
  bool on, pointers, non_uniform; /* pointers in phis; NonUniform decorations */
  bool kernel;                    /* an OpenCL kernel (kernel.h) */
  bool fragment;       /* a fragment shader, which may end by OpKill; without Workgroup */
  uint32_t set, notes; /* extended instructions: the environment's; non-semantic ones */
  uint32_t t_matrix, t_floats, p_float, p_private_float, p_shared, p_private, p_private_struct;
  uint32_t p_local_vec;
  uint32_t v_alias, v_shared, v_private, v_floats, v_struct;
  uint32_t spec[4], spec_bool[2], spec_vec, quarter, nine_eighths;
  uint32_t p_combined, v_combined;   /* an image with its sampler */
  uint32_t p_buffers[WORLD_BUFFERS]; /* types of a kernel's parameters */
  uint32_t t_gid, p_local_float, p_half, p_fvec4, c_long[2];
  uint32_t handed[5], t_handed[5]; /* functions with descriptors as parameters, their types */
} WorldRich;

typedef struct World {
  EmitModule m;
  Rng rng;
  bool plain, heavy; /* heavy: many struct, vector and pointer values are live */
  bool merges, ballots, sparse, single, steers;
  uint32_t promise;   /* an execution mode of the entry point, or 0 */
  bool wide, handles; /* values of narrow and wide types; images and samplers */
  uint32_t live, twins, near[WORLD_CHANGES];
  WorldDecoration *decoration;
  uint32_t decoration_count, decoration_capacity;
  uint32_t t_void, t_bool, t_u32, t_i32, t_vec3, t_vec, t_array, t_locals, t_struct, t_record;
  uint32_t t_int[2][4]; /* by sign and width 8, 16, 32, 64 */
  uint32_t p_input_vec3, p_buffer_u32, p_buffer_vec, p_buffer_record, p_push_u32, p_uniform_u32;
  uint32_t p_local_u32, p_local_locals, p_local_struct;
  uint32_t v_gid, v_in, v_out, v_push, v_uniform;
  uint32_t t_main, t_helper, c_locals, c_struct, c_vec, c_array, c_true, file;
  uint32_t c_false, t_f32, t_f16, t_mix;
  uint32_t t_image, t_sampler, t_sampled, t_fvec2, t_fvec4, t_uvec2, p_image, p_sampler, v_image,
      v_images, v_sampler;
  bool effects;         /* many blocks have atomics and barriers */
  bool calls;           /* many blocks call these: */
  uint32_t called[3];   /* by value; by parameter variables; with an out parameter */
  uint32_t t_called[3]; /* their types */
  uint32_t small[WORLD_SMALL];
  uint32_t helper[WORLD_MOST_HELPERS], helper_count;
  bool once;     /* each helper is called once, at most: */
  uint32_t next; /* helpers before this one have been called */
  WorldRich rich;
} World;

/* Begins the module: everything before the functions except the entry point. `switches`: with
 * integer types of 8, 16 and 64 bits, too. */
void world_begin(World *w, uint32_t version, bool switches);
void world_entry(World *w, uint32_t function);
uint32_t world_constant(World *w, uint32_t value); /* of type u32 */
uint32_t world_fresh_constant(World *w);           /* a random one that is used only once */
uint32_t world_wide_constant(World *w, unsigned sign, unsigned width, uint64_t value);
/* Records a decoration of a value; returns the last one of a value, or 0. */
void world_decorate(World *w, uint32_t id, uint32_t decoration);
uint32_t world_decoration(const World *w, uint32_t id);
bool world_is_constant(const World *w, uint32_t id); /* of type u32 */
uint32_t world_null(World *w, uint32_t type);
void world_name(World *w, uint32_t id, const char *prefix);
uint32_t world_pointer(World *w, uint32_t storage, uint32_t type); /* a new pointer type */
/* A variable, and the type of its address. */
uint32_t world_variable(World *w, uint32_t storage, uint32_t type);
uint32_t world_array(World *w, uint32_t element, uint32_t length, uint32_t stride);
uint32_t world_vector(World *w, uint32_t element, uint32_t count); /* a new type */
/* A block with one runtime array. */
uint32_t world_block(World *w, uint32_t element, uint32_t stride);
void world_offset(World *w, uint32_t type, uint32_t member, uint32_t bytes);
void world_bind(World *w, uint32_t id, uint32_t binding); /* in set 0 */

#endif
