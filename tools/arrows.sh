#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compares the dependencies between folders and files ("arrows") with tools/arrows.txt: an arrow that the
# table does not allow, a cycle of files, or a folder that the table does not name is an error. So is a name
# with two meanings: an include guard of two headers, a header's type that another file defines too, or a file
# name in two folders. An include of ours names the path from the repository's root.
#
#   tools/arrows.sh TREE [BUILD]
#
# A file uses what it includes. With BUILD, a build folder of TREE, it also uses what its object file
# refers to, because a header may declare functions of several files.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tree=$(cd "$1" && pwd)
build=${2:+$(cd "$2" && pwd)}

list_includes() {
  (cd "$tree" && find passes spv-emu spv-graph harness -type f -name '*.[ch]' -o -name '*.def' -o -name '*.inc' |
    sort | sed 's/^/file /')
  (cd "$tree" && grep -rE '^ *# *include ["<]' --include='*.[ch]' --include='*.def' --include='*.inc' \
    passes spv-emu spv-graph harness | sed -E 's/^([^:]*): *# *include "([^"]*)".*/include \1 \2 quoted/; s/^([^:]*): *# *include <([^>]*)>.*/include \1 \2 system/')
}

# The include guard of each header, and the types that each file defines
list_names() {
  # shellcheck disable=SC2016 # awk's
  (cd "$tree" && find passes spv-emu spv-graph harness -type f -name '*.[ch]' | sort | xargs awk '
    function name(text) { print "type", FILENAME, text }
    FNR == 1 { guarded = FILENAME !~ /\.h$/ }
    !guarded && $1 == "#ifndef" { print "guard", FILENAME, $2; guarded = 1 }
    /^(typedef )?(struct|enum|union) [A-Za-z0-9_]+ \{/ { name($1 == "typedef" ? $3 : $2) }
    /^} [A-Za-z0-9_]+;/ { name(substr($2, 1, length($2) - 1)) }
    /^typedef / && !/\{/ && $3 ";" != $4 { # of a function type, the name is before its parameters
      if (match($0, /[A-Za-z0-9_]+;$/)) name(substr($0, RSTART, RLENGTH - 1))
      else if (match($0, /\(\*[A-Za-z0-9_]+\)/)) name(substr($0, RSTART + 2, RLENGTH - 3))
      else if (match($0, /[A-Za-z0-9_]+\(/)) name(substr($0, RSTART, RLENGTH - 1))
    }')
}

# nm's lines `OBJECT: ADDRESS TYPE NAME`, of the objects below CMakeFiles/TARGET.dir/
list_symbols() {
  (cd "$build" && find . -name '*.c.o' -path '*.dir/*' -print0 | sort -z |
    xargs -0 nm -A --format=posix | sed -E 's|^[^:]*\.dir/||' |
    awk -v tree="$tree/" '
      # An object whose source has moved is left over from before.
      function is_left_over(source) {
        if (!(source in gone)) gone[source] = (getline line < (tree source)) < 0
        close(tree source)
        return gone[source]
      }
      { sub(/\.c\.o:$/, ".c", $1) }
      is_left_over($1) { next }
      $1 ~ /^(passes|spv-emu|spv-graph|harness)\// { if ($3 !~ /^[a-z]$/) print $3 == "U" ? "uses" : "defines", $1, $2 }' |
    grep -v ' spv_\?\(reconv\|emu\)_') || true
}

{
  list_includes
  list_names
  [ -z "$build" ] || list_symbols
} | awk -f "$here/arrows.awk" "$here/arrows.txt" -
