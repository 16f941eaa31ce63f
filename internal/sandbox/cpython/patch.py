"""Patch a CPython 3.13 source tree so that a host can count and stop its work.

usage: patch.py SRCDIR

Every edit must match exactly once, so a changed release is noticed instead of half patched. The counter is
dr_fuel (guest.c); when it runs out, or when the host has set dr_bell, dr_fuel_out asks the host, which either grants
more steps or has KeyboardInterrupt raised right there.
"""
import pathlib
import sys

DECL = (
    "#include <stdint.h>\n"
    "extern int64_t dr_fuel;\n"
    "extern volatile int32_t dr_bell;\n"
    "extern int dr_fuel_out(void);\n"
    "#define DR_SPENT(w) __builtin_expect(((dr_fuel -= (w)) < 0) | dr_bell, 0)\n"
    "#define DR_TICK(w, bad) if (DR_SPENT(w) && dr_fuel_out()) { bad; }\n"
)

EDITS = [
    (
        "Include/internal/pycore_ceval.h",
        "#ifndef Py_INTERNAL_CEVAL_H\n#define Py_INTERNAL_CEVAL_H\n",
        "#ifndef Py_INTERNAL_CEVAL_H\n#define Py_INTERNAL_CEVAL_H\n" + DECL,
    ),
    # Backward jumps, calls of C functions and unspecialised function entry.
    (
        "Python/ceval_macros.h",
        "    _Py_CHECK_EMSCRIPTEN_SIGNALS_PERIODICALLY(); \\\n    QSBR_QUIESCENT_STATE(tstate); \\\n",
        "    DR_TICK(1, GOTO_ERROR(error)) \\\n    QSBR_QUIESCENT_STATE(tstate); \\\n",
    ),
    # Specialised function entry does not check the eval breaker: recursion without loops would be free.
    # An empty counter falls back to RESUME, which checks.
    (
        "Python/generated_cases.c.h",
        'INSTRUCTION_STATS(RESUME_CHECK);\n            static_assert(0 == 0, "incorrect cache size");\n',
        'INSTRUCTION_STATS(RESUME_CHECK);\n            static_assert(0 == 0, "incorrect cache size");\n'
        "            DEOPT_IF(DR_SPENT(1), RESUME);\n",
    ),
    # C code that polls for signals: big integers, repr and str, io.
    (
        "Modules/signalmodule.c",
        "int\nPyErr_CheckSignals(void)\n{\n    PyThreadState *tstate = _PyThreadState_GET();\n",
        "int\nPyErr_CheckSignals(void)\n{\n    PyThreadState *tstate = _PyThreadState_GET();\n    DR_TICK(10, return -1)\n",
    ),
    # Regular expressions poll once in 4096 operations: charge for them.
    ("Modules/_sre/sre.c", '#include "sre.h"', DECL + '#include "sre.h"'),
    (
        "Modules/_sre/sre_lib.h",
        "        if ((0 == (++sigcount & 0xfff)) && PyErr_CheckSignals())",
        "        if ((0 == (++sigcount & 0xfff)) && (dr_fuel -= 4000, PyErr_CheckSignals()))",
    ),
    # Comparisons of a sort; the list stays a permutation of itself when one fails.
    (
        "Objects/listobject.c",
        "#define ISLT(X, Y) (*(ms->key_compare))(X, Y, ms)",
        "#define ISLT(X, Y) ((DR_SPENT(1) && dr_fuel_out()) ? -1 : (*(ms->key_compare))(X, Y, ms))",
    ),
]

# Iterators which C consumers (sum, max, deque, all, ...) drain without running any bytecode.
ITERATORS = {
    "Objects/rangeobject.c": ["rangeiter_next(_PyRangeIterObject *r)", "longrangeiter_next(longrangeiterobject *r)"],
    "Objects/iterobject.c": ["calliter_iternext(calliterobject *it)"],
    "Modules/itertoolsmodule.c": [
        "cycle_next(cycleobject *lz)",
        "count_next(countobject *lz)",
        "repeat_next(repeatobject *ro)",
        "product_next(productobject *lz)",
        "combinations_next(combinationsobject *co)",
        "cwr_next(cwrobject *co)",
        "permutations_next(permutationsobject *po)",
    ],
}


def main() -> None:
    root = pathlib.Path(sys.argv[1])
    edits = list(EDITS)
    for name, heads in ITERATORS.items():
        for head in heads:
            edits.append((name, f"\n{head}\n{{\n", f"\n{head}\n{{\n    DR_TICK(1, return NULL)\n"))
    for name, old, new in edits:
        path = root / name
        text = path.read_text()
        if (n := text.count(old)) != 1:
            sys.exit(f"{name}: expected one match, found {n}: {old!r}")
        path.write_text(text.replace(old, new))
    print(len(edits), "edits")


main()
