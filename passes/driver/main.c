/* spvreconv: the command line. It does nothing but read, call the library and write. */
#include "driver/cli_file.h"
#include "driver/cli_report.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_BAD_INPUT = 1, EXIT_USAGE = 2, EXIT_BUG = 3 };

enum {
  OPT_TRANSFORM = 256,
  OPT_ORDER,
  OPT_UNIFORMITY,
  OPT_SCOPE,
  OPT_ENV,
  OPT_EXPLAIN,
  OPT_GROWTH,
  OPT_NO_VALIDATE,
  OPT_VALIDATE,
  OPT_PRESERVE_NAMES,
  OPT_STRIP_DEBUG,
  OPT_DUMP_CFG,
  OPT_PRINT_UNIFORMITY,
  OPT_TIME_PASSES,
  OPT_STATS,
  OPT_JSON,
};

static const struct argp_option option_table[] = {
    {0, 'o', "OUTPUT", 0, "Write the module here; text if the name ends in .spvasm; - for stdout",
     1},
    {"transform", OPT_TRANSFORM, "LIST", 0, "Comma list of transforms, run in order; see below", 1},
    {"target-env", OPT_ENV, "ENV", 0,
     "Validate for this environment, named as in spirv-val (default: the lowest Vulkan that admits "
     "the module's version; universal for kernels)",
     1},
    {"no-validate", OPT_NO_VALIDATE, 0, 0, "Leave out spirv-val; our own checks always run", 1},
    {"validate", OPT_VALIDATE, "KIND", 0,
     "auto (default: spirv-val unless a function has over 10,000 blocks or nothing is "
     "transformed), full, none",
     1},
    {"preserve-names", OPT_PRESERVE_NAMES, 0, 0, "Keep names and debug info (default)", 1},
    {"strip-debug", OPT_STRIP_DEBUG, 0, 0, "Drop names and debug info", 1},
    {"max-growth", OPT_GROWTH, "PERCENT", 0, "Limit for transforms that copy code (1000)", 1},
    {"explain", OPT_EXPLAIN, 0, 0,
     "Only check structure: say which edge breaks which rule; exit 1 if any does", 2},
    {"stats", OPT_STATS, 0, 0, "Print figures before and after as a table", 2},
    {"json", OPT_JSON, 0, 0, "Print figures before and after as JSON", 2},
    {"dump-cfg", OPT_DUMP_CFG, "FILE", 0,
     "Draw the resulting control flow; FILE ends in .dot, or in .svg (needs Graphviz)", 2},
    {"print-uniformity", OPT_PRINT_UNIFORMITY, 0, 0,
     "Print the resulting module, each value and branch marked uniform or divergent", 2},
    {"time-passes", OPT_TIME_PASSES, 0, 0, "Print what each pass took, on stderr", 2},
    {"order", OPT_ORDER, "ORDER", 0, "Block order: df dfpd bf bfpd rpo domreg lrpo @BLOCK,…", 3},
    {"uniformity", OPT_UNIFORMITY, "KIND", 0, "analysis (default), divergent, uniform", 3},
    {"scope", OPT_SCOPE, "SCOPE", 0, "Uniform within: subgroup (default), workgroup", 3},
    {0},
};

typedef struct Cli {
  spvreconv_options options;
  const char *input, *output, *dump_cfg;
  bool stats, json, explain, print_uniformity, time_passes;
} Cli;

/* ---- the command line ---- */

static void read_validate(Cli *cli, const char *kind, struct argp_state *state) {
  if (strcmp(kind, "auto") == 0)
    cli->options.validate = SPVRECONV_VALIDATE_AUTO;
  else if (strcmp(kind, "full") == 0)
    cli->options.validate = SPVRECONV_VALIDATE_FULL;
  else if (strcmp(kind, "none") == 0)
    cli->options.validate = SPVRECONV_VALIDATE_NONE;
  else
    argp_error(state, "unknown kind of validation '%s'; there are: auto, full, none", kind);
}

static void read_growth(Cli *cli, const char *text, struct argp_state *state) {
  char *end;
  unsigned long percent = strtoul(text, &end, 10);
  if (*end || end == text || *text == '-' || percent == 0 || percent > 1000000)
    argp_error(state, "--max-growth wants a percentage, 1 to 1000000, not '%s'", text);
  cli->options.max_growth = (uint32_t)percent;
}

static void read_input(Cli *cli, const char *path, struct argp_state *state) {
  if (cli->input)
    argp_error(state, "one input at a time: '%s' or '%s'", cli->input, path);
  cli->input = path;
}

