/* SPDX-License-Identifier: Apache-2.0 */
/* golden_runner: runs the tests that are one file each.
 *
 *   golden_runner [--jobs=N] SPVRECONV FILE|FOLDER…
 *
 * A golden file (.spvasm) has in comments how it is run and the expected output:
 *
 *   ; RUN: spvreconv %s -o %t.spv && spirv-dis --raw-id %t.spv
 *   ; CHECK: text            a line after the last match contains it
 *   ; CHECK-NEXT: text       the first line after the last match contains it
 *   ; CHECK-NOT: text        no line between the previous and the next match contains it
 *   ; CHECK-COUNT 3: text    3 lines of the whole output contain it
 *
 * RUN is a shell command (several RUN lines are joined with &&) that must succeed; its standard
 * output is checked. %s is the file, %t a name for temporary files, %S the file's folder;
 * SPVRECONV's folder is added to the front of PATH. In a text, runs of blanks are one blank, {{re}}
 * is a POSIX regular expression, [[NAME:re]] defines NAME as the text that re matches, and [[NAME]]
 * is replaced by that, as in LLVM's FileCheck. A file without RUN or without CHECK fails.
 *
 *   ; OLDER: text            standard error holds it if the build's SPIR-V headers are too
 *                            old for the module: then no CHECK counts, and a line says so
 *
 * A bad file has the expected message of spvreconv. It is .spvasm, or .hex: bytes (two hex digits)
 * and little-endian words (eight); `;` begins a comment.
 *
 *   ; ERROR: text            must be in the one line on standard error
 *   ; ARGS: options          instead of no options
 *   ; STATUS: 2              instead of exit code 1
 *
 * and no output file may be left. The last line on standard output is "N passed, N failed". */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct Text {
  char **line;
  size_t count;
} Text;

typedef struct Names { /* file names, or any other growing list of strings */
  char **at;
  size_t count, room;
} Names;

typedef struct Variable {
  char name[64];
  char *value;
} Variable;

typedef struct Checker {
  const Text *output;
  size_t next; /* the first line after the last match */
  Variable *variables;
  size_t variable_count;
  FILE *report;
} Checker;

typedef enum CheckKind { CHECK_LATER, CHECK_NEXT, CHECK_NOT, CHECK_COUNT, CHECK_NONE } CheckKind;

typedef struct Check {
  CheckKind kind;
  size_t count; /* of CHECK_COUNT */
  const char *text;
} Check;

static void fail(const char *what, const char *about) {
  fprintf(stderr, "golden_runner: %s: %s\n", what, about);
  exit(2);
}

static void *grow(void *old, size_t size) {
  void *p = realloc(old, size);
  if (!p)
    fail("out of memory", strerror(errno));
  return p;
}

static void names_add(Names *names, char *name) {
  if (names->count == names->room) {
    names->room = names->room ? 2 * names->room : 64;
    names->at = grow(names->at, names->room * sizeof *names->at);
  }
  names->at[names->count++] = name;
}

