#!/bin/sh
# Gets the real providers that the test suites use.
set -eu

usage() {
    cat <<'TEXT'
Usage: ci/providers.sh [--strict] [DIR]

Puts into DIR (default: target/providers):
  terraform-provider-fwfix    ours, on terraform-plugin-framework
  terraform-provider-sdkfix   ours, on terraform-plugin-sdk/v2
  terraform-provider-muxfix   ours, both behind terraform-plugin-mux
  terraform-provider-time     HashiCorp's, through the Go module proxy
  terraform-provider-aws      a link, if a plugin folder of this machine has one

Programs that are up to date are left alone. A provider that cannot be built is
reported and the rest goes on; the exit code is then still 0, or 1 with --strict.
A missing AWS provider is reported, but is not a failure. Without Go, only the
link is created.
TEXT
}

time_version=v0.14.2
strict=false
directory=
for argument in "$@"; do
    case $argument in
    -h | --help) usage; exit 0 ;;
    --strict) strict=true ;;
    -*) echo "providers.sh: unknown option $argument" >&2; usage >&2; exit 2 ;;
    *) directory=$argument ;;
    esac
done

repository=$(cd "$(dirname "$0")/.." && pwd)
directory=${directory:-$repository/target/providers}
failed=

say() { echo "providers.sh: $*" >&2; }

# The hash of what a build depends on: sources, module files and compiler.
stamp_of() {
    {
        go version
        go env GOOS GOARCH
        find "$@" -type f \( -name '*.go' -o -name go.mod -o -name go.sum \) \
            ! -name '*_test.go' -exec cksum {} + | sort
    } | cksum
}

is_current() { # program, stamp
    [ -x "$directory/$1" ] && [ "$(cat "$directory/.$1.stamp" 2>/dev/null)" = "$2" ]
}

build_ours() { # folder of the module, program
    sources=$repository/tests/providers/$1
    [ -d "$sources" ] || return 0
    # The stamp must not depend on where the repository is.
    stamp=$(cd "$repository/tests/providers" && stamp_of filestore "$1")
    if is_current "$2" "$stamp"; then
        say "$2 is up to date"
        return 0
    fi
    say "building $2"
    # Into place by renaming: others may be running the old one.
    if (cd "$sources" && go build -trimpath -buildvcs=false -o "$directory/.$2.new" .) &&
        mv "$directory/.$2.new" "$directory/$2"; then
        echo "$stamp" >"$directory/.$2.stamp"
    else
        rm -f "$directory/.$2.new"
        say "failed to build $2"
        failed="$failed $2"
    fi
}

install_time() {
    program=terraform-provider-time
    stamp="$time_version $(go version)"
    if is_current "$program" "$stamp"; then
        say "$program is up to date"
        return 0
    fi
    say "installing $program $time_version"
    scratch=$(mktemp -d "$directory/.time.XXXXXX")
    # The flags of the other builds, with which this one shares most packages.
    if GOBIN=$scratch go install -trimpath "github.com/hashicorp/$program@$time_version" &&
        mv "$scratch/$program" "$directory/$program"; then
        echo "$stamp" >"$directory/.$program.stamp"
    else
        say "failed to install $program"
        failed="$failed $program"
    fi
    rm -rf "$scratch"
}

# Too big to build in a test run, so only linked if it is installed.
link_aws() {
    link=$directory/terraform-provider-aws
    if [ -x "$link" ]; then
        say "terraform-provider-aws is there"
        return 0
    fi
    found=
    for folder in "${TF_PLUGIN_CACHE_DIR:-}" "$HOME/.terraform.d/plugins" \
        "$HOME/.terraform.d/plugin-cache" /usr/local/share/terraform/plugins \
        /usr/share/terraform/plugins /opt/*; do
        [ -n "$folder" ] && [ -d "$folder" ] || continue
        found=$(find -L "$folder" -maxdepth 7 -type f -name 'terraform-provider-aws*' \
            -path "*/hashicorp/aws/*" -perm -u+x 2>/dev/null | sort | tail -n 1) || true
        [ -z "$found" ] || break
    done
    if [ -z "$found" ]; then
        say "no AWS provider on this machine; its suite will be ignored"
        return 0
    fi
    mkdir -p "$directory"
    ln -sf "$found" "$link"
    say "linked $found"
}

if command -v go >/dev/null 2>&1; then
    mkdir -p "$directory"
    directory=$(cd "$directory" && pwd)
    install_time
    build_ours framework terraform-provider-fwfix
    build_ours sdkv2 terraform-provider-sdkfix
    build_ours mux terraform-provider-muxfix
else
    say "Go is not installed; the suites of the Go providers will be ignored"
    failed=" all Go providers"
fi
link_aws

if [ -n "$failed" ]; then
    say "missing:$failed"
    if $strict; then exit 1; fi
fi
