/* SPDX-License-Identifier: Apache-2.0 */
/* emu_options: the command line of spv-emu. */
#ifndef EMU_OPTIONS_H
#define EMU_OPTIONS_H

#include "spv-emu/cases/given_options.h"
#include "spv-emu/cli/cli_policy.h"
#include "spv-emu/cli/cli_sweep.h"

#include "passes/tool/tool_limit.h"
#include "passes/tool/tool_source.h"
#include "passes/tool/tool_usage.h"

typedef struct EmuDump {
  EmuDescriptorPlace place;
  const char *file; /* NULL: text on standard output */
} EmuDump;

enum { EMU_CLI_SIZES = 8, EMU_CLI_TRANSFORMS = 64, EMU_CLI_REFUSAL = 1024 };

typedef struct EmuCli {
  const char *input;
  char *const *inputs; /* as given */
  int input_count;
  bool several;               /* several inputs, or a folder: cli_several.h */
  const char *frame;          /* the folder of --frame; NULL: not given */
  uint32_t jobs;              /* inputs at a time; 0: not given */
  const char *before, *after; /* two modules to compare, instead of the input; NULL: not given */
  uint64_t ulps;              /* units in the last place by which their floats may differ */
  bool tangles;               /* the input is one of them: their tangles are compared, too */
  ToolLimit limit;            /* limits memory, and time until the program is loaded */
  const char **policies;      /* in the order to run; NULL: the emulator's choice */
  uint32_t policy_count;
  const char *transform;                /* NULL: not given */
  char *transforms[EMU_CLI_TRANSFORMS]; /* as given, owned; several lists are compared */
  uint32_t transform_count;
  char *refusal;     /* gets the message of a module that cannot be loaded, EMU_CLI_REFUSAL bytes,
                    instead of standard error; NULL: standard error gets it */
  const char *order; /* for the transforms; NULL: not given */
  struct EmuProfiled *profiled; /* owned by the caller: cli_profiled.h */
  const char *cost;             /* as given; NULL: not given */
  EmuSweeps sweeps;
  uint32_t subgroup_size;                             /* 0: the size of a workgroup */
  uint32_t subgroup_sizes[EMU_CLI_SIZES], size_count; /* as given; several sizes are compared */
  struct EmuCliTrace *trace;     /* owned by the caller, for the trace files below */
  struct EmuCliResults *results; /* owned by the caller, to compare before and after:
                                    cli_results.h */
  spv_emu_run_options run;       /* priority, segment, limits, checks */
  const char *profile;           /* the file to write; NULL: not given */
  bool json, csv, check_uniform, check_vuid, check_convergence;
  bool mixed;          /* --pack=draw */
  const char *report;  /* the page's file; NULL: none */
  EmuCliPolicy policy; /* options of policies */
  const char *trace_stack, *trace_entries, *trace_groups;
  bool debug;                   /* commands come from `script` */
  const char *script;           /* a file; "-": standard input; NULL: a terminal, if there is one */
  const char *trace_values;     /* names, with commas between them; NULL: not given */
  struct EmuCliDebug *debugger; /* owned by the caller: cli_debug.h */
  const char **folders;         /* of -I */
  uint32_t folder_count;
  bool advise;
  char *const *arguments;         /* the options as given, up to `inputs` */
  bool annotate, annotate_source; /* annotate_source: list the source, if the module has one */
  EmuDump *dumps;
  uint32_t dump_count;
  /* Only for bare modules. */
  const char *bare_option; /* the first such option that was given; NULL: none */
  EmuGiven given;
  /* Only for fragment and vertex shaders. */
  const char *draw_option;         /* the first such option that was given; NULL: none */
  const char *vertex;              /* a file; NULL: not given */
  uint32_t vertices;               /* 0: not given */
  const char *heat_map, *lost_map; /* files FILE.png, or FILE.csv; NULL: not given */
  ToolSource source;
} EmuCli;

/* False: there is nothing to run, because --help or --version has been printed (*code 0), or
 * because the usage is wrong and one line is on standard error (*code TOOL_USAGE). Free the command
 * line in any case. */
bool emu_cli_parse(EmuCli *cli, int argc, char **argv, int *code);
void emu_cli_free(EmuCli *cli);

#endif
