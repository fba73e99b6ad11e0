/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_parameters: the parameters of an OpenCL kernel, read from its module. */
#ifndef HN_KERNEL_PARAMETERS_H
#define HN_KERNEL_PARAMETERS_H

#include "harness/shader/shader.h"

typedef enum HnArgumentKind {
  HN_ARGUMENT_VALUE,
  HN_ARGUMENT_BUFFER, /* a pointer to global or constant memory */
  HN_ARGUMENT_LOCAL,  /* a pointer to memory of the workgroup: only its size is given */
  HN_ARGUMENT_IMAGE,
  HN_ARGUMENT_SAMPLER,
  HN_ARGUMENT_OTHER, /* a kind that no host can set */
} HnArgumentKind;

typedef enum HnAccess { HN_READ_ONLY, HN_WRITE_ONLY, HN_READ_WRITE } HnAccess;

typedef struct HnArgument {
  const char *name; /* in the module's words; "": unnamed */
  HnArgumentKind kind;
  /* For a value, or for what a pointer points to: its scalars. OpenCL's integers have no sign. */
  bool is_float;
  uint8_t bits;
  uint8_t components; /* 1 to 16; 0: a struct, an array or a type that is not known */
  /* For an image. */
  uint8_t dimensions; /* 1 to 3; 0: a kind that is not known, or an array */
  HnAccess access;
  bool whole; /* its texels are integers in the kernel; false if no use was found */
} HnArgument;

typedef struct HnKernel {
  HnArgument *arguments; /* owned; an argument's number is its index */
  uint32_t argument_count;
  bool border;      /* a sampler of the module has CLK_ADDRESS_CLAMP */
  bool found;       /* the module has a kernel of this name */
  bool needs_size;  /* the kernel does not fix the size of its workgroups */
  uint32_t size[3]; /* that size, if the kernel fixes it */
} HnKernel;

/* Reads the kernel `name`; the module's words must outlive the result. Words that are not a module
 * have no kernel. False: out of memory; `kernel` is then empty. Clear it in any case. */
bool hn_kernel_read(HnModule module, const char *name, HnKernel *kernel);
void hn_kernel_clear(HnKernel *kernel);
/* How a shader sees a binding of its pipeline. */
typedef struct HnBound {
  uint32_t number; /* the binding, or for a kernel the number of the argument */
  AmberBindKind kind;
} HnBound;

/* The pipeline's bindings, by index; the caller frees them. The bindings of a kernel are its
 * arguments: binding n of descriptor set 0 is argument n, as in clspv, and a binding without a kind
 * gets that of the argument. NULL: *message is one line, which the caller frees, that says what is
 * wrong: an argument has no binding or two, a binding does not fit, or the workgroups are empty; or
 * out of memory, and *message is NULL. */
HnBound *hn_kernel_bind(const AmberPipeline *pipeline, const HnKernel *kernel, char **message);
/* The size of its workgroups: the kernel's own, or the values that the pipeline gives to the
 * constants 0, 1 and 2 (SPECIALIZE), as for clspv; 1 if it gives none. */
void hn_kernel_size(const AmberPipeline *pipeline, const HnKernel *kernel, uint32_t size[3]);
/* The name of kernel `index` of the module, in its words; NULL past the last. */
const char *hn_kernel_name(HnModule module, uint32_t index);

#endif
