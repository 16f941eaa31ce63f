package review

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/report"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// Limits of what is read of the codebase that a review looked at. The paths come from the run directory, which is a
// stranger's: a text is only handed on when its hash is the one that the run has noted, so that the author of the directory
// has had it already.
const (
	maxFileText  = 4 << 20  // bytes of one file
	maxFileTexts = 64 << 20 // bytes of all files that are read at once
	maxReadTime  = 20 * time.Second
	restTime     = time.Minute // how long a codebase that took longer is left alone
)

// maxRecordValues is how many values the record of a codebase may hold, which may have 200,000 files.
const maxRecordValues = 3_000_000

// reviewed is what a review has left of its codebase and its findings.
type reviewed struct {
	report runfile.Report
	// record says which lines reached a worker. Empty where the run kept none, and then noRecord says so.
	record   runfile.CoverageRecord
	noRecord string
	index    map[string]int   // of record.Files, by path
	findings map[string][]int // of report.Findings, by path
	ids      []string         // of report.Findings: see uniqueID
	// truncated says that report.json has more findings than are shown.
	truncated bool
	read      codebase.Options // how files of the codebase are read
	patience  time.Duration    // how long a reading may take
	// stuck is until when the codebase is left alone, in Unix nanoseconds: a pipe in git's place costs patience once, not for
	// each file.
	stuck atomic.Int64
}

// reviewed is the review's report and the record of its coverage. They are read once, until one of them changes.
func (r *Run) reviewed() (*reviewed, error) {
	v, err := r.Derived("reviewed", []string{runfile.ReportName, runfile.CoverageName}, func() (any, error) { return r.readReview() })
	if err != nil {
		return nil, err
	}
	return v.(*reviewed), nil
}

func (r *Run) readReview() (*reviewed, error) {
	text, err := r.ReadFile(runfile.ReportName, report.MaxReportBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &doc.Error{Status: 404, Message: "this review has not come to its end",
			Hint: "files and findings are shown when it has written its report"}
	}
	if err == nil {
		err = dir.Crowded(runfile.ReportName, text, bounded.Values)
	}
	if err != nil {
		return nil, err
	}
	v := &reviewed{index: map[string]int{}, findings: map[string][]int{}, patience: maxReadTime}
	if v.report, err = report.Read(bytes.NewReader(text)); err != nil {
		return nil, err
	}
	if len(v.report.Findings) > maxFindings {
		v.report.Findings, v.truncated = v.report.Findings[:maxFindings], true
	}
	taken := map[string]bool{}
	for i, f := range v.report.Findings {
		v.ids = append(v.ids, uniqueID(f.ID, "f", i, taken))
		v.findings[f.File] = append(v.findings[f.File], i)
	}
	if err := r.readRecord(v); err != nil {
		v.noRecord = doc.Plain(err)
	}
	for i, f := range v.record.Files {
		v.index[f.Path] = i
	}
	var asked struct {
		Commit       string
		MaxFileBytes int64 `json:"max_file_bytes"`
	}
	r.Asked(&asked)
	v.read = codebase.Options{MaxFileBytes: min(maxFileText, max(0, asked.MaxFileBytes)), MaxTotalBytes: maxFileTexts}
	if asked.Commit != "" {
		v.read.Commit = v.report.Repo.Commit
	}
	return v, nil
}

// maxFindings bounds each list of findings.
const maxFindings = 20_000

// harmlessID is an ID that can stand in a link and be the name of anything.
var harmlessID = pattern.New(`^[0-9a-zA-Z]{4,64}$`)

// uniqueID is a finding's own ID, or, where it has none or another finding's, a letter for its list and its number there.
func uniqueID(id, list string, i int, taken map[string]bool) string {
	if !harmlessID.MatchString(id) || taken[id] {
		id = fmt.Sprintf("%s-%d", list, i+1) // no ID of a report has a dash
	}
	taken[id] = true
	return id
}

