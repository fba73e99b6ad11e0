#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs a program under the Vulkan layer, which captures dispatches as cases; see usage below. CMake writes it, with
# the version, as the command spvreconv-capture.
set -eu

usage() {
  cat <<'END'
Usage: spvreconv-capture [OPTION...] -o DIR PROGRAM [ARGUMENT...]

Runs PROGRAM, and writes dispatches and draws of it, with their data, as cases
to DIR: AmberScript files for spv-harness and spv-emu. DIR/INDEX.md says what
was captured, and what was not and why.

  -o, --output=DIR     the folder of the cases
  --dispatch=WHICH     what to capture (without it: the first dispatch of each
                       pipeline):
                         N          the dispatch of that number, from 0
                         HASH       the first dispatch of each pipeline whose
                                    module has this hash, or beginning of one
                         NAME       the first dispatch of each pipeline with
                                    this entry point or name; a shell pattern
                         slowest    the dispatch that took longest
                         all        each dispatch
  --all                the same as --dispatch=all, and no limit: for
                       spv-emu --frame=DIR
  --frame=N            each dispatch and draw of frame N, and no limit; frames,
                       from 0, end when the program presents them
  --limit=N            capture at most N dispatches (100)
  --max-bytes=N        memory for copies of contents (1073741824)
  -h, --help           print the options, and exit
  --version            print the version and the licence, and exit

Example:
  spvreconv-capture --dispatch=slowest -o slow ./program
  spv-emu --report=page.html slow/dispatch-*.amber

Exit status: that of PROGRAM; 1 nothing was captured; 2 wrong usage.
END
}

version() {
  echo "spvreconv-capture @PROJECT_VERSION@"
  echo "Apache-2.0, without warranty; https://www.apache.org/licenses/LICENSE-2.0"
}

# wrong WHAT
wrong() {
  echo "spvreconv-capture: $*; --help prints the options" >&2
  exit 2
}

output='' which='' all='' limit='' bytes=''
while [ $# -gt 0 ]; do
  case $1 in
  -o)
    [ $# -gt 1 ] || wrong "-o needs a folder"
    output=$2
    shift
    ;;
  --output=?*) output=${1#*=} ;;
  --dispatch=?*) which=${1#*=} ;;
  --all) which=all all=yes ;;
  --frame=[0-9]*) which=frame=${1#*=} all=yes ;;
  --limit=[1-9]*) limit=${1#*=} ;;
  --max-bytes=[1-9]*) bytes=${1#*=} ;;
  -h | --help) usage && exit ;;
  --version) version && exit ;;
  --) shift && break ;;
  -*) wrong "unknown option, or one without its value: $1" ;;
  *) break ;;
  esac
  shift
done
[ -n "$output" ] || wrong "no folder: -o DIR"
[ $# -gt 0 ] || wrong "no PROGRAM"
case $limit$bytes in *[!0-9]*) wrong "--limit=$limit --max-bytes=$bytes: these are numbers" ;; esac
case $which in frame=*[!0-9]*) wrong "--frame=${which#*=}: this is a number" ;; esac
case $which in *:*) wrong "--dispatch=$which: no number, hash or name has a colon" ;; esac
[ -z "$all" ] || limit=${limit:-100000000}
command -v "$1" >/dev/null || {
  echo "spvreconv-capture: $1: no such command" >&2
  exit 1
}

# The layer of the build tree, or of the prefix, that this command is in; an installed one is found without.
case ${VK_INSTANCE_LAYERS:-} in
*VK_LAYER_SPVRECONV_pipeline*) ;;
*) export VK_INSTANCE_LAYERS="VK_LAYER_SPVRECONV_pipeline${VK_INSTANCE_LAYERS:+:$VK_INSTANCE_LAYERS}" ;;
esac
here=$(dirname "$(command -v -- "$0")")
if manifests=$(cd "$here/../share/vulkan/explicit_layer.d" 2>/dev/null && pwd); then
  # The loader ignores VK_ADD_LAYER_PATH if VK_LAYER_PATH is set.
  export VK_ADD_LAYER_PATH="$manifests${VK_ADD_LAYER_PATH:+:$VK_ADD_LAYER_PATH}"
fi

# The program may change its folder. An index of an earlier run would look like one of this run.
mkdir -p "$output" 2>/dev/null || true
index=$output/INDEX.md
output=$(cd "$output" 2>/dev/null && pwd) || {
  echo "spvreconv-capture: $output: the folder cannot be made" >&2
  exit 1
}
rm -f "$output/INDEX.md"
export SPVRECONV_CAPTURE="$output:$which"
[ -z "$limit" ] || export SPVRECONV_CAPTURE_LIMIT="$limit"
[ -z "$bytes" ] || export SPVRECONV_CAPTURE_MAX_BYTES="$bytes"
export SPVRECONV_TRANSFORM="${SPVRECONV_TRANSFORM:-none}"

code=0
"$@" || code=$?
if [ ! -e "$output/INDEX.md" ]; then
  echo "spvreconv-capture: $1 made no Vulkan device, the layer was not found, or $output cannot be written" >&2
  [ "$code" -ne 0 ] || code=1
elif grep -q '^Nothing\.$' "$output/INDEX.md"; then
  echo "spvreconv-capture: nothing was captured; $index says why" >&2
  [ "$code" -ne 0 ] || code=1
else
  grep -c '^- \[d' "$output/INDEX.md" | sed "s|.*|spvreconv-capture: & captured; see $index|" >&2
fi
exit "$code"
