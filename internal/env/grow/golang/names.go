package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// thing is an entity with its names in Go.
type thing struct {
	grow.Entity
	Type   string // LoanRequest
	Many   string // LoanRequests
	Var    string // loanRequest
	Vars   string // loanRequests
	File   string // loan_request
	Table  string // loan_requests
	Human  string // loan request
	fields []field
}

// field is a field of an entity with its names in Go.
type field struct {
	grow.Field
	Go    string // PriceCents
	Type  string // int64
	Human string // price cents
}

func things(entities []grow.Entity) []thing {
	out := make([]thing, 0, len(entities))
	for _, e := range entities {
		t := thing{Entity: e, Type: pascal(e.Name), File: e.Name, Human: strings.ReplaceAll(e.Name, "_", " ")}
		t.Table = plural(e.Name)
		t.Many = pascal(t.Table)
		t.Var, t.Vars = lower(t.Type), lower(t.Many)
		for _, f := range e.Fields {
			t.fields = append(t.fields, field{Field: f, Go: pascal(f.Name), Type: goType(f.Kind), Human: strings.ReplaceAll(f.Name, "_", " ")})
		}
		out = append(out, t)
	}
	return out
}

// first is the first field of one of the kinds, in the order of the kinds.
func (t thing) first(kinds ...grow.Kind) (field, bool) {
	for _, k := range kinds {
		for _, f := range t.fields {
			if f.Kind == k {
				return f, true
			}
		}
	}
	return field{}, false
}

// label is the field that a record is called by: there always is one.
func (t thing) label() field { return t.fields[0] }

func goType(k grow.Kind) string {
	switch k {
	case grow.Cents, grow.Time:
		return "int64"
	case grow.Count:
		return "int"
	case grow.Ratio:
		return "float64"
	case grow.Flag:
		return "bool"
	case grow.Tags:
		return "[]string"
	}
	return "string"
}

func pascal(snake string) string {
	var b strings.Builder
	for _, word := range strings.Split(snake, "_") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

func lower(name string) string { return strings.ToLower(name[:1]) + name[1:] }

func plural(noun string) string {
	switch {
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ey") && !strings.HasSuffix(noun, "ay"):
		return noun[:len(noun)-1] + "ies"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "sh"):
		return noun + "es"
	}
	return noun + "s"
}

// capped gives the things that a program wires and its README lists: in a large project the rest is for others to use.
func capped(all []thing) []thing { return all[:min(len(all), 40)] }
