// Package model is what the flow engine knows of libraries: where untrusted values come from, where they do harm, what cleans
// them, and what hands them on. The *.txt files beside this one say it, a file a framework; [Parse] tells their form.
package model

import (
	"slices"
	"strings"
)

// Kinds is a set of harms: one bit for each of Names.
type Kinds uint32

// Quoted is what an escaped text is clean for: a statement of SQL in which it stands between quotes.
var Quoted = KindOf("quoted")

// Object is what a value is clean for that is no text: where a list, a map or something of a class is, no text comes.
var Object = KindOf("object")

// Names are the harms. A kind is what rules ask for, and what a cleaner cleans for.
var Names = []string{"sql", "command", "path", "xss", "ssrf", "redirect", "code", "deserialization", "template", "nosql", "xpath",
	"ldap", "header", "log", "trust", "regex", "xml", "include", "quoted", "pollution", "object"}

// All is every kind.
const All = Kinds(1<<32 - 1)

// KindOf is the kind of a name, 0 for none.
func KindOf(name string) Kinds {
	if name == "all" {
		return All
	}
	i := slices.Index(Names, name)
	if i < 0 {
		return 0
	}
	return 1 << i
}

// String names the first kind of the set.
func (k Kinds) String() string {
	for i, n := range Names {
		if k&(1<<i) != 0 {
			return n
		}
	}
	return ""
}

// Receiver, Result and AnyArg are the places of a call beside its arguments by number.
const (
	Receiver = -1 - iota
	Result
	AnyArg
	Key   // of an assignment to an index
	Words // all arguments as a list
	Rest  // all but the first, as a list
	Form  // the text that a template makes of the arguments behind it
)

// Position is a place of a call: an argument by number or name, or one of the constants.
type Position struct {
	Arg  int
	Name string // of a keyword argument
}

// Sink is a place that must not be given untrusted values.
type Sink struct {
	Kind Kinds
	Args []Position
	// If names a keyword argument that must be constant and equal to Is, or "" for one that need only be there.
	If, Is string
	// Unless names a keyword argument whose presence makes the call harmless.
	Unless string
	// Text says that a value counts only where it stands in a text that is visibly of the sink's language.
	Text bool
	// Page says that it counts only where the response was said to be a page.
	Page bool
	// Exposed says that a function that hands its own parameter here is worth a word by itself.
	Exposed bool
}

// Pass hands values on.
type Pass struct{ From, To Position }

// Callback says what the parameters of a function are that is handed to a call.
type Callback struct {
	Arg    int
	Params []string
}

// Table is what is known of the libraries of one language.
type Table struct {
	sources   index[bool]
	stored    index[bool]
	members   map[string][]string // of things that untrusted values are taken from: by the thing's name
	sinks     index[Sink]
	cleans    index[Kinds]
	guards    index[Kinds]
	passes    index[Pass]
	enters    index[Position]
	types     index[string]
	callbacks index[Callback]
	routes    index[bool]
	leaves    index[bool]
	named     map[string]string
	annotated map[string]bool
	given     map[string]bool // calls that are known by what they are given
}

// Given reports a call that the table may know by what it is given, as in "fopen(php://input)".
func (t *Table) Given(full string) bool { return t.given[key(full)] }

// Source reports an expression of untrusted value.
func (t *Table) Source(full string) bool { return len(t.sources.find(full)) > 0 }

// Stored reports a call that gives what a database holds, which its users wrote: it does harm in a page.
func (t *Table) Stored(full string) bool { return len(t.stored.find(full)) > 0 }

// Members are the names under which a thing gives untrusted values.
func (t *Table) Members(full string) []string { return t.members[full] }

// Sinks are what a call can do harm with.
func (t *Table) Sinks(full string) []Sink { return t.sinks.find(full) }

// Clean is what a call cleans its argument for.
func (t *Table) Clean(full string) (k Kinds) {
	for _, c := range t.cleans.find(full) {
		k |= c
	}
	return k
}

// Guard is what a call that holds has made sure of.
func (t *Table) Guard(full string) (k Kinds) {
	for _, c := range t.guards.find(full) {
		k |= c
	}
	return k
}

// Passes is how a call hands values on.
func (t *Table) Passes(full string) []Pass { return t.passes.find(full) }

// Enters are the places of a call that it puts untrusted values into.
func (t *Table) Enters(full string) []Position { return t.enters.find(full) }

// PassesExactly reports a call that hands values on and is named in full.
func (t *Table) PassesExactly(full string) bool {
	for _, e := range t.passes[key(full)] {
		if e.pattern == full {
			return true
		}
	}
	return false
}

// Type is the name of what an expression gives, "" for unknown.
func (t *Table) Type(full string) string {
	if all := t.types.find(full); len(all) > 0 {
		return all[0]
	}
	return ""
}

// Callbacks are the functions that a call is handed and calls itself.
func (t *Table) Callbacks(full string) []Callback { return t.callbacks.find(full) }

// Route reports a decorator of a function that a framework calls for a request.
func (t *Table) Route(full string) bool { return len(t.routes.find(full)) > 0 }

// Leaves reports a call that does not come back.
func (t *Table) Leaves(full string) bool { return len(t.leaves.find(full)) > 0 }

// Named is what a parameter of such a name is by custom, "" for nothing.
func (t *Table) Named(param string) string { return t.named[param] }

// Annotated reports an annotation that binds a parameter to a request.
func (t *Table) Annotated(name string) bool { return t.annotated[name] }

// index finds entries by the last part of a name.
type index[T any] map[string][]entry[T]

type entry[T any] struct {
	pattern string
	value   T
}

func (x index[T]) add(pattern string, v T) {
	k := key(pattern)
	x[k] = append(x[k], entry[T]{pattern, v})
}

func key(full string) string {
	if i := strings.LastIndexByte(full, '('); i > 0 && strings.HasSuffix(full, ")") && !strings.HasSuffix(full, "()") {
		return key(full[:i]) + full[i:]
	}
	return strings.TrimSuffix(full[strings.LastIndexByte(full, '.')+1:], "()")
}

func (x index[T]) find(full string) []T {
	var found []T
	k := key(full)
	for _, e := range x[k] {
		if matches(e.pattern, full) {
			found = append(found, e.value)
		}
	}
	if begin, _, ok := strings.Cut(k, "_"); ok {
		for _, e := range x[begin+"_*"] {
			if matches(e.pattern, full[:len(full)-len(k)]+begin+"_*") {
				found = append(found, e.value)
			}
		}
	}
	return found
}

// matches compares a name with a pattern; one that begins with "*" leaves open what stands before, and ".*." in it one part.
func matches(pattern, full string) bool {
	rest, ok := strings.CutPrefix(pattern, "*")
	if !ok {
		return pattern == full
	}
	before, after, inner := strings.Cut(rest, ".*.")
	if !inner {
		return strings.HasSuffix(full, rest)
	}
	front, ok := strings.CutSuffix(full, "."+after)
	i := strings.LastIndexByte(front, '.')
	return ok && i > 0 && strings.HasSuffix(front[:i], before)
}
