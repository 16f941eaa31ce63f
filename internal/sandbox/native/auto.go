package native

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Embedded is what judges programs with the embedded interpreter.
type Embedded interface {
	Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error)
}

// Auto judges programs with the embedded interpreter, and those in a jail that import what only the machine's Python has.
// Which one it is follows from a program's text and from what is installed, never from the load or from a failure. It is
// safe for concurrent use.
type Auto struct {
	embedded Embedded
	box      *Box
	own      map[string]bool // modules that only box has
}

// modules has a Python say which top-level modules it can import.
const modules = `import pkgutil, sys
print(*sorted({m.name for m in pkgutil.iter_modules()} | set(sys.builtin_module_names)))`

// NewAuto asks both what they have.
func NewAuto(ctx context.Context, embedded Embedded, box *Box) (*Auto, error) {
	a := &Auto{embedded, box, map[string]bool{}}
	for i, e := range []Embedded{box, embedded} {
		j, err := e.Exec(ctx, sandbox.Program{Code: modules})
		if err != nil {
			return nil, err
		}
		if j.Verdict != sandbox.Passed {
			return nil, fmt.Errorf("a Python does not tell its modules: %s: %v", j.Verdict, j.Error)
		}
		for name := range strings.FieldsSeq(j.Stdout) {
			a.own[name] = i == 0
		}
	}
	return a, nil
}

// Version is that of the machine's Python, as 3.11.
func (a *Auto) Version() string { return a.box.version }

// Exec judges a program; Judgement.Backend says where.
func (a *Auto) Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	if a.jailed(p) {
		return a.box.Exec(ctx, p)
	}
	return a.embedded.Exec(ctx, p)
}

// jailed says whether a program goes to the jail.
func (a *Auto) jailed(p sandbox.Program) bool {
	texts := p.Setup + "\n" + p.Code + "\n" + p.Judge
	for _, t := range p.Tests {
		texts += "\n" + t.Code
	}
	return slices.ContainsFunc(imports(texts), func(name string) bool { return a.own[name] })
}

// Both has each program judged by the two. The judgement is Auto's; Other is that of the one which Auto leaves out.
type Both struct{ *Auto }

// Exec judges a program twice.
func (b Both) Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	var first, second Embedded = b.embedded, b.box
	if b.jailed(p) {
		first, second = second, first
	}
	j, err := first.Exec(ctx, p)
	if err != nil {
		return j, err
	}
	other, err := second.Exec(ctx, p)
	if other.Verdict == sandbox.InfraError && err == nil { // as who judges does with the first
		other, err = second.Exec(ctx, p)
	}
	j.Other = &other
	return j, err
}

var importing = regexp.MustCompile(`(?m)^[ \t]*(?:import[ \t]+(.+)|from[ \t]+([A-Za-z_]\w*)[.\w]*[ \t]+import\b.*)$`)

// imports are the top-level modules that lines of Python texts import, sorted. Strings that look like such lines count.
func imports(texts string) (names []string) {
	for _, m := range importing.FindAllStringSubmatch(texts, -1) {
		for part := range strings.SplitSeq(m[1]+m[2], ",") {
			name, _, _ := strings.Cut(strings.TrimSpace(part), " ")
			name, _, _ = strings.Cut(name, ".")
			names = append(names, strings.TrimRight(name, ";\r\t"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
