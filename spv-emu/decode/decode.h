/* SPDX-License-Identifier: Apache-2.0 */
/* decode: turns a module into bytecode. Each file decodes one family of instructions. While the
 * module is decoded, values/decoder.h holds what is known of ids.
 *
 *   decode.c           the module: globals in order, then the functions
 *   decode_flow.c      terminators, phis, calls
 *   decode_spec_op.c   OpSpecConstantOp
 *   decode_variable.c  where variables are stored
 *   decode_stage.c     inputs and outputs of graphics stages, helper lanes
 *   decode_memory.c    loads, stores, atomics, arithmetic on pointers
 *   decode_async.c     copies of a workgroup
 *   decode_alias.c     loads that need no copy
 *   decode_rules.c     the rules about uniformity that --check=vuid checks
 *   hoist.c            lets moves of edges be executed one block earlier
 *   coalesce.c         drops moves that are not needed
 *   fuse.c             replaces two or three instructions by one handler
 *   registers.c        from registers to rows; the two streams of each block
 *   decode_debug.c     where a debugger finds values
 *
 * Blocks are decoded in an order in which definitions come before uses. */
#ifndef EMU_DECODE_H
#define EMU_DECODE_H

#include "spv-emu/decode/values/decoder.h"

/* Builds the program of an entry point, in `arena`, for subgroups of *lanes lanes (0: the size of a
 * workgroup, to which *lanes is set). The module must be valid except for its control flow, and may
 * get new instructions that no function contains. On failure the module's diag has the reason. */
SR_MUST_USE SrStatus emu_decode(SrArena *arena, SrModule *m, const spv_emu_load_options *options,
                                uint32_t *lanes, EmuProgram **program);

/* ---- families of instructions ---------------------------------------------------------------- */

/* Each decodes an instruction. False: it is refused, and a message is set. Sets *mine to false if
 * the opcode is not in the family. */

bool emu_decode_alu(EmuDecode *d, SrRef r, bool *mine);      /* decode_alu.c */
bool emu_decode_ext_inst(EmuDecode *d, SrRef r, bool *mine); /* decode_ext_inst.c: OpExtInst */
bool emu_decode_memory(EmuDecode *d, SrRef r, bool *mine);   /* decode_memory.c */
bool emu_decode_async(EmuDecode *d, SrRef r, bool *mine);    /* decode_async.c: events */
bool emu_decode_image(EmuDecode *d, SrRef r, bool *mine);    /* decode_image.c */
bool emu_decode_lanes(EmuDecode *d, SrRef r, bool *mine);    /* decode_lanes.c: cross-lane */
bool emu_decode_clock(EmuDecode *d, SrRef r, bool *mine);    /* decode_clock.c */

/* ---- other parts
 * --------------------------------------------------------------------------------- */

/* decode_spec_op.c */
/* Evaluates an OpSpecConstantOp, in module order. */
bool emu_spec_op_evaluate(EmuDecode *d, SrRef r);

/* decode_variable.c */
bool emu_variable_declare(EmuDecode *d, SrRef r);
/* Finds or makes the hidden variable for the fragment shader's input in `segment` that has the
 * values of this input at a corner of the primitive. */
bool emu_variable_corner(EmuDecode *d, SrRef r, uint32_t segment, uint32_t corner, uint32_t *made);
/* Stores the initializer, if there is one. */
bool emu_variable_start(EmuDecode *d, SrRef r);
/* Emits the code that runs before the entry point's first instruction: initializers of module
 * variables, and the parameters of a kernel. */
bool emu_variables_start(EmuDecode *d);

/* decode_rules.c */
/* Emits the demands of --check=vuid and --check=convergence before instruction r. */
void emu_decode_rules(EmuDecode *d, SrRef r);

/* decode_alias.c */
/* Finds the loads whose results can be the variable's own registers. */
void emu_alias_loads(EmuDecode *d);

/* decode_memory.c */
/* Loads and stores a whole value through a pointer; the registers are those of its scalars, in
 * order. `r` is the instruction that needs the load or store. */
bool emu_load_registers(EmuDecode *d, SrRef r, uint32_t pointer, uint32_t type,
                        const uint32_t *registers, uint32_t count);
bool emu_store_registers(EmuDecode *d, SrRef r, uint32_t pointer, const uint32_t *registers,
                         uint32_t count);
/* Loads the scalars of a value of that type from a place. */
bool emu_load_from(EmuDecode *d, SrRef r, const EmuPointer *place, uint32_t type,
                   const uint32_t *registers, uint32_t count);
/* Stores the registers as a value of the place's type. */
bool emu_store_to(EmuDecode *d, SrRef r, const EmuPointer *place, const uint32_t *registers,
                  uint32_t count);

/* OpControlBarrier, and instructions that wait like it: the scope is the first operand. */
bool emu_decode_barrier(EmuDecode *d, SrRef r);

/* decode_flow.c */
/* Decodes the function at index `entry` of the module, which becomes the program's first, and all
 * functions that it reaches. */
bool emu_decode_functions(EmuDecode *d, uint32_t entry);

/* hoist.c */
/* Executes moves of edges (EmuMove) one block earlier where that is possible; to be called before
 * emu_coalesce. */
void emu_hoist(EmuDecode *d);

/* coalesce.c */
/* Drops moves between registers; to be called before registers get their rows. */
void emu_coalesce(EmuDecode *d);

/* fuse.c */
/* Fuses two or three instructions into one handler; to be called before registers get their
 * rows. */
void emu_fuse(EmuDecode *d);

/* registers.c */
bool emu_registers_place(EmuDecode *d);

/* decode_debug.c */
/* Gives registers their rows, and makes p->debug. */
bool emu_debug_describe(EmuDecode *d);

#endif
