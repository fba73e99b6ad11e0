/* SPDX-License-Identifier: Apache-2.0 */
/* contents: the buffers, images and constants that a module runs on: the caller gives some, and the
 * rest is made up (guess.h). */
#ifndef EMU_CONTENTS_H
#define EMU_CONTENTS_H

#include "spv-emu/cases/guess.h"

typedef struct EmuContents {
  EmuBareOptions options; /* given and made up */
  EmuGuess guess;         /* what was made up, as options of spv-emu */
  /* The arrays of the options: first what was given, whose values the caller keeps. */
  EmuBareBuffer *buffers;
  spv_emu_sampler *samplers;
  EmuValues *pushed;
  uint32_t given_buffers, given_pushed;
} EmuContents;

/* Takes what is given, and makes up the rest if `seed` is not NULL; `room` as in guess.h. The
 * program and the values given must outlive the result. False: one line in `message`. Free the
 * contents in any case. */
bool emu_contents_make(const spv_emu_program *program, const EmuBareOptions *given,
                       const uint64_t *seed, uint32_t room, EmuContents *contents, char *message,
                       size_t message_size);
/* Contents for a program that will be compared with another one: from `like`, the buffers and
 * samplers that the program declares, too, the dispatch and the push constants. The values of `like` must outlive the result; otherwise as above. */
bool emu_contents_make_like(const spv_emu_program *program, const EmuBareOptions *like,
                            const uint64_t *seed, EmuContents *contents, char *message,
                            size_t message_size);
void emu_contents_free(EmuContents *contents);

#endif
