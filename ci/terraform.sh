#!/bin/sh
# Builds a release of Terraform, for machines that have another one or none.
set -eu

usage() {
    cat <<'TEXT'
Usage: ci/terraform.sh [--strict] [--dir DIR] VERSION [SOURCE]

Builds Terraform VERSION, such as 1.15.9 or 1.16.0-rc2, into
DIR/terraform-VERSION (default: target/engines). Several versions can stand
there side by side; the tests and `tfconform reproduce --with` use each.

SOURCE is a repository of Terraform's sources: a checkout, a bare repository or
an address. Without it, the public repository is cloned, which needs a network.
Nothing in SOURCE is changed. The first version takes some six minutes on two
cores, another one two; a version that was built is left alone. A failure is
reported; the exit code is then still 0, or 1 with --strict.

Example:
  ci/terraform.sh 1.15.9
  ci/terraform.sh 1.16.0-rc2 ~/src/terraform
TEXT
}

strict=false
directory=
version=
source=
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --strict) strict=true ;;
    --dir)
        [ $# -gt 1 ] || { echo "terraform.sh: --dir needs a folder" >&2; exit 2; }
        directory=$2
        shift
        ;;
    -*) echo "terraform.sh: unknown option $1" >&2; usage >&2; exit 2 ;;
    *)
        if [ -z "$version" ]; then version=${1#v}; elif [ -z "$source" ]; then source=$1
        else echo "terraform.sh: too many arguments: $1" >&2; usage >&2; exit 2; fi
        ;;
    esac
    shift
done
case $version in
'') echo "terraform.sh: name a version" >&2; usage >&2; exit 2 ;;
[0-9]*.[0-9]*.[0-9]*) ;;
*) echo "terraform.sh: $version is not a version such as 1.15.9" >&2; exit 2 ;;
esac

repository=$(cd "$(dirname "$0")/.." && pwd)
directory=${directory:-$repository/target/engines}
source=${source:-https://github.com/hashicorp/terraform}
program=terraform-$version

say() { echo "terraform.sh: $*" >&2; }

give_up() {
    say "$*"
    if $strict; then exit 1; fi
    exit 0
}

command -v go >/dev/null 2>&1 || give_up "Go is not installed"
command -v git >/dev/null 2>&1 || give_up "git is not installed"

stamp="v$version $(go version)"
if [ -x "$directory/$program" ] && [ "$(cat "$directory/.$program.stamp" 2>/dev/null)" = "$stamp" ]; then
    say "$program is up to date"
    exit 0
fi

mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
scratch=$(mktemp -d "$directory/.$program.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

build() {
    git clone -q --depth 1 --branch "v$version" -c advice.detachedHead=false \
        "$(address "$source")" "$scratch/source" || return 1
    cd "$scratch/source"
    # Releases are built so, too; without it the program calls itself a development version.
    go build -trimpath -buildvcs=false \
        -ldflags "-s -w -X github.com/hashicorp/terraform/version.dev=no" -o "$scratch/$program" .
}

# A folder as an address, as a shallow clone needs one.
address() {
    if [ -d "$1" ]; then printf 'file://%s\n' "$(cd "$1" && pwd)"; else printf '%s\n' "$1"; fi
}

say "building $program, which takes some minutes"
(build) || give_up "failed to build $program from $source"
built=$("$scratch/$program" version 2>/dev/null | sed -n 's/^Terraform v//p')
[ "$built" = "$version" ] || give_up "what was built calls itself ${built:-nothing}, not $version"
mv "$scratch/$program" "$directory/$program"
echo "$stamp" >"$directory/.$program.stamp"
say "built $program"