// readRecord reads coverage.json.
func (r *Run) readRecord(v *reviewed) error {
	text, err := r.ReadFile(runfile.CoverageName, 4*dir.MaxJSON)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("this run kept no " + runfile.CoverageName + ": it was made by an earlier version of deeprepo")
	}
	if err == nil {
		err = dir.Crowded(runfile.CoverageName, text, maxRecordValues)
	}
	if err != nil {
		return err
	}
	v.record, err = coverage.ReadRecord(bytes.NewReader(text))
	return err
}

// file is what the record says of a file.
func (v *reviewed) file(path string) (runfile.CoveredFile, bool) {
	i, ok := v.index[path]
	if !ok {
		return runfile.CoveredFile{}, false
	}
	return v.record.Files[i], true
}

// sourceText is a file as it was reviewed, or why it cannot be had.
type sourceText struct {
	text string
	ok   bool
	why  string
}

// hexCommit is what is handed to git as the name of a commit.
var hexCommit = pattern.New(`^[0-9a-f]{7,64}$`)

// texts reads files of the codebase: from where it lay, and what has changed there since from its commit. Each path has an
// entry in the answer.
func (v *reviewed) texts(paths []string) map[string]sourceText {
	got := make(map[string]sourceText, len(paths))
	var want []string
	for _, p := range paths {
		switch _, known := v.file(p); {
		case known:
			want = append(want, p)
		case v.noRecord != "":
			got[p] = sourceText{why: v.noRecord}
		default:
			got[p] = sourceText{why: "it was not part of the review"}
		}
	}
	if !filepath.IsAbs(v.report.Repo.Path) {
		for _, p := range want {
			got[p] = sourceText{why: "the report does not say in which directory the codebase lay"}
		}
		return got
	}
	ctx, cancel := context.WithTimeout(context.Background(), v.patience)
	defer cancel()
	v.readInto(ctx, got, want, v.read)
	if v.read.Commit != "" || !hexCommit.MatchString(v.report.Repo.Commit) {
		return got
	}
	changed := slices.DeleteFunc(want, func(p string) bool { return got[p].ok })
	if len(changed) == 0 {
		return got
	}
	fromCommit := make(map[string]sourceText, len(changed))
	o := v.read
	o.Commit = v.report.Repo.Commit
	v.readInto(ctx, fromCommit, changed, o)
	for p, t := range fromCommit {
		if t.ok {
			got[p] = t
		}
	}
	return got
}

// readInto reads files in one way and notes which of them are as they were reviewed.
func (v *reviewed) readInto(ctx context.Context, got map[string]sourceText, paths []string, o codebase.Options) {
	if len(paths) == 0 {
		return
	}
	if o.Commit != "" && !hexCommit.MatchString(o.Commit) {
		for _, p := range paths {
			got[p] = sourceText{why: "the report does not name the commit that was reviewed"}
		}
		return
	}
	if time.Now().UnixNano() < v.stuck.Load() {
		for _, p := range paths {
			got[p] = sourceText{why: "the codebase takes too long to read"}
		}
		return
	}
	c, err := codebase.Read(ctx, v.report.Repo.Path, paths, o)
	if err != nil {
		if ctx.Err() != nil {
			v.stuck.Store(time.Now().Add(restTime).UnixNano())
		}
		for _, p := range paths {
			got[p] = sourceText{why: fmt.Sprintf("the codebase cannot be read: %v", err)}
		}
		return
	}
	skipped := map[string]string{}
	for _, s := range c.Skipped() {
		skipped[s.Path] = s.Why
	}
	for _, p := range paths {
		text, there := c.Text(p)
		info, _ := c.File(p)
		known, _ := v.file(p)
		switch {
		case there && info.Hash == known.SHA256:
			got[p] = sourceText{text: text, ok: true}
		case there:
			got[p] = sourceText{why: "the file has changed since the review"}
		case skipped[p] != "":
			got[p] = sourceText{why: skipped[p]}
		default:
			got[p] = sourceText{why: "the file is no longer there"}
		}
	}
}
