package review

import (
	"errors"
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/bounded"
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

// ReadReport reads a report.json.
func ReadReport(path string) (runfile.Report, error) {
	f, err := bounded.Open(path, maxOldReport)
	if err != nil {
		return runfile.Report{}, hint.Wrap(fmt.Errorf("report: %w", err), "give the report.json of an earlier run")
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