static char *formatted(const char *format, const char *a, const char *b) {
  char *out;
  if (asprintf(&out, format, a, b) < 0)
    fail("out of memory", strerror(errno));
  return out;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* In place: runs of blanks become one, and blanks at both ends are removed. */
static char *squeeze(char *s) {
  char *out = s;
  for (char *p = s; *p; p++)
    if (!isspace((unsigned char)*p))
      *out++ = *p;
    else if (out > s && out[-1] != ' ')
      *out++ = ' ';
  if (out > s && out[-1] == ' ')
    out--;
  *out = 0;
  return s;
}

static char *read_all(FILE *f) {
  char *text = NULL;
  size_t length = 0, room = 0, n;
  do {
    if (room - length < 4096)
      text = grow(text, room = 2 * room + 8192);
    n = fread(text + length, 1, room - length - 1, f);
    length += n;
  } while (n);
  text[length] = 0;
  return text;
}

static char *read_file(const char *path) {
  FILE *f = fopen(path, "r");
  if (!f)
    fail(path, strerror(errno));
  char *text = read_all(f);
  fclose(f);
  return text;
}

/* Splits in place; the lines point into `text`. */
static Text split(char *text, bool squeezed) {
  Names lines = {0};
  for (char *line, *rest = text; (line = strsep(&rest, "\n")) && (rest || *line);)
    names_add(&lines, squeezed ? squeeze(line) : line);
  return (Text){lines.at, lines.count};
}

/* If `line` is the comment "; KEY…", what follows the key. */
static char *after_key(char *line, const char *key) {
  while (isspace((unsigned char)*line) || *line == ';')
    line++;
  size_t n = strlen(key);
  return strncmp(line, key, n) == 0 ? line + n : NULL;
}

/* ---- patterns -------------------------------------------------------------------------------- */

static Variable *find_variable(Checker *c, const char *name, size_t length) {
  for (size_t i = 0; i < c->variable_count; i++)
    if (strlen(c->variables[i].name) == length && !memcmp(c->variables[i].name, name, length))
      return &c->variables[i];
  return NULL;
}

static void put_literal(FILE *re, const char *s, size_t n) {
  for (size_t i = 0; i < n; i++)
    fprintf(re, strchr(".[{}()\\*+?|^$", s[i]) ? "\\%c" : "%c", s[i]);
}

static int count_groups(const char *s, size_t n) {
  int groups = 0;
  for (size_t i = 0; i < n; i++)
    groups += s[i] == '(' && (i == 0 || s[i - 1] != '\\');
  return groups;
}

/* The variables that a pattern defines, each with its group of the regular expression. */
typedef struct Captures {
  struct {
    const char *name;
    size_t length;
    int group;
  } at[16];
  size_t count;
  int groups;
} Captures;

/* Writes [[…]] of length n to the expression. */
static void put_variable(Checker *c, FILE *re, const char *s, size_t n, Captures *captures) {
  const char *colon = memchr(s, ':', n);
  size_t name = colon ? (size_t)(colon - s) : n;
  Variable *known = find_variable(c, s, name);
  if (colon) {
    if (captures->count == 16 || name >= sizeof known->name)
      fail("too many variables, or too long a name", s);
    captures->at[captures->count].name = s;
    captures->at[captures->count].length = name;
    captures->at[captures->count++].group = captures->groups + 1;
    captures->groups += 1 + count_groups(colon + 1, n - name - 1);
    fprintf(re, "(%.*s)", (int)(n - name - 1), colon + 1);
  } else if (known) {
    put_literal(re, known->value, strlen(known->value));
  } else {
    put_literal(re, s, n); /* an unknown name matches only itself, so the check fails */
  }
}

static char *pattern_to_regex(Checker *c, const char *text, Captures *captures) {
  char *out;
  size_t size;
  FILE *re = open_memstream(&out, &size);
  while (*text) {
    const char *regex = strncmp(text, "{{", 2) == 0 ? strstr(text, "}}") : NULL;
    const char *variable = strncmp(text, "[[", 2) == 0 ? strstr(text, "]]") : NULL;
    while (variable && variable[2] == ']')
      variable++; /* [[A:%[0-9]]] : the last two close */
    if (regex) {
      size_t n = (size_t)(regex - text - 2);
      captures->groups += 1 + count_groups(text + 2, n);
      fprintf(re, "(%.*s)", (int)n, text + 2);
      text = regex + 2;
    } else if (variable) {
      put_variable(c, re, text + 2, (size_t)(variable - text - 2), captures);
      text = variable + 2;
    } else {
      put_literal(re, text++, 1);
    }
  }
  fclose(re);
  return out;
}

static void keep_captures(Checker *c, const Captures *captures, const char *line,
                          const regmatch_t *match) {
  for (size_t i = 0; i < captures->count; i++) {
    const regmatch_t *m = &match[captures->at[i].group];
    Variable *v = find_variable(c, captures->at[i].name, captures->at[i].length);
    if (!v) {
      c->variables = grow(c->variables, (c->variable_count + 1) * sizeof *c->variables);
      v = &c->variables[c->variable_count++];
      snprintf(v->name, sizeof v->name, "%.*s", (int)captures->at[i].length, captures->at[i].name);
    } else {
      free(v->value);
    }
    v->value = strndup(line + m->rm_so, (size_t)(m->rm_eo - m->rm_so));
  }
}

/* The first line in [from, to) that contains the pattern, or `to`; sets the pattern's variables.
 * `all` not NULL: counts the lines instead. */
static size_t find_lines(Checker *c, const char *text, size_t from, size_t to, size_t *all) {
  Captures captures = {0};
  char *expression = pattern_to_regex(c, text, &captures);
  regex_t re;
  if (regcomp(&re, expression, REG_EXTENDED))
    fail("not a regular expression", expression);
  size_t room = re.re_nsub + 1, hit = to;
  regmatch_t *match = grow(NULL, room * sizeof *match);
  for (size_t i = from; i < to && hit == to; i++)
    if (regexec(&re, c->output->line[i], room, match, 0) == 0) {
      if (all)
        ++*all;
      else
        keep_captures(c, &captures, c->output->line[hit = i], match);
    }
  free(match);
  regfree(&re);
  free(expression);
  return hit;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static Check parse_check(char *line) {
  Check check = {CHECK_NONE, 0, NULL};
  char *rest = after_key(line, "CHECK");
  if (!rest)
    return check;
  if (*rest == ':')
    check = (Check){CHECK_LATER, 0, rest + 1};
  else if (strncmp(rest, "-NEXT:", 6) == 0)
    check = (Check){CHECK_NEXT, 0, rest + 6};
  else if (strncmp(rest, "-NOT:", 5) == 0)
    check = (Check){CHECK_NOT, 0, rest + 5};
  else if (strncmp(rest, "-COUNT ", 7) == 0) {
    check = (Check){CHECK_COUNT, strtoul(rest + 7, &rest, 10), NULL};
    check.text = *rest == ':' ? rest + 1 : NULL;
  }
  if (!check.text)
    fail("not a CHECK", line);
  while (*check.text == ' ')
    check.text++;
  return check;
}

static void report_context(Checker *c, const char *line, size_t from) {
  fprintf(c->report, "  this check fails: %s\n  the output from line %zu on:\n", line, from + 1);
  size_t to = from + 24 < c->output->count ? from + 24 : c->output->count;
  for (size_t i = from; i < to; i++)
    fprintf(c->report, "  | %s\n", c->output->line[i]);
  if (to < c->output->count)
    fprintf(c->report, "  | … (%zu lines more)\n", c->output->count - to);
}

static bool check_count(Checker *c, const Check *check, const char *line) {
  size_t found = 0;
  find_lines(c, check->text, 0, c->output->count, &found);
  if (found == check->count)
    return true;
  fprintf(c->report, "  found on %zu lines\n", found);
  report_context(c, line, 0);
  return false;
}

/* The CHECK-NOTs waiting in [first, last) hold for the lines from `from` to `to`. */
static bool check_absent(Checker *c, const Text *file, size_t first, size_t last, size_t from,
                         size_t to) {
  for (size_t i = first; i < last; i++) {
    Check check = parse_check(file->line[i]);
    if (check.kind != CHECK_NOT)
      continue;
    size_t hit = find_lines(c, check.text, from, to, NULL);
    if (hit < to) {
      report_context(c, file->line[i], hit);
      return false;
    }
  }
  return true;
}

/* Runs the CHECK lines of a file over the output of its RUN. */
static bool run_checks(Checker *c, const Text *file) {
  size_t checks = 0, waiting = 0; /* `waiting`: CHECK-NOTs from this line of the file on */
  for (size_t i = 0; i < file->count; i++) {
    Check check = parse_check(file->line[i]);
    checks += check.kind != CHECK_NONE;
    if (check.kind == CHECK_COUNT && !check_count(c, &check, file->line[i]))
      return false;
    if (check.kind != CHECK_LATER && check.kind != CHECK_NEXT)
      continue;
    size_t end = c->output->count;
    if (check.kind == CHECK_NEXT && c->next < end)
      end = c->next + 1;
    size_t hit = find_lines(c, check.text, c->next, end, NULL);
    if (hit == end) {
      report_context(c, file->line[i], c->next);
      return false;
    }
    if (!check_absent(c, file, waiting, i, c->next, hit))
      return false;
    c->next = hit + 1;
    waiting = i;
  }
  if (!checks)
    fprintf(c->report, "  no CHECK in this file\n");
  return checks && check_absent(c, file, waiting, file->count, c->next, c->output->count);
}

/* ---- running --------------------------------------------------------------------------------- */

/* Replaces "%s", "%t" and "%S" in a RUN line. */
static void put_command(FILE *out, const char *line, const char *path, const char *temporary) {
  const char *slash = strrchr(path, '/');
  for (; *line; line++) {
    if (line[0] == '%' && line[1] == 's')
      fprintf(out, "'%s'", path), line++;
    else if (line[0] == '%' && line[1] == 'S')
      fprintf(out, "'%.*s'", slash ? (int)(slash - path) : 1, slash ? path : "."), line++;
    else if (line[0] == '%' && line[1] == 't')
      fprintf(out, "%s", temporary), line++;
    else
      fputc(*line, out);
  }
}

/* The shell command of a file's RUN lines, or NULL. */
static char *golden_command(const Text *file, const char *path, const char *temporary) {
  char *command = NULL, *rest;
  size_t size;
  FILE *out = NULL;
  for (size_t i = 0; i < file->count; i++) {
    if (!(rest = after_key(file->line[i], "RUN:")))
      continue;
    if (out)
      fputs(" && ", out);
    else
      out = open_memstream(&command, &size);
    put_command(out, rest, path, temporary);
  }
  if (out)
    fclose(out);
  return command;
}

/* Runs a shell command without standard input, returns its output and sets *status. */
static char *run_shell(const char *command, int *status) {
  char *full = formatted("{ %s\n} </dev/null%s", command, "");
  FILE *pipe = popen(full, "r");
  if (!pipe)
    fail(full, strerror(errno));
  char *output = read_all(pipe);
  int code = pclose(pipe);
  *status = WIFEXITED(code) ? WEXITSTATUS(code) : 128;
  free(full);
  return output;
}

/* Does standard error contain what the file expects of a build with older headers? */
static bool is_older(const Text *file, const char *errors, const char *path) {
  bool older = false;
  for (size_t i = 0; i < file->count && !older; i++) {
    const char *text = after_key(file->line[i], "OLDER: ");
    older = text && strstr(errors, text);
    if (older)
      printf("%s: not checked further: %s\n", path, text);
  }
  return older;
}

static bool run_golden(const char *path, const char *temporary, FILE *report) {
  char *source = read_file(path);
  Text file = split(source, true);
  char *command = golden_command(&file, path, temporary);
  bool passed = false;
  if (!command) {
    fprintf(report, "  no RUN in this file\n");
  } else {
    int status;
    char *errors = formatted("%s.err", temporary, ""),
         *with_errors = formatted("{ %s\n} 2>%s", command, errors);
    char *text = run_shell(with_errors, &status);
    Text output = split(text, true);
    Checker checker = {.output = &output, .report = report};
    char *message = read_file(errors);
    if (status)
      fprintf(report, "  exit code %d of:%s\n  %s", status, command, message);
    else
      passed = is_older(&file, message, path) || run_checks(&checker, &file);
    free(message);
    for (size_t i = 0; i < checker.variable_count; i++)
      free(checker.variables[i].value);
    free(checker.variables);
    free(output.line);
    free(text);
    free(with_errors);
    free(errors);
  }
  free(command);
  free(file.line);
  free(source);
  return passed;
}

/* ---- bad input ------------------------------------------------------------------------------- */

static void write_hex_token(FILE *out, const char *token, const char *path) {
  char *end;
  unsigned long value = strtoul(token, &end, 16);
  size_t digits = (size_t)(end - token);
  if (*end || (digits != 2 && digits != 8))
    fail(path, "a token is not of two or eight hex digits");
  for (size_t i = 0; i < digits / 2; i++)
    fputc((int)(value >> 8 * i & 255), out);
}

/* Writes the bytes that a .hex file describes. */
static void write_hex(char *source, const char *path, const char *to) {
  FILE *out = fopen(to, "w");
  if (!out)
    fail(to, strerror(errno));
  for (char *line; (line = strsep(&source, "\n"));) {
    line[strcspn(line, ";")] = 0;
    for (char *token; (token = strsep(&line, " \t"));)
      if (*token)
        write_hex_token(out, token, path);
  }
  fclose(out);
}

static bool is_hex(const char *path) {
  size_t n = strlen(path);
  return n > 4 && strcmp(path + n - 4, ".hex") == 0;
}

/* What is wrong with the answer to a bad file, or NULL. */
static const char *bad_answer(const char *answer, const char *wanted, int status, int wanted_status,
                              const char *result) {
  const char *newline = strchr(answer, '\n');
  if (status != wanted_status)
    return "another exit code";
  if (!newline || newline[1])
    return "not exactly one line on standard error";
  if (!strstr(answer, wanted))
    return "another message";
  if (strncmp(answer, "spvreconv: ", 11))
    return "a message without the tool's name in front";
  if (access(result, F_OK) == 0)
    return "an output file was left";
  return NULL;
}

static bool run_bad(const char *path, const char *temporary, FILE *report) {
  char *source = read_file(path), *copy = strdup(source);
  Text file = split(source, false);
  const char *wanted = NULL, *arguments = "";
  int wanted_status = 1, status;
  for (size_t i = 0; i < file.count; i++) {
    char *rest;
    if ((rest = after_key(file.line[i], "ERROR:")))
      wanted = squeeze(rest);
    else if ((rest = after_key(file.line[i], "ARGS:")))
      arguments = rest;
    else if ((rest = after_key(file.line[i], "STATUS:")))
      wanted_status = atoi(rest);
  }
  char *input = is_hex(path) ? formatted("%s.spv%s", temporary, "") : strdup(path);
  if (is_hex(path))
    write_hex(copy, path, input);
  char *result = formatted("%s.out.spv%s", temporary, "");
  char *tail = formatted("'%s' -o %s 2>&1 >/dev/null", input, result);
  char *command = formatted("spvreconv %s %s", arguments, tail);
  unlink(result);
  char *answer = run_shell(command, &status);
  const char *wrong =
      wanted ? bad_answer(answer, wanted, status, wanted_status, result) : "no ERROR in this file";
  if (wrong)
    fprintf(report, "  %s; exit code %d, wanted %d: %s\n  %s\n", wrong, status, wanted_status,
            wanted ? wanted : "", answer);
  free(answer);
  free(command);
  free(tail);
  free(result);
  free(input);
  free(file.line);
  free(copy);
  free(source);
  return !wrong;
}

/* ---- cases ----------------------------------------------------------------------------------- */

static bool ends_with(const char *name, const char *end) {
  size_t n = strlen(name), m = strlen(end);
  return n >= m && strcmp(name + n - m, end) == 0;
}

/* Adds a file, or the case files of a folder and of those in it. */
static void add_cases(Names *cases, const char *path) {
  struct stat info;
  if (stat(path, &info))
    fail(path, strerror(errno));
  if (!S_ISDIR(info.st_mode)) {
    names_add(cases, strdup(path));
    return;
  }
  struct dirent **entries;
  int count = scandir(path, &entries, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    const char *name = entries[i]->d_name;
    char *full = formatted("%s/%s", path, name);
    bool folder = entries[i]->d_type == DT_DIR && name[0] != '.';
    if (folder || ends_with(name, ".spvasm") || ends_with(name, ".hex"))
      add_cases(cases, full);
    free(full);
    free(entries[i]);
  }
  if (count >= 0)
    free(entries);
}

/* A case of tests/bad is one whose text contains ERROR: and not RUN:. */
static bool is_bad_case(const char *path) {
  char *source = read_file(path);
  bool bad = is_hex(path) || (strstr(source, "ERROR:") && !strstr(source, "RUN:"));
  free(source);
  return bad;
}

static bool run_case(const char *path, const char *temporary) {
  char *text;
  size_t size;
  FILE *report = open_memstream(&text, &size);
  fprintf(report, "FAILED %s\n", path);
  bool passed =
      is_bad_case(path) ? run_bad(path, temporary, report) : run_golden(path, temporary, report);
  fclose(report);
  if (!passed && write(STDOUT_FILENO, text, size) < 0)
    fail("standard output", strerror(errno));
  free(text);
  return passed;
}

/* One of `jobs` processes: runs every jobs-th case, writes a byte for each to `results`. */
static void work(const Names *cases, size_t first, size_t jobs, const char *folder, int results) {
  for (size_t i = first; i < cases->count; i += jobs) {
    char number[32];
    snprintf(number, sizeof number, "%zu", i);
    char *temporary = formatted("%s/%s", folder, number);
    char byte = run_case(cases->at[i], temporary);
    if (write(results, &byte, 1) != 1)
      _exit(2);
    free(temporary);
  }
  _exit(0);
}

static void remove_folder(const char *folder) {
  struct dirent **entries;
  int count = scandir(folder, &entries, NULL, NULL);
  for (int i = 0; i < count; i++) {
    char *full = formatted("%s/%s", folder, entries[i]->d_name);
    unlink(full);
    free(full);
    free(entries[i]);
  }
  if (count >= 0)
    free(entries);
  rmdir(folder);
}

static size_t run_cases(const Names *cases, size_t jobs, const char *folder) {
  int results[2];
  if (pipe(results))
    fail("pipe", strerror(errno));
  for (size_t i = 0; i < jobs; i++) {
    pid_t child = fork();
    if (child < 0)
      fail("fork", strerror(errno));
    if (child == 0)
      work(cases, i, jobs, folder, results[1]);
  }
  close(results[1]);
  size_t passed = 0;
  for (char byte; read(results[0], &byte, 1) == 1;)
    passed += byte == 1;
  while (wait(NULL) > 0)
    continue;
  close(results[0]);
  return passed;
}

/* Adds spvreconv's folder to PATH, so that the shell finds the programs there by name. */
static void put_on_path(const char *tool) {
  char *absolute = realpath(tool, NULL);
  if (!absolute)
    fail(tool, strerror(errno));
  *strrchr(absolute, '/') = 0;
  const char *old = getenv("PATH");
  char *path = formatted("%s:%s", absolute, old ? old : "/usr/bin:/bin");
  setenv("PATH", path, 1);
  free(path);
  free(absolute);
}

int main(int argc, char **argv) {
  Names cases = {0};
  size_t jobs = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
  const char *tool = NULL;
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--jobs=", 7) == 0)
      jobs = strtoul(argv[i] + 7, NULL, 10);
    else if (!tool)
      put_on_path(tool = argv[i]);
    else
      add_cases(&cases, argv[i]);
  }
  if (jobs < 1 || cases.count < 1)
    fail("usage", "golden_runner [--jobs=N] SPVRECONV FILE|FOLDER…");
  char folder[] = "/tmp/golden-XXXXXX";
  if (!mkdtemp(folder))
    fail(folder, strerror(errno));
  size_t passed = run_cases(&cases, jobs, folder), total = cases.count;
  remove_folder(folder);
  for (size_t i = 0; i < total; i++)
    free(cases.at[i]);
  free(cases.at);
  printf("%zu passed, %zu failed\n", passed, total - passed);
  return passed == total ? 0 : 1;
}
