#!/bin/sh
# Builds the embedded interpreter: CPython 3.13.5 for wasm32-wasi, its warm memory snapshot and its standard library.
#
#   build.sh WORKDIR SOURCE.tar.xz SYSROOT
#
# SOURCE   Python-3.13.5.tar.xz as released by python.org, or the same upstream tarball from Debian's source package
#          (python3.13_3.13.5.orig.tar.xz). With "-" the script asks apt for the latter (needs a trixie deb-src line).
# SYSROOT  a wasi-libc with include/wasm32-wasi and lib/wasm32-wasi (Debian: wasi-libc 0.0~git20241209 unpacked,
#          its usr/ directory).
# Needs    clang-19 lld-19 llvm-19 libclang-rt-19-dev-wasm32 gcc make xz gzip Go.
#
# About five minutes on two cores. The products are written next to this script; SHA256SUMS is renewed. The same
# inputs and compiler give the same bytes: paths and dates are fixed below.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 3 ] || { sed -n '2,15s/^# \{0,1\}//p' "$0"; exit 2; }
mkdir -p "$1"
work=$(cd "$1" && pwd)
sysroot=$(cd "$3" && pwd)
jobs=${JOBS:-2}
export SOURCE_DATE_EPOCH=1749600000

if [ "$2" = - ]; then
	(cd "$work" && apt-get source --download-only python3.13=3.13.5\*)
	tarball=$work/python3.13_3.13.5.orig.tar.xz
else
	tarball=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
fi
# Both names hold the same bytes.
echo "93e583f243454e6e9e4588ca2c2662206ad961659863277afcdb96801647d640  $tarball" | sha256sum -c -

src=$work/Python-3.13.5
native=$work/native
wasm=$work/wasm

if [ ! -x "$native/python" ]; then
	rm -rf "$src" "$native"
	tar -C "$work" -xf "$tarball"
	mkdir -p "$native"
	(cd "$native" && ../Python-3.13.5/configure --disable-test-modules --without-ensurepip CFLAGS=-O1 && make -j"$jobs")
fi
python="$native/python -E -s"

# The native build links without the counter, so the tree is patched only now.
if [ ! -e "$src/.patched" ]; then
	$python "$here/patch.py" "$src"
	touch "$src/.patched"
fi

target="--target=wasm32-wasi --sysroot=$sysroot"
export CC="clang-19 $target" CPP="clang-cpp-19 $target" CXX="clang++-19 $target" AR=llvm-ar-19 RANLIB=llvm-ranlib-19
export OPT="-DNDEBUG -O3 -Wall"
export CFLAGS="-msimd128 -ffile-prefix-map=$src=python -ffile-prefix-map=$wasm=build -fno-strict-aliasing
 -Wno-error=implicit-function-declaration -Wno-error=incompatible-function-pointer-types -Wno-error=int-conversion"
CFLAGS=$(echo $CFLAGS)
# No dynamic loading; and no clock_nanosleep, whose absolute form wazero does not serve.
if [ ! -e "$wasm/Makefile" ]; then
	mkdir -p "$wasm"
	(cd "$wasm" && PKG_CONFIG_LIBDIR="$sysroot/lib/pkgconfig" PKG_CONFIG_PATH= \
		CONFIG_SITE="$src/Tools/wasm/config.site-wasm32-wasi" ac_cv_func_dlopen=no ac_cv_lib_dl_dlopen=no \
		ac_cv_func_clock_nanosleep=no ac_cv_lib_rt_clock_nanosleep=no \
		../Python-3.13.5/configure --host=wasm32-wasip1 --build="$(gcc -dumpmachine)" --with-build-python="$native/python" \
		--with-pymalloc --enable-big-digits=30 --without-mimalloc --disable-test-modules --without-ensurepip --prefix=/usr/local)
fi
libs="libpython3.13.a Modules/expat/libexpat.a Modules/_decimal/libmpdec/libmpdec.a Modules/_hacl/libHacl_Hash_SHA2.a"
(cd "$wasm" && make -j"$jobs" $libs)

(cd "$wasm" && $CC -O3 -msimd128 "-ffile-prefix-map=$here=guest" "-ffile-prefix-map=$src=python" -D_WASI_EMULATED_SIGNAL \
	-I"$src/Include" -I"$wasm" -c "$here/guest.c" -o guest.o
$CC -mexec-model=reactor -Wl,-z,stack-size=8388608 -Wl,--stack-first -Wl,--strip-all -o full.wasm guest.o $libs \
	-lwasi-emulated-signal -lwasi-emulated-getpid -lwasi-emulated-process-clocks -lm)

$python "$here/stdlib.py" "$src/Lib" "$here/stdlib.zip"
(cd "$here" && CGO_ENABLED=0 go run ./freeze -module "$wasm/full.wasm" -stdlib stdlib.zip -boot boot.py -out "$work")
gzip -9nc "$work/module.wasm" >"$here/module.wasm.gz"
gzip -9nc "$work/snapshot.bin" >"$here/snapshot.bin.gz"
(cd "$here" && sha256sum module.wasm.gz snapshot.bin.gz stdlib.zip >SHA256SUMS && ls -l module.wasm.gz snapshot.bin.gz stdlib.zip)
