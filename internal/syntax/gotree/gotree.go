// Package gotree reads what both rules and planting operators ask of syntax trees of Go.
package gotree

import (
	"iter"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Results gives the types of a function's results, named or not.
func Results(fn syntax.Node) []string {
	r := fn.ChildByField("result")
	if !r.Valid() {
		return nil
	}
	if r.Kind() != "parameter_list" {
		return []string{r.Text()}
	}
	var types []string
	for d := range r.NamedChildren() {
		names := 0
		for c := range d.Children() {
			if c.Field() == "name" {
				names++
			}
		}
		for range max(names, 1) {
			types = append(types, d.ChildByField("type").Text())
		}
	}
	return types
}

// Declared gives the names that the declarations in a list declare, parameters or fields say, each with its declaration.
func Declared(list syntax.Node) iter.Seq2[syntax.Node, syntax.Node] {
	return func(yield func(name, declaration syntax.Node) bool) {
		for d := range list.NamedChildren() {
			for c := range d.Children() {
				if c.Field() == "name" && !yield(c, d) {
					return
				}
			}
		}
	}
}

// PackageName is the name that the package of an import path usually declares: its last element without version suffixes.
func PackageName(importPath string) string {
	dir, last := path.Split(importPath)
	if len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" && dir != "" {
		last = path.Base(dir)
	}
	last, _, _ = strings.Cut(last, ".")
	return strings.TrimPrefix(last, "go-")
}

// HasName tells whether a name, not "", stands in a text with nothing that may be part of a name right before or behind it.
func HasName(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[from:])
		if !ofName(before) && !ofName(after) {
			return true
		}
	}
}

func ofName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