static void check_usage(const Cli *cli, struct argp_state *state) {
  bool prints = cli->stats || cli->json || cli->print_uniformity || cli->explain;
  if (!cli->input)
    argp_error(state, "no input");
  if (cli->explain && (cli->output || cli->dump_cfg || cli->stats || cli->json))
    argp_error(state, "--explain only checks; it goes with no other output");
  if (cli->stats && cli->json)
    argp_error(state, "--stats or --json, not both");
  if (cli->output && strcmp(cli->output, "-") == 0 && prints)
    argp_error(state, "standard output cannot take the module and a report; name a file");
  if (!cli->output && !prints && !cli->dump_cfg && !cli->time_passes)
    argp_error(state, "nothing to do: name an output with -o, or ask for a report as --stats");
  if (cli->dump_cfg && !cli_has_suffix(cli->dump_cfg, ".dot") &&
      !cli_has_suffix(cli->dump_cfg, ".svg"))
    argp_error(state, "--dump-cfg wants a name in .dot or .svg, not '%s'", cli->dump_cfg);
}

static error_t read_option(int key, char *value, struct argp_state *state) {
  Cli *cli = state->input;
  switch (key) {
  case 'o':
    cli->output = value;
    break;
  case OPT_TRANSFORM:
    cli->options.transform = value;
    break;
  case OPT_ORDER:
    cli->options.order = value;
    break;
  case OPT_UNIFORMITY:
    cli->options.uniformity = value;
    break;
  case OPT_SCOPE:
    cli->options.scope = value;
    break;
  case OPT_ENV:
    cli->options.target_env = value;
    break;
  case OPT_EXPLAIN:
    cli->explain = true;
    break;
  case OPT_GROWTH:
    read_growth(cli, value, state);
    break;
  case OPT_NO_VALIDATE:
    cli->options.validate = SPVRECONV_VALIDATE_NONE;
    break;
  case OPT_VALIDATE:
    read_validate(cli, value, state);
    break;
  case OPT_PRESERVE_NAMES:
    cli->options.strip_debug = false;
    break;
  case OPT_STRIP_DEBUG:
    cli->options.strip_debug = true;
    break;
  case OPT_DUMP_CFG:
    cli->dump_cfg = value;
    break;
  case OPT_PRINT_UNIFORMITY:
    cli->print_uniformity = true;
    break;
  case OPT_TIME_PASSES:
    cli->time_passes = true;
    break;
  case OPT_STATS:
    cli->stats = true;
    break;
  case OPT_JSON:
    cli->json = true;
    break;
  case ARGP_KEY_ARG:
    read_input(cli, value, state);
    break;
  case ARGP_KEY_END:
    check_usage(cli, state);
    break;
  default:
    return ARGP_ERR_UNKNOWN;
  }
  return 0;
}

/* Behind the options, --help lists the transforms that the library has. */
static char *help_text(int key, const char *text, void *input) {
  (void)input;
  if (key != ARGP_KEY_HELP_POST_DOC)
    return (char *)text;
  char *out;
  size_t size;
  FILE *f = open_memstream(&out, &size);
  if (!f)
    return (char *)text;
  fprintf(f, "Transforms:\n");
  const char *name, *purpose;
  for (size_t i = 0; spvreconv_transform_info(i, &name, &purpose); i++)
    fprintf(f, "  %-14s %s\n", name, purpose);
  fprintf(f, "\n%s", text);
  fclose(f);
  return out;
}

static const struct argp parser = {
    .options = option_table,
    .parser = read_option,
    .args_doc = "INPUT -o OUTPUT",
    .doc =
        "Structures the control flow of SPIR-V modules. INPUT is a binary (either byte order), "
        "assembly text, or - for standard input.\v"
        "Example:\n"
        "  spvreconv shader.spv -o structured.spv --stats\n"
        "\n"
        "Exit status: 0 done; 1 the input is bad (the message says where); 2 wrong usage; 3 a bug "
        "of ours: nothing is written.",
    .help_filter = help_text,
};

/* ---- the run ---- */

static void print_notice(void *user, const char *line) {
  cli_say(user, "note: %s", line);
}

static unsigned wants(const Cli *cli) {
  return (cli->stats || cli->json ? SPVRECONV_WANT_STATS : 0u) |
         (cli->dump_cfg ? SPVRECONV_WANT_CFG_DOT : 0u) |
         (cli->print_uniformity ? SPVRECONV_WANT_UNIFORMITY : 0u) |
         (cli->explain ? SPVRECONV_WANT_EXPLAIN : 0u);
}

