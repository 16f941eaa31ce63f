#!/bin/sh
# Makes grammars.wasm.zst and SHA256SUMS from the releases in Cargo.lock. When a
# release changes, LICENSES and the golden trees are looked over by hand.
# Needs cargo, zstd, and clang, wasm-ld and a WASI libc (see README.md).
# The same tools give the same bytes, wherever this stands.
set -eu
cd "$(dirname "$0")"
CLANG=${CLANG:-clang-19}
SYSROOT=${SYSROOT:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp Cargo.toml Cargo.lock "$work"
: >"$work/none.rs"
(cd "$work" && cargo vendor --quiet --locked --versioned-dirs vendor >cargo.config)
vendor=$work/vendor
core=$(echo "$vendor"/tree-sitter-[0-9]*)

# Language number = place in this list; languages in syntax.go is the same.
grammars='python javascript typescript tsx go java php ruby c cpp c_sharp rust kotlin bash'

# The directory that holds a grammar's parser.c and scanner.c.
source_of() {
	case $1 in
	typescript | tsx) echo "$vendor"/tree-sitter-typescript-[0-9]*/"$1"/src ;;
	c_sharp) echo "$vendor"/tree-sitter-c-sharp-[0-9]*/src ;;
	kotlin) echo "$vendor"/tree-sitter-kotlin-ng-[0-9]*/src ;;
	php) echo "$vendor"/tree-sitter-php-[0-9]*/php/src ;;
	*) echo "$vendor"/tree-sitter-"$1"-[0-9]*/src ;;
	esac
}

compile() { # object source flags...
	object=$1 source=$2
	shift 2
	"$CLANG" --target=wasm32-wasi ${SYSROOT:+--sysroot="$SYSROOT"} -O2 -flto -w -DNDEBUG \
		-ffunction-sections -fdata-sections -ffile-prefix-map="$work"=. \
		-DTREE_SITTER_HIDE_SYMBOLS -D_POSIX_C_SOURCE=200112L -D_DEFAULT_SOURCE \
		"$@" -c "$source" -o "$object"
}

list=
objects=
for g in $grammars; do
	list="$list X($g)"
	src=$(source_of "$g")
	for part in parser scanner; do
		[ -f "$src/$part.c" ] || continue
		compile "$work/$g-$part.o" "$src/$part.c" -I"$src"
		objects="$objects $work/$g-$part.o"
	done
done
compile "$work/runtime.o" "$core/src/lib.c" -I"$core/include" -I"$core/src"
compile "$work/shim.o" shim.c -fno-builtin -I"$core/include" -DGRAMMARS="$list"
compile "$work/heap.o" heap.c -fno-builtin

# The stack stands first, so that an overflow traps and overwrites nothing.
# shellcheck disable=SC2086
"$CLANG" --target=wasm32-wasi ${SYSROOT:+--sysroot="$SYSROOT"} -mexec-model=reactor -flto -O2 -Wl,--lto-O2 \
	-Wl,--strip-all,--gc-sections,--stack-first,-z,stack-size=1048576 \
	"$work/shim.o" "$work/heap.o" "$work/runtime.o" $objects -o "$work/grammars.wasm"

zstd -q -19 -f "$work/grammars.wasm" -o grammars.wasm.zst
{
	sha256sum grammars.wasm.zst
	(cd "$work" && sha256sum grammars.wasm)
} >SHA256SUMS
