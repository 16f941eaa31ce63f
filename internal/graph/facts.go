package graph

import "strings"

// facts are what one file says by itself: all that is needed of its tree, and all that the cache keeps. Nothing in it is
// resolved, and nothing depends on another file or on the file's own path.
type facts struct {
	Package string   `json:"p,omitempty"` // Go's package, Java's package, PHP's namespace
	Symbols []symbol `json:"s,omitempty"` // in source order: an outer one stands before its inner ones
	Imports []bring  `json:"i,omitempty"`
	Refs    []ref    `json:"r,omitempty"`
	Binds   []bind   `json:"b,omitempty"`
	Broken  bool     `json:"x,omitempty"` // the text did not parse whole
	Why     string   `json:"w,omitempty"` // why there are none, where the parser gave up
}

// symbol is a definition as its file states it.
type symbol struct {
	Name      string   `json:"n"`
	Kind      Kind     `json:"k"`
	Parent    int32    `json:"p"` // the definition around it, -1 for none
	Line      int32    `json:"l"`
	End       int32    `json:"e"`
	Signature string   `json:"g,omitempty"`
	Doc       string   `json:"d,omitempty"`
	Exported  bool     `json:"x,omitempty"`
	Bases     []string `json:"b,omitempty"` // chains of the classes that it extends
	Owner     string   `json:"o,omitempty"` // chain of the type that it belongs to where that stands elsewhere: Go's receivers
	// Value is a chain for what it gives: a function's result, a variable's value.
	Value  string `json:"v,omitempty"`
	Params int16  `json:"a,omitempty"`
	// Declared marks what is only announced here and defined elsewhere: prototypes, signatures of overloads, abstract methods.
	Declared bool `json:"c,omitempty"`
	// Adds marks what adds to the definition of its name that stands before it: Python's setters.
	Adds   bool `json:"m,omitempty"`
	Static bool `json:"t,omitempty"` // the file's own: C's static
}

// bring is a name that a file brings in from elsewhere.
type bring struct {
	Module string `json:"m"`           // as the file names it
	Name   string `json:"n,omitempty"` // of the module's, "" for the module itself, "*" for all of them
	As     string `json:"a,omitempty"` // what it is called here, "" for nothing
	Line   int32  `json:"l"`
	In     int32  `json:"f"` // the function that it is brought into, -1 for the file
	Export bool   `json:"x,omitempty"`
}

// ref is a place where a file uses a name. Its chain is the expression as far as names go: see chain.go.
type ref struct {
	Chain string `json:"c"`
	Role  uint8  `json:"r,omitempty"` // a Role, as a number
	Line  int32  `json:"l"`
	In    int32  `json:"f"` // the definition around it, -1 for none
	Args  int16  `json:"a,omitempty"`
}

// bind is a name that only means something within a function or class: a parameter, a local variable, a field.
type bind struct {
	Name  string `json:"n"`
	Chain string `json:"c,omitempty"` // what it holds, "" for unknown
	In    int32  `json:"f"`
}

// What of one file is remembered at most, and how much of one text: files may be hostile.
const (
	maxSymbols = 20_000
	maxRefs    = 200_000
	maxText    = 160
	maxChain   = 200
)

// check reports facts that the rest can index with: those of a cache may be torn or written by someone else.
func (f *facts) check(lines int) bool {
	if len(f.Symbols) > maxSymbols || len(f.Refs) > maxRefs || len(f.Binds) > maxRefs || len(f.Imports) > maxSymbols {
		return false
	}
	inside := func(i int32, below int) bool { return i >= -1 && int(i) < below }
	line := func(n int32) bool { return n >= 1 && int(n) <= max(lines, 1) }
	n := len(f.Symbols)
	for i, s := range f.Symbols {
		if !inside(s.Parent, i) || !line(s.Line) || !line(s.End) || s.End < s.Line || !s.Kind.known() || s.Name == "" ||
			len(s.Name) > maxText || len(s.Bases) > maxBases {
			return false
		}
	}
	for _, b := range f.Imports {
		if !inside(b.In, n) || !line(b.Line) {
			return false
		}
	}
	for _, r := range f.Refs {
		if !inside(r.In, n) || !line(r.Line) || len(r.Chain) > maxChain || r.Chain == "" ||
			Role(r.Role) > Extends {
			return false
		}
	}
	for _, b := range f.Binds {
		if !inside(b.In, n) || len(b.Chain) > maxChain {
			return false
		}
	}
	return true
}

const maxBases = 30

// self is the module of names that a file brings in from itself, under another name.
const self = "@self"

// cut is the first line of a text, without the spaces around it, and not too long.
func cut(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	text = strings.TrimSpace(text)
	if len(text) <= maxText {
		return strings.Clone(text) // the rest need not be kept
	}
	return strings.ToValidUTF8(text[:maxText-3], "") + "..."
}