static int report_failure(const Cli *cli, spvreconv_status status, const spvreconv_result *result) {
  const char *message = spvreconv_result_message(result);
  if (status == SPVRECONV_BAD_OPTION) {
    fprintf(stderr, "spvreconv: %s\n", message);
    return EXIT_USAGE;
  }
  if (status == SPVRECONV_BUG) {
    cli_say(cli->input, "a bug of spvreconv, nothing is written: %s", message);
    return EXIT_BUG;
  }
  cli_say(cli->input, "%s", message);
  return EXIT_BAD_INPUT;
}

static bool write_module(const Cli *cli, const spvreconv_result *result) {
  size_t count;
  const uint32_t *words = spvreconv_result_words(result, &count);
  if (!cli_has_suffix(cli->output, ".spvasm"))
    return cli_write(cli->output, words, count * sizeof *words);
  char *text = spvreconv_disassemble(words, count);
  bool ok = text && cli_write(cli->output, text, strlen(text));
  if (!text)
    cli_say(cli->input, "SPIRV-Tools cannot print this module as text");
  spvreconv_text_destroy(text);
  return ok;
}

static bool write_picture(const Cli *cli, const spvreconv_result *result) {
  const char *dot = spvreconv_result_text(result, SPVRECONV_WANT_CFG_DOT);
  return cli_has_suffix(cli->dump_cfg, ".svg") ? cli_write_svg(cli->dump_cfg, dot)
                                               : cli_write(cli->dump_cfg, dot, strlen(dot));
}

static bool print_uniformity(const Cli *cli, const spvreconv_result *result) {
  const char *text = spvreconv_result_text(result, SPVRECONV_WANT_UNIFORMITY);
  if (text)
    return fputs(text, stdout) >= 0;
  cli_say(cli->input, "SPIRV-Tools cannot print this module as text");
  return false;
}

/* Prints the breaches; there must be none. */
static bool print_explanation(const Cli *cli, const spvreconv_result *result) {
  const char *text = spvreconv_result_text(result, SPVRECONV_WANT_EXPLAIN);
  size_t lines = 0;
  for (const char *p = text; (p = strchr(p, '\n')); p++)
    lines++;
  fputs(text, stdout);
  if (lines)
    cli_say(cli->input, "not structured: %zu breach%s", lines, lines == 1 ? "" : "es");
  return lines == 0;
}

static bool deliver(const Cli *cli, const spvreconv_result *result) {
  bool ok = true;
  if (cli->explain)
    return print_explanation(cli, result);
  if (cli->dump_cfg)
    ok = write_picture(cli, result) && ok;
  if (cli->output)
    ok = write_module(cli, result) && ok;
  if (cli->print_uniformity)
    ok = print_uniformity(cli, result) && ok;
  if (cli->stats)
    cli_print_stats(result, cli->input);
  if (cli->json)
    ok = cli_print_json(result, cli->input) && ok;
  if (cli->time_passes)
    cli_print_times(result);
  return ok;
}

static int run(Cli *cli) {
  CliInput in;
  spvreconv_result *result = NULL;
  int code = EXIT_BAD_INPUT;
  if (cli_read(cli->input, &in)) {
    spvreconv_status status =
        in.binary ? spvreconv_run(&cli->options, (const uint32_t *)(const void *)in.bytes,
                                  in.count / sizeof(uint32_t), &result)
                  : spvreconv_run_text(&cli->options, in.bytes, in.count, &result);
    if (status != SPVRECONV_OK)
      code = report_failure(cli, status, result);
    else if (deliver(cli, result))
      code = EXIT_SUCCESS;
  }
  spvreconv_result_destroy(result);
  free(in.bytes);
  if (fflush(stdout) != 0) {
    fprintf(stderr, "spvreconv: cannot write to standard output\n");
    return EXIT_BAD_INPUT;
  }
  return code;
}

int main(int argc, char **argv) {
  Cli cli = {0};
  spvreconv_options_init(&cli.options, sizeof cli.options);
  argp_program_version = "spvreconv " SPVRECONV_VERSION;
  argp_err_exit_status = EXIT_USAGE;
  argp_parse(&parser, argc, argv, 0, NULL, &cli);
  cli.options.want = wants(&cli);
  cli.options.message = print_notice;
  cli.options.message_user = (void *)cli.input;
  return run(&cli);
}
