package runfile

// CoverageRecord is coverage.json: which lines of which file reached a worker, which of them were answered, and which of those
// were judged, as a page can show them beside the text.
type CoverageRecord struct {
	Schema int           `json:"schema"`
	Files  []CoveredFile `json:"files"` // sorted by path
}

// CoveredFile is one file of the codebase that was reviewed.
type CoveredFile struct {
	Path     string `json:"path"`
	Language string `json:"language"`
	Lines    int    `json:"lines"`
	// Dispatched counts the lines that reached a worker; Ranges are those lines: sorted, 1-based, both ends included.
	Dispatched int      `json:"dispatched"`
	Ranges     [][2]int `json:"ranges"`
	// Answered counts those of them that a usable reply came back for; Unanswered are the others, in the form of Ranges. A file
	// of an older version says neither: it counted what was sent.
	Answered   int      `json:"answered"`
	Unanswered [][2]int `json:"unanswered,omitempty"`
	// Judged counts the answered lines that the reader could judge; Unjudged are the others, in the form of Ranges: static rules
	// have none for a language, or their parser gave up. A file of an older version says neither.
	Judged   int      `json:"judged"`
	Unjudged [][2]int `json:"unjudged,omitempty"`
	// SHA256 is the hex digest of the text that was reviewed: the file's bytes as codebase.Decode reads them. A text with
	// another digest is not what the ranges speak of.
	SHA256 string `json:"sha256"`
}
