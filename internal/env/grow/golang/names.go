package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// thing is an entity with what the names in its texts stand for.
type thing struct {
	grow.Entity
	values grow.Values
}

// newThing names an entity in Go. Its fields, and the first one of each kind that it has, carry its own names as well.
func newThing(e grow.Entity, project grow.Values) thing {
	first, many := e.Fields[0], grow.Plural(e.Name)
	names := project.With(grow.Values{
		"Type":  grow.Pascal(e.Name),                  // LoanRequest
		"Many":  grow.Pascal(many),                    // LoanRequests
		"var":   grow.Camel(e.Name),                   // loanRequest
		"file":  e.Name,                               // loan_request
		"words": grow.Words(e.Name),                   // loan request
		"many":  grow.Words(many),                     // loan requests
		"table": many,                                 // loan_requests
		"path":  grow.Kebab(many),                     // loan-requests
		"pkg":   strings.ReplaceAll(many, "_", ""),    // loanrequests
		"topic": strings.ReplaceAll(e.Name, "_", "."), // loan.request
		"width": len(e.Fields),
		// What a record is called by.
		"Label": grow.Pascal(first.Name), "label": grow.Words(first.Name), "labelkey": first.Name, "labelvar": grow.Camel(first.Name),
	})
	fields, ofKind := grow.FieldValues(e, names, fieldNames)
	values := names.With(ofKind)
	values["fields"], values["others"] = fields, fields[1:]
	values["labels"] = each(e, ", ", func(f grow.Field) string { return grow.Words(f.Name) })
	values["columns"] = each(e, ", ", func(f grow.Field) string { return f.Name })
	values["marks"] = each(e, ", ", func(grow.Field) string { return "?" })
	return thing{e, values}
}

// fieldNames names a field in Go.
func fieldNames(i int, f grow.Field) grow.Values {
	v := grow.Values{
		"Field":    grow.Pascal(f.Name), // PriceCents
		"field":    grow.Words(f.Name),  // price cents
		"key":      f.Name,              // price_cents
		"fieldvar": grow.Camel(f.Name),  // priceCents
		"gotype":   goType(f.Kind),
		"sample":   sample(f),
		"index":    i,
	}
	if f.Kind == grow.State {
		v["states"], v["last"] = `"`+strings.Join(f.Words, `", "`)+`"`, fmt.Sprintf("%q", f.Words[len(f.Words)-1])
	}
	return v
}

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

// sample is a value that a field may have, in Go.
func sample(f grow.Field) string {
	switch f.Kind {
	case grow.Email:
		return `"someone@example.org"`
	case grow.Cents:
		return "1250"
	case grow.Count:
		return "3"
	case grow.Ratio:
		return "0.25"
	case grow.Time:
		return "1_700_000_000"
	case grow.Flag:
		return "true"
	case grow.State:
		return fmt.Sprintf("%q", f.Words[0])
	case grow.Tags:
		return `[]string{"first", "second"}`
	}
	return fmt.Sprintf("%q", grow.Words(f.Name))
}

// each writes something about every field of an entity and joins it.
func each(e grow.Entity, between string, write func(f grow.Field) string) string {
	parts := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		parts[i] = write(f)
	}
	return strings.Join(parts, between)
}
