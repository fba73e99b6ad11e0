/* SPDX-License-Identifier: Apache-2.0 */
/* debug_command: see debug_command.h. A command may be abbreviated to any beginning that no command
 * before it in the table has. */
#include "spv-emu/debug/debug_command.h"

#include "spv-emu/debug/debug_lanes.h"
#include "spv-emu/debug/debug_place.h"
#include "spv-emu/debug/debug_print.h"

#include <inttypes.h>

typedef enum Then { STAY, GO } Then;

typedef enum Takes { NOTHING, MAYBE, SOMETHING } Takes;

typedef struct Command {
  const char *name, *usage, *help;
  Takes takes;
  Then (*run)(EmuDebugger *d, char *argument); /* NULL: there is none */
} Command;

/* ---- commands that let the run go on --------------------------------------------------------- */

static Then resume(EmuDebugger *d, EmuResume how, uint64_t times) {
  const EmuLanes *s = &d->e->lanes;
  d->resume = how;
  d->repeat = times - 1;
  d->origin.e = d->e;
  d->origin.step = emu_debug_step(d);
  d->origin.depth = emu_debug_depth(d, s->block, emu_mask_next(&s->on, 0, s->words));
  emu_mask_copy(&d->origin.lanes, &s->on, s->words);
  return GO;
}

/* The number of steps, by default 1. */
static Then resume_times(EmuDebugger *d, EmuResume how, const char *argument) {
  uint64_t times = 1;
  if ((!argument || emu_debug_number(argument, &times)) && times)
    return resume(d, how, times);
  sr_text_add(&d->out, "'%.40s' is not a number of steps\n", argument);
  return STAY;
}

static Then run_issue(EmuDebugger *d, char *argument) {
  return resume_times(d, EMU_RESUME_ISSUE, argument);
}

static Then run_step(EmuDebugger *d, char *argument) {
  return resume_times(d, EMU_RESUME_LINE, argument);
}

static Then run_next(EmuDebugger *d, char *argument) {
  return resume_times(d, EMU_RESUME_NEXT, argument);
}

static Then run_continue(EmuDebugger *d, char *argument) {
  (void)argument;
  return resume(d, EMU_RESUME_RUN, 1);
}

static Then run_finish(EmuDebugger *d, char *argument) {
  (void)argument;
  return resume(d, EMU_RESUME_FINISH, 1);
}

static Then run_quit(EmuDebugger *d, char *argument) {
  (void)argument;
  d->quit = true;
  return GO;
}

/* ---- commands that print --------------------------------------------------------------------- */

static Then run_break(EmuDebugger *d, char *argument) {
  if (argument)
    emu_debug_break(d, argument);
  else
    emu_debug_list_breaks(d);
  return STAY;
}

static Then run_delete(EmuDebugger *d, char *argument) {
  emu_debug_delete(d, argument);
  return STAY;
}

static Then run_print(EmuDebugger *d, char *argument) {
  for (char *name = strtok(argument, " \t,"); name; name = strtok(NULL, " \t,"))
    emu_debug_print(d, name);
  return STAY;
}

static Then run_lanes(EmuDebugger *d, char *argument) {
  (void)argument;
  emu_debug_lanes(d);
  return STAY;
}

static Then run_masks(EmuDebugger *d, char *argument) {
  (void)argument;
  emu_debug_masks(d);
  return STAY;
}

static Then run_policy(EmuDebugger *d, char *argument) {
  (void)argument;
  emu_debug_policy(d);
  return STAY;
}

static Then run_locals(EmuDebugger *d, char *argument) {
  (void)argument;
  emu_debug_info_variables(d, false);
  return STAY;
}

static Then run_globals(EmuDebugger *d, char *argument) {
  (void)argument;
  emu_debug_info_variables(d, true);
  return STAY;
}

static Then run_why(EmuDebugger *d, char *argument) {
  emu_debug_why(d, argument);
  return STAY;
}

static Then run_backtrace(EmuDebugger *d, char *argument) {
  emu_debug_backtrace(d, argument);
  return STAY;
}

static Then run_frame(EmuDebugger *d, char *argument) {
  uint64_t number = d->frame;
  if (argument && !emu_debug_number(argument, &number))
    sr_text_add(&d->out, "'%.40s' is not the number of a frame\n", argument);
  else
    emu_debug_frame(d, number);
  return STAY;
}

static Then run_up(EmuDebugger *d, char *argument) {
  (void)argument;
  emu_debug_frame(d, (uint64_t)d->frame + 1);
  return STAY;
}

static Then run_down(EmuDebugger *d, char *argument) {
  (void)argument;
  if (d->frame)
    emu_debug_frame(d, d->frame - 1);
  else
    sr_text_add(&d->out, "#0 is the innermost frame\n");
  return STAY;
}

static Then run_list(EmuDebugger *d, char *argument) {
  emu_debug_list(d, argument);
  return STAY;
}

static Then run_where(EmuDebugger *d, char *argument) {
  (void)argument;
  emu_debug_show(d, 0);
  return STAY;
}

static Then run_subgroup(EmuDebugger *d, char *argument) {
  uint64_t number;
  if (strcmp(argument, "any") == 0)
    d->only = UINT64_MAX;
  else if (!emu_debug_number(argument, &number))
    sr_text_add(&d->out, "'%.40s' is neither the number of a subgroup nor any\n", argument);
  else
    d->only = number;
  return STAY;
}

