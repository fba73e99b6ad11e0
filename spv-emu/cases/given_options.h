/* SPDX-License-Identifier: Apache-2.0 */
/* given_options: the options of spv-emu and spv-harness that give what a module without a case runs on: its
 * entry point, dispatch, buffers and constants; and which images are to be written. */
#ifndef EMU_GIVEN_OPTIONS_H
#define EMU_GIVEN_OPTIONS_H

#include "spv-emu/cases/bare_run.h"
#include "spv-emu/cases/image_file.h"

/* In the order of given_options.def. */
typedef enum EmuGivenOption {
#define EMU_GIVEN(key, name) EMU_GIVEN_##key,
#include "spv-emu/cases/given_options.def"
#undef EMU_GIVEN
  EMU_GIVEN_OPTIONS
} EmuGivenOption;

/* The arrays are owned; texts are those of the command line. */
typedef struct EmuGiven {
  const char *entry;       /* NULL: not given */
  uint32_t groups[3];      /* workgroups; 0: not given */
  uint32_t local_size[3];  /* 0: not given */
  uint32_t framebuffer[2]; /* width and height; 0: not given */
  EmuBareBuffer *buffers;
  EmuValues *push_constants;
  spv_emu_spec *specs;
  spv_emu_sampler *samplers;
  EmuImageFile *images; /* to be written */
  uint32_t buffer_count, push_constant_count, spec_count, sampler_count, image_count;
  bool chosen; /* --buffers was given: `guess` says what it asks for */
  bool guess;  /* make up what the options do not give */
  bool seeded; /* a seed was given */
  uint64_t seed;
  char **typed; /* each option as it was given: "--entry=main" */
  uint32_t typed_count;
} EmuGiven;

/* The option's name, without dashes. */
const char *emu_given_name(EmuGivenOption option);
/* The options as lines of --help. */
extern const char emu_given_help[];

/* Takes an option. False: one line is on standard error. Free what is given in any case. */
bool emu_given_read(EmuGiven *given, EmuGivenOption option, const char *value);
void emu_given_free(EmuGiven *given);

/* Replaces the names of buffers by their places in the program, and gives pictures the formats of
 * its images. In a draw, a name that `program` lacks may belong to `second` (NULL: there is no
 * second program). False, with one line in `message`: there is no such buffer, or one is given
 * twice. */
bool emu_given_find(EmuGiven *given, const spv_emu_program *program, const spv_emu_program *second,
                    char *message, size_t message_size);
/* Reads the files that options name. False, with one line in `message` that begins with the file's
 * name: one cannot be read, or does not fit. */
bool emu_given_read_files(EmuGiven *given, char *message, size_t message_size);
/* The last --image without a place: what was drawn, or the only storage image; NULL: there is
 * none. */
const EmuImageFile *emu_given_plain_image(const EmuGiven *given);
/* What was given, for a module that runs; one workgroup if there is no dispatch. It points into
 * `given`. */
EmuBareOptions emu_given_options(const EmuGiven *given);

#endif
