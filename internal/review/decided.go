package review

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/codebase"
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

// refine removes from a report the findings that were suppressed or decided about, and those of an older report.
func (d Decided) refine(r *runfile.Report, code *codebase.Codebase) error {
	if d.Suppress != nil {
		rules, err := report.ParseSuppressions(d.Suppress)
		if err != nil {
			return err
		}
		r.Findings, r.Suppressed = rules.Apply(code, r.Findings)
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
