package flow

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/pattern"
)

// routed reports a function that a framework calls for a request, by its decorators.
func (f *frame) routed() bool {
	for _, d := range f.fn.Decorators {
		if f.table.Route("*."+lastPart(callName(d))) || f.table.Route(lastPart(callName(d))) {
			return true
		}
	}
	return f.file.Language == "php" && f.isAction()
}

// isAction reports a method that a PHP framework calls with parts of the address: a controller's that nobody else calls.
func (f *frame) isAction() bool {
	c := f.file.Classes[f.fn.Class]
	return c != nil && len(c.Bases) > 0 && strings.HasSuffix(c.Bases[0], "Controller") && !strings.HasPrefix(f.fn.Name, "_") &&
		!f.fn.Static && !f.fn.Private && f.exposed()
}

var (
	holder = pattern.New(`[<{](?:(\w+)(?:\([^)]*\))?:)?(\w+)(?::(\w+))?[>}]`)
	text   = pattern.New(`^(Optional\[)?(str|bytes|Annotated\[\s*str|list\[str|List\[str|dict|Dict|UploadFile)`)
)

// inAddress tells by a route's decorators whether a parameter is a part of the address, and of which sort.
func (f *frame) inAddress(p ir.Param) (sort string, ok bool) {
	for _, d := range f.fn.Decorators {
		if d.Op != ir.Call || len(d.Args) < 2 {
			continue
		}
		for _, m := range holder.FindAllStringSubmatch(d.Args[1].Text, -1) {
			if m[2] == p.Name {
				return m[1] + m[3], true
			}
		}
	}
	return "", false
}

// fromAddress reports a parameter that holds text of the request's address, or of its query or body by its type.
func (f *frame) fromAddress(p ir.Param) bool {
	if p.Default != nil && p.Default.Op == ir.Call && lastPart(callName(p.Default)) == "Depends" {
		return false
	}
	if sort, ok := f.inAddress(p); ok {
		return !harmlessConverter[sort] && !harmlessType(p.Type)
	}
	return text.MatchString(p.Type) || p.Type == "" && f.file.Language == "php" || p.Default != nil &&
		p.Default.Op == ir.Call && f.table.Annotated(lastPart(callName(p.Default)))
}

var harmlessConverter = words(`int float uuid`)

// What lies there, developers run by hand or for a release.
var developersDir = pattern.New(`(?i)(^|/)(bin|scripts?|hack|tools?|tooling|dev|ci|release)/`)

// exposed reports a parameter that may well be untrusted: of a function that others can call, outside of tests, and that nobody
// in the codebase calls with a constant only.
func (f *frame) exposed() bool {
	if developersDir.MatchString(f.file.Path) || codebase.RoleOf(f.file.Path) != codebase.Production ||
		f.depth > 0 || strings.HasPrefix(f.fn.Name, "test") {
		return false
	}
	s := f.e.symbols[f.fn]
	return s != nil && len(f.e.g.Callers(s)) == 0
}

// pages tells whether what a routed function gives is sent as a page: FastAPI sends JSON unless it is told otherwise.
func (f *frame) pages() bool {
	for _, imported := range f.file.Imports {
		if imported == "fastapi" || strings.HasPrefix(imported, "fastapi.") {
			for _, d := range f.fn.Decorators {
				for i, n := range d.Names {
					if n == "response_class" && strings.Contains(d.Args[i].Text, "HTML") {
						return true
					}
				}
			}
			return false
		}
	}
	return true
}
