#!/bin/sh
# Builds OpenTofu, the second engine, for machines without a package of it.
set -eu

usage() {
    cat <<'TEXT'
Usage: ci/opentofu.sh [--strict] [DIR]

Builds OpenTofu from the Go module proxy into DIR/tofu (default:
target/engines/tofu). It takes some minutes once; after that the program is left
alone. A failure is reported; the exit code is then still 0, or 1 with --strict.
TEXT
}

version=v1.12.6
strict=false
directory=
for argument in "$@"; do
    case $argument in
    -h | --help) usage; exit 0 ;;
    --strict) strict=true ;;
    -*) echo "opentofu.sh: unknown option $argument" >&2; usage >&2; exit 2 ;;
    *) directory=$argument ;;
    esac
done

repository=$(cd "$(dirname "$0")/.." && pwd)
directory=${directory:-$repository/target/engines}

say() { echo "opentofu.sh: $*" >&2; }

give_up() {
    say "$*"
    if $strict; then exit 1; fi
    exit 0
}

command -v go >/dev/null 2>&1 || give_up "Go is not installed"

stamp="$version $(go version)"
if [ -x "$directory/tofu" ] && [ "$(cat "$directory/.tofu.stamp" 2>/dev/null)" = "$stamp" ]; then
    say "tofu $version is up to date"
    exit 0
fi

mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
scratch=$(mktemp -d "$directory/.tofu.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# `go install` refuses a module whose go.mod replaces others, and a build without
# those replacements is not OpenTofu: so copy them into a module of ours.
module=github.com/opentofu/opentofu
build() {
    cd "$scratch"
    go mod init tofu.invalid/build
    go mod edit -require "$module@$version"
    theirs=$(go mod download -json "$module@$version" | sed -n 's/^[[:space:]]*"GoMod": "\(.*\)",*$/\1/p')
    [ -n "$theirs" ] || return 1
    go mod edit -json "$theirs" | replacements | while read -r replacement; do
        go mod edit -replace "$replacement"
    done
    go mod edit -go "$(sed -n 's/^go //p' "$theirs")"
    # Keeps the versions that their go.mod lists, and only those.
    printf 'package tools\n\nimport _ "%s/cmd/tofu"\n' "$module" >tools.go
    go mod download "$module"
    go build -mod=mod -trimpath -buildvcs=false \
        -ldflags "-s -w -X $module/version.dev=no" \
        -o tofu "$module/cmd/tofu"
}

# From the JSON of a go.mod, lines "old[@version]=new@version".
replacements() {
    awk -F'"' '
        /"Replace"/ { inside = 1 }
        inside && /"Old"/ { side = "old" }
        inside && /"New"/ { side = "new" }
        inside && $2 == "Path" { path[side] = $4 }
        inside && $2 == "Version" { version[side] = "@" $4 }
        inside && side == "new" && /^\t\t\t}/ {
            print path["old"] version["old"] "=" path["new"] version["new"]
            version["old"] = version["new"] = side = ""
        }
        inside && /^\t]/ { inside = 0 }
    '
}

say "building tofu $version, which takes some minutes"
if (build) && mv "$scratch/tofu" "$directory/tofu"; then
    echo "$stamp" >"$directory/.tofu.stamp"
    say "built $("$directory/tofu" version 2>/dev/null | grep "^OpenTofu")"
else
    give_up "failed to build tofu $version"
fi
