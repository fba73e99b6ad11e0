#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unpacks a source package of Debian 12 whose upstream version is the one in third_party/sources.txt, with Debian's
# patches. apt checks the signatures, in a folder of its own: the system's configuration and lists are not touched.
# Packages are kept in ~/.cache/spvreconv/sources.
set -euo pipefail
[ $# -eq 2 ] || {
  echo "usage: tools/debian_source.sh PACKAGE FOLDER" >&2
  exit 2
}
package=$1 folder=$2
top=$(dirname "$0")/..
cache=${XDG_CACHE_HOME:-$HOME/.cache}/spvreconv/sources
upstream=$(awk -v package="$package" '$1 == package { print $2 }' "$top/third_party/sources.txt")
[ -n "$upstream" ] || {
  echo "debian_source.sh: $package is not in third_party/sources.txt" >&2
  exit 1
}

make_apt() {
  mkdir -p "$cache/apt/lists/partial" "$cache/packages"
  local keys=/usr/share/keyrings/debian-archive-keyring.gpg suite
  for suite in 'debian bookworm' 'debian bookworm-updates' 'debian-security bookworm-security'; do
    echo "deb-src [signed-by=$keys] http://deb.debian.org/$suite main"
  done >"$cache/apt/sources.list"
  cat >"$cache/apt/apt.conf" <<END
Dir::Etc::SourceList "$cache/apt/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "$cache/apt/lists";
Dir::Cache "$cache/apt";
APT::Sandbox::User "";
END
  APT_CONFIG=$cache/apt/apt.conf apt-get update -q
}

# The package's revisions of that upstream version, newest first: a mirror may lack the newest one for a while.
revisions() {
  APT_CONFIG=$cache/apt/apt.conf apt-cache showsrc "$package" | awk -v package="$package" '
    $1 == "Package:" { named = $2 == package } named && $1 == "Version:" { print $2 }' |
    grep -E "^([0-9]+:)?${upstream//./\\.}-" | sort -rVu
}

find_dsc() {
  local files=("$cache/packages/${package}_$upstream"-*.dsc)
  [ -e "${files[0]}" ] && printf '%s\n' "${files[@]}" | sort -V | tail -n 1
}

fetch() {
  local revision
  make_apt
  for revision in $(revisions); do
    (cd "$cache/packages" && APT_CONFIG=$cache/apt/apt.conf apt-get source -q --download-only "$package=$revision") &&
      return
    rm -f "$cache/packages/${package}_${revision#*:}".dsc
  done
  echo "debian_source.sh: Debian has no $package of version $upstream any more: name its new version in" \
    "third_party/sources.txt" >&2
  exit 1
}

find_dsc >/dev/null || fetch
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
dpkg-source --no-check --no-copy -x "$(find_dsc)" "$folder"
