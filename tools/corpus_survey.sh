#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fetches the corpora of docs/survey.md and writes its tables (Markdown):
#
#   tools/corpus_survey.sh [BUILD]     (default: build)
#
# OpenCL kernels: tools/corpus_opencl.sh. Modules in packages: tools/corpus_binaries.sh. Modules that programs
# hand to Vulkan: tools/corpus_programs.sh. What these print goes to BUILD/corpus/*.log.
set -eu

build=$(cd "${1:-build}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
corpus=$build/corpus
all=$corpus/survey
rm -rf "$all"
mkdir -p "$all/opencl"

# log NAME COMMAND...: what it prints goes to NAME.log, and here if it fails
log() {
  name=$1
  shift
  "$@" >"$corpus/$name.log" 2>&1 || {
    echo "corpus_survey: $*: see $corpus/$name.log: $(tail -n 1 "$corpus/$name.log")" >&2
    exit 1
  }
}

for package in darktable ufo-filters-data; do
  log "$package" "$here/corpus_opencl.sh" "$build" "$package"
  ln -s "$corpus/$package/spv" "$all/opencl/$package"
done
log binaries "$here/corpus_binaries.sh" "$build"
ln -s "$corpus/binaries" "$all/binaries"
log programs "$here/corpus_programs.sh" "$build"
ln -s "$corpus/programs" "$all/programs"

"$here/survey.sh" --markdown --depth=2 "$build" "$all"
echo
echo "Packages: $({
  find "$corpus" -maxdepth 2 -name '*.deb' -exec basename {} .deb \;
  dpkg-query -W -f='${Package}_${Version}_${Architecture}\n' ffmpeg libplacebo208 gstreamer1.0-gl glmark2-x11 \
    libgl1-mesa-dri 2>/dev/null
} | LC_ALL=C sort -u | sed 's/_[a-z0-9]*$//; s/%3a/:/g; s/_/ /' | paste -s -d , - | sed 's/,/, /g')."
