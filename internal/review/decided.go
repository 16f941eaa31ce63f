package review

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/triage"
)

// Decided is what users have said of findings before the run: it is read where the codebase lies.
type Decided struct {
	// Suppress is the suppress file, empty where there is none; nil where it cannot be read: then nothing is suppressed. A
	// report must not suggest that something was suppressed when it was not.
	Suppress []byte `json:"suppress"`
	// Triage is the codebase's triage file, as Suppress is.
	Triage []byte `json:"triage"`
	// Baseline holds the findings of an older report, nil where none was named.
	Baseline *runfile.Report `json:"baseline"`
}

// decide reads a run's suppress file and baseline report. With an error it gives what could be read.
func decide(o Options, code *codebase.Codebase) (d Decided, err error) {
	d.Suppress, err = suppressions(o, code)
	var triageErr error
	d.Triage, triageErr = triaged(code)
	if err = errors.Join(err, triageErr); o.BaselineReport == "" {
		return d, err
	}
	old, oldErr := ReadReport(o.BaselineReport)
	if oldErr == nil {
		d.Baseline = &runfile.Report{Findings: old.Findings, Suppressed: old.Suppressed}
	}
	return d, errors.Join(err, oldErr)
}

// decidedBefore is what a change's base says of findings, which is in force whatever the change makes of it, and so is a suppress
// file that the user named and that is none of the repository's. What cannot be read says nothing.
func decidedBefore(ctx context.Context, o Options) (d Decided, err error) {
	base := o.atBase()
	text, err := inBase(ctx, base.Path, base.Commit, triage.Name, triage.MaxBytes)
	if err == nil {
		_, err = triage.Parse(text)
	}
	if d.Triage = text; err != nil {
		d.Triage = []byte{}
	}
	dir, name := base.Path, report.SuppressFile
	var ours error
	if o.SuppressFile != "" {
		dir, name, ours = whereInBase(o)
	}
	if ours == nil {
		text, ours = inBase(ctx, dir, base.Commit, name, maxSuppressions)
	}
	if errors.Is(ours, codebase.ErrCommit) { // it is in no repository that has the base
		text, ours = bounded.ReadFile(o.SuppressFile, maxSuppressions)
	}
	if ours == nil {
		_, ours = report.ParseSuppressions(text)
	}
	if d.Suppress = text; ours != nil {
		d.Suppress = []byte{}
	}
	return d, errors.Join(err, ours)
}

// whereInBase says where the base has the suppress file that the user named: a directory, and a name below it. The error is
// codebase.ErrCommit where it has none.
func whereInBase(o Options) (dir, name string, err error) {
	head, err := filepath.EvalSymlinks(o.Path)
	if err == nil {
		head, err = filepath.Abs(head)
	}
	if err == nil {
		dir, err = filepath.EvalSymlinks(filepath.Dir(o.SuppressFile))
	}
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return "", "", err
	}
	name = filepath.Base(o.SuppressFile)
	if !filepath.IsAbs(o.Base) {
		return dir, name, nil
	}
	below, err := filepath.Rel(head, filepath.Join(dir, name))
	if err != nil || !filepath.IsLocal(below) {
		return "", "", codebase.ErrCommit
	}
	return o.Base, filepath.ToSlash(below), nil
}

// inBase reads a file of a directory as a commit has it, or as it lies there; it is empty where it is not there.
func inBase(ctx context.Context, dir, commit, name string, most int64) ([]byte, error) {
	code, err := codebase.Read(ctx, dir, []string{name}, codebase.Options{Commit: commit, MaxFileBytes: most})
	if err != nil {
		return []byte{}, err
	}
	if name == triage.Name {
		return []byte(code.Triage()), nil
	}
	text, _ := code.Text(name)
	return []byte(text), nil
}

