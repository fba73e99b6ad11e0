#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the source and binary packages of debian/ as Debian does, for this machine or with dpkg-buildpackage -aARCHITECTURE for
# another: lintian has no errors, and blhc finds Debian's flags in each call of the compiler.
#
#   ./setup.sh test-in bookworm tools/debian_build.sh [ARCHITECTURE]
#
# As root, in a chroot of its own, since it installs what building needs: a quarter of an hour.
set -eu
cd "$(dirname "$0")/.."
here=$(dpkg --print-architecture)
architecture=${1:-$here}
version=$(dpkg-parsechangelog -S Version 2>/dev/null || sed -n '1s/.*(\(.*\)).*/\1/p' debian/changelog)
work=/var/tmp/debian-build
options=
export DEBIAN_FRONTEND=noninteractive DEB_BUILD_OPTIONS=noautodbgsym
# Packages of two machines may have a file in common that is not the same, such as a changelog of a rebuild.
apt() {
  apt-get -q -y -o APT::Install-Recommends=false -o Dpkg::Options::=--force-overwrite "$@" >"$work.log" 2>&1 || {
    tail -n 30 "$work.log"
    exit 1
  }
}

if [ "$architecture" != "$here" ]; then
  options="-a$architecture"
  dpkg --add-architecture "$architecture"
  # It is a program of the other machine, and would be run when its package is installed.
  dpkg-divert --local --rename --add /usr/sbin/libgvc6-config-update >/dev/null 2>&1
  cross="crossbuild-essential-$architecture qemu-user-static"
fi
apt update
apt --fix-broken install # after a run that was broken off
# shellcheck disable=SC2086 # several packages
apt install build-essential fakeroot lintian blhc ${cross-}
# shellcheck disable=SC2086 # an option, or none
apt build-dep $options ${options:+--arch-only} "$PWD"

rm -rf "$work"
mkdir -p "$work"
cp -r . "$work/spvreconv-$version"
cd "$work/spvreconv-$version"
rm -rf build* .git
# shellcheck disable=SC2086
dpkg-buildpackage -us -uc $options ${options:+--build=source,any} >"$work/log" 2>&1 || {
  tail -n 40 "$work/log"
  exit 1
}
cd "$work"
for package in spvreconv spvreconv-layer libspvreconv0 libspvreconv-dev; do
  dpkg-deb -f "${package}_${version}_$architecture.deb" Package Architecture
done
[ "$architecture" != "$here" ] || dpkg-deb -f "python3-spvreconv_${version}_all.deb" Package
lintian --fail-on error "spvreconv_${version}_$architecture.changes"
# The call of cmake for another machine names a compiler, but compiles nothing.
blhc --all --ignore-line '.*cmake -DCMAKE_INSTALL_PREFIX=.*' "$work/log"
echo "debian: packages for $architecture are built; lintian and blhc find no errors"
