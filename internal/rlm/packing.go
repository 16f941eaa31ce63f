package rlm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/rlm/look"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// packing are the arguments of pack and review. A path may be a file, lines of one ("a.py:10-80"), a directory or a glob.
type packing struct {
	Paths []string `json:"paths"`
	Task  string   `json:"task"`
	Limit int      `json:"limit"`
	Model *string  `json:"model"`
}

// pack gives prompts that hold the code of the paths and a task.
func (n surface) pack(ctx context.Context, a packing) (any, error) {
	return n.prompts(ctx, a, nil)
}

// review has workers review the code of the paths. It gives what they found.
func (n surface) review(ctx context.Context, a packing) (any, error) {
	if a.Task = strings.TrimSpace(a.Task); a.Task == "" {
		a.Task = "Review this code."
	}
	earlier := n.run.found.Show().Findings
	all, err := n.prompts(ctx, a, earlier)
	if err != nil {
		return nil, err
	}
	before := map[string]bool{}
	for _, f := range earlier {
		before[f.ID] = true
	}
	keys := make([]string, len(all))
	failed := make([]bool, len(all))
	n.each(len(all), func(i int, key, cell string) reply {
		d := n.dispatch(ctx, key, cell, all[i], prompts{Model: a.Model}.model(), trace.PurposeReview)
		keys[i], failed[i] = key, d.Error != ""
		return reply{}
	})
	found := []finding.Finding{}
	fresh, lost := 0, 0
	for _, f := range n.run.found.Show().Findings {
		if slices.ContainsFunc(f.Sources, func(s string) bool { return slices.Contains(keys, s) }) {
			found = append(found, f)
			if !before[f.ID] {
				fresh++
			}
		}
	}
	for _, f := range failed {
		if f {
			lost++
		}
	}
	message := fmt.Sprintf("%d prompts, %d failed: %d findings, %d of them new", len(all), lost, len(found), fresh)
	return map[string]any{"findings": found, "message": message}, nil
}

var ranged = regexp.MustCompile(`^(.+):(\d{1,7})(?:-(\d{1,7}))?$`)

// atoi is the value of a few digits.
func atoi(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// without is what of a stretch does not lie in others of its file.
func (l lines) without(others []lines) []lines {
	if l.from > l.to {
		return nil
	}
	left := []lines{l}
	for _, o := range others {
		var next []lines
		for _, l := range left {
			before, after := lines{l.path, l.from, min(l.to, o.from-1)}, lines{l.path, max(l.from, o.to+1), l.to}
			for _, part := range []lines{before, after} {
				if part.from <= part.to {
					next = append(next, part)
				}
			}
		}
		left = next
	}
	return left
}

// choose gives the lines that the paths of a cell stand for, each once, in the order in which they were named.
func (n *node) choose(paths []string) ([]lines, error) {
	code := n.run.cfg.Codebase
	var out []lines
	chosen := map[string][]lines{}
	add := func(l lines) {
		for _, rest := range l.without(chosen[l.path]) {
			chosen[l.path], out = append(chosen[l.path], rest), append(out, rest)
		}
	}
	for _, p := range paths {
		if f, ok := code.File(p); ok {
			add(lines{p, 1, f.Lines})
			continue
		}
		if m := ranged.FindStringSubmatch(p); m != nil {
			if f, ok := code.File(m[1]); ok {
				from, to := atoi(m[2]), atoi(cmp.Or(m[3], m[2]))
				if from, to = max(1, from), min(to, f.Lines); from > to {
					return nil, fmt.Errorf("%s has no lines %s", m[1], p[len(m[1])+1:])
				}
				add(lines{m[1], from, to})
				continue
			}
		}
		in, err := look.Glob(p)
		if err != nil {
			return nil, err
		}
		some := false
		for _, path := range code.Paths() {
			if f, _ := code.File(path); in(path) {
				some = true
				add(lines{path, 1, f.Lines})
			}
		}
		if !some {
			return nil, fmt.Errorf("%q is no file, directory or glob of the codebase%s", p, look.Near(code, p))
		}
	}
	return out, nil
}

// prompts packs the code of paths into prompts of at most limit characters: whole files together while they fit, long ones
// in sections of whole lines. The code comes first and the task last, so that prompts on the same code begin alike. Each
// prompt lists what of known stands in its files.
func (n *node) prompts(ctx context.Context, a packing, known []finding.Finding) ([]string, error) {
	if _, ok := n.run.cfg.Codebase.File(strings.TrimSpace(a.Task)); ok {
		return nil, fmt.Errorf("%q is a path and no question: several paths are a list", a.Task)
	}
	if len(a.Paths) == 0 {
		return nil, errors.New("no path was given: list(codebase) is all of them")
	}
	chosen, err := n.choose(a.Paths)
	if err != nil {
		return nil, err
	}
	limit := n.run.metadata.WorkerMaxChars
	if a.Limit > 0 {
		limit = min(a.Limit, limit)
	}
	end := endOfCode + "\n" + strings.TrimSpace(a.Task) + "\n"
	list := 0 // characters for what is known
	if len(known) > 0 {
		list = min(3_000, limit/8)
	}
	room := limit - len(end) - list
	if n.run.cfg.Graph != nil {
		room -= limit / companionShare
	}
	if least := 200; room < least {
		return nil, fmt.Errorf("a prompt has %d characters, and the task takes %d of them: shorten it", limit, len(end))
	}
	var out []string
	var part strings.Builder
	var files []lines
	flush := func() {
		if part.Len() > 0 {
			out = append(out, part.String()+n.companions(ctx, files, limit/companionShare)+end+alreadyKnown(known, files, list))
			part.Reset()
			files = nil
		}
	}
	for _, c := range chosen {
		pieces, err := sections(n.run.cfg.Codebase, c, room)
		if err != nil {
			return nil, err
		}
		for _, piece := range pieces {
			if part.Len() > 0 && part.Len()+len(piece.text) > room {
				flush()
			}
			part.WriteString(piece.text)
			files = append(files, piece.lines)
		}
	}
	flush()
	return out, nil
}

// alreadyKnown lists the findings in files for a prompt, one a line and whole lines only, "" where there are none.
func alreadyKnown(all []finding.Finding, files []lines, most int) string {
	var b strings.Builder
	for _, f := range all {
		places := f.Places
		if len(places) == 0 {
			places = []runfile.Place{{File: f.File, Line: f.Line}}
		}
		for _, p := range places {
			row := fmt.Sprintf("- %s:%d %s\n", look.Name(p.File), p.Line, oneLine(f.Title, 200))
			shown := slices.ContainsFunc(files, func(l lines) bool { return l.path == p.File })
			if shown && len(knownTitle)+b.Len()+len(row) <= most {
				b.WriteString(row)
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return knownTitle + b.String()
}
