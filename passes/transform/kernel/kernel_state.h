/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_state: what the steps of kernel-to-shader know about a module.
 *
 * A pointer is a base, the argument or variable that it points into, and an offset in it. Bases
 * become arrays of one element type. The id of the offset replaces the pointer's id. The offset has
 * 32 bits and counts grains of the base. If a new id has taken over the value of an id, `same`
 * records it, and the old id is replaced only at the end. Until then its definition shows its
 * type. */
#ifndef SR_KERNEL_STATE_H
#define SR_KERNEL_STATE_H

#include "passes/ir/id_table.h"
#include "passes/ir/module.h"

typedef enum SrKernelPlace {
  SR_PLACE_BUFFER,  /* an argument that points to global or constant memory */
  SR_PLACE_LOCAL,   /* a variable of the workgroup */
  SR_PLACE_LOCALS,  /* an argument that points to memory of the workgroup */
  SR_PLACE_PRIVATE, /* a variable of the invocation */
  SR_PLACE_VALUE,   /* a struct that is passed by value: a variable of the invocation */
  SR_PLACE_TABLE,   /* a variable with constant data */
  SR_PLACE_BUILTIN, /* a built-in variable */
} SrKernelPlace;

/* The memory that a pointer points into. */
typedef struct SrKernelBase {
  uint32_t id; /* of the argument or variable */
  SrKernelPlace place;
  uint32_t type;  /* of the variable; of the struct by value */
  uint32_t bytes; /* of the same */
  /* What kernel_base.h learns from its accesses: */
  uint32_t unit;   /* bytes by which every access is aligned, and of which each is a multiple; 0:
                       there is no access */
  uint32_t grain;  /* bytes, a power of two, of which every step of an offset is a multiple */
  uint32_t whole;  /* the type that every access has; SR_NONE: they differ */
  uint32_t scalar; /* the scalar type that every access has; SR_NONE: they differ */
  uint32_t linked; /* another base whose elements must be of the same size; itself: none */
  bool read, written;
  /* What kernel_element.h decides: */
  uint32_t element;  /* a type */
  uint32_t variable; /* id */
  const char
      *refusal; /* of a variable of the module: why kernels that use it are refused, or NULL */
} SrKernelBase;

/* How the host passes an argument. */
typedef enum SrKernelPass {
  SR_PASS_BUFFER,
  SR_PASS_SAMPLED_IMAGE,
  SR_PASS_STORAGE_IMAGE,
  SR_PASS_SAMPLER,
  SR_PASS_LOCALS,
  SR_PASS_CONSTANT, /* a push constant */
  SR_PASS_UNIFORM,  /* in a uniform buffer */
} SrKernelPass;

typedef struct SrKernelArgument {
  uint32_t id, type; /* of the OpFunctionParameter */
  uint32_t number;
  const char *name; /* or NULL */
  SrKernelPass pass;
  uint32_t base;                  /* or SR_NONE */
  uint32_t set, binding;          /* of a descriptor */
  uint32_t offset, size;          /* of a value, in bytes */
  uint32_t spec_id, element_size; /* of locals: the constant that is their number of elements */
  uint32_t texel;  /* of an image: the scalar type of its texels; SR_NONE: there are several */
  bool is_address; /* of a buffer: a value of 64 bits */
} SrKernelArgument;

typedef struct SrKernel {
  uint32_t function; /* index */
  SrRef entry;       /* OpEntryPoint */
  const char *name;
  bool refused;
  bool asks_dimensions; /* for the number of dimensions */
  uint32_t dimensions_spec_id;
  uint32_t size[3]; /* of a workgroup, if the kernel requires one; 0: any */
  SR_VEC(SrKernelArgument) argument;
  SR_VEC(uint32_t) interface; /* variables of class Input that it uses */
  uint32_t value_bytes;       /* of all arguments by value */
  SrKernelPass value_pass;
  uint32_t value_binding; /* of a uniform buffer */
} SrKernel;

/* A sampler that the program defines. */
typedef struct SrKernelSampler {
  uint32_t mask;     /* as OpenCL's host and clspv's reflection name it */
  uint32_t variable; /* id */
  uint32_t binding;
} SrKernelSampler;

/* A built-in variable of the shader. */
typedef struct SrKernelBuiltin {
  uint32_t builtin, variable; /* SpvBuiltIn; id */
} SrKernelBuiltin;

/* A kernel that is left out. */
typedef struct SrKernelRefusal {
  const char *kernel, *reason; /* reason: a message as in SrDiag */
} SrKernelRefusal;

typedef struct SrKernels {
  SrModule *m;
  SrArena *arena;
  SR_VEC(SrKernel) kernel;
  SR_VEC(SrKernelBase) base;
  SR_VEC(SrKernelSampler) sampler;
  SR_VEC(SrKernelBuiltin) builtin;
  SrIdTable *base_of;       /* by id of a pointer: index of its base */
  SrIdTable *same;          /* by id: the id that replaces it */
  SrIdTable *low;           /* by id of 64 bits: the id of its low 32 bits */
  SR_VEC(SrRef) joined;     /* phis and selects of pointers in the current kernel */
  SR_VEC(SrRef) replaced;   /* instructions of the current kernel that are in no list any more */
  SR_VEC(uint32_t) pending; /* ids whose low bits are still to be computed */
  const char **names;       /* by id of a kernel's parameter: its OpName, or NULL */
  uint32_t name_count;
  struct SrKernelIntern *intern;
  struct SrKernelLayout *layout;
  struct SrKernelRanges *ranges;
  SrRef decorations;             /* new decorations are put before it */
  uint32_t opencl_set, glsl_set; /* OpExtInstImport */
  uint32_t size_vector; /* the size of a workgroup, of specialization constants; 0: kernels require
                           theirs */
  uint32_t next_spec_id;
  uint32_t dimensions; /* their number, a specialization constant; 0: no kernel asks for it */
  uint32_t dimensions_spec_id;
  struct SrMath *math[4]; /* by components less 1: kernel_math.h */
  struct SrMathCodes *math_codes;
  bool addresses;     /* pointers to global memory are addresses: kernel_address.h */
  SrIdTable *address; /* by id of a kernel's parameter: it is the address of a buffer */
  bool native;        /* functions of OpenCL.std in their fast form */
  SrKernel *current;
  SrFunction *f;       /* of the current kernel */
  const char *refusal; /* why the current kernel cannot be converted; NULL: it can so far */
  SR_VEC(SrKernelRefusal) refused;
} SrKernels;

/* What remains of the conversion: SrModule.kernels. */
typedef struct SrKernelList {
  const SrKernel *kernel;
  const SrKernelSampler *sampler;
  const SrKernelRefusal *refused;
  uint32_t kernel_count, sampler_count, refused_count;
} SrKernelList;

/* The id that has the value of `id`. */
static inline uint32_t sr_kernel_same(const SrKernels *k, uint32_t id) {
  for (uint32_t to; (to = sr_ids_get(k->same, id)) != SR_NONE;)
    id = to;
  return id;
}

/* Fails: the current kernel has an instruction that cannot be converted. Sets k->refusal. */
SR_MUST_USE SrStatus sr_kernel_refuse(SrKernels *k, SrRef r, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
