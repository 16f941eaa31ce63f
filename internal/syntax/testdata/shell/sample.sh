#!/bin/bash
set -euo pipefail

readonly home=${HOME:-/root}
names=(one two "three four")

say() {
    local text="$1"
    printf '%s\n' "$text" >&2
}

if [[ -d "$home" && $# -gt 0 ]]; then
    say "there are $# arguments"
elif [ -z "$home" ]; then
    exit 1
else
    say 'none'
fi

for name in "${names[@]}"; do
    case $name in
    one | two) say "$(echo "$name" | tr a-z A-Z)" ;;
    *) say "other ${name%% *}" ;;
    esac
done

while read -r line; do
    count=$((${count:-0} + 1))
done <<EOF
first $home
second
EOF

cd "$home" || exit 1
ls -l 2>/dev/null | grep -v '^total' > /tmp/list && rm -f "$home"/old.*
trap 'rm -f /tmp/list' EXIT
