package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/report"
)

// Names of the files that env generate writes, and of what a bench keeps of a codebase.
const (
	treeName   = "tree"
	truthName  = "truth.json"
	decoysName = "decoys.json"
)

// maxTruth bounds a truth file.
const maxTruth = 64 << 20

// Codebase is one codebase of a bench, as the manifest records it.
type Codebase struct {
	Name string `json:"name"`
	// Path is what is reviewed.
	Path string `json:"path"`
	// Hash is its content's.
	Hash string `json:"hash"`
	// Dir is where its truth lies, below the bench's directory.
	Dir string `json:"dir"`
	// Truth says whether there is one.
	Truth bool `json:"truth"`
	// Task is the generated task's ID, "" for a codebase that was not generated.
	Task  string `json:"task,omitempty"`
	Files int    `json:"files"`
	Lines int    `json:"lines"`
}

// subject is a codebase that is loaded.
type subject struct {
	Codebase
	code    *codebase.Codebase
	defects []env.Defect
	decoys  []env.Decoy
}

// task is the subject as what a simulated worker reads.
func (s *subject) task() env.Task {
	return env.Task{ID: s.Task, Codebase: s.code, Defects: s.defects, Decoys: s.decoys}
}

// truths are the defects as findings are matched with them.
func (s *subject) truths() ([]finding.Truth, finding.MatchOptions) {
	var truths []finding.Truth
	for _, d := range s.defects {
		truths = append(truths, finding.Truth{File: d.File, Line: d.Line, EndLine: d.EndLine, Category: d.Category})
	}
	var o finding.MatchOptions
	for _, d := range s.decoys {
		o.Decoys = append(o.Decoys, finding.Truth{File: d.File, Line: d.Line, EndLine: d.EndLine, Category: d.Category})
	}
	return truths, o
}

// prepare makes the i-th codebase ready below the bench's directory: generated ones are written there, of others the
// truth is kept there, so that a resumed bench measures by the same one.
func prepare(ctx context.Context, out string, i int, s CodebaseSpec, e Env) (*subject, error) {
	if s.Environment != "" {
		return generate(ctx, out, i, s, e)
	}
	name := s.Name
	if name == "" {
		name = filepath.Base(filepath.Clean(s.Path))
	}
	path, truth, decoys := s.Path, s.Truth, ""
	if whole := filepath.Join(path, truthName); truth == "" && isDir(filepath.Join(path, treeName)) && isFile(whole) {
		truth, path = whole, filepath.Join(path, treeName)
		if d := filepath.Join(s.Path, decoysName); isFile(d) {
			decoys = d
		}
	}
	if !strings.Contains(path, "://") {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, fmt.Errorf("path %q: %w", path, err)
		}
		path = abs
	}
	b := Codebase{Name: name, Path: path, Dir: place(codebasesName, i, name)}
	dir := filepath.Join(out, b.Dir)
	if truth != "" {
		b.Truth = true
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fmt.Errorf("bench directory: %w", err)
		}
		for from, to := range map[string]string{truth: truthName, decoys: decoysName} {
			if from == "" {
				continue
			}
			if err := keep(from, filepath.Join(dir, to)); err != nil {
				return nil, hinted(fmt.Errorf("truth of %s: %w", report.Inline(name), err), "truth names a truth.json as deeprepo env generate writes it")
			}
		}
	}
	return load(ctx, out, b)
}

