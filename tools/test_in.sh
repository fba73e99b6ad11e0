#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the demo and the test suite in a fresh Debian: a chroot that debootstrap makes, with a copy of
# the working tree.
#
#   tools/test_in.sh SUITE [COMMAND...]
#
# SUITE: bookworm (Debian 12) or trixie (Debian 13). COMMAND: runs there instead.
# The chroot is kept for the next run, 4 GB in ~/.cache/spvreconv/SUITE; remove that folder to start
# with a fresh one. Mounts and processes end with the run.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "test-in: $*" >&2
  exit 1
}

suite=${1:-}
case $suite in
bookworm | trixie) ;;
*) fail "the suite is bookworm or trixie, not '$suite'" ;;
esac
shift
[ $# -gt 0 ] || set -- bash -c './setup.sh demo && ./setup.sh test'
[ "$(id -u)" -eq 0 ] || fail "a chroot needs root: sudo ./setup.sh test-in $suite"
command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"

root=${XDG_CACHE_HOME:-$HOME/.cache}/spvreconv/$suite
if [ ! -d "$root" ]; then
  echo "== debootstrap $suite into $root"
  mkdir -p "${root%/*}"
  rm -rf "$root.new"
  # In a mount namespace of its own: if it is killed, nothing stays mounted below the folder.
  unshare --mount debootstrap --variant=minbase "$suite" "$root.new" >"$root.log" 2>&1 ||
    fail "debootstrap fails: $(tail -n 1 "$root.log") (all of it: $root.log)"
  # As in Debian's images for containers: packages start no services, and dpkg does not wait for the disk.
  echo force-unsafe-io >"$root.new/etc/dpkg/dpkg.cfg.d/unsafe-io"
  printf '#!/bin/sh\nexit 101\n' >"$root.new/usr/sbin/policy-rc.d"
  chmod +x "$root.new/usr/sbin/policy-rc.d"
  mv "$root.new" "$root"
fi

echo "== copying the working tree to $root/root/spvreconv"
tools/copy_tree.sh "$root/root/spvreconv"
cp /etc/resolv.conf "$root/etc/resolv.conf"

echo "== in $suite: $*"
# shellcheck disable=SC2016 # the inner shell expands them
exec unshare --mount --pid --fork --kill-child bash -c '
  set -e
  root=$1
  shift
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys" # with the cgroups below it, which Slurm needs
  mount --rbind /dev "$root/dev"
  exec chroot "$root" env -i HOME=/root LC_ALL=C.UTF-8 TERM="${TERM:-dumb}" \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    bash -c "cd /root/spvreconv && exec \"\$@\"" - "$@"' - "$root" "$@"
