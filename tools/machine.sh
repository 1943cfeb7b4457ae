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

want() { # PACKAGE REASON: note a package that is missing
    packages+=("$1")
    reasons+="${reasons:+, }$1 ($2)"
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
fi

[ ${#packages[@]} -gt 0 ] || exit 0

install="apt-get install -y --no-install-recommends ${packages[*]}"
if ! command -v apt-get >/dev/null; then
    echo "Missing on this machine: $reasons. Install it and run make again." >&2
    exit 1
fi
if [ "$(id -u)" -ne 0 ]; then
    echo "Missing on this machine: $reasons. Run this once, then make again:" >&2
    echo "  sudo sh -c 'apt-get update && $install'" >&2
    exit 1
fi
echo "Installing with apt: $reasons"
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
$install >/dev/null