static Then run_info(EmuDebugger *d, char *argument);
static Then run_help(EmuDebugger *d, char *argument);

/* ---- the table ------------------------------------------------------------------------------- */

static const Command commands[] = {
    {"break", "[LINE | FILE:LINE | %BLOCK | FUNCTION]", "stop there; alone: list breakpoints",
     MAYBE, run_break},
    {"backtrace", "[LANE]", "the calls around a lane", MAYBE, run_backtrace},
    {"bt", "[LANE]", NULL, MAYBE, run_backtrace},
    {"continue", "", "run to the next breakpoint", NOTHING, run_continue},
    {"delete", "NUMBER", "remove a breakpoint", SOMETHING, run_delete},
    {"down", "", "choose the frame that the chosen one called", NOTHING, run_down},
    {"finish", "", "run until the running lanes have returned", NOTHING, run_finish},
    {"frame", "[N]", "choose a frame of the backtrace: names are those of its function", MAYBE,
     run_frame},
    {"help", "", "this list", NOTHING, run_help},
    {"issue", "[N]", "run N instructions of the subgroup", MAYBE, run_issue},
    {"info", "locals | globals | policy | masks | lanes | breaks",
     "variables of the frame's function or the module; the policy's stack, frontier or tables; …",
     SOMETHING, run_info},
    {"list", "[LINE]", "lines of the source", MAYBE, run_list},
    {"lanes", "", "where each lane is", NOTHING, run_lanes},
    {"masks", "", "lanes that exist, are active, wait, have ended, help", NOTHING, run_masks},
    {"next", "[N]", "run to the next line, over calls", MAYBE, run_next},
    {"print", "NAME…", "values of all lanes: NAME, NAME.member, NAME[3], NAME[0..7], %ID",
     SOMETHING, run_print},
    {"quit", "", "end the run", NOTHING, run_quit},
    {"step", "[N]", "run to the next line", MAYBE, run_step},
    {"subgroup", "N | any", "stop only in subgroup N", SOMETHING, run_subgroup},
    {"up", "", "choose the frame that called the chosen one", NOTHING, run_up},
    {"where", "", "where the running lanes are", NOTHING, run_where},
    {"why", "LANE", "why a lane waits", SOMETHING, run_why},
};

static const Command infos[] = {
    {"locals", "", NULL, NOTHING, run_locals}, {"globals", "", NULL, NOTHING, run_globals},
    {"policy", "", NULL, NOTHING, run_policy}, {"masks", "", NULL, NOTHING, run_masks},
    {"lanes", "", NULL, NOTHING, run_lanes},   {"breaks", "", NULL, NOTHING, run_break},
};

enum { COMMANDS = sizeof commands / sizeof *commands, INFOS = sizeof infos / sizeof *infos };

static const Command *find(const Command *table, size_t count, const char *name) {
  size_t length = strlen(name);
  for (size_t i = 0; i < count; i++)
    if (strncmp(table[i].name, name, length) == 0)
      return &table[i];
  return NULL;
}

static Then run_help(EmuDebugger *d, char *argument) {
  (void)argument;
  for (size_t i = 0; i < COMMANDS; i++)
    if (commands[i].help)
      sr_text_add(&d->out, "%s%s%s\n      %s\n", commands[i].name, *commands[i].usage ? " " : "",
                  commands[i].usage, commands[i].help);
  return STAY;
}

static Then run_info(EmuDebugger *d, char *argument) {
  const Command *c = find(infos, INFOS, argument);
  if (c)
    return c->run(d, NULL);
  sr_text_add(&d->out, "info '%.40s': there are locals, globals, policy, masks, lanes and breaks\n",
              argument);
  return STAY;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static Then execute(EmuDebugger *d, char *line) {
  char *name = line + strspn(line, " \t"), *argument = name + strcspn(name, " \t");
  if (*argument)
    *argument++ = 0;
  argument += strspn(argument, " \t");
  for (size_t n = strlen(argument); n && strchr(" \t\r", argument[n - 1]);)
    argument[--n] = 0;
  if (!*name || *name == '#')
    return STAY;
  const Command *c = find(commands, COMMANDS, name);
  if (!c)
    sr_text_add(&d->out, "there is no command '%.40s'; 'help' lists the commands\n", name);
  else if (!*argument && c->takes == SOMETHING)
    sr_text_add(&d->out, "%s needs %s\n", c->name, c->usage);
  else if (*argument && c->takes == NOTHING)
    sr_text_add(&d->out, "%s takes nothing: '%.40s'\n", c->name, argument);
  else
    return c->run(d, *argument ? argument : NULL);
  return STAY;
}

void emu_debug_flush(EmuDebugger *d) {
  if (d->out.count && d->to->write)
    d->to->write(d->to->user, sr_text_end(&d->out));
  d->out = (SrText){.arena = &d->scratch};
}

bool emu_debug_commands(EmuDebugger *d) {
  SrMark mark = sr_arena_mark(&d->scratch);
  Then then = STAY;
  d->frame = 0;
  emu_debug_flush(d);
  while (then == STAY && !d->quit) {
    const char *line = d->to->read ? d->to->read(d->to->user) : NULL;
    d->detached = line == NULL;
    if (!line)
      break;
    d->out = (SrText){.arena = &d->scratch};
    then = execute(d, sr_text_copy(&d->scratch, line));
    emu_debug_flush(d);
    sr_arena_reset(&d->scratch, mark);
  }
  d->out = (SrText){.arena = &d->scratch};
  return !d->quit;
}
