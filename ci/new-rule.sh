#!/bin/sh
# Creates the file of a new rule and lists it.
set -eu
export LC_ALL=C

usage() {
    cat <<'TEXT'
Usage: ci/new-rule.sh GROUP/NAME [GROUP/LIKE]

Creates src/rules/GROUP/NAME.rs, a copy of the rule GROUP/LIKE (of any group; default: the shortest
of the same group) with TODO where something is left to write, and lists it in src/rules/GROUP/mod.rs.
It compiles as it is; `cargo test --lib rules` shows what is missing.
TEXT
}

fail() {
    echo "new-rule.sh: $*" >&2
    exit 2
}

case ${1-} in
-h | --help) usage; exit 0 ;;
esac
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    usage >&2
    exit 2
fi

rules=$(cd "$(dirname "$0")/.." && pwd)/src/rules
id=$1
group=${id%%/*}
echo "$id" | grep -Eq '^[a-z]+/[a-z][a-z0-9]*(-[a-z0-9]+)*$' || fail "\"$id\" is not GROUP/NAME: lower-case words joined by hyphens"
name=$(echo "${id#*/}" | tr - _)
folder=$rules/$group
list=$folder/mod.rs
[ -f "$list" ] || fail "there is no group $group, only: $(cd "$rules" && echo */mod.rs | sed 's|/mod\.rs||g')"
[ ! -e "$folder/$name.rs" ] || fail "$folder/$name.rs is there already"

if [ $# -eq 2 ]; then
    like=$2
    template=$rules/$(echo "$like" | tr - _).rs
    [ -f "$template" ] && grep -q "^    \"$like\"," "$template" || fail "there is no rule $like"
    if [ "${like%%/*}" != "$group" ] && grep -q "super::" "$template"; then
        fail "$like uses what only rules of its group share: name another one"
    fi
else
    shortest=$(wc -l "$folder"/*.rs | awk '$2 != "total" && $2 !~ /\/mod\.rs$/ { print $1, $2 }' | sort -n | head -n 1)
    template=${shortest#* }
    like=$group/$(basename "$template" .rs | tr _ -)
fi

# Texts are left out; code stays, and does what the copied rule does until it is rewritten.
awk -v id="$id" -v like="$like" '
    /^    \/\/\/ / && !told {
        print "    /// TODO: what holds, in one sentence."
        print "    ///"
        print "    /// TODO: advice for a provider author who has just been told they are wrong."
        told = 1
    }
    /^    \/\/\// { next }
    /^    covers:/ { print "    covers: [\"TODO-000\"],"; next }
    /^    (title|shows):/ { print "    // TODO: title or shows, and enforced if not every engine does."; print "    title: None,"; if (!/,$/) showing = 1; next }
    showing { if (/^    [^ ]/) showing = 0; next }
    /^    fix:/ { print "    fix: \"TODO\","; next }
    /^    (framework|sdkv2):/ { next }
    /^    cites:/ { print "    cites: \"TODO\", \"TODO\":"; print "        \"TODO\";"; cited = 1 }
    cited { if (/;$/) cited = 0; next }
    /^        name: / { print "        name: \"" id (++names == 1 ? "-fault" : "-control") "\","; next }
    /^        about: / { print "        about: \"TODO\","; if (!/,$/) more = 1; next }
    more { if (/,$/) more = 0; next }
    /Injection::Nothing\(/ { print "        injection: Injection::Nothing(\"TODO\"),"; next }
    /^    "/ && !levelled { print "    // TODO: the level and the rest of this line are those of " like "."; levelled = 1 }
    /^    enforced:/ { next }
    { gsub(like, id); print }
' "$template" >"$folder/$name.rs"

new=$list.new
awk -v name="$name" '
    /^pub mod / {
        other = substr($3, 1, length($3) - 1)
        if (!declared && other > name) { print "pub mod " name ";"; declared = 1 }
        listing = 1
    }
    !/^pub mod / && listing && !declared { print "pub mod " name ";"; declared = 1 }
    # A short list is on one line: that of its name, or the next. For want of groups its first member is matched,
    # written after itself, and then its bracket removed.
    /&\[&.*::RULE\];$/ { sub(/&\[&[^R]/, "\\&[\n    &"); sub(/\n    &\[/, "\n    "); gsub(/, /, ",\n    "); sub(/\];$/, ",\n];") }
    /\n\];$/ { sub(/\n\];$/, "\n    \\&" name "::RULE,\n];") }
    /^\];$/ { print "    &" name "::RULE," }
    { print }
' "$list" >"$new"
mv "$new" "$list"

echo "$folder/$name.rs is a copy of $like: write what is TODO in it, then its check, fault and control."
echo "cargo test --lib rules shows what is missing."
