#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Static analysis of every C file of passes/, spv-emu/, spv-graph/ and harness/: clang-tidy by .clang-tidy and tools/clang-tidy.txt,
# cppcheck by tools/cppcheck.txt. Prints the findings and how many there are; any finding fails.
#
#   tools/lint.sh BUILD [PATTERN]    only the files whose names match the extended regular expression
#
# BUILD is configured with clang, so that clang-tidy knows its options, and with assertions, which tell the
# analysers what cannot happen. It need not be compiled. The output of clang-tidy for a source is
# cached in BUILD/lint/said, under a hash of the preprocessed source and the checks: it runs again only if
# one of them changes.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1/lint/said"
out=$(cd "$1/lint" && pwd)
pattern=${2-.}

# Each source once, although some are compiled for several instruction sets.
jq --arg root "$PWD/" --arg pattern "$pattern" '
  unique_by(.file)
  | map(select((.file | ltrimstr($root)) | test("^(passes|spv-emu|spv-graph|harness)/") and test($pattern)))' \
  "$1/compile_commands.json" >"$out/compile_commands.json"
files=$(jq length "$out/compile_commands.json")

# ---- clang-tidy ----

# OUT VERSION SOURCE COMMAND: the output of clang-tidy for the source
# shellcheck disable=SC2016 # for the shells that xargs starts
ask='
  key=$({ cat .clang-tidy; echo "$2"; (cd "$1" && eval "$4 -E -o -"); } | sha256sum | cut -c 1-32)
  if [ ! -e "$1/said/$key" ]; then
    clang-tidy -p "$1" --quiet "$3" >"$1/said/$key.$$" 2>"$1/said/$key.$$.err" || { cat "$1/said/$key.$$.err"; exit 1; }
    rm "$1/said/$key.$$.err"
    mv "$1/said/$key.$$" "$1/said/$key"
  fi
  echo "$1/said/$key"'
jq -j '.[] | .file, "\u0000", .command, "\u0000"' "$out/compile_commands.json" |
  xargs -0 -P "$(nproc)" -n 2 sh -c "$ask" sh "$out" "$(clang-tidy --version)" >"$out/said.list" ||
  { grep -v "^$out/said/" "$out/said.list"; exit 1; }

# Drops the findings that tools/clang-tidy.txt lists; a finding is followed by its line of source, and its
# message may have several lines. The findings of a header appear once for each source that includes it.
xargs cat <"$out/said.list" | sed "s|^$PWD/||" | awk -v whole="$([ "$pattern" = . ] && echo 1)" '
  function known(finding, source,   check, i) {
    check = finding
    sub(/.*\[/, "", check)
    sub(/[],].*/, "", check)
    for (i = 1; i <= entries; i++)
      if (check == of[i] && (index(finding, text[i]) || index(source, text[i])))
        return met[i] = 1
    return 0
  }
  NR == FNR && !/^#/ && NF { at = index($0, ":"); of[++entries] = substr($0, 1, at - 1); text[entries] = substr($0, at + 1) }
  NR == FNR { next }
  /^[^ ]+:[0-9]+:[0-9]+: (warning|error): / {
    finding = $0
    while (finding !~ /\[[a-zA-Z][a-zA-Z.,0-9+-]*\]$/ && (getline line) > 0)
      finding = finding " " line
    getline source
    if (!known(finding, source))
      print finding
  }
  END {
    for (i = 1; whole && i <= entries; i++)
      if (!met[i])
        print "tools/clang-tidy.txt: nothing matches " of[i] ":" text[i]
  }' tools/clang-tidy.txt - | sort -u >"$out/clang-tidy.found"

# ---- cppcheck ----

cppcheck --project="$out/compile_commands.json" -j "$(nproc)" --quiet \
  --enable=warning,performance,portability,style --inline-suppr --suppressions-list=tools/cppcheck.txt \
  --template='{file}:{line}: {message} [{id}]' --output-file="$out/cppcheck.txt"
sed "s|^$PWD/||" "$out/cppcheck.txt" | sort -u >"$out/cppcheck.found"

findings=0
for tool in clang-tidy cppcheck; do
  cat "$out/$tool.found"
  count=$(wc -l <"$out/$tool.found")
  echo "$tool: $count findings in $files files"
  findings=$((findings + count))
done
[ "$findings" -eq 0 ]
