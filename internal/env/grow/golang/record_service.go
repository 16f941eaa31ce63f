package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// recordService is an HTTP service whose records lie in a SQL database.
func recordService() grow.Template {
	return grow.Template{
		Name: "go/record-service", Language: "go", Split: "train",
		About: "an HTTP service with accounts and sessions over records in a SQL database",
		Grow: func(s grow.Spec) map[string]string {
			w := newWriter(s, []string{
				"bufio", "bytes", "context", "crypto/hmac", "crypto/rand", "crypto/sha256", "crypto/subtle", "database/sql", "encoding/csv", "encoding/hex", "encoding/json",
				"errors", "fmt", "html", "io", "log/slog", "net/http", "net/http/httptest", "net/url", "os", "path/filepath", "slices", "sort", "strconv", "strings", "sync", "testing", "time",
			}, []string{
				"internal/records", "internal/api", "internal/pages", "internal/export", "internal/sweep", "internal/remote", "internal/quote", "internal/memo",
				"internal/trail", "internal/limits", "internal/blobs", "internal/settings", "internal/notify", "internal/digest",
			})
			p := &recordProject{writer: w, all: things(s.Domain.Entities(w.r, 2+s.Files/5))}
			p.plan()
			return w.files()
		},
	}
}

type recordProject struct {
	*writer
	all  []thing
	done []thing // entities whose handlers are part of the project
}

// plan lists the files: the core, then the infrastructure and entities in turn.
func (p *recordProject) plan() {
	p.add("go.mod", func() string { return "module " + p.module + "\n\ngo 1.24\n" })
	p.add("README.md", p.readme)
	p.add("internal/records/records.go", p.records)
	p.entityCore(p.all[0])
	p.add("internal/api/gate.go", p.gate)
	p.handlers(p.all[0])
	p.add("internal/api/gate_test.go", p.gateTest)
	p.add("main.go", p.main)

	shared := []func(){
		func() { p.add("internal/settings/settings.go", p.settings) },
		func() { p.add("internal/trail/trail.go", p.trail) },
		func() { p.add("internal/memo/memo.go", p.memo) },
		func() { p.add("internal/blobs/blobs.go", p.blobs) },
		func() { p.add("internal/limits/limits.go", p.limits) },
		func() { p.add("internal/notify/notify.go", p.notify) },
		func() { p.add("internal/memo/memo_test.go", p.memoTest) },
		func() { p.add("internal/digest/digest.go", p.digest) },
	}
	for i := 0; !p.full(); i++ {
		t := p.all[i]
		if i > 0 {
			p.entityCore(t)
			p.handlers(t)
		}
		for range 3 {
			if len(shared) > 0 {
				shared[0]()
				shared = shared[1:]
			}
		}
		extra := []func(thing){p.page, p.export, p.sweep, p.remote, p.quote, p.entityTest}
		p.r.Shuffle(len(extra), func(a, b int) { extra[a], extra[b] = extra[b], extra[a] })
		for _, add := range extra[:3+p.r.IntN(len(extra)-2)] {
			add(t)
		}
	}
}

func (p *recordProject) fillThing(t thing, text string, pairs ...string) string {
	return p.vary(fill(text, append(pairs,
		"@Many", t.Many, "@many", strings.ReplaceAll(t.Table, "_", " "), "@Type", t.Type, "@var", t.Var, "@table", t.Table, "@words", t.Human,
		"@Label", t.label().Go, "@label", t.label().Name, "@domain", p.spec.Domain.Name)...))
}

func (p *recordProject) entityCore(t thing) {
	p.add("internal/records/"+t.File+".go", func() string { return p.record(t) })
}

func (p *recordProject) handlers(t thing) {
	path := "internal/api/" + t.File + ".go"
	p.add(path, func() string { return p.handler(t) })
	if len(p.parts) <= p.spec.Files {
		p.done = append(p.done, t)
	}
}

func (p *recordProject) readme() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\nA small service that keeps the records of a %s.\n\n## Records\n\n", strings.ReplaceAll(p.spec.Name, "_", " "), p.spec.Domain.Name)
	for _, t := range capped(p.done) {
		fmt.Fprintf(&b, "- `/%s`: one %s a record, with", strings.ReplaceAll(t.Table, "_", "-"), t.Human)
		for i, f := range t.fields {
			if i > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, " %s", f.Human)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n## Conventions\n\n- Times are seconds since 1970, amounts of money are cents.\n- A record is changed by its owner or by an administrator; `internal/records` enforces that, callers rely on it.\n")
	b.WriteString("- What is not there is `records.ErrNotFound`, never a nil record.\n\n## Run\n\n    go test ./...\n    go run .\n")
	return b.String()
}
