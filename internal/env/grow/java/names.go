package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// pascal turns loan_request into LoanRequest.
func pascal(snake string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(snake, "_") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// camel turns loan_request into loanRequest.
func camel(snake string) string {
	s := pascal(snake)
	return strings.ToLower(s[:1]) + s[1:]
}

func words(snake string) string { return strings.ReplaceAll(snake, "_", " ") }
func kebab(snake string) string { return strings.ReplaceAll(snake, "_", "-") }

func plural(word string) string {
	switch {
	case strings.HasSuffix(word, "y") && !strings.HasSuffix(word, "ey") && !strings.HasSuffix(word, "ay"):
		return word[:len(word)-1] + "ies"
	case strings.HasSuffix(word, "s"), strings.HasSuffix(word, "ch"), strings.HasSuffix(word, "x"):
		return word + "es"
	}
	return word + "s"
}

// article is "a loan" or "an order".
func article(phrase string) string {
	if strings.ContainsRune("aeiou", rune(phrase[0])) {
		return "an " + phrase
	}
	return "a " + phrase
}

// first is an entity's first field of one of the kinds.
func first(e grow.Entity, kinds ...grow.Kind) (grow.Field, bool) {
	for _, kind := range kinds {
		for _, f := range e.Fields {
			if f.Kind == kind {
				return f, true
			}
		}
	}
	return grow.Field{}, false
}

// each writes something for every field and joins it.
func each(fields []grow.Field, between string, write func(i int, f grow.Field) string) string {
	var parts []string
	for i, f := range fields {
		if s := write(i, f); s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, between)
}

// quoted writes words as Java literals: "a", "b".
func quoted(list []string) string {
	var parts []string
	for _, w := range list {
		parts = append(parts, fmt.Sprintf("%q", w))
	}
	return strings.Join(parts, ", ")
}
