/* SPDX-License-Identifier: Apache-2.0 */
/* shader_face: the interface that a shader declares: its descriptors, with the types of their
 * contents, and its push constants. */
#ifndef CP_SHADER_FACE_H
#define CP_SHADER_FACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number of a block. */
typedef struct CpLeaf {
  uint32_t offset;
  uint8_t kind; /* EmuFormatKind: UINT, SINT or FLOAT */
  uint8_t bits;
} CpLeaf;

/* The contents of a block: numbers at fixed offsets, then, perhaps, a run-time array. */
typedef struct CpBlock {
  CpLeaf *leaves; /* sorted by offset */
  uint32_t leaf_count;
  uint32_t size; /* bytes of the part of fixed size */
  CpLeaf *tail;  /* of an element of the run-time array; offsets from the element */
  uint32_t tail_count, tail_offset, stride; /* stride 0: there is no run-time array */
  bool same;          /* all numbers have one type: that of `kind` and `bits` */
  bool too_many;      /* more numbers than are listed */
  uint8_t kind, bits; /* unless `same`: those of the last number */
} CpBlock;

typedef enum CpClass { CP_UNIFORM_BLOCK, CP_STORAGE_BLOCK, CP_IMAGE, CP_SAMPLER } CpClass;

typedef struct CpVariable {
  CpClass class;
  uint32_t set, binding, count; /* count: descriptors */
  bool may_write;
  char name[48]; /* its OpName, or that of its block; only letters, digits and _; or empty */
  CpBlock block;
  uint32_t dim; /* SpvDim, of images */
  bool arrayed, storage;
} CpVariable;

typedef struct CpFace {
  CpVariable *variables;
  uint32_t count;
  bool has_push;
  CpBlock push;
  double error;        /* the part of a result by which another device's may differ */
  const char *refusal; /* why it cannot be a case; NULL: it can */
} CpFace;

/* Value of specialization constant `id`. False: it has its default. */
typedef bool CpSpecialized(void *user, uint32_t id, uint32_t *value);

/* NULL: out of memory, or the module cannot be read. */
CpFace *cp_face_read(const uint32_t *words, size_t count, CpSpecialized *specialized, void *user);
void cp_face_free(CpFace *face);

#endif
