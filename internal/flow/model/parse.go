package model

import (
	"embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

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
	return &Table{sources: index[bool]{}, stored: index[bool]{}, members: map[string][]string{}, sinks: index[Sink]{}, cleans: index[Kinds]{},
		guards: index[Kinds]{}, passes: index[Pass]{}, enters: index[Position]{},
		types: index[string]{}, callbacks: index[Callback]{}, routes: index[bool]{}, leaves: index[bool]{}, named: map[string]string{},
		annotated: map[string]bool{}, given: map[string]bool{}}
}

// Parse reads a file of lines into the tables of the languages that it names. Empty lines and what follows "# " say nothing;
// {a,b} in a name stands for each of the words, "*." before a name for whatever it belongs to, ".*." in such a name for one part,
// and "_*" at its end for whatever follows. f(x) is a call that is given x, a constant's text or a name, and f(*) one that is
// given anything:
//
//	language LANGUAGE...
//	source NAME...                 the expression's value is untrusted
//	stored NAME...                 the call gives what a database holds, which does harm in a page
//	sink KIND NAME... AT...        untrusted values do harm at these places of a call, of one KIND of Names. AT is @0 (an
//	                               argument), @name (a keyword argument), @* (all), @form (what a template makes of the
//	                               arguments behind it), @recv, @value and @key (of an assignment to it).
//	                               "if=name:value" asks for a keyword argument, "unless=name" for none; "text" asks for text
//	                               that is visibly of the language at stake, "page" for a response
//	                               that was said to be one; "exposed" reports parameters that get there, too
//	clean KIND,... NAME...         the result of the call, or the member, is clean for the KINDs, or for all
//	guard KIND,... NAME...         its argument is clean where the call holds
//	pass NAME... AT -> AT          hands on: @result and @recv may be the end
//	enter NAME... AT               puts an untrusted value into a variable that it is handed
//	type NAME... = NAME            what the expression gives is called by the second name
//	callback NAME... @0 NAME...    a function that is handed to the call has parameters of these names; "export:NAME" stands for a
//	                               function that a framework calls because a file exports it under the name
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
		if strings.HasPrefix(w, "@") || strings.ContainsAny(w, "=>") || w == "text" || w == "exposed" || w == "page" {
			other = append(other, w)
		} else {
			names = append(names, expand(w)...)
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: no name", what)
	}
	for _, n := range names {
		if i := strings.LastIndexByte(n, '('); i > 0 && strings.HasSuffix(n, ")") && !strings.HasSuffix(n, "()") {
			t.given[key(n[:i])] = true
		}
	}
	switch what {
	case "source":
		addAll(t.sources, names, true)
		for _, n := range names {
			if i := strings.LastIndexByte(n, '.'); i > 0 && n[0] != '*' {
				t.members[n[:i]] = append(t.members[n[:i]], n[i+1:])
			}
		}
	case "stored":
		addAll(t.stored, names, true)
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
	case "enter":
		if len(other) != 1 {
			return fmt.Errorf("want one place")
		}
		addAll(t.enters, names, position(other[0]))
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
		case w == "page":
			s.Page = true
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
	case "form":
		return Position{Arg: Form}
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
