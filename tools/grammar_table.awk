# SPDX-License-Identifier: Apache-2.0
# Writes SPIRV-Headers' machine-readable grammar as the tables of passes/ir/grammar.c.
#
#   awk -f grammar_table.awk KINDS_H KINDS_DEF CORE [SET=FILE...]
#
# KINDS_H and KINDS_DEF are passes/ir/grammar_kind.h and .def, CORE is spirv.core.grammar.json. SET is the name that
# OpExtInstImport gives an extended instruction set, FILE its extinst.*.grammar.json; cmake/grammar.cmake finds the files.
# A script, so that a build for another machine makes the table, too.
#
# A JSON file becomes strings in `json`, each under the path to it: json[3, "instructions", 0, "opname"] of file 3;
# an array's path has its length.

function fail(text) {
  print "grammar_table: " text >"/dev/stderr"
  failed = 1
  exit 1
}

# The next token of the text of a file, which `rest` holds.
function token(  word) {
  sub(/^[ \t\r\n]+/, "", rest)
  if (!match(rest, /^("([^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|true|false|null|[][{}:,])/))
    fail(path ": not JSON: " substr(rest, 1, 40))
  word = substr(rest, 1, RLENGTH)
  rest = substr(rest, RLENGTH + 1)
  return word
}

# Reads lines until `rest` has more than white space.
function fill(  line) {
  while (rest ~ /^[ \t\r\n]*$/ && (getline line <path) > 0)
    rest = line
  return rest !~ /^[ \t\r\n]*$/
}

# Reads the file into json[number, ...].
function load(number,  word, depth, key, place, is_array, expects_key) {
  rest = ""
  depth = 0
  if ((getline rest <path) <= 0)
    fail(path ": cannot be read")
  while (fill()) {
    word = token()
    if (word == "{" || word == "[") {
      # the element of an array has its position as its key
      if (depth && is_array[depth])
        key = json[place[depth]]++
      place[depth + 1] = depth ? place[depth] SUBSEP key : number
      depth++
      is_array[depth] = word == "["
      if (is_array[depth])
        json[place[depth]] = 0
      expects_key = !is_array[depth]
    } else if (word == "}" || word == "]") {
      depth--
      expects_key = 0
    } else if (word == ",") {
      expects_key = !is_array[depth]
    } else if (word != ":") {
      if (word ~ /^"/)
        word = substr(word, 2, length(word) - 2)
      if (expects_key) {
        key = word
        expects_key = 0
      } else {
        if (is_array[depth])
          key = json[place[depth]]++
        json[place[depth], key] = word
      }
    }
  }
  close(path)
  if (depth)
    fail(path ": ends too early")
}

function text_of(at, key) {
  if (!((at, key) in json))
    fail("an object lacks " key)
  return json[at, key]
}

# A number, which may be written "0x0001".
function number_of(text,  value, i) {
  if (text !~ /^0[xX]/)
    return text + 0
  value = 0
  for (i = 3; i <= length(text); i++)
    value = value * 16 + index("0123456789abcdef", tolower(substr(text, i, 1))) - 1
  return value
}

# ---- kinds ----

function kind_of(name) {
  if (!(name in kind)) {
    kind[name] = kind_count
    kind_name[kind_count++] = name
  }
  return kind[name]
}

# The kinds that need code of their own come first, in the order of the list; the bits of a code are in the header.
function read_kinds(header, list,  line, part) {
  while ((getline line <header) > 0)
    for (; match(line, /SR_OPERAND_[A-Z]+ = 0x[0-9a-f]+/); line = substr(line, RSTART + RLENGTH)) {
      split(substr(line, RSTART, RLENGTH), part, / = /)
      bits[part[1]] = number_of(part[2])
    }
  while ((getline line <list) > 0)
    if (line ~ /^KIND\(/)
      kind_of(substr(line, 6, index(line, ")") - 6))
  plain = kind_count
  if (!plain || !("SR_OPERAND_MANY" in bits) || !("SR_OPERAND_OPTIONAL" in bits))
    fail(header " and " list ": no kinds")
}

# Literals that are one word whatever they mean, and enumerations.
function add_kinds(root,  i, at, category, k) {
  for (i = 0; i < json[root, "operand_kinds"]; i++) {
    at = root SUBSEP "operand_kinds" SUBSEP i
    category = text_of(at, "category")
    k = kind_of(text_of(at, "kind"))
    if (k < plain)
      continue
    if (category != "BitEnum" && category != "ValueEnum")
      fail("operand kind " kind_name[k] " of category " category " is new")
    mask[k] = category == "BitEnum"
    enumerants[k] = at SUBSEP "enumerants"
  }
}

# ---- lists of operands ----

# Where the operands begin in `lists`; the list ends with a 0.
function add_list(operands,  i, at, code, start) {
  if (json[operands] == 0)
    return 0
  start = list_end
  for (i = 0; i < json[operands]; i++) {
    at = operands SUBSEP i
    code = kind_of(text_of(at, "kind")) + 1
    if ((at, "quantifier") in json)
      code += bits[json[at, "quantifier"] == "*" ? "SR_OPERAND_MANY" : "SR_OPERAND_OPTIONAL"]
    lists[list_end++] = code
  }
  lists[list_end++] = 0
  return start
}

# Makes rows in ascending order, one per number: of aliases, which have the same operands, the first. Returns how many.
function make_rows(array, name, number, operands,  i, k, n, at, value, list, last) {
  n = 0
  for (i = 0; i < json[array]; i++) {
    at = array SUBSEP i
    value = number_of(text_of(at, number))
    list = add_list(at SUBSEP operands)
    for (k = n; k > 0 && row_value[k - 1] > value; k--)
      ;
    if (k > 0 && row_value[k - 1] == value)
      continue
    at = text_of(at, name)
    for (last = n++; last > k; last--) {
      row_value[last] = row_value[last - 1]
      row_list[last] = row_list[last - 1]
      row_name[last] = row_name[last - 1]
    }
    row_value[k] = value
    row_list[k] = list
    row_name[k] = at
  }
  return n
}

# ---- output ----

function write_instructions(array, root,  n, i) {
  n = make_rows(root SUBSEP "instructions", "opname", "opcode", "operands")
  print "static const SrInstructionRow " array "[] = {"
  for (i = 0; i < n; i++) {
    sub(/^Op/, "", row_name[i])
    printf "  {%d, %d, \"%s\"},\n", row_value[i], row_list[i], row_name[i]
  }
  print "};"
}

function write_kinds(  k, n, i, first, rows) {
  print "static const SrEnumerantRow enumerants[] = {"
  for (k = plain; k < kind_count; k++) {
    n = make_rows(enumerants[k], "enumerant", "value", "parameters")
    for (i = 0; i < n; i++)
      printf "  {%.0f, %d}, /* %s %s */\n", row_value[i], row_list[i], kind_name[k], row_name[i]
    rows[k] = n
  }
  print "};\nstatic const SrKindRow kinds[] = {"
  for (k = plain; k < kind_count; k++) {
    printf "  {%d, %d, %d}, /* %s */\n", first, rows[k], mask[k], kind_name[k]
    first += rows[k]
  }
  print "};"
}

function write_lists(  i) {
  printf "static const uint16_t lists[] = {"
  for (i = 0; i < list_end; i++)
    printf "%s%d,", i % 16 ? " " : "\n  ", lists[i]
  print "\n};"
}

BEGIN {
  if (ARGC < 4)
    fail("usage: awk -f grammar_table.awk KINDS_H KINDS_DEF CORE [SET=FILE...]")
  list_end = 1 # the list at 0 is the empty one
  lists[0] = 0
  read_kinds(ARGV[1], ARGV[2])
  path = ARGV[3]
  load(3)
  print "/* Made by tools/grammar_table.awk from version " json[3, "major_version"] "." json[3, "minor_version"] \
    ", revision " json[3, "revision"] ". */"
  add_kinds(3)
  write_instructions("core", 3)
  for (f = 4; f < ARGC; f++) {
    path = substr(ARGV[f], index(ARGV[f], "=") + 1)
    load(f)
    add_kinds(f)
    write_instructions("set_" (f - 4), f)
  }
  print "static const SrSetRow sets[] = {"
  for (f = 4; f < ARGC; f++)
    printf "  {\"%s\", set_%d, sizeof set_%d / sizeof *set_%d},\n", substr(ARGV[f], 1, index(ARGV[f], "=") - 1), f - 4, f - 4, f - 4
  print "};"
  write_kinds()
  write_lists()
  exit failed
}
