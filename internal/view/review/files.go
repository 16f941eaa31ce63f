package review

import (
	"cmp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/redact"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// What a document of a review's codebase holds at most.
const (
	maxFileRows = 200_000
	maxSkipped  = 20_000
)

// Files is a review's codebase, file by file: the document "files".
type Files struct {
	Files   []FileRow      `json:"files"` // sorted by path
	Skipped []runfile.Skip `json:"skipped"`
	// LinesTotal, LinesDispatched and LinesJudged are of the whole codebase: see the report's coverage.
	LinesTotal      int `json:"lines_total"`
	LinesDispatched int `json:"lines_dispatched"`
	LinesJudged     int `json:"lines_judged"`
	// Partial says why Files does not hold all files of the codebase; "" when it does.
	Partial string `json:"partial,omitempty"`
}

// FileRow is one file that was reviewed.
type FileRow struct {
	Path     string `json:"path"`
	Language string `json:"language"`
	Lines    int    `json:"lines"` // 0 also when unknown, see Files.Partial
	// Dispatched is how many of the lines reached a worker.
	Dispatched int `json:"dispatched"`
	// Answered is how many of those a usable reply came back for.
	Answered int `json:"answered"`
	// Judged is how many of those the reader could judge: static rules know some languages only.
	Judged   int `json:"judged"`
	Findings int `json:"findings"`
	// Worst is the worst severity among the findings, "" without one.
	Worst string `json:"worst"`
}

// File is one file as it was reviewed: the document "file/PATH".
type File struct {
	Path     string `json:"path"`
	Language string `json:"language"`
	Lines    int    `json:"lines"`
	// Text is null where the text that was reviewed cannot be had: Why says why.
	Text *string `json:"text"`
	Why  string  `json:"why,omitempty"`
	// Covered are the ranges of lines that reached a worker: sorted, from 1, both ends included.
	Covered [][2]int `json:"covered"`
	// Unanswered are those of them that no usable reply came back for, in the same form.
	Unanswered [][2]int `json:"unanswered"`
	// Unjudged are those that were answered by a reader who could not judge them, in the same form.
	Unjudged [][2]int  `json:"unjudged"`
	Findings []Finding `json:"findings"` // by line
	// Previous and Next are the neighbours in the order of paths, "" at the ends.
	Previous string `json:"previous,omitempty"`
	Next     string `json:"next,omitempty"`
}

// files answers "files".
func (r *Run) files(rest string) (any, error) {
	if rest != "" {
		return nil, doc.NotFound("there is no %q below files", doc.Clip(rest, 80))
	}
	v, err := r.reviewed()
	if err != nil {
		return nil, err
	}
	return v.list(), nil
}

// file answers "file/PATH".
func (r *Run) file(path string) (any, error) {
	v, err := r.reviewed()
	if err != nil {
		return nil, err
	}
	if _, known := v.file(path); !known && len(v.findings[path]) == 0 {
		return nil, doc.NotFound("no file %q was part of this review", doc.Clip(path, 200))
	}
	return v.show(path, v.texts([]string{path})[path]), nil
}

// list is the whole codebase, or the files that the report speaks of where the run kept no list.
func (v *reviewed) list() Files {
	c := v.report.Coverage
	all := Files{Files: []FileRow{}, Skipped: []runfile.Skip{}, LinesTotal: c.LinesTotal, LinesDispatched: c.LinesDispatched,
		LinesJudged: c.LinesJudged}
	for _, f := range v.record.Files[:min(len(v.record.Files), maxFileRows)] {
		n, worst := v.tally(f.Path)
		all.Files = append(all.Files, FileRow{Path: f.Path, Language: f.Language, Lines: f.Lines, Dispatched: f.Dispatched, Answered: f.Answered,
			Judged: f.Judged, Findings: n, Worst: worst})
	}
	if v.noRecord != "" {
		all.Partial = v.noRecord + ". Only files with findings are listed."
		for path := range v.findings {
			n, worst := v.tally(path)
			all.Files = append(all.Files, FileRow{Path: path, Findings: n, Worst: worst})
		}
	} else if len(v.record.Files) > maxFileRows {
		all.Partial = "There are more files than are listed."
	}
	slices.SortFunc(all.Files, func(a, b FileRow) int { return cmp.Compare(a.Path, b.Path) })
	all.Skipped = append(all.Skipped, c.Skipped[:min(len(c.Skipped), maxSkipped)]...)
	return all
}

// tally counts a file's findings and names the worst severity.
func (v *reviewed) tally(path string) (n int, worst string) {
	for _, i := range v.findings[path] {
		if s := v.report.Findings[i].Severity; taxonomy.Rank(s) > taxonomy.Rank(worst) {
			worst = s
		}
	}
	return len(v.findings[path]), worst
}

// show is one file with its text, or without.
func (v *reviewed) show(path string, source sourceText) File {
	known, _ := v.file(path)
	one := File{Path: path, Language: known.Language, Lines: known.Lines, Why: source.why, Covered: doc.List(known.Ranges),
		Unanswered: doc.List(known.Unanswered), Unjudged: doc.List(known.Unjudged), Findings: []Finding{}}
	if source.ok {
		one.Text = &source.text
	}
	for _, i := range v.findings[path] {
		one.Findings = append(one.Findings, shownFinding(v.report.Findings[i], v.ids[i]))
	}
	slices.SortStableFunc(one.Findings, func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
	if i, ok := v.index[path]; ok {
		if i > 0 {
			one.Previous = v.record.Files[i-1].Path
		}
		if i+1 < len(v.record.Files) {
			one.Next = v.record.Files[i+1].Path
		}
	}
	return one
}

// WithoutSecrets is the file as workers were sent it.
func (f File) WithoutSecrets(secrets *redact.Redactor) any {
	if f.Text != nil {
		text, _ := secrets.RedactFile(f.Path, *f.Text)
		f.Text = &text
	}
	return f
}
