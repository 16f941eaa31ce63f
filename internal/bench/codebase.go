package bench

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/taskset"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// subject is a codebase that is loaded.
type subject struct {
	runfile.BenchCodebase
	code    *codebase.Codebase
	defects []env.Defect
	decoys  []env.Decoy
	fixed   []env.Defect // by a change, in its base
}

// task is the subject as what a simulated worker reads.
func (s *subject) task() env.Task {
	return env.Task{ID: s.Task, Codebase: s.code, Defects: s.defects, Decoys: s.decoys}
}

// truths are the defects as findings are matched with them.
func (s *subject) truths() ([]finding.Truth, finding.MatchOptions) {
	truths := truthsOf(s.defects)
	var o finding.MatchOptions
	for _, d := range s.decoys {
		o.Decoys = append(o.Decoys, finding.Truth{File: d.File, Line: d.Line, EndLine: d.EndLine, Category: d.Category})
	}
	return truths, o
}

func truthsOf(defects []env.Defect) []finding.Truth {
	var truths []finding.Truth
	for _, d := range defects {
		truths = append(truths, finding.Truth{File: d.File, Line: d.Line, EndLine: d.EndLine, Category: d.Category})
	}
	return truths
}

// prepare makes the i-th codebase ready below the bench's directory: generated ones are written there, of others the
// truth is kept there, so that a resumed bench measures by the same one.
func prepare(ctx context.Context, dir *rundir.Dir, i int, s CodebaseSpec, e Env) (*subject, error) {
	if s.Environment != "" {
		return generate(ctx, dir, i, s, e)
	}
	name := cmp.Or(s.Name, filepath.Base(filepath.Clean(s.Path)))
	path, truth, base := s.Path, s.Truth, ""
	beside := map[string]string{} // files beside the truth -> where they stand
	if whole := filepath.Join(path, taskset.TruthName); truth == "" && isDir(filepath.Join(path, taskset.TreeName)) && isFile(whole) {
		truth, path = whole, filepath.Join(path, taskset.TreeName)
		for _, name := range []string{taskset.DecoysName, taskset.FixedName} {
			if at := filepath.Join(s.Path, name); isFile(at) {
				beside[at] = name
			}
		}
		if base = filepath.Join(s.Path, taskset.BaseName); !isDir(base) {
			base = ""
		}
	}
	if base != "" {
		var err error
		if base, err = filepath.Abs(base); err != nil {
			return nil, err
		}
	}
	b := runfile.BenchCodebase{Name: name, Path: path, Base: base, Dir: place(codebasesName, i, name)}
	code, err := codebase.Load(ctx, path, codebase.Options{})
	if err != nil {
		return nil, err
	}
	if truth != "" {
		b.Truth = true
		beside[truth] = taskset.TruthName
		for from, to := range beside {
			of := code
			if to == taskset.FixedName {
				if of, err = codebase.Load(ctx, base, codebase.Options{}); err != nil {
					return nil, err
				}
			}
			if err := keep(dir, of, from, filepath.Join(b.Dir, to), base != ""); err != nil {
				return nil, err
			}
		}
	}
	return load(ctx, dir, b)
}

// keep checks a truth, or decoys, and copies them into the bench's directory.
func keep(dir *rundir.Dir, code *codebase.Codebase, from, to string, change bool) error {
	root, err := os.OpenRoot(filepath.Dir(from))
	if err != nil {
		return hint.Wrap(fmt.Errorf("truth: %w", err), "truth names a truth.json as deeprepo env generate writes it")
	}
	defer root.Close()
	var list any
	switch {
	case filepath.Base(to) == taskset.DecoysName:
		list, err = taskset.ReadDecoys(code, root, filepath.Base(from))
	case change:
		list, err = taskset.ReadChange(code, root, filepath.Base(from))
	default:
		list, err = taskset.ReadTruth(code, root, filepath.Base(from))
	}
	if err != nil {
		return err
	}
	data, err := json.Marshal(list)
	if err == nil {
		err = dir.Root().MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = dir.Root().WriteFile(to, data, 0o644)
	}
	return err
}

func generate(ctx context.Context, dir *rundir.Dir, i int, s CodebaseSpec, e Env) (*subject, error) {
	environment, err := e.Environment(ctx, s.Environment)
	if err != nil {
		return nil, err
	}
	t, err := environment.Task(ctx, env.Selection{Split: s.Split, Seed: s.Seed, Language: s.Language, Difficulty: s.Difficulty,
		Files: s.Files, Change: s.Change}, s.Index)
	if err != nil {
		return nil, fmt.Errorf("[[codebase]] of %s: %w", s.Environment, err)
	}
	name := cmp.Or(s.Name, taskName(t, s))
	b := runfile.BenchCodebase{Name: name, Dir: place(codebasesName, i, name), Truth: true, Task: t.ID}
	full, err := filepath.Abs(filepath.Join(dir.Path(), b.Dir))
	if err == nil { // half of it may be there, from before a crash
		err = errors.Join(dir.Root().RemoveAll(b.Dir), dir.Root().MkdirAll(b.Dir, 0o755))
	}
	if err != nil {
		return nil, fmt.Errorf("bench directory: %w", err)
	}
	if err := e.WriteTask(full, t); err != nil {
		return nil, fmt.Errorf("write codebase %s: %w", termtext.Inline(name), err)
	}
	b.Path = filepath.Join(full, taskset.TreeName)
	if t.Base != nil {
		b.Base = filepath.Join(full, taskset.BaseName)
	}
	return load(ctx, dir, b)
}

// taskName is what tables call a generated task.
func taskName(t env.Task, s CodebaseSpec) string {
	var parts []string
	for _, p := range []string{s.Change, t.Language, t.Difficulty, t.Split} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		parts = []string{s.Environment}
	}
	return fmt.Sprintf("%s-%d-%d", strings.Join(parts, "-"), s.Seed, s.Index)
}

// load reads a prepared codebase and its truth.
func load(ctx context.Context, dir *rundir.Dir, b runfile.BenchCodebase) (*subject, error) {
	code, err := codebase.Load(ctx, b.Path, codebase.Options{})
	if err != nil {
		return nil, err
	}
	if b.Hash != "" && b.Hash != code.Hash() {
		return nil, hint.Wrap(fmt.Errorf("%s has changed since the bench began", termtext.Inline(b.Path)),
			"start a new bench: rows over different texts cannot be compared")
	}
	stats := code.Stats()
	b.Hash, b.Files, b.Lines = code.Hash(), stats.Files, stats.Lines
	s := &subject{BenchCodebase: b, code: code}
	if !b.Truth {
		return s, nil
	}
	read := taskset.ReadTruth
	if b.Base != "" {
		read = taskset.ReadChange
	}
	if s.defects, err = read(code, dir.Root(), filepath.Join(b.Dir, taskset.TruthName)); err != nil {
		return nil, err
	}
	if s.decoys, err = taskset.ReadDecoys(code, dir.Root(), filepath.Join(b.Dir, taskset.DecoysName)); err != nil || b.Base == "" {
		return s, err
	}
	base, err := codebase.Load(ctx, b.Base, codebase.Options{})
	if err == nil {
		s.fixed, err = taskset.ReadChange(base, dir.Root(), filepath.Join(b.Dir, taskset.FixedName))
	}
	return s, err
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// deep reports a defect that takes insight to find or does harm: severity high or critical, or between two files.
func deep(d env.Defect) bool {
	return taxonomy.Rank(d.Severity) >= taxonomy.Rank("high") || d.CrossFile
}
