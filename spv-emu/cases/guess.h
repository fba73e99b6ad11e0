/* SPDX-License-Identifier: Apache-2.0 */
/* guess: made-up contents for what a module declares, and a dispatch.
 *
 * Run-time arrays have an element for each invocation. Each block member other than an array gets a
 * number of its own: an integer named like a size (width, count, n) gets a size of the dispatch,
 * any other number is random. Arrays are random, too. All contents are written as options of
 * spv-emu that reproduce them. */
#ifndef EMU_GUESS_H
#define EMU_GUESS_H

#include "spv-emu/cases/bare_run.h"

typedef enum EmuGuessKind { EMU_GUESS_BUFFER, EMU_GUESS_SAMPLER, EMU_GUESS_PUSH } EmuGuessKind;

typedef struct EmuGuessed {
  EmuGuessKind kind;
  char *text;                 /* what follows "--buffer=", "--sampler=", "--push-constant=" */
  const spv_emu_shape *shape; /* in the program */
  const char *name;           /* in the program; "": unnamed */
} EmuGuessed;

typedef struct EmuGuess {
  EmuGuessed *items;
  uint32_t count;
} EmuGuess;

/* Chooses workgroups for at least 256 invocations, in the dimensions that the workgroup has, but not
 * for more than an array of fixed length that the program writes has elements. Arrays shorter than a
 * workgroup do not count. The program was loaded with spv_emu_load_options.shapes, if it has bindings. */
void emu_guess_dispatch(const spv_emu_program *program, uint32_t groups[3]);
/* Halves the dispatch in its largest dimension. False: it is one workgroup already. */
bool emu_guess_fewer(uint32_t groups[3]);
/* Makes up what `given` lacks, for its dispatch; run-time arrays get `room` times as many elements
 * as there are invocations. The program was loaded with spv_emu_load_options.shapes. False: one
 * line in `message` says what cannot be made up. Free the guess in any case; the program must
 * outlive it. */
bool emu_guess(const spv_emu_program *program, const EmuBareOptions *given, uint64_t seed,
               uint32_t room, EmuGuess *guess, char *message, size_t message_size);
void emu_guess_free(EmuGuess *guess);
/* "--buffer", "--sampler", "--push-constant". */
const char *emu_guess_option(EmuGuessKind kind);

/* The format of a picture for an image: the module's; if it states none, 8 bits a channel, or one
 * float for a depth image. */
const EmuFormat *emu_guess_format(const spv_emu_shape *shape);

/* Is a number named like a size? */
bool emu_is_size(const char *name);

#endif
