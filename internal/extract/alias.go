package extract

import (
	"context"
	"strings"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Alias gives a program that lacks the entry point its only function under that name. It is false if there is no such
// function, or more than one, or its parameters do not fit.
func (x *Extractor) Alias(ctx context.Context, t dataset.Task, code string) (string, bool, error) {
	if t.Entry == "" || t.Signature == "" || x.open == nil {
		return "", false, nil
	}
	m, err := x.parse(ctx, unix(code))
	if err != nil || !m.clean || m.defines(t.Entry) {
		return "", false, err
	}
	var only syntax.Node
	for _, d := range m.definitions() {
		if !d.function.Valid() {
			continue
		}
		if only.Valid() {
			return "", false, nil
		}
		only = d.function
	}
	if !only.Valid() {
		return "", false, nil
	}
	head, err := x.parse(ctx, strings.TrimSpace(t.Signature)+"\n    pass\n")
	if err != nil {
		return "", false, err
	}
	wanted := syntax.Node{}
	for _, d := range head.definitions() {
		wanted = d.function
	}
	least, most := arity(only.ChildByField("parameters"))
	need, _ := arity(wanted.ChildByField("parameters"))
	if !wanted.Valid() || need < least || need > most {
		return "", false, nil
	}
	return strings.TrimRight(m.src, "\n") + "\n\n" + t.Entry + " = " + only.ChildByField("name").Text() + "\n", true, nil
}

// arity is the least and the most positional arguments that parameters take.
func arity(parameters syntax.Node) (least, most int) {
	for p := range parameters.NamedChildren() {
		switch p.Kind() {
		case "identifier", "typed_parameter":
			if first := p.NamedChild(0); p.Kind() == "typed_parameter" && first.Kind() != "identifier" {
				if first.Kind() == "list_splat_pattern" {
					return least, 1 << 20
				}
				return least, most
			}
			least++
			most++
		case "default_parameter", "typed_default_parameter":
			most++
		case "list_splat_pattern":
			return least, 1 << 20
		case "keyword_separator", "dictionary_splat_pattern":
			return least, most
		}
	}
	return least, most
}
