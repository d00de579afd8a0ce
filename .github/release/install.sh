#!/bin/sh
# Installs edgematch from a release: the program and the solver for browsers into a folder of its own, and a link to the
# program where other programs are.
#
#   curl --proto '=https' --tlsv1.2 -LsSf https://github.com/edgematch/edgematch/releases/latest/download/install.sh | sh
#
# EDGEMATCH_HOME   the folder of the program [default: ~/.local/share/edgematch]
# EDGEMATCH_BIN    the folder of the link [default: ~/.local/bin]
# EDGEMATCH_FROM   the folder with the archives [default: the release that this script belongs to]
set -eu

version=@VERSION@
from=${EDGEMATCH_FROM:-https://github.com/edgematch/edgematch/releases/download/$version}
home=${EDGEMATCH_HOME:-$HOME/.local/share/edgematch}
bin=${EDGEMATCH_BIN:-$HOME/.local/bin}

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

case "$(uname -s)/$(uname -m)" in
  Linux/x86_64) target=x86_64-unknown-linux-musl ;;
  Linux/aarch64 | Linux/arm64) target=aarch64-unknown-linux-musl ;;
  Darwin/x86_64) target=x86_64-apple-darwin ;;
  Darwin/arm64) target=aarch64-apple-darwin ;;
  *) fail "no program for $(uname -s) on $(uname -m): build it with 'cargo install edgematch-cli --locked'" ;;
esac

if [ -e "$bin/edgematch" ] && [ ! -L "$bin/edgematch" ]; then
  fail "$bin/edgematch is another program: move it, or set EDGEMATCH_BIN"
fi

name=edgematch-cli-$target-$version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in "$name.tar.gz" SHA256SUMS; do
  curl --fail --location --silent --show-error --output "$work/$file" "$from/$file" || fail "$from/$file is not to be had"
done

expected=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]$name.tar.gz\$/\1/p" "$work/SHA256SUMS")
if command -v sha256sum > /dev/null; then
  found=$(sha256sum "$work/$name.tar.gz")
else
  found=$(shasum -a 256 "$work/$name.tar.gz")
fi
[ -n "$expected" ] && [ "$expected" = "${found%% *}" ] || fail "$name.tar.gz does not have the checksum in SHA256SUMS"

tar -xzf "$work/$name.tar.gz" -C "$work"
mkdir -p "$home" "$bin"
# A program that runs cannot be overwritten.
rm -f "$home/edgematch"
cp "$work/$name/"* "$home/"
ln -sf "$home/edgematch" "$bin/edgematch"
"$bin/edgematch" --version
echo "installed in $home, linked from $bin"
case ":$PATH:" in
  *":$bin:"*) ;;
  *) echo "add $bin to PATH" ;;
esac
