/* SPDX-License-Identifier: Apache-2.0 */
/* cli_debug: see cli_debug.h. */
#include "spv-emu/cli/cli_debug.h"

#include "passes/tool/os/os_library.h"
#include "passes/tool/os/os_terminal.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_usage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char prompt[] = "(debug) ";

bool emu_cli_debugs(const EmuCli *cli) {
  return cli->debug || cli->trace_values;
}

/* ---- commands --------------------------------------------------------------------------------- */

/* Copies object pointers to function pointers as POSIX does. */
static void open_readline(EmuCliDebug *d) {
  static const char readline[] = "libreadline.so.8";
  *(void **)&d->readline = os_library_function(&d->library, readline, "readline");
  *(void **)&d->add_history = os_library_function(&d->library, readline, "add_history");
}

/* A line without its end, in d->line. False: there is none. */
static bool read_line(EmuCliDebug *d, FILE *from) {
  ssize_t length = getline(&d->line, &d->room, from);
  if (length < 0)
    return false;
  d->line[strcspn(d->line, "\n")] = 0;
  return true;
}

static bool read_plainly(EmuCliDebug *d) {
  fputs(prompt, stdout);
  fflush(stdout);
  return read_line(d, stdin);
}

/* An empty line means the command before it. At the end of input the run ends. */
static const char *read_terminal(void *user) {
  EmuCliDebug *d = user;
  fflush(stdout);
  if (!d->library)
    open_readline(d);
  if (d->readline) {
    free(d->line);
    d->line = d->readline(prompt);
    d->room = 0;
  } else if (!read_plainly(d)) {
    return "quit";
  }
  if (!d->line)
    return "quit";
  if (!*d->line)
    return d->last ? d->last : "";
  if (d->add_history)
    d->add_history(d->line);
  free(d->last);
  d->last = strdup(d->line);
  return d->line;
}

static const char *read_script(void *user) {
  EmuCliDebug *d = user;
  if (!read_line(d, d->script))
    return NULL;
  printf("%s%s\n", prompt, d->line);
  return d->line;
}

/* ---- output ----------------------------------------------------------------------------------- */

static void write_text(void *user, const char *text) {
  (void)user;
  fputs(text, stdout);
}

static void write_row(void *user, const char *line) {
  (void)user;
  puts(line);
}

/* ---- opening ---------------------------------------------------------------------------------- */

static bool read_names(EmuCliDebug *d, const char *list) {
  d->text = strdup(list);
  d->names = calloc(strlen(list) + 1, sizeof *d->names);
  d->to.found = calloc(strlen(list) + 1, sizeof *d->to.found);
  if (!d->text || !d->names || !d->to.found)
    return tool_wrong("out of memory");
  printf("policy,subgroup,issue,function,block,line,lane");
  for (char *name = strtok(d->text, ","); name; name = strtok(NULL, ",")) {
    d->names[d->to.name_count++] = name;
    printf(",%s", name);
  }
  putchar('\n');
  d->to.names = d->names;
  d->to.row = write_row;
  return true;
}

static bool is_folder(FILE *file) {
  struct stat st;
  return fstat(fileno(file), &st) == 0 && S_ISDIR(st.st_mode);
}

static bool open_script(EmuCliDebug *d) {
  const char *script = d->cli->script;
  bool terminal = !script && os_terminal_is_input();
  d->to.write = write_text;
  d->to.read = terminal ? read_terminal : read_script;
  if (terminal)
    return true;
  bool input = !script || strcmp(script, "-") == 0;
  d->script = input ? stdin : fopen(script, "r");
  if (d->script && !is_folder(d->script))
    return true;
  errno = d->script ? EISDIR : errno;
  return tool_failed(input ? "-" : script);
}

bool emu_cli_debug_open(EmuCliDebug *d, const EmuCli *cli) {
  *d = (EmuCliDebug){.cli = cli, .to = {.user = d}};
  if (cli->trace_values)
    return read_names(d, cli->trace_values);
  return !cli->debug || open_script(d);
}

const spv_emu_debug *emu_cli_debug_start(EmuCliDebug *d, const char *policy) {
  if (!emu_cli_debugs(d->cli))
    return NULL;
  d->started = true;
  if (d->script && d->script != stdin)
    rewind(d->script);
  if (d->cli->debug && policy)
    printf("policy %s\n", policy);
  return &d->to;
}

void emu_cli_debug_close(EmuCliDebug *d) {
  for (uint32_t i = 0; i < d->to.name_count && d->started; i++)
    if (!d->to.found[i])
      tool_say(d->cli->input, "note: --trace-values: no lane came where '%.60s' means something",
               d->names[i]);
  if (d->script && d->script != stdin)
    fclose(d->script);
  free(d->line);
  free(d->last);
  free(d->text);
  free(d->names);
  free(d->to.found);
}
