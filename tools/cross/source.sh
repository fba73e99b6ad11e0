#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fetches and unpacks Debian's source packages, in the versions of third_party/sources.txt.
#
#   tools/cross/source.sh FOLDER PACKAGE...
#
# Each is unpacked, with Debian's patches unless the list says `tar`, into FOLDER/PACKAGE; one that is there already is kept. apt-get checks
# the signatures. It reads a list of sources in FOLDER instead of the system's, whose configuration remains as it is.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$1
shift
mkdir -p "$folder/apt/lists/partial" "$folder/apt/archives/partial"
folder=$(cd "$folder" && pwd)

fail() {
  echo "source.sh: $*" >&2
  exit 1
}

command -v apt-get >/dev/null || fail "the source packages are Debian's: apt-get is needed"
command -v dpkg-source >/dev/null || fail "dpkg-source is missing: apt-get install dpkg-dev"

# apt_get ARGUMENT...: with lists and sources of its own
apt_get() {
  apt-get -q -o Dir::Etc::SourceList="$folder/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o Dir::State::Lists="$folder/apt/lists" -o Dir::Cache="$folder/apt" -o APT::Sandbox::User="$(id -un)" "$@"
}

# Prepares what apt-get needs, once: the lists of the suites that sources.txt names.
update() {
  [ ! -e "$folder/apt/updated" ] || return 0
  awk -v key=/usr/share/keyrings/debian-archive-keyring.gpg '!/^#/ && !seen[$3]++ {
    archive = $3 ~ /-security$/ ? "debian-security" : "debian"
    print "deb-src [signed-by=" key "] http://deb.debian.org/" archive " " $3 " main" }' \
    third_party/sources.txt >"$folder/apt/sources.list"
  apt_get update >&2 || fail "apt-get update fails: is there a network?"
  touch "$folder/apt/updated"
}

# Fetches into the working folder, and unpacks there.
unpack() {
  if [ "$what" = tar ]; then
    apt_get source --tar-only "$package=$version" && tar -xf ./*.orig.tar.*
  else
    apt_get source "$package=$version"
  fi
}

for package in "$@"; do
  [ ! -d "$folder/$package" ] || continue
  read -r _ version _ what < <(grep "^$package " third_party/sources.txt) ||
    fail "third_party/sources.txt has no version of '$package'"
  update
  rm -rf "$folder/new"
  mkdir "$folder/new"
  (cd "$folder/new" && unpack >&2) ||
    fail "Debian has no $package $version: put a version that 'apt-cache showsrc $package' names into third_party/sources.txt"
  mv "$folder"/new/*/ "$folder/$package"
  rm -rf "$folder/new"
done
