package review

import (
	"cmp"
	"context"
	"slices"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/redact"
)

// Masked is a kind of secret that workers would not be sent, as --dry-run shows it.
type Masked struct {
	Kind   string `json:"kind"`
	Count  int    `json:"count"`
	Places []At   `json:"places"` // the first, at most maxPlaces
}

// At is a line of a file.
type At struct {
	Path string `json:"path"`
	Line int    `json:"line"`
}

// maxPlaces is how many places of a kind are listed.
const maxPlaces = 20

// DryRun is Plan with what would be masked, for which it reads every line.
func DryRun(ctx context.Context, o Options, env Env) (Estimate, error) {
	e, code, err := plan(ctx, o, env)
	if err == nil && !o.NoRedact {
		e.Masked, err = masked(ctx, code)
	}
	return e, err
}

// masked counts what looks like a secret, by kind, the most frequent first.
func masked(ctx context.Context, code *codebase.Codebase) ([]Masked, error) {
	all := []Masked{}
	r := redact.New()
	for _, path := range code.Paths() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, _ := code.Text(path)
		for _, p := range r.Places(path, text) {
			i := slices.IndexFunc(all, func(m Masked) bool { return m.Kind == p.Kind })
			if i < 0 {
				i = len(all)
				all = append(all, Masked{Kind: p.Kind, Places: []At{}})
			}
			all[i].Count++
			if at := (At{path, p.Line}); len(all[i].Places) < maxPlaces && !slices.Contains(all[i].Places, at) {
				all[i].Places = append(all[i].Places, at)
			}
		}
	}
	slices.SortFunc(all, func(a, b Masked) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind)) })
	return all, nil
}
