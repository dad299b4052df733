#!/bin/sh
# Gets the real providers that the test suites use.
set -eu

usage() {
    cat <<'TEXT'
Usage: ci/providers.sh [--strict] [--released] [DIR]

Puts into DIR (default: target/providers):
  terraform-provider-fwfix    ours, on terraform-plugin-framework
  terraform-provider-sdkfix   ours, on terraform-plugin-sdk/v2
  terraform-provider-muxfix   ours, both behind terraform-plugin-mux
  terraform-provider-plain    ours, nothing of its own, on terraform-plugin-framework
  terraform-provider-plainsdk ours, nothing of its own, on terraform-plugin-sdk/v2
  terraform-provider-zoosdk   ours, every validator of terraform-plugin-sdk/v2
  terraform-provider-zoofw    ours, every validator of terraform-plugin-framework
  terraform-provider-faultsdk ours, with planted faults, on terraform-plugin-sdk/v2
  terraform-provider-faultfw  ours, with planted faults, on terraform-plugin-framework
  terraform-provider-lab      ours, through an HTTP API, with two bugs; -lab-mended has none
  lab-mock                    the API of terraform-provider-lab
  terraform-provider-time     HashiCorp's, through the Go module proxy
  terraform-provider-coder    Coder's, through the Go module proxy; only with --released
  terraform-provider-random   HashiCorp's, as above
  terraform-provider-tls      HashiCorp's, as above
  terraform-provider-kubernetes HashiCorp's, as above
  terraform-provider-openstack  as above
  terraform-provider-aws      a link, if a plugin folder of this machine has one

Programs that are up to date are left alone. A provider that cannot be built is
reported and the rest goes on; the exit code is then still 0, or 1 with --strict.
A missing AWS provider is reported, but is not a failure. Without Go, only the
link is created.
TEXT
}

time_version=v0.14.2
coder_version=v2.20.0
random_version=v1.3.2-0.20260824155315-e1092b0cfc07
kubernetes_version=v1.13.4-0.20260821094251-3a33fb6cc605
openstack_version=v3.4.0
tls_version=v1.2.1-0.20260819085117-d044ca7c6f52
strict=false
released=false
directory=
for argument in "$@"; do
    case $argument in
    -h | --help) usage; exit 0 ;;
    --strict) strict=true ;;
    --released) released=true ;;
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

build_ours() { # program, folder of the module, folders of our other modules that it uses
    program=$1
    shift
    build_with . "$program" "$@"
}

build_with() { # arguments of `go build` in one word, and as above
    arguments=$1
    program=$2
    shift 2
    sources=$repository/tests/providers/$1
    [ -d "$sources" ] || return 0
    # The stamp must not depend on where the repository is.
    stamp=$(cd "$repository/tests/providers" && stamp_of filestore "$@")
    if is_current "$program" "$stamp"; then
        say "$program is up to date"
        return 0
    fi
    say "building $program"
    # Into place by renaming: others may be running the old one.
    # shellcheck disable=SC2086 # the arguments are divided at blanks
    if (cd "$sources" && go build -trimpath -buildvcs=false -o "$directory/.$program.new" $arguments) &&
        mv "$directory/.$program.new" "$directory/$program"; then
        echo "$stamp" >"$directory/.$program.stamp"
    else
        rm -f "$directory/.$program.new"
        say "failed to build $program"
        failed="$failed $program"
    fi
}

install_released() { # program, module, version
    program=$1
    stamp="$3 $(go version)"
    if is_current "$program" "$stamp"; then
        say "$program is up to date"
        return 0
    fi
    say "installing $program $3"
    scratch=$(mktemp -d "$directory/.$program.XXXXXX")
    # The flags of the other builds, with which this one shares most packages.
    if GOBIN=$scratch go install -trimpath "$2@$3" &&
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
    install_released terraform-provider-time github.com/hashicorp/terraform-provider-time "$time_version"
    if $released; then
        install_released terraform-provider-coder github.com/coder/terraform-provider-coder/v2 "$coder_version"
        # The module still has the name that it had in its former organization.
        install_released terraform-provider-random \
            github.com/terraform-providers/terraform-provider-random "$random_version"
        install_released terraform-provider-tls github.com/hashicorp/terraform-provider-tls "$tls_version"
        install_released terraform-provider-kubernetes \
            github.com/hashicorp/terraform-provider-kubernetes "$kubernetes_version"
        install_released terraform-provider-openstack \
            github.com/terraform-provider-openstack/terraform-provider-openstack/v3 "$openstack_version"
    fi
    build_ours terraform-provider-fwfix framework
    build_ours terraform-provider-sdkfix sdkv2
    build_ours terraform-provider-muxfix mux
    build_ours terraform-provider-plain plain
    build_ours terraform-provider-plainsdk plainsdk
    build_ours terraform-provider-zoosdk zoosdk sdkv2
    build_ours terraform-provider-zoofw zoofw framework
    build_ours terraform-provider-faultsdk faultsdk sdkv2
    build_ours terraform-provider-faultfw faultfw framework
    build_ours terraform-provider-lab lab
    build_with "-tags mended ." terraform-provider-lab-mended lab
    build_with ./mock lab-mock lab
else
    say "Go is not installed; the suites of the Go providers will be ignored"
    failed=" all Go providers"
fi
link_aws

if [ -n "$failed" ]; then
    say "missing:$failed"
    if $strict; then exit 1; fi
fi
