#!/usr/bin/env bash
# Give the machine what `make PURPOSE` needs and pip cannot bring: tools/machine.sh run|draw|test
#
# Installs only what is missing, with apt, and says what and why. Without root it prints the one command and stops.
# Elsewhere than on Debian and its children it names what is missing and leaves the rest to the person.
set -euo pipefail

purpose=${1:?run, draw or test}
python=${PYTHON:-python3}
packages=()
reasons=""
services=""

want() { # PACKAGE REASON: note a package that is missing
    packages+=("$1")
    reasons+="${reasons:+, }$1 ($2)"
}

has() { # COMMAND: say whether it is there, also where only root looks
    PATH="$PATH:/usr/sbin:/sbin" command -v "$1" >/dev/null
}

if ! command -v "$python" >/dev/null || ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "Python 3.11 or newer is needed; choose one with: make PYTHON=python3.12 …" >&2
    exit 1
fi
"$python" -c 'import ensurepip, venv' 2>/dev/null || want python3-venv "a virtual environment for the pinned packages"

if [ "$purpose" != run ]; then
    command -v dot >/dev/null || want graphviz "draws the state diagrams and the structure"
fi
if [ "$purpose" = test ]; then
    command -v chromium >/dev/null || want chromium "the browser of the end-to-end tests"
    [[ "$(/sbin/ldconfig -p 2>/dev/null)" == *libatomic.so.1* ]] || want libatomic1 "Playwright, which drives the browser"
    [ -n "$(find /usr/share/fonts -name '*.ttf' -print -quit 2>/dev/null)" ] || want fonts-dejavu-core "text in the screenshots"
    command -v mount >/dev/null || want mount "a small file system to fill up"
    # The lab: an engine and a registry that the tests start and stop themselves.
    has dockerd || { want docker.io "a Docker engine"; services+=" docker.service docker.socket"; }
    has containerd || services+=" containerd.service"
    has docker-registry || { want docker-registry "a registry"; services+=" docker-registry.service"; }
    has iptables || want iptables "published ports of that engine"
    has ip || want iproute2 "a network of its own for each engine"
    has nsenter || want util-linux "processes in that network"
    has debootstrap || want debootstrap "the base of the images, since no public registry is asked"
fi

[ ${#packages[@]} -gt 0 ] || exit 0

install="apt-get install -y --no-install-recommends ${packages[*]}"
at_rest="" # nothing that is installed here is left running, or comes up with the machine
[ -z "$services" ] || ! command -v systemctl >/dev/null || at_rest=" && systemctl disable --now$services"
if ! command -v apt-get >/dev/null; then
    echo "Missing on this machine: $reasons. Install it and run make again." >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "Missing on this machine: $reasons. Run this once, then make again:" >&2
    echo "  sudo sh -c 'apt-get update && $install$at_rest'" >&2
    exit 1
fi
echo "Installing with apt: $reasons"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
policy=/usr/sbin/policy-rc.d # asked by every package whether its service may be started now
if [ -n "$services" ] && [ ! -e $policy ]; then
    trap 'rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\nexit 101\n' >$policy
    chmod 755 $policy
fi
$install >/dev/null
[ -z "$at_rest" ] || systemctl disable --quiet $services 2>/dev/null || true