// hold takes back that a change itself sets findings aside: these decisions, made before it, do that as well, or the rule is off.
func (d Decided) hold(r *runfile.Report) {
	rules, _ := report.ParseSuppressions(d.Suppress) // both were sound
	decisions, _ := triage.Parse(d.Triage)
	all := slices.Clone(r.Findings)
	for _, s := range r.Suppressed {
		all = append(all, s.Finding)
	}
	of := decisions.Of(all)[len(finding.Apart(r.Findings)):]
	for i := range r.Suppressed {
		s := &r.Suppressed[i]
		places := len(finding.Places(s.Finding))
		_, ruled := rules.Apply(nil, []finding.Finding{s.Finding})
		lacking := slices.ContainsFunc(of[:places], func(t *runfile.Triage) bool { return t == nil || !triage.Hides(*t, r.Run.StartedAt) })
		if of = of[places:]; len(ruled) > 0 || !lacking || s.By == report.BySkip {
			s.ByChange = false
		}
	}
}

// checkDecided refuses files that the user named and that cannot be read.
func checkDecided(o Options) error {
	if o.SuppressFile != "" {
		if _, err := suppressions(o, nil); err != nil {
			return err
		}
	}
	if o.BaselineReport == "" {
		return nil
	}
	_, err := ReadReport(o.BaselineReport)
	return err
}

// refine removes from a report the findings of rules that are off, those that were suppressed or decided about, and those of an
// older report.
func (d Decided) refine(r *runfile.Report, skipRules []string, code *codebase.Codebase) error {
	off, err := report.ParseSkippedRules(skipRules)
	if err != nil {
		return fmt.Errorf("skip_rules %w", err)
	}
	r.Findings, r.Suppressed = off.Apply(r.Findings)
	if d.Suppress != nil {
		rules, err := report.ParseSuppressions(d.Suppress)
		if err != nil {
			return err
		}
		kept, left := rules.Apply(code, r.Findings)
		r.Findings, r.Suppressed = kept, append(r.Suppressed, left...)
	}
	if d.Triage != nil {
		decisions, err := triage.Parse(d.Triage)
		if err != nil {
			return err
		}
		kept, left := decisions.Apply(code, r.Findings, r.Run.StartedAt)
		r.Findings, r.Suppressed = kept, append(r.Suppressed, left...)
	}
	if d.Baseline != nil {
		*r = report.Baseline(*d.Baseline, *r)
	}
	return nil
}

// suppressions reads the suppress file: the one that was named, or the codebase's own. It is sound.
func suppressions(o Options, code *codebase.Codebase) (data []byte, err error) {
	name := o.SuppressFile
	if name == "" {
		text, _ := code.Text(report.SuppressFile)
		name, data, err = own(code, report.SuppressFile, text, maxSuppressions)
	} else {
		data, err = bounded.ReadFile(name, maxSuppressions)
	}
	if err != nil {
		return nil, hint.Wrap(fmt.Errorf("suppress file: %w", err), "--suppress FILE names it")
	}
	if _, err := report.ParseSuppressions(data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

// triaged reads the codebase's triage file. It is sound.
func triaged(code *codebase.Codebase) ([]byte, error) {
	name, data, err := own(code, triage.Name, code.Triage(), triage.MaxBytes)
	if err == nil {
		_, err = triage.Parse(data)
	}
	if err != nil {
		return nil, hint.Wrap(fmt.Errorf("triage file: %s: %w", name, err), "deeprepo triage writes it; until it can be read nothing is left out")
	}
	return data, nil
}

// own reads a file of the codebase's own that users decide in, empty where there is none: where the codebase lies, and of a
// bare repository what its commit has. It may be hostile: links are not followed.
func own(code *codebase.Codebase, path, committed string, most int64) (name string, data []byte, err error) {
	if code.Root() == "" {
		return path, []byte{}, nil
	}
	name = filepath.Join(code.Root(), path)
	root, err := os.OpenRoot(code.Root())
	if err == nil {
		defer root.Close()
		if info, missing := root.Lstat(path); missing == nil && info.Mode()&os.ModeSymlink != 0 {
			return name, nil, fmt.Errorf("%s is a link, no regular file", name)
		}
		data, err = bounded.ReadFileIn(root, path, most)
	}
	if os.IsNotExist(err) {
		return name, []byte(committed), nil
	}
	return name, data, err
}
