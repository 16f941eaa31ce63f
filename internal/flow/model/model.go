// Package model is what the flow engine knows of libraries: where untrusted values come from, where they do harm, what cleans
// them, and what hands them on. The *.txt files beside this one say it, a file a framework; [Parse] tells their form.
package model

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Kinds is a set of harms: one bit for each of Names.
type Kinds uint32

// Names are the harms. A kind is what rules ask for, and what a cleaner cleans for.
var Names = []string{"sql", "command", "path", "xss", "ssrf", "redirect", "code", "deserialization", "template", "nosql", "xpath",
	"ldap", "header", "log", "trust", "regex", "xml", "format"}

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
	sinks     index[Sink]
	cleans    index[Kinds]
	guards    index[Kinds]
	passes    index[Pass]
	types     index[string]
	callbacks index[Callback]
	routes    index[bool]
	leaves    index[bool]
	named     map[string]string
	annotated map[string]bool
}

// Source reports an expression of untrusted value.
func (t *Table) Source(full string) bool { return len(t.sources.find(full)) > 0 }

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
	return strings.TrimSuffix(full[strings.LastIndexByte(full, '.')+1:], "()")
}

func (x index[T]) find(full string) []T {
	var found []T
	for _, e := range x[key(full)] {
		if matches(e.pattern, full) {
			found = append(found, e.value)
		}
	}
	return found
}

// matches compares a name with a pattern; one that begins with "*." leaves open what stands before.
func matches(pattern, full string) bool {
	if rest, ok := strings.CutPrefix(pattern, "*"); ok {
		return strings.HasSuffix(full, rest)
	}
	return pattern == full
}

//go:embed *.txt
var files embed.FS

var tables = sync.OnceValues(func() (map[string]*Table, error) {
	all := map[string]*Table{}
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		if err := Parse(e.Name(), string(text), all); err != nil {
			return nil, err
		}
	}
	return all, nil
})

// Of is the table of a language. The tables are part of the program, so a mistake in one is a panic.
func Of(language string) *Table {
	all, err := tables()
	if err != nil {
		panic(err)
	}
	if t := all[language]; t != nil {
		return t
	}
	return newTable()
}

func newTable() *Table {
	return &Table{sources: index[bool]{}, sinks: index[Sink]{}, cleans: index[Kinds]{}, guards: index[Kinds]{}, passes: index[Pass]{},
		types: index[string]{}, callbacks: index[Callback]{}, routes: index[bool]{}, leaves: index[bool]{}, named: map[string]string{},
		annotated: map[string]bool{}}
}

// Parse reads a file of lines into the tables of the languages that it names. Empty lines and what follows "# " say nothing;
// {a,b} in a name stands for each of the words, and "*." before a name for whatever it belongs to:
//
//	language LANGUAGE...
//	source NAME...                 the expression's value is untrusted
//	sink KIND NAME... AT...        untrusted values do harm at these places of a call, of one KIND of Names. AT is @0 (an
//	                               argument), @name (a keyword argument), @* (all), @recv, @value and @key (of an assignment to it).
//	                               "if=name:value" asks for a keyword argument, "unless=name" for none; "text" asks for text
//	                               that is visibly of the language at stake; "exposed" reports parameters that get there, too
//	clean KIND,... NAME...         the call's result is clean for the KINDs, or for all
//	guard KIND,... NAME...         its argument is clean where the call holds
//	pass NAME... AT -> AT          hands on: @result and @recv may be the end
//	type NAME... = NAME            what the expression gives is called by the second name
//	callback NAME... @0 NAME...    a function that is handed to the call has parameters of these names
//	leave NAME...                  does not come back
//	named NAME PARAMETER...        a parameter that is called so is this by custom
//	annotated ANNOTATION...        binds a parameter to a request
//	route DECORATOR...             a framework calls the function for a request, with parts of its address
func Parse(file, text string, all map[string]*Table) error {
	var into []*Table
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "# ")
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if words[0] == "language" {
			into = nil
			for _, l := range words[1:] {
				if all[l] == nil {
					all[l] = newTable()
				}
				into = append(into, all[l])
			}
			continue
		}
		if len(into) == 0 {
			return fmt.Errorf("%s:%d: no language stands before it", file, i+1)
		}
		for _, t := range into {
			if err := t.line(words[0], words[1:]); err != nil {
				return fmt.Errorf("%s:%d: %w", file, i+1, err)
			}
		}
	}
	return nil
}

