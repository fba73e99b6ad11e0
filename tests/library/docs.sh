#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the commands of docs/integration.md and docs/tutorial.md in a folder with the files of examples/pipeline and
# examples/tutorial, and compares their output with the documents. A command is a line "    $ …" with its
# continuation lines (after a backslash, or up to "done"); its output is the indented lines below. Of other pages only the
# blocks after a line "<!-- run -->" are run, in the same folder, which has shaders/, tests/ and tools/, too.
# The documents have the output of Debian 12: SPIRV-Tools 2023.1, its glslang, clang-15. Another SPIRV-Tools
# optimizes differently: of docs/integration.md it gives the words, with other numbers; the tutorial, whose
# error it does not have, is run, but not compared; nor is it without clang-15 and llvm-spirv-15.
# Usage: docs.sh BUILD-DIRECTORY [--update]   --update: on Debian 12, write the output into the documents
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/run"
cp examples/pipeline/* examples/tutorial/* "$work/run"
ln -s "$PWD/shaders" "$PWD/tests" "$PWD/tools" "$PWD/examples/capture" "$work/run"
PATH=$(realpath "$1")/bin:$PATH
export PATH ASAN_OPTIONS=detect_leaks=0
unset SPVRECONV_CHECK # a note would say that kernel-to-shader cannot be checked

# If the packages that compile words.cl are not installed, words.spv is assembled from the stored disassembly.
has_clang=
if command -v clang-15 >/dev/null && command -v llvm-spirv-15 >/dev/null; then
  has_clang=yes
else
  echo "skipped clang-15 and llvm-spirv-15, which are not installed: words.spv is assembled"
  spirv-as --preserve-numeric-ids --target-env spv1.0 examples/pipeline/words.spvasm -o "$work/run/words.spv"
fi

# print_output COMMAND
print_output() {
  case $1 in
  clang-15* | llvm-spirv-15*) [ -n "$has_clang" ] || return 0 ;;
  esac
  (cd "$work/run" && bash -c "$1" 2>&1) | sed 's/^/    /'
}

whole() {
  case $1 in
  *[\\]) return 1 ;;
  for*done | [!f]* | f[!o]*) return 0 ;;
  *) return 1 ;;
  esac
}

# now DOC [marked]: writes the document with what its commands print, or only those of marked blocks, to $work/now.md; sets
# $commands
now() {
  commands=0
  command=
  printed= # these lines are what a command prints
  run=${2:-yes}
  while IFS= read -r line; do
    case $line in
    '<!-- run -->') run=yes ;;
    '' | '    '*) ;;
    *) run=${2:-yes} ;;
    esac
    if [ -n "$command" ]; then
      command+=$'\n'$line
    elif [[ $run == yes && $line == '    $ '* ]]; then
      command=${line#'    $ '}
    else
      [[ $line == '    '* ]] || printed=
      [ -n "$printed" ] || printf '%s\n' "$line"
      continue
    fi
    printf '%s\n' "$line"
    if whole "$command"; then
      print_output "$command"
      commands=$((commands + 1))
      command=
      printed=yes
    fi
  done <"$1" >"$work/now.md"
}

# enough LEAST DOC
enough() {
  [ "$commands" -ge "$1" ] || {
    echo "FAILED: only $commands commands in $2"
    exit 1
  }
}

version=$(spirv-val --version | sed -n '1s/.* v\([0-9.]*\).*/\1/p')

# differs DOC
differs() {
  echo "FAILED: < is in $1, > is printed; on Debian 12 --update writes it"
  exit 1
}

# words FILE: without numbers, and without the width that they give to columns
words() {
  sed -E 's/[0-9]+(\.[0-9]+)*/N/g; s/N violation /N violations /; s/lists it$/lists them/; s/ +/ /g' "$1"
}

doc=docs/tutorial.md
now "$doc"
enough 49 "$doc"
if [ "$version" != 2023.1 ] || [ -z "$has_clang" ]; then
  echo "$doc: run, but not compared with what SPIRV-Tools 2023.1, its glslang and clang-15 give"
elif [ "${2-}" = --update ]; then
  cp "$work/now.md" "$doc"
else
  diff "$doc" "$work/now.md" || differs "$doc"
fi
doc=docs/integration.md
now "$doc"
enough 16 "$doc"
if [ "$version" != 2023.1 ]; then
  echo "SPIRV-Tools $version: $doc is compared without its numbers"
  diff <(words "$doc") <(words "$work/now.md") || differs "$doc"
elif [ "${2-}" = --update ]; then
  cp "$work/now.md" "$doc"
else
  diff "$doc" "$work/now.md" || differs "$doc"
fi
all=$commands
marked=$(grep -lx -e '<!-- run -->' docs/*.md)
for doc in $marked; do
  now "$doc" marked
  enough 1 "$doc"
  all=$((all + commands))
  if [ "$version" != 2023.1 ] && [ "$doc" = docs/debugger.md ]; then
    echo "$doc: run, but not compared: its steps are the instructions that Debian 12's glslang writes"
  elif [ "$version" != 2023.1 ]; then
    diff <(words "$doc") <(words "$work/now.md") || differs "$doc"
  elif [ "${2-}" = --update ]; then
    cp "$work/now.md" "$doc"
  else
    diff "$doc" "$work/now.md" || differs "$doc"
  fi
done
if [ -n "$has_clang" ]; then
  spirv-dis --raw-id "$work/run/words.spv" | diff examples/pipeline/words.spvasm - || {
    echo "FAILED: examples/pipeline/words.spvasm is not the result of compiling words.cl"
    exit 1
  }
fi
echo "ok: $all commands, and those of the tutorial"
