"""Pack the standard library as compiled files, with fixed dates, so that equal sources give equal bytes.

usage: stdlib.py LIB OUT.zip   (run by the native interpreter of the same version)
"""
import importlib._bootstrap_external as bootstrap
import os
import sys
import zipfile

import _imp

# What cannot work without processes, sockets or a terminal, or is of no use to a program.
SKIP = set(
    "test tests idlelib lib2to3 tkinter turtledemo ensurepip venv pydoc_data site-packages __pycache__ curses dbm sqlite3"
    " ctypes multiprocessing msilib distutils xmlrpc wsgiref _pyrepl turtle.py antigravity.py this.py _ios_support.py"
    " _android_support.py _apple_support.py webbrowser.py".split()
)


def main() -> None:
    lib, out = sys.argv[1:]
    names = []
    for folder, folders, files in os.walk(lib):
        folders[:] = sorted(f for f in folders if f not in SKIP)
        names += [os.path.join(folder, f) for f in sorted(files) if f.endswith(".py") and f not in SKIP]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
        for name in sorted(names):
            rel = os.path.relpath(name, lib)
            with open(name, "rb") as f:
                source = f.read()
            code = compile(source, "/py/lib/" + rel, "exec", dont_inherit=True, optimize=0)
            digest = _imp.source_hash(bootstrap._RAW_MAGIC_NUMBER, source)
            data = bootstrap._code_to_hash_pyc(code, digest, False)
            z.writestr(zipfile.ZipInfo(rel + "c", (2020, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    print(len(names), "modules,", os.path.getsize(out), "bytes")


main()
