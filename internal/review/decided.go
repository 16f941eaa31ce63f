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
)

// Decided is what users have said of findings before the run: it is read where the codebase lies.
type Decided struct {
	// Suppress is the suppress file, empty where there is none; nil where it cannot be read: then nothing is suppressed. A
	// report must not suggest that something was suppressed when it was not.
	Suppress []byte `json:"suppress"`
	// Baseline holds the findings of an older report, nil where none was named.
	Baseline *runfile.Report `json:"baseline"`
}

// decide reads a run's suppress file and baseline report. With an error it gives what could be read.
func decide(o Options, code *codebase.Codebase) (d Decided, err error) {
	d.Suppress, err = suppressions(o, code)
	if o.BaselineReport == "" {
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

// refine removes from a report the suppressed findings and those of an older report.
func (d Decided) refine(r *runfile.Report, code *codebase.Codebase) error {
	if d.Suppress != nil {
		rules, err := report.ParseSuppressions(d.Suppress)
		if err != nil {
			return err
		}
		r.Findings, r.Suppressed = rules.Apply(code, r.Findings)
	}
	if d.Baseline != nil {
		*r = report.Baseline(*d.Baseline, *r)
	}
	return nil
}

// suppressions reads the suppress file: the one that was named, or the codebase's own. It is sound.
func suppressions(o Options, code *codebase.Codebase) ([]byte, error) {
	name := o.SuppressFile
	if name == "" {
		if code.Root() == "" {
			return []byte{}, nil
		}
		name = filepath.Join(code.Root(), report.SuppressFile)
	}
	var data []byte
	info, err := os.Lstat(name)
	switch {
	case os.IsNotExist(err) && o.SuppressFile == "": // a bare repository has it in its commit only
		text, _ := code.Text(report.SuppressFile)
		data, err = []byte(text), nil
	case err == nil && o.SuppressFile == "" && info.Mode()&os.ModeSymlink != 0:
		err = fmt.Errorf("%s is a link, no regular file", name) // the codebase's own may be hostile: it could lead anywhere
	case err == nil:
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
