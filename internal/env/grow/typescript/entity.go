package typescript

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// entity is a kind of record with its names in all spellings.
type entity struct {
	Snake, Camel, Pascal, Kebab, Words     string
	Many, ManyPascal, ManyKebab, ManySnake string // in the plural
	Fields                                 []field
}

func newEntity(e grow.Entity) *entity {
	many := plural(e.Name)
	out := &entity{
		Snake: e.Name, Camel: grow.Camel(e.Name), Pascal: grow.Pascal(e.Name), Kebab: grow.Kebab(e.Name), Words: grow.Words(e.Name),
		Many: grow.Camel(many), ManyPascal: grow.Pascal(many), ManyKebab: grow.Kebab(many), ManySnake: many,
	}
	for _, f := range e.Fields {
		out.Fields = append(out.Fields, field{Snake: f.Name, Camel: grow.Camel(f.Name), Pascal: grow.Pascal(f.Name), Words: f.Words,
			Kind: f.Kind.String()})
	}
	return out
}

// Of lists the fields of some kinds.
func (e entity) Of(kinds ...string) []field {
	var out []field
	for _, f := range e.Fields {
		for _, k := range kinds {
			if f.Kind == k {
				out = append(out, f)
			}
		}
	}
	return out
}

// Text is the entity's first field, which is a text.
func (e entity) Text() field { return e.Fields[0] }

// Number is a field to reckon with, or the count of revisions that every record has.
func (e entity) Number() field {
	if fs := e.Of("cents", "count"); len(fs) > 0 {
		return fs[0]
	}
	return field{Snake: "revision", Camel: "revision", Pascal: "Revision", Kind: "count"}
}

// field is one field with its names in all spellings.
type field struct {
	Snake, Camel, Pascal, Kind string
	Words                      []string
}

// Type is the field's type; q is the quote that the project writes.
func (f field) Type(q string) string {
	switch f.Kind {
	case "text", "email":
		return "string"
	case "flag":
		return "boolean"
	case "state":
		return q + strings.Join(f.Words, q+" | "+q) + q
	case "tags":
		return "string[]"
	}
	return "number"
}

// Sample is a value of the field; i makes it another one.
func (f field) Sample(q string, i int) string {
	switch f.Kind {
	case "text":
		return q + fmt.Sprintf("%s %d", grow.Words(f.Snake), i) + q
	case "email":
		return q + fmt.Sprintf("person%d@example.com", i) + q
	case "flag":
		return fmt.Sprint(i%2 == 1)
	case "state":
		return q + f.Words[i%len(f.Words)] + q
	case "tags":
		return fmt.Sprintf("[%st%d%s]", q, i, q)
	case "ratio":
		return fmt.Sprintf("0.%d5", i%9)
	case "time":
		return fmt.Sprint(1700000000 + 3600*i)
	}
	return fmt.Sprint(100*i + 25)
}

// plural is the English plural; the number at the end of a word that has one stays there.
func plural(word string) string {
	base, tail := word, ""
	if i := strings.LastIndexByte(word, '_'); i >= 0 && strings.Trim(word[i+1:], "0123456789") == "" {
		base, tail = word[:i], word[i:]
	}
	return grow.Plural(base) + tail
}
