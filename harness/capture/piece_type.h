/* SPDX-License-Identifier: Apache-2.0 */
/* piece_type: the type that a piece of contents has in the case: a type of numbers, a struct, or a
 * format. A buffer whose numbers have one type is an array of that type. Any other buffer is one
 * struct, or an array of structs; if it fits neither, it is an array of the type of its last
 * number. */
#ifndef CP_PIECE_TYPE_H
#define CP_PIECE_TYPE_H

#include "harness/capture/shader_face.h"
#include "spv-emu/format/format.h"

#include <stdio.h>

typedef struct CpType {
  const EmuFormat *format; /* of images and texel buffers; NULL: none */
  EmuField *fields;        /* of an element, sorted by offset; owned */
  uint32_t field_count, stride;
  bool is_struct;
} CpType;

/* The type of `size` bytes of a block; `whole`: they begin and end with the block. False: out of
 * memory. */
bool cp_type_of_block(const CpBlock *block, uint64_t size, bool whole, CpType *type);
bool cp_type_of_format(uint32_t vk, CpType *type);
void cp_type_free(CpType *type);

/* Writes the STRUCT of this name, if the type needs one. */
void cp_type_declare(FILE *out, const CpType *type, const char *name);
/* Writes " DATA_TYPE …" or " FORMAT …". */
void cp_type_write(FILE *out, const CpType *type, const char *struct_name);
/* The absolute error that other devices may make: `error` times the largest float (more for floats
 * of fewer than 32 bits), and at least one step of a normalised number. 0: there are only
 * integers. */
double cp_type_tolerance(const CpType *type, const uint8_t *bytes, uint64_t size, double error);
/* For pictures, whose edges no two drivers draw alike: the root mean square error of the stored
 * numbers. 0: these are integers, or packed. `tolerance`: from cp_type_tolerance. */
double cp_type_rmse(const CpType *type, double tolerance);

#endif
