package flow

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/flow/model"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// matching are the functions that compare a text with a regular expression.
var matching = words(`match matches test fullmatch preg_match matchstring`)

// refused is what a text is clean for that does not match: /[^a-z]/ would find anything else.
func (f *frame) refused(args []*ir.Expr) (k model.Kinds) {
	for _, a := range args {
		if v := f.eval(a); v.known() {
			k |= stripped(v, constant(ir.Text, ""))
		}
	}
	return k
}

// pattern is what a regular expression makes sure of: nothing where it lets anything stand before or after.
func (f *frame) pattern(args []*ir.Expr) model.Kinds {
	for _, a := range args {
		if a == nil {
			continue
		}
		if s, ok := f.eval(a).text(); ok {
			if strings.Contains(s, ".*") || strings.Contains(s, ".+") {
				return 0
			}
			if f.file.Language == "ruby" && (strings.HasPrefix(s, "^") || strings.HasSuffix(s, "$")) {
				return 0 // of any line
			}
			if searched[f.file.Language] && !whole.MatchString(s) {
				return 0
			}
			return model.All
		}
	}
	return model.All
}

// Languages whose functions look for a pattern anywhere in a text, and patterns that are of all of it.
var (
	searched = words(`javascript typescript tsx go`)
	whole    = pattern.New(`^(\(\?\w+\))?(\^|\\A).*(\$|\\z)$`)
)
