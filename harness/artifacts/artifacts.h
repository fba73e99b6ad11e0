/* SPDX-License-Identifier: Apache-2.0 */
/* artifacts: a folder for each failure, with everything that is needed to study it without running
 * anything: the modules before and after, the contents of the buffers, pictures, and a script that
 * runs only this variant again.
 *
 * FOLDER/DEVICE/CASE/VARIANT/ holds
 *   failure.json   what failed, figures of the buffers that differ, names of the files
 *   failure.txt    the same for people
 *   rerun.sh       runs this variant of this case on this device
 *   SHADER.before.spv, .spvasm, .glsl; SHADER.after.…: if the transforms change it
 *   BUFFER.actual.bin, BUFFER.expected.bin, BUFFER.differences.csv
 *   BUFFER.expected.png, .actual.png, .difference.png: of images
 *   log.txt        what the driver printed */
#ifndef HN_ARTIFACTS_H
#define HN_ARTIFACTS_H

#include "harness/results/variant_result.h"

typedef struct HnArtifacts {
  char *folder;  /* folder of all failures; an absolute path, owned */
  char *command; /* shell: `cd` to the run's folder, then the program with the options of the run;
                    --device, --transform and the case follow; owned */
} HnArtifacts;

typedef struct HnFailure {
  const char *path, *device, *variant;
  const HnResult *result;
  const char *reference;     /* the variant or device whose results differ from these; NULL: none */
  bool is_device;            /* `reference` is a device */
  const AmberScript *script; /* NULL: the case cannot be read, and the members below are absent */
  const HnModule *before, *after; /* by index in script->shaders; NULL: there are none */
  const HnContents *actual;       /* by index in script->buffers; NULL: not known */
  const HnContents *expected; /* the contents of `reference`; NULL: what the EXPECTs below say */
  uint32_t first_expect, expect_count; /* commands: the EXPECTs that see `actual` */
  int log;                             /* a file with the output of the driver; -1: none */
} HnFailure;

/* The path of a failure's folder, to be freed; NULL: out of memory. */
char *hn_artifacts_folder(const char *folder, const char *path, const char *device,
                          const char *variant);
/* Writes the files of a failure, and replaces those of an earlier run. False, with a message on
 * standard error: something could not be written. */
bool hn_artifacts_write(const HnArtifacts *artifacts, const HnFailure *failure);
/* Is there a folder for this variant? */
bool hn_artifacts_exist(const char *folder, const char *path, const char *device,
                        const char *variant);
/* Calls `visit` for each file of a failure's folder, pictures first, by name. */
void hn_artifacts_files(const char *folder, void (*visit)(void *user, const char *file),
                        void *user);
void hn_artifacts_free(HnArtifacts *artifacts);

#endif
