package codebase

import (
	"context"
	"strings"
)

// Part is the codebase without the files that keep does not name. What was left out of the part stays said; the rest of it is
// of the whole: root, commit, warnings and what was decided about findings.
func (c *Codebase) Part(keep func(path string) bool) *Codebase {
	var loaded []loadedFile
	for i, f := range c.files {
		if keep(f.Path) {
			loaded = append(loaded, describe(f.Path, c.texts[i], f.Bytes))
		}
	}
	var skipped []Skip
	for _, s := range c.skipped {
		if keep(s.Path) {
			skipped = append(skipped, s)
		}
	}
	part := assemble(c.root, c.commit, loaded, skipped)
	part.warned, part.triage = c.warned, c.triage
	return part
}

// MergeBase is the commit that a change of the repository at path began with: the last that base and head have in common, and
// base itself where their histories share none, as those of shallow clones may. An empty head is the work tree's HEAD.
func MergeBase(ctx context.Context, path, base, head string) (string, error) {
	o := Options{Commit: base}.withDefaults()
	_, root, git, err := open(path, o, findGit)
	if err != nil {
		return "", err
	}
	defer root.Close()
	from, err := git.commit(ctx, path, base)
	if err != nil {
		return "", err
	}
	to, err := git.commit(ctx, path, head)
	if err != nil {
		return "", err
	}
	common, err := git.output(ctx, 256, "merge-base", "--end-of-options", from, to)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if sha := strings.TrimSpace(common); err == nil && sha != "" {
		return sha, nil
	}
	return from, nil
}
