#!/bin/sh
# Installs a released tfconform, for CI jobs and people: nothing is compiled.
set -eu

usage() {
    cat <<'TEXT'
Usage: ci/install.sh --from WHERE [--version VERSION] [--to DIR] [--sha256 SUM]

Installs tfconform VERSION (default: 0.1.0) as DIR/tfconform (default:
~/.local/bin). WHERE is the address of the releases, which may also be file://
or a folder: it holds vVERSION/tfconform-VERSION-TARGET.tar.gz and
vVERSION/SHA256SUMS. The archive must have the checksum that SHA256SUMS says, or
that you give with --sha256, which nobody can change who changes the release.

If DIR/tfconform has that version already, as from a cache, it is left alone.
Exit code 1: the download failed or the checksum is another; 2: usage, or there
is no program for this machine.
TEXT
}

version=0.1.0
from=
directory=$HOME/.local/bin
sum=

say() { echo "install.sh: $*" >&2; }

fail() { # exit code, message
    code=$1
    shift
    say "$*"
    exit "$code"
}

while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --from | --version | --to | --sha256)
        [ $# -gt 1 ] || fail 2 "$1 needs a value"
        case $1 in
        --from) from=${2%/} ;;
        --version) version=${2#v} ;;
        --to) directory=$2 ;;
        --sha256) sum=$2 ;;
        esac
        shift 2
        ;;
    *) say "unknown option $1"; usage >&2; exit 2 ;;
    esac
done
[ -n "$from" ] || fail 2 "--from is required: the address of the releases"

case "$(uname -s) $(uname -m)" in
"Linux x86_64") target=x86_64-unknown-linux-musl ;;
"Linux aarch64" | "Linux arm64") target=aarch64-unknown-linux-musl ;;
"Darwin x86_64") target=x86_64-apple-darwin ;;
"Darwin arm64") target=aarch64-apple-darwin ;;
*) fail 2 "there is no program for $(uname -s) on $(uname -m): build it with cargo" ;;
esac

if [ "$("$directory/tfconform" --version 2>/dev/null)" = "tfconform $version" ]; then
    say "tfconform $version is in $directory"
    exit 0
fi

fetch() { # file of the release, where to
    case $from in
    http://* | https://*)
        if command -v curl >/dev/null 2>&1; then
            curl --fail --silent --show-error --location --retry 3 --output "$2" "$from/v$version/$1"
        else
            wget --quiet --output-document="$2" "$from/v$version/$1"
        fi
        ;;
    *) cp "${from#file://}/v$version/$1" "$2" ;;
    esac || fail 1 "failed to get $1 from $from/v$version"
}

sum_of() {
    if command -v sha256sum >/dev/null 2>&1; then
        sha256sum "$1"
    else
        shasum -a 256 "$1"
    fi | cut -d ' ' -f 1
}

mkdir -p "$directory"
scratch=$(mktemp -d "$directory/.tfconform.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

archive=tfconform-$version-$target.tar.gz
fetch "$archive" "$scratch/$archive"
if [ -z "$sum" ]; then
    fetch SHA256SUMS "$scratch/SHA256SUMS"
    sum=$(awk -v archive="$archive" '$2 == archive || $2 == "*" archive { print $1 }' "$scratch/SHA256SUMS")
    [ -n "$sum" ] || fail 1 "SHA256SUMS has no line for $archive"
fi
found=$(sum_of "$scratch/$archive")
[ "$found" = "$sum" ] || fail 1 "$archive has the checksum $found and not $sum: nothing is installed"

tar -xzf "$scratch/$archive" -C "$scratch" tfconform || fail 1 "$archive has no tfconform"
chmod 755 "$scratch/tfconform"
mv "$scratch/tfconform" "$directory/tfconform"
say "installed tfconform $version in $directory"