func generate(ctx context.Context, out string, i int, s CodebaseSpec, e Env) (*subject, error) {
	environment, err := e.Environment(ctx, s.Environment)
	if err != nil {
		return nil, err
	}
	t, err := environment.Task(ctx, env.Selection{Split: s.Split, Seed: s.Seed, Language: s.Language, Difficulty: s.Difficulty, Files: s.Files}, s.Index)
	if err != nil {
		return nil, fmt.Errorf("[[codebase]] of %s: %w", s.Environment, err)
	}
	name := s.Name
	if name == "" {
		name = taskName(t, s)
	}
	b := Codebase{Name: name, Dir: place(codebasesName, i, name), Truth: true, Task: t.ID}
	dir, err := filepath.Abs(filepath.Join(out, b.Dir))
	if err != nil {
		return nil, fmt.Errorf("bench directory: %w", err)
	}
	if err := os.RemoveAll(dir); err != nil { // half of it, from before a crash
		return nil, fmt.Errorf("bench directory: %w", err)
	}
	if err := e.WriteTask(dir, t); err != nil {
		return nil, fmt.Errorf("write codebase %s: %w", report.Inline(name), err)
	}
	b.Path = filepath.Join(dir, treeName)
	return load(ctx, out, b)
}

// taskName is what tables call a generated task.
func taskName(t env.Task, s CodebaseSpec) string {
	var parts []string
	for _, p := range []string{t.Language, t.Difficulty, t.Split} {
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
func load(ctx context.Context, out string, b Codebase) (*subject, error) {
	code, err := codebase.Load(ctx, b.Path, codebase.Options{})
	if err != nil {
		return nil, err
	}
	if b.Hash != "" && b.Hash != code.Hash() {
		return nil, hinted(fmt.Errorf("%s has changed since the bench began", report.Inline(b.Path)), "start a new bench: rows over different texts cannot be compared")
	}
	stats := code.Stats()
	b.Hash, b.Files, b.Lines = code.Hash(), stats.Files, stats.Lines
	s := &subject{Codebase: b, code: code}
	if !b.Truth {
		return s, nil
	}
	dir := filepath.Join(out, b.Dir)
	if s.defects, err = readTruth(filepath.Join(dir, truthName)); err != nil {
		return nil, err
	}
	for i, d := range s.defects {
		if _, ok := code.File(d.File); !ok {
			return nil, hinted(fmt.Errorf("truth of %s: element %d names %q, which is not among the files of %s", report.Inline(b.Name), i+1, d.File, report.Inline(b.Path)),
				"file is a path relative to the codebase, with slashes")
		}
	}
	if err := readJSON(filepath.Join(dir, decoysName), &s.decoys); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return s, nil
}

// readTruth reads and checks a truth.json.
func readTruth(path string) ([]env.Defect, error) {
	var defects []env.Defect
	if err := readJSON(path, &defects); err != nil {
		return nil, hinted(err, "a truth.json is a list of {file, line, end_line, category, cwe, severity, description, cross_file}")
	}
	return checkTruth(defects)
}

// checkTruth refuses elements that nothing could be matched with, and brings the rest into the fixed vocabularies.
func checkTruth(defects []env.Defect) ([]env.Defect, error) {
	for i := range defects {
		d := &defects[i]
		var why string
		switch {
		case d.File == "":
			why = "has no file"
		case d.Line <= 0:
			why = "has no line"
		case d.Category == "":
			why = "has no category"
		}
		if why != "" {
			return nil, hinted(fmt.Errorf("truth: element %d %s", i+1, why), "a truth.json is a list of {file, line, end_line, category, cwe, severity, description, cross_file}")
		}
		d.EndLine = max(d.Line, d.EndLine)
		d.Severity = finding.NormalSeverity(d.Severity)
		d.Category = finding.NormalCategory(d.Category, d.CWE)
	}
	return defects, nil
}

// readJSON reads a file of bounded size.
func readJSON(path string, into any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxTruth+1))
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	if len(data) > maxTruth {
		return fmt.Errorf("%s is larger than %d bytes", path, maxTruth)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// keep copies a truth file whose content is one.
func keep(from, to string) error {
	var raw json.RawMessage
	if err := readJSON(from, &raw); err != nil {
		return err
	}
	return os.WriteFile(to, raw, 0o644)
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
	return finding.SeverityRank(d.Severity) >= finding.SeverityRank("high") || d.CrossFile
}
