package review

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view"
)

// What is read at most, in bytes.
const (
	maxOldReport    = 256 << 20 // of a baseline report
	maxSuppressions = 16 << 20  // of a suppress file
)

// refine removes from a report the suppressed findings and those of an older report. A file that cannot be read
// leaves the report as it is and is an error: a report must not suggest that something was suppressed when it was not.
func refine(doc *report.Document, o Options, code *codebase.Codebase) error {
	rules, err := suppressions(o, code)
	if err == nil {
		r := &doc.Report
		r.Findings, r.Suppressed = rules.Apply(code, r.Findings)
	}
	if o.BaselineReport == "" {
		return err
	}
	old, oldErr := ReadReport(o.BaselineReport)
	if oldErr == nil {
		doc.Report = report.Baseline(old, doc.Report)
	}
	return errors.Join(err, oldErr)
}

// suppressions reads the suppress file: the one that was named, or the codebase's own.
func suppressions(o Options, code *codebase.Codebase) (report.Suppressions, error) {
	name := o.SuppressFile
	if name == "" {
		if code.Root() == "" {
			return report.Suppressions{}, nil
		}
		name = filepath.Join(code.Root(), report.SuppressFile)
	}
	var data []byte
	info, err := os.Lstat(name)
	switch {
	case os.IsNotExist(err) && o.SuppressFile == "":
		return report.Suppressions{}, nil
	case err == nil && o.SuppressFile == "" && info.Mode()&os.ModeSymlink != 0:
		err = fmt.Errorf("%s is a link, no regular file", name) // the codebase's own may be hostile: it could lead anywhere
	case err == nil:
		data, err = bounded.ReadFile(name, maxSuppressions)
	}
	if err != nil {
		return report.Suppressions{}, hint.Wrap(fmt.Errorf("suppress file: %w", err), "--suppress FILE names it")
	}
	rules, err := report.ParseSuppressions(data)
	if err != nil {
		return rules, fmt.Errorf("%s: %w", name, err)
	}
	return rules, nil
}

// ReadReport reads a report.json.
func ReadReport(path string) (runfile.Report, error) {
	f, err := bounded.Open(path, maxOldReport)
	if err != nil {
		return runfile.Report{}, hint.Wrap(fmt.Errorf("baseline report: %w", err), "give the report.json of an earlier run")
	}
	defer f.Close()
	r, err := report.Read(f)
	if err != nil {
		return r, hint.Wrap(fmt.Errorf("%s: %w", path, err), "give the report.json of an earlier run")
	}
	return r, nil
}

// writeReports writes all four forms, and what was covered. One that fails does not keep the others from being written.
func writeReports(dir *rundir.Dir, doc report.Document, covered runfile.CoverageRecord, version string) error {
	return errors.Join(
		dir.Write(runfile.CoverageName, func(w io.Writer) error { return coverage.WriteRecord(w, covered) }),
		dir.Write(ReportName+".json", func(w io.Writer) error { return report.WriteJSON(w, doc.Report) }),
		dir.Write(ReportName+".md", func(w io.Writer) error { return report.WriteMarkdown(w, doc) }),
		dir.Write(ReportName+".sarif", func(w io.Writer) error { return report.WriteSARIF(w, doc.Report, version) }),
		view.WritePage(dir, ReportName+".html"), // from the files before it
	)
}
