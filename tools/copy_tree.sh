#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copies the working tree, without the files that git ignores, into a folder, to build and test there.
#
#   tools/copy_tree.sh FOLDER
#
# Only files that differ are copied, with a new time stamp: objects built there may be newer than the
# file's time stamp in the tree. Files that the tree no longer has are removed, except FOLDER/build*.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1
mkdir -p "$folder"

list_sources() {
  git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
    [ ! -f "$file" ] || printf '%s\0' "$file"
  done
}

list_sources | while IFS= read -r -d '' file; do
  if ! cmp -s "$file" "$folder/$file"; then
    mkdir -p "$folder/$(dirname "$file")"
    cp "$file" "$folder/$file"
  fi
done
comm -z -23 <(cd "$folder" && find . -path './build*' -prune -o -type f -printf '%P\0' | sort -z) \
  <(list_sources | sort -z) | (cd "$folder" && xargs -0 -r rm -f)
