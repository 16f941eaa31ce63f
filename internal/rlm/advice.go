package rlm

import (
	"fmt"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// repeatAt is how many times in a row the same error must come before it is named as such.
const repeatAt = 3

// repeats watches for a root that makes the same mistake again and again. The reference's weakest root met one
// SyntaxError 17 times in three turns.
type repeats struct {
	last string
	run  int
}

// add notes a cell's error (nil for success) and returns the length of the present run of equal errors.
func (r *repeats) add(e *sandbox.PyError) int {
	if e == nil {
		r.last, r.run = "", 0
		return 0
	}
	key := e.Type + ": " + digits.ReplaceAllString(e.Message, "#")
	if key == r.last {
		r.run++
	} else {
		r.last, r.run = key, 1
	}
	return r.run
}

var digits = regexp.MustCompile(`\d+`)

// known mistakes of roots, each with one line of advice. The first that fits is given.
var known = []struct {
	errType string
	message *regexp.Regexp
	advice  string
}{
	{"SyntaxError", regexp.MustCompile(`unterminated (triple-quoted )?(f-)?string|EOL while|EOF while`),
		`a string is not closed: build long prompts from parts, "\n".join([...]), instead of one large literal`},
	{"SyntaxError", regexp.MustCompile(`f-string|invalid syntax.*f"`),
		"keep code out of f-strings: assign the parts to variables first and concatenate them"},
	{"SyntaxError", regexp.MustCompile(`await|outside (async )?function`),
		"llm_query and llm_batch are ordinary functions: call them without await, at the top level"},
	{"IndentationError", regexp.MustCompile(``), "write the cell without indentation on its first line, four spaces a level after it"},
	{"KeyError", regexp.MustCompile(`codebase`), "take paths from `list(codebase)`; they are relative and start without ./ or /"},
	{"NameError", regexp.MustCompile(`name '`), "SHOW_VARS() lists what there is; a cell that failed half way may not have made its later variables"},
	{"ModuleNotFoundError", regexp.MustCompile(``), "only the pure parts of the standard library are here; work with codebase, re, json, collections"},
	{"FileNotFoundError", regexp.MustCompile(``), "there is no file system: a file's text is codebase[path]"},
	{"PermissionError", regexp.MustCompile(``), "there is no file system: a file's text is codebase[path]"},
	{"TypeError", regexp.MustCompile(`string indices|'str' object|DispatchError`),
		"llm_query returns a string and llm_batch a list of strings: json.loads(reply) when you asked for JSON, with try/except"},
	{"JSONDecodeError", regexp.MustCompile(``), "a worker's reply need not be JSON: wrap json.loads in try/except and keep the text"},
	{"MemoryError", regexp.MustCompile(``), "do not build copies of the whole codebase: go file by file"},
	{"KeyboardInterrupt", regexp.MustCompile(``), "the cell ran into its limit: let the workers read, do not scan everything in Python"},
	{"EOFError", regexp.MustCompile(``), "nobody is at the keyboard: input() cannot be answered"},
}

// advise returns what helps against an error, or "". From the third equal error on it says that it is the same one.
func advise(e *sandbox.PyError, run int) string {
	var advice string
	for _, k := range known {
		if k.errType == e.Type && k.message.MatchString(e.Message) {
			advice = k.advice
			break
		}
	}
	if run < repeatAt {
		if advice == "" {
			return ""
		}
		return "Advice: " + advice
	}
	again := fmt.Sprintf("This is the same error %d times in a row (%s). Do not send a variation of that cell again: "+
		"write the smallest cell that could work, one statement, and look at what it prints.", run, e.Type)
	if advice != "" {
		again += " " + upperFirst(advice) + "."
	}
	return again
}

// stopAdvice explains a cell that a limit ended.
var stopAdvice = map[trace.CellStop]string{
	trace.CellSteps:  "The cell was stopped: it ran too many Python steps. Its variables are kept. Let the workers read; do not scan everything in Python.",
	trace.CellWall:   "The cell was stopped: it ran too long. Its variables are kept. Let the workers read; do not scan everything in Python.",
	trace.CellMemory: "The cell was stopped: it used too much memory. Go file by file instead of building copies of the codebase.",
	trace.CellKilled: "The cell was stopped by force: it did not react to its limit. The variables are as they were before it.",
}
