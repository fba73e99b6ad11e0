#!/bin/sh
# Static analysis of every C file of passes/, spv-emu/ and harness/: clang-tidy by .clang-tidy and tools/clang-tidy.txt,
# cppcheck by tools/cppcheck.txt. Prints the findings and how many there are; any finding fails.
#
#   tools/lint.sh BUILD [PATTERN]    only the files whose names match the extended regular expression
#
# BUILD is configured with clang, so that its options are ones that clang-tidy knows, and with assertions,
# from which the analysers learn what cannot be. It need not be compiled.
set -eu
cd "$(dirname "$0")/.."
out=$1/lint
mkdir -p "$out"

# Each source once, though some are compiled for several instruction sets.
jq --arg root "$PWD/" --arg pattern "${2-.}" '
  unique_by(.file)
  | map(select((.file | ltrimstr($root)) | test("^(passes|spv-emu|harness)/") and test($pattern)))' \
  "$1/compile_commands.json" >"$out/compile_commands.json"
files=$(jq length "$out/compile_commands.json")

jq -r '.[].file' "$out/compile_commands.json" |
  xargs -P "$(nproc)" -n 1 clang-tidy -p "$out" --quiet >"$out/clang-tidy.txt" 2>"$out/clang-tidy.err" || true
cppcheck --project="$out/compile_commands.json" -j "$(nproc)" --quiet \
  --enable=warning,performance,portability,style --inline-suppr --suppressions-list=tools/cppcheck.txt \
  --template='{file}:{line}: {message} [{id}]' --output-file="$out/cppcheck.txt"

# clang-tidy has no list of its own for what is said of one file only.
tidy() {
  awk 'NR == FNR { sub(/#.*/, ""); if (NF) known[$1]; next }
       { file = $1; sub(/:.*/, "", file); check = $NF; gsub(/[][]|,.*/, "", check) }
       !(check ":" file in known)' tools/clang-tidy.txt -
}

# A header's findings come once for each source that includes it.
findings=0
for tool in clang-tidy cppcheck; do
  sed "s|^$PWD/||" "$out/$tool.txt" | grep -E '^[^ ]+: .*\[[a-zA-Z][A-Za-z.,0-9-]*\]$' | sort -u |
    if [ $tool = clang-tidy ]; then tidy; else cat; fi >"$out/$tool.found"
  cat "$out/$tool.found"
  count=$(wc -l <"$out/$tool.found")
  echo "$tool: $count findings in $files files"
  findings=$((findings + count))
done
[ "$findings" -eq 0 ]
