/* SPDX-License-Identifier: Apache-2.0 */
/* decode: from a module to bytecode; what the decoder's files share.
 *
 * Every SSA value is a list of *registers*, one for each scalar in it (pointers, images and
 * samplers count as scalars; see value kinds below). A register is a number until all functions are
 * decoded; then registers that are live inside one block share the rows of a small pool, which
 * stays in the first-level cache, and the others get a row each. Instructions are emitted with
 * registers in the fields d, a, b, c and in their lists; the allocator (registers.c) turns them
 * into byte offsets of rows and makes the two streams.
 *
 *   kind of value            registers
 *   bool, numbers            1
 *   vector, matrix, array,   those of its components, in order; matrices by column
 *   struct
 *   pointer                  1 EMU_U64, an address (bytecode.h); pointers that are known while
 *                            decoding (variables, chains from them) get one only when needed
 *   image, sampler           1 EMU_U32, an index in the table of images or samplers (resource.h)
 *   sampled image            2: image, sampler
 *
 * Blocks are decoded in an order in which definitions come before uses. */
#ifndef EMU_DECODE_H
#define EMU_DECODE_H

#include "engine/bytecode.h"

#include <spv-emu/spv_emu.h>

/* Builds the program of an entry point, for subgroups of *lanes lanes (0: as many as a workgroup
 * has; *lanes is set to that), in `arena`. The module must be valid except for its control flow,
 * and may get new instructions that no function contains. On failure the module's diag has the
 * reason. */
SR_MUST_USE SrStatus emu_decode(SrArena *arena, SrModule *m, const spv_emu_load_options *options,
                                uint32_t *lanes, EmuProgram **program);

typedef struct EmuDecode EmuDecode; /* defined in decoder.h, for the decoder's files */

/* The registers of a value, by component; *count: how many. Constants and undefined values have
 * registers too. */
const uint32_t *emu_use(EmuDecode *d, uint32_t id, uint32_t *count);
/* The only register of a scalar value. */
uint32_t emu_use1(EmuDecode *d, uint32_t id);
/* The scalar kind of a type; for a vector or matrix that of its components, for pointers EMU_U64,
 * for images and samplers EMU_U32. */
EmuKind emu_type_kind(const EmuDecode *d, uint32_t type);
uint32_t emu_type_components(EmuDecode *d, uint32_t type);
/* Type id of a value. */
uint32_t emu_type_of(const EmuDecode *d, uint32_t id);
/* *value: the zero-extended value of an integer constant, specialized or not. False: the id is not
 * an integer constant. */
bool emu_constant_value(EmuDecode *d, uint32_t id, uint64_t *value);

/* New registers for the result of instruction r, one for each component of its type; the caller
 * fills them with instructions. */
const uint32_t *emu_define(EmuDecode *d, SrRef r, uint32_t *count);
/* The result of r consists of registers that exist already (a shuffle, a copy): no code. */
void emu_alias(EmuDecode *d, SrRef r, const uint32_t *registers, uint32_t count);
/* A register for an intermediate result. */
uint32_t emu_temp(EmuDecode *d, EmuKind kind);
/* A register that always holds these bits. */
uint32_t emu_bits(EmuDecode *d, EmuKind kind, uint64_t bits);
/* Adds a list of `count` registers; returns its start, for EmuIns.list. */
uint32_t emu_list(EmuDecode *d, const uint32_t *registers, uint32_t count);

/* An instruction that computes whole rows and may run on inactive lanes. d = run(a, b, c). */
void emu_emit(EmuDecode *d, EmuHandler *run, uint32_t to, uint32_t a, uint32_t b, uint32_t c);
void emu_emit_x(EmuDecode *d, EmuHandler *run, uint32_t to, uint32_t a, uint32_t b, uint32_t c,
                uint32_t x);
/* An instruction whose handler reads and writes only active lanes: memory, images, communication
 * between lanes. Its list has `count` registers; it writes `d` and the first `written` of the list,
 * and reads a, b, c and the others. */
void emu_emit_masked(EmuDecode *d, const EmuIns *ins, uint32_t written, uint32_t count);

/* Loads and stores of a whole value through a pointer: the registers are those of its scalars in
 * order. `r` is the instruction that needs the load or store. */
bool emu_load_registers(EmuDecode *d, SrRef r, uint32_t pointer, uint32_t type,
                        const uint32_t *registers, uint32_t count);
bool emu_store_registers(EmuDecode *d, SrRef r, uint32_t pointer, const uint32_t *registers,
                         uint32_t count);

/* Refuses the module: one line, with the function, block and word of r. Returns false. */
bool emu_refuse(EmuDecode *d, SrRef r, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

SrModule *emu_module(const EmuDecode *d);
EmuProgram *emu_program(const EmuDecode *d);
/* An arena that lives as long as the program; one that is freed after decoding. */
SrArena *emu_arena(const EmuDecode *d);
SrArena *emu_scratch(const EmuDecode *d);
/* Operand i (from 0, type and result id not counted) of instruction r; 0 if it has fewer. */
uint32_t emu_operand(const EmuDecode *d, SrRef r, uint32_t i);
uint32_t emu_operand_count(const EmuDecode *d, SrRef r);

/* ---- families of instructions ---------------------------------------------------------------- */

/* Each decodes an instruction. False: it is refused, and a message is set. Sets *mine to false if
 * the opcode is not in the family. */

bool emu_decode_alu(EmuDecode *d, SrRef r, bool *mine);      /* decode_alu.c */
bool emu_decode_ext_inst(EmuDecode *d, SrRef r, bool *mine); /* decode_ext_inst.c: OpExtInst */
bool emu_decode_memory(EmuDecode *d, SrRef r, bool *mine);   /* decode_memory.c */
bool emu_decode_async(EmuDecode *d, SrRef r, bool *mine);    /* decode_async.c: events */
bool emu_decode_image(EmuDecode *d, SrRef r, bool *mine);    /* decode_image.c */
bool emu_decode_lanes(EmuDecode *d, SrRef r, bool *mine);    /* decode_lanes.c: cross-lane */

#endif
