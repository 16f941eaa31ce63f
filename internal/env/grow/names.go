package grow

import "strings"

// Pascal turns loan_request into LoanRequest.
func Pascal(snake string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(snake, "_") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// Camel turns loan_request into loanRequest.
func Camel(snake string) string {
	name := Pascal(snake)
	return strings.ToLower(name[:1]) + name[1:]
}

// Words turns loan_request into "loan request".
func Words(snake string) string { return strings.ReplaceAll(snake, "_", " ") }

// Kebab turns loan_request into loan-request.
func Kebab(snake string) string { return strings.ReplaceAll(snake, "_", "-") }

// Plural is the English plural of a noun, near enough for a name.
func Plural(noun string) string {
	switch {
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ey") && !strings.HasSuffix(noun, "ay"):
		return strings.TrimSuffix(noun, "y") + "ies"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"), strings.HasSuffix(noun, "sh"):
		return noun + "es"
	}
	return noun + "s"
}

// First is the entity's first field of one of the kinds, in the order of the kinds.
func (e Entity) First(kinds ...Kind) (Field, bool) {
	for _, kind := range kinds {
		for _, f := range e.Fields {
			if f.Kind == kind {
				return f, true
			}
		}
	}
	return Field{}, false
}
