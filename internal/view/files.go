package view

import (
	"cmp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// What a document of a review's codebase holds at most.
const (
	maxFileRows = 200_000
	maxSkipped  = 20_000
)

// Files is a review's codebase, file by file: the document "files".
type Files struct {
	Files   []FileRow     `json:"files"` // sorted by path
	Skipped []SkippedFile `json:"skipped"`
	// LinesTotal and LinesDispatched are of the whole codebase.
	LinesTotal      int `json:"lines_total"`
	LinesDispatched int `json:"lines_dispatched"`
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
	Findings   int `json:"findings"`
	// Worst is the worst severity among the findings, "" without one.
	Worst string `json:"worst"`
}

// SkippedFile is a file or directory that was not part of the review.
type SkippedFile struct {
	Path string `json:"path"`
	Why  string `json:"why"`
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
	Covered  [][2]int  `json:"covered"`
	Findings []Finding `json:"findings"` // by line
	// Previous and Next are the neighbours in the order of paths, "" at the ends.
	Previous string `json:"previous,omitempty"`
	Next     string `json:"next,omitempty"`
}

// listFiles answers "files".
func (r *Run) listFiles(rest string) (any, error) {
	if rest != "" {
		return nil, notFound("there is no %q below files", termtext.CutWith(rest, 80, "…"))
	}
	v, err := r.reviewed()
	if err != nil {
		return nil, err
	}
	return v.list(), nil
}

// showFile answers "file/PATH".
func (r *Run) showFile(path string) (any, error) {
	v, err := r.reviewed()
	if err != nil {
		return nil, err
	}
	if _, known := v.file(path); !known && len(v.findings[path]) == 0 {
		return nil, notFound("no file %q was part of this review", termtext.CutWith(path, 200, "…"))
	}
	return v.show(path, v.texts([]string{path})[path]), nil
}

// list is the whole codebase, or the files that the report speaks of where the run kept no list.
func (v *reviewed) list() Files {
	c := v.report.Coverage
	doc := Files{Files: []FileRow{}, Skipped: []SkippedFile{}, LinesTotal: c.LinesTotal, LinesDispatched: c.LinesDispatched}
	for _, f := range v.record.Files[:min(len(v.record.Files), maxFileRows)] {
		n, worst := v.tally(f.Path)
		doc.Files = append(doc.Files, FileRow{Path: f.Path, Language: f.Language, Lines: f.Lines, Dispatched: f.Dispatched, Findings: n, Worst: worst})
	}
	if v.noRecord != "" {
		doc.Partial = v.noRecord + ". Only files with findings are listed."
		for path := range v.findings {
			n, worst := v.tally(path)
			doc.Files = append(doc.Files, FileRow{Path: path, Findings: n, Worst: worst})
		}
	} else if len(v.record.Files) > maxFileRows {
		doc.Partial = "There are more files than are listed."
	}
	slices.SortFunc(doc.Files, func(a, b FileRow) int { return cmp.Compare(a.Path, b.Path) })
	for _, s := range c.Skipped[:min(len(c.Skipped), maxSkipped)] {
		doc.Skipped = append(doc.Skipped, SkippedFile{s.Path, s.Why})
	}
	return doc
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
	doc := File{Path: path, Language: known.Language, Lines: known.Lines, Why: source.why, Covered: known.Ranges, Findings: []Finding{}}
	if source.ok {
		doc.Text = &source.text
	}
	if doc.Covered == nil {
		doc.Covered = [][2]int{}
	}
	for _, i := range v.findings[path] {
		doc.Findings = append(doc.Findings, shownFinding(v.report.Findings[i], v.ids[i]))
	}
	slices.SortStableFunc(doc.Findings, func(a, b Finding) int { return cmp.Compare(a.Line, b.Line) })
	if i, ok := v.index[path]; ok {
		if i > 0 {
			doc.Previous = v.record.Files[i-1].Path
		}
		if i+1 < len(v.record.Files) {
			doc.Next = v.record.Files[i+1].Path
		}
	}
	return doc
}
