#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Unpacks Debian's packages of another machine, and all that they depend on, into a folder that a cross compiler takes for
# the root of that machine (--sysroot), and qemu-user, too (-L). Nothing is installed on this system.
#
#   tools/cross/sysroot.sh ARCHITECTURE FOLDER PACKAGE...
#
# ARCHITECTURE is Debian's name, such as arm64. Needs no root. apt-get checks the signatures.
set -euo pipefail

architecture=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
shift 2
[ ! -e "$folder/.complete" ] || exit 0

apt=$folder/.apt
mkdir -p "$apt"/{lists/partial,archives/partial,dpkg}
: >"$apt/dpkg/status"
key=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb [signed-by=$key] http://deb.debian.org/debian bookworm main" >"$apt/sources.list"

# apt_get ARGUMENT...: for the other machine, on which nothing is installed
apt_get() {
  apt-get -q -o APT::Architecture="$architecture" -o APT::Architectures="$architecture" \
    -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::PreferencesParts=/dev/null \
    -o Dir::State::Lists="$apt/lists" -o Dir::State::Status="$apt/dpkg/status" -o Dir::Cache="$apt" \
    -o APT::Sandbox::User="$(id -un)" -o APT::Install-Recommends=false "$@"
}

apt_get update >&2
apt_get install -y --download-only "$@" >&2
for package in "$apt"/archives/*.deb; do
  dpkg-deb -x "$package" "$folder"
done
# Debian 12's /lib is a link to /usr/lib; packages that are older than that have files in /lib.
for name in lib lib64 bin sbin; do
  if [ -d "$folder/$name" ] && [ ! -L "$folder/$name" ]; then
    mkdir -p "$folder/usr/$name"
    cp -a "$folder/$name/." "$folder/usr/$name/"
    rm -r "${folder:?}/$name"
    ln -s "usr/$name" "$folder/$name"
  fi
done
# Links to the root of that machine
find "$folder/usr" -type l -lname '/*' | while read -r link; do
  ln -sfr "$folder$(readlink "$link")" "$link"
done
rm -r "$apt"
touch "$folder/.complete"