func (t *Table) line(what string, words []string) error {
	var names, other []string
	for _, w := range words {
		if strings.HasPrefix(w, "@") || strings.ContainsAny(w, "=>") || w == "text" || w == "exposed" {
			other = append(other, w)
		} else {
			names = append(names, expand(w)...)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: no name", what)
	}
	switch what {
	case "source":
		addAll(t.sources, names, true)
	case "leave":
		addAll(t.leaves, names, true)
	case "route":
		addAll(t.routes, names, true)
	case "clean", "guard":
		var k Kinds
		for _, w := range strings.Split(names[0], ",") {
			if KindOf(w) == 0 {
				return fmt.Errorf("unknown kind %q", w)
			}
			k |= KindOf(w)
		}
		if what == "clean" {
			addAll(t.cleans, names[1:], k)
		} else {
			addAll(t.guards, names[1:], k)
		}
	case "sink":
		s, err := sink(names[0], other)
		if err != nil {
			return err
		}
		addAll(t.sinks, names[1:], s)
	case "pass":
		if len(other) != 3 {
			return fmt.Errorf("want AT -> AT, got %q", other)
		}
		addAll(t.passes, names, Pass{position(other[0]), position(other[2])})
	case "type":
		if len(names) < 2 || len(other) != 1 {
			return fmt.Errorf("want NAME... = NAME")
		}
		addAll(t.types, names[:len(names)-1], names[len(names)-1])
	case "callback":
		if len(other) != 1 {
			return fmt.Errorf("want one place")
		}
		var callees, params []string
		seen := false
		for _, w := range words {
			if strings.HasPrefix(w, "@") {
				seen = true
			} else if seen {
				params = append(params, w)
			} else {
				callees = append(callees, expand(w)...)
			}
		}
		addAll(t.callbacks, callees, Callback{position(other[0]).Arg, params})
	case "named":
		for _, p := range names[1:] {
			t.named[p] = names[0]
		}
	case "annotated":
		for _, n := range names {
			t.annotated[n] = true
		}
	default:
		return fmt.Errorf("unknown word %q", what)
	}
	return nil
}

func addAll[T any](x index[T], names []string, v T) {
	for _, n := range names {
		x.add(n, v)
	}
}

func sink(kind string, words []string) (Sink, error) {
	s := Sink{Kind: KindOf(kind)}
	if s.Kind == 0 {
		return s, fmt.Errorf("unknown kind %q", kind)
	}
	for _, w := range words {
		name, value, found := strings.Cut(w, "=")
		switch {
		case w == "text":
			s.Text = true
		case w == "exposed":
			s.Exposed = true
		case found && name == "if":
			s.If, s.Is, _ = strings.Cut(value, ":")
		case found && name == "unless":
			s.Unless = value
		case strings.HasPrefix(w, "@"):
			s.Args = append(s.Args, position(w))
		default:
			return s, fmt.Errorf("unknown word %q", w)
		}
	}
	if len(s.Args) == 0 {
		return s, fmt.Errorf("no place of the call")
	}
	return s, nil
}

func position(w string) Position {
	w = strings.TrimPrefix(w, "@")
	switch w {
	case "recv":
		return Position{Arg: Receiver}
	case "result", "value":
		return Position{Arg: Result}
	case "*":
		return Position{Arg: AnyArg}
	case "key":
		return Position{Arg: Key}
	case "list":
		return Position{Arg: Words}
	case "rest":
		return Position{Arg: Rest}
	}
	if i, err := strconv.Atoi(w); err == nil {
		return Position{Arg: i}
	}
	return Position{Arg: -100, Name: w}
}

// expand writes out a name's {a,b}.
func expand(w string) []string {
	open := strings.IndexByte(w, '{')
	if open < 0 {
		return []string{w}
	}
	shut := strings.IndexByte(w[open:], '}')
	if shut < 0 {
		return []string{w}
	}
	var all []string
	for _, one := range strings.Split(w[open+1:open+shut], ",") {
		for _, rest := range expand(w[open+shut+1:]) {
			all = append(all, w[:open]+one+rest)
		}
	}
	return all
}
